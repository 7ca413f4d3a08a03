# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the tests of dialects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from emulator import Client, Dialect, Emulator
from functional.emulator.dialects.support import START, Clock, Speak

BUCKET = "https://archive.example.com"


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
    """Return an empty console."""
    _console[0].reset()
    return _console[0]


@pytest.fixture
def client(server: Emulator, clock: Clock) -> Iterator[Client]:
    """Yield a client of the console that shares its clock."""
    with Client.of(server, clock=clock) as client:
        yield client


@pytest.fixture
def speak(server: Emulator) -> Speak:
    """Return a function that sets a dialect and returns the id of an empty volume."""

    def speak(**settings: Any) -> int:
        server.reset(Dialect(**settings))
        return server.add_volume(name="archive", bucket=BUCKET)

    return speak
