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
    ASSIGNED,
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
SHARE = Resource("share", "shares", "volumes/{volume_id}/shares", (ID, TITLE, LIMIT, FLAG, NOTE), has_update=True)


def test_a_resource_is_what_it_was_described_as() -> None:
    fields = (ID, TITLE, LIMIT)
    share = Resource("share", "shares", "volumes/{volume_id}/shares", fields)
    assert (share.noun, share.plural, share.path, share.fields) == (
        "share",
        "shares",
        "volumes/{volume_id}/shares",
        fields,
    )
    assert (share.key, share.managed, share.is_in_volume) == (TITLE, (TITLE, LIMIT), True)
    assert (share.has_update, share.has_readiness, share.has_extra_fields, share.has_token) == (
        False,
        False,
        False,
        False,
    )
    assert share.required_to_create == ()


def test_a_resource_can_what_it_says() -> None:
    able = Resource(
        "a",
        "as",
        "a",
        (ID, TITLE),
        has_update=True,
        has_readiness=True,
        has_extra_fields=True,
        has_token=True,
        required_to_create=("b",),
    )
    assert (able.has_update, able.has_readiness, able.has_extra_fields, able.has_token) == (True, True, True, True)
    assert (able.required_to_create, able.is_in_volume, able.managed) == (("b",), False, (TITLE,))


def test_a_field_is_assigned_and_shown_by_its_name_unless_it_says_otherwise() -> None:
    assert (ID.role, ID.in_api, ID.default, ID.blank_is_value) == (ASSIGNED, "id", None, False)
    assert LIMIT.in_api == "maxSize"


def test_a_field_that_has_no_option_is_set_at_creation_only() -> None:
    assert SHARE.managed_field("max_size") is LIMIT
    assert SHARE.managed_field("trashtime") == Field("trashtime", LOOSE, CREATE_ONLY)


@pytest.mark.parametrize(("record", "key"), [({"displayTitle": "a", "title": "b"}, "a"), ({"title": "b"}, None)])
def test_key_of(record: dict[str, Any], key: Any) -> None:
    assert SHARE.key_of(record) == key


@pytest.mark.parametrize(
    ("resource", "record", "label"),
    [
        (SHARE, {"id": 1, "displayTitle": "web"}, "web"),
        (SHARE, {"id": 1, "displayTitle": 7}, "7"),
        (SHARE, {"id": 1, "displayTitle": None}, "id 1"),
        (QUOTA, {"id": 1, "path": "/a/"}, "/a/"),
    ],
)
def test_label(resource: Resource, record: dict[str, Any], label: str) -> None:
    assert resource.label(record) == label


@pytest.mark.parametrize(
    ("resource", "key", "normal"),
    [
        (QUOTA, "//a/", "/a"),
        (QUOTA, "/a/../b", None),
        (QUOTA, None, None),
        (SHARE, "", None),
        (SHARE, " ", None),
        (SHARE, {}, None),
        (SHARE, 7, "7"),
        (SHARE, " a ", " a "),
        (QUOTA, "/a ", "/a "),
    ],
)
def test_normalize_key(resource: Resource, key: Any, normal: Any) -> None:
    assert resource.normalize_key(key) == normal


RECORD = {"id": "7", "displayTitle": "a", "maxSize": "1024", "flag": 1, "other_token": "T", "moreFields": [1]}


@pytest.mark.parametrize(("include_tokens", "token"), [({}, "********"), ({"include_tokens": True}, "T")])
def test_to_result(include_tokens: dict[str, bool], token: str) -> None:
    shown = {"id": 7, "title": "a", "max_size": 1024, "flag": True, "other_token": token, "moreFields": [1]}
    assert SHARE.to_result(RECORD, **include_tokens) == shown


@pytest.mark.parametrize(
    ("options", "values"),
    [
        pytest.param({}, {}, id="nothing given"),
        pytest.param({"title": None, "max_size": None, "flag": None, "note": None}, {}, id="null"),
        pytest.param({"title": " ", "max_size": "", "note": ""}, {"note": ""}, id="blank"),
        pytest.param({"title": " a "}, {"title": " a "}, id="text as it is"),
        pytest.param(
            {"max_size": "1K", "flag": False}, {"max_size": 1024, "flag": False}, id="as a request carries it"
        ),
        pytest.param({"max_size": 0}, {"max_size": 0}, id="nought"),
        pytest.param({"other": 1, "id": 5}, {}, id="other options"),
    ],
)
def test_read_values(options: dict[str, Any], values: dict[str, Any]) -> None:
    assert read_values(SHARE.managed, options) == values


def test_a_bad_value_is_refused_by_name() -> None:
    with pytest.raises(ConsoleError) as caught:
        read_values(SHARE.fields, {"title": "a", "max_size": -1})
    assert str(caught.value) == "max_size must be 0 or more."
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("resource", "roles"),
    [
        (
            VOLUME,
            {
                KEY: ["name"],
                CREATE_ONLY: ["bucket", "region", "blockSize", "compress", "compatible", "extend"],
                ASSIGNED: ["id", "access_rules", "owner", "size", "inodes", "created", "storage"],
            },
        ),
        (
            EXPORT,
            {
                KEY: ["desc"],
                UPDATABLE: ["iprange"],
                CREATE_ONLY: ["apionly", "readonly", "appendonly"],
                ASSIGNED: ["id"],
            },
        ),
        (QUOTA, {KEY: ["path"], UPDATABLE: ["size"], CREATE_ONLY: ["inodes"], ASSIGNED: ["id"]}),
    ],
)
def test_the_documented_fields_by_who_sets_them(resource: Resource, roles: dict[str, list[str]]) -> None:
    found: dict[str, list[str]] = {}
    for field in resource.fields:
        found.setdefault(field.role, []).append(field.in_api)
    assert found == roles


@pytest.mark.parametrize(
    ("resource", "noun", "plural", "path", "has_update", "required"),
    [
        (VOLUME, "volume", "volumes", "volumes", False, ()),
        (EXPORT, "export", "exports", "volumes/{volume_id}/exports", True, ("iprange",)),
        (QUOTA, "quota", "quotas", "volumes/{volume_id}/quotas", True, ("size", "inodes")),
    ],
)
def test_the_documented_resources(
    resource: Resource, noun: str, plural: str, path: str, has_update: bool, required: tuple[str, ...]
) -> None:
    assert (resource.noun, resource.plural, resource.path) == (noun, plural, path)
    assert (resource.has_update, resource.required_to_create) == (has_update, required)
    assert (resource.has_readiness, resource.has_extra_fields) == (resource is VOLUME, resource is VOLUME)


def test_the_lists_below_a_volume() -> None:
    assert LISTS_OF_VOLUME == (EXPORT, QUOTA)
    assert [field.name for field in EXPORT.fields if field.default is False] == ["apionly", "readonly", "appendonly"]
    assert [field.name for field in VOLUME.fields if field.blank_is_value] == ["extend"]
