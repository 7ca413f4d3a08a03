# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON as consoles send it: what is read, what is refused, how its texts are changed; and errors, which quote it."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import (
    ConsoleError,
    RequestError,
    VerificationError,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.json_values import (
    MAX_DEPTH,
    is_too_deep,
    map_text,
    parse_json,
    printable,
)

DEEP = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH


@pytest.mark.parametrize(
    ("content", "value"),
    [
        pytest.param(b"null", None, id="null"),
        pytest.param(b' {"a": [1, 2.5, true, ""]} ', {"a": [1, 2.5, True, ""]}, id="any value"),
        pytest.param(
            '"\N{LATIN SMALL LETTER E WITH ACUTE}"'.encode(), "\N{LATIN SMALL LETTER E WITH ACUTE}", id="UTF-8"
        ),
        pytest.param(b"[-" + b"9" * 308 + b", 1e-999, 1e308]", [-(10**308 - 1), 0.0, 1e308], id="long numbers"),
        pytest.param(b'["' + b"9" * 5000 + b'", 7]', ["9" * 5000, 7], id="many digits in a text"),
        pytest.param(b'"\\ud83d\\ude00"', "\U0001f600", id="a surrogate pair"),
        pytest.param(b'{"\\ud800a": ["\\uDFFF"]}', {"\ufffda": ["\ufffd"]}, id="half a surrogate pair"),
    ],
)
def test_read(content: bytes, value: Any) -> None:
    assert parse_json(content) == value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "Expecting value", id="nothing"),
        pytest.param(b"<html>", "Expecting value", id="HTML"),
        pytest.param(b"\xff", "utf-8", id="not UTF-8"),
        pytest.param(b"[NaN]", "^NaN is not JSON$", id="not a number"),
        pytest.param(b"[-Infinity]", "^-Infinity is not JSON$", id="infinite"),
        pytest.param(b"[1e999]", "^a number of more than 308 digits$", id="a float beyond all floats"),
        pytest.param(b'{"a": -1e999}', "^a number of more than 308 digits$", id="the same below zero"),
        pytest.param(
            b"[1" + b"0" * 308 + b"]", "^a number of more than 308 digits$", id="an integer beyond all floats"
        ),
        pytest.param(b"[-1" + b"0" * 5000 + b"]", "^a number of more than 308 digits$", id="thousands of digits"),
        pytest.param(b"[" + DEEP + b"]", "^values nested too deeply$", id="nested too deeply for a result"),
        pytest.param(b"[" * 200_000, "^values nested too deeply$", id="nested too deeply for Python"),
    ],
)
def test_refused(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_json(content)


def nested(depth: int, innermost: Any) -> Any:
    """Return a value in so many lists and dictionaries in turns."""
    for level in range(depth):
        innermost = [innermost] if level % 2 else {"a": innermost}
    return innermost


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(1, False, id="a number"),
        pytest.param("x" * 1000, False, id="a long text"),
        pytest.param([[]] * 1000, False, id="a long list"),
        pytest.param(nested(MAX_DEPTH, 1), False, id="just shallow enough"),
        pytest.param(nested(MAX_DEPTH + 1, 1), True, id="one too many"),
        pytest.param([1, {"a": nested(MAX_DEPTH, 1)}], True, id="one too many, beside a shallow one"),
        pytest.param(nested(MAX_DEPTH, (1,)), True, id="one too many, a tuple"),
    ],
)
def test_is_too_deep(value: Any, expected: bool) -> None:
    assert is_too_deep(value) is expected


def test_text_is_changed_at_any_depth_and_nothing_else() -> None:
    value = {"a": ["b", {"c": "d"}], "e": 1, "f": None, "g": True}
    changed = map_text(value, str.upper)
    assert changed == {"A": ["B", {"C": "D"}], "E": 1, "F": None, "G": True}
    assert value == {"a": ["b", {"c": "d"}], "e": 1, "f": None, "g": True}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain ünï שלום <b>", "plain ünï שלום <b>"),
        ("a\nb\tc\x00", "a\\nb\\tc\\x00"),
        ("\u202egpj.exe\u2069", "\\u202egpj.exe\\u2069"),
        ("\U000e0041\ufffe", "\\U000e0041\\ufffe"),
    ],
)
def test_what_does_not_show_is_written_as_an_escape(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_whatever_a_message_quotes_is_printable() -> None:
    hostile = "a\x1b[31m\u202e\x9b\n"
    escaped = "a\\x1b[31m\\u202e\\x9b\\n"
    assert str(ConsoleError(f"{hostile}: no")) == f"{escaped}: no"
    assert str(ConsoleError("no").followed_by(hostile)) == f"no. {escaped}"
    for kind in (RequestError, VerificationError):
        error = kind("GET", f"/{hostile}", hostile, 400)
        assert str(error).isprintable()
        failure = error.details["failure"]
        assert (failure["path"], failure["message"], failure["status"]) == (f"/{escaped}", escaped, 400)
