# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A module as Ansible starts it: its options as JSON, and its result printed, with warnings and without secrets."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from typing import Any

import pytest
from ansible.module_utils import basic
from ansible.module_utils.common.parameters import PASS_VARS

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.task import HIDES_SECRETS, Operation, Task

KEY, PASSWORD, MASK = "sekret-0123456789", "hunter2", "********"
CONNECTION = {"console_url": "https://console.example.com", "access_key": "me", "secret_key": KEY}
OPTIONS = {
    "items": {"type": "list", "elements": "dict"},
    "password": {"type": "str", "no_log": True},
}
# Runs a module with options and returns its result.
Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a module whose work is given."""

    def run(act: Callable[[Task], dict[str, Any]], **options: Any) -> dict[str, Any]:
        warnings: list[str] = []
        arguments = {**CONNECTION, **options}
        if "inject_invocation" in PASS_VARS:
            arguments["_ansible_inject_invocation"] = True
        encoded = json.dumps({"ANSIBLE_MODULE_ARGS": arguments}).encode()
        monkeypatch.setattr(basic, "_ANSIBLE_ARGS", encoded)
        monkeypatch.setattr(basic, "_ANSIBLE_PROFILE", "legacy", raising=False)
        # Ansible takes this process for the controller, which prints warnings instead of returning them.
        monkeypatch.setattr(basic.AnsibleModule, "warn", lambda _module, text: warnings.append(text))
        # This process goes on, and its garbage would stay.
        monkeypatch.setattr(gc, "freeze", lambda: None)
        with pytest.raises(SystemExit) as ended:
            run_module(Operation(OPTIONS, act))
        result: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert bool(ended.value.code) is result.get("failed", False)
        return {**result, "warnings": warnings}

    return run


def test_a_task_that_ends(run: Run) -> None:
    result = run(lambda task: {"changed": task.check_mode, "msg": "All is done."}, access_key="'me'")
    assert (result["changed"], result["msg"]) == (False, "All is done.")
    assert result["warnings"] == ["access_key is in quotation marks, which are taken as part of it."]


def test_in_check_mode_it_says_what_it_would_do(run: Run) -> None:
    result = run(lambda task: {"changed": task.check_mode, "msg": "All is done"}, _ansible_check_mode=True)
    assert (result["changed"], result["msg"]) == (True, "All is done (check mode: nothing was written)")


def test_a_task_that_fails(run: Run) -> None:
    def fail(task: Task) -> dict[str, Any]:
        task.warn("It is odd.")
        raise ConsoleError("No room.", changed=True)

    result = run(fail)
    assert (result["failed"], result["changed"], result["msg"]) == (True, True, "No room.")
    assert result["warnings"] == ["It is odd."]


def test_options_that_are_refused_are_repeated_as_in_any_result(run: Run) -> None:
    items = [{"path": "/a"}]
    unknown = {"much\u202e": 1}
    done, refused = (run(lambda _task: {}, items=items, password=PASSWORD, **more) for more in ({}, unknown))
    assert (refused["failed"], "msg" in done) == (True, False)
    assert "much\\u202e" in refused["msg"]
    shown = done["invocation"]["module_args"]
    assert (shown["secret_key"], shown["password"], "items" in shown) == (MASK, MASK, False)
    assert refused["invocation"]["module_args"] == {**shown, **unknown}


@pytest.mark.skipif(HIDES_SECRETS, reason="Ansible masks secrets where they are shown, and not in results")
def test_secrets_are_masked_in_the_result(run: Run) -> None:
    result = run(lambda _task: {"msg": f"No {KEY} and {PASSWORD}."}, password=PASSWORD)
    assert [secret for secret in (KEY, PASSWORD) if secret in json.dumps(result)] == []


def test_a_blank_secret_masks_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MANAGEDFS_SECRET_KEY", " ")
    result = run(lambda _task: {}, secret_key="")
    assert result["msg"].startswith("secret_key is required: set in the task")
