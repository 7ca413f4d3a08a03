# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The warnings of a task, as tables: doubts, fields that changed or are not shown, and records that it leaves alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.outcome import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Section
from ansible_collections.managedfs.console.plugins.module_utils._internal.results.warnings import (
    list_left_alone,
    list_warnings,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, plan, quota

KEEP = plan([], quota(path="/a", present=False))


def with_doubts(*doubts: str) -> Outcome:
    return Outcome(KEEP._replace(verb="create", doubts=doubts), None, False)


def odd(number: int) -> list[str]:
    """Return so many doubts."""
    return [f"Quota '/{each}' is odd." for each in range(number)]


RESTORED = "changed meanwhile, by the console or by somebody else. It was restored."
OF_OUTCOMES: dict[str, tuple[list[Outcome], list[str]]] = {
    "nothing": ([Outcome(KEEP, None, False)], []),
    "ten": ([with_doubts(*odd(9)), with_doubts("Quota '/9' is odd.")], odd(10)),
    "more": (
        [with_doubts(doubt) for doubt in odd(1210)],
        [*odd(10), "And 1,200 more doubts about some quotas."],
    ),
    "restored": (
        [Outcome(KEEP, None, True, restored=("size", "inodes")), Outcome(KEEP, None, True, restored=("size",))],
        [f"With the update of some quotas, size, inodes {RESTORED}"],
    ),
    "not shown": (
        [Outcome(KEEP, None, True, unverified=("size", "inodes")), Outcome(KEEP, None, True, unverified=("inodes",))],
        ["The console does not show size, inodes of some quotas, so it could not be verified."],
    ),
}


@pytest.mark.parametrize(("outcomes", "warnings"), OF_OUTCOMES.values(), ids=OF_OUTCOMES)
def test_the_warnings_about_outcomes(outcomes: list[Outcome], warnings: list[str]) -> None:
    assert list(list_warnings(iter(outcomes), "some quotas")) == warnings


def exports_called(*names: str) -> list[Record]:
    return [{"id": number, "desc": name, "iprange": "*"} for number, name in enumerate(names)]


ROTATING = exports_called("a", "a (next)", "b", "b (old)")
TWO = (
    "Not purged, since they belong to a rotation that is under way: export 'a (next)' (id 1), export 'b (old)' (id 3)."
)
MANY = exports_called("a", "a (next)", "a (old)", "b", "b (old)", "c", "c (old)")
FIRST = "export 'a (next)' (id 1), export 'a (old)' (id 2), export 'b (old)' (id 4), ..."
OF_ROTATIONS: dict[str, tuple[Sequence[str], list[Record], list[str]]] = {
    "nothing": (["exports"], exports_called("a"), []),
    "of a rotation": (["exports"], ROTATING, [TWO]),
    "of a rotation, but nothing is purged": ([], ROTATING, []),
    "of a rotation, but another kind is purged": (["quotas"], ROTATING, []),
    "of many rotations": (["exports"], MANY, [f"{TWO.partition(':')[0]}: {FIRST}."]),
}


@pytest.mark.parametrize(("purge", "records", "warnings"), OF_ROTATIONS.values(), ids=OF_ROTATIONS)
def test_the_warnings_about_exports_of_a_rotation(
    purge: Sequence[str], records: list[Record], warnings: list[str]
) -> None:
    section = Section(EXPORT, [export(desc=record["desc"]) for record in records if "(" not in record["desc"]], purge)
    section.records = Records(EXPORT, records)
    section.plan()
    assert list(list_left_alone(section)) == warnings
