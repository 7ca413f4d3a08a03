# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two tasks at once: some orders of their requests, proof that these reveal defects, and how soon tasks settle.

`make interleavings` runs all orders, on each kind of console and with a fault at each request.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any
from unittest import mock

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile import after_request
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write_state import Write
from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation import steps as rotation
from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation import task as rotating
from emulator import Dialect
from emulator.dialect import NAMED
from interleavings import verdict
from interleavings.orders import NOBODY, is_possible, most_runs, try_pair
from interleavings.tasks import BESIDE_ROTATIONS, CONSOLES, HANDS, OLD, PAIRS, ROTATIONS, TASKS, Job
from interleavings.turns import SWITCH, Interleaving, Order

JOBS = {job.name: job for job in (*TASKS, *HANDS, *ROTATIONS, *BESIDE_ROTATIONS)}


@pytest.mark.promise("two-tasks-at-once")
@pytest.mark.promise("rotation-has-no-gap")
@pytest.mark.parametrize("first", [*TASKS, *ROTATIONS], ids=lambda job: job.name)
def test_two_tasks_in_every_order(first: Job) -> None:
    dialect = CONSOLES["unique keys" if first.name.startswith("create") else "default"]
    for jobs in PAIRS:
        if jobs[0] is first and all(job.change or is_possible(job, dialect) for job in jobs):
            assert try_pair(jobs, dialect, events=1, faults=0).violations == [], [job.name for job in jobs]


# Former defects that the consoles of the test above do not show.
FOUND = (("aborted", "update export", "resetting"), ("finished", "purge other exports", "late"))


@pytest.mark.promise("rotation-has-no-gap")
@pytest.mark.parametrize(("first", "second", "console"), FOUND)
def test_two_tasks_on_another_console(first: str, second: str, console: str) -> None:
    assert try_pair((JOBS[first], JOBS[second]), CONSOLES[console], faults=0).violations == []


def test_orders_that_differ_only_in_readings_go_on_as_one() -> None:
    jobs = (JOBS["update"], JOBS["update another field"])
    # Each reads the volumes and the list before the first writes.
    orders = (Order(0, ((2, SWITCH), (4, SWITCH))), Order(1, ((2, SWITCH),)))
    first, second = (Interleaving(jobs, CONSOLES["default"], order).run() for order in orders)
    assert first.trace[:4] == [*second.trace[2:4], *second.trace[:2]]
    assert first.branches == second.branches[2:]


def ignore_own_id() -> AbstractContextManager[Any]:
    """Take any record with the key for the created one, whatever id the response gave."""
    return mock.patch.object(after_request, "_created", after_request._confirm)


def ignore_doubles() -> AbstractContextManager[Any]:
    """Do not look for other records with the key of one that is renamed or deleted."""
    return mock.patch.object(Write, "doubles", [])


def assume_nothing() -> AbstractContextManager[Any]:
    """Also report what no client can prevent."""
    return mock.patch.object(verdict, "is_assumed", lambda *_arguments: False)


def rely_on_the_first_list() -> AbstractContextManager[Any]:
    """Do not check for changes by others to the exports of a rotation before one is deleted."""
    return mock.patch.object(rotation.Step, "check", lambda *_arguments, **_but: None)


def delete_without_renaming() -> AbstractContextManager[Any]:
    """Delete the old export without renaming it first."""

    def finish(found: rotation.Rotation, identity: Any) -> tuple[Any, list[rotation.Step]]:
        survivor, steps = rotation.finish(found, identity)
        return survivor, [step._replace(expected={}) for step in steps if step.goal.values.get("desc") != OLD][::-1]

    return mock.patch.object(rotating, "finish", finish)


# Defects, former or planted: two tasks and a console that show each, and the report.
PLANTED: dict[str, tuple[Callable[[], AbstractContextManager[Any]], str, str, str, str]] = {
    "own id ignored": (ignore_own_id, "create", "create", "late", "/n is there twice, and no task says so"),
    "key taken": (ignore_doubles, "rename", "create", "default", "/n is there twice, and no task says so"),
    "key taken by hand": (ignore_doubles, "rename", "another hand: create", "default", "'path': '/n'} was not so"),
    "key made again": (ignore_doubles, "delete", "update or create", "default", "'state': 'absent'} was not so"),
    "two writers": (assume_nothing, "update another field", "update", "resetting", "inodes of /a (id 81) is 7 again"),
    "both taken away": (rely_on_the_first_list, "finished", "aborted", "default", "no export has the rights of web"),
    "none left": (rely_on_the_first_list, "aborted", "another hand: delete export", "default", "sees no other to keep"),
    "not renamed": (delete_without_renaming, "finished", "started", "default", "sees no other to keep"),
}


@pytest.mark.parametrize(("defect", "first", "second", "console", "text"), PLANTED.values(), ids=PLANTED)
def test_what_is_wrong_is_found(
    defect: Callable[[], AbstractContextManager[Any]], first: str, second: str, console: str, text: str
) -> None:
    find = partial(try_pair, (JOBS[first], JOBS[second]), CONSOLES[console], faults=0)
    assert find().violations == []
    with defect():
        assert any(text in violation.text for violation in find().violations)


@pytest.mark.promise("it-settles", "rotation-has-no-gap")
@pytest.mark.parametrize("name", NAMED)
def test_after_a_fault_it_settles(name: str) -> None:
    assert most_runs(Dialect.named(name)) == 1


KINDS = {name: Dialect.named(name) for name in NAMED if name != "rejecting"} | CONSOLES
KINDS |= {"rejects unknown fields": Dialect(put="reject")}
KINDS |= {"unique, slow": Dialect(unique_keys=True, update_appear_after=2.0, vanish_after=2.0, appear_after=1.2)}
del KINDS["losing"]


@pytest.mark.promise("rotation-has-no-gap")
@pytest.mark.parametrize("name", KINDS)
def test_each_state_of_a_rotation_is_reached_and_then_kept(name: str) -> None:
    for job in ROTATIONS:
        interleaving = Interleaving((job, NOBODY), KINDS[name], Order()).run()
        assert [*verdict.list_violations(interleaving)] == []
        assert interleaving.actors[0].result["msg"] == f"export 'web' of volume 'v': rotation {job.options['state']}"
        assert not interleaving.run_again(job).result["changed"]
