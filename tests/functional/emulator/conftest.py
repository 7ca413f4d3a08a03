# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the emulator's own tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emulator import Client, Emulator


@pytest.fixture(scope="module")
def _server() -> Iterator[Emulator]:
    with Emulator() as server:
        yield server


@pytest.fixture
def server(_server: Emulator) -> Emulator:
    """Return an empty console of the default dialect."""
    _server.reset()
    return _server


@pytest.fixture
def client(server: Emulator) -> Iterator[Client]:
    """Yield a client of the console."""
    with Client.of(server) as client:
        yield client
