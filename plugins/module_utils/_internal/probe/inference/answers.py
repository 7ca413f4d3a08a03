# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What responses tell: to creations and deletions, to what is wrong, and on routes that need not exist. Pure."""

from __future__ import annotations

from typing import Any

from ..observation import EMPTY, HTML, JSON, TEXT, Observation, Reply, Seen
from ..timing import timing
from .finding import Finding, agreed, nothing

_CREATIONS = {"create_volume": "volumes", "create_export": "exports", "create_quota": "quotas"}
_DELETIONS = {"delete_volume": "volumes", "delete_export": "exports", "delete_quota": "quotas"}
# A new volume that is ready within this time, in seconds, was ready at once.
_SOON = 1.0
_PAGE_KEYS = {"results", "items", "data"}
_FIELDS = {"name", "bucket", "region", "compress", "compatible", "desc", "iprange", "path", "size", "inodes"}


def _accepted(seen: Seen, steps: dict[str, str]) -> list[tuple[str, Reply]]:
    """Return the accepted replies to these steps, with the list that each was about."""
    found = [(noun, seen.reply(name)) for name, noun in steps.items()]
    return [(noun, reply) for noun, reply in found if reply is not None and reply.is_success]


def create_status(seen: Seen) -> Finding:
    """Return the status of creations."""
    values = [(noun, reply.status, reply) for noun, reply in _accepted(seen, _CREATIONS)]
    finding = agreed(values, (201, 200, 202, 204), seen.why_not(*_CREATIONS), "The status of a creation")
    updates = _accepted(seen, {"update_export": "exports", "update_quota": "quotas"})
    expected = 204 if finding.value == 204 else 200
    odd = sorted({reply.status for _noun, reply in updates} - {expected})
    more = (f"An update is answered with HTTP {odd[0]}.",) if odd and finding.value else ()
    return finding._replace(unknown=finding.unknown + more)


def _body_of_creation(reply: Reply) -> str:
    """Return what is in the reply to a creation."""
    if reply.kind is EMPTY:
        return "empty"
    if reply.kind is HTML:
        return "html"
    if isinstance(reply.value, dict):
        if _PAGE_KEYS & reply.value.keys() or "count" in reply.value:
            return "page"
        return "id" if set(reply.value) == {"id"} else "record"
    return "page" if isinstance(reply.value, list) else f"other {reply.kind}"


def create_body(seen: Seen) -> Finding:
    """Return what creations give back."""
    values = [(noun, _body_of_creation(reply), reply) for noun, reply in _accepted(seen, _CREATIONS)]
    choices = ("record", "id", "empty", "page", "html")
    return agreed(values, choices, seen.why_not(*_CREATIONS), "What a creation gives back")


def delete_status(seen: Seen) -> Finding:
    """Return the status of deletions."""
    values = [(noun, reply.status, reply) for noun, reply in _accepted(seen, _DELETIONS)]
    return agreed(values, (204, 200, 202), seen.why_not(*_DELETIONS), "The status of a deletion")


def delete_body(seen: Seen) -> Finding:
    """Return what deletions give back."""
    kinds = {EMPTY: "empty", JSON: "json"}
    values = [(noun, kinds.get(reply.kind, reply.kind), reply) for noun, reply in _accepted(seen, _DELETIONS)]
    return agreed(values, ("empty", "json"), seen.why_not(*_DELETIONS), "What a deletion gives back")


def delete_children(seen: Seen) -> Finding:
    """Return whether exports and quotas can be deleted."""
    steps = {"delete_export": "exports", "delete_quota": "quotas"}
    values = []
    for name, noun in steps.items():
        found = seen.step(name)
        if found and found.reply and (found.is_settled or not found.is_accepted):
            values.append((noun, "yes" if found.is_accepted else str(found.reply.status), found.reply))
    return agreed(values, ("yes", "404", "405", "501"), seen.why_not(*steps), "The answer to a deletion")


def auth_status(seen: Seen) -> Finding:
    """Return the status of a request whose signature is refused."""
    late, wrong = seen.reply("old_timestamp"), seen.reply("wrong_signature")
    if wrong is None:
        return nothing("there was no usable response")
    choices = (401, 400, 403, 418)
    if late is not None and late.is_success:
        finding = agreed([("a wrong signature", wrong.status, wrong)], choices, "", "The status of a wrong signature")
        return finding._replace(unknown=(*finding.unknown, "A request that was signed an hour ago is accepted."))
    values = [("a wrong signature", wrong.status, wrong)]
    values += [("a signature of an hour ago", late.status, late)] if late else []
    return agreed(values, choices, "", "The status of a refused signature")


def _error_shape(reply: Reply) -> str | None:
    """Return the shape of an error, or None for one that is not known; of `detail` it is not sure that it is for all."""
    if reply.kind is not JSON:
        return {EMPTY: "empty", HTML: "html", TEXT: "text"}[reply.kind]
    names = set(reply.value) if isinstance(reply.value, dict) else set()
    for shape in ("detail", "error"):
        if names == {shape}:
            return shape
    is_by_field = bool(names) and names <= _FIELDS and all(isinstance(entry, list) for entry in reply.value.values())
    return "field" if is_by_field else None


def error_body(seen: Seen) -> Finding:
    """Return the shape of errors."""
    replies = [seen.reply(name) for name in ("create_bad_export", "incomplete_volume")]
    for reply in replies:
        if reply is not None and 400 <= reply.status < 500:
            shape = _error_shape(reply)
            if shape is None:
                names = (
                    sorted(name for name in reply.value if name.isidentifier()) if isinstance(reply.value, dict) else []
                )
                odd = f"The body of an error has a shape of its own, with the fields {', '.join(names) or 'of a list'}."
                return nothing("errors have a shape of their own", odd)
            return Finding(shape, reply)
    other = seen.reply("wrong_signature")
    if other is not None and not other.is_success and _error_shape(other) in ("error", "text", "html", "empty"):
        return Finding(_error_shape(other), other)
    accepted = seen.step("create_bad_export")
    oddity = ("An export whose iprange is no network is accepted.",) if accepted and accepted.is_accepted else ()
    return nothing(seen.why_not("create_bad_export", "incomplete_volume"), *oddity)


def unknown_route(seen: Seen) -> Finding:
    """Return how a route is answered that does not exist."""
    reply = seen.reply("unknown_route")
    if reply is None:
        return nothing(seen.why_not("unknown_route"))
    value = "html" if reply.is_success and reply.kind is HTML else str(reply.status)
    values = [("GET", value, reply)]
    return agreed(values, ("404", "405", "501", "html"), "", "The status of a route that does not exist")


def _route(seen: Seen, name: str, is_there: bool) -> Finding:
    reply = seen.reply(name)
    return nothing(seen.why_not(name)) if reply is None else Finding(is_there, reply)


def single_get(seen: Seen) -> Finding:
    """Return whether a single volume can be read."""
    reply = seen.reply("one_volume")
    is_record = reply is not None and reply.is_success and isinstance(reply.value, dict)
    return _route(seen, "one_volume", is_record and bool({"id", "name"} & reply.value.keys()) if reply else False)


def _is_ready(reply: Reply | None) -> Any:
    """Return the answer to the question whether a volume is ready, None where there is none."""
    known = reply is not None and reply.is_success and isinstance(reply.value, dict)
    ready = reply.value.get("is_ready") if reply and known else None
    return ready if isinstance(ready, bool) else None


def ready_route(seen: Seen) -> Finding:
    """Return whether the console can be asked if a volume is ready."""
    return _route(seen, "is_ready", _is_ready(seen.reply("is_ready")) is not None)


def ready_after(seen: Seen) -> Finding:
    """Return after how many seconds a new volume is ready."""
    found: Observation | None = seen.step("is_ready")
    if found is None or _is_ready(found.reply) is None or not found.looks:
        return nothing(seen.why_not("is_ready"))
    lag = timing(found.looks)
    if lag is None:
        return nothing("the volume was not ready in time", "A new volume was not ready within the time to wait for it.")
    first = found.looks[0]
    if lag.lag is None and first.elapsed >= _SOON:
        return nothing(f"it was ready when it was first asked, {first.elapsed:.1f} s after its creation")
    note = f"not ready after {lag.missing_until:.1f} s" if not first.shown else "ready when first asked"
    return Finding(lag.lag or 0.0, found.reply, note)


def regions_route(seen: Seen) -> Finding:
    """Return whether there are lists of regions and clouds."""
    replies = {name: seen.reply(name) for name in ("regions", "clouds")}
    values = [
        (f"/{name}", reply.is_success and isinstance(reply.value, (list, dict)), reply)
        for name, reply in replies.items()
        if reply is not None
    ]
    return agreed(
        values, (True, False), seen.why_not("regions", "clouds"), "Whether a list of regions or clouds exists"
    )
