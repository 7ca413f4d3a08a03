# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""No result repeats secrets of our requests, however a console writes them; and nothing else is removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import token
from ansible_collections.managedfs.console.plugins.module_utils._internal.values import MASK, Echoes, Shown

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


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON with escaped slashes": lambda text: text.replace("/", "\\/"),
    "URL": lambda text: quote(text, safe=""),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("secret", [TOKEN, SIGNATURE, PROXY, 'a/b+c=d"e\u00e9f' * 2])
def test_an_echo_is_found_as_json_and_urls_write_it(form: Callable[[str], str], secret: str) -> None:
    kept = clean([f"bad token {form(secret)}", "other"], secret)
    assert kept[1] == "other"
    assert kept[0].startswith(f"bad token {MASK}")
    assert form(secret)[8:] not in kept[0]


def test_a_signature_is_found_in_capitals_too() -> None:
    assert clean(SIGNATURE.upper(), SIGNATURE) == MASK


def test_every_secret_of_a_task_is_searched_for_in_names_and_values_at_any_depth() -> None:
    signatures = [f"{number:x}" * 64 for number in range(16)]
    assert clean([*signatures, 1, None, {signatures[0]: True}], *signatures) == [MASK] * 16 + [1, None, {MASK: True}]


def test_nothing_else_is_taken_out() -> None:
    result = {"changed": True, "msg": "eyJhY2Nlc3N", "records": [{"id": 1, "token": "b047148daf4"}, None], "rate": 1.5}
    result |= {"hash": SIGNATURE[::-1], "empty": "", "number": int("1" * 60)}
    found = Echoes()
    found.add(TOKEN, SIGNATURE, "short", "")
    assert found.clean(result) == result


def test_short_secrets_could_be_found_by_chance() -> None:
    assert clean("the tokens", "token", "the") == "the tokens"


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
