# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action with which each role of this collection ends: it sums up what was done, for people and for workflows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.files import replace_file
from ansible_collections.managedfs.console.plugins.plugin_utils._internal import outcomes, summaries, tenant
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import ControllerAction
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.outcomes import Outcome, Run

Variables = Mapping[str, Any]

_MODE = 0o644

# By role, the variables of a host that hold the results of its tasks. The first is that of the check of its variables.
_RESULTS = {
    "apply": ("__apply_variables", "apply_result"),
    "capture": ("__capture_variables", "__capture_console", "__capture_written"),
    "report": ("__report_variables", "__report_listed", "__report_written"),
}


class ActionModule(ControllerAction):
    """Reads the results of the tasks before it. Once for all hosts where that can be, or it would be slow with many."""

    OPTIONS = {"role": {"type": "str", "required": True, "choices": [*_RESULTS, "tenant"]}}

    def act(self, options: Mapping[str, Any], variables: Variables) -> dict[str, Any]:
        """Return the summary and what a workflow gets."""
        role = options["role"]
        if role in _RESULTS:
            return self._sum_up(role, variables)
        return {"changed": False, **_tenant(variables, bool(self._task.check_mode)), "_ansible_verbose_always": True}

    def _sum_up(self, role: str, variables: Variables) -> dict[str, Any]:
        """Return the summary of all hosts that the role has come to so far."""
        runs = list(_runs(role, variables, bool(self._task.check_mode)))
        found = [outcome for run in runs if (outcome := outcomes.outcome_of(role, run))]
        is_one = len({*variables["ansible_play_hosts_all"], *(outcome.host for outcome in found)}) == 1
        # Where each host runs this task, each shows its own.
        shown = [each for each in found if self.runs_once() or each.host == variables["inventory_hostname"]]
        result: dict[str, Any] = {
            "changed": False,
            "failures": {outcome.host: outcome.failure for outcome in found if outcome.failure},
        }
        if role == "capture":
            return {**result, "msg": summaries.show_notes(shown, is_one)}
        _write_files(runs, found, variables["ansible_play_hosts_all"])
        artifacts = summaries.handed_on(found, is_one)
        stats = {"ansible_stats": {"data": artifacts, "aggregate": False, "per_host": False}} if artifacts else {}
        return {**result, **stats, "msg": summaries.show(shown, is_one)}


def _write_files(runs: list[Run], found: list[Outcome], hosts: Collection[str]) -> None:
    """Write the summary of a play into its file, about its hosts alone. Other plays may have other files."""
    files = {run.variables["summary_file"] for run in runs if run.host in hosts and "summary_file" in run.variables}
    for file in sorted(files):
        _write(file, summaries.to_file([outcome for outcome in found if outcome.host in hosts], len(hosts) == 1))


def _write(path: str, text: str) -> None:
    try:
        replace_file(path, text.encode(), _MODE)
    except OSError as error:
        raise ConsoleError(f"The summary cannot be written to {path}: {error.strerror}.") from None


def _runs(role: str, variables: Variables, check_mode: bool) -> Iterator[Run]:
    """Yield what is known of each host, in the order of the inventory."""
    every, names = variables["ansible_play_hosts_all"], _RESULTS[role]
    lost = set(every).difference(variables["ansible_play_hosts"])
    for host in dict.fromkeys([*variables["groups"]["all"], *every]):
        # As it is: what a console contains is no template, and to look for one would take long.
        known = variables["hostvars"].raw_get(host)
        checked, *results = (known.get(name) or {} for name in names)
        yield Run(host, checked, results, check_mode, host in lost)


def _tenant(variables: Variables, check_mode: bool) -> dict[str, Any]:
    """Return what was done for one team, and what had to exist and did not."""
    checked = variables["__tenant_variables"]
    given, names = checked["given"], tenant.Names(**checked["names"])
    is_absent = given["state"] == "absent"
    done = tenant.read_results(
        variables["__tenant_export_result"],
        variables["__tenant_quota_result"],
        variables["__tenant_volume_found"] if is_absent else None,
    )
    return {"msg": tenant.summarize(given, names, done, check_mode), "not_found": tenant.not_found(given, names, done)}
