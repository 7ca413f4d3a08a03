# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action with which each role of this collection begins: it checks the role's variables, on the controller."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from ansible.plugins.action import ActionBase

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_variables import check_variables

_ROLES = Path(__file__).resolve().parents[2] / "roles"
_OPTIONS = {"role": {"type": "str", "required": True, "choices": sorted(folder.name for folder in _ROLES.iterdir())}}


class ActionModule(ActionBase):
    """Looks at the variables of its own task, which are those of the role that it is in."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True
    _supports_async = False

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the variables that are set."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        variables = task_vars or {}
        _validation, arguments = self.validate_argument_spec(_OPTIONS)  # type: ignore[no-untyped-call]
        role = arguments["role"]
        text = (_ROLES / role / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
        options = yaml.safe_load(text)["argument_specs"]["main"]["options"]

        def value_of(name: str) -> Any:
            # In a dictionary, since newer versions of ansible-core leave a value that is omitted out of it.
            value = self._templar.template({"value": variables[name]}).get("value")
            return None if isinstance(value, str) and value == variables.get("omit") else value

        try:
            checked = check_variables(role, options, variables, value_of)
        except ConsoleError as error:
            # Raised, ansible-core 2.16 would show it as a crash.
            return {**result, "failed": True, "changed": False, "msg": str(error)}
        return {**result, "changed": False, "given": checked.given, "warnings": checked.warnings}
