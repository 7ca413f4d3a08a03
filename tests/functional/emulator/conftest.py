# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the emulator's own tests: a console with a clock that the test moves, and a client."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Dialect, Emulator, Reply

START = 1_800_000_000.0
BUCKET = "https://archive.example.com"
QUOTA, EXPORT = "quotas/30001", "exports/2001"


class Clock:
    """A clock that a test moves."""

    now = START

    def __call__(self) -> float:
        return self.now


class Rig:
    """A console with one empty volume, 101, a client of it, and the clock of both."""

    def __init__(self, server: Emulator, clock: Clock) -> None:
        self.server, self.clock = server, clock
        self.client = Client.of(server, clock=clock, timeout=5)
        clock.now = START
        self.speak()

    def speak(self, **settings: Any) -> None:
        """Start over in a dialect."""
        self.server.reset(Dialect(**settings))
        self.server.add_volume(name="archive", bucket=BUCKET)

    def send(self, method: str, path: str, value: Any = None, **options: Any) -> Reply:
        """Send a request to a path below the API, or below the volume if it does not begin with a slash."""
        return self.client.send(method, path if path.startswith("/") else f"/volumes/101/{path}", value, **options)

    def get(self, path: str) -> Any:
        return self.send("GET", path).json

    def quotas(self) -> dict[str, int]:
        """Return the true size of each quota by its path."""
        return {quota["path"]: quota["size"] for quota in self.server.quotas(101)}


@pytest.fixture(scope="module")
def _console() -> Iterator[tuple[Emulator, Clock]]:
    clock = Clock()
    with Emulator(clock=clock) as server:
        yield server, clock


@pytest.fixture
def rig(_console: tuple[Emulator, Clock]) -> Iterator[Rig]:
    """Yield a console of the default dialect."""
    rig = Rig(*_console)
    yield rig
    rig.client.close()


def quota(action: str, **settings: Any) -> dict[str, Any]:
    """Return a change of a quota by another user."""
    return {"action": action, "resource": "quotas", "volume_id": 101, **settings}


def connect(server: Emulator) -> socket.socket:
    parts = urlsplit(server.url)
    return socket.create_connection((str(parts.hostname), int(parts.port or 0)), 5)


def exchange(server: Emulator, data: bytes) -> bytes:
    """Send bytes and return all that comes until the other end closes."""
    with connect(server) as plain:
        plain.sendall(data)
        return b"".join(iter(lambda: plain.recv(65536), b""))


def until(condition: Callable[[], Any]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


CREATED = quota("create", fields={"path": "/new", "size": 5})
