# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The step of the role capture that writes the desired state of a console to files."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....module_utils._internal.connection import read_addresses
from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.model.fields import INTEGER
from ....module_utils._internal.model.records import format_value, is_key
from ....module_utils._internal.model.resources import (
    IGNORED,
    LISTS_OF_VOLUME,
    RESOURCES,
    VOLUME,
    Field,
    Resource,
    is_blank,
)
from ....module_utils._internal.values import MAX_DEPTH, counted, has_secret, read_json
from ..controller.action import ControllerAction, FileChange, resolve_path
from .writing import DEFAULT_MAX_REMOVALS, are_wanted, plan_files, plan_schemas, read_max_removals

Item = dict[str, Any]

# The Python types of the options for fields.
_OPTION_TYPES: dict[str, Any] = {"str": str, "int": int, "bool": bool}
OPTIONS: dict[str, dict[str, Any]] = {
    "dest": {"type": "str", "default": ""},
    "volumes": {"type": "list", "elements": "dict", "default": []},
    "remove": {"type": "bool", "default": False},
    "max_removals": {"type": "str", "default": str(DEFAULT_MAX_REMOVALS)},
    "console": {"type": "str", "default": ""},
    "names": {"type": "list", "elements": "str", "default": []},
}


def to_desired_state(records: Any, kind: str | None = None) -> list[Item]:
    """Return the items that describe records as they are; ConsoleError for what is not a list of records.

    Applied to the console that the records are from, the items change nothing. `kind` is `volumes`, `exports` or
    `quotas`; without it, it is inferred from the fields.
    """
    _check_is_list(records)
    records, kind = plain_values(records), plain_values(kind)
    if kind is not None and (not isinstance(kind, str) or kind not in RESOURCES):
        raise ConsoleError(f"kind must be one of {', '.join(RESOURCES)}, not {format_value(kind)}.")
    if not records:
        return []
    resource = RESOURCES[kind] if kind else _infer_resource(records)
    if resource.is_in_volume:
        _check_is_of_one_volume(resource, records)
    return _to_items(resource, records)


def _check_is_list(records: Any) -> None:
    """Refuse anything but a list of dictionaries."""
    is_list = isinstance(records, Sequence) and not isinstance(records, str)
    if not is_list or not all(isinstance(record, Mapping) for record in records):
        raise ConsoleError("a list of records is required, such as volumes in the result of volume_info.")


def _infer_resource(records: Sequence[Mapping[str, Any]]) -> Resource:
    """Return the resource whose natural key the records have, and no other's."""
    found = [resource for resource in RESOURCES.values() if any(resource.key.name in record for record in records)]
    if len(found) != 1:
        raise ConsoleError(
            "the records do not show whether they are volumes, exports or quotas, which have one of the fields name, desc"
            " and path. Pass kind, such as kind='exports'."
        )
    return found[0]


def _check_is_of_one_volume(resource: Resource, records: Sequence[Mapping[str, Any]]) -> None:
    """Refuse records of several volumes: the items would not show which volume each is for."""
    volumes = sorted({str(record["volume_id"]) for record in records if "volume_id" in record})
    if len(volumes) > 1:
        raise ConsoleError(
            f"the {resource.plural} belong to several volumes: ids {', '.join(volumes)}. Take those of one volume, or"
            f" volumes with their {resource.plural}, as volume_info gathers them."
        )


def _to_items(resource: Resource, records: Sequence[Mapping[str, Any]]) -> list[Item]:
    """Return an item for each record in the order of natural keys."""
    items = [_to_item(resource, record, is_unique) for record, is_unique in tell_apart(resource, records)]
    return sorted(items, key=lambda item: (item.get(resource.key.name, ""), item.get("id", 0)))


def tell_apart(resource: Resource, records: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Yield each record, except those that no task manages without a key, and whether its key tells it from the others."""
    name = resource.key.name
    if resource.without_key is IGNORED and any(is_key(record.get(name)) for record in records):
        records = [record for record in records if record.get(name) is not None]
    keys = [resource.normalize_key(record.get(name)) for record in records]
    uses = Counter(keys)
    for key, record in zip(keys, records):
        yield record, uses[key] == 1 and _key_to_give(resource, record) is not None


def _key_to_give(resource: Resource, record: Mapping[str, Any]) -> str | None:
    """Return the natural key of a record, None if no option can give it."""
    key: str | None = resource.normalize_key(record.get(resource.key.name))
    return None if has_secret(key) or (key and "\0" in key) else key


def _to_item(resource: Resource, record: Mapping[str, Any], is_unique: bool) -> Item:
    """Return the item for a record. It has the id only if no option can give the key, or if others share it."""
    key = _key_to_give(resource, record)
    item: Item = {} if key is None else {resource.key.name: key}
    if not is_unique:
        item["id"] = _id_of(resource, record)
    for field in resource.managed:
        value = _option_value(field, record) if field != resource.key else None
        if value is not None:
            item[field.name] = value
    for child in LISTS_OF_VOLUME if resource is VOLUME else ():
        children = record.get(child.plural)
        # If nothing was gathered, a console's field of that name may mean something else.
        if isinstance(children, list) and all(isinstance(entry, Mapping) for entry in children):
            item[child.plural] = _to_items(child, children)
    return item


def _id_of(resource: Resource, record: Mapping[str, Any]) -> int:
    """Return the id of a record without a usable key; ConsoleError if no option can give the id either."""
    try:
        return int(INTEGER.normalize(record.get("id")))
    except (TypeError, ValueError):
        key, identity = (format_value(record.get(name)) for name in (resource.key.name, "id"))
        raise ConsoleError(
            f"nothing identifies one of the {resource.plural}: its key is {key}, which is blank, in use more than once or"
            f" cannot be given, and its id is {identity}. Give it another key in the console."
        ) from None


def _option_value(field: Field, record: Mapping[str, Any]) -> Any:
    """Return the option's value that leaves a field as it is; None if there is none, or it would show a secret."""
    if field.name not in record:
        return None
    shown = record[field.name]
    value = field.type.to_diff(field.type.normalize(None) if shown is None else shown)
    if value is None or (is_blank(value) and not field.blank_is_value) or has_secret(value):
        return None
    try:
        sent = field.type.to_request(_OPTION_TYPES[field.type.option](value))
    except (ValueError, TypeError):
        return None
    return value if field.type.equal(shown, sent) else None


def plain_values(value: Any) -> Any:
    """Return a copy of a value as JSON has it; ConsoleError if JSON, or a result, cannot hold it."""
    try:
        return read_json(json.dumps(value, default=str).encode())
    except (ValueError, TypeError, RecursionError):
        raise ConsoleError(
            f"the input must have no infinity, NaN, number of more than 308 digits, or more than {MAX_DEPTH} levels of lists"
            " and dictionaries."
        ) from None


def write(action: ControllerAction, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the files that were written, and what of the console is in them."""
    max_removals = read_max_removals(options["max_removals"])
    address = options["console"].strip() and read_addresses("console", [options["console"]])[0]
    folder = resolve_path(options["dest"], variables)
    known = (variables["hostvars"].raw_get(host) for host in variables["ansible_play_hosts_all"])
    folders = [each.get("__capture_variables", {}).get("folder") for each in known]
    if folders.count(os.path.realpath(folder)) > 1:
        raise ConsoleError(
            f"Several hosts would write into {options['dest']}, and overwrite each other's files. Give each a folder of its"
            f" own, such as consoles/{variables['inventory_hostname']}."
        )
    volumes = _choose(plain_values(options["volumes"]), options["names"])
    has_schemas = are_wanted(folder)
    changes, unchanged = plan_files(folder, volumes, options["remove"], max_removals, address, has_schemas)
    schemas = plan_schemas(folder) if has_schemas and volumes else []
    lists = [volume.get(each.plural) or [] for volume in volumes for each in LISTS_OF_VOLUME]
    by_id = sum("id" in entry for entries in lists for entry in entries)
    note = f"{counted(by_id, 'records')} captured by id, without a unique description or path. Give each one, and capture again."
    files = _summarize(changes, unchanged) + (f", {counted(len(schemas), 'schemas')}" if schemas else "")
    end = " In check mode, nothing is written." if action.check_mode else ""
    return {
        **action.write(folder, changes, not_shown=schemas),
        "msg": f"{_count(volumes)}. Files in {options['dest']}: {files}.{end}",
        "notes": [note] if by_id else [],
    }


def _choose(volumes: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the volumes of these names, all if there are none."""
    if unknown := sorted(set(names) - {str(volume.get("name")) for volume in volumes}):
        raise ConsoleError(f"capture_volumes: correct {', '.join(unknown)}, which the console does not have.")
    return [volume for volume in volumes if not names or volume.get("name") in names]


def _count(volumes: Sequence[Mapping[str, Any]]) -> str:
    """Return how much is captured: `1 volume, 2 exports, 0 quotas`."""
    numbers = {each.plural: sum(len(volume.get(each.plural) or ()) for volume in volumes) for each in LISTS_OF_VOLUME}
    return ", ".join(counted(count, kind) for kind, count in {VOLUME.plural: len(volumes), **numbers}.items())


def _summarize(changes: Iterable[FileChange], unchanged: int) -> str:
    """Return what becomes of the files: `1 created, 39 unchanged`."""
    counts = {"created": 0, "updated": 0, "removed": 0, "unchanged": unchanged}
    for change in changes:
        counts["created" if change.before is None else "removed" if change.after is None else "updated"] += 1
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing to write"
