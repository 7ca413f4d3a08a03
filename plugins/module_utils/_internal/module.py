# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The glue to Ansible: options in, result out, and the one place where errors become a failed task."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from .connection import CONNECTION_OPTIONS, Settings, check_console, name_variable, read_connection
from .errors import ConsoleError
from .http.client import Client
from .http.transport import REQUESTS_IMPORT_ERROR, Clock
from .json_values import MAX_DEPTH, is_too_deep, map_text, printable
from .masking import MASK, mask
from .model.fields import oddity
from .options import read_given


class _Module(AnsibleModule):
    """Ansible's own, but for how options are read, and for what it says of a wrong value: also where that is from, and printable."""

    _params: dict[str, Any]

    @property
    def params(self) -> dict[str, Any]:
        """Return the options, and those of Ansible itself; they are set before they are validated."""
        return self._params

    @params.setter
    def params(self, given: Mapping[str, Any]) -> None:
        self._params = read_given(self.argument_spec, given)

    def fail_json(self, msg: str, **result: Any) -> NoReturn:
        super().fail_json(printable(name_variable(msg, self.params)), **result)


class Task:
    """One run of a module: its options, and the console that it works on."""

    def __init__(self, module: AnsibleModule, settings: Settings) -> None:
        self.params: Mapping[str, Any] = module.params
        self.check_mode: bool = module.check_mode
        self.diff_mode: bool = module._diff  # noqa: SLF001
        self.warnings: list[str] = []
        for name, value in module.params.items():
            if is_too_deep(value):
                raise ConsoleError(f"{name} is nested too deeply, beyond {MAX_DEPTH} levels.")
        for name, value in (("access_key", settings.access_key), ("secret_key", settings.secret_key)):
            if value != value.strip():
                self.warn(
                    f"{name} begins or ends with white space, perhaps the line feed of a file, and is used like this. If the"
                    " console refuses the key, remove it."
                )
            elif odd := oddity(value):
                self.warn(f"{name} {odd}.")
        self.client = Client(settings, Clock(), self.warn)
        self._warn_of_exposure()

    def warn(self, *messages: str) -> None:
        """Warn the user, once the task has ended."""
        self.warnings += map(printable, messages)

    def _warn_of_exposure(self) -> None:
        if self.client.is_unencrypted:
            proxy = (
                self.client.proxy
                and f" Requests go through the proxy of {self.client.proxy}, which can read them, too."
            )
            self.warn(f"console_url uses http: tokens and all other data can be read in transit. Use https.{proxy}")
        if not self.client.settings.validate_certs:
            self.warn(
                "validate_certs is false: whoever answers is taken for the console, and can read tokens and all other data."
                " If the console has a private certificate authority, name its certificate in ca_path."
            )


def run_module(
    options: Mapping[str, Any], act: Callable[[Task], dict[str, Any]], empty: Mapping[str, Any] | None = None
) -> NoReturn:
    """Run a module: `options` beside those of the connection, `act` to do the work and return the result.

    Every result has the address of the console, since a job may be about several. `empty` is what a result holds of lists where
    nothing is known, so that `until` can ask for them while the console is away.
    """
    module = _Module({**CONNECTION_OPTIONS, **options}, supports_check_mode=True)  # type: ignore[no-untyped-call]
    # A blank secret would mask every space of the result.
    module.no_log_values = {text for text in module.no_log_values if text.strip()}
    result: dict[str, Any] = {**(empty or {}), "invocation": {"module_args": _visible_options(module.params, options)}}
    task, error = _perform(module, act, result)
    if error:
        result = {**result, "changed": False, **error.details, "msg": str(error)}
    elif module.check_mode and result.get("changed"):
        result["msg"] += " (check mode: nothing was written)"
    shown, is_shown = _clean(task, result)
    for warning in shown.pop("warnings", []):
        module.warn(warning)
    if error or not is_shown:
        module.fail_json(**shown)
    module.exit_json(**shown)


def _clean(task: Task | None, result: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return what of a result leaves the task, with its warnings, and whether that is all of it.

    What cannot be looked through, for want of memory, is not shown.
    """
    try:
        shown = _printable(result)
        return (task.client.echoes.clean({**shown, "warnings": task.warnings}) if task else shown), True
    except (MemoryError, RecursionError) as error:
        message = f"The result is too large to be shown ({type(error).__name__}). Check console_url."
        return {"changed": bool(result.get("changed")), "msg": message}, False


def _perform(
    module: AnsibleModule, act: Callable[[Task], dict[str, Any]], result: dict[str, Any]
) -> tuple[Task | None, ConsoleError | None]:
    """Do the work and add to the result; return the task, as far as it came, and why it failed.

    Whatever is raised ends here: outside of an except clause, since Ansible would add a traceback there at high verbosity.
    """
    settings: Settings | None = None
    task: Task | None = None
    try:
        settings = read_connection(module.params)
        # Ansible knows the secret where it came with the task; here also where the environment replaced a blank.
        module.no_log_values.add(settings.secret_key)
        result["console"] = settings.address
        check_console(settings, module.params.get("consoles"))
        _require_requests()
        task = Task(module, settings)
        result |= act(task)
    except ConsoleError as error:
        # It may quote an address with a password in it.
        message = str(mask(str(error)))
        if settings and "failure" in error.details:
            message = f"{message.rstrip('.')}. Console: {settings.origin}"
        return task, ConsoleError(message, **error.details)
    except Exception as error:  # noqa: BLE001 - a traceback of Python's own could show every secret
        return task, _unexpected(error, task, settings)
    return task, None


def _require_requests() -> None:
    if REQUESTS_IMPORT_ERROR:
        raise ConsoleError(missing_required_lib("requests"), exception=REQUESTS_IMPORT_ERROR)


def _unexpected(error: Exception, task: Task | None, settings: Settings | None) -> ConsoleError:
    """Return the error for one that nobody expected, without the secret key, wherever it stands."""
    has_written = task is not None and task.client.has_written
    doubt = " Something may have been changed: run the task again." if has_written else ""
    message, trace = f"{type(error).__name__}: {error}", traceback.format_exc()
    key = settings.secret_key if settings else ""
    if re.fullmatch(r"[\w+/=.~-]{8,}", key, re.ASCII):
        message, trace = (text.replace(key, MASK) for text in (message, trace))
    else:
        # Such a key has many spellings, or is in many words.
        message, trace = type(error).__name__, "".join(traceback.format_tb(error.__traceback__))
    message = f"This is a mistake in this collection, please report it: {mask(message)}.{doubt}"
    return ConsoleError(message, changed=has_written, exception=mask(trace))


def _printable(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result in which those texts are printable that Ansible prints as they are; records stay as they came."""
    shown = {name: map_text(result[name], printable) for name in ("msg", "errors") if name in result}
    if "diff" in result:
        headers = {name: printable(text) for name, text in result["diff"].items() if name.endswith("_header")}
        shown["diff"] = {**result["diff"], **headers}
    return {**result, **shown}


def _visible_options(params: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a result repeats; lists of items are left out, since they can be thousands."""
    lists = [name for name, option in options.items() if option.get("elements") == "dict"]
    return {
        name: "(nested too deeply)" if is_too_deep(value) else mask({name: value})[name]
        for name, value in params.items()
        if name not in lists
    }
