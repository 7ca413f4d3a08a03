# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings the lists of a task to the wanted state: reads and plans all of them first, then writes."""

from __future__ import annotations

from collections.abc import Collection
from itertools import zip_longest
from typing import cast

from ..api.lists import Store, side_by_side
from ..api.volumes import await_ready
from ..errors import ConsoleError, RequestError, invalid_items
from ..http.policy import CircuitBreaker
from ..model.plan import CREATE, DELETE, DONE, UPDATE, plan_action
from ..model.records import Patterns, describe
from ..model.section import Change, Outcome, Section
from ..values import first_sentences

_MAX_IN_MESSAGE = 3


def plan_record(section: Section) -> Change:
    """Read a list and plan its only goal, with the lists below; ConsoleError if the goal cannot be reached."""
    section.read()
    try:
        action = plan_action(section.records, section.goals[0])
    except ConsoleError as error:
        raise error.followed_by("Nothing was changed.") from None
    section.decide_on([action])
    _read_below(section, section.all_below, concurrency=1)
    for below in section.all_below:
        below.plan()
    return section.changes[0]


def plan_sections(root: Section, concurrency: int, only: Patterns | None = None) -> None:
    """Read and plan everything that the goals concern, or what `only` matches; ConsoleError with all items that cannot be done."""
    root.read()
    if only:
        root.limit_to(only)
    if problems := root.plan_all(lambda sections: _read_below(root, sections, concurrency)):
        raise invalid_items(problems)


def write_sections(root: Section, wait: bool, wait_timeout: float, concurrency: int) -> None:
    """Write the changes. With volumes: create and update them, then write the lists below all of them, then delete volumes.

    With `wait`, nothing is written below a volume before it is ready, within `wait_timeout` seconds each.
    """
    if root.resource.is_in_volume:
        _write([root], DONE, wait_timeout, concurrency)
        return
    _write([root], (CREATE, UPDATE), wait_timeout, concurrency)
    if wait:
        side_by_side(lambda change: _await_ready(root, change, wait_timeout), root.changes, concurrency)
    volumes = [(section, section.owner.outcome) for section in root.all_below if section.owner]
    created = [section for section, volume in volumes if volume.action.verb is CREATE and not volume.error]
    _read_below(root, created, concurrency)
    for section, volume in volumes:
        _prepare(section, volume)
    _write(root.all_below, DONE, wait_timeout, concurrency)
    _write([root], (DELETE,), wait_timeout, concurrency)


def _write(sections: list[Section], verbs: Collection[str], wait_timeout: float, concurrency: int) -> None:
    """Carry out the actions with these verbs, of all lists in turn: one that does not respond is not the whole console."""
    due = [[(section, change) for change in section.due(verbs)] for section in sections]
    if not any(due):
        return
    # Most tasks change nothing. Ansible ships sources, and compiling these takes 20 of a quota's 440 CPU milliseconds.
    from .rounds import write_changes  # noqa: PLC0415

    write_changes([pair for turn in zip_longest(*due) for pair in turn if pair], wait_timeout, concurrency)


def _await_ready(root: Section, change: Change, wait_timeout: float) -> None:
    """Wait until a volume can be used, unless it obviously can, and take over what the console has filled in."""
    store: Store | None = cast("Store | None", root.source)
    outcome = change.outcome
    volume = outcome.record
    if store is None or volume is None or outcome.error or any(section.is_in_use for section in change.below):
        return
    try:
        ready = await_ready(store, volume["id"], describe(root.resource, volume), wait_timeout)
        change.outcome = outcome._replace(record=ready or volume)
    except ConsoleError as error:
        change.outcome = outcome._replace(error=error)


def _prepare(section: Section, volume: Outcome) -> None:
    """Give up a list whose volume failed; plan the list of a new volume from its contents."""
    if volume.error:
        section.fail(ConsoleError(f"skipped, because {volume.action.description} failed: correct that first"))
    elif volume.action.verb is CREATE:
        _plan_again(section)


def _plan_again(section: Section) -> None:
    """Plan the list of a new volume from what the console has put into it, but keep only the creations."""
    if problems := section.plan():
        cause = first_sentences((problem.text for problem in problems), _MAX_IN_MESSAGE)
        section.fail(ConsoleError(f"the {section.resource.plural} of the new volume were left alone. Correct: {cause}"))
    for change in section.changes:
        action = change.action
        if action.verb in (UPDATE, DELETE):
            error = ConsoleError(
                f"{action.description} is in the new volume already, and would have to be {DONE[action.verb]}, which was not"
                " planned. Look at it, and run the task again."
            )
            change.outcome = Outcome(action, action.current, False, error)


def _read_below(root: Section, sections: list[Section], concurrency: int) -> None:
    """Read lists below volumes that exist; skip the rest once the console stops responding."""
    # A list that is not answered takes all its retries, which must not add up for forty lists.
    breaker = CircuitBreaker(retries=0)

    def read(section: Section) -> None:
        if breaker.is_open:
            section.fail(ConsoleError(f"skipped: {breaker.reason}"))
            return
        try:
            section.read()
            breaker.record_success()
        except RequestError as error:
            section.fail(error)
            breaker.count(error.status)
        except ConsoleError as error:
            section.fail(error)
            breaker.record_success()

    for section in sections:
        if root.source:
            section.open(root.source)
    side_by_side(read, sections, concurrency)
