# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the roles show of a plan, and to whom: a file for a pull request, likely mistakes, and runs about some volumes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.plays import run_playbook
from functional.support.sidebyside import Plays, Site, side_by_side

MISTAKEN = {"name": "v", "quotas": [{"path": "/a", "size": 100}], "exports": [{"desc": "web", "iprange": "10.0.0.0/8"}]}
NEW = {"name": "w", "bucket": "https://w.example.com", "quotas": [{"path": "/b", "size": "1TiB"}]}


def fill(site: Site) -> None:
    volume = site.emulator.add_volume(name="v", bucket="https://v.example.com")
    site.emulator.add_export(volume, desc="a\n\n`@team`", iprange="*")
    site.emulator.add_quotas(volume, [{"path": "/a", "size": 2**30}])


def mark_of(site: Site, name: str = "summary.md") -> list[str]:
    """Return the words of the first line of a summary."""
    found = re.fullmatch("<!-- managedfs: (.*) -->", site.files("out")[name].splitlines()[0])
    assert found
    return found.group(1).split()


@side_by_side
def test_a_summary_for_a_pull_request_is_written_whatever_comes_of_the_run(site: Site) -> Plays:
    fill(site)
    (site.folder / "out").mkdir()
    given: dict[str, Any] = {"apply_volumes": [MISTAKEN, NEW], "apply_summary_file": site.path("out/summary.md")}
    planned = yield site.play("apply", check=True, **given)
    text = site.files("out")["summary.md"]
    state, plan = mark_of(site)
    assert (state, f"Plan: `{plan}`" in text, f"Plan: `{plan}`" in planned.output) == ("differs", True, True)
    assert text.split("### Changes", 1)[1].splitlines()[2:] == [
        "```text",
        "volume v",
        "  + export web: 10.0.0.0/8",
        "  ~ quota /a: size 1GiB → 100",
        "+ volume w: bucket https://w.example.com",
        "  + quota /b: size 1TiB",
        "```",
    ]
    told = "Unmanaged, since on the console but in no file: 1 export. Exports that let any address in: `` v: a\\n\\n`@team` ``."
    assert f"\n{told}\n\n```text\nexport v: a\\n\\n`@team`\n```\n" in text
    assert "quotas, v: /a: size is less than 4096 bytes." in text
    refused = yield site.play("apply", **given, apply_fail_on_plan_warnings=True)
    assert (refused.outcome, site.emulator.writes, mark_of(site)) == ((True, False), [], ["failed", plan])
    assert "## What would be done" in site.files("out")["summary.md"]
    done = yield site.play("apply", **given, apply_expected_plan=plan)
    assert (done.outcome, mark_of(site)) == ((False, True), ["differs", plan])
    again = yield site.play("apply", **given, apply_fail_on_plan_warnings=True)
    assert (again.outcome, mark_of(site)) == ((False, False), ["same", "nothing"])
    yield site.play("report", report_volumes=[NEW], report_summary_file=site.path("out/report.md"))
    assert mark_of(site, "report.md") == ["differs"]
    site.emulator.inject(Fault("wrong_json", status=403, value={"detail": "see <b> @team"}, times=None))
    for role in ("apply", "report"):
        named: dict[str, Any] = {f"{role}_volumes": [NEW], f"{role}_summary_file": site.path("out/why.md")}
        yield site.play(role, check=True, **named)
        assert mark_of(site, "why.md") == ["failed"]
        assert re.search("\n```text\n.*: see <b> @team .*\n```\n", site.files("out")["why.md"])


@side_by_side
def test_a_summary_that_cannot_be_written_is_refused_before_anything_is_done(site: Site) -> Plays:
    fill(site)
    for name in ("none/s.md", ""):
        played = yield site.play("apply", apply_volumes=[NEW], apply_summary_file=site.path(name))
        assert played.outcome == (True, False)
        assert "cannot be written. Name another file, or create its folder." in played.output
        assert site.emulator.requests == []


@side_by_side
def test_roles_are_about_the_volumes_that_are_named(site: Site) -> Plays:
    fill(site)
    played = yield site.play("apply", apply_volumes=[MISTAKEN, NEW], apply_only=["w*"])
    assert played.outcome == (False, True)
    assert [(request.method, request.path[-8:]) for request in site.emulator.writes] == [
        ("POST", "/volumes"),
        ("POST", "2/quotas"),
    ]
    given: dict[str, Any] = {"report_volumes": [MISTAKEN, NEW], "report_dest": "."}
    yield site.play("report", **given)
    alerts = site.files(".")["report.prom"]
    assert re.search(r"^managedfs_console_open_to_write\{.*\} 1$", alerts, re.MULTILINE)
    reported = yield site.play("report", **given, report_only=["w"], report_fail_on_drift=True)
    assert reported.outcome == (False, True)
    assert "- Only the volume `w`: the rest of the console was left out" in reported.output
    assert json.loads(site.files(".")["report.json"])["only"] == ["w"]
    for role in ("apply", "report"):
        unknown: dict[str, Any] = {f"{role}_volumes": [NEW], f"{role}_only": ["x"]}
        played = yield site.play(role, **unknown)
        assert played.outcome == (True, False)
        assert "'x' of only matches no volume. Correct it." in played.output
    site.emulator.inject(Fault("wrong_json", status=403, value={}, times=None))
    failed = yield site.play("report", **given, report_only=["w"])
    assert failed.outcome == (True, False)
    assert site.files(".")["report.prom"] == alerts


@pytest.mark.parametrize("role", ["apply", "capture", "report", "rotate", "tenant", "validate"])
def test_a_run_whose_tags_select_nothing_says_so(tmp_path: Path, role: str) -> None:
    (tmp_path / "v.yml").write_text("{name: v}", encoding="utf-8")
    given = {f"{role}_source": str(tmp_path / "v.yml")}
    with Emulator() as emulator:
        emulator.add_volume(name="v", bucket="https://v.example.com")
        played = run_playbook(emulator, tmp_path, f"managedfs.console.{role}", given, "--tags", "v")
        # ansible-core 2.18 and earlier breaks the lines of warnings.
        said = " ".join(played.output.split())
        assert (played.code, f"{role} does nothing, since none of its tasks has the tags v." in said) == (
            0,
            True,
        )
        assert (f"set {role}_only" in said) is (role in ("apply", "report"))
        assert emulator.requests == []
