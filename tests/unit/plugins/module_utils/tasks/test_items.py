# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading the items of lists: their goals, and all of their mistakes."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.ignore import read_ignores
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    LISTS_OF_VOLUME,
    QUOTA,
    VOLUME,
    Resource,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.items import (
    _Validator,
    find_problems,
    read_items,
)

ITEMS: dict[str, dict[str, Any]] = {
    "text": {"desc": "web", "iprange": "*"},
    "a number as text": {"desc": 5, "id": 7},
    "a boolean as text": {"desc": True},
    "a fraction as text": {"desc": 1.5},
    "null": {"desc": None},
    "a boolean": {"desc": "web", "readonly": True},
    "text as a boolean": {"desc": "web", "readonly": "yes"},
    "a number as a boolean": {"desc": "web", "readonly": 1},
    "text as an id": {"id": "7"},
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
        assert _Validator(options).validate(item) == expected.validated_parameters


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
        "there is no option pth. Supported parameters include: extra_fields, id, inodes"
    )


def test_one_message_has_whatever_else_is_wrong_beside_an_unknown_option() -> None:
    quotas = {"pth": "/a", "path": "b"}, {"path": "/a", "size": "x"}
    found = read_items(VOLUME, [{"nam": 1, "name": "v", "quotas": list(quotas)}]).problems
    assert [(problem.name, problem.message.split(".")[0][:43]) for problem in found] == [
        ("item 1 ('v')", "there is no option nam"),
        ("item 1 ('v'), quotas item 1 ('b')", "path must start with /, not 'b'"),
        ("item 1 ('v'), quotas item 1 ('b')", "there is no option pth"),
        ("item 1 ('v'), quotas item 2 ('/a')", "size must be a number of bytes, or a number"),
    ]


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


def test_duplicates_are_found_where_other_items_cannot_be_planned() -> None:
    two = [{"path": "/a", "size": 1}] * 2
    items: list[dict[str, Any]] = [{"name": "v", "quotas": two}, {"name": "v"}]
    assert find_problems(VOLUME, read_items(VOLUME, items)) == []
    problems = find_problems(VOLUME, read_items(VOLUME, [*items, {}]))
    assert [(problem.key, problem.name, *problem.where.values()) for problem in problems] == [
        ("item 3", "item 3", "item 3", "volumes"),
        ("v", "item 2 ('v')", "v", "volumes"),
        ("/a", "item 1 ('v'), quotas item 2 ('/a')", "v", "quotas"),
    ]


def test_problems_of_items_in_a_volume_have_no_place_of_their_own() -> None:
    items = read_items(QUOTA, [{"path": "/a", "size": 1}, {"path": "/a", "size": 2}, {}])
    assert [(problem.name, problem.where) for problem in find_problems(QUOTA, items)] == [
        ("item 3", {}),
        ("item 2 ('/a')", {}),
    ]


def test_duplicates_are_found_before_anything_is_renamed() -> None:
    two: list[dict[str, Any]] = [{"path": "/a", "size": 1}, {"path": "/a", "was": "/b"}]
    found = [
        find_problems(QUOTA, read_items(QUOTA, two)),
        find_problems(VOLUME, read_items(VOLUME, [{"name": "v", "quotas": two}])),
    ]
    assert [[problem.key for problem in problems] for problems in found] == [["/a"], ["/a"]]


def test_items_are_named_by_their_place_where_that_is_known() -> None:
    items = [{"name": "v", "quotas": [{"path": "/a", "size": 1}]}]
    (goal,), _problems = read_items(VOLUME, items, locate=lambda item: f"line {len(item)}")
    assert (goal.name, goal.children["quotas"][0].name) == ("line 2 ('v')", "line 2 ('/a')")


def test_create_only_fields_are_updated_where_that_is_asked_for() -> None:
    items = [{"name": "v", "quotas": [{"path": "/a", "size": 1}]}]
    found = {given: read_items(VOLUME, items, *given).goals[0] for given in ((), (False,), (True,))}
    assert {given: goal.update_create_only for given, goal in found.items()} == {
        (): False,
        (False,): False,
        (True,): True,
    }
    assert found[(True,)].children["quotas"][0].update_create_only


A, GONE, WEB = {"path": "/a", "size": 1}, {"path": "/b", "state": "absent"}, {"desc": "web", "iprange": "*"}
OF_DELETED: dict[str, tuple[dict[str, Any], str]] = {
    "no list": ({}, ""),
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


TEMPLATE = "It contains a template that was not evaluated."
NO_LIST = 'must be a list, in which each entry begins with "- "'
WRONG: dict[str, tuple[Resource, dict[str, Any], list[str]]] = {
    "a boolean": (EXPORT, {"readonly": "maybe"}, ["readonly must be true or false, not 'maybe'."]),
    "a list as a number": (EXPORT, {"id": [1]}, ["id must be a whole number, not a list."]),
    "a dictionary as a number": (EXPORT, {"id": {"a": 1}}, ["id must be a whole number, not a dictionary."]),
    "text as fields": (EXPORT, {"extra_fields": "x"}, ["extra_fields must be a dictionary of options."]),
    "a dictionary as a list": (VOLUME, {"quotas": {"path": "/a"}}, [f"quotas {NO_LIST}, not a dictionary."]),
    "a number as an item": (VOLUME, {"quotas": [5]}, ["quotas: each must be a dictionary of options."]),
    "a choice": (EXPORT, {"state": "gone"}, ["value of state must be one of: present, absent, got: gone."]),
    "a template": (EXPORT, {"id": "{{ x }}"}, [f"id must be a whole number, not '{{{{ x }}}}'. {TEMPLATE}"]),
    "a hidden character": (
        EXPORT,
        {"a": 1, "de\u200bsc": 1},
        [r"there is no option a, de\u200bsc. The key contains ZERO WIDTH SPACE, which cannot be seen."],
    ),
    "an unknown option without a value": (EXPORT, {"deks": ""}, ["there is no option deks."]),
    "no field at all": (EXPORT, {"desc": None}, ["desc or id is required, to identify the export."]),
    "each text": (QUOTA, {"path": "b", "size": "{x"}, ["path must start with /, not 'b'.", "size must be"]),
    "a number beside an option": (QUOTA, {"inodes": "x", "a": 1}, ["inodes must be", "there is no option a."]),
    "a list as text beside an option": (QUOTA, {"path": ["b"], "a": 1}, ["there is no option a."]),
    "a dictionary as text beside an option": (EXPORT, {"desc": {"b": 1}, "a": 1}, ["there is no option a."]),
}


@pytest.mark.parametrize(("resource", "item", "messages"), WRONG.values(), ids=WRONG)
def test_each_mistake_is_told_once_in_words_of_yaml(
    resource: Resource, item: dict[str, Any], messages: list[str]
) -> None:
    key = {resource.key.name: "/x"}
    found = [problem.message for problem in read_items(resource, [{**key, **item}]).problems]
    assert [text[: len(message)] for text, message in zip(found, messages)] == messages
    assert len(found) == len(messages)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("state", "with 'id' and convert to int"),
        ("readonly", "with 'id' and convert to int"),
        ("readonly", "unable to convert to nothing"),
    ],
)
def test_text_that_reads_like_a_message_of_ansible_is_only_quoted(option: str, text: str) -> None:
    (problem,) = read_items(EXPORT, [{"desc": "web", option: text}]).problems
    assert option in problem.message
    assert text in problem.message


def test_lists_in_the_short_form_of_ansible_are_read() -> None:
    items: list[dict[str, Any]] = [{"name": "v", "quotas": given} for given in (["path=/a size=5"], "path=/a")]
    goals, problems = read_items(VOLUME, items)
    assert problems == []
    assert [goal.children["quotas"][0].key for goal in goals] == ["/a", "/a"]


def test_blank_text_is_no_value() -> None:
    items: list[dict[str, Any]] = [{"desc": " ", "id": 7, "iprange": "*"}, {"state": "", "desc": "web"}, {"desc": " "}]
    goals, problems = read_items(EXPORT, items)
    assert [(goal.name, goal.values, goal.present) for goal in goals] == [
        ("item 1", {"iprange": "*"}, True),
        ("item 2 ('web')", {"desc": "web"}, True),
    ]
    assert [(problem.key, problem.name) for problem in problems] == [("item 3", "item 3")]


def test_an_item_of_a_captured_file_is_named_by_that_file() -> None:
    captured: list[dict[str, Any]] = [{"name": "v", "source": "a.yml", **more} for more in ({}, {"region": "x"})]
    (goal,), (problem,) = read_items(VOLUME, captured)
    assert [goal.name, problem.name] == ["a.yml ('v')"] * 2


def test_the_place_of_each_list_is_known_whatever_ansible_reads() -> None:
    quota, export = {"path": "/a", "size": 1}, {"desc": "web", "ro": 1}
    volume = {"name": "v", "region": "1", "quotas": [quota], "exports": [export]}
    lines = {id(volume): "line 1", id(quota): "line 4", id(export): "line 6"}
    (goal,), (problem,) = read_items(VOLUME, [volume], locate=lambda item: lines.get(id(item), "nowhere"))
    assert goal.children["quotas"][0].name == "line 4 ('/a')"
    assert problem.name == "line 6 ('web')"


def test_an_item_that_the_task_ignores_is_a_mistake() -> None:
    ignores = read_ignores([VOLUME, *LISTS_OF_VOLUME], {"volumes": ["theirs*"], "quotas": ["/b"]})
    item: dict[str, Any] = {"ignore": {"quotas": ["/a"]}, "quotas": [{"path": f"/{name}"} for name in "abc"]}
    goals, problems = read_items(VOLUME, [{"id": 7, **item}, {"name": "v"}, {"name": "theirs, too"}], ignores=ignores)
    assert [(goal.id, goal.key, sorted(goal.ignore)) for goal in goals] == [
        (7, None, ["quotas", "volumes"]),
        (None, "v", ["quotas", "volumes"]),
    ]
    assert goals[0].ignore["quotas"].patterns == ("/a", "/b")
    assert [goal.key for goal in goals[0].children["quotas"]] == ["/c"]
    advice = "Leave out the item or the pattern."
    assert [(problem.name, problem.message) for problem in problems] == [
        ("item 1, quotas item 1 ('/a')", f"is ignored, by the pattern '/a'. {advice}"),
        ("item 1, quotas item 2 ('/b')", f"is ignored, by the pattern '/b'. {advice}"),
        ("item 3 ('theirs, too')", f"is ignored, by the pattern 'theirs*'. {advice}"),
    ]
    by_id = read_items(VOLUME, [{"id": 7}], ignores=read_ignores([VOLUME], {"volumes": ["*"]}))
    assert by_id.problems == []
