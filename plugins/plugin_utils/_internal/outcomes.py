# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a role did on each console: from the results of its tasks, to be summed up. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...module_utils._internal.model.resources import LISTS_OF_VOLUME
from ...module_utils._internal.texts import counted
from .desired_state import tell_apart
from .markdown import to_block, to_code
from .report_drift import PARTS

Result = Mapping[str, Any]

FAILED, AWAY, CHANGED, DIFFERS = "failed", "away", "changed", "differs"
AS_DESIRED, NOT_COMPARED = "as desired", "not compared"

_NOTHING = "nothing"
_CHANGES = {"created": "to create", "updated": "to update", "deleted": "to delete"}
# What there is of a console about which there is nothing to say.
_PLAIN = {"unchanged", "ignored"}


class Described(NamedTuple):
    """A result of the module volumes, from which a summary of any length is made."""

    result: Result
    is_ahead: bool
    """Whether it says what would be done."""


class Outcome(NamedTuple):
    """What a role did on one console, or found there."""

    host: str
    state: str
    brief: str = ""
    """What there is to say about it in a line."""
    text: str = ""
    """Its summary in Markdown, blank if nothing is known of it. That of a plan is in `described`."""
    counts: Mapping[str, int] = {}
    """How much there is of everything. Blank if that is not known."""
    footer: str = ""
    """What follows the summary where it is shown."""
    plan: str = ""
    """The checksum of its plan, if that is complete and can be approved."""
    failure: str = ""
    """The message to fail with, now that all consoles are done."""
    described: Described | None = None
    """The plan that was made, or carried out."""

    @property
    def is_plain(self) -> bool:
        """Return whether the console is as desired, and its plan has nothing else that anybody has to look at."""
        if self.state != AS_DESIRED or not self.described or self.described.result.get("doubts"):
            return False
        return {name for name, count in self.counts.items() if count} <= _PLAIN


class Run(NamedTuple):
    """What is known of a role's run on one host."""

    host: str
    variables: Result
    """The result of the check of the role's variables, blank if that was not started."""
    results: Sequence[Result]
    """Those of the tasks after it, likewise."""
    check_mode: bool = False
    is_lost: bool = False
    """Whether the host is not a part of the play any more."""

    @property
    def given(self) -> Mapping[str, Any]:
        """Return the variables that are set."""
        given: Mapping[str, Any] = self.variables.get("given", {})
        return given


def outcome_of(role: str, run: Run) -> Outcome | None:
    """Return what a role did on a host, None if it has not come so far."""
    if run.variables.get("failed"):
        message = _message(run.variables)
        return Outcome(run.host, FAILED, message, "" if role == "capture" else _why(run.host, message))
    if run.results[0]:
        return _READERS[role](run)
    return Outcome(run.host, FAILED, "failed before") if run.is_lost else None


def _applied(run: Run) -> Outcome:
    """Return what `apply` did; of a console without a plan, nothing is known but why."""
    (result,) = run.results
    brief, has_failed = _message(result), bool(result.get("failed"))
    plan = result.get("plan_checksum")
    if plan is None:
        return Outcome(run.host, _reason(result), brief, _why(result.get("console") or run.host, brief))
    # A plan that was not the approved one, or in doubt, has failed before anything was written.
    is_refused = has_failed and not (result.get("changed") or result.get("errors"))
    described = Described(result, run.check_mode or (plan != _NOTHING and is_refused))
    state = FAILED if has_failed else AS_DESIRED if plan == _NOTHING else DIFFERS if run.check_mode else CHANGED
    if state in (CHANGED, DIFFERS):
        brief = _count_changes(result["counts"], run.check_mode)
    counts = sum_counts(result["counts"].values())
    failure = ""
    if state == DIFFERS and run.given.get("fail_on_changes"):
        failure = f"{result['console']} differs from the desired state: {brief}."
    approvable = plan if run.check_mode and not has_failed else ""
    return Outcome(run.host, state, brief, "", counts, plan=approvable, failure=failure, described=described)


def _count_changes(counts: Mapping[str, Mapping[str, int]], is_ahead: bool) -> str:
    """Return how much was changed, or is to be."""
    kinds = {
        kind: ", ".join(
            f"{of_kind[done]} {to_do if is_ahead else done}" for done, to_do in _CHANGES.items() if of_kind[done]
        )
        for kind, of_kind in counts.items()
    }
    return "; ".join(f"{kind}: {verbs}" for kind, verbs in kinds.items() if verbs)


def _reported(run: Run) -> Outcome:
    """Return what `report` found: first the console is read, then the report is made."""
    listed, written = run.results
    address = listed.get("console") or run.host
    if listed.get("failed"):
        # Without an address, it is about the options.
        failure = f"{'The console could not be read: ' if 'console' in listed else ''}{_message(listed)}"
        return Outcome(run.host, _reason(listed), failure, _why(address, failure), failure=failure)
    if not written:
        return Outcome(run.host, FAILED)
    counts: Mapping[str, int] = written.get("counts", {})
    if written.get("failed"):
        text = _join(written["summary"]) if "summary" in written else _why(address, _message(written))
        return Outcome(run.host, FAILED, _message(written), text, counts)
    drift = [f"{counts[part]} {part.replace('_', ' ')}" for part in PARTS if counts.get(part)]
    state = NOT_COMPARED if not counts.get("consoles_compared") else DIFFERS if drift else AS_DESIRED
    failure = ""
    if drift and run.given.get("fail_on_drift"):
        failure = f"{address} differs from the desired state: {', '.join(drift)}."
    text = _join(written["summary"])
    return Outcome(run.host, state, ", ".join(drift), text, counts, _pointer(run), failure=failure)


def _pointer(run: Run) -> str:
    """Return a line that says where the page is, if there is one."""
    folder = run.variables.get("folder")
    return f"The page {'would be' if run.check_mode else 'is'} {folder}/report.html" if folder else ""


def _captured(run: Run) -> Outcome:
    """Return what `capture` left out."""
    listed, written = run.results
    failed = listed if listed.get("failed") else written if written.get("failed") else None
    if failed:
        return Outcome(run.host, _reason(listed) if failed is listed else FAILED, _message(failed))
    volumes = _chosen(run)
    notes = [_what_was_read(volumes, written)]
    if "not_carried" in written:
        carried = "Everything is carried over, but for bucket and region, which you have to give."
        notes += written["not_carried"] or [carried]
    else:
        notes += _nameless(volumes)
    return Outcome(run.host, CHANGED if written.get("changed") else AS_DESIRED, text=_join(notes))


def _chosen(run: Run) -> list[Result]:
    """Return the volumes that are captured."""
    names = run.given.get("volumes")
    return [volume for volume in run.results[0]["volumes"] if names is None or volume.get("name") in names]


def _what_was_read(volumes: list[Result], written: Result) -> str:
    """Return how much was read, and what became of the files."""
    counts = {"volumes": len(volumes)}
    counts |= {each.plural: sum(len(volume[each.plural]) for volume in volumes) for each in LISTS_OF_VOLUME}
    numbers = ", ".join(counted(count, kind) for kind, count in counts.items())
    done = _message(written)
    return f"Read: {numbers}. {done[:1].upper()}{done[1:]}."


def _nameless(volumes: list[Result]) -> Iterator[str]:
    """Yield a note if records have no key of their own, so that only their id tells them apart."""
    lists = [(resource, volume[resource.plural]) for volume in volumes for resource in LISTS_OF_VOLUME]
    count = sum(not is_unique for each in lists for _record, is_unique in tell_apart(*each))
    if count:
        yield f"{counted(count, 'records')} captured by id, without a unique description or path. Give each one, and capture again."


def _reason(result: Result) -> str:
    """Return whether a console could not be read, or was not asked."""
    return AWAY if "failure" in result or result.get("unreachable") else FAILED


def _why(address: str, message: str) -> str:
    """Return the summary of a console of which nothing but the message of a failure is known. That may quote the console."""
    return _join([f"# {to_code(address)}", "", *to_block(message.splitlines())])


def _join(lines: Iterable[str]) -> str:
    return "\n".join([*lines, ""])


def _message(result: Result) -> str:
    return str(result.get("msg", ""))


def sum_counts(counts: Any) -> dict[str, int]:
    """Return the sums of dictionaries of integers; keys that only some have count as well."""
    sums: Counter[str] = Counter()
    for each in counts:
        sums.update(each)
    return dict(sums)


_READERS: Mapping[str, Callable[[Run], Outcome]] = {"apply": _applied, "capture": _captured, "report": _reported}
