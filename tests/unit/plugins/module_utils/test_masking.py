# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets are masked where they stand, and nothing else is; nor does a response repeat our own credentials."""

from __future__ import annotations

import copy
import html
import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.masking import (
    MASK,
    essence,
    has_echo,
    is_secret_name,
    mask,
    mask_echoes,
    mask_echoes_in_body,
    mask_text,
    may_hide_secret,
)

TOKEN = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo"
SIGNATURE = "0123456789abcdef" * 4


SECRET_NAMES = "token access_token secret secret_key secretKey password ssh_key accessToken TOKEN"
OTHER_NAMES = "access_key accessKey tokens name key keyboard password_hint monkey unsecret"


@pytest.mark.parametrize(("names", "is_secret"), [(SECRET_NAMES, True), (OTHER_NAMES, False)])
def test_secret_names(names: str, is_secret: bool) -> None:
    assert [name for name in names.split() if is_secret_name(name) is not is_secret] == []


MASKED: dict[str, tuple[Any, ...]] = {
    "deep": ({"a": [{"token": "abc", "b": {"password": 5}}]}, {"a": [{"token": MASK, "b": {"password": MASK}}]}),
    "a structure": ({"secrets": {"a": "b"}}, {"secrets": MASK}),
    "nothing to mask": ({"token": None, "password": ""}, {"token": None, "password": ""}),
    "by place": ({"token": "a", "name": "banana"}, {"token": MASK, "name": "banana"}),
    "user info": ("https://user:p@ss@b/a?x=1", f"https://{MASK}@b/a?x=1"),
    "user info with a slash": (["a@b", "https://AK:pw/x@h/b"], ["a@b", f"https://{MASK}@h/b"]),
    "user info with other separators": ("https://AK:p?w#x@h/b", f"https://{MASK}@h/b"),
    "a path after a port": ("https://h:8080/a@b", "https://h:8080/a@b"),
    "a path": ("https://h/a@b", "https://h/a@b"),
    "a path after IPv6": ("https://[::1]:8080/a@b", "https://[::1]:8080/a@b"),
    "before IPv6": ("https://u:p@[::1]:80/x", f"https://{MASK}@[::1]:80/x"),
    "two at signs": ("https://me@corp.example:pa/ss@h/x", f"https://{MASK}@h/x"),
    "a slash first": ("https://u:/pass@h", f"https://{MASK}@h"),
    "a path with an at sign": ("https://u:p@h:8080/a@b", f"https://{MASK}@h:8080/a@b"),
    "two URLs": ("https://u:p@h1,https://u:p@h2", f"https://{MASK}@h1,https://{MASK}@h2"),
    "an address after a URL": ("https://h/a, and me@h", "https://h/a, and me@h"),
}


@pytest.mark.parametrize(("value", "masked"), MASKED.values(), ids=MASKED)
def test_secrets_are_masked_where_they_stand(value: object, masked: object) -> None:
    before = copy.deepcopy(value)
    assert mask(value) == masked
    assert value == before


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('exists: {"token": "abc"}', f'exists: {{"token": {MASK}}}'),
        ("{'token': 'abc', 'id': 1}", f"{{'token': {MASK}, 'id': 1}}"),
        ('{"detail": "{\\"token\\": \\"abc\\"}"}', f'{{"detail": "{{\\"token\\": {MASK}}}"}}'),
        ('[{"id": 1, "token": "abc', f'[{{"id": 1, "token": {MASK}'),
        ("token=abc&id=1", f"token={MASK}&id=1"),
        ("secret_key: abc1, access_key: def", f"secret_key: {MASK}, access_key: def"),
        ("token: expired, password: too short", "token: expired, password: too short"),
        ("see https://me:abc@h", f"see https://{MASK}@h"),
        ("no token here, nor a monkey: banana", "no token here, nor a monkey: banana"),
    ],
)
def test_what_free_text_gives_to_secret_names_is_masked(text: str, masked: str) -> None:
    assert mask_text(text) == masked


NAMES_A_SECRET = {
    "a secret": '{"token": {"value": ',
    "a secret, deeper": '{"a": [{"secretKey": "',
    "a name with escapes": '{"\\u0074\\u006Fken": ',
    "a name with an escape inside": '{"api_to\\u006ben": ',
    "in XML": "<password>x</password>",
    "in another encoding": "\ufffd\ufffd{\0",
}
NAMES_NONE = ['{"id": NaN, "a": "b"', '{"access_key": "AK"', '{"tokens": 3, "monkey": 1', '{"\\u006donkey": ', ""]


@pytest.mark.parametrize("text", NAMES_A_SECRET.values(), ids=NAMES_A_SECRET)
def test_text_that_nothing_could_parse_may_name_a_secret(text: str) -> None:
    assert may_hide_secret(text)
    assert [other for other in NAMES_NONE if may_hide_secret(other)] == []


def test_an_echo_is_taken_out_whatever_it_is_glued_to() -> None:
    token = "eyJhY2Nlc3Nfa2V5IjogImIwNDcxNDhkYWY0ODAwMzJkMjY5Iiwg"
    texts = ["x{}", "%3A%20{}", "\u0130\u0130{}\u00c9", "\\u0022{}\\u0022", "b'\\n{}'", "/{}%22", "{}", "a {} c"]
    for echo in (token, token.upper()):
        assert [mask_echoes(text.format(echo), (token,)) for text in texts] == [text.format(MASK) for text in texts]


def test_two_echoes_in_json_are_taken_out() -> None:
    body = {"detail": f"the token {TOKEN} with signature {SIGNATURE.upper()} is bad", TOKEN: [TOKEN, 1, None]}
    kept = mask_echoes_in_body(json.dumps(body).encode(), (TOKEN, SIGNATURE))
    assert json.loads(kept) == {"detail": f"the token {MASK} with signature {MASK} is bad", MASK: [MASK, 1, None]}


ECHOES = {
    "escaped": json.dumps({"echo": SIGNATURE}).replace("0", "\\u0030").encode(),
    "wrapped": f"<p>{SIGNATURE}</p>".encode(),
    "cut off": f'{{"echo": "{SIGNATURE}'.encode(),
    "not UTF-8": b"\xff" + SIGNATURE.encode(),
}


@pytest.mark.parametrize("content", ECHOES.values(), ids=ECHOES)
def test_escaped_broken_and_wrapped_echoes_are_masked(content: bytes) -> None:
    kept = mask_echoes_in_body(content, (SIGNATURE,))
    assert MASK.encode() in kept
    assert b"abcdef0123456789" not in kept


def test_padding_is_no_part_of_a_secret_and_short_secrets_could_be_found_by_chance() -> None:
    assert mask_echoes(f"not {TOKEN}, but x", (TOKEN + "==",)) == f"not {MASK}, but x"
    assert mask_echoes("the tokens", ("token", "the", "////////////////")) == "the tokens"


def escaped(form: str, text: str) -> str:
    return "".join(form.format(ord(char)) for char in text)


in_json, in_url, in_html, in_hex = (partial(escaped, form) for form in ("\\u{:04x}", "%{:02X}", "&#{};", "&#x{:X};"))


def in_turn(text: str) -> str:
    """Return text with each character written in another way than the one before it."""
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
@pytest.mark.parametrize("secret", [SIGNATURE, "eyJ4IjogImFiYy9kZWYrZ2hpPT09In0+/w=="])
def test_an_echo_is_found_however_it_is_written(encode: Callable[[str], str], secret: str) -> None:
    echo = encode(secret)
    assert has_echo(f'[{{"path": "/a", "echo": "{echo}"}}]'.encode(), (secret,))
    for content in (f"bad token {echo}", json.dumps({"detail": f"bad token {echo}"}), f'{{"detail": "{echo}"}}'):
        kept = mask_echoes_in_body(content.encode(), (secret,)).decode()
        assert MASK in kept
        assert echo not in kept
        assert not has_echo(kept.encode(), (secret,))


def test_a_body_with_an_echo_in_many_pieces_or_a_long_one_is_masked_as_a_whole() -> None:
    assert mask_echoes_in_body(json.dumps({"echo": list(SIGNATURE)}).encode(), (SIGNATURE,)) == MASK.encode()
    filling = b"x" * 5_000_000
    assert mask_echoes_in_body(filling + SIGNATURE.encode(), (SIGNATURE,)) == MASK.encode()
    assert mask_echoes_in_body(filling, (SIGNATURE,)) == filling


NO_ESCAPES = ["", "{}", "%", "100%", "\\", "&", "&amp;", "%zz &#xyz; \\u12", "/home/%41&b\\n\u00e9"]


def test_what_only_looks_like_an_escape_is_no_echo() -> None:
    assert [text for text in NO_ESCAPES if has_echo(text.encode(), (SIGNATURE, TOKEN))] == []
    assert [mask_echoes(text, (SIGNATURE, TOKEN)) for text in NO_ESCAPES] == NO_ESCAPES


def test_long_runs_of_what_begins_an_escape_are_read_in_one_go() -> None:
    # If the time grew with the square of the length, this would take hours.
    for run in (b"\\", b"%25", b"&amp;", b"\\u005c", b"&#0"):
        assert essence(run * 300_000 + b"abc").endswith(b"abc")
