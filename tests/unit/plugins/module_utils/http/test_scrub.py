# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Our own credentials are removed from a response where it comes in."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.echo import essence, has_echo
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.response import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.scrub import Scrubber, scrub
from ansible_collections.managedfs.console.plugins.module_utils._internal.masking import MASK

TOKEN = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo"
SIGNATURE = "0123456789abcdef" * 4


@pytest.mark.parametrize("token", [TOKEN, TOKEN[:28]])
def test_an_echo_of_our_own_signature_is_masked(token: str) -> None:
    body = {"detail": f"the token {token} with signature {SIGNATURE.upper()} is bad"}
    response = scrub(Response(400, {}, json.dumps(body).encode()), (token, SIGNATURE))
    assert response.json() == {"detail": "the token ******** with signature ******** is bad"}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"echo": SIGNATURE}).replace("0", "\\u0030").encode(),
        f"<p>{SIGNATURE}</p>".encode(),
        f'{{"echo": "{SIGNATURE}'.encode(),
        b"\xff" + SIGNATURE.encode(),
    ],
)
def test_escaped_broken_and_wrapped_echoes_are_masked(content: bytes) -> None:
    response = scrub(Response(400, {"Location": f"/login?{SIGNATURE}"}, content), (SIGNATURE,))
    text = response.content.decode("utf-8", "replace") + str(response.headers)
    assert "********" in text
    assert "abcdef0123456789" not in text


@pytest.mark.parametrize(
    "text", ["x{}", "%3A%20{}", "\u0130\u0130{}\u00c9", "\\u0022{}\\u0022", "b'\\n{}'", "/{}%22", "{}", "a b {} c"]
)
def test_an_echo_is_taken_out_whatever_it_is_glued_to(text: str) -> None:
    token = "eyJhY2Nlc3Nfa2V5IjogImIwNDcxNDhkYWY0ODAwMzJkMjY5Iiwg"
    for echo in (token, token.upper()):
        assert Scrubber((token,)).text(text.format(echo)) == text.format(MASK)


def test_short_pieces_of_a_secret_are_no_echo() -> None:
    assert Scrubber(("token", "the")).text("the tokens") == "the tokens"


def test_an_echo_among_names_and_values_is_taken_out() -> None:
    content = json.dumps({TOKEN: [TOKEN, 1, None]}).encode()
    assert json.loads(Scrubber((TOKEN,)).body(content)) == {MASK: [MASK, 1, None]}


def in_json(text: str) -> str:
    """Return text with every character as JSON may write it."""
    return "".join(f"\\u{ord(char):04x}" for char in text)


def in_url(text: str) -> str:
    """Return text with every character as a URL may write it."""
    return "".join(f"%{ord(char):02X}" for char in text)


def in_html(text: str) -> str:
    """Return text with every character as HTML may write it."""
    return "".join(f"&#{ord(char)};" for char in text)


def in_hexadecimal_html(text: str) -> str:
    """Return the same in hexadecimal."""
    return "".join(f"&#x{ord(char):X};" for char in text)


def in_turn(text: str) -> str:
    """Return text with each character written in another way than the one before it."""
    ways: list[Callable[[str], str]] = [in_json, in_url, in_html, str, in_hexadecimal_html]
    return "".join(ways[number % len(ways)](char) for number, char in enumerate(text))


def spaced(text: str) -> str:
    """Return text with something between any two characters."""
    return " ".join(text)


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
    "HTML in hexadecimal": in_hexadecimal_html,
    "HTML in HTML": lambda text: html.escape(html.escape(in_html(text))),
    "HTML of URL": lambda text: in_html(in_url(text)),
    "URL of HTML of JSON": lambda text: in_url(in_html(in_json(text))),
    "mixed": in_turn,
    "spaced": spaced,
    "UTF-16": lambda text: text.encode("utf-16-le").decode("latin-1"),
    "upper case": str.upper,
}


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("secret", [SIGNATURE, "eyJ4IjogImFiYy9kZWYrZ2hpPT09In0+/w=="])
def test_an_echo_is_found_however_it_is_written(encode: Callable[[str], str], secret: str) -> None:
    echo = encode(secret)
    assert has_echo(f'[{{"path": "/a", "echo": "{echo}"}}]'.encode(), (secret,))
    for content in (f"bad token {echo}", json.dumps({"detail": f"bad token {echo}"}), f'{{"detail": "{echo}"}}'):
        kept = scrub(Response(401, {}, content.encode()), (secret,)).content.decode()
        assert MASK in kept
        assert echo not in kept
        assert not has_echo(kept.encode(), (secret,))


def test_an_echo_in_many_pieces_is_masked_as_a_whole() -> None:
    assert Scrubber((SIGNATURE,)).body(json.dumps({"echo": list(SIGNATURE)}).encode()) == MASK.encode()


def test_a_long_body_with_an_echo_is_masked_as_a_whole() -> None:
    filling = b"x" * 5_000_000
    for echo in (filling + SIGNATURE.encode(), SIGNATURE[:20].encode() + filling):
        assert Scrubber((SIGNATURE,)).body(echo) == MASK.encode()
    assert Scrubber((SIGNATURE,)).body(filling) == filling


@pytest.mark.parametrize(
    "text", ["", "{}", "%", "100%", "\\", "&", "&amp;", "%zz &#xyz; \\u12", "/home/%41&b\\n\u00e9"]
)
def test_what_only_looks_like_an_escape_is_no_echo(text: str) -> None:
    assert not has_echo(text.encode(), (SIGNATURE, TOKEN))
    assert Scrubber((SIGNATURE, TOKEN)).text(text) == text


def test_long_runs_of_what_begins_an_escape_are_read_in_one_go() -> None:
    # If the time grew with the square of the length, this would take hours.
    for run in (b"\\", b"%25", b"&amp;", b"\\u005c", b"&#0"):
        assert essence(run * 300_000 + b"abc").endswith(b"abc")
