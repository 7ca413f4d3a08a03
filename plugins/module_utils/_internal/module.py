# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The shell of a module that Ansible ships and starts in a process of its own."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Any, NoReturn

from ansible.module_utils.basic import AnsibleModule

from .options import read_given
from .task import Call, Operation, perform, visible_options
from .values import printable


class _Module(AnsibleModule):
    """Ansible's own, but for how options are read, and that its messages are printable."""

    _params: dict[str, Any]

    @property
    def params(self) -> dict[str, Any]:
        """Return the options, and those of Ansible itself; they are set before they are validated."""
        return self._params

    @params.setter
    def params(self, given: Mapping[str, Any]) -> None:
        self._params = read_given(self.argument_spec, given)

    def fail_json(self, msg: str, **result: Any) -> NoReturn:
        # Ansible would repeat the options as they are, and from 2.22 on masks them only where they are shown.
        result.setdefault("invocation", {"module_args": visible_options(self.params, self.argument_spec)})
        super().fail_json(printable(msg), **result)


def run_module(operation: Operation) -> NoReturn:
    """Run a module."""
    # Everything loaded so far lasts as long as the process. Looking for garbage in it took 25 of a quota's 435 CPU milliseconds.
    gc.freeze()
    module = _Module(operation.argument_spec, supports_check_mode=True)  # type: ignore[no-untyped-call]
    # A blank secret would mask every space of the result.
    module.no_log_values = {text for text in module.no_log_values if text.strip()}
    call = Call(module.params, module.check_mode, module._diff, module.no_log_values)  # noqa: SLF001
    result = perform(operation, call)
    for warning in result.pop("warnings", []):
        module.warn(warning)
    if result.pop("failed", False):
        module.fail_json(**result)
    module.exit_json(**result)
