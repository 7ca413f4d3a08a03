# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action that checks the files of a desired state on the controller, without a console."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import ControllerAction
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_files import resolve_path
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.validation import (
    describe,
    validate,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.vault import decrypter

# Of each list, so that AWX, which keeps 700,000 bytes of a result, shows it.
_MAX_LISTED = 500


class ActionModule(ControllerAction):
    """Reads files where Ansible runs, whatever host the task is for."""

    OPTIONS = {
        "source": {"type": "str", "required": True},
        "fail_on_doubts": {"type": "bool", "default": False},
    }

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is wrong with the files, what is in doubt, and how much there is."""
        found = validate(resolve_path(options["source"], variables), options["source"], decrypter(self._loader))
        is_doubted = options["fail_on_doubts"] and bool(found.doubts or found.not_read)
        return {
            "changed": False,
            "failed": bool(found.errors) or is_doubted,
            "msg": describe(found, options["source"]),
            "errors": found.errors[:_MAX_LISTED],
            "not_read": found.not_read[:_MAX_LISTED],
            "doubts": found.doubts[:_MAX_LISTED],
            "counts": found.counts,
            # Each text on a line of its own.
            "_ansible_verbose_always": True,
        }
