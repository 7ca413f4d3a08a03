# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Argument specs, derived from the resources: a field is declared once."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import (
    INTEGER,
    NETWORK,
    SIZE,
    TEXT,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    CREATE_ONLY,
    KEY,
    UPDATABLE,
    Field,
    Resource,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import (
    info_options,
    item_options,
    list_options,
    record_options,
)

ID = Field("id", INTEGER)
# As much as a resource can have, and as little.
SHARE = Resource(
    "share",
    "shares",
    "volumes/{volume_id}/shares",
    (ID, Field("range", NETWORK, KEY, "ipRange"), Field("size", SIZE, UPDATABLE), Field("made", TEXT)),
    has_update=True,
    has_token=True,
)
CLOUD = Resource(
    "cloud",
    "clouds",
    "clouds",
    (ID, Field("name", TEXT, KEY), Field("region", INTEGER, CREATE_ONLY)),
    has_readiness=True,
    has_extra_fields=True,
)
TAG = Resource("tag", "tags", "volumes/{volume_id}/tags", (ID, Field("label", TEXT, KEY)))

STATE = {"type": "str", "choices": ["present", "absent"], "default": "present"}
STATE_AND_ID = {"id": {"type": "int"}, "state": STATE}
VOLUME = {"volume": {"type": "str"}, "volume_id": {"type": "int"}}
TOKENS = {"include_tokens": {"type": "bool", "default": False}}
TOKEN_FILE = {"token_file": {"type": "path", "no_log": False}}
WAIT = {"wait": {"type": "bool", "default": True}}
WAIT_TIMEOUT = {"wait_timeout": {"type": "int", "default": 300}}
CREATE_ONLY_CHANGES = {"create_only_changes": {"type": "str", "choices": ["fail", "update"], "default": "fail"}}
MANY = {"purge": {"type": "bool", "default": False}, "concurrency": {"type": "int", "default": 4}}
PURGE_BELOW = {"purge": {"type": "list", "elements": "str", "choices": ["exports", "quotas"], "default": []}}
ITEM_OF_SHARE = {"range": {"type": "str"}, "size": {"type": "str"}, **STATE_AND_ID}
ITEM_OF_CLOUD = {
    "name": {"type": "str"},
    "region": {"type": "int"},
    **STATE_AND_ID,
    "extra_fields": {"type": "dict", "default": {}},
}
ITEM_OF_TAG = {"label": {"type": "str"}, **STATE_AND_ID}
GATHER = {"gather": {"type": "list", "elements": "str", "choices": ["exports", "quotas", "all"], "default": []}}


def items(name: str) -> dict[str, Any]:
    """Return the option for a list of items."""
    return {name: {"type": "list", "elements": "dict", "required": True}}


@pytest.mark.parametrize(
    ("resource", "options"),
    [
        pytest.param(SHARE, ITEM_OF_SHARE, id="in a volume"),
        pytest.param(CLOUD, ITEM_OF_CLOUD, id="not in a volume"),
        pytest.param(TAG, ITEM_OF_TAG, id="a key alone"),
    ],
)
def test_item_options(resource: Resource, options: dict[str, Any]) -> None:
    assert item_options(resource) == options


def test_items_can_hold_lists() -> None:
    assert item_options(CLOUD, [SHARE]) == {**ITEM_OF_CLOUD, "shares": {"type": "list", "elements": "dict"}}


@pytest.mark.parametrize(
    ("resource", "options"),
    [
        pytest.param(
            SHARE,
            {**ITEM_OF_SHARE, **VOLUME, **CREATE_ONLY_CHANGES, **WAIT_TIMEOUT, **TOKENS, **TOKEN_FILE},
            id="in a volume",
        ),
        pytest.param(CLOUD, {**ITEM_OF_CLOUD, **WAIT, **WAIT_TIMEOUT, **TOKENS}, id="not in a volume"),
        pytest.param(TAG, {**ITEM_OF_TAG, **VOLUME, **WAIT_TIMEOUT, **TOKENS}, id="without an update"),
    ],
)
def test_record_options(resource: Resource, options: dict[str, Any]) -> None:
    assert record_options(resource) == options


@pytest.mark.parametrize(
    ("resource", "options"),
    [
        pytest.param(
            SHARE, {**items("shares"), **MANY, **VOLUME, **CREATE_ONLY_CHANGES, **WAIT_TIMEOUT}, id="in a volume"
        ),
        pytest.param(
            CLOUD,
            {**items("clouds"), **MANY, **PURGE_BELOW, **CREATE_ONLY_CHANGES, **WAIT, **WAIT_TIMEOUT},
            id="not in a volume, with lists below it",
        ),
        pytest.param(TAG, {**items("tags"), **MANY, **VOLUME, **WAIT_TIMEOUT}, id="without an update"),
    ],
)
def test_list_options(resource: Resource, options: dict[str, Any]) -> None:
    assert list_options(resource) == options


@pytest.mark.parametrize(
    ("resource", "options"),
    [
        pytest.param(SHARE, {"range": {"type": "str"}, "id": {"type": "int"}, **VOLUME, **TOKENS}, id="in a volume"),
        pytest.param(CLOUD, {"name": {"type": "str"}, "id": {"type": "int"}, **GATHER, **TOKENS}, id="not in a volume"),
    ],
)
def test_info_options(resource: Resource, options: dict[str, Any]) -> None:
    assert info_options(resource) == options
