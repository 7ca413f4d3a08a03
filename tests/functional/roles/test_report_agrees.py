# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A report says what the module volumes would do: on any console, the facts agree with its check mode."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, event, note, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.facts import build_facts
from emulator import Dialect, Emulator
from functional.properties.draws import (
    DESCS,
    DIALECTS,
    EXPORTS,
    FLAGS,
    INODES,
    IPRANGES,
    PATHS,
    QUOTAS,
    SIZES,
    STATES,
    options,
)
from functional.support import oracle
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock, connection_to, run_module

KINDS = ("volumes", "exports", "quotas")
PARTS = {"to_create": "created", "to_update": "updated", "to_delete": "deleted"}
NAMES = st.sampled_from(["v", "w", "new", "v ", "Δ"])
BUCKETS = st.sampled_from(["https://v.example.com", "https://me:password@v.example.com", "https://other.example.com/"])
IDS = {"id": st.sampled_from([1, 2, 2001, 2002])}
# Items of all kinds, some of them invalid.
EXPORT_ITEMS = st.fixed_dictionaries({"desc": DESCS, "iprange": IPRANGES}, optional={**FLAGS, **STATES, **IDS})
QUOTA_ITEMS = st.fixed_dictionaries(
    {"path": PATHS | st.just("..")}, optional={"size": SIZES, "inodes": INODES, **STATES}
)
LISTS = {"exports": st.lists(EXPORT_ITEMS, max_size=4), "quotas": st.lists(QUOTA_ITEMS, max_size=4)}
VOLUMES = st.fixed_dictionaries({"name": NAMES}, optional={"bucket": BUCKETS, **STATES, **LISTS}) | options(
    id=st.sampled_from([101, 102]), **LISTS
)
DOCUMENTS = st.lists(VOLUMES, max_size=4)
PURGES = st.lists(st.sampled_from(["exports", "quotas"]), unique=True)


def seed(emulator: Emulator, dialect: Dialect, exports: list[dict[str, Any]], quotas: list[dict[str, Any]]) -> None:
    """Put two volumes on a console, both with the same contents."""
    emulator.reset(dialect)
    for name in ("v", "w"):
        volume = emulator.add_volume(name=name, bucket="https://me:password@v.example.com")
        for export in exports:
            emulator.add_export(volume, **export)
        for quota in quotas:
            emulator.add_quota(volume, **quota)


def keys_of(drift: dict[str, Any], part: str, kind: str) -> list[str]:
    """Return the keys of a kind as the module has them."""
    found = [entry for entry in drift[part] if entry["kind"] == kind]
    return sorted(f"{entry['volume']}: {entry['key']}" if "key" in entry else entry["volume"] for entry in found)


@settings(max_examples=CASES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@drawn(dialect=DIALECTS, exports=EXPORTS, quotas=QUOTAS, document=DOCUMENTS, purge=PURGES)
def test_a_report_says_what_check_mode_says(
    shared_console: tuple[Emulator, FakeClock],
    dialect: Dialect,
    exports: list[dict[str, Any]],
    quotas: list[dict[str, Any]],
    document: list[dict[str, Any]],
    purge: list[str],
) -> None:
    emulator, clock = shared_console
    seed(emulator, dialect, exports, quotas)
    clock.now += 100_000
    connection = connection_to(emulator)
    listed = run_module("volume_info", {**connection, "gather": ["exports", "quotas"]}, clock)
    predicted = run_module("volumes", {**connection, "volumes": document, "purge": purge}, clock, check=True)
    if listed.get("failed"):
        event("the console cannot be read")
        return
    facts = build_facts(listed["volumes"], document, purge)
    drift = facts["drift"]
    note(str(predicted.get("msg")))
    note(str(drift))
    event(f"failed: {bool(predicted.get('failed'))}, changed: {predicted['changed']}")
    assert not oracle.secrets_in(facts, emulator)
    assert bool(drift["cannot_be_applied"]) == bool(predicted.get("failed"))
    if predicted.get("failed"):
        told = {(problem["kind"], problem["message"]) for problem in drift["cannot_be_applied"]}
        assert {(error["kind"], error["msg"]) for error in predicted["errors"]} <= told
        return
    for part, action in PARTS.items():
        for kind in KINDS:
            assert keys_of(drift, part, kind) == sorted(predicted[kind][action]), (part, kind)
    for kind in KINDS:
        unverified = {entry["field"] for entry in drift["not_compared"] if entry["kind"] == kind}
        assert set(predicted.get("unverified", {}).get(kind, [])) <= unverified
