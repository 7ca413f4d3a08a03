# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The command line: what it takes, prints and writes, and the emulator that then plays the console."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from emulator import Dialect, Emulator
from emulator.cli import chosen_dialect, main, parser
from emulator.profile import read_profile
from functional.support.inprocess import FakeClock
from harness.places import CHECKOUT
from probe import __main__ as program

SCRATCH = ["--volume", "scratch", "--bucket", "https://scratch.example.com"]


@pytest.fixture
def output(emulator: Emulator, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the file for the profile, in an environment with a connection."""
    monkeypatch.setattr(program, "time", clock)
    monkeypatch.setattr("signal.signal", lambda *_arguments: None)
    for name, value in (("CONSOLE_URL", emulator.api_url), ("ACCESS_KEY", emulator.access_key), ("TIMEOUT", " ")):
        monkeypatch.setenv(f"MANAGEDFS_{name}", value)
    monkeypatch.setenv("MANAGEDFS_SECRET_KEY", emulator.secret_key)
    return tmp_path / "console-profile.json"


def test_a_console_is_probed_and_played(emulator: Emulator, output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dialect = Dialect.named("paged", delete_children="405", put="reset")
    emulator.reset(dialect)
    assert program.main([*SCRATCH, "--field", "blockSize=8192", "--output", str(output)]) == 0
    printed, profile = capsys.readouterr().out, json.loads(output.read_text(encoding="utf-8"))
    assert 'delete_children      "405"        DELETE /volumes/{id}/exports/{id} 405' in printed
    assert [request.json["blockSize"] for request in emulator.writes if request.path == "/volumes"] == [8192, 8192]
    assert profile["unknown"] == []
    assert chosen_dialect(parser().parse_args(["--profile", str(output)])) == dialect


def test_what_goes_wrong_is_told(emulator: Emulator, output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--volume", "scratch", "--output", str(output)]) == 1
    assert 'Ended early: the console refuses the volume: HTTP 400 {"bucket":["This field is required."]}' in (
        capsys.readouterr().out
    )
    emulator.clock_offset = 600
    assert program.main(["--read-only", "--output", str(output)]) == 1
    assert re.search(r"HTTP 401; its clock and the one of this machine are \d+ s apart", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "unset", "message"),
    [
        ([], "", "one of --volume NAME, --existing ID and --read-only is needed"),
        (["--volume", " "], "", "one of --volume NAME"),
        (["--volume", "a", "--existing", "1"], "", "not allowed with argument"),
        (["--existing", "one"], "", "invalid int value"),
        (["--volume", "a", "--field", "name=b"], "", "'name=b' is not NAME=VALUE"),
        (["--volume", "a", "--output", "/nowhere/profile.json"], "", "No such file or directory"),
        (["--read-only"], "SECRET_KEY", "MANAGEDFS_SECRET_KEY must be set in the environment"),
        (["--read-only"], "CONSOLE_URL", "MANAGEDFS_CONSOLE_URL must be set in the environment"),
    ],
)
def test_what_cannot_be_is_refused_at_once(
    emulator: Emulator,
    output: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    arguments: list[str],
    unset: str,
    message: str,
) -> None:
    monkeypatch.setenv(f"MANAGEDFS_{unset}", "")
    monkeypatch.chdir(output.parent)
    with pytest.raises(SystemExit) as ended:
        program.main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
    assert emulator.requests == []


def test_the_guide_names_all_options() -> None:
    guide = (CHECKOUT / "docs/docsite/rst/guide_probe.rst").read_text(encoding="utf-8")
    options = set(re.findall(r"^ +\[?(--[a-z-]+)", program.parser().format_help(), re.MULTILINE)) - {"--help"}
    assert options <= set(re.findall(r"``(--[a-z-]+)", guide))


def profile_file(folder: Path, content: Any) -> str:
    """Return a file with this content."""
    path = folder / "profile.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_profile_gives_settings_and_clock_and_settings_by_hand_come_on_top(tmp_path: Path, *, is_whole: bool) -> None:
    entries = {"put": {"value": "any"}, "page_size": {"value": None}, "clock_offset": {"value": -30}}
    path = profile_file(tmp_path, {"profile": entries, "unknown": ["x"]} if is_whole else entries)
    assert read_profile(Path(path)) == ({"put": "any"}, -30)
    arguments = parser().parse_args(["--profile", path, "--set", "page_size=20"])
    assert chosen_dialect(arguments) == Dialect(put="any", page_size=20)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("no JSON", [], "is not a profile, as make probe writes it"),
        ([], [], "is not a profile"),
        ({"put": "any"}, [], "is not a profile"),
        ({"colour": {"value": "red"}}, [], "a dialect has no setting 'colour'"),
        ({"put": {"value": "some"}}, [], "put: 'some' is none of"),
        ({"clock_offset": {"value": "x"}}, [], "clock_offset: 'x' is not a number"),
        ({}, ["--seed", "1"], "--profile and --seed exclude each other"),
    ],
    ids=str,
)
def test_a_file_that_is_no_profile_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any, options: list[str], message: str
) -> None:
    assert main(["--port", "0", "--profile", profile_file(tmp_path, content), *options]) == 2
    assert message in capsys.readouterr().err


def test_the_probe_shares_no_code_with_the_plugins() -> None:
    for path in (CHECKOUT / "tests" / "probe").glob("*.py"):
        assert "ansible_collections" not in path.read_text(encoding="utf-8"), path.name
