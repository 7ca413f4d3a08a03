# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes by somebody else at a certain request."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Client, Dialect, Emulator, Fault
from functional.emulator.faults.support import made, post

QUOTAS = "/volumes/101/quotas"


def quota(action: str, **settings: Any) -> dict[str, Any]:
    """Return a change of a quota."""
    return {"action": action, "resource": "quotas", "volume_id": 101, **settings}


def test_somebody_creates_before_a_read(server: Emulator, client: Client) -> None:
    change = quota("create", fields={"path": "/other", "size": 5})
    server.inject(Fault("meanwhile", method="GET", path="quotas$", nth=2, change=change))
    assert [len(client.send("GET", QUOTAS).json) for _time in range(3)] == [0, 1, 1]
    assert [(entry["path"], entry["size"], entry["inodes"]) for entry in server.quotas(101)] == [("/other", 5, 0)]
    assert [entry.fault for entry in server.requests] == [None, "meanwhile", None]
    assert server.writes == []


def test_somebody_updates_between_a_read_and_a_write(server: Emulator, client: Client) -> None:
    identity = server.add_quota(101, path="/a", size=1, inodes=2)
    server.inject(
        Fault("meanwhile", method="GET", moment="after", change=quota("update", key="/a", fields={"size": 9}))
    )
    assert client.send("GET", QUOTAS).json == [{"id": identity, "path": "/a", "size": 1, "inodes": 2}]
    assert client.send("GET", QUOTAS).json == [{"id": identity, "path": "/a", "size": 9, "inodes": 2}]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_somebody_deletes_around_a_write(server: Emulator, client: Client, moment: str) -> None:
    identity = server.add_quota(101, path="/a")
    server.inject(Fault("meanwhile", method="PUT", moment=moment, change=quota("delete", id=identity)))
    reply = client.send("PUT", f"{QUOTAS}/{identity}", {"path": "/a", "size": 1})
    assert reply.status == (404 if moment == "before" else 200)
    assert made(server) == []


def test_somebody_is_first_with_a_unique_key(server: Emulator, client: Client) -> None:
    server.dialect = Dialect(unique_keys=True)
    server.inject(Fault("meanwhile", method="POST", change=quota("create", fields={"path": "/a"})))
    assert post(client).status == 400
    assert made(server) == ["/a"]


def test_what_others_do_is_as_late_as_what_we_do(server: Emulator, client: Client) -> None:
    server.dialect = Dialect(appear_after=60.0, vanish_after=60.0, update_appear_after=60.0)
    server.add_quotas(101, [{"path": "/old"}, {"path": "/moved"}])
    for change in (
        quota("create", fields={"path": "/new"}),
        quota("delete", key="/old"),
        quota("update", key="/moved", fields={"path": "/away"}),
    ):
        server.inject(Fault("meanwhile", change=change))
    assert [entry["path"] for entry in client.send("GET", QUOTAS).json] == ["/old", "/moved"]
    assert made(server) == ["/away", "/new"]


def test_other_faults_are_as_ever(server: Emulator, client: Client) -> None:
    change = quota("create", fields={"path": "/other"})
    server.inject(
        Fault("meanwhile", method="POST", change=change, times=2),
        Fault("status", method="POST", status=500),
        Fault("meanwhile", method="POST", change=change),
    )
    assert [post(client).status for _time in range(3)] == [500, 201, 201]
    assert made(server) == ["/other", "/other", "/other", "/a", "/a"]
    assert [entry.fault for entry in server.requests] == ["status", "meanwhile", None]


def test_volumes_and_exports_too(server: Emulator, client: Client) -> None:
    rule = {"desc": "web", "iprange": "*", "token": "theirs"}
    server.inject(
        Fault("meanwhile", change={"action": "create", "resource": "volumes", "fields": {"name": "w"}}),
        Fault("meanwhile", change={"action": "create", "resource": "exports", "volume_id": 101, "fields": rule}),
        Fault("meanwhile", nth=2, change={"action": "delete", "resource": "volumes", "key": "archive"}),
    )
    shown = client.send("GET", "/volumes").json
    assert [(volume["name"], len(volume["access_rules"])) for volume in shown] == [("archive", 1), ("w", 0)]
    assert server.tokens()[0] == "theirs"
    assert [volume["name"] for volume in client.send("GET", "/volumes").json] == ["w"]


def test_what_is_not_there_is_left_alone(server: Emulator, client: Client) -> None:
    taken = server.add_quota(101, path="/a")
    for change in (
        quota("update", key="/a ", fields={"size": 1}),
        quota("delete", key="/a/"),
        quota("delete", id=5),
        quota("create", fields={"path": "/b", "id": taken}),
        {"action": "create", "resource": "quotas", "volume_id": 102, "fields": {"path": "/b"}},
    ):
        server.inject(Fault("meanwhile", change=change))
    assert client.send("GET", QUOTAS).json == [{"id": taken, "path": "/a", "size": 0, "inodes": 0}]


def test_by_the_control_routes(server: Emulator, client: Client) -> None:
    change = quota("create", fields={"path": "/other"})
    given = {"kind": "meanwhile", "method": "GET", "path": "quotas", "moment": "after", "change": change}
    faults = client.control("POST", "faults", given)["faults"]
    assert faults[0]["change"] == change
    assert client.control("GET", "state")["faults"] == faults
    client.send("GET", "/volumes")
    assert made(server) == []
    client.send("GET", QUOTAS)
    assert made(server) == ["/other"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "meanwhile needs a change"),
        ({"change": []}, "a change is an object"),
        ({"change": {"action": "create"}}, "a change is an object"),
        ({"change": quota("create", colour="red")}, "a change is an object"),
        ({"change": quota("rename")}, "action: 'rename'"),
        ({"change": {"action": "create", "resource": "trash"}}, "resource: 'trash'"),
        ({"change": quota("delete")}, "delete needs either id or key"),
        ({"change": quota("update", id=1, key="/a")}, "update needs either id or key"),
        ({"change": quota("create", fields=[])}, "fields: "),
        ({"change": quota("delete", id=True)}, "id: True"),
        ({"change": quota("create"), "moment": "soon"}, "moment is one of before, after"),
        ({"change": quota("create"), "flaw": "rust"}, "flaw is one of bom"),
        ({"change": quota("create"), "kind": "slow"}, "nothing else has one"),
    ],
    ids=str,
)
def test_bad_changes_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Fault.of({"kind": "meanwhile", **settings})
