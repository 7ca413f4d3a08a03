# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs an action of the controller in this process, as Ansible would call it."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from unittest import mock

from ansible.parsing.dataloader import DataLoader
from ansible.playbook.task import Task

from ansible_collections.managedfs.console.plugins.action import role_step
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.files import write_facts

MOMENT = datetime(2026, 3, 1, 2, 3, 4, tzinfo=timezone.utc)


def act(action: Any, folder: Path, *, check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
    """Return the result of an action in a playbook of a folder, for the only host of its play."""
    variables = {
        "playbook_dir": str(folder),
        "inventory_hostname": "localhost",
        "ansible_play_hosts_all": ["localhost"],
        "hostvars": mock.Mock(raw_get=lambda _host: {}),
    }
    result: dict[str, Any] = _plugin(action, check, diff, options).run(task_vars=variables)
    return result


def write_report(
    folder: Path, facts: dict[str, Any], *, check: bool = False, diff: bool = False, read: datetime = MOMENT
) -> dict[str, Any]:
    """Write a report of these facts to a folder, and return the result."""
    return write_facts(_plugin(role_step, check, diff, {}), folder, facts, read)


def _plugin(action: Any, check: bool, diff: bool, options: dict[str, Any]) -> Any:
    task = Task()
    task.args, task.check_mode, task.diff, task.async_val = options, check, diff, 0
    loader: Any = DataLoader()
    plugin = action.ActionModule(task, mock.Mock(), mock.Mock(), loader, mock.Mock(), mock.Mock())
    # As Ansible's loader does.
    plugin._load_name = action.__name__
    return plugin
