# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The command line: its arguments, output and files, and the emulator that then plays the console."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from emulator import Dialect, Emulator
from emulator.__main__ import chosen_dialect, main, parser
from emulator.dialect import read_profile
from functional.support.inprocess import FakeClock
from harness.places import CHECKOUT
from probe import __main__ as program

SCRATCH = ["--volume", "scratch", "--bucket", "https://scratch.example.com"]


@pytest.fixture
def output(emulator: Emulator, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the file for the profile, in an environment with a connection."""
    monkeypatch.setattr(program, "time", clock)
    monkeypatch.setattr("signal.signal", lambda *_arguments: None)
    connection = {"CONSOLE_URL": emulator.api_url, "ACCESS_KEY": emulator.access_key, "SECRET_KEY": emulator.secret_key}
    for name, value in {**connection, "TIMEOUT": " "}.items():
        monkeypatch.setenv(f"MANAGEDFS_{name}", value)
    return tmp_path / "console-profile.json"


def test_a_console_is_probed_and_played(emulator: Emulator, output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dialect = Dialect.named("paged", delete_children="405", put="reset")
    emulator.reset(dialect)
    emulator.clock_offset = 30
    assert program.main([*SCRATCH, "--field", "blockSize=8192", "--output", str(output)]) == 0
    printed, profile = capsys.readouterr().out, json.loads(output.read_text(encoding="utf-8"))
    assert 'delete_children      "405"        DELETE /volumes/{id}/exports/{id} 405' in printed
    assert [request.json["blockSize"] for request in emulator.writes if request.path == "/volumes"] == [8192, 8192]
    assert profile["unknown"] == []
    assert chosen_dialect(parser().parse_args(["--profile", str(output)])) == dialect
    assert read_profile(output)[1] == 30
    by_hand = chosen_dialect(parser().parse_args(["--profile", str(output), "--set", "page_size=20"]))
    assert by_hand == dataclasses.replace(dialect, page_size=20)


def test_a_failure_is_reported(emulator: Emulator, output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--volume", "scratch", "--output", str(output)]) == 1
    refused = 'Ended early: the console refuses the volume: HTTP 400 {"bucket":["This field is required."]}'
    assert refused in capsys.readouterr().out
    emulator.clock_offset = 600
    assert program.main(["--read-only", "--output", str(output)]) == 1
    assert re.search(r"HTTP 401; its clock and the one of this machine are \d+ s apart", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "one of --volume NAME, --existing ID and --read-only is needed"),
        ("--volume=", "one of --volume NAME"),
        ("--volume=a --existing=1", "not allowed with argument"),
        ("--existing=one", "invalid int value"),
        ("--volume=a --field=name=b", "'name=b' is not NAME=VALUE"),
        ("--volume=a --output=/nowhere/profile.json", "No such file or directory"),
        ("--read-only", "MANAGEDFS_SECRET_KEY must be set in the environment"),
    ],
)
@pytest.mark.usefixtures("output")
def test_what_cannot_be_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if "must be set" in message:
        monkeypatch.setenv(message.partition(" ")[0], "")
    with pytest.raises(SystemExit) as ended:
        program.main(arguments.split())
    assert (ended.value.code, message in capsys.readouterr().err) == (2, True)


def test_the_guide_names_all_options() -> None:
    guide = (CHECKOUT / "docs/docsite/rst/guide_probe.rst").read_text(encoding="utf-8")
    options = set(re.findall(r"^ +\[?(--[a-z-]+)", program.parser().format_help(), re.MULTILINE)) - {"--help"}
    assert options <= set(re.findall(r"``(--[a-z-]+)", guide))


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("no JSON", [], "is not a profile, as make probe writes it"),
        ('{"put": "any"}', [], "is not a profile"),
        ('{"colour": {"value": "red"}}', [], "a dialect has no setting 'colour'"),
        ('{"put": {"value": "some"}}', [], "put: 'some' is none of"),
        ('{"clock_offset": {"value": "x"}}', [], "clock_offset: 'x' is not a number"),
        ("{}", ["--seed", "1"], "--profile and --seed exclude each other"),
    ],
    ids=str,
)
def test_a_file_that_is_no_profile_is_refused(
    output: Path, capsys: pytest.CaptureFixture[str], content: str, options: list[str], message: str
) -> None:
    output.write_text(content, encoding="utf-8")
    assert main(["--port", "0", "--profile", str(output), *options]) == 2
    assert message in capsys.readouterr().err


def test_the_probe_shares_no_code_with_the_plugins() -> None:
    for path in (CHECKOUT / "tests" / "probe").glob("*.py"):
        assert "ansible_collections" not in path.read_text(encoding="utf-8"), path.name
