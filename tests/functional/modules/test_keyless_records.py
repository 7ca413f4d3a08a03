# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keys that are odd: missing ones, blank ones, and addresses with a password, which no result shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from emulator import Emulator, Fault
from emulator.lists import USER_QUOTA_ID
from functional.support.inprocess import Run
from functional.support.one_volume import Console, serve_lists

USERS = USER_QUOTA_ID + 101


@pytest.fixture(params=["absent", "null"])
def mixed(request: pytest.FixtureRequest, console: Console) -> Console:
    """Return a console with an export web, a quota /a, and the quota of a user."""
    console.reset(user_quotas=request.param, list_shape="page", page_size=1, numbers="string")
    console.has_export(desc="web", iprange="*")
    console.has_quota(path="/a", size=5)
    return console


QUOTAS = {"quotas": [{"path": "/b", "size": 1}, {"path": "/a", "state": "absent"}], "purge": True}
WRITERS: dict[str, dict[str, Any]] = {"quota": {"path": "/b", "size": 4096}, "quotas": QUOTAS}


@pytest.mark.parametrize(("module", "options"), WRITERS.items(), ids=WRITERS)
def test_no_request_names_the_quota_of_a_user(mixed: Console, module: str, options: dict[str, Any]) -> None:
    predicted = mixed.run(module, **options, check=True)
    done = mixed.run(module, **options)
    assert (done.get("failed"), done["changed"], predicted["diff"] == done["diff"]) == (None, True, True)
    for result in (predicted, done):
        assert str(USERS) not in json.dumps(result["diff"])
        assert result.get("counts", {"ignored": 1})["ignored"] == 1
    assert mixed.emulator.strays == []


@pytest.mark.parametrize("state", ["present", "absent"])
def test_an_item_that_names_it_by_id_is_refused_before_a_write(mixed: Console, run: Run, state: str) -> None:
    named = {"id": USERS, "path": "/x", "size": 1, "state": state}
    other = {"path": "/new", "size": 1}
    results = [
        mixed.quota(**named),
        mixed.run("quotas", quotas=[other, named]),
        run("volumes", volumes=[{"name": "v", "quotas": [other, named]}]),
    ]
    for result in results:
        assert (
            f"quota (id {USERS}) is ignored, so no task may change it. Without a path, quotas always" in result["msg"]
        )
        assert (result["failed"], result["changed"]) == (True, False)
    assert mixed.sent == []


def test_what_goes_with_a_volume_counts_it(mixed: Console, run: Run, tmp_path: Path) -> None:
    gone = {"name": "v", "state": "absent"}
    predicted = run("volume", **gone, check=True)
    result = run("volumes", volumes=[gone], max_deletions="100%", plan_file=str(tmp_path / "plan.json"))
    before = predicted["diff"]["before"]
    assert (before["exports"], before["quotas"], before["ignored"]) == (1, 2, 1)
    assert result["diff"]["prepared"] == "- volume v, with 1 export and 2 quotas, 1 of them ignored\n"
    (entry,) = [each for each in json.loads((tmp_path / "plan.json").read_text()) if each["kind"] == "volumes"]
    assert entry["lost"] == {"exports": 1, "quotas": 2, "ignored": 1}
    assert mixed.emulator.strays == []


@pytest.mark.usefixtures("mixed")
def test_modules_that_only_list_show_it_as_it_comes(run: Run) -> None:
    for found in (run("quota_info", volume="v")["quotas"], run("volume_info", gather=["all"])["volumes"][0]["quotas"]):
        assert [str(record["id"]) for record in found] == [str(USERS), "30001"]
        assert found[0]["type"] == "user"
    # The root may have a blank path, but it must have one.
    assert run("quota_info", path="/")["quotas"] == []


ROOT, OF_USER = {"id": 1, "path": "/", "size": 5}, {"id": 7, "uid": 1000, "size": 5}
NO_PATH = "the console shows quotas without a usable path (ids {}): they cannot be identified. Correct them there"
UNDECIDABLE: dict[str, tuple[list[dict[str, Any]], str]] = {
    "no record shows its key": ([OF_USER, {"id": 8, "path": None}], "7, 8"),
    "a key of a wrong type": ([ROOT, OF_USER, {"id": 9, "path": ["/"]}], "9"),
}


@pytest.mark.parametrize(("listed", "ids"), UNDECIDABLE.values(), ids=UNDECIDABLE)
@pytest.mark.parametrize("state", ["present", "absent"])
def test_where_keys_may_be_hidden_nothing_is_done(
    run: Run, emulator: Emulator, volume: int, listed: Any, ids: str, state: str
) -> None:
    serve_lists(emulator, "quotas$", listed)
    alone = run("quota", volume_id=volume, path="/b", size=1, state=state)
    below = run("volumes", volumes=[{"name": "v", "quotas": [{"path": "/b", "size": 1, "state": state}]}])
    for result in (alone, below):
        assert NO_PATH.format(ids) in result["msg"]
        assert (result["failed"], result["changed"]) == (True, False)
    assert emulator.writes == []


def test_a_creation_that_may_be_shown_without_its_key_is_not_sent_again(
    run: Run, emulator: Emulator, volume: int
) -> None:
    serve_lists(emulator, "quotas$", [ROOT], [ROOT, OF_USER])
    emulator.inject(Fault("reset_before", method="POST"))
    result = run("quota", volume_id=volume, path="/b", size=1)
    assert "quota (id 7) is new in the list, without a key, and may be the one." in result["msg"]
    assert (result["failed"], result["changed"]) == (True, True)
    assert [request.method for request in emulator.writes] == ["POST"]


@pytest.mark.parametrize("is_first", [True, False])
def test_one_that_shares_the_id_of_ours_stops_a_task(run: Run, emulator: Emulator, volume: int, is_first: bool) -> None:
    listed = [{"id": 1, "type": "user", "uid": 1000}, {"id": 1, "path": "/a", "size": 5}]
    serve_lists(emulator, f"{volume}/quotas$", listed if is_first else listed[::-1])
    for options in ({"quotas": [{"path": "/a", "size": 6}]}, {"quotas": [], "purge": True, "max_deletions": "100%"}):
        result = run("quotas", volume="v", **options)
        assert "different quotas with the same id (id" in result["msg"]
    assert emulator.writes == []


NULL, MISSING = {"id": 8, "desc": None, "iprange": "*", "token": "tok"}, {"id": 8, "iprange": "*", "token": "tok"}
WEB = {"id": 1, "desc": "web", "iprange": "*", "token": "wob"}
BESIDE = {"null": [NULL, WEB], "missing": [MISSING, WEB], "null and alone": [NULL]}


@pytest.mark.parametrize("listed", BESIDE.values(), ids=BESIDE)
def test_an_export_without_a_description_is_reached_by_id_and_purged(
    run: Run, emulator: Emulator, volume: int, listed: list[dict[str, Any]]
) -> None:
    named = {1: "web"}
    for record in listed:
        emulator.add_export(volume, id=record["id"], desc=named.get(record["id"], ""), iprange="*")
    serve_lists(emulator, f"{volume}/exports$", listed)
    result = run(
        "exports", volume="v", exports=[{"desc": "new", "iprange": "*"}], purge=True, max_deletions=9, check=True
    )
    assert result["deleted"] == [named.get(record["id"], "id 8") for record in listed]
    assert result["created"] == ["new"]
    given = run("export", volume="v", id=8, iprange="::1", desc="now", check=True)
    assert given["msg"].startswith("export (id 8) of volume 'v': updated")


PASSWORD = "hunter2"
KEY, TWIN = (f"https://user:{password}@host/x" for password in (PASSWORD, f"{PASSWORD}2"))
SHOWN = "https://********@host/x"
PATH, PATH_SHOWN = f"/{KEY}", f"/{SHOWN}"
VOLUME, EXPORT, QUOTA = 101, 2001, 30001
ITEM = {"name": KEY, "exports": [{"desc": TWIN, "iprange": "*"}], "quotas": [{"id": QUOTA, "size": 1}]}
ALL = {"max_deletions": "100%"}

# A module, and its options. The console has the volume KEY with an open export KEY and a quota PATH.
TASKS: dict[str, tuple[str, dict[str, Any]]] = {
    "an export is not named": ("exports", {"exports": []}),
    "an export is purged": ("exports", {"exports": [], "purge": True, **ALL}),
    "too many exports are purged": ("exports", {"exports": [], "purge": True, "max_deletions": 0}),
    "an export is named by its id": ("exports", {"exports": [{"id": EXPORT, "iprange": "10.0.0.0/8"}]}),
    "an export is new": ("exports", {"exports": [{"desc": TWIN, "iprange": "*"}], "fail_on_plan_warnings": True}),
    "exports are named twice": ("exports", {"exports": [{"id": EXPORT}, {"desc": KEY}, {"desc": KEY}]}),
    "only an export that has problems": ("exports", {"exports": [{"id": EXPORT}, {"desc": KEY}], "only": ["*"]}),
    "a quota is named by its id": ("quotas", {"quotas": [{"id": QUOTA, "size": "1GiB"}]}),
    "a volume is new": ("volumes", {"volumes": [{**ITEM, "name": TWIN, "bucket": KEY, "quotas": []}]}),
    "lists of a volume": ("volumes", {"volumes": [ITEM]}),
    "too much of a volume is purged": ("volumes", {"volumes": [ITEM], "purge": ["exports"], "max_deletions": 0}),
    "a volume is deleted from a list": ("volumes", {"volumes": [{"id": VOLUME, "state": "absent"}], **ALL}),
    "a token is replaced": ("export_rotation", {"desc": KEY, "state": "started"}),
    "a token is not replaced": ("export_rotation", {"desc": f"{KEY}y", "state": "started"}),
}


def fill(emulator: Emulator) -> None:
    volume = emulator.add_volume(name=KEY, bucket=KEY)
    emulator.add_export(volume, desc=KEY, iprange="*", readonly=False)
    emulator.add_quota(volume, path=PATH, size=1024, inodes=5)


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("fault", [None, "status"])
@pytest.mark.parametrize(("module", "options"), TASKS.values(), ids=TASKS)
def test_no_result_shows_the_password_in_a_key(
    run: Run, emulator: Emulator, module: str, options: dict[str, Any], fault: str | None
) -> None:
    fill(emulator)
    if fault:
        emulator.inject(*(Fault(fault, method=method, status=400) for method in ("POST", "PUT", "DELETE")))
    where = {} if module in ("volume", "volumes") else {"volume": KEY}
    results = [run(module, check=check, **where, **options) for check in (True, False)]
    assert all("msg" in result for result in results)
    assert PASSWORD not in json.dumps(results)


# A module, its options, and where its result shows a key.
PLACES: dict[str, tuple[str, dict[str, Any], tuple[Any, ...], Any]] = {
    "open": ("exports", {"exports": []}, ("unmanaged_open",), [SHOWN]),
    "updated": ("quotas", {"quotas": [{"id": QUOTA, "size": 1}]}, ("updated",), [PATH_SHOWN]),
    "its volume": ("quotas", {"quotas": [{"id": QUOTA, "size": 1}]}, ("changes", 0, "volume"), SHOWN),
    "below": ("volumes", {"volumes": [ITEM]}, ("exports", "created"), [f"{SHOWN}: {SHOWN}"]),
    "error": ("exports", {"exports": [{"id": EXPORT, "iprange": "10.0.0.0/8"}]}, ("errors", 0, "key"), SHOWN),
}


@pytest.mark.parametrize(("module", "options", "place", "shown"), PLACES.values(), ids=PLACES)
def test_a_key_is_shown_without_its_password(
    run: Run, emulator: Emulator, module: str, options: dict[str, Any], place: tuple[Any, ...], shown: Any
) -> None:
    fill(emulator)
    emulator.inject(Fault("status", method="PUT", status=400))
    where = {} if module in ("volume", "volumes") else {"volume": KEY}
    found: Any = run(module, check=place[0] != "errors", **where, **options)
    for name in place:
        found = found[name]
    assert found == shown


def test_the_lists_of_new_volumes_stand_below_their_own(run: Run, emulator: Emulator) -> None:
    items = [
        {"name": name, "bucket": f"https://{desc}.example.com", "exports": [{"desc": desc, "iprange": "10.0.0.0/8"}]}
        for name, desc in ((KEY, "one"), (TWIN, "two"))
    ]
    result = run("volumes", volumes=items)
    assert [change["key"] for change in result["changes"]] == [SHOWN, "one", SHOWN, "two"]
    # They are created side by side, in any order.
    exports = {
        volume["name"]: [each["desc"] for each in emulator.exports(volume["id"])] for volume in emulator.volumes()
    }
    assert exports == {KEY: ["one"], TWIN: ["two"]}
