# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The example of teams: one file of hundreds, to which pull requests add, and of which they change and remove lines."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import yaml

from emulator import Emulator
from functional.support.plays import Played, run_playbook
from harness.places import CHECKOUT

GIB = 2**30
# Names that YAML would take for something else are teams, too.
NAMES = ["010", "no", "2026-11-25", "a: b", "{{ x }}", *(f"team-{number:03}" for number in range(195))]


def team(number: int, name: str) -> dict[str, Any]:
    return {"name": name, "size": f"{number + 1}GiB", "network": f"10.{number}.0.0/16"}


def test_one_file_of_two_hundred_teams_is_followed_line_by_line(tmp_path: Path, emulator: Emulator) -> None:
    folder = tmp_path / "teams"
    shutil.copytree(CHECKOUT / "examples" / "teams", folder)
    volume = emulator.add_volume(name="projects")
    teams = [team(number, name) for number, name in enumerate(NAMES)]

    def play(*options: str) -> Played:
        content = yaml.safe_dump({"volume": "projects", "teams": teams})
        # What a name contains is no template.
        (folder / "teams.yml").write_text(content.replace("'{{ x }}'", "!unsafe '{{ x }}'"), encoding="utf-8")
        played = run_playbook(emulator, tmp_path, str(folder / "apply.yml"), {}, *options)
        assert played.count("failed") == 0, played.output
        return played

    def check() -> None:
        wanted = {f"/{each['name']}": int(each["size"].removesuffix("GiB")) * GIB for each in teams}
        assert {quota["path"]: quota["size"] for quota in emulator.quotas(volume)} == wanted
        networks = {each["name"]: each["network"] for each in teams if "network" in each}
        assert {export["desc"]: export["iprange"] for export in emulator.exports(volume)} == networks

    play("--check")
    assert emulator.writes == []
    play()
    check()
    written = len(emulator.writes)
    assert written == 2 * len(NAMES)
    assert play().count("changed") == 0
    teams[7]["size"] = "1000GiB"
    del teams[8]["network"]
    teams.remove(teams[9])
    teams.append(team(200, "newcomers"))
    play()
    check()
    # A limit and an export each of the team that came, and of the one that went; a limit that changed, an access that ended.
    assert len(emulator.writes) == written + 6


def test_a_misspelt_key_takes_nothing_away(tmp_path: Path, emulator: Emulator) -> None:
    folder = tmp_path / "teams"
    shutil.copytree(CHECKOUT / "examples" / "teams", folder)
    volume = emulator.add_volume(name="projects")
    emulator.add_export(volume, desc="design", iprange="10.21.0.0/16")
    file = folder / "teams.yml"
    file.write_text(file.read_text(encoding="utf-8").replace("network: 10.21", "netwrok: 10.21"), encoding="utf-8")
    played = run_playbook(emulator, tmp_path, str(folder / "apply.yml"), {})
    assert "netwrok" in played.output
    assert emulator.writes == []
