# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the actions of this collection have in common: they do everything on the controller, and fail with a message."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from ansible.plugins.action import ActionBase

from ...module_utils._internal.errors import ConsoleError


class ControllerAction(ActionBase, ABC):
    """An action that runs where Ansible runs, whatever host its task is for."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True
    _supports_async = False

    OPTIONS: ClassVar[Mapping[str, Mapping[str, Any]]]
    """The argument spec."""

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of the task."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        _validation, options = self.validate_argument_spec(self.OPTIONS)  # type: ignore[no-untyped-call]
        try:
            return {**result, **self.act(options, task_vars or {})}
        except ConsoleError as error:
            # Raised, ansible-core 2.16 would show it as a crash.
            return {**result, "failed": True, "changed": False, "msg": str(error), **error.details}

    @abstractmethod
    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the options say, and return the keys of the result; ConsoleError ends the task with its message."""
