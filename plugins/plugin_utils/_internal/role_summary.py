# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The last steps of roles: they read the results of the tasks before them, sum them up, and show that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.files import replace_file
from . import tenant
from .action import ControllerAction
from .summary import FAILED, Outcome, hand_on, lines_of, outcome_of, to_file

_MODE = 0o644
# By role, the variables of a host that hold the results of its tasks. The first is that of the check of its variables.
_RESULTS = {
    "apply": ("__apply_variables", "apply_result"),
    "capture": ("__capture_variables", "__capture_console", "__capture_written"),
    "report": ("__report_variables", "__report_listed", "__report_written"),
}


def sum_up(action: ControllerAction, role: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the hosts of a play have to show, by host, why some fail, and what a workflow gets.

    This runs once for all hosts where that can be: it would be slow for each of many.
    """
    if role == "tenant":
        return _sum_up_tenant(variables)
    hosts, here = variables["ansible_play_hosts_all"], variables["inventory_hostname"]
    found: list[Outcome] = []
    files: dict[str, None] = {}
    for host in hosts:
        # As it is: what a console contains is no template, and to look for one would take long.
        known = variables["hostvars"].raw_get(host)
        checked, *others = (known.get(name) or {} for name in _RESULTS[role])
        outcome = outcome_of(role, host, checked, others, action.check_mode)
        if outcome is None and host not in variables["ansible_play_hosts"]:
            outcome = Outcome(host, FAILED, "failed before", counts={"failed": 1}, is_brief=True)
        found += filter(None, [outcome])
        files |= {checked["summary_file"]: None} if "summary_file" in checked else {}
    is_one = len(hosts) == 1
    for file in files:
        _write(file, to_file(found, is_one))
    # Where each host runs this step, each shows its own.
    shown = [outcome for outcome in found if action.runs_once() or outcome.host == here]
    failures = {outcome.host: outcome.failure for outcome in shown if outcome.failure}
    stats = {"data": hand_on(found, is_one), "aggregate": False, "per_host": False}
    result = {"changed": False, "shown": {here: lines_of(shown, is_one)}, "failures": failures}
    return result if role == "capture" else {**result, "ansible_stats": stats}


def show(summed_up: Mapping[str, Any], host: str) -> dict[str, Any]:
    """Return what a host has to show, and fail if it has to."""
    lines, failure = summed_up.get("shown", {}).get(host), summed_up.get("failures", {}).get(host)
    shown = {"msg": failure, "summary": lines} if lines and failure else {"msg": lines or failure or "nothing to show"}
    return {"changed": False, "failed": bool(failure), "_ansible_verbose_always": bool(lines), **shown}


def _write(path: str, text: str) -> None:
    try:
        replace_file(path, text.encode(), _MODE)
    except OSError as error:
        raise ConsoleError(f"The summary cannot be written to {path}: {error.strerror}.") from None


def _sum_up_tenant(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Show what was done for one team. What had to exist and did not makes the step fail."""
    checked = variables["__tenant_variables"]
    results = {kind: variables[f"__tenant_{kind}_result"] for kind in ("export", "quota")}
    results = {kind: result for kind, result in results.items() if "diff" in result}
    told, missing = tenant.summarize(checked["given"], tenant.Names(**checked["names"]), results)
    msg = f"{told} {missing}".rstrip()
    return {"changed": False, "failed": bool(missing), "msg": msg, "_ansible_verbose_always": True}
