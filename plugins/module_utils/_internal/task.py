# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run of a module, in whichever process: options in, result out. Only here do errors become a failed task."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .connection import CONNECTION_OPTIONS, Settings, check_console, read_connection
from .errors import ConsoleError, MissingError
from .http.client import Client
from .http.transport import REQUESTS_IMPORT_ERROR, Clock
from .model.fields import oddity
from .model.resources import Resource
from .values import MASK, MAX_DEPTH, is_too_deep, mask, printable, secrets_in

try:
    from ansible.module_utils.secrets import register_secrets  # type: ignore[import-not-found]
except ImportError:  # before ansible-core 2.22
    register_secrets = None

# Whether Ansible masks the secrets that it knows of in all that it shows, while results keep them.
HIDES_SECRETS = register_secrets is not None
# A shorter one could be a part of other words.
_SHORTEST_SECRET = 8
# The most characters of an option that a result repeats, as JSON: it has room for a few.
_MAX_VISIBLE = 10_000


class Operation(NamedTuple):
    """A module as data: its options besides those of the connection, and its work.

    `act` returns the result. `empty` holds the lists of a result while nothing is known, so that `until` can refer to
    them while the console is away.
    """

    options: Mapping[str, Any]
    act: Callable[[Task], dict[str, Any]]
    empty: Mapping[str, Any] = {}

    @property
    def argument_spec(self) -> dict[str, Any]:
        """Return all options."""
        return {**CONNECTION_OPTIONS, **self.options}


class Call(NamedTuple):
    """The call of an operation: validated options, and the modes that Ansible sets.

    `secrets` are the values to mask in the result. The secret key is added once it is known. `warn_now` is called if the task
    is interrupted, since it then has no result that could hold a warning.
    """

    params: Mapping[str, Any]
    check_mode: bool
    diff_mode: bool
    secrets: set[str]
    warn_now: Callable[[str], object] | None = None


class Task:
    """One run of a module: its options and its console."""

    def __init__(self, call: Call, settings: Settings) -> None:
        self.params, self.check_mode, self.diff_mode = call.params, call.check_mode, call.diff_mode
        self.warnings: list[str] = []
        for name, value in call.params.items():
            if is_too_deep(value):
                raise ConsoleError(f"{name} must not be nested deeper than {MAX_DEPTH} levels.")
        for name, value in (("access_key", settings.access_key), ("secret_key", settings.secret_key)):
            if odd := oddity(value) or ("" if value == value.strip() else "begins or ends with white space"):
                self.warn(f"{name} {odd}. If the console refuses the key, remove that.")
        self.client = Client(settings, Clock(), self.warn)
        if self.client.is_unencrypted:
            self.warn("console_url uses http: tokens and all other data can be read in transit. Use https.")
        if not settings.validate_certs:
            self.warn(
                "validate_certs is false: whoever answers is taken for the console, and can read tokens and all other data."
                " If the console has a private certificate authority, name its certificate in ca_path."
            )

    def warn(self, *messages: str) -> None:
        """Warn the user once the task has ended."""
        self.warnings += map(printable, messages)


def perform(operation: Operation, call: Call) -> dict[str, Any]:
    """Do the work of a task and return its whole result, with `failed` if it failed, and `warnings` as texts.

    Every result has the address of the console, since a job may concern several.
    """
    shown = visible_options(call.params, operation.options)
    result: dict[str, Any] = {**operation.empty, "invocation": {"module_args": shown}}
    task, error = _act(operation, call, result)
    if error:
        result = {**result, "changed": False, **error.details, "failed": True, "msg": str(error)}
    elif call.check_mode and result.get("changed"):
        result["msg"] += " (check mode: nothing was written)"
    try:
        result = _printable(result)
        warned = {"warnings": task.warnings} if task and task.warnings else {}
        return task.client.echoes.clean({**result, **warned}) if task else result
    except (MemoryError, RecursionError) as problem:
        message = f"The result is too large to be shown ({type(problem).__name__}). Check console_url."
        return {"failed": True, "changed": bool(result.get("changed")), "msg": message}


def _act(operation: Operation, call: Call, result: dict[str, Any]) -> tuple[Task | None, ConsoleError | None]:
    """Do the work and add to the result; return the task, if it was made, and the error, if it failed.

    Errors are returned, since Ansible would add a traceback inside an except clause at high verbosity. Interruptions pass
    through.
    """
    settings: Settings | None = None
    task: Task | None = None
    try:
        settings = read_connection(call.params)
        # Ansible knows a secret that came with the task, but not one from the environment.
        call.secrets.add(settings.secret_key)
        hide([settings.secret_key])
        result["console"] = settings.address
        check_console(settings, call.params.get("consoles"))
        _require_requests()
        task = Task(call, settings)
        result |= operation.act(task)
    except ConsoleError as error:
        # The message may quote an address with a password.
        message = str(mask(str(error)))
        if settings and "failure" in error.details:
            message = f"{message.rstrip('.')}. Console: {settings.origin}"
        if call.check_mode and isinstance(error, MissingError):
            message += " In check mode, what an earlier task would create is missing, too."
        return task, ConsoleError(message, **error.details)
    except Exception as error:  # noqa: BLE001 - Python's traceback could show every secret
        return task, _unexpected(error, task, settings)
    except BaseException:
        if call.warn_now and task and task.client.has_written:
            call.warn_now(_explain_interruption(task.client))
        raise
    finally:
        if task:
            task.client.close()
    return task, None


def _explain_interruption(client: Client) -> str:
    writes = "1 write" if client.accepted == 1 else f"{client.accepted:,} writes"
    return (
        f"The task was interrupted. The console at {client.settings.origin} had accepted {writes} by then. What was under way may be"
        " carried out as well. Run the task again."
    )


def show(task: Task, resource: Resource, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as results show it, with its secrets if the user wants them. Ansible then hides these in its output."""
    if includes_tokens := task.params.get("include_tokens", False):
        hide(secrets_in(record))
    return resource.to_result(record, includes_tokens)


def hide(secrets: Iterable[str]) -> None:
    """Have Ansible mask secrets in its output, if it can."""
    if register_secrets:
        register_secrets(secret for secret in secrets if len(secret.strip()) >= _SHORTEST_SECRET)


def _require_requests() -> None:
    if REQUESTS_IMPORT_ERROR:
        # Loaded only if needed: the controller does without the base of modules.
        from ansible.module_utils.basic import missing_required_lib  # noqa: PLC0415

        raise ConsoleError(missing_required_lib("requests"), exception=REQUESTS_IMPORT_ERROR)


def _unexpected(error: Exception, task: Task | None, settings: Settings | None) -> ConsoleError:
    """Return the error for an unexpected exception, with the secret key redacted wherever it occurs."""
    has_written = task is not None and task.client.has_written
    written = " Something may have been changed: run the task again." if has_written else ""
    message, trace = f"{type(error).__name__}: {error}", traceback.format_exc()
    key = settings.secret_key if settings else ""
    if re.fullmatch(r"[\w+/=.~-]{8,}", key, re.ASCII):
        message, trace = (text.replace(key, MASK) for text in (message, trace))
    else:
        # Such a key may be escaped in many ways, or occur in many words.
        message, trace = type(error).__name__, "".join(traceback.format_tb(error.__traceback__))
    message = f"This is a mistake in this collection, please report it: {mask(message)}.{written}"
    return ConsoleError(message, changed=has_written, exception=mask(trace))


def _printable(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result whose message and headers are printable, since Ansible prints them as they are. Records stay the same."""
    shown: dict[str, Any] = {"msg": printable(result["msg"])} if "msg" in result else {}
    if "diff" in result:
        headers = {name: printable(text) for name, text in result["diff"].items() if name.endswith("_header")}
        shown["diff"] = {**result["diff"], **headers}
    return {**result, **shown}


def visible_options(params: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a result repeats, without lists of items, which can be thousands."""
    lists = [name for name, option in options.items() if option.get("elements") == "dict"]
    return {name: _visible(name, value) for name, value in params.items() if name not in lists}


def _visible(name: str, value: Any) -> Any:
    is_long = is_too_deep(value) or (isinstance(value, (dict, list, str)) and len(json.dumps(value)) > _MAX_VISIBLE)
    return "(too long to be shown)" if is_long else mask({name: value})[name]
