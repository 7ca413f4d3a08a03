# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first action of each role in this collection: it checks the role's variables on the controller."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import ControllerAction
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_variables import check_variables

_ROLES = Path(__file__).resolve().parents[2] / "roles"


class ActionModule(ControllerAction):
    """Checks the variables of its task, which are those of the role that it is in."""

    OPTIONS = {"role": {"type": "str", "required": True, "choices": sorted(folder.name for folder in _ROLES.iterdir())}}

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the variables that are set."""
        role = options["role"]
        text = (_ROLES / role / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
        specs = yaml.safe_load(text)["argument_specs"]["main"]["options"]

        def value_of(name: str) -> Any:
            # In a dictionary, from which newer versions of ansible-core drop an omitted value.
            value = self._templar.template({"value": variables[name]}).get("value")
            return None if isinstance(value, str) and value == variables.get("omit") else value

        checked = check_variables(role, specs, variables, value_of)
        return {"changed": False, "given": checked.given, "warnings": checked.warnings}
