# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Observations without secrets and names: to be compared, and to be shown as evidence. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import Listing, Record, Reply
    from .runner import Observation, Run

Outline = dict[str, Any]

_KEY, _NUMBER = " ?/?probe-([a-f]|[Gg][\u00e9e\u0301]+)/? ?", "[0-9]{1,20}"
# The networks for documentation and benchmarks, which the script uses.
_NETWORK = r"(192\.0\.2|198\.1[89]|203\.0\.113)(\.[0-9]+)*(/[0-9.]+)?"
_SHOWN = {"desc": _KEY, "path": _KEY, "iprange": _NETWORK, "size": _NUMBER, "inodes": _NUMBER}
_FIELDS = ("id", "apionly", "readonly", "appendonly", "token", *_SHOWN)
_MOMENT = {(True, False): "all", (False, True): "none", (True, True): "some"}


def outlines(run: Run) -> dict[str, Outline]:
    """Return the outcome of each step, in a form in which two runs can be compared."""
    found: dict[str, Outline] = {f"list_{name}": _of_list(readings[0]) for name, readings in run.readings.items()}
    replies = {"signatures": run.refusals, "creations": [seen.reply for seen in run.creations]}
    found |= {name: {"statuses": list(map(_status, replies[name]))} for name in replies if replies[name]}
    found |= {"is_ready": {"answers": [answer for _elapsed, answer in run.ready]}} if run.ready else {}
    return found | {name: outline(seen, run.mark) for name, seen in run.observations.items()}


def outline(seen: Observation, mark: str) -> Outline:
    """Return the outcome of a step. It is chance which of several readings at one moment showed the effect."""
    found: Outline = {"status": _status(seen.reply)}
    if seen.reply.is_success and seen.step.method != "DELETE":
        found["content"] = seen.reply.content
    if seen.listing is not None:
        found |= _of_list(seen.listing)
        found["shown"] = [_MOMENT[any(moment), not all(moment)] for moment in seen.moments]
    if seen.record is not None and seen.step.list == "volumes":
        # The other fields of a volume are different for each console, and no setting describes them.
        found["record"] = {name: seen.record.get(name) is not None for name in ("id", "name")}
    elif seen.record is not None:
        found["record"] = _of_record(seen.record, seen.before, mark)
    return found


def describe(reply: Reply) -> str:
    """Return method, path and status, without ids."""
    return f"{reply.method} {re.sub('/[0-9]+', '/{id}', reply.path)} {reply.status or 'unanswered'}"


def _status(reply: Reply) -> int | str:
    """Return the status as a client has to distinguish it."""
    return "accepted" if reply.is_success else "refused" if reply.is_refusal and reply.status != 404 else reply.status


def _of_list(listing: Listing) -> Outline:
    found = {"shape": listing.shape, "link": listing.link, "page_size": listing.page_size}
    return found | {"is_miscounted": listing.is_miscounted, "repeated": listing.repeated}


def _of_record(record: Record, before: Record | None, mark: str) -> Outline:
    """Return the documented fields that an export or quota shows, and whether it shows others."""
    found = {name: _masked(name, record[name], mark) for name in _FIELDS if name in record}
    if "token" in record and "token" in (before or {}):
        found["token"] = "the same" if before and record["token"] == before["token"] else "another"
    return found | ({"…": "more fields"} if record.keys() - set(_FIELDS) else {})


def _masked(name: str, value: Any, mark: str) -> Any:
    """Return values that the probe sent, or that a console may make of them, and only the type of others."""
    shown = value.replace(mark, "probe") if isinstance(value, str) else value
    is_safe = (
        shown in (None, "") or isinstance(shown, bool) or (name in _SHOWN and re.fullmatch(_SHOWN[name], str(shown)))
    )
    return shown if is_safe else type(value).__name__
