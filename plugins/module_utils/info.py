# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules that only list do."""

from __future__ import annotations

from typing import Any

from .model.resources import EXPORT, QUOTA, VOLUME
from .module import Task
from .store import Store


def list_volumes(task: Task) -> list[dict[str, Any]]:
    """The volumes that match the options `name` and `id`, with the lists that `gather` names."""
    shown = []
    for record in Store(task.client, VOLUME).read():
        if _matches(task, record):
            volume = VOLUME.project(record, task.params["include_tokens"])
            for resource in (EXPORT, QUOTA):
                if resource.plural in task.params["gather"]:
                    children = Store(task.client, resource, volume["id"]).records()
                    volume[resource.plural] = [
                        resource.project(child, task.params["include_tokens"]) for child in children
                    ]
            shown.append(volume)
    return shown


def _matches(task: Task, record: dict[str, Any]) -> bool:
    for field in VOLUME.fields:
        wanted = task.params.get(field.name)
        if wanted not in (None, "") and not field.kind.same(record.get(field.wire), wanted):
            return False
    return True
