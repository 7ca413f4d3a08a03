# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of which the roles are made: what they do on the controller, beside the modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.action import ControllerAction
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files import capture, validation
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report import files as report_files
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles import summary
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.variables import check


class ActionModule(ControllerAction):
    """Runs where Ansible runs, whatever host the task is for."""

    OPTIONS = {
        "do": {"type": "str", "required": True, "choices": ["check", "write", "report", "summary", "show", "validate"]},
        "role": {"type": "str", "default": ""},
        "options": {"type": "dict"},
        "summary": {"type": "dict", "default": {}},
        **capture.OPTIONS,
        **report_files.OPTIONS,
        **validation.OPTIONS,
    }

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of the step."""
        do, role = options["do"], options["role"]
        if do == "check":
            return check(self, role, options["options"], variables)
        if do == "write":
            return capture.write(self, options, variables)
        if do == "report":
            return report_files.report(self, options, variables)
        if do == "validate":
            return validation.run(self, options, variables)
        if do == "show":
            return summary.show(options["summary"], variables["inventory_hostname"])
        return summary.sum_up(self, role, variables)
