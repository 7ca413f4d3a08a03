# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets are masked by their position, and nothing else is."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.values import (
    MASK,
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
