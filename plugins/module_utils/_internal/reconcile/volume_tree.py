# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings volumes and the lists below them to what is wanted: all is read and planned first, then written side by side."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from itertools import zip_longest

from ..api.lists import Store
from ..api.volumes import await_ready
from ..errors import ConsoleError, RequestError
from ..http.client import Client
from ..http.policy import CircuitBreaker
from ..model.batch import plan_list
from ..model.goal import Goal
from ..model.plan import CREATE, DELETE, NOTHING, Plan
from ..model.problems import Problem, invalid_items
from ..model.records import Record, Records, describe
from ..model.resources import LISTS_BY_NAME, VOLUME, Resource
from .history import Outcome
from .operation import Operation
from .reconcile import predict
from .writes import carry_out, open_operations, outcomes_of, side_by_side

_MAX_IN_MESSAGE = 3


class ChildList:
    """A list below a volume that an item gives: its goals, its plans, and what becomes of them.

    Until the volume exists, the list is taken as empty. `error` concerns the whole list.
    """

    def __init__(self, resource: Resource, goals: list[Goal], purge: bool) -> None:
        self.resource = resource
        self.goals = goals
        self.operations: list[Operation] = []
        self.error: ConsoleError | None = None
        self._purge = purge
        self._store: Store | None = None
        self._records = Records(resource, [])
        self._plans: list[Plan] = []

    def read(self, store: Store) -> None:
        """Read the list of a volume that exists."""
        self._store = store
        try:
            self._records = store.read()
        except ConsoleError as error:
            self.error = error

    def plan(self) -> list[Problem]:
        """Plan by the records that were read, and return the items that cannot be done."""
        self._plans, problems = plan_list(self._records, self.goals, self._purge)
        return [] if self.error else problems

    def open_operations(self, wait_timeout: float) -> list[Operation]:
        """Return the writes that the plans need."""
        if self._store and not self.error:
            self.operations = open_operations(self._store, self._records, self._plans, wait_timeout)
        return self.operations

    def outcomes(self, check_mode: bool) -> list[Outcome]:
        """Return what became, or in check mode would become, of each plan; after an error, of each goal."""
        if self.error:
            plans = [Plan(self.resource, goal, NOTHING, None) for goal in self.goals]
            return [Outcome(plan, None, False, self.error) for plan in plans]
        return predict(self._plans) if check_mode else outcomes_of(self._plans, self.operations)

    @property
    def is_in_use(self) -> bool:
        """Return whether somebody has written records as they are wanted, so that the volume must have been usable."""
        return bool(self._plans) and all(plan.current and not plan.changed for plan in self._plans)


class Branch:
    """A volume, and the lists below it that its item gives. The lists of a volume that is to be absent go with it."""

    def __init__(self, plan: Plan, purge: Collection[str]) -> None:
        self.plan = plan
        (self.outcome,) = predict([plan])
        below = plan.goal.below if plan.goal.present else {}
        self.lists = [
            ChildList(resource, below[plural], plural in purge)
            for plural, resource in LISTS_BY_NAME.items()
            if below.get(plural) or (plural in purge and plural in below)
        ]

    def await_ready(self, store: Store, wait_timeout: float) -> None:
        """Wait until the volume can be used, unless it obviously is."""
        volume = self.outcome.record
        if volume is None or self.outcome.error or any(child.is_in_use for child in self.lists):
            return
        try:
            await_ready(store, volume["id"], describe(VOLUME, volume), wait_timeout)
        except ConsoleError as error:
            self.outcome = self.outcome._replace(error=error)


class VolumeTree:
    """Volumes with the lists below them, read and planned as one."""

    def __init__(self, client: Client, concurrency: int) -> None:
        self.branches: list[Branch] = []
        self._store = Store(client, VOLUME)
        self._concurrency = concurrency
        self._records = Records(VOLUME, [])

    def plan(self, goals: list[Goal], purge: Collection[str]) -> None:
        """Read everything that the goals are about and plan it; ConsoleError with all items that cannot be done."""
        self._records = self._store.read()
        plans, problems = plan_list(self._records, goals, purge=False)
        problems = [_locate(problem, problem.key, VOLUME) for problem in problems]
        self.branches = [Branch(plan, purge) for plan in plans]
        self._read_lists([branch for branch in self.branches if branch.plan.current])
        for branch in self.branches:
            for child in branch.lists:
                problems += [_locate(problem, branch.plan.result_key, child.resource) for problem in child.plan()]
        if problems:
            raise invalid_items(problems)

    def carry_out(self, wait: bool, wait_timeout: float) -> None:
        """Create volumes, then write the lists below all of them, then delete volumes."""
        created = self._write_volumes(CREATE, wait_timeout)
        if wait:
            wait_for = partial(Branch.await_ready, store=self._store, wait_timeout=wait_timeout)
            side_by_side(wait_for, self.branches, self._concurrency)
        self._read_lists([branch for branch in created if not branch.outcome.error])
        for branch in self.branches:
            _settle(branch, is_new=branch in created)
        lists = [child for branch in self.branches for child in branch.lists]
        writes = [child.open_operations(wait_timeout) for child in lists]
        # In turn, so that one volume that does not respond is not taken for the whole console.
        in_turn = [write for turn in zip_longest(*writes) for write in turn if write]
        carry_out(in_turn, self._concurrency)
        self._write_volumes(DELETE, wait_timeout)

    def _write_volumes(self, action: str, wait_timeout: float) -> list[Branch]:
        """Carry out the plans of one kind for the volumes themselves, and return which these are."""
        branches = [branch for branch in self.branches if branch.plan.action == action]
        plans = [branch.plan for branch in branches]
        operations = open_operations(self._store, self._records, plans, wait_timeout)
        carry_out(operations, self._concurrency)
        for branch, outcome in zip(branches, outcomes_of(plans, operations)):
            branch.outcome = outcome
        return branches

    def _read_lists(self, branches: list[Branch]) -> None:
        """Read the lists of volumes that exist; on a console that no longer responds, not all of them."""
        # Each list that is not answered is asked for with all retries, which need not be done for forty of them.
        breaker = CircuitBreaker(retries=0)

        def read(child: ChildList, volume: Record) -> None:
            if breaker.is_open:
                child.error = ConsoleError(f"skipped: {breaker.reason}")
                return
            child.read(Store(self._store.client, child.resource, volume))
            if isinstance(child.error, RequestError):
                breaker.count(child.error.status)
            else:
                breaker.record_success()

        lists = [(child, branch.outcome.record or {}) for branch in branches for child in branch.lists]
        side_by_side(lambda args: read(*args), lists, self._concurrency)


def _settle(branch: Branch, is_new: bool) -> None:
    """Give up on the lists of a volume that failed; plan those of a new one by what the console has put into them."""
    for child in branch.lists:
        if branch.outcome.error:
            child.error = ConsoleError(f"skipped, because {branch.plan.description} failed")
        elif is_new and (problems := child.plan()):
            cause = " ".join(f"{problem.name}: {problem.message}" for problem in problems[:_MAX_IN_MESSAGE])
            child.error = ConsoleError(f"the {child.resource.plural} of the new volume were left alone: {cause}")


def _locate(problem: Problem, volume: str, resource: Resource) -> Problem:
    """Return a problem with the list that it is about."""
    return problem._replace(place={"volume": volume, "kind": resource.plural})
