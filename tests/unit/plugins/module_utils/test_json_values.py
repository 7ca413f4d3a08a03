# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON as consoles send it: valid and refused values, changes of texts; and errors, which quote it."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import errors, values

DEEP = b"[" * values.MAX_DEPTH + b"]" * values.MAX_DEPTH


READ: dict[str, tuple[Any, ...]] = {
    "null": (b"null", None),
    "any value": (b' {"a": [1, 2.5, true, ""]} ', {"a": [1, 2.5, True, ""]}),
    "UTF-8": ('"ü"'.encode(), "ü"),
    "long numbers": (b"[-" + b"9" * 308 + b", 1e-999, 1e308]", [-(10**308 - 1), 0.0, 1e308]),
    "many digits in a text": (b'["' + b"9" * 308 + b'", 7]', ["9" * 308, 7]),
    "a surrogate pair": (b'"\\ud83d\\ude00"', "\U0001f600"),
    "half a surrogate pair": (b'{"\\ud800a": ["\\uDFFF"]}', {"\ufffda": ["\ufffd"]}),
}


@pytest.mark.parametrize(("content", "value"), READ.values(), ids=READ)
def test_read(content: bytes, value: Any) -> None:
    assert values.parse_json(content) == value


def test_half_a_surrogate_pair_in_a_long_text_takes_little_memory() -> None:
    # Of a text with an emoji, each character takes four bytes, and so does each in a copy.
    content = b'"\\ud83d' + "\U0001f600".encode() + b"a" * 2**20 + b'"'
    tracemalloc.start()
    values.parse_json(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3.5 * 4 * len(content)


UNUSABLE = "^infinity, NaN or a number of more than 308 digits$"
REFUSED: dict[str, tuple[Any, ...]] = {
    "nothing": (b"", "Expecting value"),
    "HTML": (b"<html>", "Expecting value"),
    "not UTF-8": (b"\xff", "utf-8"),
    "not a number": (b"[NaN]", UNUSABLE),
    "infinite": (b"[-Infinity]", UNUSABLE),
    "a float beyond all floats": (b"[1e999]", UNUSABLE),
    "the same below zero": (b'{"a": -1e999}', UNUSABLE),
    "an integer beyond all floats": (b"[1" + b"0" * 308 + b"]", UNUSABLE),
    "thousands of digits": (b"[-1" + b"0" * 5000 + b"]", UNUSABLE),
    "nested too deeply for a result": (b"[" + DEEP + b"]", "^values nested too deeply$"),
    "nested too deeply for Python": (b"[" * 200_000, "^values nested too deeply$"),
}


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        values.parse_json(content)


def nested(depth: int, innermost: Any) -> Any:
    """Return a value inside this many lists and dictionaries in turn."""
    for level in range(depth):
        innermost = [innermost] if level % 2 else {"a": innermost}
    return innermost


def test_is_too_deep() -> None:
    shallow = [1, "x" * 1000, [[]] * 1000, nested(values.MAX_DEPTH, 1)]
    deepest = nested(values.MAX_DEPTH, 1)
    deep = [nested(values.MAX_DEPTH + 1, 1), [1, {"a": deepest}], nested(values.MAX_DEPTH, (1,))]
    assert [values.is_too_deep(value) for value in (*shallow, *deep)] == [False] * 4 + [True] * 3


def test_text_is_changed_at_any_depth_and_nothing_else() -> None:
    value = {"a": ["b", {"c": "d"}], "e": 1, "f": None, "g": True}
    changed = values.map_text(value, str.upper)
    assert changed == {"A": ["B", {"C": "D"}], "E": 1, "F": None, "G": True}
    assert value == {"a": ["b", {"c": "d"}], "e": 1, "f": None, "g": True}


PRINTABLE = {
    "plain ünï שלום <b>": "plain ünï שלום <b>",
    "a\nb\tc\x00": "a\\nb\\tc\\x00",
    "\u202egpj.exe\u2069": "\\u202egpj.exe\\u2069",
    "\U000e0041\ufffe": "\\U000e0041\\ufffe",
}


def test_what_does_not_show_is_written_as_an_escape() -> None:
    assert {text: values.printable(text) for text in PRINTABLE} == PRINTABLE


def test_whatever_a_message_quotes_is_printable() -> None:
    hostile = "a\x1b[31m\u202e\x9b\n"
    escaped = "a\\x1b[31m\\u202e\\x9b\\n"
    assert str(errors.ConsoleError(f"{hostile}: no")) == f"{escaped}: no"
    assert str(errors.ConsoleError("no").followed_by(hostile)) == f"no. {escaped}"
    for kind in (errors.RequestError, errors.VerificationError):
        error = kind("GET", f"/{hostile}", hostile, 400)
        assert str(error).isprintable()
        failure = error.details["failure"]
        assert (failure["path"], failure["message"], failure["status"]) == (f"/{escaped}", escaped, 400)


def test_errors_as_data_are_printable() -> None:
    (listed,) = errors.list_errors([errors.Problem("\u202ea", "item 1 ('\u202ea')", "no", {"volume": "\x9bv"})])
    assert listed == {"volume": "\\x9bv", "key": "\\u202ea", "msg": "item 1 ('\\u202ea'): no"}
