# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where a module runs, and what it gets there and gives back."""

from __future__ import annotations

import copy
import datetime as dt
import os
import sys
from collections import UserDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ansible import constants
from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.task import Task

from ansible_collections.managedfs.console.plugins.plugin_utils._internal import worker
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.worker import WorkerAction

# What this process has open.
FILES = Path("/proc/self/fd")
OTHER = "/opt/other/bin/python"


class Local:
    """A connection like Ansible's own to this machine."""

    become: Any = None
    _shell = mock.Mock(tmpdir=None)


Local.__module__ = "ansible.plugins.connection.local"


class Action(WorkerAction):
    """An action that tells where it runs."""

    def perform(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a module would get."""
        own = {name: value for name, value in os.environ.items() if name.startswith("MANAGEDFS_")}
        return {"given": given, "environment": own, "folder": str(Path.cwd()), "invocation": {}}

    def _execute_module(self, **details: Any) -> dict[str, Any]:  # type: ignore[override]
        return {"shipped": details}


def template(value: Any) -> Any:
    if value == "{{ undefined }}":
        raise AnsibleError("it is undefined")
    return value


def action(
    *,
    check: bool = False,
    asynchronous: int = 0,
    delegate_to: str | None = None,
    environment: Any = None,
    connection: Any = None,
    **options: Any,
) -> Action:
    task: Any = Task()
    task.args, task.check_mode, task.diff, task.async_val = options, check, False, asynchronous
    task.delegate_to, task.environment = delegate_to, environment
    templar: Any = mock.Mock(template=template)
    loader: Any = DataLoader()
    connected: Any = connection or Local()
    return Action(task, connected, mock.Mock(), loader, templar, mock.Mock())


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave Ansible's defaults as they are."""
    for name in ("ANSIBLE_PYTHON_INTERPRETER", "ANSIBLE_EXECUTABLE"):
        monkeypatch.delenv(name, raising=False)


INTERPRETER = "ansible_python_interpreter"
USUAL = "{{ ansible_playbook_python }}"
# Variables of the host, and whether the module runs in the worker.
HERE: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    *(({worker.SWITCH: value}, True) for value in (True, "yes", 1)),
    *(({worker.SWITCH: value}, False) for value in (False, "no", "odd", "")),
    ({INTERPRETER: sys.executable}, True),
    ({INTERPRETER: OTHER}, False),
    ({INTERPRETER: USUAL, "ansible_playbook_python": sys.executable}, True),
    ({INTERPRETER: USUAL, "ansible_playbook_python": OTHER}, False),
    ({INTERPRETER: "{{ undefined }}"}, False),
    ({"ansible_shell_executable": "/bin/sh"}, True),
    ({"ansible_shell_executable": "/bin/bash"}, False),
]


@pytest.mark.parametrize(("variables", "is_here"), HERE)
def test_a_module_runs_in_the_worker_where_ansible_would_start_it_just_like_that(
    variables: dict[str, Any], is_here: bool
) -> None:
    assert ("given" in action().run(task_vars=variables)) is is_here


def test_of_a_task_that_is_delegated_the_other_host_counts() -> None:
    here, elsewhere = {INTERPRETER: sys.executable}, {INTERPRETER: OTHER}
    for own, delegated in ((elsewhere, here), (here, elsewhere)):
        variables = {**own, "ansible_delegated_vars": {"h": delegated}}
        assert ("given" in action(delegate_to="h").run(task_vars=variables)) is (delegated == here)


def test_other_connections_other_users_and_other_systems_get_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    sudo = Local()
    sudo.become = object()
    for connection in (sudo, mock.Mock(become=None)):
        assert "shipped" in action(connection=connection).run()
    for patch in ((sys, "platform", "darwin"), (worker, "REQUESTS_IMPORT_ERROR", "no requests")):
        with monkeypatch.context() as patched:
            patched.setattr(*patch)
            assert "shipped" in action().run()
    assert "given" in action(check=True).run()


def test_a_module_is_shipped_with_its_variables_and_as_a_job_if_it_is_one() -> None:
    assert action(asynchronous=5).run(task_vars={"a": 1}) == {"shipped": {"task_vars": {"a": 1}, "wrap_async": True}}
    assert action(odd=object()).run() == {"shipped": {"task_vars": {}, "wrap_async": False}}


# What a task sets, and what the worker sets of it; None where a process of its own is needed.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a list as a key": ({"secret_key": ["a"]}, "secret_key must be text, not a list or a dictionary."),
    "a dictionary as a key": ({"access_key": {}}, "access_key must be text, not a list or a dictionary."),
    "a NUL": ({"a": "b", "name": "x\0"}, "name contains a NUL character. Remove it."),
    "a NUL within": ({"a": [{"b": "\\\0"}]}, "a contains a NUL character. Remove it."),
    "text that looks like one": ({"name": "\\u0000"}, ""),
}


@pytest.mark.parametrize(("given", "message"), REFUSED.values(), ids=REFUSED)
def test_what_no_module_takes_is_refused_before_one_is_started(given: dict[str, Any], message: str) -> None:
    assert worker._problem(given) == message


ENVIRONMENTS: list[tuple[Any, dict[str, str] | None]] = [
    (None, {}),
    ([], {}),
    ([{}, None], {}),
    ([{"MANAGEDFS_TIMEOUT": 7}], {"MANAGEDFS_TIMEOUT": "7"}),
    ([{"MANAGEDFS_A": "1", "MANAGEDFS_B": "1"}, {"MANAGEDFS_A": 2}], {"MANAGEDFS_A": "2", "MANAGEDFS_B": "1"}),
    ([{"https_proxy": "", "NO_PROXY": "*", "REQUESTS_CA_BUNDLE": "/ca"}], {}),
    ([{"PATH": "/bin"}], None),
    ([{"MANAGEDFS_TIMEOUT": 7}, {"PYTHONPATH": "/x"}], None),
    ([{5: "x"}], None),
]


@pytest.mark.parametrize(("environment", "expected"), ENVIRONMENTS)
def test_variables_that_are_read_by_each_task_can_be_set_in_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: Any, expected: dict[str, str] | None
) -> None:
    for name in [name for name in os.environ if name.startswith("MANAGEDFS_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ), [*FILES.iterdir()]
    found = action(environment=environment).run()
    assert found.get("environment") == expected
    assert ("shipped" in found) is (expected is None)
    assert before == (dict(os.environ), [*FILES.iterdir()])


def test_an_environment_is_a_dictionary() -> None:
    with pytest.raises(AnsibleError, match=r"environment must be a dictionary, received text \(<class 'str'>\)"):
        action(environment=["text"]).run()


def test_options_are_as_a_module_gets_them() -> None:
    moment = dt.datetime(2026, 3, 1, 2, 3, tzinfo=dt.timezone.utc)
    given = action(day=moment.date(), moment=moment, some=UserDict(a=(1, None))).run()["given"]
    assert given == {"day": "2026-03-01", "moment": "2026-03-01T02:03:00+00:00", "some": {"a": [1, None]}}


def test_text_that_is_encrypted_is_decrypted_for_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "VaultedText", Path)
    assert action(some=[Path("decrypted")]).run()["given"] == {"some": ["decrypted"]}


SPEC = {"secret_key": {"type": "str", "no_log": True}, "name": {"type": "str"}, "size": {"type": "int"}}


def perform(monkeypatch: pytest.MonkeyPatch, **options: Any) -> dict[str, Any]:
    """Return the result of a module that shows the secrets that it knows."""
    monkeypatch.setattr(worker, "perform", lambda _operation, call: {"secrets": sorted(call.secrets)})
    monkeypatch.setattr(worker, "HIDES_SECRETS", True)
    monkeypatch.setattr(Action, "OPERATIONS", {"quota": mock.Mock(argument_spec=SPEC, options=SPEC)}, raising=False)
    performed = action()
    performed._task.action = "managedfs.console.quota"
    return WorkerAction.perform(performed, options)


@pytest.mark.parametrize(("value", "secrets"), [("x", ["x"]), (5, ["5"]), ("", []), (" ", []), (None, [])])
def test_options_that_ansible_does_not_log_are_secrets(
    monkeypatch: pytest.MonkeyPatch, value: Any, secrets: list[str]
) -> None:
    assert perform(monkeypatch, secret_key=value, name="n", size=3) == {"secrets": secrets}


def test_invalid_options_are_refused_in_the_words_of_ansible(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = perform(monkeypatch, name="n", size="x")
    assert refused["failed"]
    assert refused["msg"].startswith("argument 'size' is of type ")
    unknown = perform(monkeypatch, name="n", sise=1)
    start = "Unsupported parameters for (managedfs.console.quota) module: sise. Supported parameters include: "
    assert unknown["msg"].startswith(start)


@pytest.mark.parametrize("injects", [True, False])
def test_the_options_are_part_of_a_result_where_ansible_wants_that(
    monkeypatch: pytest.MonkeyPatch, injects: bool
) -> None:
    monkeypatch.setattr(worker, "_injects_invocation", lambda _variables: injects)
    assert ("invocation" in action().run()) is injects


def test_before_there_is_a_setting_the_options_are_part_of_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (AnsibleError("unknown"), KeyError("unknown")):
        monkeypatch.setattr(constants.config, "get_config_value", mock.Mock(side_effect=error))
        assert worker._injects_invocation({})


def test_secrets_are_masked_where_ansible_does_not_and_what_is_no_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    result = {"changed": False, "failed": True, "console": None, "msg": "key", "list": ["the key"]}
    monkeypatch.setattr(worker, "HIDES_SECRETS", False)
    masked = worker._without_secrets(result, {"key", "e", "True"})
    assert {name: masked[name] for name in ("changed", "failed", "console")} == {
        "changed": False,
        "failed": True,
        "console": None,
    }
    assert "key" not in str(masked)
    monkeypatch.setattr(worker, "HIDES_SECRETS", True)
    assert worker._without_secrets(result, {"key"}) == result


def test_only_lists_are_not_copied() -> None:
    given = {"items": [{"a": 1}], "one": {"b": [2]}}
    kept = worker._without_copies(given)
    assert kept == given
    copied = copy.deepcopy(kept)
    assert copied["items"] is kept["items"]
    assert copied["one"] is not kept["one"]
