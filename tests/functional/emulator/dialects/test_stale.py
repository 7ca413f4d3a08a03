# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists from before a write: late ones, and stale ones in between."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from emulator import Client, Dialect, Emulator
from functional.emulator.dialects.support import Clock, Speak


@pytest.fixture
def read(client: Client) -> Any:
    """Return a function that reads the quotas of the first volume and returns their sizes by path."""

    def read(page: int = 1) -> dict[str, int]:
        shown = client.send("GET", f"/volumes/101/quotas?page={page}").json
        return {record["path"]: record["size"] for record in (shown["results"] if isinstance(shown, dict) else shown)}

    return read


def test_stale_every_and_for(speak: Speak, server: Emulator, client: Client, clock: Clock, read: Any) -> None:
    path = f"/volumes/{speak(stale_every=3, stale_for=2.0)}/quotas"
    kept, lost = server.add_quota(101, path="/kept", size=1), server.add_quota(101, path="/lost", size=1)
    before = {"/kept": 1, "/lost": 1}
    assert [read() for _time in range(3)] == [before] * 3
    client.send("PUT", f"{path}/{kept}", {"size": 2})
    client.send("DELETE", f"{path}/{lost}")
    client.send("POST", path, {"path": "/new"})
    after = {"/kept": 2, "/new": 0}
    assert [read() for _time in range(6)] == [after, after, before, after, after, before]
    assert {quota["path"]: quota["size"] for quota in server.quotas(101)} == after
    clock.now += 1.5
    client.send("PUT", f"{path}/{kept}", {"size": 3})
    clock.now += 0.5
    between, after = after, {**after, "/kept": 3}
    assert [read() for _time in range(3)] == [after, after, between]
    clock.now += 2
    assert [read() for _time in range(3)] == [after] * 3


def test_stale_lists_are_counted_each_for_itself(speak: Speak, client: Client) -> None:
    volume = speak(stale_every=2)
    assert client.send("GET", "/volumes").json != []
    for kind, body in (("quotas", {"path": "/a"}), ("exports", {"desc": "a", "iprange": "*"})):
        path = f"/volumes/{volume}/{kind}"
        client.send("POST", path, body)
        assert [len(client.send("GET", path).json) for _time in range(4)] == [1, 0, 1, 0]
    client.send("DELETE", f"/volumes/{volume}")
    assert len(client.send("GET", "/volumes").json) == 1
    assert client.send("GET", "/volumes").json == []


def test_all_pages_of_a_stale_list_are_stale(speak: Speak, server: Emulator, client: Client, read: Any) -> None:
    volume = speak(list_shape="page", page_size=2, stale_every=2)
    ids = server.add_quotas(volume, [{"path": f"/{number}"} for number in range(3)])
    client.send("DELETE", f"/volumes/{volume}/quotas/{ids[0]}")
    assert list(read()) == ["/1", "/2"]
    assert [list(read(page)) for page in (1, 2)] == [["/0", "/1"], ["/2"]]
    assert list(read()) == ["/1", "/2"]


def test_a_stale_list_of_late_records(speak: Speak, client: Client, clock: Clock, read: Any) -> None:
    path = f"/volumes/{speak(stale_every=2, stale_for=2.0, appear_after=1.0, vanish_after=1.0)}/quotas"
    quota = client.send("POST", path, {"path": "/a"}).json["id"]
    assert [read(), read()] == [{}, {}]
    client.send("PUT", f"{path}/{quota}", {"size": 1})
    assert [read(), read()] == [{}, {}]
    clock.now += 1
    assert [read(), read()] == [{"/a": 1}, {}]
    client.send("DELETE", f"{path}/{quota}")
    clock.now += 1
    assert [read(), read()] == [{}, {"/a": 1}]


def test_update_appear_after(speak: Speak, server: Emulator, client: Client, clock: Clock, read: Any) -> None:
    path = f"/volumes/{speak(update_appear_after=2.0)}/quotas"
    quota = server.add_quota(101, path="/a")
    assert client.send("PUT", f"{path}/{quota}", {"size": 1}).json["size"] == 1
    clock.now += 1
    client.send("PUT", f"{path}/{quota}", {"path": "/b"})
    assert read() == {"/a": 0}
    clock.now += 1
    assert read() == {"/a": 1}
    assert server.quotas(101) == [{"id": quota, "path": "/b", "size": 1, "inodes": 0}]
    client.send("POST", path, {"path": "/c"})
    assert read() == {"/a": 1, "/c": 0}
    clock.now += 1
    assert read() == {"/b": 1, "/c": 0}
    client.send("PUT", f"{path}/{quota}", {"size": 2})
    client.send("DELETE", f"{path}/{quota}")
    assert read() == {"/c": 0}


def test_a_new_dialect_shows_all_that_was_written(speak: Speak, server: Emulator, client: Client, read: Any) -> None:
    volume = speak(stale_every=1)
    client.send("POST", f"/volumes/{volume}/quotas", {"path": "/a"})
    assert read() == {}
    server.dialect = Dialect(stale_every=1)
    assert read() == {"/a": 0}


def test_appear_after_is_looked_at_by_each_reading_of_two_at_once(speak: Speak, server: Emulator, clock: Clock) -> None:
    path = f"/volumes/{speak(appear_after=0.3)}/quotas"
    both = threading.Barrier(2)
    lengths: list[list[int]] = []

    def create() -> None:
        """Create a quota with the same path, and count the listed quotas before, right after and later."""
        with Client.of(server, clock=clock) as client:
            both.wait()
            found = [len(client.send("GET", path).json)]
            both.wait()
            client.send("POST", path, {"path": "/a"})
            both.wait()
            found.append(len(client.send("GET", path).json))
            if both.wait() == 0:
                clock.now += 0.3
            both.wait()
            found.append(len(client.send("GET", path).json))
            lengths.append(found)

    threads = [threading.Thread(target=create) for _time in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lengths == [[0, 0, 2]] * 2
