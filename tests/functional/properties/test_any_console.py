# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The promise: on any console that the specification allows, a task never reports what is not so.

Hypothesis draws a dialect (a choice for each hole of the specification), what is there, and a sequence of tasks,
and holds each task against the truth. `CASES=5000` in the environment draws as many cases as that, at random; a
failing case is printed, with the line that replays it.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import CHOICES, Dialect, Emulator, Fault
from emulator.dialect import usable
from functional.properties.trial import ListTrial, Trial
from functional.support import oracle
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock

BOOLEANS = st.booleans()
IPRANGES = st.sampled_from(["*", "0.0.0.0/0", "10.0.0.0/8", "10.1.2.3/8", "10.0.0.1", "2001:db8::1/64"])
DESCS = st.sampled_from(["web", "db"])
PATHS = st.sampled_from(["/a", "/a/", "//a", "/b", "/a/b"])
SIZES = st.sampled_from([0, 1024, "1K", "1.5KiB", "0", "2G"])
INODES = st.sampled_from([0, 5, 7])


def options(**strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the options, each drawn."""
    return st.fixed_dictionaries({}, optional=strategies)


FLAGS = {"apionly": BOOLEANS, "readonly": BOOLEANS, "appendonly": BOOLEANS}
STATES = {"state": st.sampled_from(["present", "present", "present", "absent"])}
POLICY = {"create_only_changes": st.sampled_from(["fail", "update"])}
# Mostly what a creation needs, so that much is written; now and then nothing but the key.
EXPORT_TASKS = st.tuples(
    st.just("export"),
    st.one_of(
        options(iprange=IPRANGES, **FLAGS, **POLICY),
        st.fixed_dictionaries({"iprange": IPRANGES}),
        st.fixed_dictionaries({"iprange": IPRANGES}, optional={**FLAGS, **POLICY}),
    ),
    st.fixed_dictionaries(STATES),
    DESCS | st.just("new"),
)
QUOTA_TASKS = st.tuples(
    st.just("quota"),
    st.one_of(
        options(size=SIZES, inodes=INODES, **POLICY),
        st.fixed_dictionaries({"size": SIZES}),
        st.fixed_dictionaries({"size": SIZES}, optional={"inodes": INODES, **POLICY}),
    ),
    st.fixed_dictionaries(STATES),
    PATHS | st.just("/new/"),
)
VOLUME_TASKS = st.tuples(
    st.just("volume"),
    options(bucket=st.sampled_from(["https://v.example.com", "https://v.example.com/"]), region=st.just(1)),
    st.fixed_dictionaries(STATES),
    st.sampled_from(["v", "w"]),
)
TASKS = st.one_of(EXPORT_TASKS, QUOTA_TASKS, EXPORT_TASKS, QUOTA_TASKS, VOLUME_TASKS)


def distinct(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Some records or items; now and then two of them mean the same."""
    key = next(iter(fields))
    entry = st.fixed_dictionaries(fields)
    lists = st.lists(entry, min_size=1, max_size=5, unique_by=lambda given: oracle.meaning(key, given[key]))
    return st.one_of([lists] * 9 + [st.lists(entry, max_size=5)])


EXPORTS = distinct(desc=DESCS | st.sampled_from(["c", ""]), iprange=IPRANGES, **FLAGS)
QUOTAS = distinct(path=PATHS, size=st.sampled_from([0, 1024, 1536]), inodes=INODES)

# Any console with which something can be done.
DIALECTS = st.fixed_dictionaries({name: st.sampled_from(usable(name, broken=False)) for name in CHOICES}).map(
    Dialect.fitting
)


# Items of a list. Each has what a creation needs.
ITEMS = {
    "export": distinct(desc=st.sampled_from(["web", "db", "c", "d"]), iprange=IPRANGES, **STATES),
    "quota": distinct(path=PATHS | st.just("/c"), size=SIZES, **STATES),
}
EXTRA = {"export": options(**FLAGS), "quota": options(inodes=INODES)}
LISTS = st.sampled_from(["export", "quota"]).flatmap(
    lambda noun: st.tuples(
        st.just(noun),
        ITEMS[noun],
        st.lists(EXTRA[noun], min_size=5, max_size=5),
        st.fixed_dictionaries(
            {},
            optional={
                "purge": st.just(True),
                "concurrency": st.sampled_from([1, 3]),
                "create_only_changes": st.sampled_from(["fail", "update"]),
            },
        ),
    )
)
FAULTS = st.lists(
    st.builds(
        Fault,
        kind=st.sampled_from(["reset_before", "reset_after", "truncate", "status", "html", "redirect"]),
        method=st.sampled_from(["POST", "PUT", "DELETE", "GET"]),
        nth=st.integers(1, 5),
        times=st.sampled_from([1, 2, None]),
        status=st.sampled_from([200, 302, 500, 502, 503, 429, 400]),
        effect=BOOLEANS,
        # A rate limit that lets the request through all the same would be no rate limit.
    ).filter(lambda fault: not (fault.effect and fault.answer_status == 429)),
    min_size=1,
    max_size=2,
)


@pytest.mark.promise("success-is-true")
@settings(max_examples=CASES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@drawn(
    dialect=DIALECTS,
    exports=EXPORTS,
    quotas=QUOTAS,
    tasks=st.lists(TASKS, min_size=1, max_size=4),
)
def test_a_task_never_reports_what_is_not_so(
    shared_console: tuple[Emulator, FakeClock],
    dialect: Dialect,
    exports: list[dict[str, Any]],
    quotas: list[dict[str, Any]],
    tasks: list[tuple[str, dict[str, Any], dict[str, Any], str]],
) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect)
    trial = Trial(emulator, clock)
    for export in exports:
        emulator.add_export(trial.volume, **export)
    for quota in quotas:
        emulator.add_quota(trial.volume, **quota)
    clock.now += 60  # Long enough for all of it to show.
    for noun, given, state, key in tasks:
        trial.hold(noun, {**given, **state, oracle.KEYS[noun]: key})
        if trial.volume not in trial.state()["volume"]:
            break


@pytest.mark.promise("success-is-true")
@settings(max_examples=CASES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@drawn(
    dialect=DIALECTS,
    exports=EXPORTS,
    quotas=QUOTAS,
    task=LISTS,
    faults=st.just([]) | FAULTS,
)
def test_a_list_never_reports_what_is_not_so(
    shared_console: tuple[Emulator, FakeClock],
    dialect: Dialect,
    exports: list[dict[str, Any]],
    quotas: list[dict[str, Any]],
    task: tuple[str, list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]],
    faults: list[Fault],
) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect)
    trial = ListTrial(emulator, clock)
    for export in exports:
        emulator.add_export(trial.volume, **export)
    for quota in quotas:
        emulator.add_quota(trial.volume, **quota)
    clock.now += 60
    noun, items, extra, given = task
    wanted = [{**more, **item} for item, more in zip(items, extra, strict=False)]
    trial.hold_list(noun, wanted, given, faults=faults)
