# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings the lists of a task to what is wanted: all of them are read and planned first, and then written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from ..api.lists import Store, side_by_side
from ..api.volumes import await_ready
from ..errors import ConsoleError, RequestError
from ..http.policy import CircuitBreaker
from ..model.goals import Goal
from ..model.plan import CREATE, DELETE, DONE, NOTHING, UPDATE, Action, plan_action, plan_list
from ..model.problems import Problem, invalid_items
from ..model.records import Records, describe
from ..model.resources import LISTS_BY_NAME, LISTS_OF_VOLUME, Resource
from .write import Outcome, Write

_MAX_IN_MESSAGE = 3
_MAX_IN_DIFF = 100


@dataclass(eq=False)
class Section:
    """One list of a task: what is wanted of it, what it holds, what is done about that, and what comes of it.

    A record is a section with one goal, a list is one section, and a console a section of volumes with others below it.
    Without a `store` the list does not exist yet, and counts as empty. `owner` is the action for the volume that the list
    is below, where that is a part of the same task. `purge` names the lists of which nothing else is to remain, this one
    or those below; `below` holds the sections below the volume of each action. `error` concerns the whole list.
    """

    resource: Resource
    goals: list[Goal]
    purge: Collection[str] = ()
    store: Store | None = None
    owner: Action | None = None

    def __post_init__(self) -> None:
        """Begin with nothing read, planned or done."""
        self.records = Records(self.resource)
        self.actions: list[Action] = []
        self.below: list[list[Section]] = []
        self.error: ConsoleError | None = None
        self._outcomes: dict[int, Outcome] = {}

    def read(self) -> None:
        """Read the list, if it exists."""
        if self.store:
            self.records = self.store.read()

    def plan(self) -> list[Problem]:
        """Plan by the records that were read, and return the items that cannot be done."""
        actions, problems = plan_list(self.records, self.goals, self.resource.plural in self.purge)
        self.decide_on(actions)
        return [] if self.error else [problem._replace(where=self._where(problem.key)) for problem in problems]

    def decide_on(self, actions: list[Action]) -> None:
        """Let these be the plan, and open the lists below that the items give."""
        self.actions = actions
        self.below = []
        for action in () if self.resource.is_in_volume else actions:
            # Those of a volume that is to be absent go with it.
            given = action.goal.children if action.goal.present else {}
            kinds = [kind for kind in LISTS_BY_NAME if given.get(kind) or (kind in self.purge and kind in given)]
            self.below.append([Section(LISTS_BY_NAME[kind], given[kind], self.purge, owner=action) for kind in kinds])

    @property
    def all_below(self) -> list[Section]:
        """Return all lists that the items give."""
        return [section for sections in self.below for section in sections]

    @property
    def outcomes(self) -> list[Outcome]:
        """Return what became, or would become, of each action; after an error, of each goal."""
        if self.error:
            return [Outcome(Action(goal, NOTHING), None, False, self.error) for goal in self.goals]
        return [self.outcome(action) for action in self.actions]

    def outcome(self, action: Action) -> Outcome:
        """Return what became, or would become, of an action."""
        predicted = Outcome(action, action.prediction, action.changes, None, action.unverified)
        return self._outcomes.get(id(action), predicted)

    def add_outcome(self, outcome: Outcome) -> None:
        self._outcomes[id(outcome.action)] = outcome

    def open_writes(self, verbs: Collection[str], wait_timeout: float) -> list[Write]:
        """Return the writes that the actions of these verbs need."""
        if self.store is None or self.error:
            return []
        actions = [action for action in self.actions if action.verb in verbs]
        return [Write(action, self.records, self.store, wait_timeout) for action in actions]

    def _where(self, key: str) -> Mapping[str, str]:
        if self.resource.is_in_volume and not self.owner:
            return {}
        return {"volume": self.owner.label if self.owner else key, "kind": self.resource.plural}

    @property
    def is_in_use(self) -> bool:
        """Return whether somebody has written records as they are wanted, so that the volume must have been usable."""
        return bool(self.actions) and all(action.current and not action.changes for action in self.actions)


def plan_record(section: Section) -> Action:
    """Read a list and plan its only goal; ConsoleError where it cannot be reached."""
    section.read()
    try:
        action = plan_action(section.records, section.goals[0])
    except ConsoleError as error:
        raise error.followed_by("Nothing was changed.") from None
    section.decide_on([action])
    return action


def plan_sections(root: Section, concurrency: int) -> None:
    """Read everything that the goals are about, and plan it; ConsoleError with all items that cannot be done."""
    root.read()
    problems = root.plan()
    _read_below(root, [section for section in root.all_below if section.owner and section.owner.current], concurrency)
    for section in root.all_below:
        problems += section.plan()
    if problems:
        raise invalid_items(problems)


def write_sections(root: Section, wait: bool, wait_timeout: float, concurrency: int) -> None:
    """Write what differs; with volumes: create them, then write the lists below all of them, then delete volumes.

    With `wait`, for at most `wait_timeout` seconds each, nothing is written below a volume that is not ready.
    """
    if root.resource.is_in_volume:
        _write([root], DONE, wait_timeout, concurrency)
        return
    _write([root], (CREATE, UPDATE), wait_timeout, concurrency)
    if wait:
        side_by_side(lambda pair: _await_ready(root, *pair, wait_timeout), zip(root.actions, root.below), concurrency)
    volumes = [(section, root.outcome(section.owner)) for section in root.all_below if section.owner]
    created = [section for section, volume in volumes if volume.action.verb is CREATE and not volume.error]
    _read_below(root, created, concurrency)
    for section, volume in volumes:
        _prepare(section, volume)
    _write(root.all_below, DONE, wait_timeout, concurrency)
    _write([root], (DELETE,), wait_timeout, concurrency)


def _write(sections: list[Section], verbs: Collection[str], wait_timeout: float, concurrency: int) -> None:
    """Carry out the actions of these verbs, of all lists in turn: one that does not respond is not the whole console."""
    writes = [section.open_writes(verbs, wait_timeout) for section in sections]
    in_turn = [write for turn in zip_longest(*writes) for write in turn if write]
    if not in_turn:
        return
    # Most tasks change nothing, and what is not loaded is not compiled: Ansible ships sources.
    from .rounds import carry_out  # noqa: PLC0415

    carry_out(in_turn, concurrency)
    for section, own in zip(sections, writes):
        for write in own:
            if write.outcome:
                section.add_outcome(write.outcome)


def _await_ready(root: Section, action: Action, below: list[Section], wait_timeout: float) -> None:
    """Wait until a volume can be used, unless it obviously is, and take what the console has filled in meanwhile."""
    outcome = root.outcome(action)
    volume = outcome.record
    if root.store is None or volume is None or outcome.error or any(section.is_in_use for section in below):
        return
    try:
        ready = await_ready(root.store, volume["id"], describe(root.resource, volume), wait_timeout)
        root.add_outcome(outcome._replace(record=ready or volume))
    except ConsoleError as error:
        root.add_outcome(outcome._replace(error=error))


def _prepare(section: Section, volume: Outcome) -> None:
    """Give up on a list whose volume failed; plan that of a new one by what the console has put into it."""
    if volume.error:
        section.error = ConsoleError(f"skipped, because {volume.action.description} failed")
    elif volume.action.verb is CREATE and (problems := section.plan()):
        cause = " ".join(f"{problem.name}: {problem.message}" for problem in problems[:_MAX_IN_MESSAGE])
        section.error = ConsoleError(f"the {section.resource.plural} of the new volume were left alone: {cause}")


def _read_below(root: Section, sections: list[Section], concurrency: int) -> None:
    """Read lists below volumes that exist; on a console that no longer responds, not all of them."""
    # Each list that is not answered is asked for with all retries, which need not be done for forty of them.
    breaker = CircuitBreaker(retries=0)

    def read(section: Section) -> None:
        if breaker.is_open:
            section.error = ConsoleError(f"skipped: {breaker.reason}")
            return
        try:
            section.read()
            breaker.record_success()
        except RequestError as error:
            section.error = error
            breaker.count(error.status)
        except ConsoleError as error:
            section.error = error
            breaker.record_success()

    for section in sections:
        if root.store and section.owner:
            section.store = Store(root.store.client, section.resource, root.outcome(section.owner).record)
    side_by_side(read, sections, concurrency)


def keys_below(section: Section, action: Action) -> dict[str, Any]:
    """Return what goes with a volume that is deleted, for the diff: by kind, the keys of the lists below it."""
    if section.store is None or section.resource.is_in_volume or action.verb is not DELETE:
        return {}
    shown: dict[str, Any] = {}
    for resource in LISTS_OF_VOLUME:
        try:
            records = Store(section.store.client, resource, action.current).list_records()
            keys = [str(resource.key_of(record) or f"id {record.get('id')}") for record in records]
            more = [f"and {len(keys) - _MAX_IN_DIFF:,} more"] if len(keys) > _MAX_IN_DIFF else []
            shown[resource.plural] = keys[:_MAX_IN_DIFF] + more
        except ConsoleError as error:
            # That is no reason to keep the volume.
            shown[resource.plural] = str(error)
    return shown
