# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task leaves in the worker process: its directory and its variables as they were, and a warning if it is interrupted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.worker import _process
from emulator import Emulator, Fault
from functional.support.inprocess import FakeClock, Run


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_task_runs_in_the_folder_of_its_play_and_leaves_it_if_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_readable: bool
) -> None:
    open_file = os.open

    def refuse(path: Any, *arguments: Any, **options: Any) -> int:
        if path == "." and not is_readable:
            raise PermissionError
        return open_file(path, *arguments, **options)

    before, folder = tmp_path / "before", tmp_path / "play"
    before.mkdir()
    folder.mkdir()
    monkeypatch.chdir(before)
    monkeypatch.setattr(os, "open", refuse)
    variables = dict(os.environ)
    with _process({"MANAGEDFS_TIMEOUT": "7"}, str(folder)):
        assert Path.cwd() == Path(os.environ["PWD"]) == folder
        assert os.environ["MANAGEDFS_TIMEOUT"] == "7"
    assert Path.cwd() == (before if is_readable else folder)
    assert dict(os.environ) == variables


@pytest.mark.parametrize(("accepted", "shown"), [(0, "0 writes"), (1, "1 write"), (2, "2 writes")])
def test_an_interrupted_task_says_how_many_writes_there_were(
    run: Run, emulator: Emulator, clock: FakeClock, capsys: pytest.CaptureFixture[str], accepted: int, shown: str
) -> None:
    emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.inject(Fault("status", method="POST", status=429, nth=accepted + 1, times=None))
    items = [{"path": f"/{number}", "size": 4096} for number in range(4)]

    def interrupt() -> None:
        raise KeyboardInterrupt

    clock.on_sleep = interrupt
    with pytest.raises(KeyboardInterrupt):
        run("quotas", volume="v", quotas=items, concurrency=1)
    assert f"had accepted {shown} by then." in " ".join(capsys.readouterr().err.split())
