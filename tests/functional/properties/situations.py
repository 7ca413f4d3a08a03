# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a long run of the property tests must have met: a draw that no longer leads there tests nothing, and still passes.

A situation is recognised from outside: by what the emulator knows of a run of a module, and by what its result says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from emulator import Fault
from emulator.answers import WRITES, LoggedRequest


@dataclass(frozen=True)
class Case:
    """One run of a module: what could go wrong, what reached the console, and what came of it."""

    faults: list[Fault]
    requests: list[LoggedRequest]
    result: Mapping[str, Any]

    @cached_property
    def text(self) -> str:
        """The message of the result, with its warnings and errors."""
        errors = [error["msg"] for error in self.result.get("errors", ())]
        return "\n".join(map(str, [self.result.get("msg"), *self.result.get("warnings", ()), *errors]))

    def later(self, request: LoggedRequest) -> list[LoggedRequest]:
        return self.requests[request.number :]

    def repeated(self, request: LoggedRequest) -> list[LoggedRequest]:
        """Return the later requests that ask for the same."""
        return [each for each in self.later(request) if _content(each) == _content(request)]

    @property
    def lost_posts(self) -> Iterator[LoggedRequest]:
        """Yield the creations of which the module cannot know whether they were carried out."""
        for each in self.requests:
            if each.method == "POST" and each.fault and (each.fault == "truncate" or (each.status or 500) >= 500):
                yield each


def _content(request: LoggedRequest) -> tuple[str, str, str, bytes]:
    return request.method, request.path, request.query, request.body


def _says(pattern: str) -> Callable[[Case], bool]:
    """Return a function that tells whether a result says this."""
    search = re.compile(pattern).search
    return lambda case: search(case.text) is not None


def _found_again(case: Case) -> bool:
    is_done = bool(case.result.get("changed")) and not case.result.get("failed")
    return is_done and any(not case.repeated(lost) for lost in case.lost_posts)


def _sent_again(case: Case) -> bool:
    return any((each.status or 500) < 300 for lost in case.lost_posts for each in case.repeated(lost))


def _corrects_the_time(case: Case) -> bool:
    late = [each for each in case.requests if "from the server's time" in (each.refusal or "")]
    return any(again.authenticated for each in late for again in case.repeated(each))


def _misses_a_page(case: Case) -> bool:
    pages = [each for each in case.requests if each.method == "GET" and "page=" in each.query]
    return any(each.authenticated and each.status == 404 for each in pages)


def _finds_a_new_duplicate(case: Case) -> bool:
    is_new = any(each.method == "POST" or each.fault == "meanwhile" for each in case.requests)
    return is_new and "there are several " in case.text


def _waits_for_a_limit(case: Case) -> bool:
    limited = [each for each in case.requests if each.status == 429]
    return any(again.time > each.time and again.status != 429 for each in limited for again in case.repeated(each))


def _repeats_after_a_reset(case: Case) -> bool:
    cut = [each for each in case.requests if each.fault in ("reset_before", "reset_after") and each.method != "POST"]
    return any(case.repeated(each) for each in cut)


def _waits_for_a_volume(case: Case) -> bool:
    asked = [each for each in case.requests if each.path.endswith("/is_ready") and each.status == 200]
    return any(again.time > each.time for each in asked for again in case.repeated(each))


def _writes_after_another(case: Case) -> bool:
    moments = {fault.moment for fault in case.faults if fault.kind == "meanwhile"}
    for each in case.requests:
        if each.fault == "meanwhile" and each.method in WRITES and "before" in moments:
            return True
        if each.fault == "meanwhile" and each.method == "GET" and "after" in moments:
            return any(later.method in WRITES and later.path.startswith(each.path) for later in case.later(each))
    return False


def _hides_a_token(case: Case) -> bool:
    shown = [case.result.get("export"), *case.result.get("exports", ())]
    exports = [record for record in shown if isinstance(record, dict) and "iprange" in record]
    return any("token" not in record for record in exports)


SITUATIONS: dict[str, Callable[[Case], bool]] = {
    "a lost POST is found again": _found_again,
    "a lost POST is sent again": _sent_again,
    "a request is repeated after a reset": _repeats_after_a_reset,
    "a rate limit is waited for": _waits_for_a_limit,
    "the time is corrected": _corrects_the_time,
    "a volume is not ready at first": _waits_for_a_volume,
    "a page is gone while the list is read": _misses_a_page,
    "a token is not shown": _hides_a_token,
    "a value is not accepted": _says("not all of it was accepted|does not accept this change"),
    "an update resets a field, which is restored": _says("It was restored"),
    "an update loses a field for good": _says("could not be restored"),
    "a create-only field differs": _says("can only be set at creation"),
    "a deletion is not offered": _says("this console does not delete"),
    "a key with white space at its ends": _says("with white space at its ends"),
    "a duplicate is made meanwhile": _finds_a_new_duplicate,
    "somebody else's change between reading and writing": _writes_after_another,
    "another plan than the approved one": _says("not the plan that was approved"),
    "a limit refuses deletions": _says("more would be deleted than max_deletions"),
    "a purge that would empty a list is refused": _says("purge would empty a list"),
}
"""What each situation is called, and how to recognise it."""

# In how many runs of a module each situation was met.
met: Counter[str] = Counter()


def met_in(case: Case) -> list[str]:
    return [name for name, is_met in SITUATIONS.items() if is_met(case)]


def require_all(counts: Mapping[str, int]) -> None:
    """Assert that each situation was met."""
    missing = [name for name in SITUATIONS if not counts.get(name)]
    assert not missing, f"no case that was drawn has met: {'; '.join(missing)}"
