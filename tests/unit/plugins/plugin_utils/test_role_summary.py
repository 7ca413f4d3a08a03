# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The last steps of a role: whose results they read, where the summary goes, what is shown, and what fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.summary import (
    show,
    sum_up,
)

READ = {"console": "https://c.example.com", "volumes": []}
DRIFT = {"summary": ["# `c`"], "counts": {"consoles_compared": 1, "to_create": 1}}


def summed_up(role: str, hosts: dict[str, dict[str, Any]], lost: str = "", once: bool = True) -> dict[str, Any]:
    """Return the summary for the variables of hosts, as the first of them gets it."""
    variables = {
        "ansible_play_hosts_all": list(hosts),
        "ansible_play_hosts": [host for host in hosts if host not in lost],
    }
    known = mock.Mock(raw_get=hosts.__getitem__)
    action = mock.Mock(check_mode=True, runs_once=lambda: once)
    return sum_up(action, role, {**variables, "hostvars": known, "inventory_hostname": "a"})


def reported(fails: bool, **checked: Any) -> dict[str, Any]:
    """Return the variables of a host whose console differs from the desired state."""
    checked = {"given": {"fail_on_drift": fails}, **checked}
    return {"__report_variables": checked, "__report_listed": READ, "__report_written": DRIFT}


def test_the_hosts_of_a_play_have_one_summary(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    hosts = {"a": reported(True, summary_file=str(file)), "b": reported(False), "c": {}, "d": {}}
    found = summed_up("report", hosts, lost="c")
    head = "3 consoles: 1 failed, 2 differ"
    assert file.read_text(encoding="utf-8").splitlines()[:2] == ["<!-- managedfs: failed -->", head]
    assert (list(found["shown"]), found["shown"]["a"][0]) == (["a"], head)
    assert found["shown"]["a"][2] == "- c: failed: `failed before`"
    assert found["failures"] == {"a": f"{READ['console']} differs from the desired state: 1 to create."}
    stats = found["ansible_stats"]
    assert (stats["aggregate"], stats["data"]["managedfs_report"]["consoles"]) == (False, 3)
    # Where each host runs this step, each shows its own.
    assert summed_up("report", hosts, once=False)["shown"]["a"][0] == "1 console: 1 differs"
    shown = summed_up("report", {"a": reported(False, summary_file=str(file))})["shown"]["a"]
    assert shown == ["1 console: 1 differs", "", "- a: differs: 1 to create", "", "# a: `c`"]
    assert file.read_text(encoding="utf-8").splitlines() == ["<!-- managedfs: differs -->", *shown]


def test_a_capture_hands_nothing_on() -> None:
    written = {"changed": True, "msg": "1 volume.", "notes": []}
    known = {"__capture_variables": {}, "__capture_console": READ, "__capture_written": written}
    assert summed_up("capture", {"a": known}) == {
        "changed": False,
        "shown": {
            "a": ["1 console: 1 changed", "", "- a: changed: 1 volume.", "", f"# a: {READ['console']}", "", "1 volume."]
        },
        "failures": {},
    }


SHOWN: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"shown": {"a": ["x"]}, "failures": {}}, {"msg": ["x"], "failed": False}),
    ({"shown": {"a": ["x"]}, "failures": {"a": "no"}}, {"msg": "no", "summary": ["x"], "failed": True}),
    ({"shown": {"b": ["x"]}, "failures": {"a": "no"}}, {"msg": "no", "failed": True}),
    ({"shown": {"b": ["x"]}, "failures": {"b": "no"}}, {"msg": "nothing to show", "failed": False}),
    # The step before has failed.
    ({"failed": True}, {"msg": "nothing to show", "failed": False}),
]


@pytest.mark.parametrize(("given", "expected"), SHOWN)
def test_a_host_shows_what_is_its_own_and_fails_if_it_has_to(given: dict[str, Any], expected: dict[str, Any]) -> None:
    has_lines = "x" in str(expected)
    assert show(given, "a") == {"changed": False, "_ansible_verbose_always": has_lines, **expected}
