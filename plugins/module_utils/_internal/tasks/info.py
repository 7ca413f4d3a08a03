# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tasks of the modules that only list records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv6Network
from typing import Any

from ..api.lists import Store, side_by_side
from ..api.volumes import find_volume
from ..model.access import UNKNOWN, network_of, other_rules, read_address
from ..model.records import Record, read_only
from ..model.resources import LISTS_OF_VOLUME, VOLUME, Resource, plan_warnings_of, read_values
from ..options import check_numbers, info_options
from ..task import Operation, Task, show

Lists = dict[str, list[dict[str, Any]]]


def info_operation(resource: Resource) -> Operation:
    """Return the operation of the module that lists the records of a resource."""
    list_them = _list_in_volumes if resource.is_in_volume else _list_volumes

    def list_all(task: Task) -> dict[str, Any]:
        check_numbers(task.params)
        task.warn(*plan_warnings_of(resource, task.params))
        return {"changed": False, **list_them(task, resource)}

    return Operation(info_options(resource), list_all, {resource.plural: []})


def _list_volumes(task: Task, resource: Resource) -> Lists:
    """Return the volumes that match the options, with the lists that `gather` names."""
    only = read_only(task.params)
    found = _matching(task, resource, Store(task.client, resource).read())
    volumes = [volume for volume in found if only.matches(volume) or not only]
    results = [show(task, resource, volume) for volume in volumes]
    gathered = [child for child in LISTS_OF_VOLUME if {child.plural, "all"} & set(task.params["gather"])]
    owners = [result for result in results for _child in gathered]
    stores = [Store(task.client, child, volume) for volume in volumes for child in gathered]
    for result, store, records in zip(owners, stores, _read(task, stores)):
        result[store.resource.plural] = [show(task, store.resource, record) for record in records]
    return {resource.plural: results}


def _list_in_volumes(task: Task, resource: Resource) -> Lists:
    """Return the matching records of the named volume or of all volumes, each with the id of its volume.

    If an address is given, only records that overlap it are returned, with the overlapping access rules of volumes that no
    record shows.
    """
    filters = _filters(task, resource)
    address = read_address("address", task.params.get("address"))
    is_volume_given = task.params["volume_id"] is not None or (task.params["volume"] or "").strip()
    found = [find_volume(task.client, task.params)] if is_volume_given else Store(task.client, VOLUME).read()
    result: Lists = {resource.plural: [], **({"access_rules": []} if address else {})}
    volumes = [volume for volume in found if volume]
    stores = [Store(task.client, resource, volume) for volume in volumes]
    for volume, records in zip(volumes, _read(task, stores)):
        lists = {resource.plural: list(_matching(task, resource, records))}
        if address:
            lists["access_rules"] = [] if filters else other_rules(volume, records)
        for name, listed in lists.items():
            for record, overlap in _overlapping(listed, address):
                shown = {**show(task, resource, record), "volume_id": VOLUME.to_result(volume)["id"]}
                result[name].append({**shown, **overlap})
    return result


def _read(task: Task, stores: Iterable[Store]) -> list[list[Record]]:
    """Return the records of each list, read side by side."""
    return side_by_side(Store.list_records, stores, task.params["concurrency"])


def _overlapping(records: Iterable[Record], address: IPv6Network | None) -> Iterator[tuple[Record, dict[str, str]]]:
    """Yield the records that overlap an address, with how certain that is; all records if no address is given."""
    for record in records:
        network = network_of(record.get("iprange")) if address else None
        if address is None:
            yield record, {}
        elif network is None or network.overlaps(address):
            yield record, {"overlaps": "yes" if network else UNKNOWN}


def _matching(task: Task, resource: Resource, records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records whose id and natural key equal those of the options, as these are given.

    A field that is not shown equals nothing: a quota without a path need not be the one of the root.
    """
    filters = _filters(task, resource)
    fields = [(field, filters[field.name]) for field in resource.fields if field.name in filters]
    for record in records:
        shown = ((field, record.get(field.in_api), wanted) for field, wanted in fields)
        if all(value is not None and field.type.equal(value, wanted) for field, value, wanted in shown):
            yield record


def _filters(task: Task, resource: Resource) -> dict[str, Any]:
    """Return the fields that the options filter by; ConsoleError for a value that no record can have."""
    return read_values([field for field in resource.fields if field.name == "id" or field == resource.key], task.params)
