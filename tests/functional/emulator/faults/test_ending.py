# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What ends a fault, and delays: a reset, a stop, the latency and the date."""

from __future__ import annotations

import threading
import time
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from emulator import Client, Emulator, Fault
from functional.emulator.faults.support import is_refused, made, post


def test_a_reset_ends_what_is_waiting(server: Emulator, client: Client) -> None:
    server.inject(Fault("silent_before", seconds=30))
    caught: list[BaseException] = []

    def send() -> None:
        """Send a request that gets no response."""
        try:
            post(client)
        except OSError as error:
            caught.append(error)

    thread = threading.Thread(target=send)
    thread.start()
    while not server.requests:
        time.sleep(0.01)
    before = time.monotonic()
    server.reset()
    thread.join()
    assert time.monotonic() - before < 1
    assert isinstance(caught[0], ConnectionResetError)
    with Client.of(server) as other:
        assert other.send("GET", "/volumes").json == []


def test_what_waits_for_latency_has_no_effect_after_a_reset(server: Emulator, client: Client) -> None:
    server.latency = 0.4
    thread = threading.Thread(target=_post_in_vain, args=(client,))
    thread.start()
    time.sleep(0.1)
    server.reset()
    assert server.add_volume(name="archive") == 101
    thread.join()
    assert (server.requests, made(server)) == ([], [])


def _post_in_vain(client: Client) -> None:
    """Create a quota, but be cut off."""
    with pytest.raises(ConnectionResetError):
        post(client)


def test_a_reset_ends_a_refusal(server: Emulator) -> None:
    server.refuse(30)
    assert is_refused(server)
    server.reset()
    assert not is_refused(server)
    with Client.of(server) as waiting:
        server.inject(Fault("slow", seconds=0.2))
        thread = threading.Thread(target=waiting.send, args=("GET", "/volumes"))
        thread.start()
        while not server.requests:
            time.sleep(0.01)
        server.refuse(30)
        thread.join()
        waiting.control("POST", "reset")
        waiting.close()
        end = time.monotonic() + 5
        while is_refused(server):
            assert time.monotonic() < end
            time.sleep(0.01)


def test_a_stop_ends_what_is_waiting() -> None:
    with Emulator() as server, Client.of(server) as client:
        server.inject(Fault("silent_after", seconds=30))

        def send() -> None:
            """Send a request that gets no response."""
            with pytest.raises(OSError, match=r"\w"):
                client.send("GET", "/volumes")

        thread = threading.Thread(target=send)
        thread.start()
        while not server.requests:
            time.sleep(0.01)
        before = time.monotonic()
    thread.join()
    assert time.monotonic() - before < 2


def test_latency(server: Emulator, client: Client) -> None:
    server.latency = 0.3
    before = time.monotonic()
    client.send("GET", "/volumes")
    assert 0.3 <= time.monotonic() - before < 2
    server.reset()
    before = time.monotonic()
    client.send("GET", "/volumes")
    assert time.monotonic() - before < 0.3


def test_latency_is_not_added_up(server: Emulator) -> None:
    server.latency = 0.3

    def send() -> None:
        """Send one request."""
        with Client.of(server) as client:
            client.send("GET", "/volumes")

    threads = [threading.Thread(target=send) for _time in range(5)]
    before = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - before < 1.3
    assert len(server.requests) == 5


def test_date_and_age(server: Emulator, client: Client) -> None:
    def date(reply: Any) -> float:
        """Return how far the Date of a response is from now."""
        return parsedate_to_datetime(reply.headers["date"]).timestamp() - time.time()

    reply = client.send("GET", "/volumes")
    assert -2 < date(reply) <= 0
    assert "age" not in reply.headers
    server.clock_offset = -3600.0
    assert -3602 < date(client.send("GET", "/volumes")) <= -3600
    server.clock_offset = 365 * 86400.0
    reply = client.send("GET", "/volumes")
    assert (reply.status, round(date(reply) / 86400)) == (401, 365)
    server.age = "5"
    assert client.send("GET", "/volumes").headers["age"] == "5"
    server.send_date = False
    assert "date" not in client.send("GET", "/volumes").headers
    server.reset()
    reply = client.send("GET", "/volumes")
    assert (reply.status, "age" in reply.headers, "date" in reply.headers) == (200, False, True)
