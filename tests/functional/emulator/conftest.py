# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the emulator's own tests: a console with a clock that the test moves, and a client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from emulator import Client, Dialect, Emulator

START = 1_800_000_000.0
BUCKET = "https://archive.example.com"
QUOTAS = "/volumes/101/quotas"
Speak = Callable[..., str]


class Clock:
    """A clock that a test moves."""

    now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def _console() -> Iterator[tuple[Emulator, Clock]]:
    clock = Clock()
    with Emulator(clock=clock) as server:
        yield server, clock


@pytest.fixture
def clock(_console: tuple[Emulator, Clock]) -> Clock:
    """Return the clock of console and client."""
    _console[1].now = START
    return _console[1]


@pytest.fixture
def server(_console: tuple[Emulator, Clock]) -> Emulator:
    """Return a console of the default dialect with one empty volume, 101."""
    _console[0].reset()
    _console[0].add_volume(name="archive", bucket=BUCKET)
    return _console[0]


@pytest.fixture
def client(server: Emulator, clock: Clock) -> Iterator[Client]:
    """Yield a client of the console that shares its clock."""
    with Client.of(server, clock=clock, timeout=5) as client:
        yield client


@pytest.fixture
def speak(server: Emulator) -> Speak:
    """Return a function that starts over in a dialect and returns the path of an empty volume."""

    def speak(**settings: Any) -> str:
        server.reset(Dialect(**settings))
        return f"/volumes/{server.add_volume(name='archive', bucket=BUCKET)}"

    return speak


def post(client: Client, path: str = "/a") -> Any:
    """Create a quota."""
    return client.send("POST", QUOTAS, {"path": path})


def made(server: Emulator) -> list[str]:
    """Return the paths of the quotas there are."""
    return [quota["path"] for quota in server.quotas(101)]


def quota(action: str, **settings: Any) -> dict[str, Any]:
    """Return a change of a quota by somebody else."""
    return {"action": action, "resource": "quotas", "volume_id": 101, **settings}


CREATED = quota("create", fields={"path": "/new", "size": 5})
