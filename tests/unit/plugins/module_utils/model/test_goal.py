# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options read as goals: what is wanted, and which options are refused before the first request."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.field_types import INTEGER, TEXT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goal import Goal, read_goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    CREATE_ONLY,
    EXPORT,
    KEY,
    QUOTA,
    VOLUME,
    Field,
    Resource,
)

# Something that has no natural key, so that only its id tells which one is meant.
TRASH = Resource("file", "files", "volumes/{volume_id}/trash", (Field("id", INTEGER), Field("note", TEXT, CREATE_ONLY)))
SHARE = Resource(
    "share", "shares", "shares", (Field("id", INTEGER), Field("title", TEXT, KEY, api_name="displayTitle"))
)


def options(**given: Any) -> dict[str, Any]:
    """Return the options of a module, as Ansible hands them over."""
    return {"id": None, "state": "present", **given}


@pytest.mark.parametrize(
    ("resource", "given", "goal"),
    [
        pytest.param(VOLUME, {"name": "a"}, Goal(True, {"name": "a"}), id="by key"),
        pytest.param(VOLUME, {"id": 7}, Goal(True, {}, 7), id="by id"),
        pytest.param(VOLUME, {"id": 7, "name": "a"}, Goal(True, {"name": "a"}, 7), id="by both"),
        pytest.param(VOLUME, {"id": 0}, Goal(True, {}, 0), id="the id 0 is one"),
        pytest.param(VOLUME, {"name": "a", "state": "absent"}, Goal(False, {"name": "a"}), id="absent"),
        pytest.param(
            QUOTA,
            {"path": "//a/", "size": "1K", "inodes": 0},
            Goal(True, {"path": "/a", "size": 1024, "inodes": 0}),
            id="as a request carries it",
        ),
        pytest.param(
            EXPORT, {"desc": "a", "readonly": False}, Goal(True, {"desc": "a", "readonly": False}), id="false"
        ),
        pytest.param(
            VOLUME,
            {"name": "a", "bucket": None, "compress": " ", "extend": ""},
            Goal(True, {"name": "a", "extend": ""}),
            id="blank is not given, but where it is a value",
        ),
        pytest.param(
            VOLUME, {"name": "a", "size": 5, "owner": 1}, Goal(True, {"name": "a"}), id="not what is assigned"
        ),
        pytest.param(VOLUME, {"name": "a", "extra_fields": None}, Goal(True, {"name": "a"}), id="no extra fields"),
        pytest.param(
            VOLUME,
            {"name": "a", "extra_fields": {"trashtime": 7}},
            Goal(True, {"name": "a", "trashtime": 7}),
            id="extra fields",
        ),
        pytest.param(TRASH, {"id": 7, "note": "x"}, Goal(True, {"note": "x"}, 7), id="no natural key"),
        pytest.param(SHARE, {"title": "x"}, Goal(True, {"title": "x"}), id="another name in the API"),
    ],
)
def test_goal(resource: Resource, given: dict[str, Any], goal: Goal) -> None:
    assert read_goal(resource, options(**given)) == goal


def test_a_goal_has_no_name_of_its_own() -> None:
    assert read_goal(EXPORT, options(desc="a")).name == ""


@pytest.mark.parametrize("update_create_only", [False, True])
def test_whether_create_only_fields_may_be_updated(update_create_only: bool) -> None:
    goal = read_goal(EXPORT, options(desc="a"), update_create_only)
    assert goal.update_create_only is update_create_only


@pytest.mark.parametrize(
    ("resource", "given", "message"),
    [
        pytest.param(VOLUME, {}, "name or id is required, to identify the volume.", id="no key and no id"),
        pytest.param(EXPORT, {"desc": "  "}, "desc or id is required, to identify the export.", id="a blank key"),
        pytest.param(TRASH, {"note": "x"}, "id is required, to identify the file.", id="no id, where there is no key"),
        pytest.param(QUOTA, {"path": "a"}, "path must start with /, not 'a'.", id="a bad value"),
        pytest.param(
            VOLUME,
            {"name": "a", "extra_fields": {"blockSize": 1, "block_size": 1, "id": 7, "name": "b", "x": 1}},
            "extra_fields must not contain blockSize, block_size, id, name: use the option of that name instead.",
            id="extra fields that have options",
        ),
    ],
)
def test_refused(resource: Resource, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        read_goal(resource, options(**given))
    assert str(caught.value) == message
