# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A task in the worker and the same one as a module: the same requests, and the same result, warnings and diff.

Neither may hold a secret, whatever goes wrong. What only ansible-playbook can show is in `tests/functional/playbooks`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal.api.lists import Store
from emulator import Fault
from functional.properties import draws
from functional.properties.draws import Contents
from functional.properties.trial import Trial
from functional.support import oracle
from functional.support.cases import cases
from functional.support.inprocess import SharedConsole, connection_to, run_module, ship_module

# What users write by mistake, or a template makes of their variables.
ODD: list[dict[str, Any]] = [
    {"nope": 1, "neither": "{{ secret }}"},
    {"size": "much", "iprange": "everywhere"},
    {"size": 1.0, "inodes": "5.0"},
    {"inodes": 10**30},
    {"state": "gone"},
    {"state": None, "id": " "},
    {"id": "x"},
    {"timeout": "soon"},
    {"retries": True},
    {"validate_certs": "off"},
    {"include_tokens": "yes"},
    {"include_tokens": "{"},
    {"extra_fields": '{"a": 1}'},
    {"extra_fields": {"a": {"b": ["c", None, 1.5, True]}}},
    {"wait_timeout": -1},
    {"secret_key": "e"},
    {"secret_key": " "},
    {"secret_key": ["key-1", "key-2"]},
    {"access_key": ""},
    {"console_url": "http://127.0.0.1:1/?key=hunter2"},
    {"ca_path": "nowhere.pem"},
    {"expected_plan": "v2-" + 64 * "0"},
    {"max_deletions": "-1", "plan_file": "plan.json"},
]
SINGLE = draws.TASKS.map(lambda task: (task[0], {**task[1], **task[2], oracle.KEYS[task[0]]: task[3]}))
LISTS = draws.LISTS.map(lambda task: (f"{task[0]}s", {f"{task[0]}s": task[1], **task[2], "concurrency": 1}))
INFOS: st.SearchStrategy[Any] = st.sampled_from([(f"{noun}_info", {}) for noun in oracle.KEYS])
# Values that the emulator makes anew for each record.
RANDOM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{40}\b")

Shell = Callable[..., dict[str, Any]]


def outcome_of(shell: Shell, console: SharedConsole, contents: Contents, task: Any, faults: list[Fault]) -> Any:
    """Return the requests and the result of a task on a console that is as it was, without what differs at random."""
    trial = Trial(console, contents)
    emulator, clock = console
    module, options, odd, check = task
    parent = {} if module.startswith("volume") else {"volume_id": trial.volume}
    emulator.forget_requests()
    emulator.inject(*faults)
    given = {**connection_to(emulator), **parent, **trial.named(module.split("_")[0].rstrip("s"), {**options}), **odd}
    result = shell(module, given, clock, check=check)
    emulator.clear_faults()
    assert not oracle.secrets_in(result, emulator) or "include_tokens" in odd
    requests = [(request.method, request.path, request.query, request.body.decode()) for request in emulator.requests]
    text = json.dumps([requests, result], sort_keys=True)
    for token in emulator.tokens():
        text = text.replace(token, "TOKEN")
    return json.loads(RANDOM.sub("RANDOM", text))


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[Any]:
    """Return the keys of two results whose values differ, with both."""
    return [(key, one.get(key), other.get(key)) for key in one.keys() | other if one.get(key) != other.get(key)]


@pytest.mark.promise("both-ways-are-one")
@cases()
@drawn(
    contents=draws.CONSOLES,
    task=st.tuples(SINGLE | LISTS | INFOS, st.just({}) | st.sampled_from(ODD), st.booleans()),
    faults=st.just([]) | draws.FAULTS,
)
def test_a_task_in_the_worker_is_the_same_as_a_module(
    shared_console: SharedConsole, contents: Contents, task: Any, faults: list[Fault]
) -> None:
    (module, options), odd, check = task
    began = shared_console[1].now
    outcomes = []
    for shell in (run_module, ship_module):
        shared_console[1].now = began
        outcomes.append(outcome_of(shell, shared_console, contents, (module, options, odd, check), faults))
    (sent, result), (sent_by_module, result_of_module) = outcomes
    assert sent == sent_by_module
    if odd.get("secret_key") == "e":
        # From 2.19 on, ansible-core masks no warnings of modules. None has a secret, but many words have this letter.
        result_of_module["warnings"] = result["warnings"]
    assert differences(result, result_of_module) == []


@pytest.mark.promise("both-ways-are-one", "never-a-traceback")
@pytest.mark.parametrize("shell", [run_module, ship_module])
def test_an_error_that_nobody_expected_ends_a_task_in_both_ways(shared_console: SharedConsole, shell: Shell) -> None:
    emulator, clock = shared_console
    emulator.reset()
    error = ValueError(f"the key {emulator.secret_key} is odd")
    with mock.patch.object(Store, "read", side_effect=error):
        result = shell("volume_info", connection_to(emulator), clock)
    assert result["failed"]
    assert (
        "This is a mistake in this collection, please report it: ValueError: the key ******** is odd" in result["msg"]
    )
    assert emulator.secret_key not in json.dumps(result)
