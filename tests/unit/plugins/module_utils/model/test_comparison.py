# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a record differs from what is wanted, as a table, and how differences are shown."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.comparison import (
    compare,
    difference,
    format_differences,
    managed_fields,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.field_types import TEXT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    CREATE_ONLY,
    EXPORT,
    QUOTA,
    VOLUME,
    Field,
    Resource,
)

WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.1/8", "readonly": 1, "token": "T"}


@pytest.mark.parametrize(
    ("values", "differing", "unverified"),
    [
        pytest.param({}, [], [], id="nothing wanted"),
        pytest.param({"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}, [], [], id="equal by meaning"),
        pytest.param({"iprange": "*"}, [("iprange", "10.0.0.1/8", "*")], [], id="another value"),
        pytest.param({"readonly": False}, [("readonly", True, False)], [], id="shown by type"),
        pytest.param({"apionly": False}, [], ["apionly"], id="not shown"),
        pytest.param({"token": "T", "id": "1"}, [], [], id="fields that have no option, equal by meaning"),
        pytest.param({"token": "X"}, [("token", "T", "X")], [], id="a field that has no option, another value"),
        pytest.param({"trashtime": 7}, [], ["trashtime"], id="a field that has no option, not shown"),
        pytest.param(
            {"token": "X", "trashtime": 7, "desc": "x", "apionly": True},
            [("token", "T", "X"), ("desc", "web", "x")],
            ["trashtime", "apionly"],
            id="several, in the order in which they are given",
        ),
    ],
)
def test_compare(values: dict[str, Any], differing: list[tuple[str, Any, Any]], unverified: list[str]) -> None:
    found, unknown = compare(EXPORT, WEB, values)
    assert [(difference.field.name, difference.actual, difference.wanted) for difference in found] == differing
    assert unknown == unverified


def test_null_is_shown() -> None:
    found, unknown = compare(QUOTA, {"size": None, "inodes": None}, {"size": 5, "inodes": 0})
    assert (format_differences(found), unknown) == ("size is null, wanted 5", [])


def test_a_field_is_found_by_its_name_in_the_api() -> None:
    found, unknown = compare(VOLUME, {"blockSize": "4096"}, {"block_size": 8})
    assert (format_differences(found), unknown) == ("block_size is 4096, wanted 8", [])


@pytest.mark.parametrize(
    ("actual", "wanted", "text"),
    [
        ("a", "b", "bucket is 'a', wanted 'b'"),
        (None, "b", "bucket is null, wanted 'b'"),
        ("s3://me:one@b", "b", "bucket is 's3://********@b', wanted 'b'"),
        (
            "s3://me:one@b",
            "s3://me:two@b",
            "bucket is 's3://********@b', wanted 's3://********@b' (the difference is in the masked part)",
        ),
    ],
)
def test_a_difference_as_text(actual: Any, wanted: Any, text: str) -> None:
    assert str(difference(Field("bucket", TEXT), actual, wanted)) == text


def test_differences_as_text() -> None:
    field = Field("a", TEXT)
    assert format_differences([]) == ""
    assert (
        format_differences(iter([difference(field, 1, 2), difference(field, 3, 4)]))
        == "a is 1, wanted 2; a is 3, wanted 4"
    )


@pytest.mark.parametrize(
    ("resource", "record", "fields"),
    [
        pytest.param(EXPORT, None, {}, id="no record"),
        pytest.param(EXPORT, {}, {}, id="nothing shown"),
        pytest.param(
            EXPORT, WEB, {"desc": "web", "iprange": "10.0.0.1/8", "readonly": True}, id="neither id nor what is unknown"
        ),
        pytest.param(VOLUME, {"blockSize": "8", "size": 1}, {"block_size": 8}, id="by option, and by type"),
        pytest.param(
            QUOTA,
            {"path": "/a", "size": "10737418240", "inodes": None},
            {"path": "/a", "size": "10GiB", "inodes": None},
            id="sizes as users write them",
        ),
        pytest.param(VOLUME, {"bucket": "s3://me:pw@b"}, {"bucket": "s3://********@b"}, id="without passwords"),
        pytest.param(
            Resource("key", "keys", "keys", (Field("secret_key", TEXT, CREATE_ONLY),)),
            {"secret_key": "S"},
            {"secret_key": "********"},
            id="without secrets",
        ),
    ],
)
def test_managed_fields(resource: Resource, record: dict[str, Any] | None, fields: dict[str, Any]) -> None:
    assert managed_fields(resource, record) == fields
