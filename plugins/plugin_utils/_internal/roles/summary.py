# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The last steps of roles: they read the results of the tasks before them, sum them up, and show that."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ....module_utils._internal.changes.lines import format_changes
from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.files import replace_file
from ....module_utils._internal.values import counted, first_of, printable, shorten, to_block, to_code
from ..controller.action import ControllerAction
from ..report.drift import PARTS
from . import tenant

Result = Mapping[str, Any]

FAILED, DIFFERS, CHANGED, NOT_COMPARED, AS_DESIRED = "failed", "differs", "changed", "not compared", "as desired"
# The states of consoles, those first that somebody has to look at, and what the first line of a file makes of them.
_MARKS = {FAILED: "failed", DIFFERS: "differs", CHANGED: "differs", NOT_COMPARED: "unknown", AS_DESIRED: "same"}

# The bytes that are shown. AWX keeps 700,000 of an event.
MAX_SHOWN = 300_000
# The bytes of a file. A comment on a pull request has at most 65,536 characters.
MAX_FILE = 60_000
# The bytes that a workflow gets.
MAX_ARTIFACT = 2_000
# The changes of a plan that are shown.
MAX_LINES = 200
# Those of the last line of what is cut.
_END = 30
_MAX_ENTRIES = 20
_MAX_NAMES = 5
_MAX_NAME = 200
_MAX_MESSAGE = 1_000

_NOTHING = "nothing"
_TO_DO = {"created": "to create", "updated": "to update", "deleted": "to delete"}
_MODE = 0o644
# By role, the variables of a host that hold the results of its tasks. The first is that of the check of its variables.
_RESULTS = {
    "apply": ("__apply_variables", "apply_result"),
    "capture": ("__capture_variables", "__capture_console", "__capture_written"),
    "report": ("__report_variables", "__report_listed", "__report_written"),
}


class Summary(NamedTuple):
    """What a role did on one console, or found there."""

    host: str
    state: str
    # What there is to say about it in a line.
    brief: str = ""
    # Its summary in Markdown.
    text: str = ""
    # How much there is of everything.
    counts: Mapping[str, int] = {}
    # That of its plan, if there is one.
    checksum: str = ""
    # Whether the plan is complete, and still to be carried out.
    is_approvable: bool = False
    # The message to fail with.
    failure: str = ""
    # Where its page is, if it has one.
    page: str = ""
    # Whether its line says all that anybody has to know of it.
    is_brief: bool = False


def outcome_of(role: str, host: str, checked: Result, results: Sequence[Result], check_mode: bool) -> Summary | None:
    """Return what a role did on a host, None if it has not got that far.

    `checked` is the result of the check of its variables, `results` are those of its tasks after that, blank for one that was
    not started.
    """
    given: Mapping[str, Any] = checked.get("given", {})
    first, *rest = results
    if checked.get("failed"):
        return _failed(host, checked)
    if not first:
        return None
    if role == "apply":
        return _applied(host, first, given, check_mode)
    if first.get("failed") or first.get("unreachable"):
        # Without an address, it is about the options.
        reason = f"{'The console could not be read: ' if 'console' in first else ''}{first.get('msg', '')}"
        failed = _failed(host, {"msg": reason}, first.get("console"))
        # The role report goes on, to write that down, and fails afterwards.
        return failed._replace(failure=reason) if role == "report" else failed
    (written,) = rest
    if not written or written.get("failed"):
        return _failed(host, written, first.get("console"))
    return _captured(host, first, written) if role == "capture" else _reported(host, first, written, given)


def _failed(host: str, result: Result, console: Any = None) -> Summary:
    """Return the outcome of a console of which nothing but the message of a failure is known. That may quote the console."""
    message = str(result.get("msg", ""))
    text = [f"# {to_code(str(console or host))}", "", *to_block(message.splitlines()), ""]
    return Summary(host, FAILED, message, "\n".join(text), {"failed": 1}, is_brief=True)


def _applied(host: str, result: Result, given: Mapping[str, Any], check_mode: bool) -> Summary:
    plan, has_failed = result.get("plan_checksum"), bool(result.get("failed"))
    if plan is None:
        return _failed(host, result, result.get("console"))
    # A plan that was not the approved one, or that holds likely mistakes, has failed before anything was written.
    is_refused = has_failed and not (result.get("changed") or result.get("errors"))
    is_ahead = check_mode or (is_refused and plan != _NOTHING)
    state = FAILED if has_failed else AS_DESIRED if plan == _NOTHING else DIFFERS if check_mode else CHANGED
    brief = str(result["msg"]) if state in (FAILED, AS_DESIRED) else _count_changes(result["counts"], check_mode)
    is_failure = state == DIFFERS and given.get("fail_on_changes")
    counts = {"failed": 1} if is_refused and not check_mode else sum_counts(result["counts"].values())
    return Summary(
        host,
        state,
        brief,
        describe_plan(result, is_ahead),
        counts,
        plan,
        is_approvable=check_mode and not has_failed,
        failure=f"{result['console']} differs from the desired state: {brief}." if is_failure else "",
        is_brief=state == AS_DESIRED and not result.get("plan_warnings") and not counts.get("unmanaged"),
    )


def _reported(host: str, listed: Result, written: Result, given: Mapping[str, Any]) -> Summary:
    counts: Mapping[str, int] = written["counts"]
    drift = ", ".join(f"{counts[part]} {part.replace('_', ' ')}" for part in PARTS if counts.get(part))
    state = DIFFERS if drift else AS_DESIRED if counts.get("consoles_compared") else NOT_COMPARED
    failure = f"{listed['console']} differs from the desired state: {drift}." if given.get("fail_on_drift") else ""
    text = "\n".join([*written["summary"], ""])
    found = Summary(host, state, drift, text, counts, failure=failure if drift else "", is_brief=state == AS_DESIRED)
    return found._replace(page=written.get("page", ""))


def _captured(host: str, listed: Result, written: Result) -> Summary:
    notes = [str(written["msg"]), *written["notes"]]
    text = "\n".join([f"# {listed['console']}", "", *notes, ""])
    state = CHANGED if written["changed"] else AS_DESIRED
    return Summary(host, state, notes[0], text, is_brief=state == AS_DESIRED and len(notes) == 1)


def _count(counts: Mapping[str, int], is_ahead: bool, names: Iterable[str]) -> str:
    """Return how much there is of each of these, apart from nothing: `2 created, 1 unchanged`; `2 to create` if `is_ahead`."""
    return ", ".join(f"{counts[key]:,} {_TO_DO.get(key, key) if is_ahead else key}" for key in names if counts[key])


def _count_changes(counts: Mapping[str, Mapping[str, int]], is_ahead: bool) -> str:
    """Return how much was changed, or is to be: `exports: 1 created; quotas: 2 updated, 1 deleted`."""
    kinds = {kind: _count(of_kind, is_ahead, _TO_DO) for kind, of_kind in counts.items()}
    return "; ".join(f"{kind}: {verbs}" for kind, verbs in kinds.items() if verbs)


def sum_counts(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sums of dictionaries of integers; keys that only some have count as well."""
    sums: Counter[str] = Counter()
    for each in counts:
        sums.update(each)
    return dict(sums)


def describe_plan(result: Result, is_ahead: bool) -> str:
    """Return what the module volumes did, or would do if `is_ahead`: counts, likely mistakes, each change, the checksum."""
    is_nothing = result["plan_checksum"] == _NOTHING and not result.get("failed")
    title = "Nothing to do" if is_nothing else "What would be done" if is_ahead else "What was done"
    lines = [f"# {result['console']}", "", f"## {title}", ""]
    # Errors of records have a list of their own.
    if result.get("failed") and not result.get("errors"):
        lines += [to_code(printable(result["msg"]), _MAX_MESSAGE), ""]
    numbers = {kind: _count(of_kind, is_ahead, of_kind) for kind, of_kind in result["counts"].items()}
    lines += [f"- {kind}: {number}" for kind, number in numbers.items() if number] or ["- nothing"]
    lines += [*_unmanaged(result), *([] if is_nothing else ["", f"Plan: `{result['plan_checksum']}`"])]
    lines += _entries("Failed", result.get("errors", ()))
    lines += _entries("Likely mistakes", result.get("plan_warnings", ()))
    line_numbers = itertools.count(1)
    changes = format_changes(result["changes"], lambda _line: next(line_numbers) <= MAX_LINES)
    if missing := result.get("not_listed", {}).get("changes"):
        changes.append(f"And {missing:,} further changes that the result does not list.")
    lines += ["", "### Changes", "", *to_block(changes)] if changes else []
    return "\n".join([*lines, ""])


def _unmanaged(result: Result) -> list[str]:
    """Return what no file names, the first names of each kind, and the exports among that which let any address in."""
    counts = {kind: of_kind["unmanaged"] for kind, of_kind in result["counts"].items() if of_kind["unmanaged"]}
    if not counts:
        return []
    numbers = ", ".join(counted(count, kind) for kind, count in counts.items())
    exposed = result.get("unmanaged_open", [])
    opened = first_of((to_code(printable(name), _MAX_NAME) for name in exposed), _MAX_NAMES)
    told = f" Exports that let any address in: {opened}." if exposed else ""
    lines = [
        f"{kind.removesuffix('s')} {shorten(printable(name), _MAX_NAME)}"
        for kind, names in result["unmanaged"].items()
        for name in (*names, *["..."] * (counts[kind] > len(names)))
    ]
    return ["", f"Unmanaged, since on the console but in no file: {numbers}.{told}", "", *to_block(lines)]


def _entries(title: str, entries: Sequence[Result]) -> list[str]:
    """Return a list of errors or likely mistakes, each in a line."""
    if not entries:
        return []
    lines = [f"{entry['kind']}, {entry['key']}: {entry['msg']}" for entry in entries[:_MAX_ENTRIES]]
    more = [f"and {len(entries) - _MAX_ENTRIES:,} more"] if len(entries) > _MAX_ENTRIES else []
    return ["", f"### {title}", "", *to_block([*lines, *more])]


def summarize(outcomes: Iterable[Summary]) -> str:
    """Return the summary in Markdown. It begins with the consoles that somebody has to look at."""
    found = sorted(outcomes, key=lambda outcome: list(_MARKS).index(outcome.state))
    states = Counter(outcome.state for outcome in found)
    numbers = ", ".join(
        f"{count} {'differ' if state == DIFFERS and count > 1 else state}" for state, count in states.items()
    )
    listed = [_line(outcome) for outcome in found if outcome.state in (FAILED, DIFFERS, CHANGED)]
    head = f"{counted(len(found), 'consoles')}: {numbers}"
    # A summary begins with the address of its console.
    texts = [each.text.replace("# ", f"# {each.host}: ", 1) for each in found if not each.is_brief or len(found) == 1]
    return "\n".join([head, "", *listed, *[""] * bool(listed), *texts])


def _line(outcome: Summary) -> str:
    """Return what became of a console. The message of a failure may quote it, and is code."""
    brief = " ".join(outcome.brief.split())
    shown = to_code(brief, _MAX_NAME) if outcome.state == FAILED else shorten(brief, _MAX_NAME)
    return f"- {outcome.host}: {outcome.state}{f': {shown}' if brief else ''}"


def lines_of(outcomes: Sequence[Summary]) -> list[str]:
    """Return the lines to show; none if all that is known is why each console failed, which has already been shown."""
    if all(each.state == FAILED and each.is_brief for each in outcomes):
        return []
    pages = [f"The page is {outcome.page}" for outcome in outcomes if outcome.page]
    return [*cut(summarize(outcomes), MAX_SHOWN).splitlines(), *pages]


def cut(text: str, most: int) -> str:
    """Return the lines of a text that fit into so many bytes, with a last one that says how many are missing."""
    whole = text.encode()
    if len(whole) <= most:
        return text
    kept = b"".join(whole[: most - _END].rpartition(b"\n")[:2])
    return f"{kept.decode()}({counted(len(whole[len(kept) :].splitlines()), 'more lines')})\n"


def to_file(outcomes: Sequence[Summary]) -> str:
    """Return the summary for a file. By its first line, a pipeline finds its comment again and tells what came of the run."""
    states = {outcome.state for outcome in outcomes}
    state = next((mark for state, mark in _MARKS.items() if state in states), "same")
    # With several consoles, the mark only tells whether any of their plans has changed.
    plans = [f"{outcome.host}={outcome.checksum}" for outcome in outcomes if outcome.checksum]
    plan = hashlib.sha256("\n".join(plans).encode()).hexdigest() if len(plans) > 1 else "".join(plans).partition("=")[2]
    mark = f"<!-- managedfs: {' '.join(filter(None, [state, plan]))} -->\n"
    return mark + cut(summarize(outcomes), MAX_FILE)


def hand_on(outcomes: Sequence[Summary]) -> dict[str, Any]:
    """Return what a workflow gets: counts, the summary, and the plans to approve by host. Empty ones are left out."""
    artifacts = {
        "managedfs_report": {**sum_counts(outcome.counts for outcome in outcomes), "consoles": len(outcomes)},
        "managedfs_summary": cut(summarize(outcomes), MAX_ARTIFACT),
        "managedfs_plan": {outcome.host: outcome.checksum for outcome in outcomes if outcome.is_approvable},
    }
    return {name: value for name, value in artifacts.items() if value}


def sum_up(action: ControllerAction, role: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the hosts of a play have to show, by host, why some fail, and what a workflow gets.

    Where possible, this runs once for all hosts: running it for each of many would be slow.
    """
    if role == "tenant":
        return _sum_up_tenant(variables)
    hosts, here = variables["ansible_play_hosts_all"], variables["inventory_hostname"]
    found: list[Summary] = []
    files: dict[str, None] = {}
    for host in hosts:
        # As it is: what a console contains is no template, and to look for one would take long.
        known = variables["hostvars"].raw_get(host)
        checked, *others = (known.get(name) or {} for name in _RESULTS[role])
        outcome = outcome_of(role, host, checked, others, action.check_mode)
        if outcome is None and host not in variables["ansible_play_hosts"]:
            outcome = Summary(host, FAILED, "failed before", counts={"failed": 1}, is_brief=True)
        found += filter(None, [outcome])
        files |= {checked["summary_file"]: None} if "summary_file" in checked else {}
    for file in files:
        _write(file, to_file(found))
    # Where each host runs this step, each shows its own.
    shown = [outcome for outcome in found if action.runs_once() or outcome.host == here]
    failures = {outcome.host: outcome.failure for outcome in shown if outcome.failure}
    stats = {"data": hand_on(found), "aggregate": False, "per_host": False}
    result = {"changed": False, "shown": {here: lines_of(shown)}, "failures": failures}
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
        raise ConsoleError(f"The summary cannot be written to {path}: {error.strerror}. Choose another file.") from None


def _sum_up_tenant(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Show what was done for one team. What had to exist and did not makes the step fail."""
    checked = variables["__tenant_variables"]
    results = {kind: variables[f"__tenant_{kind}_result"] for kind in ("export", "quota")}
    results = {kind: result for kind, result in results.items() if "diff" in result}
    told, missing = tenant.summarize(checked["given"], tenant.Names(**checked["names"]), results)
    msg = f"{told} {missing}".rstrip()
    return {"changed": False, "failed": bool(missing), "msg": msg, "_ansible_verbose_always": True}
