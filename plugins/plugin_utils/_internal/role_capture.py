# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The step of the role capture that writes the desired state of a console to files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...module_utils._internal.connection import read_addresses
from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, VOLUME
from ...module_utils._internal.texts import counted
from .action import ControllerAction, FileChange
from .desired_state import plain_values
from .schema_files import are_wanted
from .state_files import resolve_path
from .state_writer import DEFAULT_MAX_REMOVALS, plan_files, plan_schemas, read_max_removals

OPTIONS: dict[str, dict[str, Any]] = {
    "dest": {"type": "str", "default": ""},
    "volumes": {"type": "list", "elements": "dict", "default": []},
    "remove": {"type": "bool", "default": False},
    "max_removals": {"type": "str", "default": str(DEFAULT_MAX_REMOVALS)},
    "console": {"type": "str", "default": ""},
    "names": {"type": "list", "elements": "str", "default": []},
}


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
        raise ConsoleError(f"capture_volumes names volumes that the console does not have: {', '.join(unknown)}.")
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
