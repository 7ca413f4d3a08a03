# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Resources as data: keys, results and values come from the description of the fields."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import (
    BOOLEAN,
    INTEGER,
    LOOSE,
    NAME,
    SIZE,
    TEXT,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    CREATE_ONLY,
    EXPORT,
    KEY,
    LISTS_OF_VOLUME,
    QUOTA,
    UPDATABLE,
    VOLUME,
    Field,
    Resource,
    read_values,
)

ID = Field("id", INTEGER)
TITLE = Field("title", NAME, KEY, api_name="displayTitle")
LIMIT = Field("max_size", SIZE, UPDATABLE, "maxSize")
FLAG = Field("flag", BOOLEAN, CREATE_ONLY, default=False)
NOTE = Field("note", TEXT, CREATE_ONLY, blank_is_value=True)
ROLES = (KEY, UPDATABLE, CREATE_ONLY)
SHARE = Resource("share", "shares", "volumes/{volume_id}/shares", (ID, TITLE, LIMIT, FLAG, NOTE), has_update=True)


def test_a_field_that_has_no_option_is_set_at_creation_only() -> None:
    assert SHARE.managed_field("max_size") is LIMIT
    assert SHARE.managed_field("trashtime") == Field("trashtime", LOOSE, CREATE_ONLY)


def test_label() -> None:
    titles = ["web", 7, None]
    assert [SHARE.label({"id": 1, "displayTitle": title}) for title in titles] == ["web", "7", "id 1"]
    assert QUOTA.label({"id": 1, "path": "/a/"}) == "/a/"


@pytest.mark.parametrize(
    ("resource", "keys"),
    [
        (QUOTA, [("//a/", "/a"), ("/a ", "/a "), ("/a/../b", None), (None, None)]),
        (SHARE, [(" a ", " a "), (7, "7"), ("", None), (" ", None), ({}, None)]),
    ],
    ids=["paths", "names"],
)
def test_normalize_key(resource: Resource, keys: list[tuple[Any, Any]]) -> None:
    assert [(key, resource.normalize_key(key)) for key, _normal in keys] == keys


RECORD = {"id": "7", "displayTitle": "a", "maxSize": "1024", "flag": 1, "other_token": "T", "moreFields": [1]}


@pytest.mark.parametrize(("include_tokens", "token"), [({}, "********"), ({"include_tokens": True}, "T")])
def test_to_result(include_tokens: dict[str, bool], token: str) -> None:
    shown = {"id": 7, "title": "a", "max_size": 1024, "flag": True, "other_token": token, "moreFields": [1]}
    assert SHARE.to_result(RECORD, **include_tokens) == shown


VALUES: dict[str, tuple[Any, ...]] = {
    "nothing given": ({}, {}),
    "null": ({"title": None, "max_size": None, "flag": None, "note": None}, {}),
    "blank": ({"title": " ", "max_size": "", "note": ""}, {"note": ""}),
    "text as it is": ({"title": " a "}, {"title": " a "}),
    "as a request carries it": ({"max_size": "1K", "flag": False}, {"max_size": 1024, "flag": False}),
    "nought": ({"max_size": 0}, {"max_size": 0}),
    "other options": ({"other": 1, "id": 5}, {}),
}


@pytest.mark.parametrize(("options", "values"), VALUES.values(), ids=VALUES)
def test_read_values(options: dict[str, Any], values: dict[str, Any]) -> None:
    assert read_values(SHARE.managed, options) == values


def test_a_bad_value_is_refused_by_name() -> None:
    with pytest.raises(ConsoleError) as caught:
        read_values(SHARE.fields, {"title": "a", "max_size": -1})
    assert str(caught.value) == "max_size must be 0 or more."
    assert caught.value.__cause__ is None


def test_the_documented_resources() -> None:
    paths = {resource.plural: resource.path for resource in (VOLUME, *LISTS_OF_VOLUME)}
    below = "volumes/{volume_id}/"
    assert paths == {"volumes": "volumes", "exports": f"{below}exports", "quotas": f"{below}quotas"}
    assert [EXPORT.required_to_create, QUOTA.required_to_create] == [("iprange",), ("size", "inodes")]


@pytest.mark.parametrize(
    ("resource", "key", "updatable", "create_only"),
    [
        (VOLUME, "name", [], ["bucket", "region", "blockSize", "compress", "compatible", "extend"]),
        (EXPORT, "desc", ["iprange"], ["apionly", "readonly", "appendonly"]),
        (QUOTA, "path", ["size"], ["inodes"]),
    ],
    ids=lambda value: value.noun if isinstance(value, Resource) else "",
)
def test_who_sets_the_documented_fields(
    resource: Resource, key: str, updatable: list[str], create_only: list[str]
) -> None:
    by_role = {role: [field.in_api for field in resource.fields if field.role is role] for role in ROLES}
    assert by_role == {KEY: [key], UPDATABLE: updatable, CREATE_ONLY: create_only}
