# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The roles on a console that others use too: a folder that knows its console, ignored records, and approved plans."""

from __future__ import annotations

import json
import re
import stat
from typing import Any

import pytest

from emulator import Fault
from functional.support.sidebyside import Plays, Site, side_by_side

OTHER = "console: [https://other.example.com]\n"
IGNORE = 'ignore: {volumes: ["k8s-*"], exports: ["csi-*"], quotas: ["/pvc-*"]}\n'
SOURCE = "desired"


def seed(site: Site) -> int:
    """Create a volume on the console, with records of ours and of a driver, and a volume of the driver's."""
    volume = site.emulator.add_volume(name="v", bucket="https://v.example.com")
    site.emulator.add_volume(name="k8s-1", bucket="https://k8s.example.com")
    for path in ("/a", "/b", "/pvc-1"):
        site.emulator.add_quota(volume, path=path, size=1024)
    site.emulator.add_export(volume, desc="csi-1", iprange="*")
    return volume


def write(site: Site, name: str, text: str) -> None:
    path = site.folder / SOURCE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def let_somebody_limit(site: Site, volume: int, size: int) -> None:
    """Change our first quota as another user, before the next request."""
    change = {"resource": "quotas", "volume_id": volume, "action": "update", "fields": {"size": size}}
    change["id"] = site.emulator.quotas(volume)[0]["id"]
    site.emulator.inject(Fault("meanwhile", method="GET", moment="before", change=change))


@side_by_side
def test_what_a_folder_ignores_is_no_business_of_any_role(site: Site) -> Plays:
    volume = seed(site)
    write(site, "console.yml", IGNORE)
    captured = yield site.play("capture", capture_dest=site.path(SOURCE))
    assert captured.outcome == (False, True)
    files = site.files(SOURCE)
    assert list(files) == ["console.yml", "v.yml"]
    assert files["console.yml"] == f"{IGNORE}console: [{site.emulator.url}]\n"
    assert not re.search("csi|pvc|k8s", files["v.yml"])
    site.emulator.add_quota(volume, path="/pvc-2", size=1)
    options: dict[str, dict[str, Any]] = {
        "apply": {"apply_source": site.path(SOURCE), "apply_purge": ["exports", "quotas"]},
        "report": {"report_source": site.path(SOURCE), "report_dest": site.path("r")},
    }
    for role, given in options.items():
        played = yield site.play(role, **given)
        assert played.outcome == (False, role == "report"), played.output
        assert site.emulator.writes == []
        if role == "apply":
            assert '"- quotas: 2 unchanged, 2 ignored"' in played.output
    assert "- Ignored, since others manage them: 2 quotas" in played.output
    (report,) = (site.folder / "r").rglob("report.json")
    facts = json.loads(report.read_text(encoding="utf-8"))
    assert facts["ignored"] == [
        {"kind": kind, "count": count} for kind, count in (("exports", 1), ("quotas", 2), ("volumes", 1))
    ]
    assert not any(facts["drift"][part] for part in facts["drift"])
    assert "csi-1" in str(facts["access"])


@pytest.mark.promise("console-is-the-one")
@side_by_side
def test_a_folder_is_for_its_console(site: Site) -> Plays:
    volume = seed(site)
    yield site.play("capture", capture_dest=site.path(SOURCE))
    before = site.files(SOURCE)
    assert before["console.yml"].endswith(f"console: [{site.emulator.url}]\n")
    write(site, "console.yml", OTHER)
    sources: dict[str, dict[str, Any]] = {
        "apply": {"apply_source": site.path(f"{SOURCE}/v.yml")},
        "report": {"report_source": site.path(SOURCE)},
    }
    for role, source in sources.items():
        played = yield site.play(role, **source)
        assert played.outcome == (True, False)
        assert f"this is for https://other.example.com, and console_url is {site.emulator.url}." in played.output
        assert site.emulator.requests == []
    played = yield site.play("capture", capture_dest=site.path(SOURCE))
    assert played.outcome == (True, False)
    assert f"{SOURCE} holds the files of https://other.example.com, and this is {site.emulator.url}." in played.output
    let_somebody_limit(site, volume, 1)
    site.emulator.add_quota(volume, path="/other")
    write(site, "console.yml", f"{OTHER}ignore: {{quotas: [/other]}}\n")
    purging: dict[str, Any] = {"apply_allow_other_console": True, "apply_purge": ["quotas"]}
    played = yield site.play("apply", **sources["apply"], **purging)
    assert played.outcome == (False, True)
    assert '"- quotas: 1 updated, 2 unchanged, 1 ignored"' in played.output


@side_by_side
def test_what_was_approved_is_done_and_nothing_else(site: Site) -> Plays:
    volume = seed(site)
    write(site, "v.yml", "{name: v, quotas: [{path: /a, size: 2KiB}]}")
    given: dict[str, Any] = {"apply_source": site.path(SOURCE), "apply_plan_file": str(site.folder / "plan.json")}
    planned = yield site.play("apply", check=True, **given, apply_expected_plan=" ")
    (checksum,) = set(re.findall("v2-[0-9a-f]{64}", planned.output))
    assert f'"Plan: `{checksum}`"' in planned.output
    assert stat.S_IMODE((site.folder / "plan.json").stat().st_mode) == 0o600
    (entry,) = json.loads((site.folder / "plan.json").read_text(encoding="utf-8"))
    assert (entry["action"], entry["key"], entry["after"]["size"]) == ("update", "/a", 2048)
    let_somebody_limit(site, volume, 1)
    refused = yield site.play("apply", **given, apply_expected_plan=checksum)
    assert refused.outcome == (True, False)
    assert "Nothing was changed: this is not the plan that was approved." in refused.output
    assert '"- quotas: 1 to update, 2 unmanaged"' in refused.output
    assert '"## What would be done"' in refused.output
    assert site.emulator.writes == []
    let_somebody_limit(site, volume, 1024)
    done = yield site.play("apply", **given, apply_expected_plan=checksum)
    assert done.outcome == (False, True)
    again = yield site.play("apply", **given, apply_expected_plan=checksum)
    assert again.outcome == (False, False)
    assert '"## Nothing to do"' in again.output
