# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the actions of this collection have in common: hosts that run ahead, and files that check mode leaves alone."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import pytest
from ansible.errors import AnsibleActionFail
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.task import Task

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import (
    ControllerAction,
    FileChange,
    write_files,
)


class Echo(ControllerAction):
    """An action that returns what it gets."""

    OPTIONS: ClassVar[Any] = {"fail": {"type": "bool", "default": False}}

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the variables, or fail."""
        if options["fail"]:
            raise ConsoleError("no", kept=1)
        return {"variables": variables}


def action(
    *, check: bool = False, diff: bool = False, asynchronous: int = 0, strategy: str = "linear", **options: Any
) -> Echo:
    task: Any = Task(block=mock.Mock(spec=["get_play", "_parent"]))
    task.args, task.check_mode, task.diff, task.async_val = options, check, diff, asynchronous
    task.get_play = lambda: mock.Mock(strategy=strategy)
    loader: Any = DataLoader()
    connection: Any = mock.Mock()
    connection._shell.tmpdir = None
    return Echo(task, connection, mock.Mock(), loader, mock.Mock(), mock.Mock())


@pytest.mark.parametrize(
    ("strategy", "runs_once"),
    [
        ("linear", True),
        ("ansible.builtin.debug", True),
        ("free", False),
        ("ansible.builtin.free", False),
        ("host_pinned", False),
        ("ansible.builtin.host_pinned", False),
        ("mitogen_free", False),
        ("free.linear", True),
    ],
)
def test_a_task_runs_once_unless_hosts_run_ahead(strategy: str, runs_once: bool) -> None:
    assert action(strategy=strategy).runs_once() is runs_once


def test_a_task_gets_its_variables_and_fails_with_details() -> None:
    assert action().run(task_vars={"a": 1})["variables"] == {"a": 1}
    assert action().run()["variables"] == {}
    result = action(fail="yes").run()
    assert {name: result[name] for name in ("failed", "changed", "msg", "kept")} == {
        "failed": True,
        "changed": False,
        "msg": "no",
        "kept": 1,
    }


def test_no_folder_is_made_on_the_host_and_no_job_started_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Echo, "_make_tmp_path", mock.Mock(side_effect=AssertionError))
    assert action().run()
    with pytest.raises(AnsibleActionFail, match="async"):
        action(asynchronous=5).run()


def test_check_mode_locks_and_writes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    changes = [FileChange(folder / "a", None, "x")]
    with action(check=True).hold(folder):
        assert not folder.exists()
        assert action(check=True).write(folder, changes) == {"changed": True}
    assert list(tmp_path.iterdir()) == []
    with action().hold(folder):
        assert [path.name for path in folder.iterdir()] == [".managedfs.lock"]
        assert action().write(folder, changes) == {"changed": True}
    assert (folder / "a").read_text(encoding="utf-8") == "x"
    assert action().write(folder, []) == {"changed": False}
    (tmp_path / "file").touch()
    for check in (True, False):
        with pytest.raises(ConsoleError, match="file is not a folder"):
            action(check=check).hold(tmp_path / "file")


def test_what_is_not_shown_is_written_all_the_same(tmp_path: Path) -> None:
    shown, hidden = (FileChange(tmp_path / name, None, name) for name in "ab")
    result = action(diff=True).write(tmp_path, [shown], not_shown=[hidden])
    assert result["changed"]
    assert [diff["after_header"] for diff in result["diff"]] == [str(tmp_path / "a")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    assert action(diff=True).write(tmp_path, [], not_shown=[hidden]) == {"changed": True, "diff": []}


def test_a_mode_that_is_given_replaces_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch(0o644)
    for mode, expected in ((0o600, 0o600), (None, 0o600), (0o640, 0o640)):
        write_files(tmp_path, [FileChange(path, "", "x")], mode)
        assert stat.S_IMODE(path.stat().st_mode) == expected
