# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An emulator of the console: a real HTTP server of its specification, for demo, tests and rehearsals.

with Emulator(dialect=Dialect.named("paged")) as emulator:
    volume = emulator.add_volume(name="archive", bucket="https://archive.example.com")
    emulator.inject(Fault("reset_after", method="POST"))
    change = {"action": "delete", "resource": "volumes", "id": volume}
    emulator.inject(Fault("meanwhile", method="GET", nth=2, moment="after", change=change))
    ...  # work with emulator.url, emulator.access_key and emulator.secret_key
    assert [request.method for request in emulator.requests] == ["GET", "POST", "GET"]
"""

from __future__ import annotations

from .answers import LoggedRequest
from .client import Client, Reply
from .dialect import BROKEN, CHOICES, Dialect
from .emulator import Emulator
from .faults import KINDS as FAULT_KINDS
from .faults import Fault

__all__ = ["BROKEN", "CHOICES", "FAULT_KINDS", "Client", "Dialect", "Emulator", "Fault", "LoggedRequest", "Reply"]
