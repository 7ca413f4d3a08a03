# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One list of a task, or a tree of them: the goals, the records, the changes between the two, and their outcomes. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from ..errors import ConsoleError, Problem
from .goals import Goal
from .plan import DELETE, NOTHING, Action, delete, distinct_labels, plan_list, unclaimed
from .records import Patterns, Record, Records, format_value, of_volume
from .resources import LISTS_BY_NAME, VOLUME, Resource

_MAX_MISTAKES = 10


class Outcome(NamedTuple):
    """The outcome of an action.

    `record` is the last known state of the record. `changed` means that something was written or may have been, `is_seen`
    that the list has shown it. `unverified` names the fields that the console does not show, `restored` those that changed
    beyond the request and were put back, `lost` those that were not put back. After an update that succeeded, `lost` names
    the fields that are no longer shown, so that their values are unknown.
    """

    action: Action
    record: Record | None
    changed: bool
    error: ConsoleError | None = None
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    is_seen: bool = True
    lost: tuple[str, ...] = ()


def list_warnings(outcomes: Iterable[Outcome], subject: str) -> Iterator[str]:
    """Yield the warnings about outcomes. `subject` says which records they concern."""
    outcomes = list(outcomes)
    actions = [outcome.action for outcome in outcomes]
    mistakes = [": ".join(filter(None, [each.goal.name, text])) for each in actions for text in each.plan_warnings]
    yield from mistakes[:_MAX_MISTAKES]
    if len(mistakes) > _MAX_MISTAKES:
        yield f"And {len(mistakes) - _MAX_MISTAKES:,} further likely mistakes in {subject}."
    restored = dict.fromkeys(name for outcome in outcomes for name in outcome.restored)
    if restored:
        yield (
            f"With the update of {subject}, {', '.join(restored)} changed meanwhile, by the console or by somebody else."
            " It was restored."
        )
    if unverified := list_unverified(outcomes):
        yield f"The console does not show {', '.join(unverified)} of {subject}, so it could not be verified."


def list_unverified(outcomes: Iterable[Outcome]) -> list[str]:
    """Return the names of the fields that the console does not show."""
    return list(dict.fromkeys(name for outcome in outcomes for name in outcome.unverified))


@dataclass(eq=False)
class Change:
    """An action and its outcome, which is a prediction until the action is done.

    In a task for volumes, `volume` is the label of the volume that the record is or belongs to, and `kind` names the list.
    Both are blank in a task for one list. `name` is the label of the record if it differs from that of the action. `below`
    holds the lists below a volume.
    """

    action: Action
    volume: str = ""
    kind: str = ""
    name: str | None = None
    below: Sequence[Section] = ()

    def __post_init__(self) -> None:
        """Predict the outcome."""
        action = self.action
        self.outcome = Outcome(action, action.prediction, action.changes, None, action.unverified)

    @property
    def label(self) -> str:
        """Return the name of the record in the result of its list."""
        return self.action.label if self.name is None else self.name

    @property
    def where(self) -> dict[str, str]:
        """Return the location that an error adds to the key."""
        return {"volume": self.volume, "kind": self.kind} if self.kind else {}

    @property
    def key(self) -> str:
        """Return the label, preceded by that of its volume. A change of a whole list has the volume's label alone."""
        is_below = self.kind not in ("", VOLUME.plural)
        return ": ".join(filter(None, [self.volume, self.label])) if is_below else self.label

    @property
    def is_done(self) -> bool:
        """Return whether something was changed, and the list shows it."""
        return self.outcome.changed and self.outcome.is_seen


class Source(Protocol):
    """The source of the records of a list."""

    def read(self) -> Records:
        """Return the records; ConsoleError if they cannot be worked with."""

    def below(self, resource: Resource, volume: Record) -> Source:
        """Return the source of a list below a volume of this one."""


@dataclass(eq=False)
class Section:
    """One list of a task: its goals, its records, the planned changes, and their outcomes.

    A record is a section with one goal, a list is one section, and a console is a section of volumes with others below it.
    Without a `source`, the list does not exist yet and counts as empty. `volume` holds name and id of the volume above, as
    far as they are known before anything is written. `owner` is the change of that volume, if it is part of the same task.
    The lists of a volume are deleted with it. `purge` names the kinds of lists, this one and those below, that must hold
    nothing else. `error` concerns the whole list.
    """

    resource: Resource
    goals: list[Goal]
    purge: Collection[str] = ()
    source: Source | None = None
    volume: Mapping[str, Any] = field(default_factory=dict)
    owner: Change | None = None

    def __post_init__(self) -> None:
        """Start with nothing read, planned or done."""
        self.records = Records(self.resource)
        self._scope: Patterns | None = None
        self.changes: list[Change] = []
        self.error: ConsoleError | None = None

    def read(self) -> None:
        """Read the list, if it exists."""
        if self.source:
            self.records = self.source.read()

    def limit_to(self, scope: Patterns) -> None:
        """Leave out the items that no pattern matches, and count no other records; ConsoleError for a pattern that matches nothing."""
        named = [(goal, goal.key or self.resource.key_of(self.records.listed(goal.id) or {})) for goal in self.goals]
        unmatched = scope.unmatched([*self.records.all_keys(), *(key for _goal, key in named if key is not None)])
        if unmatched is not None:
            raise ConsoleError(f"Nothing was changed: {format_value(unmatched)} of only matches no volume. Correct it.")
        self.goals = [goal for goal, key in named if scope.pattern_for(key) is not None]
        self._scope = scope

    def open(self, above: Source) -> None:
        """Set the source of a list once its volume exists. `above` is the source of the volumes."""
        if self.owner and (volume := self.owner.outcome.record or self.owner.action.current):
            self.source = above.below(self.resource, volume)

    def fail(self, error: ConsoleError) -> None:
        """Give up the list: the error becomes that of each goal or, if there are none, of a change without a label."""
        self.error = error
        whole = Action(Goal(self.resource, True, {}), NOTHING)
        self.changes = [self._change(Action(goal, NOTHING)) for goal in self.goals] or [self._change(whole, "")]
        for change in self.changes:
            change.outcome = Outcome(change.action, None, False, error)

    def plan(self) -> list[Problem]:
        """Plan from the records that were read, and return the problems of the items that cannot be carried out."""
        if self.error:
            return []
        if self.goes_with_volume:
            self.decide_on([delete(record, self.resource) for record in self.records])
            return []
        is_purged = self.resource.plural in self.purge
        # All records, even those that `only` leaves out: an item may mean one of them, share its id, or give its bucket.
        actions, problems = plan_list(self.records, self.goals, is_purged)
        self.decide_on(actions)
        return [problem._replace(where=self._where(problem.key)) for problem in problems]

    def plan_all(self, read_below: Callable[[list[Section]], None]) -> list[Problem]:
        """Plan this list and those below, and return all problems; `read_below` reads those of volumes that exist."""
        problems = self.plan()
        read_below([section for section in self.all_below if section.owner and section.owner.action.current])
        for section in self.all_below:
            problems += section.plan()
        return problems

    def decide_on(self, actions: list[Action]) -> None:
        """Make these actions the plan, and add the lists below that the items give."""
        if self.resource.is_in_volume:
            volume, kind = self.owner.label if self.owner else "", self.kind
            self.changes = [Change(action, volume, kind) for action in actions]
            return
        self.changes = [
            Change(action, name, self.kind, name) for action, name in zip(actions, distinct_labels(actions))
        ]
        for change in self.changes:
            change.below = list(self._open_below(change))

    def _change(self, action: Action, name: str | None = None) -> Change:
        volume = self.owner.label if self.owner else "" if self.resource.is_in_volume else name or ""
        return Change(action, volume, self.kind, name)

    def _open_below(self, change: Change) -> Iterator[Section]:
        """Yield the lists below a volume that its item gives, or that are deleted with it."""
        action = change.action
        given = action.goal.children if action.goal.present else {}
        volume = {"name": action.key, **(action.current or {})}
        for kind, resource in LISTS_BY_NAME.items():
            if kind in given or action.verb is DELETE:
                yield Section(resource, given.get(kind, []), self.purge, None, volume, change)

    @property
    def kind(self) -> str:
        """Return the name of the list in results, blank if it is the only one of the task."""
        return self.resource.plural if self.owner or not self.resource.is_in_volume else ""

    @property
    def actions(self) -> list[Action]:
        """Return the action for each record."""
        return [change.action for change in self.changes]

    def due(self, verbs: Collection[str]) -> list[Change]:
        """Return the changes with these verbs that need a write and have not failed already."""
        if self.source is None or self.goes_with_volume:
            return []
        return [change for change in self.changes if change.action.verb in verbs and not change.outcome.error]

    @property
    def of_volume(self) -> str:
        """Return the volume of the list, for messages: ` of volume 'projects'`, or blank."""
        return of_volume(self.volume) if self.resource.is_in_volume else ""

    @property
    def goes_with_volume(self) -> bool:
        """Return whether the volume of the list will be deleted."""
        return self.owner is not None and self.owner.action.verb is DELETE

    @property
    def deletions(self) -> list[str]:
        """Return the labels of the records that will be deleted, by themselves or with their volume."""
        return [action.label for action in self.actions if action.verb is DELETE]

    @property
    def unmanaged(self) -> list[Record]:
        """Return the records that no item names and that stay, once the list is planned; none of a list that was given up."""
        if self.error or self.resource.plural in self.purge or self.goes_with_volume:
            return []
        return unclaimed(self.counted, self.actions)

    @property
    def counted(self) -> Records:
        """Return the records that the task is about."""
        return self.records.where(self._scope.matches) if self._scope else self.records

    @property
    def all_below(self) -> list[Section]:
        """Return all lists that the items give."""
        return [section for change in self.changes for section in change.below]

    @property
    def lists(self) -> list[Section]:
        """Return this list and all below it."""
        return [self, *self.all_below]

    @property
    def outcomes(self) -> list[Outcome]:
        """Return the outcome of each change, predicted or actual."""
        return [change.outcome for change in self.changes]

    def _where(self, key: str) -> Mapping[str, str]:
        return {"volume": self.owner.label if self.owner else key, "kind": self.kind} if self.kind else {}

    @property
    def is_in_use(self) -> bool:
        """Return whether all records are as wanted, so that the volume must have been usable when they were written."""
        return bool(self.changes) and all(action.current and not action.changes for action in self.actions)
