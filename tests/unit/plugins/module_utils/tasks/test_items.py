# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading the items of lists: what they want, and everything that is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA, VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.items import (
    _Validator,
    find_problems,
    read_items,
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
    goals, problems = read_items(VOLUME, items)
    assert problems == []
    assert [{kind: len(children) for kind, children in goal.children.items()} for goal in goals] == [
        {"exports": 0, "quotas": 1},
        {},
    ]
    assert goals[0].children["quotas"][0].name == "item 1 ('v'), quotas item 1 ('/a')"


def test_problems_of_the_lists_of_an_item_say_which_list() -> None:
    items: list[dict[str, Any]] = [
        {"name": "v", "quotas": [{"path": "a"}], "exports": [{"desc": "web", "iprange": "x"}]},
        {"quotas": [{}]},
    ]
    _goals, problems = read_items(VOLUME, items)
    assert [(problem.name, dict(problem.where)) for problem in problems] == [
        ("item 1 ('v'), exports item 1 ('web')", {"volume": "v", "kind": "exports"}),
        ("item 1 ('v'), quotas item 1 ('a')", {"volume": "v", "kind": "quotas"}),
        ("item 2, quotas item 1", {"volume": "item 2", "kind": "quotas"}),
        ("item 2", {"volume": "item 2", "kind": "volumes"}),
    ]


def test_duplicates_are_found_where_other_items_cannot_be_planned() -> None:
    two = [{"path": "/a", "size": 1}] * 2
    items: list[dict[str, Any]] = [{"name": "v", "quotas": two}, {"name": "v"}]
    assert find_problems(VOLUME, read_items(VOLUME, items)) == []
    problems = find_problems(VOLUME, read_items(VOLUME, [*items, {}]))
    assert [(problem.key, problem.name, dict(problem.where)) for problem in problems] == [
        ("item 3", "item 3", {"volume": "item 3", "kind": "volumes"}),
        ("v", "item 2 ('v')", {"volume": "v", "kind": "volumes"}),
        ("/a", "item 1 ('v'), quotas item 2 ('/a')", {"volume": "v", "kind": "quotas"}),
    ]
