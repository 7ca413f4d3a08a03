# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The profile of any dialect is that dialect, as far as it can be seen; the profile of a profile is itself.

Hypothesis draws dialects, also those that no task can work with. `CASES=5000` in the environment draws a quarter as many.
The profiles of the named dialects are kept beside the emulator; `WRITE=1` in the environment writes them.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import CHOICES, Dialect, Emulator
from emulator.dialect import usable
from emulator.profile import read_profile, settings_of
from functional.probe.visible import LAGS, LINKED, visible
from functional.support import oracle
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock, connection_to, run_module
from harness.places import CHECKOUT

MAX_REQUESTS = 120
PROFILES = CHECKOUT / "tests" / "emulator" / "profiles"
# Without ids nothing can be deleted, and without keys and ids in responses nothing can be recognized: see test_refusals.
# The probe does not tell what cannot be restored from what can, and does not look at what an update hides.
NOT_TOLD = {"put": {"lose"}, "put_hides": {"sent", "others"}, "put_alters": {"token", "vanish", "replace"}}
DRAWN = {
    name: st.sampled_from([value for value in values if value not in NOT_TOLD.get(name, ())])
    for name, values in {**CHOICES, "ids": usable("ids")}.items()
}
# A limit of rates makes the probe wait, so that late lists cannot be measured.
RARELY = {"rate_limit": st.sampled_from([0] * 8 + list(CHOICES["rate_limit"]))}
WAITING = {*LAGS, "stale_every"}
DISTURBED = {*LAGS, "stale_every", "count", "page_size", "page_overlap"}


def recognizable(values: dict[str, Any]) -> Dialect:
    """Return the dialect of these values, with an id in the response to a creation where lists show no keys."""
    if values["keys"] != "shown":
        values = {**values, "create_status": 201, "create_body": "record"}
    return Dialect.fitting(values)


DIALECTS = st.fixed_dictionaries({**DRAWN, **RARELY}).map(recognizable)


def probe(emulator: Emulator, clock: FakeClock, **options: Any) -> dict[str, Any]:
    """Return the result of a probe, and assert that it kept its promises."""
    emulator.forget_requests()
    given = {"volume": "scratch", "bucket": "https://scratch.example.com", "region": 1, **options}
    result = run_module("probe", {**connection_to(emulator), **given}, clock)
    assert "failed" not in result, result["msg"]
    assert emulator.volumes() == []
    assert len(emulator.requests) == result["requests"] <= MAX_REQUESTS
    assert not oracle.secrets_in(result, emulator)
    return result


def values_of(result: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a profile."""
    return {name: entry["value"] for name, entry in result["profile"].items()}


def is_true(name: str, value: Any, expected: Any, profile: dict[str, Any], dialect: Dialect) -> bool:
    """Return whether a value is the one to see, or not known for a reason that the dialect gives."""
    if value is None and any("as many requests as it may" in entry.get("reason", "") for entry in profile.values()):
        return True
    if (name in WAITING and dialect.rate_limit) or (name in DISTURBED and reads_twice(dialect)):
        return True
    if name == "ready_after" and expected is None:
        # Asked when it was ready at last, or soon enough to call it at once.
        return value in (None, 0.0)
    return bool(value == expected and type(value) is type(expected))


def reads_twice(dialect: Dialect) -> bool:
    """Return whether each reading of a list reads its first page twice, so that stale ones are not seen alone."""
    return bool(dialect.next_url == "loop" and dialect.stale_every and dialect.list_shape in LINKED)


@pytest.mark.promise("profile-is-true")
@settings(
    max_examples=max(CASES // 4, 1), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@drawn(dialect=DIALECTS)
def test_the_profile_of_a_dialect_is_that_dialect(shared_console: tuple[Emulator, FakeClock], dialect: Dialect) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect)
    result = probe(emulator, clock)
    note(f"{dialect.differences()} {result['unknown']}")
    found, expected = values_of(result), visible(dialect)
    assert found.keys() == {*expected, "clock_offset"}
    wrong = {
        name: (found[name], expected[name])
        for name in expected
        if not is_true(name, found[name], expected[name], result["profile"], dialect)
    }
    assert wrong == {}
    assert result["unknown"] == [] or dialect.rate_limit or reads_twice(dialect)


NAMES = [name for name in Dialect.names() if Dialect.named(name).ids == "shown" and Dialect.named(name).put != "lose"]


@pytest.mark.parametrize("name", NAMES)
def test_the_profile_of_a_profile_is_itself(emulator: Emulator, clock: FakeClock, name: str) -> None:
    emulator.reset(recognizable(Dialect.named(name).settings()))
    found = values_of(probe(emulator, clock))
    known, offset = settings_of(found)
    emulator.reset(Dialect.fitting(known))
    emulator.clock_offset = offset
    assert values_of(probe(emulator, clock)) == found


@pytest.mark.parametrize("name", NAMES)
def test_the_profiles_of_named_dialects_are_kept(emulator: Emulator, clock: FakeClock, name: str) -> None:
    emulator.reset(recognizable(Dialect.named(name).settings()))
    path = PROFILES / f"{name}.json"
    entries = {setting: {"value": value} for setting, value in values_of(probe(emulator, clock)).items()}
    lines = [f"    {json.dumps(setting)}: {json.dumps(entry)}" for setting, entry in sorted(entries.items())]
    text = '{\n  "profile": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    if os.environ.get("WRITE"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
    settings_of_file, offset = read_profile(path)
    assert offset == 0
    assert Dialect.fitting(settings_of_file)
