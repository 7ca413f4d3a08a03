# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One list of a task, or a tree of them: what is wanted, what is there, and the changes between the two. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..errors import ConsoleError
from .goals import Goal
from .outcome import Outcome
from .plan import DELETE, NOTHING, Action
from .plan_of_lists import distinct_labels, plan_list
from .problems import Problem
from .records import Record, Records, of_volume
from .resources import LISTS_BY_NAME, VOLUME, Resource

if TYPE_CHECKING:
    from .ignore import Ignore

_MAX_IN_DIFF = 100


@dataclass(eq=False)
class Change:
    """An action, and its outcome: as predicted, until it is done.

    In a task for volumes, `volume` is what results call the volume that the record is or belongs to, and `kind` the list;
    both are blank in a task for one list. `name` is what results call the record, if that is not its label. `below` holds
    the lists below a volume.
    """

    action: Action
    volume: str = ""
    kind: str = ""
    name: str | None = None
    below: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Predict the outcome."""
        action = self.action
        self.outcome = Outcome(action, action.prediction, action.changes, None, action.unverified)

    @property
    def label(self) -> str:
        """Return what the result of its list calls the record."""
        return self.action.label if self.name is None else self.name

    @property
    def where(self) -> dict[str, str]:
        """Return what an error says beside the key."""
        return {"volume": self.volume, "kind": self.kind} if self.kind else {}

    @property
    def path(self) -> tuple[str, ...]:
        """Return the keys under which a diff has the record of a list below a volume."""
        return (self.volume, self.kind) if self.kind not in ("", VOLUME.plural) else ()

    @property
    def key(self) -> str:
        """Return the label after that of its volume. What is about a whole list has that of the volume alone."""
        return ": ".join(filter(None, [self.volume, self.label])) if self.path else self.label

    @property
    def is_done(self) -> bool:
        """Return whether something was changed, and the list shows it."""
        return self.outcome.changed and self.outcome.is_seen

    @property
    def lost(self) -> Mapping[str, Any]:
        """Return the keys of what goes with a volume that is deleted, by kind."""
        return {each.resource.plural: each.lost_keys for each in self.below} if self.action.verb is DELETE else {}


class Rules(NamedTuple):
    """What holds for the lists of a task beside its items.

    `purge` names those of which nothing else is to remain. Whoever `compares_all` also wants to know what empty lists leave alone.
    """

    purge: Collection[str] = ()
    compares_all: bool = False


_NO_RULES = Rules()


class Source(Protocol):
    """Where the records of a list come from."""

    def read(self) -> Records:
        """Return the records; ConsoleError where nobody can work with them."""

    def below(self, resource: Resource, volume: Record, ignore: Ignore | None) -> Source:
        """Return the source of a list below a volume of this one."""


@dataclass(eq=False)
class Section:
    """One list of a task: what is wanted of it, what it holds, what is done about that, and what comes of it.

    A record is a section with one goal, a list is one section, and a console a section of volumes with others below it.
    Without a `source` the list does not exist yet, and counts as empty. `volume` holds name and id of the volume that the list
    is below, as far as they are known before anything is written, and `owner` is the change of it, where that is a part of
    the same task; the lists of a volume that is to be deleted go with it. `rules` hold for this list and those below. `error`
    concerns the whole list.
    """

    resource: Resource
    goals: list[Goal]
    rules: Rules = _NO_RULES
    source: Source | None = None
    volume: Mapping[str, Any] = field(default_factory=dict)
    owner: Change | None = None

    def __post_init__(self) -> None:
        """Begin with nothing read, planned or done."""
        self.records = Records(self.resource)
        self.changes: list[Change] = []
        self.error: ConsoleError | None = None

    def read(self) -> None:
        """Read the list, if it exists."""
        if self.source:
            self.records = self.source.read()

    def open(self, above: Source) -> None:
        """Let the list be read, which is below a volume of the one above, and exists by now."""
        if self.owner and (volume := self.owner.outcome.record or self.owner.action.current):
            ignore = self.owner.action.goal.ignore.get(self.resource.plural)
            self.source = above.below(self.resource, volume, ignore)

    def fail(self, error: ConsoleError) -> None:
        """Do nothing about the list: the error is that of each goal, or, where there are none, of a change without a label."""
        self.error = error
        self.changes = [self._change(Action(goal, NOTHING)) for goal in self.goals]
        if not self.goals:
            self.changes = [self._change(Action(Goal(self.resource, True, {}), NOTHING), "")]
        for change in self.changes:
            change.outcome = Outcome(change.action, None, False, error)

    def plan(self) -> list[Problem]:
        """Plan by the records that were read, and return the items that cannot be done."""
        if self.error:
            return []
        if self.goes_with_volume:
            goals = [Goal(self.resource, False, {}, record["id"]) for record in self.records]
            self.decide_on([Action(goal, DELETE, record) for goal, record in zip(goals, self.records)])
            return []
        is_purged = self.resource.plural in self.rules.purge
        actions, problems = plan_list(self.records, self.goals, is_purged)
        self.decide_on(actions)
        return [problem._replace(where=self._where(problem.key)) for problem in problems]

    def decide_on(self, actions: list[Action]) -> None:
        """Let these be the plan, and open the lists below that the items give."""
        if self.resource.is_in_volume:
            self.changes = [self._change(action) for action in actions]
            return
        self.changes = [self._change(action, name) for action, name in zip(actions, distinct_labels(actions))]
        for change in self.changes:
            change.below = list(self._open_below(change))

    def _change(self, action: Action, name: str | None = None) -> Change:
        volume = self.owner.label if self.owner else "" if self.resource.is_in_volume else name or ""
        return Change(action, volume, self.kind, name)

    def _open_below(self, change: Change) -> Iterator[Section]:
        """Yield the lists below a volume that its item gives, or that go with it."""
        action = change.action
        given = action.goal.children if action.goal.present else {}
        volume = {"name": action.key, **(action.current or {})}
        for kind, resource in LISTS_BY_NAME.items():
            is_needed = kind in given and (given[kind] or kind in self.rules.purge or self.rules.compares_all)
            if is_needed or action.verb is DELETE:
                yield Section(resource, given.get(kind, []), self.rules, None, volume, change)

    @property
    def kind(self) -> str:
        """Return what results call the list, blank where it is the only one of the task."""
        return self.resource.plural if self.owner or not self.resource.is_in_volume else ""

    @property
    def actions(self) -> list[Action]:
        """Return what is done about each record."""
        return [change.action for change in self.changes]

    def due(self, verbs: Collection[str]) -> list[Change]:
        """Return the changes of these verbs that need a write, and have not failed already."""
        if self.source is None or self.goes_with_volume:
            return []
        return [change for change in self.changes if change.action.verb in verbs and not change.outcome.error]

    @property
    def of_volume(self) -> str:
        """Return whose list this is, for messages: ` of volume 'projects'`, or blank."""
        return of_volume(self.volume) if self.resource.is_in_volume else ""

    @property
    def goes_with_volume(self) -> bool:
        """Return whether the list is that of a volume that is to be deleted."""
        return self.owner is not None and self.owner.action.verb is DELETE

    @property
    def deletions(self) -> list[str]:
        """Return what results call the records that are to be deleted, by themselves or with their volume."""
        return [action.label for action in self.actions if action.verb is DELETE]

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
    def outcomes(self) -> list[Outcome]:
        """Return what became, or would become, of each change."""
        return [change.outcome for change in self.changes]

    def _where(self, key: str) -> Mapping[str, str]:
        return {"volume": self.owner.label if self.owner else key, "kind": self.kind} if self.kind else {}

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
