# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings the lists of a task to what is wanted: all of them are read and planned first, and then written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from ..api.lists import Store, of_volume, side_by_side
from ..api.volumes import await_ready
from ..errors import ConsoleError, RequestError
from ..http.policy import CircuitBreaker
from ..model.goals import Goal
from ..model.limit import Removal
from ..model.listing import describe_foreign
from ..model.near_misses import check_key
from ..model.nested_limits import doubt_nested_limits
from ..model.plan import CREATE, DELETE, DONE, NOTHING, UPDATE, Action, plan_action
from ..model.plan_of_lists import distinct_labels, plan_list
from ..model.problems import Problem, invalid_items
from ..model.records import Record, Records, describe
from ..model.resources import LISTS_BY_NAME, Resource
from .change import Change
from .write import Outcome, Write

_MAX_IN_MESSAGE = 3
_MAX_IN_DIFF = 100


class Rules(NamedTuple):
    """What holds for the lists of a task beside its items: `purge` names those of which nothing else is to remain."""

    purge: Collection[str] = ()


_NO_RULES = Rules()


@dataclass(eq=False)
class Section:
    """One list of a task: what is wanted of it, what it holds, what is done about that, and what comes of it.

    A record is a section with one goal, a list is one section, and a console a section of volumes with others below it.
    Without a `store` the list does not exist yet, and counts as empty. `volume` holds name and id of the volume that the list
    is below, as far as they are known before anything is written, and `owner` is the change of it, where that is a part of
    the same task; the lists of a volume that is to be deleted have no goals, and go with it. `rules` hold for this list and
    those below. `error` concerns the whole list.
    """

    resource: Resource
    goals: list[Goal]
    rules: Rules = _NO_RULES
    store: Store | None = None
    volume: Mapping[str, Any] = field(default_factory=dict)
    owner: Change | None = None

    def __post_init__(self) -> None:
        """Begin with nothing read, planned or done."""
        self.records = Records(self.resource)
        self.changes: list[Change] = []
        self.error: ConsoleError | None = None

    def read(self) -> None:
        """Read the list, if it exists."""
        if self.store:
            self.records = self.store.read()

    def plan(self) -> list[Problem]:
        """Plan by the records that were read, and return the items that cannot be done."""
        if self.goes_with_volume:
            return []
        is_purged = self.resource.plural in self.rules.purge
        actions, problems = plan_list(self.records, self.goals, is_purged)
        self.decide_on(actions)
        return [] if self.error else [problem._replace(where=self._where(problem.key)) for problem in problems]

    def decide_on(self, actions: list[Action]) -> None:
        """Let these be the plan, and open the lists below that the items give."""
        if self.resource.is_in_volume:
            self.changes = [self._change(action) for action in actions]
            return
        kind = self.resource.plural
        self.changes = [Change(action, name, kind, name) for action, name in zip(actions, distinct_labels(actions))]
        for change in self.changes:
            change.below = list(self._open_below(change))

    def _change(self, action: Action, name: str | None = None) -> Change:
        """Return a change of this list, which is that of a volume."""
        return Change(action, self.owner.label, self.resource.plural, name) if self.owner else Change(action, name=name)

    def _open_below(self, change: Change) -> Iterator[Section]:
        """Yield the lists below a volume that its item gives, or that go with it."""
        action = change.action
        given = action.goal.children if action.goal.present else {}
        volume = {"name": action.key, **(action.current or {})}
        for kind, resource in LISTS_BY_NAME.items():
            is_needed = given.get(kind) or (kind in self.rules.purge and kind in given)
            if is_needed or action.verb is DELETE:
                yield Section(resource, given.get(kind, []), self.rules, None, volume, change)

    @property
    def actions(self) -> list[Action]:
        """Return what is done about each record."""
        return [change.action for change in self.changes]

    @property
    def of_volume(self) -> str:
        """Return whose list this is, for messages: ` of volume 'projects'`, or blank."""
        name = self.volume.get("name")
        return of_volume(name) if self.resource.is_in_volume and name else ""

    @property
    def goes_with_volume(self) -> bool:
        """Return whether the list is that of a volume that is to be deleted."""
        return self.owner is not None and self.owner.action.verb is DELETE

    @property
    def deletions(self) -> list[str]:
        """Return what results call the records that are to be deleted, by themselves or with their volume."""
        if self.goes_with_volume:
            return [self.resource.label(record) for record in self.records]
        return [action.label for action in self.actions if action.verb is DELETE]

    @property
    def removal(self) -> Removal:
        """Return how much of the list is to be deleted; what is left alone for a rotation is left out on both sides."""
        is_implied = any(action.is_purge for action in self.actions)
        left_alone = len(self.rotating) if is_implied else 0
        return Removal(len(self.deletions), len(self.records) - left_alone, is_implied)

    @property
    def rotating(self) -> list[Record]:
        """Return the records that no item claims and that belong to a rotation that is under way."""
        claimed = {str(action.current["id"]) for action in self.actions if action.current}
        free = (record for record in self.records if str(record["id"]) not in claimed)
        return [record for record in free if self.records.is_rotating(record)]

    @property
    def all_below(self) -> list[Section]:
        """Return all lists that the items give."""
        return [section for change in self.changes for section in change.below]

    @property
    def lists(self) -> list[Section]:
        """Return this list and all below it."""
        return [self, *self.all_below]

    @property
    def results(self) -> list[Change]:
        """Return the changes, with what became or would become of them; after an error of the list, one for each goal.

        If the list has no goals, one that has no label tells of the error.
        """
        if self.error is None:
            return self.changes
        failed = [self._change(Action(goal, NOTHING)) for goal in self.goals]
        failed = failed or [self._change(self.owner.action, "")] if self.owner else failed
        for change in failed:
            change.outcome = Outcome(change.action, None, False, self.error)
        return failed

    @property
    def outcomes(self) -> list[Outcome]:
        """Return what became, or would become, of each action; after an error of the list, of each goal."""
        return [change.outcome for change in self.results]

    def open_writes(self, verbs: Collection[str], wait_timeout: float) -> list[tuple[Change, Write]]:
        """Return the changes of these verbs that have not failed already, each with the write that it needs."""
        if self.store is None or self.error:
            return []
        due = [change for change in self.changes if change.action.verb in verbs and not change.outcome.error]
        keys = {self.resource.normalize_key(change.action.key) for change in due if change.action.verb is CREATE}
        return [(change, Write(change.action, self.records, self.store, wait_timeout, keys)) for change in due]

    def _where(self, key: str) -> Mapping[str, str]:
        if self.resource.is_in_volume and not self.owner:
            return {}
        return {"volume": self.owner.label if self.owner else key, "kind": self.resource.plural}

    @property
    def is_in_use(self) -> bool:
        """Return whether somebody has written records as they are wanted, so that the volume must have been usable."""
        return bool(self.changes) and all(action.current and not action.changes for action in self.actions)

    @property
    def lost_keys(self) -> Any:
        """Return the keys of the records that go with their volume, or the reason that they are not known."""
        if self.error:
            return str(self.error)
        keys, records = self.deletions, self.records
        more = {
            "more": len(keys[_MAX_IN_DIFF:]),
            "ignored": len(records.ignored),
            "of another kind": len(records.foreign),
        }
        return keys[:_MAX_IN_DIFF] + [f"and {count:,} {what}" for what, count in more.items() if count]


def plan_record(section: Section) -> Change:
    """Read a list and plan its only goal, with what goes with it; ConsoleError where it cannot be reached."""
    section.read()
    try:
        action = check_key(section.records, plan_action(section.records, section.goals[0]))
    except ConsoleError as error:
        raise error.followed_by("Nothing was changed.") from None
    section.decide_on(doubt_nested_limits(section.records, [action]))
    _read_below(section, section.all_below, concurrency=1)
    return section.changes[0]


def plan_sections(root: Section, concurrency: int) -> None:
    """Read everything that the goals are about, and plan it; ConsoleError with all items that cannot be done."""
    root.read()
    problems = root.plan()
    _read_below(
        root, [section for section in root.all_below if section.owner and section.owner.action.current], concurrency
    )
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
        side_by_side(lambda change: _await_ready(root, change, wait_timeout), root.changes, concurrency)
    volumes = [(section, section.owner.outcome) for section in root.all_below if section.owner]
    created = [section for section, volume in volumes if volume.action.verb is CREATE and not volume.error]
    _read_below(root, created, concurrency)
    for section, volume in volumes:
        _prepare(section, volume)
    _write(root.all_below, DONE, wait_timeout, concurrency)
    _write([root], (DELETE,), wait_timeout, concurrency)


def _write(sections: list[Section], verbs: Collection[str], wait_timeout: float, concurrency: int) -> None:
    """Carry out the actions of these verbs, of all lists in turn: one that does not respond is not the whole console."""
    writes = [section.open_writes(verbs, wait_timeout) for section in sections]
    in_turn = [pair for turn in zip_longest(*writes) for pair in turn if pair]
    if not in_turn:
        return
    # Most tasks change nothing, and what is not loaded is not compiled: Ansible ships sources.
    from .rounds import carry_out  # noqa: PLC0415

    carry_out([write for _change, write in in_turn], concurrency)
    for change, write in in_turn:
        change.outcome = write.outcome or change.outcome


def _await_ready(root: Section, change: Change, wait_timeout: float) -> None:
    """Wait until a volume can be used, unless it obviously is, and take what the console has filled in meanwhile."""
    outcome = change.outcome
    volume = outcome.record
    if root.store is None or volume is None or outcome.error or any(section.is_in_use for section in change.below):
        return
    try:
        ready = await_ready(root.store, volume["id"], describe(root.resource, volume), wait_timeout)
        change.outcome = outcome._replace(record=ready or volume)
    except ConsoleError as error:
        change.outcome = outcome._replace(error=error)


def _prepare(section: Section, volume: Outcome) -> None:
    """Give up on a list whose volume failed; plan that of a new one by what the console has put into it."""
    if volume.error:
        section.error = ConsoleError(f"skipped, because {volume.action.description} failed")
    elif volume.action.verb is CREATE:
        _plan_again(section)


def _plan_again(section: Section) -> None:
    """Plan the list of a new volume by what the console has put into it; nothing but planned creations is done."""
    if problems := section.plan():
        cause = " ".join(f"{problem.name}: {problem.message}" for problem in problems[:_MAX_IN_MESSAGE])
        section.error = ConsoleError(f"the {section.resource.plural} of the new volume were left alone: {cause}")
    for change in section.changes:
        action = change.action
        if action.verb in (UPDATE, DELETE):
            error = ConsoleError(
                f"{action.description} is in the new volume already, and would have to be {DONE[action.verb]}, which was not"
                " planned. Look at it, and run the task again."
            )
            change.outcome = Outcome(action, action.current, False, error)


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
            action = section.owner.action
            volume = section.owner.outcome.record or action.current
            ignore = action.goal.ignore.get(section.resource.plural)
            section.store = Store(root.store.client, section.resource, volume, ignore)
    side_by_side(read, sections, concurrency)


def list_foreign(root: Section) -> Iterator[str]:
    """Yield for each list which of its records are left alone, since they are of another kind."""
    for section in root.lists:
        if section.records.foreign and not section.goes_with_volume:
            yield describe_foreign(section.records)
