# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A probe from its first request to its last: whatever it made is removed, however it ends."""

from __future__ import annotations

from typing import NamedTuple

from ...errors import ConsoleError
from ...http.client import Client
from ..marks import make_mark
from ..observation import Seen
from ..own import OwnRecords
from ..steps import ALL
from .course import Assignment, Course
from .runner import Runner
from .wire import MAX_REQUESTS, Wire

# What is kept back for the clean-up.
_FOR_CLEANUP = 24
_ONLY_READING = "only reading was allowed (check mode)"


class Outcome(NamedTuple):
    """What came of a probe.

    `left` names what could not be removed, `removed_before` counts what was left by an earlier run and is removed now,
    and `error` tells why the probe could not do its work, if so.
    """

    seen: Seen
    left: list[str]
    removed_before: int
    requests: int
    error: ConsoleError | None


def run(client: Client, assignment: Assignment, digits: str) -> Outcome:
    """Probe a console; `digits` are eight random hexadecimal ones, for the mark of the run."""
    seen = Seen(assignment.fields)
    wire = Wire(client, seen.attempts)
    wire.allowance = MAX_REQUESTS - _FOR_CLEANUP
    own = OwnRecords(is_own_volume=assignment.volume_id is None)
    course = Course(Runner(wire, seen, own, make_mark(digits)), assignment)
    error: ConsoleError | None = None
    try:
        course.run()
    except ConsoleError as problem:
        error = problem
    finally:
        wire.allowance += _FOR_CLEANUP
        course.clean_up()
    default = _ONLY_READING if assignment.only_reads else "the probe ended before this"
    for step in ALL:
        if step.name not in seen.steps:
            seen.skipped.setdefault(step.name, seen.ending or default)
    left = course.cleanup.left
    return Outcome(seen, left, course.removed_before, MAX_REQUESTS - wire.allowance, error)
