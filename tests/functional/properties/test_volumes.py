# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A document does what its lists do one by one, on any console that the specification allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, note, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import Dialect, Emulator
from functional.properties.draws import DIALECTS, EXPORTS, LISTS, QUOTAS
from functional.support import oracle
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock, connection_to, run_module

BUCKET = "https://v.example.com"
OTHER_BUCKET = "https://other.example.com"
BUCKETS = st.sampled_from([None] * 8 + [BUCKET, f"{BUCKET}/", OTHER_BUCKET])
NAMES = ("v", "w")
DONE = ("created", "updated", "deleted")
List = tuple[str, list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]


@pytest.fixture(scope="module")
def other_console(shared_console: tuple[Emulator, FakeClock]) -> Iterator[Emulator]:
    """Yield a second console with the same clock."""
    with Emulator(dialect=Dialect(), clock=shared_console[1].time) as emulator:
        yield emulator


def seed(emulator: Emulator, dialect: Dialect, exports: list[dict[str, Any]], quotas: list[dict[str, Any]]) -> None:
    """Put two volumes on a console, both with the same contents."""
    emulator.reset(dialect)
    for name in NAMES:
        volume = emulator.add_volume(name=name, bucket=BUCKET)
        for export in exports:
            emulator.add_export(volume, **export)
        for quota in quotas:
            emulator.add_quota(volume, **quota)


def contents(emulator: Emulator) -> list[Any]:
    """Return what users have set on a console, in an order of its own."""
    found: list[Any] = []
    for volume in emulator.volumes():
        for kind, records in (("exports", emulator.exports(volume["id"])), ("quotas", emulator.quotas(volume["id"]))):
            for record in records:
                fields = {name: value for name, value in record.items() if name not in ("id", "token")}
                found.append((volume["name"], kind, sorted(map(str, fields.items()))))
    return sorted(found)


def lag(dialect: Dialect) -> float:
    """Return the seconds after which no list goes back to what an earlier task saw."""
    return max(dialect.stale_for if dialect.stale_every else 0.0, dialect.update_appear_after, 60.0)


@pytest.mark.promise("success-is-true")
@settings(max_examples=CASES // 2, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@drawn(dialect=DIALECTS, exports=EXPORTS, quotas=QUOTAS, task=LISTS, bucket=BUCKETS)
def test_a_document_does_what_its_lists_do(
    shared_console: tuple[Emulator, FakeClock],
    other_console: Emulator,
    dialect: Dialect,
    exports: list[dict[str, Any]],
    quotas: list[dict[str, Any]],
    task: List,
    bucket: str | None,
) -> None:
    # An empty list wants nothing, and is not even read. One to purge without a present item is refused by the list modules
    # whatever there is, and by a document only where it would delete something.
    assume(any(item["state"] == "present" for item in task[1]) or (task[1] and not task[3].get("purge")))
    emulator, clock = shared_console
    for console in (emulator, other_console):
        seed(console, dialect, exports, quotas)
    clock.now += lag(dialect)
    noun, items, extra, given = task
    plural = f"{noun}s"
    items = [{**more, **item} for item, more in zip(items, extra, strict=False)]
    options = {name: value for name, value in given.items() if name != "purge"}
    document = [{"name": name, "bucket": bucket, plural: items} for name in NAMES]
    purge = [plural] if given.get("purge") else []

    def apply(check: bool = False) -> dict[str, Any]:
        emulator.forget_requests()
        arguments = {**connection_to(emulator), **options, "volumes": document, "purge": purge, "wait": False}
        return run_module("volumes", arguments, clock, check=check)

    predicted = apply(check=True)
    assert emulator.writes == []
    whole = apply()
    assert not oracle.secrets_in(whole, emulator)
    if bucket == OTHER_BUCKET:
        # No console can change a volume, whatever the task allows.
        assert (predicted["failed"], whole["failed"], emulator.writes) == (True, True, [])
        return
    alone = []
    for name in NAMES:
        arguments = {**connection_to(other_console), **given, "volume": name, plural: items}
        alone.append(run_module(plural, arguments, clock))
        if alone[-1].get("failed"):
            note(alone[-1]["msg"])
    note(whole["msg"])
    event(f"failed: {bool(whole.get('failed'))}, changed: {whole['changed']}")
    # One update that loses something keeps those of all lists of a task from being sent.
    is_lossy = dialect.put in ("reset", "lose") or dialect.put_hides != "nothing" or dialect.put_alters == "token"
    has_stopped = is_lossy and any("was skipped: " in error["msg"] for error in whole["errors"])
    assert has_stopped or bool(whole.get("failed")) == any(result.get("failed") for result in alone)
    if whole.get("failed"):
        return
    assert contents(emulator) == contents(other_console)
    for action in DONE:
        keys = [f"{name}: {key}" for name, result in zip(NAMES, alone, strict=True) for key in result[action]]
        assert sorted(whole[plural][action]) == sorted(keys)
    for key in ("changed", "diff", plural, "counts"):
        assert predicted[key] == whole[key], key
    assert predicted["msg"].removesuffix(" (check mode: nothing was written)") == whole["msg"]
    clock.now += lag(dialect)
    again = apply()
    assert (again["changed"], emulator.writes) == (False, [])
