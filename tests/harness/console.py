# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Starts and stops the emulator."""

from __future__ import annotations

import json
import os
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from harness.places import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STARTS_WITHIN = 30
STOPS_WITHIN = 10


class Console(NamedTuple):
    """Where a running console is, and what it takes to talk to it."""

    url: str
    access_key: str
    secret_key: str

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables that the modules read."""
        return {
            "MANAGEDFS_CONSOLE_URL": self.url,
            "MANAGEDFS_ACCESS_KEY": self.access_key,
            "MANAGEDFS_SECRET_KEY": self.secret_key,
        }


@contextmanager
def running(python: Path, folder: Path, *, life: int) -> Iterator[Console]:
    """Run the emulator on a free port for as long as the block lasts, and for `life` seconds at most."""
    ready, log = folder / "emulator.json", folder / "emulator.log"
    ready.unlink(missing_ok=True)
    command = [str(python), "-m", "emulator", "--port", "0", "--ready-file", str(ready), "--life", str(life)]
    env = os.environ | {"PYTHONPATH": str(CHECKOUT / "tests")}
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, env=env, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield wait_until_ready(process, ready, log)
    finally:
        stop(process)


def wait_until_ready(process: subprocess.Popen[bytes], ready: Path, log: Path) -> Console:
    """Wait until the emulator has written down where it is."""
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        if ready.exists() and (text := ready.read_text(encoding="utf-8")).rstrip().endswith("}"):
            told = json.loads(text)
            return Console(told["url"], told["access_key"], told["secret_key"])
        time.sleep(0.05)
    message = (
        f"the emulator did not start within {STARTS_WITHIN} seconds; it printed:\n{log.read_text(encoding='utf-8')}"
    )
    raise RuntimeError(message)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop the emulator, whatever it takes."""
    process.terminate()
    try:
        process.wait(STOPS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
