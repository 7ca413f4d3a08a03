# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets are masked where they stand, and nothing else is."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.masking import (
    MASK,
    is_secret_name,
    mask,
)


@pytest.mark.parametrize(
    "name",
    ["token", "access_token", "secret", "secret_key", "secretKey", "password", "ssh_key", "accessToken", "TOKEN"],
)
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["access_key", "accessKey", "tokens", "name", "key", "keyboard", "password_hint", "monkey", "unsecret"]
)
def test_names_that_are_not_secret(name: str) -> None:
    assert not is_secret_name(name)


def test_secrets_are_masked_at_any_depth() -> None:
    value = {"rules": [{"token": "abc", "iprange": "*", "inner": {"password": 5}}], "access_key": "AK"}
    masked = {"rules": [{"token": MASK, "iprange": "*", "inner": {"password": MASK}}], "access_key": "AK"}
    assert mask(value) == masked


def test_a_whole_structure_under_a_secret_name_is_masked() -> None:
    assert mask({"secrets": {"a": "b"}}) == {"secrets": MASK}


def test_what_is_not_there_is_not_masked() -> None:
    assert mask({"token": None, "password": ""}) == {"token": None, "password": ""}


def test_user_info_of_urls_is_masked() -> None:
    assert mask(["https://user:p@ss@b.example.com/a?x=1", "a@b"]) == [f"https://{MASK}@b.example.com/a?x=1", "a@b"]


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("https://AK:pw/x@h/b", f"https://{MASK}@h/b"),
        ("https://AK:p?w#x@h/b", f"https://{MASK}@h/b"),
        ("https://h:8080/a@b", "https://h:8080/a@b"),
        ("https://h/a@b", "https://h/a@b"),
        ("https://[::1]:8080/a@b", "https://[::1]:8080/a@b"),
        ("https://u:p@[::1]:80/x", f"https://{MASK}@[::1]:80/x"),
        ("https://me@corp.example:pa/ss@h/x", f"https://{MASK}@h/x"),
        ("https://u:/pass@h", f"https://{MASK}@h"),
        ("https://u:p@h:8080/a@b", f"https://{MASK}@h:8080/a@b"),
        ("https://u:p@h1,https://u:p@h2", f"https://{MASK}@h1,https://{MASK}@h2"),
        ("https://h/a, and me@h", "https://h/a, and me@h"),
    ],
)
def test_user_info_with_a_slash_in_it(url: str, masked: str) -> None:
    assert mask(url) == masked


def test_masking_is_by_place_and_not_by_substring() -> None:
    assert mask({"token": "a", "name": "banana"}) == {"token": MASK, "name": "banana"}


def test_the_value_itself_stays() -> None:
    value = {"token": "abc"}
    mask(value)
    assert value == {"token": "abc"}
