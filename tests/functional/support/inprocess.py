# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a module in this process: as its action does in the worker, or as Ansible starts it, with options and result as JSON."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest import mock

from ansible.module_utils import basic
from ansible.module_utils.common.parameters import PASS_VARS

from ansible_collections.managedfs.console.plugins.module_utils._internal import task as glue
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Clock
from emulator import Emulator

PLUGINS = "ansible_collections.managedfs.console.plugins"

# The type of the fixture `run`: runs a module by its name with options.
Run = Callable[..., dict[str, Any]]


def connection_to(emulator: Emulator) -> dict[str, Any]:
    return {"console_url": emulator.url, "access_key": emulator.access_key, "secret_key": emulator.secret_key}


class FakeClock:
    """A clock that only moves when somebody sleeps; an emulator can share it."""

    def __init__(self) -> None:
        self.now = time.time()
        self.slept: list[float] = []
        self.on_sleep: Callable[[], object] = lambda: None

    def time(self) -> float:
        return self.now

    elapsed = time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        self.on_sleep()

    def jitter(self) -> float:
        return 1.0

    def on_next_sleep(self, act: Callable[[], object]) -> None:
        """Call a function the next time somebody sleeps, and only then."""

        def once() -> None:
            self.on_sleep = lambda: None
            act()

        self.on_sleep = once


# Each is called with the options and the result of every module that has run.
watchers: list[Callable[[dict[str, Any], dict[str, Any]], object]] = []

# A console, and the clock that it shares with the modules
SharedConsole = tuple[Emulator, FakeClock]


def run_module(
    name: str, options: dict[str, Any], clock: FakeClock | Clock, *, check: bool = False, diff: bool = True
) -> dict[str, Any]:
    """Return the result of a module that runs in the worker, as Ansible would get it."""
    task = SimpleNamespace(args=options, check_mode=check, diff=diff, action=f"managedfs.console.{name}")
    action = importlib.import_module(f"{PLUGINS}.action.volumes").ActionModule
    shell = action(task, *[None] * 5)
    with mock.patch.object(glue, "Clock", lambda: clock):
        return _watched(options, shell.perform(json.loads(json.dumps(options))))


def ship_module(
    name: str, options: dict[str, Any], clock: FakeClock | Clock, *, check: bool = False, diff: bool = True
) -> dict[str, Any]:
    """Return the result of a module that Ansible ships and starts; any output besides a result is an error here."""
    module = importlib.import_module(f"{PLUGINS}.modules.{name}")
    arguments = {**options, "_ansible_check_mode": check, "_ansible_diff": diff}
    arguments["_ansible_module_name"] = f"managedfs.console.{name}"
    if "inject_invocation" in PASS_VARS:
        arguments["_ansible_inject_invocation"] = True
    encoded = json.dumps({"ANSIBLE_MODULE_ARGS": arguments}).encode()
    warnings: list[str] = []
    out = io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(basic, "_ANSIBLE_ARGS", encoded))
        stack.enter_context(mock.patch.object(basic, "_ANSIBLE_PROFILE", "legacy", create=True))
        stack.enter_context(mock.patch.object(glue, "Clock", lambda: clock))
        # This process goes on, and its garbage would stay.
        stack.enter_context(mock.patch.object(gc, "freeze"))
        # Ansible takes this process for the controller, which prints warnings instead of returning them.
        stack.enter_context(mock.patch.object(basic.AnsibleModule, "warn", lambda _module, text: warnings.append(text)))
        stack.enter_context(contextlib.redirect_stdout(out))
        with contextlib.suppress(SystemExit):
            module.main()
    return _watched(options, {**json.loads(out.getvalue().strip().splitlines()[-1]), "warnings": warnings})


def _watched(options: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    result.setdefault("warnings", [])
    for watch in watchers:
        watch(options, result)
    return result
