# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The summary of a run on any number of consoles: as people read it, and as a workflow takes it. Pure.

Of several consoles, it begins with their number, and with what somebody has to look at.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...module_utils._internal.texts import shorten
from .markdown import to_code
from .outcomes import AS_DESIRED, AWAY, CHANGED, DIFFERS, FAILED, NOT_COMPARED, Outcome, sum_counts
from .plan_summary import describe_plan

MAX_ARTIFACT = 2_000
"""The bytes of a summary that a workflow gets."""
MAX_SHOWN = 300_000
"""The bytes that are shown. AWX keeps 700,000 of an event."""
MAX_FILE = 60_000
"""The bytes of a file. A comment on a pull request has at most 65,536 characters."""
MAX_LINES = 200
"""The changes of a plan that are shown."""
# In the order in which they are counted.
_STATES = (DIFFERS, CHANGED, AWAY, FAILED, AS_DESIRED, NOT_COMPARED)
_WITHOUT_RESULT, _WITH_CHANGES = (FAILED, AWAY), (DIFFERS, CHANGED)
# The characters of what is said about a console in a line.
_MIN_BRIEF, _MAX_BRIEF = 40, 200


def summarize(
    outcomes: Sequence[Outcome], is_one: bool, most: int, max_lines: int = MAX_LINES, with_footers: bool = False
) -> str:
    """Return the summary in Markdown, of at most so many bytes, and lines of each plan.

    `is_one` says that the run is about a single console.
    """
    return cut(_compose(outcomes, is_one, most, max_lines, with_footers), most)


def _compose(outcomes: Sequence[Outcome], is_one: bool, most: int, max_lines: int, with_footers: bool = False) -> str:
    """Return the summary, whole: the lines of consoles fit into so many bytes, and so does each plan, but not all of it together."""
    if is_one:
        return "\n".join(_text(outcome, most, max_lines, with_footers) for outcome in outcomes)
    known = [outcome for outcome in _sort(outcomes) if outcome.counts and not outcome.is_plain]
    texts = [_name(outcome, _text(outcome, most, max_lines, with_footers)) for outcome in known]
    head = _count_states(outcomes)
    named = [outcome for outcome in _sort(outcomes) if _is_named(outcome)]
    # The more consoles, the less there is to say about each.
    brief = min(max(most // max(len(named), 1) - _MIN_BRIEF, _MIN_BRIEF), _MAX_BRIEF)
    lines = _fit([_line(outcome, brief) for outcome in named], most - len(head) - 2)
    return "\n".join([head, *([""] if lines else []), *lines, "", *texts])


def show(outcomes: Sequence[Outcome], is_one: bool) -> list[str]:
    """Return the lines to be shown. A failure of the only console has been shown by then."""
    if is_one and not any(outcome.counts for outcome in outcomes):
        return []
    return summarize(outcomes, is_one, MAX_SHOWN, with_footers=True).splitlines()


def show_notes(outcomes: Sequence[Outcome], is_one: bool) -> list[str]:
    """Return the lines to be shown of a role whose summaries are notes: a line for each note, with its console if there are several."""
    start = "" if is_one else "{0.host}: "
    notes = [start.format(outcome) + note for outcome in outcomes for note in outcome.text.splitlines()]
    return _fit(notes, MAX_SHOWN)


def sum_up(outcomes: Iterable[Outcome], is_one: bool) -> dict[str, int]:
    """Return how much there is of everything on all consoles, blank if it is known of none.

    Of several consoles, it also has their number, and how many of them could not be read.
    """
    found = list(outcomes)
    sums = sum_counts(outcome.counts for outcome in found)
    return sums if is_one else {**sums, "consoles": len(found), "away": _count(found)[AWAY]}


def cut(text: str, most: int) -> str:
    """Return a text of at most so many bytes, which ends neither within a character, nor within code: that would be Markdown."""
    if len(text.encode()) <= most:
        return text
    lines, end, last = text.encode()[:most].decode(errors="ignore").rpartition("\n")
    is_in_block = sum(line.startswith("```") for line in lines.split("\n")) % 2
    return lines + end + (last if is_in_block or "`" not in last else "")


def to_file(outcomes: Sequence[Outcome], is_one: bool) -> str:
    """Return the summary for a file. By its first line, a pipeline finds its comment again and tells what came of the run."""
    states = {outcome.state for outcome in outcomes}
    marks = {"failed": _WITHOUT_RESULT, "differs": _WITH_CHANGES, "unknown": (NOT_COMPARED,)}
    state = next((mark for mark, those in marks.items() if states & {*those}), "same")
    mark = f"<!-- managedfs: {' '.join(filter(None, [state, _checksum(outcomes)]))} -->\n"
    whole = _compose(outcomes, is_one, MAX_FILE, MAX_FILE)
    text = cut(whole, MAX_FILE)
    return mark + (text if text == whole else f"{text}\n\nThe rest is cut off here.\n")


def _checksum(outcomes: Sequence[Outcome]) -> str:
    """Return the checksum of a plan; that of several consoles only tells whether any of their plans has changed."""
    plans = [f"{outcome.host}={outcome.described.result['plan_checksum']}" for outcome in outcomes if outcome.described]
    if len(plans) < 2:
        return "".join(plan.rpartition("=")[2] for plan in plans)
    return hashlib.sha256("\n".join(plans).encode()).hexdigest()


def _text(outcome: Outcome, most: int, max_lines: int, with_footer: bool) -> str:
    text = outcome.text
    if outcome.described:
        text = describe_plan(outcome.described.result, outcome.described.is_ahead, most, max_lines)
    return f"{text}\n{outcome.footer}\n" if with_footer and outcome.footer else text


def _name(outcome: Outcome, text: str) -> str:
    """Return a summary, which begins with the address of its console, with the name of the host before that."""
    return text.replace("# ", f"# {outcome.host}: ", 1)


def _sort(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return those that failed, then those with changes, then the others, each in the order that they are in."""
    return sorted(
        outcomes, key=lambda outcome: (outcome.state not in _WITHOUT_RESULT, outcome.state not in _WITH_CHANGES)
    )


def _is_named(outcome: Outcome) -> bool:
    return outcome.state in (*_WITHOUT_RESULT, *_WITH_CHANGES)


def _count(outcomes: Iterable[Outcome]) -> Counter[str]:
    return Counter(outcome.state for outcome in outcomes)


def _count_states(outcomes: Sequence[Outcome]) -> str:
    """Return the number of consoles, and of those in each state."""
    counts = _count(outcomes)
    states = [(state if counts[state] == 1 else "differ") if state == DIFFERS else state for state in _STATES]
    shown = [f"{counts[state]} {name}" for state, name in zip(_STATES, states) if counts[state]]
    consoles = "1 console" if len(outcomes) == 1 else f"{len(outcomes)} consoles"
    return f"{consoles}: {', '.join(shown)}"


def _line(outcome: Outcome, most: int) -> str:
    """Return what became of a console. The message of a failure may quote it, and is code."""
    brief = " ".join(outcome.brief.split())
    if brief:
        brief = to_code(brief, most) if outcome.state in _WITHOUT_RESULT else shorten(brief, most)
    return f"- {outcome.host}: {outcome.state}{f': {brief}' if brief else ''}"


def _fit(lines: list[str], most: int) -> list[str]:
    """Return as many lines as fit into so many bytes, and how many more there are."""
    for number, line in enumerate(lines):
        more = f"- and {len(lines) - number} more"
        most -= len(line.encode()) + 1
        if most < (0 if line is lines[-1] else len(more) + 1):
            return [*lines[:number], more]
    return lines


def handed_on(outcomes: Sequence[Outcome], is_one: bool) -> dict[str, Any]:
    """Return what a workflow gets: counts, summary, and the plans of consoles by host, each as far as there is one."""
    artifacts = {
        "managedfs_report": sum_up(outcomes, is_one),
        "managedfs_summary": summarize(outcomes, is_one, MAX_ARTIFACT),
        "managedfs_plan": {outcome.host: outcome.plan for outcome in outcomes if outcome.plan},
    }
    return {name: value for name, value in artifacts.items() if value}
