# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Records as a console lists them: how they are found, and what messages call them."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.field_types import INTEGER
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import (
    Record,
    Records,
    ambiguous,
    describe,
    format_value,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    QUOTA,
    VOLUME,
    Field,
    Resource,
)

NUMBER = {"id": 1, "path": "/a"}
TEXT = {"id": "2", "path": "/b/"}
DOUBLE = {"id": 3, "path": "//a"}
BLANK = {"id": 4, "path": None}
BAD = {"id": 5, "path": "/a/../b"}
QUOTAS = Records(QUOTA, [NUMBER, TEXT, DOUBLE, BLANK, BAD])
TRASH = Resource("file", "files", "volumes/{volume_id}/trash", (Field("id", INTEGER),))


@pytest.mark.parametrize(
    ("identity", "record"), [(1, NUMBER), ("1", NUMBER), (2, TEXT), ("2", TEXT), (9, None), (None, None)]
)
def test_by_id(identity: Any, record: Record | None) -> None:
    assert QUOTAS.by_id(identity) == record


@pytest.mark.parametrize(
    ("key", "records"),
    [
        ("/a", [NUMBER, DOUBLE]),
        ("/a/", [NUMBER, DOUBLE]),
        ("/b", [TEXT]),
        ("/c", []),
        (None, []),
        ("/a/../b", []),
        ({}, []),
    ],
)
def test_by_key(key: Any, records: list[Record]) -> None:
    assert QUOTAS.by_key(key) == records


@pytest.mark.parametrize("key", [None, "", " ", {}])
def test_nothing_is_found_by_what_is_no_key(key: Any) -> None:
    records = Records(EXPORT, [{"id": 1, "desc": ""}, {"id": 2, "desc": None}, {"id": 3}, {"id": 4, "desc": {}}])
    assert records.by_key(key) == []


SPACED = [{"id": 1, "desc": "web "}, {"id": 2, "desc": "web"}, {"id": 3, "desc": "\tweb"}, {"id": 4, "desc": "w eb"}]
PATHS = [{"id": 1, "path": "/a "}, {"id": 2, "path": " /b"}, {"id": 3, "path": "/a/ "}, {"id": 4, "path": "/c d"}]


@pytest.mark.parametrize(
    ("resource", "records", "key", "ids", "lookalikes"),
    [
        pytest.param(EXPORT, SPACED, "web", [2], [1, 3], id="without white space"),
        pytest.param(EXPORT, SPACED, "web ", [1], [2, 3], id="with white space"),
        pytest.param(EXPORT, SPACED, " web", [], [1, 2, 3], id="with other white space"),
        pytest.param(EXPORT, SPACED, "web2", [], [], id="another"),
        pytest.param(EXPORT, SPACED, "web\u00a0", [], [1, 2, 3], id="with a no-break space"),
        pytest.param(EXPORT, SPACED, "w eb", [4], [], id="white space inside"),
        pytest.param(EXPORT, SPACED, None, [], [], id="no key"),
        pytest.param(EXPORT, [{"id": 1, "desc": ""}, {"id": 2, "desc": None}], " ", [], [], id="blank"),
        pytest.param(QUOTA, PATHS, "/a", [], [1, 3], id="a path"),
        pytest.param(QUOTA, PATHS, "/b/", [], [2], id="a path in another spelling"),
        pytest.param(QUOTA, PATHS, "/cd", [], [], id="another path"),
        pytest.param(TRASH, [{"id": 1}], "a", [], [], id="without natural keys"),
    ],
)
def test_keys_are_compared_exactly_and_lookalikes_are_known(
    resource: Resource, records: list[Record], key: Any, ids: list[int], lookalikes: list[int]
) -> None:
    index = Records(resource, records)
    assert [record["id"] for record in index.by_key(key)] == ids
    for _again in range(2):
        assert [record["id"] for record in index.lookalikes(key)] == lookalikes


def test_a_list_says_where_it_is() -> None:
    assert (Records(QUOTA, []).place, Records(QUOTA, [], " of volume 'v'").place) == ("", " of volume 'v'")


def test_nothing_is_found_by_key_where_there_is_none() -> None:
    records = Records(TRASH, [{"id": 1}, {"id": 2}])
    assert records.by_key("a") == []
    assert list(records) == [{"id": 1}, {"id": 2}]


def test_records_come_in_order_and_once_for_each_id() -> None:
    records = Records(QUOTA, [TEXT, NUMBER, {**NUMBER, "path": "/c"}])
    assert list(records) == [TEXT, {"id": 1, "path": "/c"}]
    assert records.by_key("/a") == []


@pytest.mark.parametrize(
    ("resource", "record", "text"),
    [
        (VOLUME, {"id": 7, "name": "a"}, "volume 'a' (id 7)"),
        (VOLUME, {"name": "a"}, "volume 'a'"),
        (VOLUME, {"id": 7}, "volume (id 7)"),
        (VOLUME, {"id": 7, "name": None}, "volume (id 7)"),
        (EXPORT, {"id": 7, "desc": ""}, "export '' (id 7)"),
        (VOLUME, {}, "volume"),
        (TRASH, {"id": 7}, "file (id 7)"),
    ],
)
def test_describe(resource: Resource, record: Record, text: str) -> None:
    assert describe(resource, record) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        ("", "''"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}", "'\N{LATIN SMALL LETTER E WITH ACUTE}'"),
        ("s3://me:pw@b", "'s3://********@b'"),
        (7, "7"),
        (True, "true"),
        (None, "null"),
        ([1, "\N{LATIN SMALL LETTER E WITH ACUTE}"], '[1, "\N{LATIN SMALL LETTER E WITH ACUTE}"]'),
        ({"token": "T", "a": 1}, '{"token": "********", "a": 1}'),
    ],
)
def test_format_value(value: Any, text: str) -> None:
    assert format_value(value) == text


@pytest.mark.parametrize(
    ("resource", "found", "option", "message"),
    [
        pytest.param(
            VOLUME,
            [{"id": 1, "name": "a"}, {"id": "x", "name": "a"}],
            {},
            "there are several volumes with the name 'a': ids 1, x. Choose one with id, or remove the ones that should not"
            " exist.",
            id="by id",
        ),
        pytest.param(
            QUOTA,
            [{"id": 1, "path": "/a"}, {"id": 2, "path": "/a/"}],
            {},
            "there are several quotas with the path '/a': ids 1, 2. Choose one with id, or remove the ones that should not"
            " exist.",
            id="in two spellings",
        ),
        pytest.param(
            VOLUME,
            [{"id": 1, "name": "a"}, {"id": 2, "name": "a"}],
            {"option": "volume_id"},
            "there are several volumes with the name 'a': ids 1, 2. Choose one with volume_id, or remove the ones that"
            " should not exist.",
            id="by another option",
        ),
    ],
)
def test_ambiguous(resource: Resource, found: list[Record], option: dict[str, str], message: str) -> None:
    assert str(ambiguous(resource, iter(found), **option)) == message
