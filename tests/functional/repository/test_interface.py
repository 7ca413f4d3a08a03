# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The public interface, compared with that of the last release: all that is gone is deliberate, and said to users."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from functional.upgrade.interface import PRESENT, Interface, interface_of, taken_away
from harness.places import CHECKOUT, linked_tree

PAGE = "``index.html``, the page on all consoles"

# What the last release had and this version has not, and the words by which the page on releases says so.
DELIBERATE: dict[str, str] = {
    "filter report_facts: result _value.near_misses is gone": "names that look alike, in warnings, ``report_facts``",
    "filter report_facts: result _value.nested_limits is gone": "names that look alike, in warnings, ``report_facts``",
    "filter report_facts: result _value.other_kinds is gone": "``other_kinds`` of ``report_facts``",
    "module check_variables: option role was {'type': 'str', 'required': True, 'choices': ['apply', 'capture', 'report', 'rotate',"
    " 'tenant', 'validate']}, and is {'type': 'str', 'required': True}": "The role ``rotate``",
    "module exports: result doubts.count is gone": "``count`` in an entry of ``errors``",
    "module exports: result errors.count is gone": "``count`` in an entry of ``errors``",
    "module quotas: result doubts.count is gone": "``count`` in an entry of ``errors``",
    "module quotas: result errors.count is gone": "``count`` in an entry of ``errors``",
    "module report_files: option overview is gone": PAGE,
    "module run_summary: option role was {'type': 'str', 'required': True, 'choices': ['apply', 'capture', 'report', 'rotate',"
    " 'tenant']}, and is {'type': 'str', 'required': True, 'choices': ['apply', 'capture', 'report', 'tenant']}": "The role ``rotate``",
    "module run_summary: result consoles is gone": PAGE,
    "module run_summary: result dest is gone": PAGE,
    "module volumes: result doubts.count is gone": "``count`` in an entry of ``errors``",
    "module validate_files: result counts.open_to_write is gone": "``open_to_write`` of ``validate_files``",
    "module volumes: result errors.count is gone": "``count`` in an entry of ``errors``",
    "role rotate is gone": "The role ``rotate``",
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


def test_what_is_added_is_no_loss() -> None:
    added: dict[str, Any] = {
        "option a": {"type": "str", "choices": ["x", "y", "z"], "aliases": ["b"]},
        "option c": {"type": "int"},
    }
    assert list(taken_away(OLD, {"module m": {**OLD["module m"], **added}, "role r": {}})) == []
