# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes by somebody else at a certain request."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Client, Dialect, Emulator, Fault
from functional.emulator.conftest import CREATED, QUOTAS, made, post, quota


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(
    ("change", "after"),
    [
        (CREATED, {"/a": 1, "/new": 5}),
        (quota("update", key="/a", fields={"size": 9}), {"/a": 9}),
        (quota("update", id=30001, fields={"path": "/b"}), {"/b": 1}),
        (quota("delete", key="/a"), {}),
        (quota("delete", id=30001), {}),
        (quota("update", key="/a ", fields={"size": 9}), {"/a": 1}),
        (quota("delete", key="/a/"), {"/a": 1}),
        (quota("delete", id=5), {"/a": 1}),
        (quota("create", fields={"path": "/b", "id": 30001}), {"/a": 1}),
        ({**CREATED, "volume_id": 102}, {"/a": 1}),
    ],
    ids=str,
)
def test_meanwhile(server: Emulator, client: Client, moment: str, change: Any, after: dict[str, int]) -> None:
    server.add_quota(101, path="/a", size=1)
    server.inject(Fault("meanwhile", method="GET", path="quotas$", nth=2, moment=moment, change=change))
    found = [{q["path"]: q["size"] for q in client.send("GET", QUOTAS).json} for _time in range(3)]
    assert found == [{"/a": 1}, after if moment == "before" else {"/a": 1}, after]
    assert [entry.fault for entry in server.requests] == [None, "meanwhile", None]


def test_meanwhile_around_writes_and_with_other_faults(server: Emulator, client: Client) -> None:
    server.dialect = Dialect(unique_keys=True)
    server.inject(Fault("meanwhile", method="POST", change=CREATED), Fault("status", method="POST", nth=2))
    assert [post(client, "/new").status, post(client).status] == [400, 500]
    for moment, status in (("after", 200), ("before", 404)):
        identity = server.add_quota(101, path="/b")
        server.inject(Fault("meanwhile", method="PUT", moment=moment, change=quota("delete", id=identity)))
        assert client.send("PUT", f"{QUOTAS}/{identity}", {"size": 1}).status == status
    assert made(server) == ["/new"]


def test_what_others_do_is_as_late_as_what_we_do(server: Emulator, client: Client) -> None:
    server.dialect = Dialect(appear_after=60.0, vanish_after=60.0, update_appear_after=60.0)
    server.add_quotas(101, [{"path": "/old"}, {"path": "/moved"}])
    for change in (CREATED, quota("delete", key="/old"), quota("update", key="/moved", fields={"path": "/away"})):
        server.inject(Fault("meanwhile", change=change))
    assert [entry["path"] for entry in client.send("GET", QUOTAS).json] == ["/old", "/moved"]
    assert made(server) == ["/away", "/new"]


def test_meanwhile_volumes_and_exports(server: Emulator, client: Client) -> None:
    rule = {"desc": "web", "iprange": "*", "token": "theirs"}
    server.inject(
        Fault("meanwhile", change={"action": "create", "resource": "volumes", "fields": {"name": "w"}}),
        Fault("meanwhile", change={"action": "create", "resource": "exports", "volume_id": 101, "fields": rule}),
        Fault("meanwhile", nth=2, change={"action": "delete", "resource": "volumes", "key": "archive"}),
    )
    shown = client.send("GET", "/volumes").json
    assert [(volume["name"], len(volume["access_rules"])) for volume in shown] == [("archive", 1), ("w", 0)]
    assert server.tokens() == ["theirs"]
    assert [volume["name"] for volume in client.send("GET", "/volumes").json] == ["w"]
