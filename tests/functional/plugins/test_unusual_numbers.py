# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Numbers that JSON, Python or a console cannot hold, in every field and from any source: a clean result or a clean error."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from ansible.errors import AnsibleFilterError
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.filter.to_desired_state import to_desired_state
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import resources
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import (
    plan_files,
    read_max_removals,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.facts import build_facts
from functional.support.cases import cases

HUGE = 10**5000
NUMBERS: list[Any] = [float("inf"), -float("inf"), float("nan"), HUGE, -HUGE, 10**4400, 10**400, 2**1024, 2**64, 1e308]
TEXTS = ["1e999", "1e999999999", "-1e999999999", "Infinity", "NaN", "sNaN"]
TEXTS += ["9" * 5000, "9" * 5000 + "GiB", "9" * 30 + "E"]
UNUSUAL = st.sampled_from([*NUMBERS, *TEXTS, -1, 0, 1.5, "1.5", "1_000", "١٢", True, [HUGE], {"a": float("nan")}])
PLAIN: dict[str, dict[str, Any]] = {
    "volumes": {"id": 1, "name": "v", "region": 1, "block_size": 4096, "size": 5, "inodes": 5, "bucket": "https://b"},
    "exports": {"id": 1, "desc": "web", "iprange": "*", "readonly": False},
    "quotas": {"id": 1, "path": "/a", "size": 1024, "inodes": 5},
}
VOLUME_ALONE = {**PLAIN["volumes"], "exports": [], "quotas": []}


def records(resource: resources.Resource) -> st.SearchStrategy[dict[str, Any]]:
    """Return records with some unusual fields."""
    fields = [*(field.name for field in resource.fields), "new"]
    unusual = st.dictionaries(st.sampled_from(fields), UNUSUAL, max_size=2)
    return unusual.map(lambda fields: {**PLAIN[resource.plural], **fields})


@st.composite
def volumes(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a volume with its lists."""
    lists = {child.plural: draw(st.lists(records(child), max_size=2)) for child in resources.LISTS_OF_VOLUME}
    return draw(records(resources.VOLUME)) | lists


def without_usage(volume: dict[str, Any]) -> dict[str, Any]:
    """Return a volume as an item that gives no field without an option."""
    return {name: value for name, value in volume.items() if name not in ("size", "inodes", "owner", "storage", "new")}


@cases()
@given(listed=st.lists(volumes(), max_size=2), desired=st.lists(volumes(), max_size=2))
def test_filters_end_with_a_result_that_json_can_hold_or_with_a_message(
    listed: list[dict[str, Any]], desired: list[dict[str, Any]]
) -> None:
    lists = [(volume[child.plural], child.plural) for volume in listed for child in resources.LISTS_OF_VOLUME]
    for given_records, kind in [(listed, "volumes"), *lists]:
        try:
            items = to_desired_state(given_records, kind)
        except AnsibleFilterError:
            continue
        json.dumps(items, allow_nan=False)
        if kind == "volumes":
            # A console may have shown records that do not fit into a file.
            with contextlib.suppress(ConsoleError):
                plan_files(Path("/nowhere/desired"), items, False, read_max_removals(""))
    for wanted in ([], desired, list(map(without_usage, desired))):
        with contextlib.suppress(ConsoleError):
            json.dumps(build_facts(listed, wanted, ["exports", "quotas"]), allow_nan=False)


ENDLESS: dict[str, Any] = {}
ENDLESS["itself"] = [ENDLESS]
UNUSABLE: dict[str, Any] = {
    "large": HUGE,
    "small": [-HUGE],
    "not a float": 10**308,
    "infinite": float("inf"),
    "undefined": {"a": float("nan")},
    "without end": ENDLESS,
}


@pytest.mark.parametrize("value", UNUSABLE.values(), ids=UNUSABLE)
def test_what_no_output_can_hold_is_refused(value: object) -> None:
    for act in (to_desired_state, build_facts):
        with pytest.raises(
            (AnsibleFilterError, ConsoleError),
            match="the input must have no infinity, NaN, number of more than 308 digits",
        ):
            act([{**VOLUME_ALONE, "new": value}])
    to_desired_state([{**VOLUME_ALONE, "new": 10**308 - 1}])
