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
from ..model.plan_of_lists import plan_list
from ..model.problems import Problem, invalid_items
from ..model.records import Record, Records, describe
from ..model.resources import LISTS_BY_NAME, Resource
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
    is below, as far as they are known before anything is written, and `owner` is the action for it, where that is a part of
    the same task; the lists of a volume that is to be deleted have no goals, and go with it. `rules` hold for this list and
    those below. `below` holds the sections below the volume of each action. `error` concerns the whole list.
    """

    resource: Resource
    goals: list[Goal]
    rules: Rules = _NO_RULES
    store: Store | None = None
    volume: Mapping[str, Any] = field(default_factory=dict)
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
        if self.goes_with_volume:
            return []
        is_purged = self.resource.plural in self.rules.purge
        actions, problems = plan_list(self.records, self.goals, is_purged)
        self.decide_on(actions)
        return [] if self.error else [problem._replace(where=self._where(problem.key)) for problem in problems]

    def decide_on(self, actions: list[Action]) -> None:
        """Let these be the plan, and open the lists below that the items give."""
        self.actions = actions
        self.below = []
        for action in () if self.resource.is_in_volume else actions:
            goal = action.goal
            given = goal.children if goal.present else {}
            is_needed = {
                kind: given.get(kind) or (kind in self.rules.purge and kind in given) for kind in LISTS_BY_NAME
            }
            kinds = [kind for kind, needed in is_needed.items() if needed or action.verb is DELETE]
            volume = {"name": action.key, **(action.current or {})}
            sections = [
                Section(LISTS_BY_NAME[kind], given.get(kind, []), self.rules, None, volume, action) for kind in kinds
            ]
            self.below.append(sections)

    @property
    def of_volume(self) -> str:
        """Return whose list this is, for messages: ` of volume 'projects'`, or blank."""
        name = self.volume.get("name")
        return of_volume(name) if self.resource.is_in_volume and name else ""

    @property
    def goes_with_volume(self) -> bool:
        """Return whether the list is that of a volume that is to be deleted."""
        return self.owner is not None and self.owner.verb is DELETE

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
        actions = [action for action in self.actions if action.verb in verbs and id(action) not in self._outcomes]
        wanted = {self.resource.normalize_key(action.key) for action in actions if action.verb is CREATE}
        return [Write(action, self.records, self.store, wait_timeout, wanted) for action in actions]

    def _where(self, key: str) -> Mapping[str, str]:
        if self.resource.is_in_volume and not self.owner:
            return {}
        return {"volume": self.owner.label if self.owner else key, "kind": self.resource.plural}

    @property
    def is_in_use(self) -> bool:
        """Return whether somebody has written records as they are wanted, so that the volume must have been usable."""
        return bool(self.actions) and all(action.current and not action.changes for action in self.actions)


def plan_record(section: Section) -> Action:
    """Read a list and plan its only goal, with what goes with it; ConsoleError where it cannot be reached."""
    section.read()
    try:
        action = check_key(section.records, plan_action(section.records, section.goals[0]))
    except ConsoleError as error:
        raise error.followed_by("Nothing was changed.") from None
    section.decide_on(doubt_nested_limits(section.records, [action]))
    _read_below(section, section.all_below, concurrency=1)
    return section.actions[0]


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
    elif volume.action.verb is CREATE:
        _plan_again(section)


def _plan_again(section: Section) -> None:
    """Plan the list of a new volume by what the console has put into it; nothing but planned creations is done."""
    if problems := section.plan():
        cause = " ".join(f"{problem.name}: {problem.message}" for problem in problems[:_MAX_IN_MESSAGE])
        section.error = ConsoleError(f"the {section.resource.plural} of the new volume were left alone: {cause}")
    for action in section.actions:
        if action.verb in (UPDATE, DELETE):
            error = ConsoleError(
                f"{action.description} is in the new volume already, and would have to be {DONE[action.verb]}, which was not"
                " planned. Look at it, and run the task again."
            )
            section.add_outcome(Outcome(action, action.current, False, error))


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
            volume = root.outcome(section.owner).record or section.owner.current
            ignore = section.owner.goal.ignore.get(section.resource.plural)
            section.store = Store(root.store.client, section.resource, volume, ignore)
    side_by_side(read, sections, concurrency)


def keys_below(root: Section) -> dict[int, dict[str, Any]]:
    """Return what goes with volumes that are deleted, for diffs: by the identity of the action, and by kind, the keys."""
    pairs = [(action, below) for action, below in zip(root.actions, root.below) if action.verb is DELETE]
    return {id(action): {section.resource.plural: _shown_keys(section) for section in below} for action, below in pairs}


def _shown_keys(section: Section) -> Any:
    if section.error:
        return str(section.error)
    keys = section.deletions
    more = [f"and {len(keys) - _MAX_IN_DIFF:,} more"] if len(keys) > _MAX_IN_DIFF else []
    ignored = [f"and {len(section.records.ignored):,} ignored"] if section.records.ignored else []
    foreign = [f"and {len(section.records.foreign):,} of another kind"] if section.records.foreign else []
    return keys[:_MAX_IN_DIFF] + more + ignored + foreign


def list_foreign(root: Section) -> Iterator[str]:
    """Yield for each list which of its records are left alone, since they are of another kind."""
    for section in (root, *root.all_below):
        if section.records.foreign and not section.goes_with_volume:
            yield describe_foreign(section.records)
