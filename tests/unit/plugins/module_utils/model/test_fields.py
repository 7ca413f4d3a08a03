# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The types of fields, as tables: equal values, values in requests, results and diffs, and refused ones."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model import fields as types
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import FieldType


def name_of(type_: FieldType) -> str:
    return type(type_).__name__


KIB, MIB, GIB, TIB, PIB, EIB = (1024**power for power in range(1, 7))


# None of them takes time that grows with the square of its length.
LONG_URLS = ["/" * 200_000 + "a", "//a" + "\u0300\u0316" * 100_000]


# By type: values that mean the same.
# fmt: off
EQUAL: dict[FieldType, list[tuple[Any, ...]]] = {
    types.TEXT: [("a", "a"), ("", None), ("12", 12)],
    types.INTEGER: [(4096, "4096"), (4096, 4096.0), (-1, " -1 "), (4096, "4096.0"), (-1, " -1.00\n")],
    types.BOOLEAN: [(True, "true"), (False, 0), (False, None)],
    types.URL: [
        ("https://b.test", "https://b.test/"), ("HTTPS://B.test/Path", "https://b.test/Path//"), ("https://b?/", "https://b"),
        ("https://b.test/a#", "https://b.test/a"), ("https://Me:PW@B.test", "https://Me:PW@b.test"), ("S3:a", "s3:a"),
        ("a", "a/?#/"), *((f"{text}/", text) for text in LONG_URLS),
    ],
    types.NETWORK: [
        ("192.168.0.1/24", "192.168.0.0/24"), ("10.0.0.1", "10.0.0.1/32"), ("10.0.0.0/8", "10.0.0.0/255.0.0.0"),
        ("2001:DB8::1", "2001:db8:0::1/128"), ("FE80::1%a", "fe80:0::1%a/128"), ("", None), ("nonsense", "nonsense"),
    ],
    types.PATH: [("/a", "/a/"), ("/a/b", "//a/./b//"), ("/", "//"), ("/a", "a"), ("/", "")],
    types.ANY: [({"a": [1]}, {"a": [1]}), ({"a": 1, "b": 2}, {"b": 2, "a": 1})],
    types.NAME: [("", None), (" a ", " a "), ("7", 7)],
    types.LOOSE: [(7, "7"), (True, "true"), (1.5, "1.5"), ({"a": [1]}, {"a": [1]}), (None, None)],
    types.LIMIT: [(0, None), ("1048576", MIB), ("1000000.0", 10**6)],
    types.SIZE: [
        ("10GiB", "10737418240"), ("10G", 10 * GIB), ("10gb", "10 GiB"), ("10Gi", "10gib"), ("10b", 10), ("1.5T", 3 * GIB * 512), ("0G", 0),
        ("10B", 10), (" 10 ", 10), (10.0, 10), ("0", None), ("lots", "lots"), ("5368709120.0", 5 * GIB), (" 0.0 ", 0),
    ],
}
# fmt: on


@pytest.mark.parametrize("type_", EQUAL, ids=name_of)
def test_equal(type_: FieldType) -> None:
    pairs = EQUAL[type_]
    assert [pair for pair in pairs if not (type_.equal(*pair) and type_.equal(*pair[::-1]))] == []


# By type: values that differ.
# fmt: off
NOT_EQUAL: dict[FieldType, list[tuple[Any, ...]]] = {
    types.TEXT: [("a", "A"), ("true", True), ("a", " a"), ("a", "a\n"), ("a", "a\x00")],
    types.INTEGER: [(1, True), (0, None), (1, 1.5), ("x", "y")],
    types.BOOLEAN: [(True, None), (False, ""), (True, 2)],
    types.URL: [
        ("https://b.test/a", "https://b.test/A"), ("https://b.test", "http://b.test"), ("https://[", "https://[["),
        ("https://b.test", "https://b.test/X"), ("https://me:pw@b.test", "https://me:PW@b.test"),
        ("https://b.test?x", "https://b.test"), ("a//B", "a//b"), ("B", "b"),
        ("https://b.test/", "https://b.test/ "), ("https://b.test", " https://b.test"), ("a", "a\x1f"),
    ],
    types.NETWORK: [
        ("*", "0.0.0.0/0"), ("10.0.0.0/8", "10.0.0.0/9"), ("0.0.0.0/0", "::/0"), ("nonsense", "other"), ("*", " *"), ("10.0.0.0/8", "10.0.0.0/8\n"),
        ("fe80::1%a/64", "fe80::1%b/64"), ("fe80::1%a/64", "fe80::/64"),
    ],
    types.PATH: [("/a", "/A"), ("/a b", "/a b "), ("/a/../b", "/b"), ("/a", " /a")],
    types.NAME: [("a", "a "), ("a", "\ta"), ("a", "A")],
    types.ANY: [({"a": [1]}, {"a": [2]})],
    types.LOOSE: [("a", "A"), ("a", "a "), (7, 8), (None, ""), (None, 0)],
    types.LIMIT: [(1, None), (1, 2)],
    types.SIZE: [("10G", "10g bits"), (10, "10K"), ("1G", 10**9)],
}
# fmt: on


@pytest.mark.parametrize("type_", NOT_EQUAL, ids=name_of)
def test_not_equal(type_: FieldType) -> None:
    pairs = NOT_EQUAL[type_]
    assert [pair for pair in pairs if type_.equal(*pair) or type_.equal(*pair[::-1])] == []


# By type: the given value, and the one that is sent.
# fmt: off
SENT: dict[FieldType, list[tuple[Any, ...]]] = {
    types.TEXT: [(" a ", "a"), ("a\n", "a"), ("\u3000a b", "a b"), (" ", "")],
    types.URL: [(" https://b.test/ ", "https://b.test/")],
    types.NAME: [(" a ", " a ")],
    types.PATH: [("/a /b ", "/a /b "), ("/data//a/", "/data/a")],
    types.NETWORK: [("192.168.0.1/24", "192.168.0.1/24"), (" * ", "*"), ("10.0.0.0/8\n", "10.0.0.0/8")],
    types.LIMIT: [(0, 0), ("7", 7), ("7.0", 7), (7.0, 7), ("9223372036854775807.0", 2**63 - 1)],
    types.SIZE: [
        ("1K", KIB), ("1m", MIB), ("1 GB", GIB), ("1TiB", TIB), ("1p", PIB), ("1EiB", EIB), ("1.5K", 1536),
        ("0", 0), (7, 7), ("7", 7), ("7B", 7), ("7.0", 7), (7.0, 7), ("0.001K", 1), ("1.0B", 1), ("0.0K", 0), (f"{2**63 - 1}B", 2**63 - 1),
    ],
}
# fmt: on


@pytest.mark.parametrize("type_", SENT, ids=name_of)
def test_to_request(type_: FieldType) -> None:
    found = [(value, type_.to_request(value)) for value, _sent in SENT[type_]]
    assert found == SENT[type_]
    assert [type(sent) for _value, sent in found] == [type(sent) for _value, sent in SENT[type_]]


# By type: the console's value, and the values in results and diffs.
# fmt: off
SHOWN: dict[FieldType, list[tuple[Any, ...]]] = {
    types.TEXT: [(None, None, None)],
    types.INTEGER: [("7", 7, 7), ("7.0", 7, 7), ("seven", "seven", "seven")],
    types.BOOLEAN: [("false", False, False)],
    types.ANY: [([1], [1], [1])],
    types.NAME: [(" a ", " a ", " a ")],
    types.PATH: [("/a/", "/a/", "/a/")],
    types.LOOSE: [("7", "7", "7")],
    types.LIMIT: [("1048576", MIB, MIB), (None, None, None)],
    types.SIZE: [
        *((value, value, value) for value in (None, 0, 1, 1023, KIB + 1, 1536, [1], "lots")),
        (KIB, KIB, "1KiB"), (MIB, MIB, "1MiB"), (TIB, TIB, "1TiB"), (PIB, PIB, "1PiB"), (EIB, EIB, "1EiB"),
        ("0", 0, 0), ("10737418240", 10 * GIB, "10GiB"), (1024 * EIB, 1024 * EIB, "1024EiB"),
        (1536 * KIB, 1536 * KIB, "1536KiB"),
    ],
}
# fmt: on


@pytest.mark.parametrize("type_", SHOWN, ids=name_of)
def test_shown(type_: FieldType) -> None:
    values = [value for value, _result, _diff in SHOWN[type_]]
    assert [(value, type_.to_result(value), type_.to_diff(value)) for value in values] == SHOWN[type_]


NO_NETWORK = "must be a network in CIDR notation, an IP address or *, not "
ONE_RANGE = ". It is one range: for several, make an export for each"
NO_SIZE = (
    "must be a number of bytes, or a number with one of the units KiB, MiB, GiB, TiB, PiB and EiB (0 is no limit), not "
)

NO_SIZE_TEXTS = "-1G 1.5 1.G .5G 1e3 K 10bit 10Gbit 10\u212a 10iB ten unlimited"


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        (types.TEXT, [1], "must be text, not [1]"),
        (types.TEXT, "a\tb", r"must be text without control characters, not 'a\tb'"),
        (types.URL, "https://b/\x00", r"must be text without control characters, not 'https://b/\x00'"),
        (types.NETWORK, "10.0.0.0\n/8", r"must be text without control characters, not '10.0.0.0\n/8'"),
        (types.NAME, {}, "must be text, not {}"),
        (types.NAME, True, "must be text, not True"),
        (types.INTEGER, "ten", "must be a whole number, not 'ten'"),
        *(
            (types.INTEGER, text, f"must be a whole number, not {text!r}")
            for text in ("1.5", "1.", ".0", "1.0.0", "1_0.0", "1e6")
        ),
        (types.INTEGER, "1" * 41, f"must be a whole number, not '{'1' * 41}'"),
        (types.INTEGER, 2**63, "must be at most 9223372036854775807"),
        (types.BOOLEAN, "maybe", "must be true or false, not 'maybe'"),
        (types.URL, "https://[", "must be a valid URL"),
        *(
            (types.NETWORK, text, f"{NO_NETWORK}{text!r}")
            for text in ("", "10.0.0.0/33", "10.0.0.0/255.0.0.1", "1.2.3", "*.0.0.1", "10.*.0.1", "300.0.0.*")
        ),
        *(
            (types.NETWORK, text, f"{NO_NETWORK}{text!r}. Write {meant}")
            for text, meant in (
                ("10.0.0.*", "10.0.0.0/24"),
                ("10.*.*.*", "10.0.0.0/8"),
                ("10.1.*", "10.1.0.0/16"),
                ("10.0.0.0/255.0.0.0", "10.0.0.0/8"),
                ("10.0.0.0 / 8", "10.0.0.0/8"),
                ("[2001:db8::]/32", "2001:db8::/32"),
                ("[::1]", "::1/128"),
            )
        ),
        *((types.NETWORK, text, f"{NO_NETWORK}{text!r}. Any address is *") for text in ("any", "ALL")),
        *(
            (types.NETWORK, text, f"{NO_NETWORK}{text!r}. Write networks, such as 10.0.0.0/28, with an export for each")
            for text in ("10.0.0.1-10.0.0.9", "10.0.0.1 - 9")
        ),
        (types.NETWORK, "web.example.com", f"{NO_NETWORK}'web.example.com'. Use the address of that host"),
        *(
            (types.NETWORK, text, f"{NO_NETWORK}{text!r}{ONE_RANGE}")
            for text in ("10.0.0.1,10.0.0.2", "a; b", "10.0.0.1 10.0.0.2", "['10.0.0.1']")
        ),
        *((types.PATH, text, f"must start with /, not {text!r}") for text in ("", "data", " /a")),
        *((types.PATH, text, f"must be a path without .., not {text!r}") for text in ("/a/../b", "/..", "/a/..")),
        (types.LIMIT, 2**63, "must be at most 9223372036854775807"),
        (types.SIZE, "010", f"{NO_SIZE}'010'"),
        (types.LIMIT, -1, "must be 0 or more, and 0 is no limit"),
        (types.LIMIT, "1K", "must be a whole number, not '1K'"),
        (types.SIZE, "010.0", f"{NO_SIZE}'010.0'"),
        (types.INTEGER, "010", "must be a whole number, not '010'"),
        (types.SIZE, "-1", "must be 0 or more, and 0 is no limit"),
        (types.SIZE, "-1.0", "must be 0 or more, and 0 is no limit"),
        (types.SIZE, -1, "must be 0 or more, and 0 is no limit"),
        (types.SIZE, [1], "must be a whole number, not [1]"),
        (types.SIZE, True, "must be a whole number, not True"),
        (types.SIZE, 1.5, "must be a whole number, not 1.5"),
        (types.SIZE, "0.0001K", "must be at least one byte, or 0, not '0.0001K'"),
        *((types.SIZE, text, f"{NO_SIZE}{text!r}") for text in (*NO_SIZE_TEXTS.split(), "10 gigs", "1" * 31 + "K")),
    ],
)
def test_refused(type_: FieldType, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"^must") as caught:
        type_.to_request(value)
    assert str(caught.value) == message


def test_the_options_of_limits() -> None:
    assert (types.LIMIT.option, types.SIZE.option) == ("int", "str")


A_NUMBER = "is a number, which YAML may have read from 1.10 or 010: quote it, or use the filter string"


@pytest.mark.parametrize(
    ("field_type", "value", "warning"),
    [
        (types.PATH, "/home/alice smith", ""),
        (types.PATH, "/a\n", "contains the control character '\\n'"),
        (types.PATH, "/a\x85b", "contains the control character '\\x85'"),
        (types.NAME, "web", ""),
        (types.NAME, "1.1", ""),
        *((type_, number, A_NUMBER) for type_ in (types.NAME, types.TEXT) for number in (1.1, 8)),
        (types.NAME, "the server's \u00fc {1}", ""),
        (types.NAME, "'web'", "is in quotation marks, which are taken as part of it"),
        (types.NAME, "'a' and 'b'", ""),
        (
            types.NAME,
            "\u0641\u0627\u0631\u0633\u06cc\u200c\u0647\u0627, \u4e00\u3000\u4e8c, \U0001f468\u200d\U0001f469",
            "",
        ),
        (types.NAME, "{{ name }}", "contains a template that was not evaluated"),
        (types.NAME, "web\u200b", "contains ZERO WIDTH SPACE, which cannot be seen"),
        (types.NAME, "two\u00a0words", "contains NO-BREAK SPACE, which cannot be seen"),
        (types.PATH, "/\ufeffa", "contains ZERO WIDTH NO-BREAK SPACE, which cannot be seen"),
        (types.NETWORK, "fe80::1%eth0", "has a scope id, behind %, which means something on one machine alone"),
        (types.NETWORK, "fe80::%eth0/64", "has a scope id, behind %, which means something on one machine alone"),
        (types.NETWORK, "*", ""),
        *(
            (types.NETWORK, text, "")
            for text in ("10.0.0.0/8", "10.0.0.1", "10.0.0.1/32", "10.0.0.1/31", "::1", "::1/127")
        ),
        *(
            (
                types.NETWORK,
                f" {address}/{bits}",
                f"is {address}/{bits}, which means all of {network}: write that, or {address} for that address alone",
            )
            for address, bits, network in (
                ("10.0.0.1", 8, "10.0.0.0/8"),
                ("10.0.0.1", 30, "10.0.0.0/30"),
                ("10.0.0.1", 0, "0.0.0.0/0"),
                ("2001:db8::1", 126, "2001:db8::/126"),
            )
        ),
    ],
)
def test_what_is_valid_and_probably_not_meant(field_type: types.FieldType, value: Any, warning: str) -> None:
    assert field_type.to_request(value)
    assert field_type.plan_warning(value) == warning
