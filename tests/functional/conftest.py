# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the functional tests: a console, and a way to run modules against it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import settings

from emulator import Dialect, Emulator
from functional.support.cases import DERANDOMIZED
from functional.support.inprocess import FakeClock, Run, SharedConsole, connection_to, run_module
from functional.support.one_volume import Console
from functional.support.rawserver import RawServer, StartServer
from functional.support.sidebyside import ended

__all__ = ["ended"]

settings.register_profile("console", deadline=None, print_blob=True, derandomize=DERANDOMIZED)
settings.load_profile("console")


@pytest.fixture(scope="session")
def shared_console() -> Iterator[SharedConsole]:
    """Yield a console, and the clock that it shares with the modules."""
    clock = FakeClock()
    with Emulator(dialect=Dialect(), clock=clock.time) as emulator:
        yield emulator, clock


@pytest.fixture(autouse=True)
def _no_connection_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONSOLE_URL", "ACCESS_KEY", "SECRET_KEY", "VALIDATE_CERTS", "CA_PATH", "TIMEOUT", "RETRIES"):
        monkeypatch.delenv(f"MANAGEDFS_{name}", raising=False)


@pytest.fixture
def clock(shared_console: SharedConsole) -> Iterator[FakeClock]:
    """Yield the clock of the emulator and the modules, which advances only while a module waits."""
    clock = shared_console[1]
    clock.slept.clear()
    yield clock
    # Property tests have the same clock, without this fixture.
    clock.on_sleep = lambda: None


@pytest.fixture
def emulator(shared_console: SharedConsole) -> Emulator:
    """Return an empty console of the default dialect."""
    shared_console[0].reset()
    return shared_console[0]


@pytest.fixture
def run(emulator: Emulator, clock: FakeClock) -> Run:
    """Return a function that runs a module by name with options, against the emulator."""
    connection = connection_to(emulator)

    def run(name: str, /, *, check: bool = False, diff: bool = True, **options: Any) -> dict[str, Any]:
        return run_module(name, {**connection, **options}, clock, check=check, diff=diff)

    return run


@pytest.fixture
def raw_server() -> Iterator[StartServer]:
    """Yield a function that starts servers with a fixed response, or one computed from the request."""
    with contextlib.ExitStack() as stack:
        yield lambda response: stack.enter_context(RawServer(response))


@pytest.fixture
def use_proxy(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that lets the environment name a proxy, in these variables."""

    def use_proxy(url: str, *variables: str) -> None:
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        for name in variables or ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, url)

    return use_proxy


@pytest.fixture
def volume(emulator: Emulator) -> int:
    """Return the id of an empty volume named v."""
    return emulator.add_volume(name="v", bucket="https://v.example.com")


@pytest.fixture
def console(emulator: Emulator, run: Run) -> Console:
    """Return a console with one volume."""
    return Console(emulator, run)
