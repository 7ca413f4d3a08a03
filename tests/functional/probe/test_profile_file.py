# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook: it writes the profile, also after a failure, and the emulator plays the console that was probed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from emulator import Dialect, Emulator
from emulator.cli import chosen_dialect, main, parser
from emulator.profile import read_profile
from functional.support.outofprocess import run_command

PLAYBOOK = "managedfs.console.probe"
DIALECT = Dialect(put="reset", delete_children="405", record_fields="more", error_body="detail", create_status=202)


def play(emulator: Emulator, folder: Path, **variables: Any) -> tuple[str, dict[str, Any]]:
    """Return the output of the playbook, and the profile that it writes into the current directory."""
    output = run_command(emulator, folder, "ansible-playbook", PLAYBOOK, "--extra-vars", json.dumps(variables))
    return output, json.loads((folder / "console-profile.json").read_text(encoding="utf-8"))


def test_a_console_is_probed_and_played(tmp_path: Path) -> None:
    # Blank answers of a survey count as none, those of white space too.
    blank = {
        "probe_region": "",
        "probe_volume": " ",
        "probe_volume_id": "",
        "probe_use_existing": " ",
        "probe_extra_fields": " ",
        "probe_dest": " ",
    }
    with Emulator(DIALECT) as emulator:
        output, written = play(emulator, tmp_path, probe_bucket="https://s.example.com", **blank)
        assert "failed=0" in output
        assert emulator.volumes() == []
    assert "delete_children      405" in output
    assert "normalise_buckets    not found    a bucket with a slash at its end was not tried" in output
    assert written["unknown"] == []
    arguments = parser().parse_args(["--profile", str(tmp_path / "console-profile.json")])
    played = chosen_dialect(arguments)
    assert played == DIALECT


def test_a_profile_is_written_after_a_failure_too(tmp_path: Path) -> None:
    with Emulator() as emulator:
        output, written = play(emulator, tmp_path)
    assert "failed=1" in output
    assert "bucket_required      True" in output
    assert "Check bucket, region and extra_fields." in output
    assert written["profile"]["create_status"]["value"] is None


def test_a_volume_of_the_users_is_probed(tmp_path: Path) -> None:
    with Emulator() as emulator:
        volume = emulator.add_volume(name="mine", bucket="https://mine.example.com")
        output, written = play(emulator, tmp_path, probe_volume_id=str(volume), probe_use_existing="true")
        assert "failed=0" in output
        assert [request.path for request in emulator.writes if request.path == "/volumes"] == []
    assert written["profile"]["put"]["value"] == "documented"


def profile_file(folder: Path, content: Any) -> Path:
    """Return a file with this content."""
    path = folder / "profile.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_profile_gives_settings_and_clock(tmp_path: Path) -> None:
    entries = {"put": {"value": "any"}, "page_size": {"value": None}, "clock_offset": {"value": -30}}
    for content in (entries, {"profile": entries, "unknown": ["x"]}):
        assert read_profile(profile_file(tmp_path, content)) == ({"put": "any"}, -30)


def test_settings_by_hand_come_on_top(tmp_path: Path) -> None:
    path = profile_file(tmp_path, {"create_status": {"value": 204}, "create_body": {"value": None}})
    arguments = parser().parse_args(["--profile", str(path), "--set", "page_size=20"])
    assert chosen_dialect(arguments) == Dialect(create_status=204, create_body="empty", page_size=20)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no JSON", "is not a profile, as the playbook managedfs.console.probe writes it"),
        ([], "is not a profile"),
        ({"put": "any"}, "is not a profile"),
        ({"colour": {"value": "red"}}, "a dialect has no setting 'colour'"),
        ({"put": {"value": "some"}}, "put: 'some' is none of"),
        ({"clock_offset": {"value": "x"}}, "clock_offset: 'x' is not a number"),
    ],
    ids=str,
)
def test_a_file_that_is_no_profile_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any, message: str
) -> None:
    assert main(["--port", "0", "--profile", str(profile_file(tmp_path, content))]) == 2
    assert message in capsys.readouterr().err


def test_a_profile_and_a_seed_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--port", "0", "--seed", "1", "--profile", str(profile_file(tmp_path, {}))]) == 2
    assert "--profile and --seed exclude each other" in capsys.readouterr().err
