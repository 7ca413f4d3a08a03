# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of results as tables: what is masked where it stands, what no result repeats, JSON as consoles send it, and errors."""

from __future__ import annotations

import copy
import json
import tracemalloc
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import errors, values
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import token
from ansible_collections.managedfs.console.plugins.module_utils._internal.values import (
    MASK,
    Echoes,
    Shown,
    is_secret_name,
    mask,
    mask_text,
    may_hide_secret,
    secrets_in,
    secrets_in_text,
)

SECRET_NAMES = "token access_token secret secret_key secretKey password ssh_key accessToken TOKEN client_secret X-Auth-Token --token"
SECRET_NAMES += " APIToken APIKey JWTToken APISecret OAuth2Token X-API-Token TOKEN_URLKey " + "aA" * 501
OTHER_NAMES = "access_key accessKey tokens name key keyboard password_hint monkey unsecret AccessKey ACCESSKey APIKeys NFSKeyboard URL"


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
    "before IPv6": ("https://u:p@[::1]:80/x", f"https://{MASK}@[::1]:80/x"),
    "two at signs": ("https://me@corp.example:pa/ss@h/x", f"https://{MASK}@h/x"),
    "a slash first": ("https://u:/pass@h", f"https://{MASK}@h"),
    "a path with an at sign": ("https://u:p@h:8080/a@b", f"https://{MASK}@h:8080/a@b"),
    "user info with what ends an address in text": ("s3://u:it's a <\"p>@h/x", f"s3://{MASK}@h/x"),
    "text that begins with an address": ("https://h:80 x: me@h", "https://h:80 x: me@h"),
    "a sentence that begins with an address": ("https://h: ask me@h", "https://h: ask me@h"),
    "a path of NFS": ("nfs://h:/export of me@h", "nfs://h:/export of me@h"),
    "two URLs": ("https://u:p@h1,https://u:p@h2", f"https://{MASK}@h1,https://{MASK}@h2"),
}


SECRETS: dict[str, tuple[Any, list[str]]] = {
    "deep": ({"a": [{"token": "abc", "b": {"password": 5}}], "name": "x"}, ["abc", "5"]),
    "a structure": ({"secrets": {"a": ["b", {"c": "d"}], "e": True, "f": None}}, ["b", "d"]),
    "nothing": ([{"token": None, "access_key": "a"}, 1, None, "https://h/a@b"], []),
    "a password": ("https://user:p@ss@b/a?x=1, https://AK:pw/x@h/b", ["p@ss", "pw/x"]),
    "a password with what ends an address in text": ("https://u:it's a <\"p>@h/x", ["it's a <\"p>"]),
}


@pytest.mark.parametrize(("value", "secrets"), SECRETS.values(), ids=SECRETS)
def test_the_secrets_in_a_value(value: object, secrets: list[str]) -> None:
    assert list(secrets_in(value)) == secrets


def test_the_secrets_in_text() -> None:
    text = 'see https://me:abc@h, {"token": "def", \'accessToken\': [ghi]}, monkey: banana, secret_key=jkl&id=1'
    assert list(secrets_in_text(text)) == ["abc", "def", "ghi", "jkl"]


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
        ("auth --access-token=abc --id=1", f"auth --access-token={MASK} --id=1"),
        ("X-Auth-Token: abc1", f"X-Auth-Token: {MASK}"),
        ("secret_key: abc1, access_key: def", f"secret_key: {MASK}, access_key: def"),
        ("token: expired, password: too short", "token: expired, password: too short"),
        ("see https://me:abc@h", f"see https://{MASK}@h"),
        ("see 'https://me:it's-me@h/a', or x@h", f"see 'https://{MASK}@h/a', or x@h"),
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


SIGNATURE = "5f0e9c1ab27d4836" * 4
TOKEN = token("b047148daf480032d269", 1_790_000_000, SIGNATURE)
PROXY = "bWU6aHVudGVyMi9+"


def clean(value: Any, *secrets: str) -> Any:
    """Return a value in the result of a task that has sent these secrets."""
    found = Echoes()
    found.add(*secrets)
    return found.clean({"value": value})["value"]


@pytest.mark.parametrize("length", [16, 17, 40, 64])
@pytest.mark.parametrize("secret", [TOKEN, SIGNATURE, PROXY])
def test_an_echo_is_taken_out_to_the_end_of_its_word_if_it_is_cut_short_too(secret: str, length: int) -> None:
    for text in ("not ({}), but x", "{}", " {}", "'{}'", "/{}", "<b>{}</b>", 'a: "{}"', "{}, b"):
        assert clean(text.format(secret[:length]), secret) == text.format(MASK)


WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON with escaped slashes": lambda text: text.replace("/", "\\/"),
    "URL": lambda text: quote(text, safe=""),
}


@pytest.mark.parametrize("form", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("secret", [TOKEN, SIGNATURE, PROXY, 'a/b+c=d"e\u00e9f' * 2])
def test_an_echo_is_found_as_json_and_urls_write_it(form: Callable[[str], str], secret: str) -> None:
    kept = clean([f"bad token {form(secret)}", "other"], secret)
    assert kept[1] == "other"
    assert kept[0].startswith(f"bad token {MASK}")
    assert form(secret)[8:] not in kept[0]


def test_every_secret_of_a_task_is_searched_for_in_names_and_values_at_any_depth() -> None:
    signatures = [f"{number:x}" * 64 for number in range(16)]
    assert clean([*signatures, 1, None, {signatures[0]: True}], *signatures) == [MASK] * 16 + [1, None, {MASK: True}]


def test_nothing_else_is_taken_out() -> None:
    result = {"changed": True, "msg": "eyJhY2Nlc3N", "records": [{"id": 1, "token": "b047148daf4"}, None], "rate": 1.5}
    result |= {"hash": SIGNATURE[::-1], "empty": "", "number": int("1" * 60)}
    found = Echoes()
    found.add(TOKEN, SIGNATURE, "short", "")
    assert found.clean(result) == result


MESSAGES = {
    "no such token: abcdefghijkl": f"no such token: {MASK}",
    "no (abcdefghijklmno/p=, or qrst), but x": f"no ({MASK}, or qrst), but x",
    "abcdefghijkl9 abcdefghijkl8": f"{MASK} {MASK}",
    "nor is there abcdefghijk": "nor is there abcdefghijk",
    "export 'web' needs a longer token than short-token": "export 'web' needs a longer token than short-token",
}


def test_a_message_does_not_quote_the_tokens_that_a_console_has_shown() -> None:
    shown = Shown()
    shown.add("/api/exports", [{"id": 1, "desc": "web-with-a-long-description", "token": "abcdefghijkl"}])
    shown.add("/api/others", [{"id": 1, "desc": "export 'web'", "token": "short-token"}])
    assert {text: shown.clean(text) for text in MESSAGES} == MESSAGES
    assert shown.clean("web-with-a-long-description exists") == "web-with-a-long-description exists"


def test_a_token_is_known_as_long_as_the_list_shows_it() -> None:
    shown = Shown()
    for first, second in (("first-token-of-web", "second-token-of-web"), ("second-token-of-web", "first-token-of-web")):
        shown.add("/api/exports", [{"token": first}])
        assert shown.clean(f"no {first}, but {second}") == f"no {MASK}, but {second}"


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
