# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Probing a console that the emulator plays."""

from __future__ import annotations

import ssl
from typing import Any

from emulator import Dialect, Emulator
from functional.support.inprocess import FakeClock
from probe.client import Connection
from probe.replay import Outcome, probe
from probe.runner import Target

MARK = "probe-0123abcd"
SCRATCH = Target(volume="scratch", fields={"bucket": "https://scratch.example.com", "region": 1})
LIMIT = 250 + 60
USERS: list[tuple[str, list[str], list[str]]] = [("other", ["web"], []), ("mine", [], [])]
# Made once, since it takes longer than a probe.
TLS = ssl.create_default_context()


def probed(emulator: Emulator, clock: FakeClock, target: Target = SCRATCH) -> Outcome:
    """Return what comes of a probe of a console."""
    emulator.forget_requests()
    connection = Connection(emulator.url, emulator.access_key, emulator.secret_key, tls=TLS)
    outcome = probe(connection, target, MARK, clock)
    assert len(emulator.requests) <= LIMIT
    return outcome


def values(outcome: Outcome) -> dict[str, Any]:
    """Return the values of a profile."""
    return {name: entry["value"] for name, entry in outcome.profile.items()}


def existing(emulator: Emulator) -> Target:
    """Return an empty volume of the user's, which there is beside another."""
    other = emulator.add_volume(name="other", bucket="https://other.example.com")
    emulator.add_export(other, desc="web", iprange="*")
    return Target(existing=emulator.add_volume(name="mine", bucket="https://mine.example.com"))


def records(emulator: Emulator) -> list[tuple[str, list[str], list[str]]]:
    """Return the names of all volumes, with the keys of their exports and quotas."""
    lists = ((emulator.exports, "desc"), (emulator.quotas, "path"))
    return [
        (volume["name"], *([record[key] for record in read(volume["id"])] for read, key in lists))
        for volume in emulator.volumes()
    ]


def recognizable(settings: dict[str, Any]) -> Dialect:
    """Return the dialect of these settings, with an id in the response to a creation where lists show no keys."""
    if settings.get("keys", "shown") != "shown":
        settings = {**settings, "answers": "plain", "create_body": "record"}
    return Dialect(**settings)
