# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What counts as the same value, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model import field_types as types
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.field_types import FieldType


@pytest.mark.parametrize(
    ("type_", "one", "other"),
    [
        (types.TEXT, "a", "a"),
        (types.TEXT, "", None),
        (types.TEXT, "a", " a\n"),
        (types.TEXT, "12", 12),
        (types.INTEGER, 4096, "4096"),
        (types.INTEGER, 4096, 4096.0),
        (types.INTEGER, -1, " -1 "),
        (types.BOOLEAN, True, "true"),
        (types.BOOLEAN, False, 0),
        (types.URL, "https://b.example.com", "https://b.example.com/"),
        (types.URL, "HTTPS://B.example.com/Path", "https://b.example.com/Path//"),
        (types.NETWORK, "192.168.0.1/24", "192.168.0.0/24"),
        (types.NETWORK, "10.0.0.1", "10.0.0.1/32"),
        (types.NETWORK, "2001:DB8::1", "2001:db8:0::1/128"),
        (types.NETWORK, "10.0.0.0/8", "10.0.0.0/255.0.0.0"),
        (types.NETWORK, "*", " * "),
        (types.NETWORK, "", None),
        (types.PATH, "/a", "/a/"),
        (types.PATH, "/a/b", "//a/./b//"),
        (types.PATH, "/", "//"),
        (types.PATH, "/a", "a"),
        (types.NETWORK, "nonsense", "nonsense"),
        (types.BOOLEAN, False, None),
        (types.PATH, "/", ""),
        (types.ANY, {"a": [1]}, {"a": [1]}),
        (types.ANY, {"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (types.NAME, "", None),
        (types.NAME, " a ", " a "),
        (types.NAME, "7", 7),
        (types.LOOSE, 7, "7"),
        (types.LOOSE, True, "true"),
        (types.LOOSE, 1.5, "1.5"),
        (types.LOOSE, {"a": [1]}, {"a": [1]}),
        (types.LOOSE, None, None),
    ],
)
def test_equal(type_: FieldType, one: Any, other: Any) -> None:
    assert type_.equal(one, other)
    assert type_.equal(other, one)


@pytest.mark.parametrize(
    ("type_", "one", "other"),
    [
        (types.TEXT, "a", "A"),
        (types.TEXT, "true", True),
        (types.INTEGER, 1, True),
        (types.INTEGER, 0, None),
        (types.INTEGER, 1, 1.5),
        (types.INTEGER, "x", "y"),
        (types.BOOLEAN, True, None),
        (types.BOOLEAN, False, ""),
        (types.BOOLEAN, True, 2),
        (types.URL, "https://b.example.com/a", "https://b.example.com/A"),
        (types.URL, "https://b.example.com", "http://b.example.com"),
        (types.URL, "https://b.example.com", "https://b.example.com/X"),
        (types.URL, "https://[", "https://[["),
        (types.NETWORK, "*", "0.0.0.0/0"),
        (types.NETWORK, "10.0.0.0/8", "10.0.0.0/9"),
        (types.NETWORK, "0.0.0.0/0", "::/0"),
        (types.NETWORK, "nonsense", "other nonsense"),
        (types.URL, "https://me:pw@b.example.com", "https://me:PW@b.example.com"),
        (types.PATH, "/a", "/A"),
        (types.PATH, "/a b", "/a b "),
        (types.NAME, "a", "a "),
        (types.PATH, "/a/../b", "/b"),
        (types.ANY, {"a": [1]}, {"a": [2]}),
        (types.NAME, "a", "\ta"),
        (types.NAME, "a", "A"),
        (types.PATH, "/a", " /a"),
        (types.LOOSE, "a", "A"),
        (types.LOOSE, "a", "a "),
        (types.LOOSE, 7, 8),
        (types.LOOSE, None, ""),
        (types.LOOSE, None, 0),
    ],
)
def test_not_equal(type_: FieldType, one: Any, other: Any) -> None:
    assert not type_.equal(one, other)
    assert not type_.equal(other, one)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (types.TEXT, {}),
        (types.NAME, {}),
        (types.NAME, True),
        (types.PATH, " /a"),
        (types.INTEGER, "1.5"),
        (types.BOOLEAN, "maybe"),
        (types.NETWORK, "10.0.0.0/33"),
        (types.NETWORK, "web"),
        (types.NETWORK, ""),
        (types.NETWORK, "10.0.0.0/255.0.0.0"),
        (types.PATH, ""),
        (types.PATH, "data"),
        (types.PATH, "/a/../b"),
    ],
)
def test_refused(type_: FieldType, value: Any) -> None:
    with pytest.raises(ValueError, match=r"^must"):
        type_.to_request(value)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        (types.TEXT, [1], "must be text, not [1]"),
        (types.INTEGER, "ten", "must be a whole number, not 'ten'"),
        (types.BOOLEAN, "maybe", "must be true or false, not 'maybe'"),
        (types.URL, "https://[", "must be a valid URL"),
        (types.NETWORK, "web", "must be a network in CIDR notation, an IP address or *, not 'web'"),
        (types.NETWORK, "", "must be a network in CIDR notation, an IP address or *, not ''"),
        (types.PATH, "data", "must start with /, not 'data'"),
        (types.PATH, "/a/../b", "must be a path without .., not '/a/../b'"),
    ],
)
def test_why_refused(type_: FieldType, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"^must") as caught:
        type_.to_request(value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("type_", "value", "sent"),
    [
        (types.TEXT, " a ", " a "),
        (types.NAME, " a ", " a "),
        (types.PATH, "/a /b ", "/a /b "),
        (types.NETWORK, "192.168.0.1/24", "192.168.0.1/24"),
        (types.PATH, "/data//a/", "/data/a"),
    ],
)
def test_to_request(type_: FieldType, value: Any, sent: Any) -> None:
    assert type_.to_request(value) == sent


@pytest.mark.parametrize(
    ("type_", "value", "shown"),
    [
        (types.TEXT, None, None),
        (types.INTEGER, "7", 7),
        (types.INTEGER, "seven", "seven"),
        (types.BOOLEAN, "false", False),
        (types.ANY, [1], [1]),
        (types.NAME, " a ", " a "),
        (types.PATH, "/a/", "/a/"),
        (types.LOOSE, "7", "7"),
    ],
)
def test_results_and_diffs_show_alike(type_: FieldType, value: Any, shown: Any) -> None:
    assert (type_.to_result(value), type_.to_diff(value)) == (shown, shown)
