# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Resources as data, and their records, as tables: how they are found, named in messages, shown, and compared."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import fields as types
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import (
    Record,
    Records,
    ambiguous,
    compare,
    describe,
    difference,
    format_differences,
    format_value,
    managed_fields,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    CREATE_ONLY,
    EXPORT,
    KEY,
    QUOTA,
    UPDATABLE,
    VOLUME,
    Field,
    Resource,
    read_values,
)

NUMBER = {"id": 1, "path": "/a"}
AS_TEXT = {"id": "2", "path": "/b/"}
DOUBLE = {"id": 3, "path": "//a"}
BLANK = {"id": 4, "path": None}
BAD = {"id": 5, "path": "/a/../b"}
QUOTAS = Records(QUOTA, [NUMBER, AS_TEXT, DOUBLE, BLANK, BAD])


def test_by_id() -> None:
    found = [QUOTAS.by_id(identity) for identity in (1, "1", 2, "2", 9, None)]
    assert found == [NUMBER, NUMBER, AS_TEXT, AS_TEXT, None, None]


E_ACUTE = "\N{LATIN SMALL LETTER E WITH ACUTE}"
KEYLESS = [{"id": 1, "desc": ""}, {"id": 2, "desc": None}, {"id": 3}, {"id": 4, "desc": {}}]
SPACED = [{"id": 1, "desc": "web "}, {"id": 2, "desc": "web"}, {"id": 3, "desc": "\tweb"}, {"id": 4, "desc": "w eb"}]
FORMS = [{"id": 1, "desc": "caf\u00e9"}, {"id": 2, "desc": "cafe\u0301"}, {"id": 3, "desc": "Caf\u00e9"}]


@pytest.mark.parametrize(
    ("resource", "records", "key", "ids"),
    [
        pytest.param(EXPORT, SPACED, "web", [2], id="without white space"),
        pytest.param(EXPORT, SPACED, "web ", [1], id="with white space"),
        pytest.param(EXPORT, SPACED, " web", [], id="with other white space"),
        pytest.param(EXPORT, SPACED, "w eb", [4], id="white space inside"),
        *(pytest.param(EXPORT, KEYLESS, key, [], id=f"no key: {key!r}") for key in (None, "", " ")),
        *(pytest.param(QUOTA, QUOTAS, key, [1, 3], id=f"a path, {key}") for key in ("/a", "/a/")),
        *(pytest.param(QUOTA, QUOTAS, key, [], id=f"no path: {key}") for key in ("/c", "/a/../b", None)),
        pytest.param(EXPORT, FORMS, "caf\u00e9", [1], id="é as one character"),
        pytest.param(EXPORT, FORMS, "cafe\u0301", [2], id="é as two characters"),
        pytest.param(EXPORT, FORMS, "CAFE\u0301", [], id="in capitals"),
        pytest.param(EXPORT, [{"id": 1, "desc": None}], "None", [], id="null is not the word"),
    ],
)
def test_keys_are_compared_exactly(resource: Resource, records: Any, key: Any, ids: Any) -> None:
    assert [record["id"] for record in Records(resource, records).by_key(key)] == ids


def test_records_come_in_order_and_once_for_each_id() -> None:
    records = Records(QUOTA, [AS_TEXT, NUMBER, {**NUMBER, "path": "/c"}])
    assert list(records) == [AS_TEXT, {"id": 1, "path": "/c"}]
    assert records.by_key("/a") == []


def test_describe() -> None:
    records: list[Record] = [{"id": 7, "name": "a"}, {"name": "a"}, {"id": 7, "name": None}, {}]
    texts = ["volume 'a' (id 7)", "volume 'a'", "volume (id 7)", "volume"]
    assert [describe(VOLUME, record) for record in records] == texts
    assert describe(EXPORT, {"id": 7, "desc": ""}) == "export '' (id 7)"


def test_format_value() -> None:
    texts = {"a": "'a'", "": "''", E_ACUTE: f"'{E_ACUTE}'", "s3://me:pw@b": "'s3://********@b'", 7: "7", None: "null"}
    assert {value: format_value(value) for value in texts} == texts
    others: list[Any] = [True, [1, E_ACUTE], {"token": "T", "a": 1}]
    assert [format_value(value) for value in others] == ["true", f'[1, "{E_ACUTE}"]', '{"token": "********", "a": 1}']


def test_what_to_choose_with_where_several_have_one_key() -> None:
    found: list[Record] = [{"id": 1, "path": "/a"}, {"id": "x", "path": "/a/"}]
    assert str(ambiguous(QUOTA, found, option="quota_id")) == (
        "there are several quotas with the path '/a': ids 1, x. Choose one with quota_id, if the task has that option, or remove the ones that should"
        " not exist. Tasks that ran at once may have made them: where several hosts run one task, set run_once, or throttle to 1."
    )


WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.1/8", "readonly": 1, "token": "T"}


COMPARED: dict[str, tuple[Any, ...]] = {
    "equal by meaning": ({"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}, [], []),
    "another value": ({"iprange": "*"}, [("iprange", "10.0.0.1/8", "*")], []),
    "shown by type": ({"readonly": False}, [("readonly", True, False)], []),
    "not shown": ({"apionly": False}, [], ["apionly"]),
    "fields that have no option, equal by meaning": ({"token": "T", "id": "1"}, [], []),
    "a field that has no option, another value": ({"token": "X"}, [("token", "T", "X")], []),
}


@pytest.mark.parametrize(("values", "differing", "unverified"), COMPARED.values(), ids=COMPARED)
def test_compare(values: dict[str, Any], differing: list[tuple[str, Any, Any]], unverified: list[str]) -> None:
    found, unknown = compare(EXPORT, WEB, values)
    assert [(difference.field.name, difference.actual, difference.wanted) for difference in found] == differing
    assert unknown == unverified


def test_differences_as_text() -> None:
    bucket = Field("bucket", types.TEXT)
    pairs = [("a", "b"), (None, "b"), ("s3://me:one@b", "b"), ("s3://me:one@b", "s3://me:two@b")]
    assert [str(difference(bucket, actual, wanted)) for actual, wanted in pairs] == [
        "bucket is 'a', wanted 'b'",
        "bucket is null, wanted 'b'",
        "bucket is 's3://********@b', wanted 'b'",
        "bucket is 's3://********@b', wanted 's3://********@b' (the difference is in the masked part)",
    ]
    assert format_differences([]) == ""
    two = iter([difference(bucket, 1, 2), difference(bucket, 3, 4)])
    assert format_differences(two) == "bucket is 1, wanted 2; bucket is 3, wanted 4"


SECRET = Resource("key", "keys", "keys", (Field("name", types.TEXT, KEY), Field("secret_key", types.TEXT, CREATE_ONLY)))
SHOWN: dict[str, tuple[Any, ...]] = {
    "neither id nor what is unknown": (EXPORT, WEB, {"desc": "web", "iprange": "10.0.0.1/8", "readonly": True}),
    "by option, and by type": (VOLUME, {"blockSize": "8", "size": 1}, {"block_size": 8}),
    "sizes as users write them": (QUOTA, {"size": "10737418240", "inodes": None}, {"size": "10GiB", "inodes": None}),
    "without passwords": (VOLUME, {"bucket": "s3://me:pw@b"}, {"bucket": "s3://********@b"}),
    "without secrets": (SECRET, {"secret_key": "S"}, {"secret_key": "********"}),
}


@pytest.mark.parametrize(("resource", "record", "fields"), SHOWN.values(), ids=SHOWN)
def test_managed_fields(resource: Resource, record: dict[str, Any] | None, fields: dict[str, Any]) -> None:
    assert managed_fields(resource, record) == fields


ID = Field("id", types.INTEGER)
TITLE = Field("title", types.NAME, KEY, api_name="displayTitle")
LIMIT = Field("max_size", types.SIZE, UPDATABLE, "maxSize")
FLAG = Field("flag", types.BOOLEAN, CREATE_ONLY, default=False)
NOTE = Field("note", types.TEXT, CREATE_ONLY, blank_is_value=True)
SHARE = Resource("share", "shares", "volumes/{volume_id}/shares", (ID, TITLE, LIMIT, FLAG, NOTE), has_update=True)


def test_label() -> None:
    titles = ["web", 7, None, "https://me:hunter2@h"]
    labels = ["web", "7", "id 1", "https://********@h"]
    assert [SHARE.label({"id": 1, "displayTitle": title}) for title in titles] == labels
    assert QUOTA.label({"id": 1, "path": "/a/"}) == "/a/"


def test_normalize_key() -> None:
    paths = {"//a/": "/a", "/a ": "/a ", "/a/../b": None, None: None}
    names = {" a ": " a ", 7: "7", "": None, " ": None}
    assert {key: QUOTA.normalize_key(key) for key in paths} == paths
    assert {key: SHARE.normalize_key(key) for key in names} == names
    assert SHARE.normalize_key({}) is None


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
    assert str(caught.value) == "max_size must be 0 or more, and 0 is no limit."
    assert caught.value.__cause__ is None
