# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a module in Ansible's worker process, if Ansible would start it on this machine.

A module process would be a second Python there, which compiles our sources and imports `requests` anew for each task.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from ansible import constants
from ansible.errors import AnsibleError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.common.parameters import remove_values
from ansible.module_utils.errors import UnsupportedError
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase

from ....module_utils._internal.http.transport import REQUESTS_IMPORT_ERROR
from ....module_utils._internal.options import read_given
from ....module_utils._internal.reconcile import rounds
from ....module_utils._internal.task import HIDES_SECRETS, Call, Operation, perform, visible_options
from ....module_utils._internal.values import printable
from .action import VaultedText, unwrap

# The variable that turns this off: if it is false, all modules are shipped.
SWITCH = "managedfs_in_worker"
# Variables that are read when they are needed, not when an interpreter or a library starts.
_PROXIES = "http_proxy|https_proxy|no_proxy|all_proxy"
_LIVE = re.compile(f"MANAGEDFS_[A-Z0-9_]+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|{_PROXIES}|{_PROXIES.upper()}")
# A module loads this when it writes. Each worker that writes would compile it anew: 15 of 40 CPU milliseconds of a new quota.
_BEFORE_THE_FORK = (rounds,)
_KEYS = ("access_key", "secret_key")
# As JSON writes it, after an even number of backslashes.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
# Another connection may start programs elsewhere, even if it is derived from this one.
_LOCAL = "ansible.plugins.connection.local"
# Another one may start modules in another environment.
_SHELL = "/bin/sh"


class WorkerAction(ActionBase):
    """The action of modules that use a console."""

    # The operations of the modules, by their names.
    OPERATIONS: ClassVar[Mapping[str, Operation]]
    _supports_async = True
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of the task."""
        variables = task_vars or {}
        super().run(tmp, variables)
        environment, arguments = self._read_environment(), self._plain_arguments()
        if problem := _problem(arguments or {}):
            return {"failed": True, "changed": False, "msg": problem}
        if arguments is None or not (self._is_here(variables) and all(map(_LIVE.fullmatch, environment))):
            shipped: dict[str, Any] = self._execute_module(task_vars=variables, wrap_async=bool(self._task.async_val))
            return shipped
        with _process(environment, self._loader.get_basedir()):
            result = self.perform(arguments)
        if not _injects_invocation(variables):
            result.pop("invocation", None)
        return result

    def perform(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do the work of the task, and return the result as a module process would: plain values, with secrets masked."""
        operation = self._operation
        spec = operation.argument_spec
        validation = ArgumentSpecValidator(spec).validate(_without_copies(read_given(spec, given)))
        params = validation.validated_parameters
        hidden = {str(params[name]) for name, option in spec.items() if option.get("no_log") and params.get(name)}
        secrets = {text for text in hidden if text.strip()}
        call = Call(params, self._task.check_mode, self._task.diff, secrets, self._display.warning)
        is_valid = not validation.error_messages
        result = perform(operation, call) if is_valid else self._refuse(validation.errors, params)
        return _without_secrets(json.loads(json.dumps(result)), call.secrets)

    @property
    def _operation(self) -> Operation:
        return self.OPERATIONS[self._task.action.rpartition(".")[2]]

    def _refuse(self, errors: Any, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result for invalid options, in Ansible's words."""
        is_unsupported = isinstance(errors[0], UnsupportedError)
        prefix = f"Unsupported parameters for ({self._task.action}) module: " if is_unsupported else ""
        return {
            "failed": True,
            "msg": printable(f"{prefix}{errors.msg}"),
            "invocation": {"module_args": visible_options(params, self._operation.options)},
        }

    def _plain_arguments(self) -> dict[str, Any] | None:
        """Return a copy of the options as a module gets them: decrypted, and without tags.

        None if JSON cannot represent a value: Ansible then reports that.
        """
        try:
            plain: dict[str, Any] = json.loads(json.dumps(self._task.args, default=_to_json))
        except (TypeError, ValueError):
            return None
        return plain

    def _read_environment(self) -> dict[str, str]:
        """Return the environment variables that task, block and play set; AnsibleError unless they are a dictionary."""
        environment: dict[str, Any] = {}
        self._compute_environment_string(environment)
        # In ansible-core 2.16, str() alone keeps Ansible's type of text, even in the environment.
        return {name: json.loads(json.dumps(str(value))) for name, value in environment.items()}

    def _python_of(self, interpreter: Any, variables: Mapping[str, Any]) -> Any:
        """Return an interpreter as text. For the usual template, each worker would make a parser of its own, in 3 milliseconds."""
        is_usual = interpreter == "{{ ansible_playbook_python }}"
        return variables.get("ansible_playbook_python") if is_usual else self._templar.template(interpreter)

    def _has_usual_shell(self, variables: Mapping[str, Any]) -> bool:
        """Return whether Ansible starts modules with the shell that is its default: the connection, and the action in that."""
        usual = constants.config.get_config_value("DEFAULT_EXECUTABLE")
        shells = (usual, variables.get("ansible_shell_executable", _SHELL))
        return all(self._templar.template(shell) == _SHELL for shell in shells)

    def _is_here(self, variables: Mapping[str, Any]) -> bool:
        """Return whether Ansible would start the module on this machine, as this user and with this interpreter."""
        host = self._task.delegate_to
        of_host = variables["ansible_delegated_vars"][host] if host else variables
        # Compared as text: another path to the same Python may have other libraries.
        interpreter, origin = constants.config.get_config_value_and_origin("INTERPRETER_PYTHON", variables=of_host)
        try:
            is_this_python = origin == "default" or self._python_of(interpreter, variables) == sys.executable
        except AnsibleError:
            return False
        return (
            not REQUESTS_IMPORT_ERROR
            and boolean(self._templar.template(variables.get(SWITCH, True)), strict=False)
            and type(self._connection).__module__ == _LOCAL
            and self._connection.become is None
            and self._has_usual_shell(of_host)
            and not self._task.async_val
            # Reading the proxy settings of macOS crashes forked processes.
            and sys.platform != "darwin"
            and is_this_python
        )


class _Uncopied(list[Any]):
    """A list that nobody else has. Ansible's check would copy it item by item, for thousands in a tenth of a task's own time."""

    def __deepcopy__(self, _memo: object) -> _Uncopied:
        return self


def _without_copies(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _Uncopied(value) if isinstance(value, list) else value for name, value in given.items()}


def _problem(given: Mapping[str, Any]) -> str:
    """Return what is wrong with options that Ansible would show, mask everywhere or refuse with all others; blank for nothing."""
    for name in _KEYS:
        if isinstance(given.get(name), (list, dict)):
            return f"{name} must be text, not a list or a dictionary."
    broken = (name for name, value in given.items() if _NUL.search(json.dumps(value)))
    return next((f"{name} contains a NUL character. Remove it." for name in broken), "")


def _without_secrets(result: dict[str, Any], secrets: set[str]) -> dict[str, Any]:
    """Return a result masked as by AnsibleModule, which leaves that to Ansible's output where this masks."""
    if HIDES_SECRETS:
        return result
    # A secret such as "e" would turn `changed: false` into text, which is true.
    plain = {name: value for name, value in result.items() if value is None or isinstance(value, bool)}
    return {**remove_values(result, secrets), **plain}


def _injects_invocation(variables: dict[str, Any]) -> bool:
    try:
        return bool(constants.config.get_config_value("INJECT_INVOCATION", variables=variables))
    except (AnsibleError, KeyError):  # before ansible-core 2.21
        return True


@contextlib.contextmanager
def _process(environment: Mapping[str, str], folder: str) -> Iterator[None]:
    """Set the variables and the working directory of a module process; restore them, since a worker outlives a task."""
    before, directory = dict(os.environ), _open_directory()
    try:
        os.environ.update(environment)
        # The connection local starts modules there.
        os.chdir(folder)
        os.environ["PWD"] = str(Path.cwd())
        yield
    finally:
        if directory is not None:
            os.fchdir(directory)
            os.close(directory)
        os.environ.clear()
        os.environ.update(before)


def _open_directory() -> int | None:
    """Return a descriptor of the working directory, None if it cannot be read, as with `sudo` in another home."""
    try:
        return os.open(".", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def _to_json(value: Any) -> Any:
    """Return the value that Ansible sends to modules for one that JSON lacks; TypeError if Ansible refuses it."""
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, (Mapping, VaultedText)):
        return unwrap(value)
    raise TypeError
