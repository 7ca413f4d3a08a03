# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of which the roles are made: what they do on the controller, beside the modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible_collections.managedfs.console.plugins.plugin_utils._internal import (
    role_capture,
    role_check,
    role_report,
    role_summary,
    validation,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import ControllerAction


class ActionModule(ControllerAction):
    """Runs where Ansible runs, whatever host the task is for."""

    OPTIONS = {
        "do": {
            "type": "str",
            "required": True,
            "choices": ["check", "write", "report", "summary", "show", "validate"],
        },
        "role": {"type": "str", "default": ""},
        "options": {"type": "dict"},
        "summary": {"type": "dict", "default": {}},
        **role_capture.OPTIONS,
        **role_report.OPTIONS,
        **validation.OPTIONS,
    }

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of the step."""
        do, role = options["do"], options["role"]
        if do == "check":
            return role_check.check(self, role, options["options"], variables)
        if do == "write":
            return role_capture.write(self, options, variables)
        if do == "report":
            return role_report.report(self, options, variables)
        if do == "validate":
            return validation.run(self, options, variables)
        if do == "show":
            return role_summary.show(options["summary"], variables["inventory_hostname"])
        return role_summary.sum_up(self, role, variables)
