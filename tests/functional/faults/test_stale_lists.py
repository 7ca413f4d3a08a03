# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists that show once more what was before: where list and response contradict each other, the list is read again."""

from __future__ import annotations

import pytest

from emulator import Fault
from functional.support.faults import others
from functional.support.inprocess import Run
from functional.support.one_volume import Console

# Another user writes before the task reads; the second of its two readings of quotas still shows the list before.
READ = ("GET", 1, "before")


def begin(console: Console) -> None:
    """Start over on a console whose second reading of each list is stale."""
    console.reset(stale_every=2, stale_for=1.0)


@pytest.mark.promise("contradictions-are-looked-at-twice")
@pytest.mark.parametrize("status", [403, 405])
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_a_refused_deletion_is_not_done_because_one_list_is_from_before_the_record_was_made(
    run: Run, console: Console, module: str, status: int
) -> None:
    begin(console)
    console.emulator.inject(
        others("create", "quotas", console.volume, at=READ, fields={"path": "/a", "size": 5}),
        Fault("status", method="DELETE", status=status, times=None),
    )
    item = {"path": "/a", "state": "absent"}
    result = run(module, volume="v", **(item if module == "quota" else {"quotas": [item]}))
    assert len(console.quotas) == 1
    assert result["failed"]
    assert result["changed"] is False
    assert result.get("deleted", []) == []
    assert result["failure"]["status"] == status


@pytest.mark.promise("contradictions-are-looked-at-twice")
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_a_refused_update_is_not_done_because_one_list_is_from_before_it_was_needed(
    run: Run, console: Console, module: str
) -> None:
    begin(console)
    console.has_quota(path="/a", size=6)
    console.emulator.inject(
        others("update", "quotas", console.volume, at=READ, key="/a", fields={"size": 5}),
        Fault("status", method="PUT", status=403, times=None),
    )
    item = {"path": "/a", "size": 6}
    result = run(module, volume="v", **(item if module == "quota" else {"quotas": [item]}))
    assert console.quotas[0]["size"] == 5
    assert result["failed"]
    assert result["changed"] is False
    assert result.get("updated", []) == []
    assert result["failure"]["status"] == 403


@pytest.mark.promise("contradictions-are-looked-at-twice")
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_an_accepted_update_does_not_fail_because_one_list_is_from_before_the_record_was_made(
    run: Run, console: Console, module: str
) -> None:
    begin(console)
    console.emulator.inject(others("create", "quotas", console.volume, at=READ, fields={"path": "/a", "size": 5}))
    item = {"path": "/a", "size": 6}
    result = run(module, volume="v", **(item if module == "quota" else {"quotas": [item]}))
    assert "failed" not in result
    assert result["changed"] is True
    assert result.get("updated", ["/a"]) == ["/a"]
    assert console.quotas[0]["size"] == 6


@pytest.mark.promise("contradictions-are-looked-at-twice")
def test_a_refused_creation_is_not_done_because_one_list_shows_a_record_that_is_gone(console: Console) -> None:
    begin(console)
    console.has_quota(path="/a", size=5)
    console.emulator.inject(
        others("delete", "quotas", console.volume, at=READ, key="/a"),
        Fault("status", method="POST", status=403, times=None),
    )
    result = console.quota(path="/a", size=5)
    assert console.quotas == []
    assert result["failed"]
    assert result["changed"] is False
    assert result["failure"]["status"] == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_refusal_that_the_list_contradicts_twice_is_believed_to_the_list(console: Console, method: str) -> None:
    console.has_quota(path="/a", size=5)
    action = "update" if method == "PUT" else "delete"
    fields = {"fields": {"size": 6}} if method == "PUT" else {}
    console.emulator.inject(
        others(action, "quotas", console.volume, at=(method, 1, "after"), key="/a", **fields),
        Fault("status", method=method, status=403, times=None),
    )
    result = console.quota(path="/a", size=6, state="present" if method == "PUT" else "absent")
    assert "failed" not in result
    assert result["changed"] is False


@pytest.mark.promise("contradictions-are-looked-at-twice")
@pytest.mark.parametrize("state", ["present", "absent"])
def test_after_a_refusal_a_second_look_that_cannot_be_had_is_an_error_and_no_change(
    console: Console, state: str
) -> None:
    begin(console)
    if state == "present":
        console.has_quota(path="/a", size=6)
        other = others("update", "quotas", console.volume, at=READ, key="/a", fields={"size": 5})
    else:
        other = others("create", "quotas", console.volume, at=READ, fields={"path": "/a", "size": 5})
    console.emulator.inject(
        other,
        Fault("status", method="PUT" if state == "present" else "DELETE", status=403, times=None),
        Fault("status", method="GET", path="quotas", nth=3, status=500, times=None),
    )
    result = console.quota(path="/a", size=6, state=state, retries=0)
    assert result["failed"]
    assert "could not be read back" in result["msg"]
    assert "403" in result["msg"]
    assert result["changed"] is False
