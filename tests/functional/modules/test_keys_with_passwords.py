# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A key may be an address with a password: no result shows it, and records whose keys differ in it alone stay apart."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import Run

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


def test_records_whose_keys_differ_in_a_password_alone_stay_apart(run: Run, emulator: Emulator) -> None:
    fill(emulator)
    emulator.add_export(emulator.add_volume(name=TWIN, bucket="https://b.example.com"), desc=TWIN, iprange="*")
    emulator.add_export(VOLUME, desc=TWIN, iprange="*")
    result = run("exports", volume=KEY, exports=[{"desc": KEY}], purge=True)
    assert (result["deleted"], [each["desc"] for each in emulator.exports(VOLUME)]) == ([SHOWN], [KEY])
    result = run("volumes", volumes=[{"id": number, "state": "absent"} for number in (VOLUME, VOLUME + 1)], **ALL)
    assert result["volumes"]["deleted"] == [f"{SHOWN} (id {VOLUME})", f"{SHOWN} (id {VOLUME + 1})"]
    assert emulator.volumes() == []


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
