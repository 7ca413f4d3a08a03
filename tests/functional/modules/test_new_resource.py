# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A new resource costs its description: what is described here, and nowhere in the collection, is managed and listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import (
    BOOLEAN,
    INTEGER,
    NAME,
    NETWORK,
    SIZE,
    TEXT,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    CREATE_ONLY,
    KEY,
    UPDATABLE,
    Field,
    Resource,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.bulk import manage_list
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import list_records
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import manage_record
from functional.support.inprocess import FakeClock, run_main
from functional.support.listserver import ListServer

# Access rules, with everything that a list below a volume can have.
RULE = Resource(
    "rule",
    "rules",
    "volumes/{volume_id}/acl",
    (
        Field("id", INTEGER),
        Field("subject", NAME, KEY),
        Field("range", NETWORK, UPDATABLE, "ipRange"),
        Field("max_size", SIZE, UPDATABLE, "maxSize"),
        Field("writable", BOOLEAN, CREATE_ONLY, default=False),
        Field("token", TEXT),
    ),
    has_update=True,
    required_to_create=("range",),
)
# As little as one can have: a natural key, and no update.
TAG = Resource("tag", "tags", "volumes/{volume_id}/tags", (Field("id", INTEGER), Field("label", NAME, KEY)))

PATH = "volumes/1/acl"
ALICE = {
    "id": 5,
    "subject": "alice",
    "ipRange": "10.0.0.0/8",
    "maxSize": 1024,
    "writable": True,
    "token": "hunter2",
}
BOB = {"id": 6, "subject": "bob", "ipRange": "*", "maxSize": 0, "writable": False}

Manage = Callable[..., dict[str, Any]]


@pytest.fixture
def server() -> Iterator[ListServer]:
    """Yield a console with two volumes and empty lists below the first."""
    paths = [resource.path.format(volume_id=1) for resource in (RULE, TAG)]
    lists: dict[str, list[dict[str, Any]]] = {path: [] for path in paths}
    with ListServer(volumes=[{"id": 1, "name": "v"}, {"id": 2, "name": "w"}], **lists) as server:
        yield server


@pytest.fixture
def manage(server: ListServer, clock: FakeClock) -> Manage:
    """Return a function that runs the task of a kind of module for a resource, with options."""
    connection = {"console_url": server.url, "access_key": "AK", "secret_key": "SK"}

    def manage(
        task: Callable[[Resource], object], resource: Resource, /, *, check: bool = False, **options: Any
    ) -> dict[str, Any]:
        return run_main(lambda: task(resource), {**connection, **options}, clock, check=check)

    return manage


def test_a_record_is_created_found_updated_and_deleted(manage: Manage, server: ListServer) -> None:
    options = {"volume": "v", "subject": "alice", "range": "10.0.0.1/8", "max_size": "1K"}
    shown = {"subject": "alice", "range": "10.0.0.1/8", "max_size": 1024, "writable": False}
    diff = {**shown, "max_size": "1KiB"}

    predicted = manage(manage_record, RULE, check=True, **options)
    assert (predicted["changed"], predicted["rule"], server.writes) == (True, shown, [])

    created = manage(manage_record, RULE, **options)
    assert (created["changed"], created["rule"]) == (True, {"id": 1001, **shown})
    headers = dict.fromkeys(("before_header", "after_header"), "rule 'alice' of volume 'v'")
    assert created["diff"] == {**headers, "before": {}, "after": diff}

    again = manage(manage_record, RULE, **{**options, "range": "10.0.0.0/8", "max_size": "1024"})
    assert not again["changed"]

    updated = manage(manage_record, RULE, **{**options, "range": "*"})
    headers = dict.fromkeys(headers, "rule 'alice' (id 1001) of volume 'v'")
    assert updated["diff"] == {**headers, "before": diff, "after": {**diff, "range": "*"}}

    renamed = manage(manage_record, RULE, volume="v", id=1001, subject="bob")
    assert renamed["rule"]["subject"] == "bob"

    for changed in (True, False):
        deleted = manage(manage_record, RULE, volume="v", subject="bob", state="absent")
        assert (deleted["changed"], deleted["rule"]) == (changed, None)
    assert server.writes == [
        ("POST", PATH, {"subject": "alice", "ipRange": "10.0.0.1/8", "maxSize": 1024, "writable": False}),
        ("PUT", f"{PATH}/1001", {"subject": "alice", "ipRange": "*", "maxSize": 1024}),
        ("PUT", f"{PATH}/1001", {"subject": "bob", "ipRange": "*", "maxSize": 1024}),
        ("DELETE", f"{PATH}/1001", None),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "subject or id is required, to identify the rule."),
        ({"subject": "carol"}, "rule 'carol' does not exist, and creating it requires range."),
        ({"subject": "alice", "range": "x"}, "range must be a network"),
        ({"subject": "alice", "writable": False}, "writable is true, wanted false"),
        ({"id": 6, "subject": "alice"}, "rule 'bob' (id 6) cannot become 'alice'"),
    ],
)
def test_what_cannot_be_done_is_refused(
    manage: Manage, server: ListServer, options: dict[str, Any], message: str
) -> None:
    server.lists[PATH] = [ALICE, BOB]
    result = manage(manage_record, RULE, volume="v", **options)
    assert result["failed"]
    assert message in result["msg"]
    assert server.writes == []


def test_a_create_only_field_is_updated_on_demand(manage: Manage, server: ListServer) -> None:
    server.lists[PATH] = [dict(BOB)]
    result = manage(manage_record, RULE, volume="v", subject="bob", writable=True, create_only_changes="update")
    assert result["rule"]["writable"] is True


def test_a_list_is_managed_in_one_task(manage: Manage, server: ListServer) -> None:
    server.lists[PATH] = [dict(ALICE), dict(BOB), {"id": 7, "subject": "", "ipRange": "*"}]
    items = [{"subject": "alice", "max_size": "2K"}, {"subject": "carol", "range": "*"}]
    done = {"created": ["carol"], "updated": ["alice"], "deleted": ["bob", "id 7"], "unchanged": 0, "errors": []}

    predicted = manage(manage_list, RULE, check=True, volume="v", rules=items, purge=True)
    assert {name: predicted[name] for name in done} == done
    assert server.writes == []

    result = manage(manage_list, RULE, volume="v", rules=items, purge=True)
    assert {name: result[name] for name in done} == done
    assert "hunter2" not in str(result)
    assert [record["subject"] for record in server.lists[PATH]] == ["alice", "carol"]

    again = manage(manage_list, RULE, volume="v", rules=items, purge=True)
    assert (again["changed"], again["unchanged"]) == (False, 2)


def test_records_are_listed(manage: Manage, server: ListServer) -> None:
    server.lists[PATH] = [ALICE, BOB]
    server.lists["volumes/2/acl"] = [{**BOB, "id": 9}]
    everywhere = manage(list_records, RULE)
    assert [(rule["volume_id"], rule["subject"]) for rule in everywhere["rules"]] == [
        (1, "alice"),
        (1, "bob"),
        (2, "bob"),
    ]
    (alice,) = manage(list_records, RULE, volume="v", subject="alice")["rules"]
    assert (alice["range"], alice["max_size"], alice["token"]) == ("10.0.0.0/8", 1024, "********")
    (bob,) = manage(list_records, RULE, volume="v", id=6)["rules"]
    assert bob["subject"] == "bob"


def test_without_an_update_a_record_is_created_and_deleted_and_never_renamed(
    manage: Manage, server: ListServer
) -> None:
    assert manage(manage_record, TAG, volume="v", label="a")["tag"] == {"id": 1001, "label": "a"}
    assert not manage(manage_record, TAG, volume="v", label="a")["changed"]
    renamed = manage(manage_record, TAG, volume="v", id=1001, label="b")
    assert "id 1001 and label 'b' are not the same tag" in renamed["msg"]
    assert (
        "create_only_changes" in manage(manage_record, TAG, volume="v", label="a", create_only_changes="update")["msg"]
    )
    many = manage(manage_list, TAG, volume="v", tags=[{"label": "c"}], purge=True)
    assert (many["created"], many["deleted"]) == (["c"], ["a"])
    assert [method for method, _path, _body in server.writes] == ["POST", "POST", "DELETE"]
