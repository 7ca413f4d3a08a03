# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading the items of lists: what they want, and everything that is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.items import (
    _Validator,
    read_items,
    read_tree,
)


@pytest.mark.parametrize(
    "item",
    [
        pytest.param({"desc": "web", "iprange": "*"}, id="text"),
        pytest.param({"desc": 5, "id": 7}, id="a number as text"),
        pytest.param({"desc": True}, id="a boolean as text"),
        pytest.param({"desc": 1.5}, id="a fraction as text"),
        pytest.param({"desc": None}, id="null"),
        pytest.param({"desc": "web", "readonly": True}, id="a boolean"),
        pytest.param({"desc": "web", "readonly": "yes"}, id="a boolean as text"),
        pytest.param({"desc": "web", "readonly": 1}, id="a boolean as a number"),
        pytest.param({"id": "7"}, id="an id as text"),
        pytest.param({"id": True}, id="an id as a boolean"),
        pytest.param({"desc": "web", "state": "absent"}, id="a choice"),
        pytest.param({}, id="nothing"),
    ],
)
def test_what_is_plainly_right_is_read_as_ansible_reads_it(item: dict[str, Any]) -> None:
    options = item_options(EXPORT)
    expected = ArgumentSpecValidator(options).validate(item)
    if expected.error_messages:
        goals, problems = read_items(EXPORT, [item])
        assert (goals, len(problems)) == ([], 1)
    else:
        assert _Validator(options).validate(item) == expected.validated_parameters


def test_every_invalid_item_is_found() -> None:
    items: list[dict[str, Any]] = [
        {"path": "/a", "size": 1},
        {"path": "b"},
        {"pth": "/c"},
        {"path": "/d", "state": "gone"},
        {},
    ]
    goals, problems = read_items(QUOTA, items)
    assert [goal.name for goal in goals] == ["item 1 ('/a')"]
    assert [(problem.key, problem.name) for problem in problems] == [
        ("b", "item 2 ('b')"),
        ("item 3", "item 3"),
        ("/d", "item 4 ('/d')"),
        ("item 5", "item 5"),
    ]
    assert problems[1].message.startswith("there is no option pth. Supported parameters include: id, inodes, path")


def test_the_lists_of_an_item_are_read_with_it() -> None:
    items: list[dict[str, Any]] = [
        {"name": "v", "quotas": [{"path": "/a", "size": 1}], "exports": []},
        {"name": "w", "quotas": None},
    ]
    goals, problems = read_tree(items)
    assert problems == []
    assert [{plural: len(below) for plural, below in goal.below.items()} for goal in goals] == [
        {"exports": 0, "quotas": 1},
        {},
    ]
    assert goals[0].below["quotas"][0].name == "item 1 ('v'), quotas item 1 ('/a')"


def test_problems_of_the_lists_of_an_item_tell_which_list() -> None:
    items: list[dict[str, Any]] = [
        {"name": "v", "quotas": [{"path": "a"}], "exports": [{"desc": "web", "iprange": "x"}]},
        {"quotas": [{}]},
    ]
    _goals, problems = read_tree(items)
    assert [(problem.name, dict(problem.place)) for problem in problems] == [
        ("item 1 ('v'), exports item 1 ('web')", {"volume": "v", "kind": "exports"}),
        ("item 1 ('v'), quotas item 1 ('a')", {"volume": "v", "kind": "quotas"}),
        ("item 2, quotas item 1", {"volume": "item 2", "kind": "quotas"}),
        ("item 2", {"volume": "item 2", "kind": "volumes"}),
    ]
