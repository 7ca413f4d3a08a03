# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules that only list do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .errors import ConsoleError
from .model.records import Record
from .model.resources import EXPORT, QUOTA, VOLUME, Field, Resource
from .module import Task
from .store import Store
from .volumes import check_volume_options, find_volume, no_such_volume


def list_volumes(task: Task) -> dict[str, Any]:
    """The result for volumes: those that match the options, with the lists that `gather` names."""
    shown = []
    for record in _matching(task, VOLUME, Store(task.client, VOLUME).read()):
        volume = VOLUME.project(record, task.params["include_tokens"])
        for resource in (EXPORT, QUOTA):
            if resource.plural in task.params["gather"]:
                children = Store(task.client, resource, record["id"]).records()
                volume[resource.plural] = [_project(task, resource, child) for child in children]
        shown.append(volume)
    return {"changed": False, VOLUME.plural: shown}


def list_in_volumes(task: Task, resource: Resource) -> dict[str, Any]:
    """The result for what belongs to volumes: of the one that is named, or of all, each record with its volume."""
    _filters(task, resource)
    shown = [
        {**_project(task, resource, record), "volume_id": VOLUME.project(volume)["id"]}
        for volume in _volumes(task)
        for record in _matching(task, resource, Store(task.client, resource, volume["id"]).records())
    ]
    return {"changed": False, resource.plural: shown}


def _volumes(task: Task) -> list[Record]:
    params = task.params
    if params["volume_id"] is None and not (params["volume"] or "").strip():
        return list(Store(task.client, VOLUME).read())
    check_volume_options(params)
    volume = find_volume(task.client, params)
    if volume is None:
        raise no_such_volume(params)
    return [volume]


def _matching(task: Task, resource: Resource, records: Any) -> Iterator[Record]:
    """The records whose id and natural key are those of the options, where they are given."""
    filters = _filters(task, resource)
    for record in records:
        if all(field.kind.same(record.get(field.wire), wanted) for field, wanted in filters):
            yield record


def _filters(task: Task, resource: Resource) -> list[tuple[Field, Any]]:
    """The fields that the options ask for, blank ones apart. ConsoleError for a value that no record can have."""
    given = [(field, task.params.get(field.name)) for field in resource.fields]
    filters = [(field, wanted) for field, wanted in given if wanted is not None and str(wanted).strip()]
    for field, wanted in filters:
        try:
            field.kind.check(wanted)
        except ValueError as error:
            raise ConsoleError(f"{field.name} {error}.") from None
    return filters


def _project(task: Task, resource: Resource, record: Record) -> dict[str, Any]:
    return resource.project(record, task.params["include_tokens"])
