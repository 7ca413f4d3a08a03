# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The templates when all goes well, and their treatment of survey answers."""

from __future__ import annotations

import re
from typing import Any

import pytest

from awx.client import RefusedError
from awx.conftest import Launch, Project, Start
from emulator import Emulator

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
EXPORTS = [{"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}]
DESIRED: list[dict[str, Any]] = [VOLUME | {"exports": EXPORTS, "quotas": [{"path": "/home/alice", "size": "10GiB"}]}]


def test_check_shows_what_apply_does(launch: Launch, project: Project, console: Emulator) -> None:
    project.publish(DESIRED)
    checked = launch("check")
    assert (checked.status, console.writes) == ("successful", [])
    assert "- quotas: 1 to create" in checked.output
    assert "+ quota /home/alice: size 10GiB" in checked.output
    applied = launch("apply", verbosity=4)
    assert applied.status == "successful"
    (volume,) = console.volumes()
    assert [quota["path"] for quota in console.quotas(volume["id"])] == ["/home/alice"]
    assert "changed=0" in launch("apply").output


def test_what_is_chosen_is_purged(launch: Launch, project: Project, console: Emulator) -> None:
    project.publish(DESIRED)
    volume = console.add_volume(**VOLUME)
    # A share never empties a list.
    for path in ("/old", "/home/alice"):
        console.add_quota(volume, path=path, size=1)
    console.add_export(volume, desc="old", iprange="*")
    launch("apply", {"apply_purge": ["quotas"]})
    assert [quota["path"] for quota in console.quotas(volume)] == ["/home/alice"]
    assert sorted(export["desc"] for export in console.exports(volume)) == ["old", "web"]


def test_a_report_shows_who_may_use_what_and_limits_and_hands_on_its_counts(
    launch: Launch, project: Project, console: Emulator
) -> None:
    project.publish(DESIRED)
    volume = console.add_volume(**VOLUME)
    console.add_export(volume, desc="web", iprange="*")
    console.add_quota(volume, path="/home/bob", size=5 << 30)
    job = launch("report")
    open_to_all, limits = (job.output.index(title) for title in ("Open to write: 1", "Limits, the largest of"))
    assert open_to_all < limits
    assert "`/home/bob` 5GiB" in job.output
    counts = job.record["artifacts"]["managedfs_report"]
    assert set(map(type, counts.values())) == {int}
    assert (job.status, counts["volumes"], counts["open_to_write"], console.writes) == ("successful", 1, 1, [])


@pytest.mark.parametrize("readonly", ["", "true", "false"])
def test_a_tenant_comes_and_goes(launch: Launch, console: Emulator, readonly: str) -> None:
    volume = console.add_volume(name="projects")
    blank = {"tenant_path": " ", "tenant_desc": "", "tenant_readonly": readonly}
    tenant = {"tenant_name": "bob", "tenant_volume": "projects", **blank}
    wanted = {"tenant_size": "0", "tenant_inodes": "0", "tenant_iprange": "any"}
    assert launch("tenant", tenant | wanted).status == "successful"
    (quota,), (export,) = console.quotas(volume), console.exports(volume)
    assert (quota["path"], quota["size"], quota["inodes"]) == ("/tenants/bob", 0, 0)
    assert (export["desc"], export["readonly"]) == ("tenant-bob", readonly == "true")
    assert launch("tenant", tenant | {"tenant_state": "absent"}).status == "successful"
    assert (console.quotas(volume), console.exports(volume)) == ([], [])


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({}, "'tenant_name' value missing"),
        ({"tenant_name": "", "tenant_volume": "v"}, "too small"),
        ({"tenant_name": "a", "tenant_volume": "v", "tenant_state": "gone"}, "expected to be one of"),
        ({"tenant_name": "a", "tenant_volume": "v", "tenant_readonly": True}, "expected to be one of"),
    ],
)
def test_awx_refuses_answers(started: Start, answers: dict[str, Any], message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        started("tenant", answers)


# Names that YAML reads as another type. A job must do what was typed, or nothing.
NAMES = ["010", "8", "no", "False", "1:30", "90", "2026-11-22", "1.10", "1.1", "None"]


@pytest.mark.parametrize(
    "typed", ["010", "'010'", '"010"', "8", "no", "1:30", "2026-11-22", "1.10", "'no'", " null", "*"]
)
def test_no_other_tenant_is_removed_than_was_typed(launch: Launch, console: Emulator, typed: str) -> None:
    volume = console.add_volume(name="projects")
    for name in NAMES:
        console.add_export(volume, desc=f"tenant-{name}", iprange="10.0.0.0/8")
        console.add_quota(volume, path=f"/tenants/{name}", size=1)
    job = launch("tenant", {"tenant_name": typed, "tenant_volume": "projects", "tenant_state": "absent"})
    name = typed.strip("'\" ")
    if job.status == "successful":
        left = [each for each in NAMES if each != name]
    elif f"Not found: export tenant-{name}, quota /tenants/{name}." in job.output:
        left = NAMES
        assert name not in NAMES
    else:
        left = NAMES
        assert re.search("in quotation marks|YAML parsing failed|tenant_name must be set", job.output)
        assert console.requests == []
    assert [export["desc"] for export in console.exports(volume)] == [f"tenant-{each}" for each in left]
    assert [quota["path"] for quota in console.quotas(volume)] == [f"/tenants/{each}" for each in left]
    assert job.status == "successful" or typed.strip()[0] not in "'\""


def test_other_answers_are_what_was_typed_or_refused(launch: Launch, console: Emulator) -> None:
    volume = console.add_volume(name="projects")
    tenant = {"tenant_name": "a", "tenant_volume": "projects", "tenant_size": "1GiB", "tenant_desc": ""}
    assert launch("tenant", tenant | {"tenant_path": " /tenants/ pad ", "tenant_iprange": "any"}).status == "successful"
    assert [quota["path"] for quota in console.quotas(volume)] == ["/tenants/ pad"]
    assert [(each["desc"], each["iprange"]) for each in console.exports(volume)] == [("tenant-a", "*")]
    console.forget_requests()
    for wrong in ({"tenant_size": "8"}, {"tenant_size": "1:30"}, {"tenant_inodes": "08"}, {"tenant_inodes": "yes"}):
        job = launch("tenant", tenant | wrong)
        assert (job.status, console.requests) == ("failed", [])
        assert f"{next(iter(wrong))} must be" in job.output
