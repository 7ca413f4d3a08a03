# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""No result repeats secrets of our requests, however a console writes them; and nothing else is removed."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import echoes
from ansible_collections.managedfs.console.plugins.module_utils._internal.echoes import Echoes, Shown
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.signing import token
from ansible_collections.managedfs.console.plugins.module_utils._internal.masking import MASK

SIGNATURE = "5f0e9c1ab27d4836" * 4
TOKEN = token("b047148daf480032d269", 1_790_000_000, SIGNATURE)


def clean(value: Any, *secrets: str) -> Any:
    """Return a value in the result of a task that has sent these secrets."""
    found = Echoes()
    found.add(*secrets)
    return found.clean({"value": value})["value"]


def test_an_echo_is_taken_out_whatever_it_is_glued_to() -> None:
    # White space is not part of a token, and a letter before it could be.
    texts = [" {}", "%3A%20{}", "\u0130\u0130 {}\u00c9", "\\u0022{}\\u0022", "b'\\n{}'", "/{}%22", "{}", "a {} c"]
    secret = TOKEN.rstrip("=")
    for echo in (secret, secret.upper()):
        assert [clean(text.format(echo), TOKEN) for text in texts] == [text.format(MASK) for text in texts]


@pytest.mark.parametrize("length", [16, 17, 40, 100, len(TOKEN) - 1])
@pytest.mark.parametrize("secret", [TOKEN, SIGNATURE])
def test_an_echo_that_was_cut_short_is_taken_out(secret: str, length: int) -> None:
    for start in range(0, max(1, len(secret) - length), 7):
        part = secret[start : start + length]
        assert clean(f"not ({part}), but x", secret) == f"not ({MASK}), but x"


def test_every_secret_of_a_task_is_searched_for() -> None:
    tokens = [token("b047148daf480032d269", 1_790_000_000 + number, f"{number:x}" * 64) for number in range(16)]
    assert [clean(text, *tokens) for text in tokens] == [MASK + "=" * text.count("=") for text in tokens]
    assert clean([*tokens, 1, None, {tokens[0]: True}], *tokens)[16:] == [1, None, {clean(tokens[0], *tokens): True}]


def test_nothing_else_is_taken_out() -> None:
    result = {"changed": True, "msg": "eyJhY2Nlc3N", "records": [{"id": 1, "token": "b047148daf4"}, None], "rate": 1.5}
    result |= {"hash": SIGNATURE[::-1], "empty": "", "number": int("1" * 60)}
    found = Echoes()
    found.add(TOKEN, SIGNATURE, "short", "", "////////////////")
    assert found.clean(result) == result
    assert found.clean({**result, "echo": TOKEN}) == {**result, "echo": MASK + TOKEN[len(TOKEN.rstrip("=")) :]}


def test_short_secrets_could_be_found_by_chance() -> None:
    assert clean("the tokens", "token", "the") == "the tokens"


def escaped(form: str, text: str) -> str:
    return "".join(form.format(ord(char)) for char in text)


in_json, in_url, in_html, in_hex = (partial(escaped, form) for form in ("\\u{:04x}", "%{:02X}", "&#{};", "&#x{:X};"))


def in_turn(text: str) -> str:
    """Return text with each character escaped in another way than the one before it."""
    ways: list[Callable[[str], str]] = [in_json, in_url, in_html, str, in_hex]
    return "".join(ways[number % len(ways)](char) for number, char in enumerate(text))


ENCODINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": in_json,
    "JSON of its last character": lambda text: text[:-1] + in_json(text[-1]),
    "JSON in JSON": lambda text: json.dumps(json.dumps(in_json(text))),
    "URL": in_url,
    "URL as quote has it": lambda text: quote(text, safe=""),
    "URL in URL": lambda text: quote(in_url(text)),
    "URL of JSON": lambda text: quote(in_json(text)),
    "JSON of URL": lambda text: in_json(in_url(text)),
    "HTML": in_html,
    "HTML in hexadecimal": in_hex,
    "HTML in HTML": lambda text: html.escape(html.escape(in_html(text))),
    "HTML of URL": lambda text: in_html(in_url(text)),
    "URL of HTML of JSON": lambda text: in_url(in_html(in_json(text))),
    "mixed": in_turn,
    "spaced": " ".join,
    "UTF-16": lambda text: text.encode("utf-16-le").decode("latin-1"),
    "upper case": str.upper,
}


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("secret", [SIGNATURE, TOKEN, "eyJ4IjogImFiYy9kZWYrZ2hpPT09In0+/w=="])
def test_an_echo_is_found_however_it_is_written(encode: Callable[[str], str], secret: str) -> None:
    echo = encode(secret)
    for text in (f"bad token {echo}", json.dumps({"detail": f"bad token {echo}"})):
        kept = clean([text, "other"], secret)
        assert MASK in kept[0]
        assert echo not in kept[0]
        assert kept[1] == "other"
        assert clean(kept, secret) == kept


def test_an_echo_in_many_pieces_is_masked_with_what_holds_it() -> None:
    assert clean({"echo": list(SIGNATURE)}, SIGNATURE) == MASK
    assert clean({"echo": ["other", SIGNATURE]}, SIGNATURE) == {"echo": ["other", MASK]}


@pytest.mark.parametrize("encode", [str, in_html], ids=["plain", "escaped"])
def test_what_takes_long_to_search_is_masked_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, encode: Callable[[str], str]
) -> None:
    monkeypatch.setattr(echoes, "_MAX_WORK", 1_000)
    filling = "x" * 1_000
    assert clean(f"a {encode(SIGNATURE[:40])} b", SIGNATURE) in (f"a {MASK} b", MASK)
    assert clean(f"{encode(filling)} {SIGNATURE}", SIGNATURE) == MASK
    assert clean(filling, SIGNATURE) == filling


NO_ESCAPES = ["", "{}", "%", "100%", "\\", "&", "&amp;", "%zz &#xyz; \\u12", "/home/%41&b\\n\u00e9", "\ud800"]


def test_what_only_looks_like_an_escape_is_no_echo() -> None:
    assert clean(NO_ESCAPES, SIGNATURE, TOKEN) == NO_ESCAPES
    assert clean([*NO_ESCAPES, TOKEN], TOKEN)[:-1] == NO_ESCAPES


def test_what_is_escaped_in_more_layers_than_are_decoded_is_masked() -> None:
    text = SIGNATURE[:16]
    for layer in range(9):
        text = (
            (in_html if layer % 2 else in_url)(text) if layer < 3 else quote(text) if layer % 2 else html.escape(text)
        )
        text = text.replace("&", "%26") if layer % 2 else text.replace("%", "&#37;")
    assert clean(text, SIGNATURE) == MASK
    assert clean([text, TOKEN], TOKEN) == [MASK, clean(TOKEN, TOKEN)]


def test_long_runs_of_what_begins_an_escape_are_read_in_one_go() -> None:
    # If the time grew with the square of the length, this would take hours.
    for run in ("\\", "%25", "&amp;", "\\u005c", "&#0"):
        assert SIGNATURE[:16] not in clean(run * 300_000 + SIGNATURE, SIGNATURE)


def test_a_token_is_known_as_long_as_the_list_shows_it() -> None:
    shown = Shown()
    for first, second in (("first-token-of-web", "second-token-of-web"), ("second-token-of-web", "first-token-of-web")):
        shown.add("/api/exports", [{"token": first}])
        assert shown.clean(f"no {first}, but {second}") == f"no {MASK} but {second}"
