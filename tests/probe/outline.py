# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was seen, without anything that is secret or names anybody: to be compared, and to be shown as evidence. Pure."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, Any

from .script import LOOKS

if TYPE_CHECKING:
    from .client import Reply
    from .listing import Listing, Record
    from .runner import Observation, Run

Outline = dict[str, Any]

_FIELDS = ("id", "desc", "path", "iprange", "apionly", "readonly", "appendonly", "size", "inodes", "token")
_MOMENT = {(True, False): "all", (False, True): "none", (True, True): "some"}


def outlines(run: Run) -> dict[str, Outline]:
    """Return what came of each step, in a form in which two runs can be compared."""
    found: dict[str, Outline] = {f"list_{name}": _of_list(readings[0]) for name, readings in run.readings.items()}
    found |= {f"signature_{number}": {"status": _status(reply)} for number, reply in enumerate(run.refusals, start=1)}
    found |= {
        f"create_volume_{number}": {"status": _status(seen.reply)} for number, seen in enumerate(run.creations, 1)
    }
    found |= {"is_ready": {"answers": [answer for _elapsed, answer in run.ready]}} if run.ready else {}
    return found | {name: outline(seen, run.mark) for name, seen in run.observations.items()}


def outline(seen: Observation, mark: str) -> Outline:
    """Return what came of a step. Which of several readings at one moment showed the effect is left to chance."""
    found: Outline = {"status": _status(seen.reply)}
    if seen.reply.is_success and seen.step.method != "DELETE":
        found["content"] = seen.reply.content
    if seen.listing is not None:
        found |= _of_list(seen.listing)
        looks = [[look.is_shown for look in seen.looks[at : at + LOOKS]] for at in range(0, len(seen.looks), LOOKS)]
        found["shown"] = [_MOMENT[any(moment), not all(moment)] for moment in looks]
    if seen.record is not None and seen.step.list == "volumes":
        # What else a volume shows is different for each console, and no setting describes it.
        found["record"] = {name: seen.record.get(name) is not None for name in ("id", "name")}
    elif seen.record is not None:
        found["record"] = _of_record(seen.record, seen.before, mark)
    return found


def describe(reply: Reply) -> str:
    """Return method, path and status, without ids."""
    return f"{reply.method} {re.sub('/[0-9]+', '/{id}', reply.path)} {reply.status or 'unanswered'}"


def _status(reply: Reply) -> int | str:
    """Return the status as far as a client has to tell it from others."""
    return "accepted" if reply.is_success else "refused" if reply.is_refusal and reply.status != 404 else reply.status


def _of_list(listing: Listing) -> Outline:
    found = {"shape": listing.shape, "link": listing.link, "page_size": listing.page_size}
    return found | {"is_miscounted": listing.is_miscounted, "repeated": listing.repeated}


def _of_record(record: Record, before: Record | None, mark: str) -> Outline:
    """Return what an export or a quota shows of the fields that the API documents, and whether it shows others."""
    found = {name: _masked(name, record[name], mark) for name in _FIELDS if name in record}
    if "token" in record and "token" in (before or {}):
        found["token"] = "the same" if before and record["token"] == before["token"] else "another"
    return found | ({"…": "more fields"} if record.keys() - set(_FIELDS) else {})


def _masked(name: str, value: Any, mark: str) -> Any:
    """Return what the probe has sent and what a console may make of it, and of other values only the type."""
    is_number = re.fullmatch("[0-9]{1,20}", str(value)) is not None
    if value is None or isinstance(value, bool) or value == "" or (name in ("size", "inodes") and is_number):
        return value
    if name in ("desc", "path") and re.fullmatch(rf" ?/?{mark}-[a-f]/? ?", str(value)):
        return str(value).replace(mark, "probe")
    try:
        return (
            str(value) if name == "iprange" and ipaddress.ip_network(str(value), strict=False) else type(value).__name__
        )
    except ValueError:
        return type(value).__name__
