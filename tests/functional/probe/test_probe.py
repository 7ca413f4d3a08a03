# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A probe removes what it made, touches nothing else, and its profile makes the emulator come out the same at each step.

Hypothesis draws dialects. `CASES=5000` in the environment draws an eighth as many.
"""

from __future__ import annotations

import json
import ssl
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import BROKEN, CHOICES, Dialect, Emulator, Fault
from emulator.dialect import usable
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock
from probe.client import Connection
from probe.outline import _of_record
from probe.replay import Outcome, probe
from probe.runner import Target

MARK = "probe-0123abcd"
SCRATCH = Target(volume="scratch", fields={"bucket": "https://scratch.example.com", "region": 1})
LIMIT = 250 + 60
USERS: list[tuple[str, list[str], list[str]]] = [("other", ["web"], []), ("mine", [], [])]
# Created once, since that takes longer than a probe.
TLS = ssl.create_default_context()
NEW_OR_EXISTING = pytest.mark.parametrize("is_new", [True, False], ids=["new", "existing"])


def proved(emulator: Emulator, clock: FakeClock, target: Target = SCRATCH) -> Outcome:
    """Return the outcome of a probe of a console."""
    emulator.forget_requests()
    connection = Connection(emulator.url, emulator.access_key, emulator.secret_key, tls=TLS)
    outcome = probe(connection, target, MARK, clock)
    assert len(emulator.requests) <= LIMIT
    return outcome


def probed(emulator: Emulator, clock: FakeClock, target: Target = SCRATCH) -> Outcome:
    """Return the outcome of a probe that is not replayed on the emulator."""
    with mock.patch("probe.replay._replayed", lambda run, _profile: run):
        return proved(emulator, clock, target)


def existing(emulator: Emulator) -> Target:
    """Return an empty volume of the user's, beside another one."""
    other = emulator.add_volume(name="other", bucket="https://other.example.com")
    emulator.add_export(other, desc="web", iprange="*")
    return Target(existing=emulator.add_volume(name="mine", bucket="https://mine.example.com"))


def records(emulator: Emulator) -> list[tuple[str, list[str], list[str]]]:
    """Return the names of all volumes, with the keys of their exports and quotas."""
    ids = [(volume["name"], volume["id"]) for volume in emulator.volumes()]
    lists = ((emulator.exports, "desc"), (emulator.quotas, "path"))
    return [(name, *([record[key] for record in read(number)] for read, key in lists)) for name, number in ids]


# The number of requests that a probe of the default dialect sends.
MOMENTS = range(1, 52)
# A truncated body is no answer, which shows at a few moments.
TROUBLE = [
    *(Fault("status", nth=moment, times=None, status=500) for moment in MOMENTS),
    *(Fault("reset_after", nth=moment) for moment in MOMENTS),
    *(Fault("truncate", nth=moment) for moment in MOMENTS[3::8]),
]


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("fault", TROUBLE, ids=lambda fault: f"{fault.kind} at {fault.nth}")
@NEW_OR_EXISTING
def test_a_failure_at_any_request(emulator: Emulator, clock: FakeClock, fault: Fault, *, is_new: bool) -> None:
    target = existing(emulator)
    emulator.inject(fault)
    outcome = probed(emulator, clock, SCRATCH if is_new else target)
    assert records(emulator) == USERS or (fault.times is None and outcome.left)
    assert fault.times is None or all("its creation was not answered" in text for text in outcome.left)


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interruption(emulator: Emulator, clock: FakeClock, moment: int, monkeypatch: pytest.MonkeyPatch) -> None:
    target, sleep, calls = existing(emulator), clock.sleep, []

    def interrupted(seconds: float) -> None:
        calls.append(seconds)
        if len(calls) == moment:
            raise KeyboardInterrupt
        sleep(seconds)

    monkeypatch.setattr(clock, "sleep", interrupted)
    for used in (SCRATCH, target):
        calls.clear()
        outcome = probed(emulator, clock, used)
        assert records(emulator) == USERS or any("interrupted" in text for text in outcome.left)
        assert (outcome.error == "interrupted") or len(calls) < moment or outcome.left


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("late", [8.0, 100.0, 1000.0])
@pytest.mark.parametrize("body", ["record", "empty"])
def test_a_volume_that_is_listed_late(emulator: Emulator, clock: FakeClock, late: float, body: str) -> None:
    emulator.reset(Dialect(appear_after=late, unique_keys=True, required="name", create_body=body))
    outcome = probed(emulator, clock)
    is_left = late == 1000.0 and body == "empty"
    assert outcome.left == ["volume 'scratch' may be left: it is not listed"] * is_left
    assert [volume["name"] for volume in emulator.volumes()] == ["scratch"] * is_left
    assert (outcome.error == "") is (late == 8.0)


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize(("body", "is_left"), [("id", False), ("record", True)])
def test_a_volume_without_an_id_in_lists(emulator: Emulator, clock: FakeClock, body: str, *, is_left: bool) -> None:
    emulator.reset(Dialect(ids="missing", create_body=body))
    outcome = probed(emulator, clock)
    assert bool(emulator.volumes()) is is_left is bool(outcome.left)


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("status", ["404", "405", "501"])
def test_records_that_cannot_be_deleted(emulator: Emulator, clock: FakeClock, status: str) -> None:
    emulator.reset(Dialect(delete_children=status))
    outcome = probed(emulator, clock, existing(emulator))
    assert [len(keys) for _name, *lists in records(emulator)[1:] for keys in lists] == [1, 1]
    assert [text.partition(" ")[0] for text in outcome.left] == ["export", "quota"]
    assert outcome.profile["delete_children"]["value"] == status


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("status", [409, 400])
def test_a_volume_that_may_be_somebody_elses(emulator: Emulator, clock: FakeClock, status: int) -> None:
    emulator.inject(Fault("status", method="POST", path="/volumes$", status=status, times=None, effect=True))
    outcome = probed(emulator, clock, Target("scratch"))
    assert f"the console refuses the volume: HTTP {status}" in outcome.error
    emulator.clear_faults()
    # The emulator wants a bucket, so the effect was none: somebody else was quicker.
    change = {"action": "create", "resource": "volumes", "fields": {"name": "scratch"}}
    emulator.inject(Fault("meanwhile", method="POST", moment="after", change=change))
    outcome = probed(emulator, clock, Target("scratch"))
    assert [volume["name"] for volume in emulator.volumes()] == ["scratch"]
    assert "may be somebody else's" in outcome.left[0]
    assert "DELETE" not in [request.method for request in emulator.writes]


@pytest.mark.promise("probe-cleans-up")
def test_an_id_that_is_listed_as_another_record_is_not_deleted(emulator: Emulator, clock: FakeClock) -> None:
    other = emulator.add_volume(name="other", bucket="https://other.example.com")
    emulator.inject(Fault("wrong_json", method="POST", path="/volumes$", times=None, status=201, value={"id": other}))
    outcome = probed(emulator, clock)
    assert ([volume["id"] for volume in emulator.volumes()], bool(outcome.left)) == ([other], True)


UNSURE = "so a volume might not be found again"


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize(
    ("dialect", "seed", "target", "message"),
    [
        ({}, {"name": "scratch"}, SCRATCH, "a volume 'scratch' exists"),
        ({}, {"name": " scratch "}, SCRATCH, "a volume 'scratch' exists"),
        ({}, {}, Target(existing=1), "no volume has the id 1"),
        ({}, {"id": 7}, Target(existing=7), "the volume has exports or quotas"),
        ({"ids": "missing"}, {}, SCRATCH, UNSURE),
        ({"keys": "null"}, {}, SCRATCH, UNSURE),
        ({"list_shape": "total", "page_size": 1}, {}, SCRATCH, UNSURE),
    ],
    ids=str,
)
def test_a_volume_that_may_be_needed_or_lost_is_refused(
    emulator: Emulator, clock: FakeClock, dialect: dict[str, Any], seed: dict[str, Any], target: Target, message: str
) -> None:
    emulator.reset(Dialect(**dialect))
    existing(emulator)
    emulator.add_export(emulator.add_volume(**{"name": "full", **seed}), desc="web", iprange="*")
    outcome = probed(emulator, clock, target)
    assert (message in outcome.error, emulator.writes, outcome.left) == (True, [], [])


def recognizable(given: dict[str, Any]) -> Dialect:
    """Return the dialect of these settings; if lists show no keys, with other evidence of creations and updates.

    That is an id in the response to a creation. If a list does not react to an update, no field shows how late it is. If only
    one record of a list is to be read, it is not of another kind. Many pages, read with pauses while the list lags, do not
    show one moment.
    """
    is_cut = given.get("list_shape") in BROKEN["list_shape"] or given.get("next_url") in BROKEN["next_url"]
    if is_cut and given.get("page_size") == 1:
        given = {**given, "user_quotas": "none"}
    # A page may be gone by the time that a pause between two requests has ended.
    if given.get("page_size") == 1 and (given.get("stale_every") == 1 or given.get("vanish_after")):
        given = {**given, "rate_limit": 0}
    if given.get("keys", "shown") == "shown":
        return Dialect(**given)
    at_once = {"update_appear_after": 0.0} if given.get("put_hides") == "sent" else {}
    return Dialect(**{**given, "answers": "plain", "create_body": "record", **at_once})


# Dialects that no client can work with are drawn, too, as a probe can be repeated on them.
READABLE = {name: usable(name) for name in ("ids", "put_alters", "update_appear_after")}
DIALECTS = st.fixed_dictionaries(
    {name: st.sampled_from(READABLE.get(name, choices)) for name, choices in CHOICES.items()}
    | {"rate_limit": st.sampled_from([0] * 8 + list(CHOICES["rate_limit"]))}
).map(recognizable)
SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.mark.promise("profile-is-true")
@NEW_OR_EXISTING
@settings(max_examples=max(CASES // 8, 1), suppress_health_check=SLOW)
@drawn(dialect=DIALECTS)
def test_each_step_comes_out_the_same(
    shared_console: tuple[Emulator, FakeClock], dialect: Dialect, *, is_new: bool
) -> None:
    emulator, clock = shared_console
    is_usable = dialect.keys == "shown" and not any(
        getattr(dialect, name) in BROKEN[name] for name in ("list_shape", "next_url")
    )
    emulator.reset(dialect if is_new or is_usable else Dialect())
    target, before = (SCRATCH, []) if is_new else (existing(emulator), USERS)
    outcome = proved(emulator, clock, target)
    note(f"{dialect.differences()} {outcome.profile}")
    assert (outcome.unknown, outcome.error) == ([], "")
    can_clean_up = is_new or emulator.dialect.delete_children == "yes"
    assert (records(emulator) == before) is (not outcome.left) is can_clean_up


PAGED = {"list_shape": "page", "page_size": 1}
# Evidence of a setting, and the probe's statement if that is not the setting itself.
NEEDED: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("next_url", "count", "list_shape", "page_size"), PAGED),
    "page_overlap": {**PAGED, "page_size": 2},
    "stale_for": {"stale_every": 2},
}
LAGS = {0.3: 0.5, 1.2: 2.0}
FOUND = {("page_size", 100): None, ("stale_every", 1): 0}
SETTINGS = [pair for name in CHOICES for value in CHOICES[name] if (pair := (name, value)) != ("ids", "missing")]


@pytest.mark.promise("profile-is-true")
@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_a_setting_is_found(emulator: Emulator, clock: FakeClock, name: str, value: Any) -> None:
    emulator.reset(recognizable({**NEEDED.get(name, {}), name: value}))
    found = probed(emulator, clock).profile[name]["value"]
    assert found == FOUND.get((name, value), LAGS.get(value, value))


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
    outcome = proved(emulator, clock)
    assert [text.partition(":")[0] for text in outcome.unknown] == steps
    assert outcome.profile["create_body"]["value"] in (None, "record")


@pytest.mark.promise("profile-is-true")
def test_what_somebody_else_has_put_into_a_record_of_the_probe_is_shown_as_its_type_alone() -> None:
    theirs = {"desc": "tax office", "path": "/salaries", "iprange": "10.1.2.3", "size": "secret", "inodes": 5}
    seen = _of_record(theirs, None, MARK)
    assert seen == {"desc": "str", "path": "str", "iprange": "str", "size": "str", "inodes": 5}


@pytest.mark.promise("profile-is-true")
@pytest.mark.parametrize("name", ["default", "chatty", "paged", "terse", "stringly", "rejecting", "limited"])
@NEW_OR_EXISTING
def test_a_profile_names_nobody(emulator: Emulator, clock: FakeClock, name: str, *, is_new: bool) -> None:
    emulator.reset(Dialect.named(name))
    target = existing(emulator)
    emulator.inject(Fault("status", method="PUT", status=418))
    outcome = proved(emulator, clock, SCRATCH if is_new else target)
    text = json.dumps([outcome.profile, outcome.unknown])
    assert outcome.unknown
    assert target.existing is not None
    secret = [*emulator.tokens(), emulator.access_key, emulator.secret_key, emulator.url.partition("//")[2]]
    for word in (*secret, MARK, "scratch", "mine", "other.example.com", f"/{target.existing}", "2001"):
        assert word not in text
