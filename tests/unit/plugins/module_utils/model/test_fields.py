# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The types of fields, as tables: which values are equal, what is sent, what results and diffs show, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model import fields as types
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import FieldType

KIB, MIB, GIB, TIB, PIB, EIB = (1024**power for power in range(1, 7))


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
        (types.LIMIT, 0, None),
        (types.LIMIT, "1048576", MIB),
        (types.SIZE, "10GiB", "10737418240"),
        (types.SIZE, "10G", 10 * GIB),
        (types.SIZE, "10gB", "10 GiB"),
        (types.SIZE, "10B", 10),
        (types.SIZE, " 10 ", 10),
        (types.SIZE, "lots", "lots"),
        (types.SIZE, "1.5T", 3 * GIB * 512),
        (types.SIZE, "0", None),
        (types.SIZE, "0G", 0),
        (types.SIZE, 10.0, 10),
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
        (types.LIMIT, 1, None),
        (types.LIMIT, 1, 2),
        (types.SIZE, "10G", "10g bits"),
        (types.SIZE, 10, "10K"),
        (types.SIZE, "1G", 10**9),
    ],
)
def test_not_equal(type_: FieldType, one: Any, other: Any) -> None:
    assert not type_.equal(one, other)
    assert not type_.equal(other, one)


@pytest.mark.parametrize(
    ("type_", "value", "sent"),
    [
        (types.TEXT, " a ", " a "),
        (types.NAME, " a ", " a "),
        (types.PATH, "/a /b ", "/a /b "),
        (types.NETWORK, "192.168.0.1/24", "192.168.0.1/24"),
        (types.PATH, "/data//a/", "/data/a"),
        (types.LIMIT, 0, 0),
        (types.LIMIT, "7", 7),
        (types.SIZE, "0", 0),
        (types.SIZE, 7, 7),
        (types.SIZE, "7", 7),
        (types.SIZE, "7B", 7),
        (types.SIZE, "1K", KIB),
        (types.SIZE, "1m", MIB),
        (types.SIZE, "1 GB", GIB),
        (types.SIZE, "1TiB", TIB),
        (types.SIZE, "1p", PIB),
        (types.SIZE, "1EiB", EIB),
        (types.SIZE, "1.5K", 1536),
        (types.SIZE, "0.001K", 1),
        (types.SIZE, "1.0B", 1),
        (types.SIZE, "0.0K", 0),
    ],
)
def test_to_request(type_: FieldType, value: Any, sent: Any) -> None:
    request = type_.to_request(value)
    assert (request, type(request)) == (sent, type(sent))


@pytest.mark.parametrize(
    ("type_", "value", "result", "diff"),
    [
        (types.TEXT, None, None, None),
        (types.INTEGER, "7", 7, 7),
        (types.INTEGER, "seven", "seven", "seven"),
        (types.BOOLEAN, "false", False, False),
        (types.ANY, [1], [1], [1]),
        (types.NAME, " a ", " a ", " a "),
        (types.PATH, "/a/", "/a/", "/a/"),
        (types.LOOSE, "7", "7", "7"),
        (types.LIMIT, "1048576", MIB, MIB),
        (types.LIMIT, None, None, None),
        (types.SIZE, None, None, None),
        (types.SIZE, 0, 0, 0),
        (types.SIZE, "0", 0, 0),
        (types.SIZE, 1, 1, 1),
        (types.SIZE, 1023, 1023, 1023),
        (types.SIZE, KIB, KIB, "1KiB"),
        (types.SIZE, KIB + 1, KIB + 1, KIB + 1),
        (types.SIZE, 1536, 1536, 1536),
        (types.SIZE, 1536 * KIB, 1536 * KIB, "1536KiB"),
        (types.SIZE, "10737418240", 10 * GIB, "10GiB"),
        (types.SIZE, MIB, MIB, "1MiB"),
        (types.SIZE, TIB, TIB, "1TiB"),
        (types.SIZE, PIB, PIB, "1PiB"),
        (types.SIZE, EIB, EIB, "1EiB"),
        (types.SIZE, 1024 * EIB, 1024 * EIB, "1024EiB"),
        (types.SIZE, [1], [1], [1]),
        (types.SIZE, "lots", "lots", "lots"),
    ],
)
def test_shown(type_: FieldType, value: Any, result: Any, diff: Any) -> None:
    assert (type_.to_result(value), type_.to_diff(value)) == (result, diff)


NO_NETWORK = "must be a network in CIDR notation, an IP address or *, not "
NO_SIZE = (
    "must be a number of bytes, or a number with one of the units KiB, MiB, GiB, TiB, PiB and EiB (0 is no limit), not "
)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        (types.TEXT, [1], "must be text, not [1]"),
        (types.NAME, {}, "must be text, not {}"),
        (types.NAME, True, "must be text, not True"),
        (types.INTEGER, "ten", "must be a whole number, not 'ten'"),
        (types.INTEGER, "1.5", "must be a whole number, not '1.5'"),
        (types.INTEGER, 2**63, "must be at most 9223372036854775807"),
        (types.BOOLEAN, "maybe", "must be true or false, not 'maybe'"),
        (types.URL, "https://[", "must be a valid URL"),
        *((types.NETWORK, text, f"{NO_NETWORK}{text!r}") for text in ("", "web", "10.0.0.0/33", "10.0.0.0/255.0.0.0")),
        *((types.PATH, text, f"must start with /, not {text!r}") for text in ("", "data", " /a")),
        (types.PATH, "/a/../b", "must be a path without .., not '/a/../b'"),
        (types.LIMIT, 2**63, "must be at most 9223372036854775807"),
        (types.SIZE, "010", "must not begin with 0, which YAML reads as an octal number, not '010'"),
        (types.LIMIT, -1, "must be 0 or more"),
        (types.LIMIT, "1K", "must be a whole number, not '1K'"),
        (types.SIZE, "-1", "must be 0 or more"),
        (types.SIZE, -1, "must be 0 or more"),
        (types.SIZE, [1], "must be a whole number, not [1]"),
        (types.SIZE, True, "must be a whole number, not True"),
        (types.SIZE, 1.5, "must be a whole number, not 1.5"),
        (types.SIZE, "0.0001K", "must be at least one byte, or 0, not '0.0001K'"),
        *(
            (types.SIZE, text, f"{NO_SIZE}{text!r}")
            for text in ("-1G", "1.5", "1.G", ".5G", "1e3", "1" * 31 + "K", "K")
        ),
        *((types.SIZE, text, f"{NO_SIZE}{text!r}") for text in ("10b", "10Gb", "10Gbit", "10Ki", "10gib", "10iB")),
        *((types.SIZE, text, f"{NO_SIZE}{text!r}") for text in ("10 gigs", "ten", "unlimited")),
    ],
)
def test_refused(type_: FieldType, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"^must") as caught:
        type_.to_request(value)
    assert str(caught.value) == message


def test_the_options_of_limits() -> None:
    assert (types.LIMIT.option, types.SIZE.option) == ("int", "str")
