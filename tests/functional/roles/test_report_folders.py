# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folders that the role report writes into, whatever hosts are called and whatever is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator import Emulator
from functional.roles.reports import run_report


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    """Yield a console, in real time, with nothing on it."""
    with Emulator() as emulator:
        yield emulator


def test_no_host_writes_outside_or_into_the_folder_of_another(emulator: Emulator, tmp_path: Path) -> None:
    names = ["h/2", "h 2", "..", "a.example.com"]
    run_report(emulator, tmp_path, consoles=dict.fromkeys(names, emulator.url), report_dest="reports")
    folders = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert len(folders) == len(names)
    assert [folder.split("~")[0] for folder in folders] == ["-", "a.example.com", "h-2", "h-2"]
    assert len(list(tmp_path.rglob("report.json"))) == len(names)


@pytest.mark.parametrize("existing", ["reports", "reports/north"])
def test_a_file_where_the_folder_goes_is_named_before_any_request(
    emulator: Emulator, tmp_path: Path, existing: str
) -> None:
    emulator.forget_requests()
    (tmp_path / existing).parent.mkdir(exist_ok=True)
    (tmp_path / existing).touch()
    output = run_report(emulator, tmp_path, consoles={"north": emulator.url}, report_dest="reports")
    assert f"report_dest must be a folder, but {tmp_path / existing} is a file." in output
    assert not emulator.requests
