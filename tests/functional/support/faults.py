# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Faults that the tests of several subjects inject."""

from __future__ import annotations

from typing import Any

from emulator import Emulator, Fault


def serve_lists(emulator: Emulator, path: str, *bodies: Any) -> None:
    """Make each reading of the list return the next of these, and the last of them from then on."""
    for number, body in enumerate(bodies, start=1):
        times = None if number == len(bodies) else 1
        emulator.inject(Fault("wrong_json", method="GET", path=path, nth=number, times=times, value=body))


def others(action: str, resource: str, volume: int, *, at: tuple[str, int, str], **settings: Any) -> Fault:
    """Return a change by another user.

    `at` names the request: its method, its number among those with that method to the list or its records, and whether the
    change happens before or after that request takes effect.
    """
    method, nth, moment = at
    change = {"action": action, "resource": resource, "volume_id": volume, **settings}
    return Fault("meanwhile", method=method, path=f"/{resource}", nth=nth, moment=moment, change=change)
