# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The clock of the tests of dialects, and shorthands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emulator import Reply

START = 1_800_000_000.0


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


Speak = Callable[..., int]


def results(reply: Reply) -> list[dict[str, Any]]:
    """Return the records of a list in either shape."""
    found: list[dict[str, Any]] = reply.json["results"] if isinstance(reply.json, dict) else reply.json
    return found
