# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A probe from its first request to its last, and the proof: the same script, replayed on the emulator."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from emulator import Dialect, Emulator
from emulator.dialect import settings_of

from .cleanup import clean_up
from .client import Client, Connection, ProbeError
from .findings import profile_of
from .outline import outlines
from .runner import Run

if TYPE_CHECKING:
    from .client import Clock
    from .runner import Target

_SKEW = 240


class Outcome(NamedTuple):
    """The profile, what it does not describe, what could not be removed, and the reason of an early end, if any."""

    profile: dict[str, dict[str, Any]]
    unknown: list[str]
    left: list[str]
    error: str


@dataclass
class VirtualClock:
    """A clock that moves only while somebody sleeps."""

    now: float

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.now += seconds


def probe(connection: Connection, target: Target, mark: str, clock: Clock) -> Outcome:
    """Run the script, remove what it created, and return the findings; an interruption counts as an early end."""
    run, error = Run(Client(connection, clock), target, mark), ""
    try:
        run.run()
    except (ProbeError, KeyboardInterrupt) as problem:
        error = str(problem) or "interrupted"
    finally:
        left = clean_up(run)
    skew = next((reply.skew for reply in run.client.replies if reply.skew is not None), 0.0)
    if error and abs(skew) > _SKEW:
        error += f"; its clock and the one of this machine are {abs(skew):.0f} s apart"
    reason = error or ("only reading was asked for" if target.read_only else "it was not to be seen")
    profile = profile_of(run, reason)
    found, replayed = outlines(run), outlines(_replayed(run, profile))
    pairs = {name: (seen, replayed.get(name)) for name, seen in found.items() if seen != replayed.get(name)}
    unknown = [f"{name}: the console, then the emulator: {json.dumps(pair)}" for name, pair in pairs.items()]
    return Outcome(profile, unknown, left, error)


def _replayed(run: Run, profile: dict[str, dict[str, Any]]) -> Run:
    """Return the run of the same script on the emulator, with as many other volumes as the console has."""
    settings, _offset = settings_of({name: entry["value"] for name, entry in profile.items()})
    clock = VirtualClock(run.started)
    volumes = run.readings["volumes"][0].records if run.readings.get("volumes") else []
    with Emulator(Dialect(**settings), clock.time) as emulator:
        if run.target.existing is not None:
            emulator.add_volume(name="existing", id=run.target.existing)
        for number in range(len(volumes) - (run.target.existing is not None)):
            emulator.add_volume(name=f"other-{number}")
        # Nothing uses the TLS context, and creating a new one would take long.
        connection = Connection(emulator.url, emulator.access_key, emulator.secret_key, tls=run.client.connection.tls)
        replayed = Run(Client(connection, clock), run.target, run.mark)
        with contextlib.suppress(ProbeError):
            replayed.run()
        clean_up(replayed)
    return replayed
