# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs an action of the controller in this process, with the options of its task."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play_context import PlayContext
from ansible.playbook.task import Task
from ansible.template import Templar

from functional.support.inprocess import PLUGINS


def run_action(name: str, folder: Path, *, check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
    """Return the result of an action in a playbook of that folder."""
    task: Any = Task()
    task.args, task.check_mode, task.diff = options, check, diff
    loader, variables = DataLoader(), {"playbook_dir": str(folder)}
    action = importlib.import_module(f"{PLUGINS}.action.{name}").ActionModule(
        task=task,
        # No folder on the target is needed, as nothing is sent there.
        connection=SimpleNamespace(_shell=SimpleNamespace(tmpdir="")),
        play_context=PlayContext(),
        loader=loader,
        templar=Templar(loader=loader, variables=variables),
        shared_loader_obj=None,
    )
    result: dict[str, Any] = action.run(task_vars=variables)
    return result
