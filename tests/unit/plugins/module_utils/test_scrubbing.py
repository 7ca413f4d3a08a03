# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets in text that has no structure to go by."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.masking import MASK
from ansible_collections.managedfs.console.plugins.module_utils._internal.scrubbing import mask_text, may_hide_secret


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('{"token": {"value": ', True, id="a secret"),
        pytest.param('{"a": [{"secretKey": "', True, id="a secret, deeper"),
        pytest.param('{"\\u0074\\u006Fken": ', True, id="a name with escapes"),
        pytest.param('{"api_to\\u006ben": ', True, id="a name with an escape inside"),
        pytest.param('{"id": NaN, "a": "b"', False, id="no secret"),
        pytest.param('{"access_key": "AK"', False, id="the public half"),
        pytest.param('{"tokens": 3, "monkey": 1', False, id="names that are alike"),
        pytest.param('{"\\u006donkey": ', False, id="another name with an escape"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_whether_broken_json_names_a_secret(text: str, expected: bool) -> None:
    assert may_hide_secret(text) is expected
