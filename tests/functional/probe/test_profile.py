# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The profile of any dialect makes the emulator come out the same at each step, and says nothing that is secret.

Hypothesis draws dialects. `CASES=5000` in the environment draws an eighth as many.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import BROKEN, CHOICES, Dialect, Emulator, Fault
from emulator.dialect import usable
from functional.probe.consoles import MARK, SCRATCH, USERS, existing, probed, recognizable, records, values
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock
from probe.runner import Target

# What no client can work with is drawn, too, as far as a probe can be repeated on it.
READABLE = {name: usable(name) for name in ("ids", "put_alters", "update_appear_after")}
DIALECTS = st.fixed_dictionaries(
    {name: st.sampled_from(READABLE.get(name, choices)) for name, choices in CHOICES.items()}
    | {"rate_limit": st.sampled_from([0] * 8 + list(CHOICES["rate_limit"]))}
).map(recognizable)
ANY = settings(
    max_examples=max(CASES // 8, 1), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

# What a probe says of a console with this one setting, where that is not the setting itself.
LAGS = {0.3: 0.5, 1.2: 2.0}


@pytest.mark.promise("profile-is-true")
@ANY
@drawn(dialect=DIALECTS)
def test_each_step_comes_out_the_same(shared_console: tuple[Emulator, FakeClock], dialect: Dialect) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect)
    outcome = probed(emulator, clock)
    note(f"{dialect.differences()} {outcome.profile}")
    assert (outcome.unknown, outcome.left, outcome.error, emulator.volumes()) == ([], [], "", [])


@ANY
@drawn(dialect=DIALECTS)
def test_so_it_does_in_a_volume_of_the_users(shared_console: tuple[Emulator, FakeClock], dialect: Dialect) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect if dialect.keys == "shown" and dialect.list_shape not in BROKEN["list_shape"] else Dialect())
    target = existing(emulator)
    outcome = probed(emulator, clock, target)
    note(f"{dialect.differences()} {outcome.profile}")
    assert outcome.unknown == []
    assert (records(emulator) == USERS) is (not outcome.left) is (emulator.dialect.delete_children == "yes")


SETTINGS = [
    (name, value) for name, choices in CHOICES.items() for value in choices if (name, value) != ("ids", "missing")
]


@pytest.mark.promise("profile-is-true")
@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_a_setting_is_found(emulator: Emulator, clock: FakeClock, name: str, value: Any) -> None:
    with_it: dict[str, dict[str, Any]] = {"page_size": {"list_shape": "page"}, "stale_for": {"stale_every": 2}}
    on_pages: dict[str, Any] = {"list_shape": "page", "page_size": 2 if name == "page_overlap" else 1}
    needed = on_pages if name in ("page_overlap", "next_url", "count", "list_shape") else with_it.get(name, {})
    emulator.reset(recognizable({**needed, name: value}))
    found = values(probed(emulator, clock))[name]
    if name == "page_size" and value >= 3:
        assert found is None
    elif (name, value) == ("stale_every", 1):
        assert found == 0
    else:
        assert found == LAGS.get(value, value) if isinstance(value, float) else found == value


@pytest.mark.promise("profile-is-true")
def test_what_is_not_found_out_has_a_reason(emulator: Emulator, clock: FakeClock) -> None:
    outcome = probed(emulator, clock, Target(read_only=True))
    assert emulator.writes == []
    assert outcome.profile["put"] == {"value": None, "reason": "only reading was asked for"}
    assert outcome.profile["list_shape"]["value"] == "array"
    assert all(entry.get("evidence") or entry["reason"] for entry in outcome.profile.values())


@pytest.mark.promise("profile-is-true")
@pytest.mark.parametrize(
    ("fault", "steps"),
    [
        (Fault("wrong_json", method="POST", path="/exports", value=[], effect=True, status=201), ["create_export"]),
        (Fault("status", method="PUT", path="/exports", nth=3, status=400), ["rename_export"]),
        (Fault("status", method="PUT", path="/quotas", nth=2, status=422), ["update_inodes"]),
    ],
    ids=["an array in place of the record", "a partial update", "one field of one list"],
)
def test_an_unknown_step(emulator: Emulator, clock: FakeClock, fault: Fault, steps: list[str]) -> None:
    emulator.inject(fault)
    outcome = probed(emulator, clock)
    assert [text.partition(":")[0] for text in outcome.unknown] == steps
    assert outcome.profile["create_body"]["value"] in (None, "record")


@pytest.mark.promise("profile-names-nobody")
@pytest.mark.parametrize("name", ["default", "chatty", "paged", "terse", "stringly", "rejecting", "limited"])
@pytest.mark.parametrize("is_scratch", [True, False], ids=["new", "existing"])
def test_a_profile_names_nobody(emulator: Emulator, clock: FakeClock, name: str, *, is_scratch: bool) -> None:
    emulator.reset(Dialect.named(name))
    target = existing(emulator)
    emulator.inject(Fault("status", method="PUT", status=418))
    outcome = probed(emulator, clock, SCRATCH if is_scratch else target)
    text = json.dumps([outcome.profile, outcome.unknown])
    assert outcome.unknown
    assert target.existing is not None
    secret = [*emulator.tokens(), emulator.access_key, emulator.secret_key, emulator.url.partition("//")[2]]
    for word in (*secret, MARK, "scratch", "mine", "other.example.com", f"/{target.existing}", "2001"):
        assert word not in text
