# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which record a goal is about, as a table; and what goals and records are called."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.field_types import INTEGER
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goal import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    QUOTA,
    VOLUME,
    Field,
    Resource,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.selection import (
    goal_key,
    record_key,
    select,
    sought,
)

A = {"id": 1, "name": "a"}
B = {"id": 2, "name": "b"}
OTHER_A = {"id": 3, "name": "a"}
WEB = {"id": 1, "desc": "web"}
OLD = {"id": 2, "desc": "old"}
SPACED = {"id": 7, "desc": "web "}
TRASH = Resource("file", "files", "volumes/{volume_id}/trash", (Field("id", INTEGER),))


def wanted(*, present: bool = True, id: int | None = None, **values: Any) -> Goal:  # noqa: A002
    """Return a goal, for short."""
    return Goal(present, values, id)


@pytest.mark.parametrize(
    ("resource", "records", "goal", "selected"),
    [
        pytest.param(VOLUME, [], wanted(name="a"), None, id="by key, nothing there"),
        pytest.param(VOLUME, [B], wanted(name="a"), None, id="by key, another there"),
        pytest.param(VOLUME, [B, A], wanted(name="a"), A, id="by key"),
        pytest.param(VOLUME, [A, B], wanted(id=2), B, id="by id"),
        pytest.param(VOLUME, [A, B], wanted(id=2, name="b"), B, id="by id and key"),
        pytest.param(VOLUME, [A, OTHER_A], wanted(id=3, name="a"), OTHER_A, id="by id, one of two of one key"),
        pytest.param(VOLUME, [A], wanted(id=1, present=False, name="a"), A, id="by id and key, to be gone"),
        pytest.param(VOLUME, [A], wanted(present=False, id=9), None, id="an unknown id, to be gone"),
        pytest.param(VOLUME, [A], wanted(present=False, id=9, name="a"), None, id="unknown id, known key, to be gone"),
        pytest.param(EXPORT, [WEB, OLD], wanted(id=2, desc="new"), OLD, id="by id, to be renamed"),
        pytest.param(EXPORT, [SPACED, WEB], wanted(desc="web"), WEB, id="by key, beside one with white space"),
        pytest.param(EXPORT, [SPACED], wanted(desc="web "), SPACED, id="by key, with white space"),
        pytest.param(EXPORT, [SPACED], wanted(id=7), SPACED, id="by id, with white space"),
        pytest.param(EXPORT, [SPACED], wanted(id=7, desc="web"), SPACED, id="by id, to lose its white space"),
        pytest.param(TRASH, [{"id": 1}], wanted(id=1), {"id": 1}, id="by id, where there is no key"),
        pytest.param(TRASH, [{"id": 1}], wanted(), None, id="by nothing, where there is no key"),
    ],
)
def test_selected(resource: Resource, records: list[Record], goal: Goal, selected: Record | None) -> None:
    assert select(Records(resource, records), goal) == selected


@pytest.mark.parametrize(
    ("resource", "records", "goal", "message", "record"),
    [
        pytest.param(
            VOLUME,
            [A, OTHER_A],
            wanted(name="a"),
            "there are several volumes with the name 'a': ids 1, 3. Choose one with id, or remove the ones that should not"
            " exist.",
            None,
            id="several of one key",
        ),
        pytest.param(
            VOLUME,
            [A],
            wanted(id=9),
            "no volume has the id 9. The console assigns ids: leave id out to find or create the volume by its name.",
            None,
            id="an unknown id",
        ),
        pytest.param(
            TRASH,
            [],
            wanted(id=9),
            "no file has the id 9. The console assigns ids: leave id out.",
            None,
            id="an unknown id, no key",
        ),
        pytest.param(
            VOLUME,
            [A, B],
            wanted(id=2, name="a"),
            "id 2 and name 'a' are not the same volume: the name of id 2 is 'b'; the name of id 1 is 'a'. Correct"
            " one of the two, or leave it out.",
            B,
            id="the id of one and the key of another, where there is no update",
        ),
        pytest.param(
            VOLUME,
            [B],
            wanted(id=2, name="a"),
            "id 2 and name 'a' are not the same volume: the name of id 2 is 'b'. Correct one of the"
            " two, or leave it out.",
            B,
            id="an id and a new key, where there is no update",
        ),
        pytest.param(
            EXPORT,
            [WEB],
            wanted(present=False, id=1, desc="new"),
            "id 1 and desc 'new' are not the same export: the desc of id 1 is 'web'. Correct one of"
            " the two, or leave it out.",
            WEB,
            id="an id and another key, to be gone",
        ),
        pytest.param(
            EXPORT,
            [WEB, OLD],
            wanted(id=2, desc="web"),
            "export 'old' (id 2) cannot become 'web': export 'web' (id 1) exists already.",
            OLD,
            id="a new key that is taken",
        ),
        pytest.param(
            EXPORT,
            [WEB, {"id": 5, "desc": "web"}, OLD],
            wanted(id=2, desc="web"),
            "export 'old' (id 2) cannot become 'web': export 'web' (id 1) exists already.",
            OLD,
            id="a new key that is taken twice",
        ),
        *(
            pytest.param(
                EXPORT,
                [{"id": 7, "desc": "web "}, OLD],
                wanted(present=present, desc="web"),
                "export 'web ' (id 7) differs from 'web' only in white space at its ends, so it may or may not be the one"
                " that is meant. Use its exact desc, or id 7.",
                {"id": 7, "desc": "web "},
                id=f"a key that differs only in white space, present {present}",
            )
            for present in (True, False)
        ),
        pytest.param(
            EXPORT,
            [{"id": 7, "desc": "web "}],
            wanted(present=False, id=7, desc="web"),
            "id 7 and desc 'web' are not the same export: the desc of id 7 is 'web '. Correct one of"
            " the two, or leave it out.",
            {"id": 7, "desc": "web "},
            id="an id and a key that differs only in white space, to be gone",
        ),
    ],
)
def test_refused(resource: Resource, records: list[Record], goal: Goal, message: str, record: Record | None) -> None:
    with pytest.raises(ConsoleError) as caught:
        select(Records(resource, records), goal)
    assert str(caught.value) == message
    assert caught.value.details.get("record") == record


def test_an_unknown_id_is_unknown_in_its_volume() -> None:
    with pytest.raises(ConsoleError) as caught:
        select(Records(EXPORT, [WEB], " of volume 'v'"), wanted(id=9))
    assert str(caught.value).startswith("no export of volume 'v' has the id 9. ")


@pytest.mark.parametrize(
    ("resource", "goal", "current", "key"),
    [
        pytest.param(EXPORT, wanted(desc="web"), None, "web", id="the key that is wanted"),
        pytest.param(EXPORT, wanted(id=1, desc="new"), WEB, "new", id="the key that is wanted, of a record"),
        pytest.param(EXPORT, wanted(id=1), WEB, "web", id="the key of the record"),
        pytest.param(EXPORT, wanted(id=1), {"id": 1, "desc": ""}, "id 1", id="a blank key"),
        pytest.param(EXPORT, wanted(id=9), None, "id 9", id="no record"),
        pytest.param(TRASH, wanted(id=9), None, "id 9", id="no record, where there is no key"),
        pytest.param(TRASH, wanted(id=1), {"id": 1}, "id 1", id="a record, where there is no key"),
    ],
)
def test_goal_key(resource: Resource, goal: Goal, current: Record | None, key: str) -> None:
    assert goal_key(resource, goal, current) == key


@pytest.mark.parametrize(
    ("resource", "record", "key"),
    [
        (EXPORT, WEB, "web"),
        (EXPORT, {"id": 1, "desc": 7}, "7"),
        (EXPORT, {"id": 1, "desc": None}, "id 1"),
        (QUOTA, {"id": 1, "path": "/a/"}, "/a/"),
        (TRASH, {"id": 1}, "id 1"),
    ],
)
def test_record_key(resource: Resource, record: Record, key: str) -> None:
    assert record_key(resource, record) == key


@pytest.mark.parametrize(
    ("resource", "goal", "record"),
    [
        (EXPORT, wanted(desc="web"), {"desc": "web"}),
        (EXPORT, wanted(id=0, desc="web"), {"desc": "web", "id": 0}),
        (EXPORT, wanted(id=9), {"desc": None, "id": 9}),
        (TRASH, wanted(id=9), {"id": 9}),
        (TRASH, wanted(), {}),
    ],
)
def test_as_much_as_a_goal_tells_of_a_record(resource: Resource, goal: Goal, record: Record) -> None:
    assert sought(resource, goal) == record
