# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs an action of the controller in this process, as Ansible would call it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

from ansible.parsing.dataloader import DataLoader
from ansible.playbook.task import Task


def act(action: Any, folder: Path, *, check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
    """Return the result of an action in a playbook of a folder."""
    task = Task()
    task.args, task.check_mode, task.diff, task.async_val = options, check, diff, 0
    loader: Any = DataLoader()
    plugin = action.ActionModule(task, mock.Mock(), mock.Mock(), loader, mock.Mock(), mock.Mock())
    # As Ansible's loader does.
    plugin._load_name = action.__name__
    result: dict[str, Any] = plugin.run(task_vars={"playbook_dir": str(folder)})
    return result
