# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading the items of lists: their goals, and all of their mistakes."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA, VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.items import (
    _Validator,
    read_items,
)

ITEMS: dict[str, dict[str, Any]] = {
    "text": {"desc": "web", "iprange": "*"},
    "a number as text": {"desc": 5, "id": 7},
    "a boolean as text": {"desc": True},
    "null": {"desc": None},
    "a boolean": {"desc": "web", "readonly": True},
    "text as a boolean": {"desc": "web", "readonly": "yes"},
    "a choice": {"desc": "web", "state": "absent"},
    "nothing": {},
}


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_what_is_plainly_right_is_read_as_ansible_reads_it(item: dict[str, Any]) -> None:
    options = item_options(EXPORT)
    expected = ArgumentSpecValidator(options).validate(item)
    if expected.error_messages:
        goals, problems = read_items(EXPORT, [item])
        assert (goals, len(problems)) == ([], 1)
    else:
        assert _Validator(options).validate(item) == (expected.validated_parameters, [])


def test_a_boolean_is_no_id() -> None:
    """Ansible takes true for 1, which is the id of some record."""
    assert [problem.message for problem in read_items(EXPORT, [{"id": True}]).problems] == [
        "id must be a whole number, not True."
    ]


def test_every_invalid_item_is_found() -> None:
    bad: list[dict[str, Any]] = [{"path": "b"}, {"pth": "/c"}, {"path": "/d", "state": "gone"}, {}]
    goals, problems = read_items(QUOTA, [{"path": "/a", "size": 1}, *bad])
    assert [goal.name for goal in goals] == ["item 1 ('/a')"]
    names = ["item 2 ('b')", "item 3", "item 4 ('/d')", "item 5"]
    assert [(problem.key, problem.name) for problem in problems] == list(zip(["b", "item 3", "/d", "item 5"], names))
    assert problems[1].message.startswith(
        "there is no option pth. Did you mean path? Supported parameters include: extra_fields, id, inodes"
    )
    (problem,) = read_items(QUOTA, [{"path": "/a", "colour": 1, "inode": 1, "sizes": 1}]).problems
    assert "there is no option colour, inode, sizes. Did you mean inodes or size? Supported" in problem.message
    (problem,) = read_items(QUOTA, [{"path": "/a", "colour": 1}]).problems
    assert "there is no option colour. Supported" in problem.message


def test_the_lists_of_an_item_are_read_with_it() -> None:
    quotas = [{"path": "/a", "size": 1}]
    (v, w), problems = read_items(
        VOLUME, [{"name": "v", "quotas": quotas, "exports": []}, {"name": "w", "quotas": None}]
    )
    assert (problems, w.children) == ([], {})
    names = {kind: [child.name for child in children] for kind, children in v.children.items()}
    assert names == {"exports": [], "quotas": ["item 1 ('v'), quotas item 1 ('/a')"]}


def test_problems_of_the_lists_of_an_item_say_which_list() -> None:
    bad: dict[str, Any] = {"quotas": [{"path": "a"}], "exports": [{"desc": "web", "iprange": "x"}]}
    _goals, problems = read_items(VOLUME, [{"name": "v", **bad}, {"quotas": [{}]}])
    assert [(problem.name, *problem.where.values()) for problem in problems] == [
        ("item 1 ('v'), exports item 1 ('web')", "v", "exports"),
        ("item 1 ('v'), quotas item 1 ('a')", "v", "quotas"),
        ("item 2", "item 2", "volumes"),
        ("item 2, quotas item 1", "item 2", "quotas"),
    ]
    assert [list(problem.where) for problem in problems] == [["volume", "kind"]] * 4


A, GONE, WEB = {"path": "/a", "size": 1}, {"path": "/b", "state": "absent"}, {"desc": "web", "iprange": "*"}
OF_DELETED: dict[str, tuple[dict[str, Any], str]] = {
    "empty lists": ({"exports": [], "quotas": []}, ""),
    "records that are to be deleted, too": ({"quotas": [GONE]}, ""),
    "a quota beside them": ({"quotas": [A, GONE]}, "1 quota"),
    "both lists": ({"exports": [WEB], "quotas": [A, {**A, "path": "/c"}]}, "1 export and 2 quotas"),
}


@pytest.mark.parametrize(("lists", "listed"), OF_DELETED.values(), ids=OF_DELETED)
def test_a_volume_that_is_to_be_deleted_lists_nothing_that_is_to_stay(lists: dict[str, Any], listed: str) -> None:
    goals, problems = read_items(VOLUME, [{"name": "v", "state": "absent", **lists}])
    messages = [f"the volume is to be deleted, and its item lists {listed}. If one of them is meant, indent state."]
    assert [problem.message.partition(" If the volume")[0] for problem in problems] == messages * bool(listed)
    assert len(goals) == (not listed)
