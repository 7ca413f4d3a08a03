# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The glue to Ansible: options in, result out, and the one place where errors become a failed task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, NoReturn

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from .errors import ConsoleError
from .http.client import Client
from .http.clock import Clock
from .http.settings import check_certificate, read_settings
from .http.transport import REQUESTS_IMPORT_ERROR
from .masking import mask
from .nesting import DEEPEST, is_too_deep
from .options import CONNECTION_OPTIONS, connection_values


class TaskFailed(ConsoleError):
    """A task that failed after it has something to tell: the keys of its result, `changed` among them."""

    def __init__(self, error: ConsoleError, result: Mapping[str, Any]) -> None:
        super().__init__(str(error), error.failure)
        self.result = result


class Task:
    """One run of a module: its options, and the console that it works on."""

    def __init__(self, module: AnsibleModule) -> None:
        self.params: Mapping[str, Any] = module.params
        self.check_mode: bool = module.check_mode
        self.diff_mode: bool = module._diff  # noqa: SLF001
        self.warn: Callable[[str], None] = module.warn
        for name, value in module.params.items():
            if is_too_deep(value):
                raise ConsoleError(f"{name} is nested too deeply, beyond {DEEPEST} levels.")
        values = connection_values(module.params)
        # Ansible knows the secret where it came with the task; here also where the environment replaced a blank.
        module.no_log_values.add(values["secret_key"])
        settings = read_settings(values)
        check_certificate(settings)
        for name in ("access_key", "secret_key"):
            if values[name] != values[name].strip():
                self.warn(f"{name} has white space around it, perhaps the line feed of a file. It is used as it is.")
        if settings.readable_on_the_way:
            self.warn("console_url uses http: tokens and all that is managed can be read on the way. Use https.")
        self.client = Client(settings, Clock(), self.warn)


def run_module(options: Mapping[str, Any], act: Callable[[Task], dict[str, Any]]) -> NoReturn:
    """Run a module: `options` beside those of the connection, `act` to do the work and give the result."""
    module = AnsibleModule({**CONNECTION_OPTIONS, **options}, supports_check_mode=True)
    # A blank secret would mask every space of the result.
    module.no_log_values = {text for text in module.no_log_values if text.strip()}
    invocation = {"module_args": _shown_options(module.params, options)}
    if REQUESTS_IMPORT_ERROR:
        told = missing_required_lib("requests")
        module.fail_json(msg=told, exception=REQUESTS_IMPORT_ERROR, invocation=invocation)
    result: dict[str, Any] = {}
    error: ConsoleError | None = None
    try:
        result = act(Task(module))
    except ConsoleError as problem:
        error = problem
    # Out of the except clause, where Ansible would add a traceback at high verbosity.
    if error is None:
        module.exit_json(invocation=invocation, **result)
    if isinstance(error, TaskFailed):
        result = dict(error.result)
    if error.failure:
        result["failure"] = dict(error.failure)
    module.fail_json(msg=str(error), invocation=invocation, **{"changed": False, **result})


def _shown_options(params: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a task as its result repeats them, lists of items left out, since they can be thousands."""
    lists = [name for name, option in options.items() if option.get("elements") == "dict"]
    return {
        name: "(nested too deeply)" if is_too_deep(value) else mask({name: value})[name]
        for name, value in params.items()
        if name not in lists
    }
