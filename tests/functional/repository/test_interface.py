# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The public interface, compared with that of the last release: all that is gone is deliberate, and said to users."""

from __future__ import annotations

import json
import re

import pytest

from functional.upgrade.interface import PRESENT, Interface, interface_of, taken_away
from harness.places import CHECKOUT, linked_tree

SINGLE, LISTS = ("export", "quota", "volume"), ("exports", "quotas", "volumes")
ITEMS = [("exports", "exports"), ("quotas", "quotas"), ("volumes", "volumes.exports"), ("volumes", "volumes.quotas")]
OF_DOUBTS = ("option fail_on_doubts", "result doubts")
OF_APPROVAL = ("option expected_plan", "result plan_checksum")
# What roles were made of.
OF_ROLES = ("check_variables", "desired_state_files", "report_files", "run_summary", "validate_files")

OF_SETUP = ("credential", "forks", "project_branch", "schedules", "slices", "tenant_variables")

# What the last release had and this version has not, and the words by which the page on releases says so.
DELIBERATE: dict[str, str] = {
    "filter report_facts is gone": "``report_facts``",
    "lookup desired_state_files is gone": "``desired_state_files``",
    "module volumes: option volumes.create_with is gone": "``create_with``",
    "module volumes: option volumes.ignore is gone": "``ignore`` of a volume",
    "module volumes: option volumes.source is gone": "``source`` of an item",
    **{f"module {name}: {part} is gone": "``plan_checksum``" for name in SINGLE for part in OF_APPROVAL},
    **{f"module {name}: option include_tokens is gone": "``include_tokens``" for name in ("quota", "quota_info")},
    **{f"module {name} is gone": f"``{name}``" for name in OF_ROLES},
    "role capture: option capture_portable is gone": "``capture_portable``",
    "role capture: option capture_schema is gone": "``capture_schema``",
    **{f"module {name}: {part} is gone": "``fail_on_doubts``" for name in LISTS for part in OF_DOUBTS},
    "role apply: option apply_any_console is gone": "``apply_any_console``",
    "role apply: option apply_fail_on_doubts is gone": "``apply_fail_on_doubts``",
    **{f"module {name}: option {kind}.was is gone": "``was``" for name, kind in ITEMS},
    **{f"names: awx_setup_{name} is gone": f"``awx_setup_{name}``" for name in OF_SETUP},
    "names: managedfs_checked_revision is gone": "revision that a check of AWX hands on",
    **{f"role {name} is gone": "The roles ``rotate`` and ``validate``" for name in ("rotate", "validate")},
}


def test_nothing_is_taken_away_from_playbooks_but_on_purpose() -> None:
    before: Interface = json.loads(PRESENT.read_text(encoding="utf-8"))
    assert sorted(taken_away(before, interface_of(linked_tree()))) == sorted(DELIBERATE)
    page = (CHECKOUT / "docs/docsite/rst/releasing.rst").read_text(encoding="utf-8")
    table = re.split(r"\nFrom [\d.]+ to [\d.]+\n", page)[1].split("\n.. _")[0]
    assert [name for name, words in DELIBERATE.items() if words not in table] == []


OLD: Interface = {"module m": {"option a": {"type": "str", "choices": ["x", "y"]}, "result r": {"type": "int"}}}
NEW = {
    "gone": ({}, "module m is gone"),
    "no option": ({"module m": {"result r": {"type": "int"}}}, "module m: option a is gone"),
    "fewer choices": (
        {"module m": {**OLD["module m"], "option a": {"type": "str", "choices": ["x"]}}},
        "module m: option a was {'type': 'str', 'choices': ['x', 'y']}, and is {'type': 'str', 'choices': ['x']}",
    ),
    "another type": (
        {"module m": {**OLD["module m"], "result r": {"type": "str"}}},
        "module m: result r was {'type': 'int'}, and is {'type': 'str'}",
    ),
    "more to give": (
        {"module m": {**OLD["module m"], "option b": {"type": "str", "required": True}}},
        "module m: option b is required",
    ),
}


@pytest.mark.parametrize(("new", "expected"), NEW.values(), ids=NEW)
def test_what_counts_as_taken_away(new: Interface, expected: str) -> None:
    assert list(taken_away(OLD, new)) == [expected]
