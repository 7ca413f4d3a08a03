# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which requests a fault hits."""

from __future__ import annotations

from emulator import Client, Emulator, Fault
from functional.emulator.faults.support import made, post


def test_nth_and_times(server: Emulator, client: Client) -> None:
    server.inject(Fault("status", method="post", path="/quotas$", nth=2, times=2))
    client.send("GET", "/volumes/101/quotas")
    assert [post(client, f"/{number}").status for number in range(5)] == [201, 500, 500, 201, 201]
    assert made(server) == ["/0", "/3", "/4"]


def test_for_ever(server: Emulator, client: Client) -> None:
    server.inject(Fault("status", path="quotas", times=None))
    assert {client.send("GET", "/volumes/101/quotas").status for _time in range(20)} == {500}
    assert client.send("GET", "/volumes").status == 200
    server.clear_faults()
    assert client.send("GET", "/volumes/101/quotas").status == 200


def test_several_faults_count_each_for_itself_and_the_first_hits(server: Emulator, client: Client) -> None:
    server.inject(
        Fault("status", status=500, nth=2), Fault("status", status=502, nth=2), Fault("status", status=503, nth=3)
    )
    assert [client.send("GET", "/volumes").status for _time in range(4)] == [200, 500, 503, 200]


def test_faults_do_not_replace_the_signature(server: Emulator) -> None:
    server.inject(Fault("slow", seconds=0.0), Fault("status", effect=True, nth=2))
    with Client(server.url, server.access_key, "wrong") as client:
        assert post(client).status == 401
        assert post(client).status == 500
    assert made(server) == []


def test_control_and_other_paths_are_no_api_requests(server: Emulator, client: Client) -> None:
    server.inject(Fault("status"))
    assert client.control("GET", "state")["requests"] == 0
    assert client.send_as_is("GET", "/other", headers={"Host": "localhost"}).status == 404
    assert client.send("GET", "/volumes").status == 500
