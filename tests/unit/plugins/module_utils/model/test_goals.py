# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Goals, as tables: how options are read, which record a goal is about, and its label."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import resources
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import INTEGER, TEXT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal, read_goal, select
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import (
    Record,
    Records,
    sort_records,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, quota, volume, wanted

SHARE = resources.Resource(
    "share",
    "shares",
    "shares",
    (resources.Field("id", INTEGER), resources.Field("title", TEXT, resources.KEY, api_name="displayTitle")),
)


def options(**given: Any) -> dict[str, Any]:
    """Return the options of a module, as Ansible passes them."""
    return {"id": None, "state": "present", **given}


GOALS: dict[str, tuple[Any, ...]] = {
    "by key": ({"name": "a"}, volume(name="a")),
    "by id": ({"id": 7}, volume(id=7)),
    "the id 0 is one": ({"id": 0}, volume(id=0)),
    "absent": ({"name": "a", "state": "absent"}, volume(present=False, name="a")),
    "false": ({"desc": "a", "readonly": False}, export(desc="a", readonly=False)),
    "blank, where it is a value": ({"name": "a", "extend": ""}, volume(name="a", extend="")),
    "not what is assigned": ({"name": "a", "size": 5, "owner": 1}, volume(name="a")),
    "extra fields": ({"name": "a", "extra_fields": {"trashtime": 7}}, volume(name="a", trashtime=7)),
    "another name in the API": ({"title": "x"}, wanted(SHARE, title="x")),
}


@pytest.mark.parametrize(("given", "goal"), GOALS.values(), ids=GOALS)
def test_read_goal(given: dict[str, Any], goal: Goal) -> None:
    assert read_goal(goal.resource, options(**given)) == goal


def test_an_item_has_a_name_and_may_update_create_only_fields() -> None:
    goal = read_goal(resources.VOLUME, options(name="a"), name="item 1 ('a')")
    assert goal == volume(name="a")._replace(name="item 1 ('a')")
    goals = [read_goal(resources.EXPORT, options(desc="a"), update) for update in (False, True)]
    assert [goal.update_create_only for goal in goals] == [False, True]


REFUSED_OPTIONS: dict[str, tuple[Any, ...]] = {
    "no key and no id": (resources.VOLUME, {}, "name or id is required, to identify the volume."),
    "a blank key": (resources.EXPORT, {"desc": "  "}, "desc or id is required, to identify the export."),
    "a bad value": (resources.QUOTA, {"path": "a"}, "path must start with /, not 'a'."),
    "extra fields that have options": (
        resources.VOLUME,
        {"name": "a", "extra_fields": {"blockSize": 1, "block_size": 1, "id": 7, "name": "b", "x": 1}},
        "extra_fields must not contain blockSize, block_size, id, name: use the option of that name instead.",
    ),
}


@pytest.mark.parametrize(("resource", "given", "message"), REFUSED_OPTIONS.values(), ids=REFUSED_OPTIONS)
def test_refused_options(resource: resources.Resource, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        read_goal(resource, options(**given))
    assert str(caught.value) == message


A = {"id": 1, "name": "a"}
B = {"id": 2, "name": "b"}
OTHER_A = {"id": 3, "name": "a"}
WEB = {"id": 1, "desc": "web"}
OLD = {"id": 2, "desc": "old"}
SPACED = {"id": 7, "desc": "web "}


@pytest.mark.parametrize(
    ("records", "goal", "selected"),
    [
        pytest.param([], volume(name="a"), None, id="by key, nothing there"),
        pytest.param([B], volume(name="a"), None, id="by key, another there"),
        pytest.param([B, A], volume(name="a"), A, id="by key"),
        pytest.param([A, B], volume(id=2), B, id="by id"),
        pytest.param([A, B], volume(id=2, name="b"), B, id="by id and key"),
        pytest.param([A, OTHER_A], volume(id=3, name="a"), OTHER_A, id="by id, one of two of one key"),
        pytest.param([A], volume(id=1, present=False, name="a"), A, id="by id and key, to be gone"),
        pytest.param([A], volume(present=False, id=9), None, id="an unknown id, to be gone"),
        pytest.param([A], volume(present=False, id=9, name="a"), None, id="unknown id, known key, to be gone"),
        pytest.param([WEB, OLD], export(id=2, desc="new"), OLD, id="by id, to be renamed"),
        pytest.param([SPACED, WEB], export(desc="web"), WEB, id="by key, beside one with white space"),
        pytest.param([SPACED], export(desc="web "), SPACED, id="by key, with white space"),
        pytest.param([SPACED], export(id=7), SPACED, id="by id, with white space"),
        pytest.param([SPACED, OLD], export(desc="web"), None, id="by key, which differs in white space"),
        pytest.param([SPACED], export(id=7, desc="web"), SPACED, id="by id, to lose its white space"),
    ],
)
def test_selected(records: list[Record], goal: Goal, selected: Record | None) -> None:
    assert select(Records(goal.resource, records), goal) == selected


NOT_THE_SAME = "id {} and {} {!r} are not the same {}: the {} of id {}. Correct one of the two, or leave it out."
TAKEN = "export 'old' (id 2) cannot become 'web': export 'web' (id 1) exists already. Rename or delete that first."
SEVERAL = "there are several volumes with the name 'a': ids 1, 3. Choose one with id, if the task has that option, or remove the ones that should not exist."
SEVERAL += (
    " Tasks that ran at once may have made them: where several hosts run one task, set run_once, or throttle to 1."
)
UNKNOWN = "no {} has the id 9. The console assigns ids: leave id out to find or create the {} by its {}."
A_OR_B = NOT_THE_SAME.format(2, "name", "a", "volume", "name", "2 is 'b'; the name of id 1 is 'a'")
NO_A, NO_NEW, NO_SPACED = (
    NOT_THE_SAME.format(identity, option, key, noun, option, f"{identity} is {shown!r}")
    for identity, option, key, noun, shown in (
        (2, "name", "a", "volume", "b"),
        (1, "desc", "new", "export", "web"),
        (7, "desc", "web", "export", "web "),
    )
)
# Without an update, the key of another record is a contradiction.
REFUSED_SELECTIONS: dict[str, tuple[Any, ...]] = {
    "several of one key": ([A, OTHER_A], volume(name="a"), SEVERAL, None),
    "an unknown id": ([A], volume(id=9), UNKNOWN.format("volume", "volume", "name"), None),
    "an unknown id in a volume": ([WEB], export(id=9), UNKNOWN.format("export of volume 'v'", "export", "desc"), None),
    "the id of one and the key of another": ([A, B], volume(id=2, name="a"), A_OR_B, B),
    "an id and a new key": ([B], volume(id=2, name="a"), NO_A, B),
    "an id and another key, to be gone": ([WEB], export(present=False, id=1, desc="new"), NO_NEW, WEB),
    "a new key that is taken": ([WEB, OLD], export(id=2, desc="web"), TAKEN, OLD),
    "a new key that is taken twice": ([WEB, {"id": 5, "desc": "web"}, OLD], export(id=2, desc="web"), TAKEN, OLD),
    "its id and a key that differs in white space, to be gone": (
        [SPACED],
        export(present=False, id=7, desc="web"),
        NO_SPACED,
        SPACED,
    ),
}


@pytest.mark.parametrize(("records", "goal", "message", "record"), REFUSED_SELECTIONS.values(), ids=REFUSED_SELECTIONS)
def test_refused_selection(records: list[Record], goal: Goal, message: str, record: Record | None) -> None:
    where = " of volume 'v'" if goal.resource is resources.EXPORT else ""
    with pytest.raises(ConsoleError) as caught:
        select(Records(goal.resource, records, where), goal)
    assert (str(caught.value), caught.value.details.get("record")) == (message, record)


USERS = {"id": 8, "uid": 1000}
HOME = {"id": 1, "path": "/home"}


@pytest.mark.parametrize(
    "goal", [quota(id=8), quota(id=8, path="/a"), quota(id=8, present=False)], ids=["its id", "and a key", "absent"]
)
def test_the_quota_of_a_user_is_not_reached_by_its_id(goal: Goal) -> None:
    with pytest.raises(ConsoleError) as caught:
        select(sort_records(goal.resource, [USERS, HOME]), goal)
    assert str(caught.value) == (
        "quota (id 8) is ignored, so no task may change it. Without a path, quotas always are. Leave the item out, or change"
        " ignore."
    )
    assert caught.value.details["record"] == USERS


def test_an_export_without_a_description_is_reached_by_its_id() -> None:
    blank = {"id": 8, "desc": None}
    records = sort_records(resources.EXPORT, [blank, WEB])
    goals = [export(id=8), export(id=8, present=False), export(id=8, desc="new"), export(desc="new")]
    assert [select(records, goal) for goal in goals] == [blank, blank, blank, None]
