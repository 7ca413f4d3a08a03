# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the script, and records what it observes."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .client import Listing, ProbeError, read_list
from .script import KEYS, MARGIN, MOMENTS, OPTIONAL, READINGS, STEPS, UPDATED, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .client import Client, Record, Reply


@dataclass(frozen=True)
class Target:
    """What a probe works on: a volume of this name that it creates with the `fields` that are needed, or one by its id."""

    volume: str | None = None
    existing: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    read_only: bool = False


@dataclass
class Claim:
    """A record that may exist: its key, the ids listed before, the id in the answer, and its last state in a list."""

    list: str
    key: str
    known: frozenset[str]
    given: str = ""
    is_accepted: bool = False
    id: str = ""
    record: Record | None = None


class Sighting(NamedTuple):
    """The state of a record in one reading of a list, the nth of that list, some seconds after a write."""

    elapsed: float
    number: int
    record: Record | None
    is_shown: bool


class Observation(NamedTuple):
    """A step, the answer, and the record in lists before and afterwards."""

    step: Step
    reply: Reply
    before: Record | None = None
    sightings: tuple[Sighting, ...] = ()
    listing: Listing | None = None

    @property
    def record(self) -> Record | None:
        """Return the last state of the record."""
        return self.sightings[-1].record if self.sightings else None

    @property
    def moments(self) -> list[list[bool]]:
        """Return whether the readings of each moment showed the effect."""
        return [
            [sighting.is_shown for sighting in self.sightings[at : at + READINGS]]
            for at in range(0, len(self.sightings), READINGS)
        ]

    @property
    def is_settled(self) -> bool:
        """Return whether all of the last readings showed the effect."""
        return bool(self.sightings) and all(sighting.is_shown for sighting in self.sightings[-READINGS:])

    @property
    def witness(self) -> str:
        """Return the field that shows an update: the key if it changes and is shown, else another, else none."""
        shown = [(name, (self.before or {}).get(name)) for name in UPDATED if name in self.step.body]
        return next((name for name, value in shown if value not in (None, self.step.body[name])), "")

    @property
    def is_timed(self) -> bool:
        """Return whether the effect can show late. Fields are hidden at once."""
        return self.is_settled and (not self.witness or self.record is None or self.witness in self.record)

    def has_effect(self, record: Record | None) -> bool:
        """Return whether a list shows the effect."""
        if self.step.method != "PUT" or record is None or self.before is None:
            return (record is None) == (self.step.method != "POST")
        return not self.witness or record.get(self.witness) != self.before[self.witness]


class Run:
    """One run of the script, with all its observations so far. `claims` are the records that may exist."""

    def __init__(self, client: Client, target: Target, mark: str) -> None:
        self.client, self.target, self.mark = client, target, mark
        self.started, self.settle = client.clock.time(), MOMENTS[1]
        self.volume = "" if target.existing is None else str(target.existing)
        self.readings: dict[str, list[Listing]] = {}
        self.refusals: list[Reply] = []
        self.creations: list[Observation] = []
        self.ready: list[tuple[float, bool | None]] = []
        self.observations: dict[str, Observation] = {}
        self.claims: dict[str, Claim] = {}

    def run(self) -> None:
        """Take all steps; ProbeError if that is impossible."""
        volumes = [self.read("volumes"), self.read("volumes")][1]
        self.refusals.append(self.client.send("GET", "/volumes", seconds_ago=3600))
        self.refusals.append(self.client.send("GET", "/volumes", secret_key="of nobody"))
        if self.target.volume is not None:
            check_volumes(volumes, self.target.volume)
            if not self.target.read_only:
                self._make_volume(self.target.volume)
        elif self.volume and self.volume not in map(identity, volumes.records):
            raise ProbeError(f"no volume has the id {self.volume}")
        if not self.volume:
            return
        records = [record for name in ("exports", "quotas") for record in self.read(name).records]
        if records and self.target.volume is None:
            raise ProbeError("the volume has exports or quotas: name one that has none, or one that is to be made")
        for step in STEPS if not self.target.read_only else ():
            if self._is_possible(step):
                texts = {
                    name: text.replace("@", self.mark) for name, text in step.body.items() if isinstance(text, str)
                }
                self.take(step._replace(body={**step.body, **texts}))

    def read(self, name: str) -> Listing:
        listing = read_list(self.client, self._path(name), len(self.readings.get(name, [])) + 1)
        self.readings.setdefault(name, []).append(listing)
        return listing

    def take(self, step: Step) -> Observation:
        """Take a step, and record the observation."""
        before = self.claims[step.record].record if step.record in self.claims else None
        seen = self.observations[step.name] = Observation(step, self._send(step), before)
        if not seen.reply.is_refusal:
            seen = self._watch(seen)
            if seen.is_settled and step.method == "DELETE":
                del self.claims[step.record]
        return seen

    def find(self, claim: Claim, records: list[Record]) -> Record | None:
        """Return a record that was asked for, if it is among these, and record its id."""
        by_id = claim.id and any(map(identity, records))
        # If others show their key, a record without one is not ours.
        keyed = [record for record in records if isinstance(record.get(KEYS[claim.list]), str)] or records
        found = (
            [record for record in records if identity(record) == claim.id]
            if by_id
            else [record for record in keyed if self._fits(claim, record)]
        )
        claim.record = found[0] if len(found) == 1 else None
        claim.id = claim.id or (identity(claim.record) or claim.given if claim.record else "")
        return claim.record

    def wait_until(self, moment: float) -> None:
        self.client.clock.sleep(max(0.0, moment - self.client.clock.time()))

    def _make_volume(self, name: str) -> None:
        """Create the volume with as the console accepts, and wait until it can be used."""
        given = self.target.fields
        for needed in [needed for needed in ((), ("bucket",), ("region",), OPTIONAL) if set(needed) <= given.keys()]:
            fields = {key: given[key] for key in given if key in needed or key not in OPTIONAL}
            seen = self.take(Step("create_volume", "POST", "volumes", "volume", {"name": name, **fields}, True))
            self.creations.append(seen)
            if not seen.reply.is_refusal:
                break
        else:
            reason = re.sub(r"[^\w -~]+", " ", seen.reply.body[:300].decode("utf-8", "replace")).strip()
            raise ProbeError(f"the console refuses the volume: HTTP {seen.reply.status} {reason}")
        self.volume = self.claims["volume"].id
        if not seen.is_settled or not self.volume:
            raise ProbeError("the console does not list the volume, or not with an id")
        for moment in (0.0, *MOMENTS):
            self.wait_until(seen.reply.sent + moment)
            reply = self.client.request("GET", f"/volumes/{self.volume}/is_ready")
            answer = reply.value.get("is_ready") if isinstance(reply.value, dict) else None
            self.ready.append((reply.sent - seen.reply.sent, answer if isinstance(answer, bool) else None))
            if answer is not False:
                return

    def _is_possible(self, step: Step) -> bool:
        """Return whether a step has the id that it needs, and a second record of a list can be removed again."""
        if step.method != "POST":
            return step.record in self.claims and bool(self.claims[step.record].id)
        deletion = self.observations.get(f"delete_{step.list.removesuffix('s')}")
        is_first = step.name in ("create_export", "create_quota")
        return is_first or self.target.volume is not None or bool(deletion and deletion.is_settled)

    def _send(self, step: Step) -> Reply:
        """Send the request of a step. A record may exist as it is asked for."""
        path, key = self._path(step.list), str(step.body.get(KEYS[step.list]))
        if step.method != "POST":
            claim = self.claims[step.record]
            claim.key = key if step.body else claim.key
            return self.client.request(step.method, f"{path}/{claim.id}", step.body or None)
        known = frozenset(map(identity, self.readings[step.list][-1].records))
        claim = self.claims[step.record] = Claim(step.list, key, known - {""})
        reply = self.client.request("POST", path, step.body)
        claim.given = identity(reply.value) if reply.content in ("id", "record") else ""
        claim.is_accepted = reply.is_success
        if reply.is_refusal:
            del self.claims[step.record]
        return reply

    def _watch(self, seen: Observation) -> Observation:
        """Read the list until it shows the effect, or for as the script says."""
        step, since, claim = seen.step, self.client.clock.time(), self.claims[seen.step.record]
        for moment in MOMENTS if step.is_watched else (self.settle,):
            self.wait_until(since + moment + MARGIN)
            for _number in range(READINGS if step.is_watched else 1):
                listing = self.read(step.list)
                record = self.find(claim, listing.records)
                sighting = Sighting(listing.pages[0].sent - since, listing.number, record, seen.has_effect(record))
                seen = self.observations[step.name] = seen._replace(
                    sightings=(*seen.sightings, sighting), listing=listing
                )
            if seen.is_timed:
                later = (later for later in MOMENTS if later > sighting.elapsed)
                self.settle = max(self.settle, next(later, MOMENTS[-1]))
                break
            if seen.is_settled and moment >= self.settle:
                break
        return seen

    def _fits(self, claim: Claim, record: Record) -> bool:
        """Return whether a listed record is the one that was asked for."""
        found, key = identity(record), record.get(KEYS[claim.list])
        if found in claim.known or (found and claim.given and found != claim.given):
            return False
        if isinstance(key, str):
            return folded(key) == folded(claim.key)
        return bool(claim.given) or (self.target.volume is not None and claim.list != "volumes")

    def _path(self, name: str) -> str:
        return "/volumes" if name == "volumes" else f"/volumes/{self.volume}/{name}"


def identity(record: Record) -> str:
    """Return the id of a record as text; "" if it shows none."""
    found = str(record.get("id"))
    return found if found.isdecimal() else ""


def folded(key: str) -> str:
    """Return the form shared by keys that a console may take for one."""
    return unicodedata.normalize("NFC", key).casefold().strip().rstrip("/")


def check_volumes(volumes: Listing, name: str) -> None:
    """Refuse to create a volume that exists, or that might not be found again."""
    names = [record.get("name") for record in volumes.records]
    if folded(name) in [folded(str(other)) for other in names]:
        raise ProbeError(f"a volume {name!r} exists. Name one that does not; delete it, if a probe has left it")
    if not volumes.is_complete:
        raise ProbeError("the list of volumes cannot be read to its end, so a volume might not be found again")
    if not all(map(identity, volumes.records)) or None in names:
        raise ProbeError("the console lists volumes without id or name, so a volume might not be found again")
