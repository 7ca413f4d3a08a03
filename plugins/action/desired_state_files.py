# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action that writes the desired state of a console to files, on the controller."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import read_addresses
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import ControllerAction, FileChange
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.desired_state import plain_values
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.schema_files import are_wanted
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_files import resolve_path
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_writer import (
    DEFAULT_MAX_REMOVALS,
    OF_CONSOLE,
    make_portable,
    plan_files,
    plan_schemas,
    read_max_removals,
)


class ActionModule(ControllerAction):
    """Writes files where Ansible runs, whatever host the task is for."""

    OPTIONS = {
        "dest": {"type": "str", "required": True},
        "volumes": {"type": "list", "elements": "dict", "required": True},
        "remove": {"type": "bool", "default": False},
        "max_removals": {"type": "str", "default": str(DEFAULT_MAX_REMOVALS)},
        "console": {"type": "str", "default": ""},
        "portable": {"type": "bool", "default": False},
        "names": {"type": "list", "elements": "str", "default": []},
        "folders": {"type": "list", "elements": "str", "default": []},
        "schema": {"type": "bool"},
    }

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the files that were written."""
        max_removals = read_max_removals(options["max_removals"])
        address = options["console"].strip() and read_addresses("console", [options["console"]])[0]
        folder = resolve_path(options["dest"], variables)
        if options["folders"].count(os.path.realpath(folder)) > 1:
            raise ConsoleError(
                f"Several hosts would write into {options['dest']}, and overwrite each other's files. Give each a folder of its"
                f" own, such as consoles/{variables['inventory_hostname']}."
            )
        volumes: Sequence[Mapping[str, Any]] = _choose(plain_values(options["volumes"]), options["names"])
        commented: tuple[str, ...] = ()
        lost: list[str] = []
        if options["portable"]:
            volumes, lost = make_portable(volumes)
            address, commented = "", OF_CONSOLE
        has_schemas = are_wanted(folder, options["schema"])
        limits = (options["remove"], max_removals)
        changes, unchanged = plan_files(folder, volumes, *limits, address, commented, has_schemas)
        schemas = plan_schemas(folder) if options["schema"] or (has_schemas and volumes) else []
        summary = _summarize([*changes, *schemas], unchanged, options["dest"])
        result = {**summary, **self.write(folder, changes, not_shown=schemas)}
        if options["portable"]:
            result["not_carried"] = lost
        if result["changed"] and self._task.check_mode:
            result["msg"] += " (check mode: nothing was written)"
        return result


def _choose(volumes: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    """Return the volumes of these names, all if there are none."""
    if unknown := sorted(set(names) - {str(volume.get("name")) for volume in volumes}):
        raise ConsoleError(f"capture_volumes names volumes that the console does not have: {', '.join(unknown)}.")
    return [volume for volume in volumes if not names or volume.get("name") in names]


def _summarize(changes: list[FileChange], unchanged: int, dest: str) -> dict[str, Any]:
    names = {
        "created": [change.path.name for change in changes if change.before is None],
        "updated": [change.path.name for change in changes if None not in (change.before, change.after)],
        "removed": [change.path.name for change in changes if change.after is None],
    }
    counts = {**{what: len(files) for what, files in names.items()}, "unchanged": unchanged}
    done = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing to write"
    return {**names, "unchanged": unchanged, "msg": f"files in {dest}: {done}"}
