# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rotations as tables: which exports there are, and by which steps a state is reached, or why it is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation.steps import (
    ABORTED,
    FINISHED,
    STARTED,
    Rotation,
    Step,
    abort,
    copied_fields,
    find_rotation,
    finish,
    has_other_token,
    plan_step,
    plan_steps,
    start,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export

RIGHTS: dict[str, Any] = {"iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False}
# An export as `1 web`: its id and its desc. The other fields are RIGHTS.
Listed = Sequence[Union[str, Record]]


def shown(text: str, **fields: Any) -> Record:
    """Return an export, with fields other than RIGHTS."""
    identity, desc = text.split(" ", 1)
    return {"id": int(identity), "desc": desc, **RIGHTS, **fields}


def listed(exports: Listed) -> Records:
    """Return the list of a volume."""
    return Records(EXPORT, [shown(each) if isinstance(each, str) else each for each in exports], " of volume 'v'")


def steps_of(state: str, rotation: Rotation, identity: Any = None) -> tuple[str, list[Step]]:
    """Return which export clients are to use, as it is there, and the steps to a state."""
    if state == STARTED:
        return "use a new one", start(rotation, export(desc="web (next)", **RIGHTS))
    kept, steps = (finish if state == FINISHED else abort)(rotation, identity)
    return f"use {kept['id']}", steps


def said(action: plan.Action) -> str:
    """Return in few words what is done."""
    identity = (action.current or {}).get("id")
    if action.verb is not plan.UPDATE:
        return f"create '{action.key}'" if action.verb is plan.CREATE else f"{action.verb} {identity}"
    renamed = [f"rename {identity} to '{action.key}'"] if action.changes_key else []
    return " and ".join([*renamed, *(f"set {name} of {identity}" for name in action.changing if name != "desc")])


def decided(state: str, exports: Listed, identity: Any = None) -> str:
    """Return what is decided: `use 2: rename 1 to 'web (old)', rename 2 to 'web', delete 1`."""
    records = listed(exports)
    used, steps = steps_of(state, find_rotation(records, "web", {}, identity), identity)
    return f"{used}: {', '.join(map(said, plan_steps(records, steps))) or 'done'}"


DECIDED: dict[str, tuple[str, Listed, Any, str]] = {
    # The second export is made, once.
    "start": (STARTED, ["1 web"], None, "use a new one: create 'web (next)'"),
    "start beside others": (
        STARTED,
        ["1 web", "5 api", "6 api (next)", "7 api (old)"],
        None,
        "use a new one: create 'web (next)'",
    ),
    "start again": (STARTED, ["1 web", "2 web (next)"], None, "use a new one: nothing 2"),
    # The new one takes the place of the old one, wherever another task was stopped.
    "finish": (
        FINISHED,
        ["1 web", "2 web (next)"],
        2,
        "use 2: rename 1 to 'web (old)', rename 2 to 'web', delete 1",
    ),
    "finish, with the id as text": (
        FINISHED,
        ["1 web", "2 web (next)"],
        "2",
        "use 2: rename 1 to 'web (old)', rename 2 to 'web', delete 1",
    ),
    "finish, one renamed": (
        FINISHED,
        ["1 web (old)", "2 web (next)"],
        2,
        "use 2: nothing 1, rename 2 to 'web', delete 1",
    ),
    "finish, both renamed": (FINISHED, ["1 web (old)", "2 web"], 2, "use 2: nothing 2, delete 1"),
    "finish, all done": (FINISHED, ["2 web"], 2, "use 2: done"),
    "finish, the old one gone": (FINISHED, ["2 web (next)"], 2, "use 2: rename 2 to 'web'"),
    # The new one goes, wherever another task was stopped.
    "abort": (ABORTED, ["1 web", "2 web (next)"], 2, "use 1: rename 2 to 'web (old)', delete 2"),
    "abort, renamed": (ABORTED, ["1 web", "2 web (old)"], 2, "use 1: delete 2"),
    "abort, never started": (ABORTED, ["1 web"], None, "use 1: done"),
    "abort, all done": (ABORTED, ["1 web"], 2, "use 1: done"),
}


@pytest.mark.parametrize(("state", "exports", "identity", "steps"), DECIDED.values(), ids=DECIDED)
def test_the_steps_of_a_state(state: str, exports: Listed, identity: Any, steps: str) -> None:
    assert decided(state, exports, identity) == steps


THREE = ["1 web", "2 web (next)", "3 web (old)"]
SHOWN_THREE = "export 'web' (id 1), export 'web (next)' (id 2), export 'web (old)' (id 3)"
UNCLEAR_THREE = f"it is not clear which of these exports replaces which: {SHOWN_THREE}. Delete the one"
NO_WEB = "there is no export 'web' of volume 'v'. Check desc."
NOT_LIKE_IT = "export 'web (next)' (id 2) is to replace export 'web' (id 1), but is not like it: "
OTHER_RANGE = f"{NOT_LIKE_IT}iprange is '*', wanted '10.0.0.0/8'. Make them alike, or abort the rotation."
OPEN_2 = shown("2 web (next)", iprange="*")
RENAMED_2 = "export 'api' (id 2) should be called 'web (next)': somebody renamed it."


def unclear(name: str, given: str) -> str:
    """Return the message for an export of which nobody knows whether it is the new one."""
    return f"it is not clear whether export {name} is the one that replaces 'web': {given}. Give the id"


REFUSED: dict[str, tuple[str, Listed, Any, str]] = {
    # There is no export to begin with.
    "start, nothing there": (STARTED, [], None, NO_WEB),
    "start, only what is left": (STARTED, ["2 web (next)"], None, f"{NO_WEB} There is export 'web (next)' (id 2), "),
    "abort, only what is to go, and its id": (ABORTED, ["1 web (old)"], 1, NO_WEB),
    # An end that has begun goes on.
    "abort an end that has begun": (
        ABORTED,
        ["1 web (old)", "2 web (next)"],
        2,
        f"{NO_WEB} There is export 'web (next)' (id 2) and export 'web (old)' (id 1), ",
    ),
    # It is not known which is which.
    "start, another is left": (
        STARTED,
        ["1 web", "3 web (old)"],
        None,
        "export 'web (old)' (id 3) is left over from an earlier rotation. Finish or abort that, with id, or delete",
    ),
    "finish, three": (FINISHED, THREE, 2, UNCLEAR_THREE),
    "abort, three": (ABORTED, THREE, 2, UNCLEAR_THREE),
    "finish what is aborted": (FINISHED, ["1 web", "2 web (old)"], 2, unclear("'web' (id 1)", "id is 2")),
    "finish, no id, never started": (FINISHED, ["1 web"], None, unclear("'web' (id 1)", "id is not given")),
    "finish, another id": (FINISHED, ["1 web", "2 web (next)"], 9, unclear("'web (next)' (id 2)", "id is 9")),
    "abort, another id": (ABORTED, ["1 web", "2 web (next)"], 9, unclear("'web (next)' (id 2)", "id is 9")),
    "abort, no id, renamed": (
        ABORTED,
        ["1 web", "2 web (old)"],
        None,
        unclear("'web (old)' (id 2)", "id is not given"),
    ),
    "abort what is finished": (
        ABORTED,
        ["2 web"],
        2,
        "export 'web' (id 2) has taken the place of the old export already, so this cannot be aborted any more. Finish",
    ),
    # The two are not alike.
    "finish, other addresses": (FINISHED, ["1 web", OPEN_2], 2, OTHER_RANGE),
    # The one with the id has another name.
    "abort, renamed by somebody": (ABORTED, ["1 web", "2 api"], "2", RENAMED_2),
    # Several have one desc.
    # Two tasks have met.
    "finish, both are to go": (FINISHED, ["1 web (old)", "2 web (old)"], 2, "the desc 'web (old)': ids 1, 2."),
}


@pytest.mark.parametrize(("state", "exports", "identity", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(state: str, exports: Listed, identity: Any, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        decided(state, exports, identity)
    assert message in str(caught.value)


ALONE = [shown("2 web (next)")]


def test_the_id_of_what_is_ignored_is_refused() -> None:
    records = Records(EXPORT, [shown("1 web")], ignored=ALONE)
    assert find_rotation(records, "web", {}, 7).new is None
    with pytest.raises(ConsoleError) as caught:
        find_rotation(records, "web", {}, 2)
    assert str(caught.value).startswith("export 'web (next)' (id 2) is ignored, so no task may change it.")


# What the exports are called before each step, and the ids of those that have to have their rights before the last one.
RELIED_ON: dict[str, tuple[str, Listed, list[str], list[int]]] = {
    "start": (STARTED, ["1 web", "9 api"], ["1 web"], [1]),
    "finish": (
        FINISHED,
        ["1 web", "2 web (next)", "9 api"],
        ["1 web, 2 web (next)", "1 web (old), 2 web (next)", "1 web (old), 2 web"],
        [2],
    ),
    "abort": (ABORTED, ["1 web", "2 web (next)", "9 api"], ["1 web, 2 web (next)", "1 web, 2 web (old)"], []),
}


@pytest.mark.parametrize(("state", "exports", "names", "kept"), RELIED_ON.values(), ids=RELIED_ON)
def test_what_each_step_relies_on(state: str, exports: Listed, names: list[str], kept: list[int]) -> None:
    identity = None if state == STARTED else 2
    _used, steps = steps_of(state, find_rotation(listed(exports), "web", {}, identity), identity)
    called = [sorted(f"{number} {values['desc']}" for number, values in step.expected.items()) for step in steps]
    assert [", ".join(texts) for texts in called] == names
    rights = [{number: values for number, values in step.expected.items() if len(values) > 1} for step in steps]
    assert rights[:-1] == [{}] * (len(steps) - 1)
    assert rights[-1] == {number: {**RIGHTS, "desc": "web"} for number in kept}


def test_a_start_relies_on_what_is_shown() -> None:
    records = listed([{"id": 1, "desc": "web", "iprange": "*", "token": "a"}])
    (step,) = start(find_rotation(records, "web", {}), export(desc="web (next)"))
    assert step.expected == {1: {"desc": "web", "iprange": "*"}}


STEP = Step(export(id=1, present=False), {1: {"desc": "web (old)"}, 2: {"desc": "web", "readonly": True}})
NOT_AS_IT_SHOULD_BE = "the export with the id {} is not as expected: {}. Somebody else is working on the same exports."
# The lists before the step, the id that does not count, and what is said.
CHECKED: dict[str, tuple[Listed, Any, str]] = {
    "as it should be": (["1 web (old)", "2 web", "9 api"], None, ""),
    "a field that is no longer shown": (["1 web (old)", {"id": 2, "desc": "web"}], None, ""),
    "renamed": (["1 api", "2 web"], None, NOT_AS_IT_SHOULD_BE.format(1, "desc is 'api', wanted 'web (old)'")),
    "other rights": (
        ["1 web (old)", shown("2 web", readonly=False)],
        None,
        NOT_AS_IT_SHOULD_BE.format(2, "readonly is false, wanted true"),
    ),
    "deleted": (["2 web"], None, NOT_AS_IT_SHOULD_BE.format(1, "it is gone")),
    "another with its desc": (
        ["1 web (old)", "2 web", "9 web"],
        None,
        "there are several exports with the desc 'web': ids 2, 9. Choose one with id",
    ),
    "another in other letters": (["1 web (old)", "2 web", "9 Web"], None, ""),
    "deleted by this step": (["2 web"], 1, ""),
    "beside what this step does, the other one deleted": (
        ["1 web (old)"],
        1,
        NOT_AS_IT_SHOULD_BE.format(2, "it is gone"),
    ),
}


@pytest.mark.parametrize(("exports", "but", "message"), CHECKED.values(), ids=CHECKED)
def test_what_somebody_else_has_changed_ends_a_state(exports: Listed, but: Any, message: str) -> None:
    if not message:
        STEP.check(listed(exports), but)
        return
    with pytest.raises(ConsoleError) as caught:
        STEP.check(listed(exports), but)
    assert message in str(caught.value)


def test_a_step_is_checked_before_it_is_planned() -> None:
    assert said(plan_step(listed(["1 web (old)", "2 web"]), STEP)) == "delete 1"
    with pytest.raises(ConsoleError, match="the export with the id 2 is not as expected: it is gone"):
        plan_step(listed(["1 web (old)"]), STEP)


def list_after(records: Records, steps: Sequence[Step]) -> Records:
    """Return the list after these steps."""
    for step in steps:
        action = plan_step(records, step)
        left = [record for record in records if record is not action.current]
        prediction = {"id": 2, **action.prediction} if action.prediction else None
        records = Records(EXPORT, [*left, *([prediction] if prediction else [])], records.of_volume)
    return records


@pytest.mark.parametrize("finished", [0, 1, 2, 3])
def test_an_end_that_was_stopped_after_any_step_is_reached_by_the_next(finished: int) -> None:
    begun = listed(["1 web", "2 web (next)", "9 api"])
    records = list_after(begun, finish(find_rotation(begun, "web", {}, 2), 2)[1][:finished])
    end = list_after(records, finish(find_rotation(records, "web", {}, 2), 2)[1])
    assert sorted(end, key=EXPORT.label) == [shown("9 api"), shown("2 web")]


def test_an_update_carries_what_is_given_where_the_console_does_not_show_it() -> None:
    records = listed([{"id": 1, "desc": "web", "subdir": "/a"}, {"id": 2, "desc": "web (next)", "iprange": "*"}])
    given = {"iprange": "10.0.0.0/8", "subdir": "/a", "readonly": None}
    first = {"iprange": "10.0.0.0/8", "desc": "web (old)"}
    carried = {
        FINISHED: [(1, True, first), (2, True, {"subdir": "/a", "desc": "web"}), (1, False, {})],
        ABORTED: [(2, True, {"subdir": "/a", "desc": "web (old)"}), (2, False, {})],
    }
    for state, goals in carried.items():
        _used, steps = steps_of(state, find_rotation(records, "web", given, 2), 2)
        assert [(step.goal.id, step.goal.present, step.goal.values) for step in steps] == goals


WEB = shown("1 web", token="secret", created="2026-01-01")
SHOWN = {"iprange": "10.0.0.0/8", "readonly": True}
NOT_COPIED = "export 'web' (id 1) cannot be copied: "
HIDDEN = "the console does not show its "
SPACED = "consoles may remove the white space or control characters of its "
GIVE = ". Give the values in fields"
OR_NULL = ", or null for what the new export need not have."
CONTRADICTS = "fields contradicts export 'web' (id 1): "
# The export, what is given, and what a second one needs, or what is said.
COPIED: dict[str, tuple[Record, dict[str, Any], dict[str, Any] | str]] = {
    "all shown": (WEB, {}, RIGHTS),
    "shown as the console does": (
        shown("1 web", readonly=1, iprange="10.1.2.3/8"),
        {},
        {**RIGHTS, "readonly": 1, "iprange": "10.1.2.3/8"},
    ),
    # Fields that the console does not show.
    "some shown": ({"id": 1, "desc": "web", **SHOWN}, {}, f"{NOT_COPIED}{HIDDEN}apionly, appendonly{GIVE}."),
    "shown as null": (shown("1 web", readonly=None), {}, f"{NOT_COPIED}{HIDDEN}readonly{GIVE}."),
    "not shown, left out": (shown("1 web", readonly=None), {"readonly": None}, f"{NOT_COPIED}{HIDDEN}readonly{GIVE}."),
    # Text that a console may not store again as it is.
    "a range with white space": (shown("1 web", iprange="* "), {}, f"{NOT_COPIED}{SPACED}iprange. Correct that first"),
    # Fields that nobody knows.
    "unknown": (
        shown("1 web", subdir="/a", quota=1),
        {},
        f"{NOT_COPIED}it is not known whether quota, subdir must be the same{GIVE}{OR_NULL}",
    ),
    "unknown, given": (shown("1 web", subdir="/a"), {"subdir": "/a"}, {**RIGHTS, "subdir": "/a"}),
    "not shown, given": (WEB, {"subdir": "/a"}, {**RIGHTS, "subdir": "/a"}),
    # Fields that contradict what is shown.
    "contradicted": (WEB, {"readonly": False}, f"{CONTRADICTS}readonly is true, wanted false. Leave out what"),
    "the name of the second export": (
        WEB,
        {"desc": "x"},
        "fields must not contain desc: the new export has that of the",
    ),
    "given as the same": (WEB, {"readonly": 1, "iprange": "10.0.0.1/8"}, RIGHTS),
}


@pytest.mark.parametrize(("record", "given", "copied"), COPIED.values(), ids=COPIED)
def test_what_a_second_export_needs(record: Record, given: dict[str, Any], copied: dict[str, Any] | str) -> None:
    if not isinstance(copied, str):
        assert copied_fields(record, given) == copied
        return
    with pytest.raises(ConsoleError) as caught:
        copied_fields(record, given)
    assert str(caught.value).startswith(copied)


TIMES = (
    "created updated modified changed lastused last_used lastUsed createdAt created_at CREATED created_on createdOn"
    " updatedTime updated_time modified_date changedDate last_used_at createdat"
)
NO_TIMES = (
    "expires_at expiresAt created_by recreated createdBy last_seen used at created_ created-at create created_at_x"
)


@pytest.mark.parametrize("name", TIMES.split())
def test_the_time_of_what_has_been_is_not_copied(name: str) -> None:
    assert copied_fields(shown("1 web", **{name: "2026-01-01"}), {}) == RIGHTS


@pytest.mark.parametrize("name", NO_TIMES.split())
def test_what_is_no_time_of_what_has_been_may_be_a_right(name: str) -> None:
    with pytest.raises(ConsoleError, match=f"it is not known whether {name} must be the same"):
        copied_fields(shown("1 web", **{name: "2026-01-01"}), {})


@pytest.mark.parametrize(
    ("new", "old", "is_known"),
    [
        ({"token": "b"}, {"token": "a"}, True),
        ({"token": 1}, {"token": 2}, True),
        ({}, {"token": "a"}, False),
        ({"token": "b"}, {}, False),
        ({}, {}, False),
        ({"token": "****"}, {"token": "****"}, False),
    ],
)
def test_a_token_is_known_to_be_another_where_both_are_shown(new: Record, old: Record, is_known: bool) -> None:
    assert has_other_token({"id": 2, **new}, {"id": 1, **old}) is is_known


@pytest.mark.parametrize(("new", "old"), [("a", "a"), (7, "7")])
def test_a_token_that_is_the_same_is_refused(new: Any, old: Any) -> None:
    with pytest.raises(ConsoleError) as caught:
        has_other_token(shown("2 web (next)", token=new), shown("1 web", token=old))
    assert str(caught.value).startswith(
        "export 'web (next)' (id 2) has the same token as the export that it is to replace"
    )
