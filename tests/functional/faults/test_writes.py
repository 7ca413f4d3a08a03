# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes that are lost, altered, shown late or contradicted, and other users who write meanwhile: a table for each.

The tables of `reconcile/after_request.py` cover the decision after each response and each reading, the fault matrix covers every
fault at every request. Here is an example of each decision, from the first request to the result. `tests/interleavings`
cover two tasks at once, and another user at each moment.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console, others

VOLUME, QUOTA = 7, 81
MOMENTS = ("before", "after")
GIB = 1 << 30


class Expected(NamedTuple):
    """The outcome of a task, the records in the end, and the message."""

    outcome: str
    after: str
    message: str = ""


changed, unchanged = partial(Expected, "changed"), partial(Expected, "unchanged")
failed, failed_changed = partial(Expected, "failed"), partial(Expected, "failed and changed")
CREATE, UPDATE, DELETE = {"path": "/a", "size": 5}, {"path": "/a", "size": 6}, {"path": "/a", "state": "absent"}
RENAME = {"id": QUOTA, "path": "/b"}
CREATED, UPDATED, DELETED = changed("/a 5"), changed("/a 6"), changed("")
DOUBLED = failed_changed("/a 5, /a 5", "there are several quotas with the path '/a'")
MAY_STILL = "The request may still be carried out. Look at the record first."


class Case(NamedTuple):
    """A task, its faults, and the expected outcome; quotas are written as path, size and perhaps inodes.

    Of the settings, `before` holds the records at first, `sent` the number of writes that are sent; others are options, or
    settings of the console.
    """

    name: str
    goal: dict[str, Any]
    faults: list[Fault]
    expected: Expected
    settings: dict[str, Any]


def case(name: str, goal: dict[str, Any], faults: list[Fault], expected: Expected, **settings: Any) -> Case:
    """Return a row of a table; an update or deletion finds `/a 5` unless it says otherwise."""
    return Case(name, goal, faults, expected, {"before": "" if goal is CREATE else "/a 5", **settings})


def lost(method: str, kind: str = "reset_after", **settings: Any) -> Fault:
    """Return the fault that loses the response to a write, or replaces it."""
    return Fault(kind, method=method, **settings)


def refused(method: str, status: int) -> Fault:
    """Return the fault that refuses all writes with a method."""
    return Fault("status", method=method, status=status, times=None)


def another(action: str, method: str, moment: str = "before", **settings: Any) -> Fault:
    """Return a change by another user, before or after the first such request takes effect."""
    return others(action, "quotas", VOLUME, at=(method, 1, moment), **settings)


def unreadable(nth: int = 2, status: int = 500) -> Fault:
    """Return the fault that makes the list unreadable from one reading on."""
    return Fault("status", method="GET", path="quotas", nth=nth, times=None, status=status)


def limited(nth: int = 1, seconds: int = 1) -> Fault:
    """Return the fault that rate-limits a creation."""
    return Fault("status", method="POST", status=429, nth=nth, retry_after=seconds)


def later(method: str) -> Fault:
    """Return the fault that fails a write, and carries it out long after the task has ended."""
    return Fault("status", method=method, effect=True, effect_after=5.0)


LARGE, HUGE = {"path": "/a", "size": 5000}, {"path": "/a", "size": 2 * GIB}
CAPPED = failed_changed(f"/a {GIB}", f"size is {GIB}, wanted {2 * GIB}")
UNSEEN = failed_changed("/a 5", "An earlier request got no response, and may have been carried out")
NOT_READ_TO_SEE = failed_changed("/a 5", "quota '/a' could not be read back")
LOST = [
    case("created, garbage", CREATE, [lost("POST", "garbage", effect=True)], CREATED, sent=1, retries=0),
    case("created, a proxy's page", CREATE, [lost("POST", "html", status=502, effect=True)], CREATED, sent=1),
    case("created, a login page", CREATE, [lost("POST", "html", effect=True)], CREATED, sent=1, retries=0),
    case("created, other JSON", CREATE, [lost("POST", "wrong_json", effect=True)], CREATED, sent=1),
    case("not created", CREATE, [lost("POST", "reset_before")], CREATED, sent=2),
    case("not created, no retries", CREATE, [refused("POST", 500)], failed_changed("", MAY_STILL), sent=1, retries=0),
    case("never created", CREATE, [refused("POST", 504)], failed_changed("", MAY_STILL), sent=3, retries=2),
    case("never updated", UPDATE, [refused("PUT", 504)], failed_changed("/a 5", MAY_STILL), sent=3, retries=2),
    case("never deleted", DELETE, [refused("DELETE", 504)], failed_changed("/a 5", MAY_STILL), sent=3, retries=2),
    case("created later", CREATE, [later("POST")], failed_changed("/a 5", MAY_STILL), retries=0),
    case("updated later", UPDATE, [later("PUT")], failed_changed("/a 6", MAY_STILL), retries=0),
    case("deleted later", DELETE, [later("DELETE")], failed_changed("", MAY_STILL), retries=0),
    case(
        "deleted later, then redirected",
        DELETE,
        [later("DELETE"), lost("DELETE", "redirect", nth=2)],
        failed_changed("", MAY_STILL),
        sent=2,
    ),
    case("created, shown in time", CREATE, [lost("POST")], CREATED, sent=1, appear_after=2.9),
    case("created, shown too late", CREATE, [lost("POST")], DOUBLED, sent=2, appear_after=5.0),
    case("repeat refused", CREATE, [lost("POST")], CREATED, appear_after=5.0, unique_keys=True),
    case("repeat refused, never shown", CREATE, [lost("POST")], UNSEEN, appear_after=1000.0, unique_keys=True),
    case("repeat rate-limited", CREATE, [lost("POST"), limited(nth=2, seconds=10)], CREATED, appear_after=4.0),
    case("created, cannot be looked for", CREATE, [lost("POST"), unreadable(status=403)], NOT_READ_TO_SEE),
    case("updated, but never answered", UPDATE, [lost("PUT", times=None)], UPDATED, retries=2),
    case("updated, timed out", UPDATE, [lost("PUT", "status", status=408, effect=True)], UPDATED, sent=1),
    case("created, redirected", CREATE, [lost("POST", "redirect", effect=True)], CREATED, sent=1, appear_after=1.0),
    case("deleted, redirected", DELETE, [lost("DELETE", "redirect", effect=True)], DELETED, sent=1, vanish_after=1.0),
    case("deleted slowly", DELETE, [lost("DELETE")], DELETED, vanish_after=8.0),
]
ALTERED = [
    case("rounded up", LARGE, [], failed_changed("/a 8192", "size is 8192, wanted 5000"), put_alters="rounds_up"),
    case("capped, and lost", HUGE, [lost("PUT", times=None)], CAPPED, retries=1, put_alters="caps"),
    case("shown in time", UPDATE, [], UPDATED, update_appear_after=2.0),
    case("shown too late", UPDATE, [], failed("/a 6", "after 3 s, size is 5, wanted 6"), update_appear_after=5.0),
    case("not deleted", DELETE, [refused("DELETE", 405)], failed("/a 5", "this console does not delete quotas")),
]

stale = partial(case, stale_every=2, stale_for=1.0)
# Another user writes before the task reads; the second of its readings is outdated.
NEW = another("create", "GET", fields=CREATE)
CUT = another("update", "GET", key="/a", fields=CREATE)
GONE, GONE_LATER = another("delete", "GET", key="/a"), another("delete", "DELETE", "after", key="/a")
BY_OTHERS = another("update", "PUT", "after", key="/a", fields=UPDATE)
NOT_READ = failed("/a 5", "could not be read back")
NO_UPDATE, NO_DELETION = refused("PUT", 403), refused("DELETE", 403)
CONTRADICTED = [
    stale("deletion refused, was not there", DELETE, [NEW, NO_DELETION], failed("/a 5", "403"), before=""),
    stale("update refused, was as wanted", UPDATE, [CUT, NO_UPDATE], failed("/a 5", "403"), before="/a 6"),
    stale("update accepted, was not there", UPDATE, [NEW], UPDATED, before=""),
    stale("creation refused, was there", CREATE, [GONE, refused("POST", 403)], failed("", "403"), before="/a 5"),
    stale("update refused, not read", UPDATE, [CUT, NO_UPDATE, unreadable(3)], NOT_READ, before="/a 6", retries=0),
    stale("deletion refused, not read", DELETE, [NEW, NO_DELETION, unreadable(3)], NOT_READ, before="", retries=0),
    case("update refused, but carried out", UPDATE, [BY_OTHERS, NO_UPDATE], unchanged("/a 6")),
    case("deletion refused, but carried out", DELETE, [GONE_LATER, NO_DELETION], unchanged("")),
]

SAME, DIFFERENT = another("create", "POST", fields=CREATE), another("create", "POST", fields=UPDATE)
ITS_KEY = another("create", "DELETE", fields=UPDATE)
NAMED_B = another("create", "PUT", fields={"path": "/b", "size": 9})
INODES, INODES_LATER = (another("update", "PUT", moment, key="/a", fields={"inodes": 9}) for moment in MOMENTS)
OTHER_ID = lost("POST", "wrong_json", status=201, value={"id": 987654})
NOT_OURS = failed_changed("/a 5", "created quota '/a' with the id 987654, but lists quota '/a' (id ")
BY_SOMEBODY = failed(
    "/a 6",
    "created by somebody else in the meantime. Run the task again, since it is not as wanted: size is 6, wanted 5",
)
BLAME = "inodes changed meanwhile, by the console or by somebody else"
ANY = {"before": "/a 5 7", "put": "any"}
OTHERS = [
    case("create before us", CREATE, [SAME], DOUBLED, create_body="id"),
    case("create before us, shown first", CREATE, [SAME, limited(seconds=1)], DOUBLED, appear_after=1.2),
    case("create before us, ours is never shown", CREATE, [SAME, OTHER_ID], NOT_OURS, wait_timeout=5),
    case("create the same, ours is refused", CREATE, [SAME, refused("POST", 409)], unchanged("/a 5")),
    case("create two, ours is refused", CREATE, [SAME, SAME, refused("POST", 409)], DOUBLED._replace(outcome="failed")),
    case("create another, ours is refused", CREATE, [DIFFERENT, refused("POST", 422)], BY_SOMEBODY),
    case("delete before us", DELETE, [another("delete", "DELETE", key="/a")], unchanged("")),
    case("create what we delete", DELETE, [ITS_KEY], failed_changed("/a 6", "is listed by now")),
    case("take the new name before us", RENAME, [NAMED_B], failed_changed("/b 5, /b 9")),
    case("update, ours is refused", UPDATE, [INODES, refused("PUT", 400)], failed("/a 5 9"), sent=1, **ANY),
    case("update, and we restore", UPDATE, [INODES_LATER], changed("/a 6 7", BLAME), **ANY),
    case("update for good", UPDATE, [INODES_LATER], failed_changed("/a 6 9", "inodes was 7, is 9"), before="/a 5 7"),
]
TABLES = {"lost": LOST, "altered": ALTERED, "contradicted": CONTRADICTED, "others": OTHERS}


@pytest.mark.promise("lost-writes-are-repeated", "maybe-applied-counts", "refusal-is-no-change", "duplicates-are-named")
@pytest.mark.parametrize("module", ["quota", "quotas"])
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{name}: {case.name}") for name, table in TABLES.items() for case in table]
)
def test_what_is_reported_is_so(run: Run, emulator: Emulator, clock: FakeClock, module: str, case: Case) -> None:
    settings = dict(case.settings)
    before, count = settings.pop("before"), settings.pop("sent", None)
    options = {name: settings.pop(name) for name in ("retries", "wait_timeout") if name in settings}
    emulator.reset(Dialect(**settings))
    emulator.add_volume(id=VOLUME, name="v", bucket="https://v.example.com")
    if before:
        path, size, inodes = f"{before} 0".split()[:3]
        emulator.add_quota(VOLUME, id=QUOTA, path=path, size=int(size), inodes=int(inodes))
    emulator.inject(*case.faults)
    goal = {"quotas": [case.goal]} if module == "quotas" else case.goal
    result = run(module, volume="v", **options, **goal)
    assert count in (None, len(emulator.writes))
    clock.now += 60
    assert_as_expected(case.expected, result, emulator.quotas(VOLUME))


def assert_as_expected(expected: Expected, result: dict[str, Any], quotas: list[dict[str, Any]]) -> None:
    """Assert outcome, message and records, and that duplicates are named."""
    message = " ".join([result.get("msg", ""), *result["warnings"]])
    words = ["failed"] * ("failed" in result) + ["changed"] * result["changed"]
    assert " and ".join(words or ["unchanged"]) == expected.outcome, message
    assert expected.message in message
    shown = [f"{quota['path']} {quota['size']}" + f" {quota['inodes']}" * bool(quota["inodes"]) for quota in quotas]
    assert ", ".join(sorted(shown)) == expected.after
    paths = [quota["path"] for quota in quotas]
    assert all(str(quota["id"]) in message for quota in quotas if paths.count(quota["path"]) > 1)
    keys = [key for what in ("created", "updated", "deleted") for key in result.get(what, ())]
    if "quota" not in result and not (result["changed"] and "failed" in result):
        assert len(keys) == result["changed"]


@pytest.mark.promise("maybe-applied-counts")
@pytest.mark.parametrize(("goal", "there"), [(CREATE, 0), (UPDATE, 1), (UPDATE, 3), (DELETE, 1)])
def test_a_list_names_only_what_was_seen(run: Run, console: Console, goal: dict[str, Any], there: int) -> None:
    paths = [f"/a{number}" for number in range(there or 1)]
    for path in paths[:there]:
        console.has_quota(path=path, size=5)
    console.emulator.inject(*(Fault("empty", method=method, times=None) for method in ("POST", "PUT", "DELETE")))
    console.emulator.inject(unreadable())
    result = run("quotas", volume="v", quotas=[{**goal, "path": path} for path in paths], retries=0)
    assert (result["failed"], result["changed"]) == (True, True)
    assert [result["created"], result["updated"], result["deleted"]] == [[], [], []]
    # The others are not sent.
    assert ["could not be read back" in error["msg"] for error in result["errors"]] == [True] + [False] * (
        len(paths) - 1
    )
    assert (result["diff"]["prepared"], result["changes"]) == ("", [])
