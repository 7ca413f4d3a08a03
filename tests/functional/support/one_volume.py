# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A console with one volume, for the tests of exports and quotas, and what others do to it."""

from __future__ import annotations

from typing import Any

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run


class Console:
    """The emulator with one volume, and shorthands for what the tests do with it."""

    def __init__(self, emulator: Emulator, run: Run) -> None:
        self.emulator = emulator
        self._run = run
        self.volume = 0
        self.reset()

    def reset(self, **dialect: Any) -> None:
        """Start over with an empty volume in a dialect."""
        self.emulator.reset(Dialect(**dialect))
        self.volume = self.emulator.add_volume(name="v", bucket="https://v.example.com")

    def run(self, module: str, **options: Any) -> dict[str, Any]:
        return self._run(module, volume="v", **options)

    def export(self, **options: Any) -> dict[str, Any]:
        return self.run("export", **options)

    def quota(self, **options: Any) -> dict[str, Any]:
        return self.run("quota", **options)

    def has_export(self, **fields: Any) -> int:
        return self.emulator.add_export(self.volume, **fields)

    def has_quota(self, **fields: Any) -> int:
        return self.emulator.add_quota(self.volume, **fields)

    @property
    def exports(self) -> list[dict[str, Any]]:
        return self.emulator.exports(self.volume)

    @property
    def quotas(self) -> list[dict[str, Any]]:
        return self.emulator.quotas(self.volume)

    @property
    def sent(self) -> list[tuple[str, Any]]:
        """Return the method and body of each write."""
        return [(request.method, request.json) for request in self.emulator.writes]

    @property
    def sizes(self) -> dict[str, Any]:
        return {quota["path"]: quota["size"] for quota in self.quotas}


def quota_items(count: int, **options: Any) -> list[dict[str, Any]]:
    return [{"path": f"/home/u{number}", "size": 8192, **options} for number in range(count)]


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
