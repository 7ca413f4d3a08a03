# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action that writes the desired state of a console to files, on the controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.removals import DEFAULT, MaxRemovals
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_paths import resolve_path
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_writer import (
    Change,
    diff_of,
    plan_files,
    write_files,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.template_values import plain_values

_OPTIONS = {
    "dest": {"type": "str", "required": True},
    "volumes": {"type": "list", "elements": "dict", "required": True},
    "remove": {"type": "bool", "default": False},
    "max_removals": {"type": "str", "default": DEFAULT},
}


class ActionModule(ActionBase):
    """Writes files where Ansible runs, whatever host the task is for."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True
    _supports_async = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what was written."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        _validation, options = self.validate_argument_spec(_OPTIONS)  # type: ignore[no-untyped-call]
        try:
            return {**result, **self._write(options, task_vars or {})}
        except ConsoleError as error:
            # Raised, ansible-core 2.16 would show it as a crash.
            return {**result, "failed": True, "changed": False, "msg": str(error), **error.details}

    def _write(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        if not options["dest"].strip():
            raise ConsoleError("dest must be the path of a folder.")
        max_removals = MaxRemovals.read(options["max_removals"])
        folder = resolve_path(options["dest"], variables)
        changes, unchanged = plan_files(folder, plain_values(options["volumes"]), options["remove"], max_removals)
        if changes and not self._task.check_mode:
            write_files(folder, changes)
        result = {"changed": bool(changes), **_summarize(changes, unchanged, options["dest"])}
        if changes and self._task.check_mode:
            result["msg"] += " (check mode: nothing was written)"
        return {**result, "diff": diff_of(changes)} if self._task.diff else result


def _summarize(changes: list[Change], unchanged: int, dest: str) -> dict[str, Any]:
    names = {
        "created": [change.path.name for change in changes if change.before is None],
        "updated": [change.path.name for change in changes if None not in (change.before, change.after)],
        "removed": [change.path.name for change in changes if change.after is None],
    }
    counts = {**{what: len(files) for what, files in names.items()}, "unchanged": unchanged}
    done = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing to write"
    return {**names, "unchanged": unchanged, "msg": f"files in {dest}: {done}"}
