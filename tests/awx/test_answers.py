# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers of the survey that YAML takes for something else: what was typed is done, or nothing is."""

from __future__ import annotations

import pytest

from awx.conftest import Launch
from emulator import Emulator

# As they may arrive instead of what was typed.
NAMES = ["010", "8", "no", "False", "1:30", "90", "2026-11-22", "1.10", "1.1", "None"]


@pytest.mark.parametrize(
    "typed", ["010", "'010'", '"010"', "8", "no", "1:30", "2026-11-22", "1.10", "'no'", " null", "*"]
)
def test_no_other_tenant_is_removed_than_was_typed(launch: Launch, console: Emulator, typed: str) -> None:
    volume = console.add_volume(name="projects")
    for name in NAMES:
        console.add_export(volume, desc=name, iprange="10.0.0.0/8")
        console.add_quota(volume, path=f"/{name}", size=1)
    job = launch("tenant", {"tenant_name": typed, "tenant_volume": "projects", "tenant_state": "absent"})
    left = [name for name in NAMES if name != typed.strip("'\" ")]
    if job.status == "successful":
        assert [export["desc"] for export in console.exports(volume)] == left
        assert [quota["path"] for quota in console.quotas(volume)] == [f"/{name}" for name in left]
    else:
        assert "in quotation marks" in job.output or "YAML parsing failed" in job.output
        assert console.requests == []
    assert job.status == "successful" or typed.strip()[0] not in "'\""


def test_other_answers_are_what_was_typed_or_refused(launch: Launch, console: Emulator) -> None:
    volume = console.add_volume(name="projects")
    tenant = {"tenant_name": "a", "tenant_volume": "projects", "tenant_size": "1GiB", "tenant_desc": ""}
    assert launch("tenant", tenant | {"tenant_path": " / pad ", "tenant_iprange": "any"}).status == "successful"
    assert [quota["path"] for quota in console.quotas(volume)] == ["/ pad"]
    assert [(each["desc"], each["iprange"]) for each in console.exports(volume)] == [("a", "*")]
    console.forget_requests()
    for wrong in ({"tenant_size": "8"}, {"tenant_size": "1:30"}, {"tenant_inodes": "08"}, {"tenant_inodes": "yes"}):
        job = launch("tenant", tenant | wrong)
        assert (job.status, console.requests) == ("failed", [])
        assert f"{next(iter(wrong))} must be" in job.output
