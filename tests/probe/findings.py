# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Conclusions from the observations: one finder for each setting of the emulator that matters to a client. Pure."""

from __future__ import annotations

import itertools
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from ipaddress import ip_network
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from emulator import CHOICES, Dialect
from emulator.answers import STYLES
from emulator.dialect import OFFSET

from .outline import describe, outline
from .script import KEYS, LARGE_SIZE, MOMENTS, OPTIONAL, WIDE_NETWORK

if TYPE_CHECKING:
    from .client import Listing, Record, Reply
    from .runner import Observation, Run, Sighting

Finding = tuple[Any, str] | None
"""The value of a setting and what shows it, or None and the reason; None alone where nothing was seen that could tell."""
Finder = Callable[[Any], Finding]

_CREATIONS = ("create_export", "create_quota", "create_volume")
_DELETIONS = ("delete_export", "delete_quota", "delete_volume")
_UPDATES = ("update_export", "update_flags", "rename_export")
_FLAGS = {"apionly", "readonly", "appendonly"}
_EXPORT = {"id", "desc", "iprange", "token", *_FLAGS}
_LONGEST = 180
_PERIODS = range(2, 9)


class Lags(NamedTuple):
    """Seconds until an effect shows, by method; every nth reading goes back by some seconds (0: none does)."""

    until: dict[str, float]
    stale_every: int = 0
    stale_for: float | None = None


def explain(observations: Sequence[Observation]) -> Lags | None:
    """Return the smallest values that explain all readings of these steps at once; None if nothing does."""
    sightings: dict[str, list[Sighting]] = {}
    alone: dict[str, float] = {}
    for seen in observations:
        sightings.setdefault(seen.step.method, []).extend(seen.sightings)
        lag = next(_lags(list(seen.sightings), lambda _sighting: False), inf)
        alone[seen.step.method] = max(lag, alone.get(seen.step.method, 0.0))
    if found := _fit(sightings, 0, 0):
        return found
    # Readings at one moment differ only if some of them go back in time.
    if inf not in alone.values() and not any(len(set(moment)) > 1 for seen in observations for moment in seen.moments):
        # The lags vary: the longest ones count.
        return Lags(alone)
    periods = sorted(((every, phase) for every in _PERIODS for phase in range(every)), key=lambda period: period[1] > 0)
    return next((lags for period in periods if (lags := _fit(sightings, *period))), None)


def _fit(sightings: dict[str, list[Sighting]], every: int, phase: int) -> Lags | None:
    """Return the smallest lags with which these readings, and no others, go back."""

    def is_stale(sighting: Sighting) -> bool:
        return every > 0 and sighting.number % every == phase

    for lags in itertools.product(*(_lags(entries, is_stale) for entries in sightings.values())):
        until = dict(zip(sightings, lags, strict=True))
        late = [
            sighting
            for method, entries in sightings.items()
            for sighting in entries
            if sighting.elapsed >= until[method]
        ]
        hidden = max((sighting.elapsed for sighting in late if not sighting.is_shown), default=None)
        if hidden is None:
            return Lags(until)
        shown = min((sighting.elapsed for sighting in late if sighting.is_shown and is_stale(sighting)), default=inf)
        if hidden < shown:
            return Lags(until, every, next(between(hidden, shown)))
    return None


def _lags(sightings: list[Sighting], is_stale: Callable[[Sighting], bool]) -> Iterator[float]:
    """Yield the lags that are consistent with the readings that do not go back."""
    latest = max(
        (sighting.elapsed for sighting in sightings if not sighting.is_shown and not is_stale(sighting)), default=-1.0
    )
    return between(latest, min((sighting.elapsed for sighting in sightings if sighting.is_shown), default=inf))


def between(after: float, until: float) -> Iterator[float]:
    """Yield the moments of the script between two times; the second time itself if there are none."""
    moments = [moment for moment in MOMENTS if after < moment <= until]
    yield from moments or ([until] if after < until else [])


def profile_of(run: Run, reason: str) -> dict[str, dict[str, Any]]:
    """Return an entry for each setting; the reason is for settings that could not be observed."""
    finders, profile = Finders(run), {}
    for name in (*CHOICES, OFFSET):
        value, text = getattr(finders, name)() or (None, reason)
        if name in CHOICES and value is not None:
            try:
                Dialect(**{name: value})
            except ValueError:
                value, text = None, f"the emulator has no such value; {text}"
        profile[name] = {"value": value, "reason" if value is None else "evidence": text[:_LONGEST]}
    return profile


def _of(value: Any, reply: Reply, text: str) -> Finding:
    return value, f"{describe(reply)}: {text}"


def _first(names: Iterable[str], value: Callable[[Observation], Any]) -> Finder:
    """Return a finder of the value that the first of these steps shows."""

    def find(seen: Finders) -> Finding:
        shown = ((value(step), name) for name in names if (step := seen.step(name)))
        return next((seen.by(found, name) for found, name in shown if found is not None), None)

    return find


def _most(value: Callable[[Listing], int | None], text: str) -> Finder:
    """Return a finder of the largest value that a list shows."""

    def find(seen: Finders) -> Finding:
        shown = [(found, listing.pages[0]) for listing in seen.listings if (found := value(listing)) is not None]
        return _of(*max(shown, key=operator.itemgetter(0)), text) if shown else None

    return find


def _lag(value: Callable[[Lags], float | None]) -> Finder:
    def find(seen: Finders) -> Finding:
        if seen.lags is None:
            return None, "no lag explains what the lists showed"
        found = value(seen.lags)
        return None if found is None else (found, "looks at lists after each write")

    return find


def _text(name: str, field: str, change: Callable[[str], str]) -> Finder:
    """Return a finder of whether a text is shown as it was sent, or changed in this way."""

    def find(seen: Finders) -> Finding:
        shown = seen.record(name).get(field)
        if not isinstance(shown, str):
            return None
        sent = seen.run.observations[name].step.body[field]
        return seen.by(shown != sent, name) if shown in (sent, change(sent)) else (None, "it is changed otherwise")

    return find


def _how(record: Record | None, name: str) -> str | None:
    """Return the form in which a record shows a field."""
    shown = {name: "null" if value is None else "shown" for name, value in (record or {}).items()}
    return None if record is None else shown.get(name, "missing")


class Finders:
    """What finders ask of a run, and the finders, each by the name of its setting."""

    def __init__(self, run: Run) -> None:
        self.run, self.replies = run, run.client.replies
        self.listings = [listing for readings in run.readings.values() for listing in readings]
        watched = [found for found in run.observations.values() if found.step.is_watched and found.is_timed]
        # If the list of volumes lags behind the others, its lag counts; the replay shows the difference.
        self.lags = explain(watched) or explain([found for found in watched if found.step.list == "exports"])

    def step(self, name: str) -> Observation | None:
        """Return a step that was accepted."""
        seen = self.run.observations.get(name)
        return seen if seen and seen.reply.is_success else None

    def record(self, name: str) -> Record:
        """Return the record after a step; an empty one if there is none."""
        seen = self.step(name)
        return (seen and seen.record) or {}

    def changes(self) -> list[tuple[Observation, Record, Record]]:
        """Return the updates of the export with a visible effect, each with the record before and after."""
        steps = [step for name in _UPDATES if (step := self.step(name)) and step.is_settled]
        return [(step, step.before, step.record) for step in steps if step.before and step.record]

    def by(self, value: Any, name: str) -> Finding:
        """Return a value with a step as evidence."""
        seen = outline(self.run.observations[name], self.run.mark)
        return _of(
            value, self.run.observations[name].reply, json.dumps(seen.get("record", seen.get("content", "gone")))
        )

    create_body = _first(_CREATIONS, lambda step: step.reply.content)
    appear_after = _lag(lambda lags: lags.until.get("POST"))
    update_appear_after = _lag(lambda lags: lags.until.get("PUT"))
    vanish_after = _lag(lambda lags: lags.until.get("DELETE"))
    stale_every = _lag(lambda lags: lags.stale_every)
    stale_for = _lag(lambda lags: lags.stale_for)
    page_size = _most(lambda listing: listing.page_size, "records on the first page")
    page_overlap = _most(lambda listing: listing.repeated, "records of the first page on the second")
    ids = _first(_CREATIONS, lambda step: _how(step.record, "id"))
    keys = _first(_CREATIONS, lambda step: _how(step.record, KEYS[step.step.list]))
    _networks = _text("create_export", "iprange", lambda text: str(ip_network(text, strict=False)))
    _paths = _text("create_quota", "path", lambda text: text.rstrip("/"))

    def user_quotas(self) -> Finding:
        """Return the form in which lists show quotas without a path, beside others that show theirs."""
        shown = []
        for listing in self.run.readings.get("quotas", []):
            kinds = {_how(record, KEYS["quotas"]) for record in listing.records}
            if "shown" in kinds:
                value = "absent" if "missing" in kinds else "null" if "null" in kinds else "none"
                shown.append((value, listing.pages[0]))
        found = max(shown, key=lambda pair: pair[0] != "none", default=None)
        return _of(*found, "quotas with and without their path") if found else None

    def delete_children(self) -> Finding:
        for seen in (self.run.observations[name] for name in _DELETIONS[:2] if name in self.run.observations):
            if seen.is_settled or not seen.reply.is_success:
                return self.by("yes" if seen.is_settled else str(seen.reply.status), seen.step.name)
        return None

    def answers(self) -> Finding:
        """Return the style with the most of these statuses; a replay does not distinguish them."""
        steps = [next(filter(None, map(self.step, names)), None) for names in (_CREATIONS, _DELETIONS)]
        replies = [step.reply if step else None for step in steps] + self.run.refusals[1:]
        seen = [reply.status if reply else 0 for reply in replies]
        if not any(seen):
            return None
        name = max(STYLES, key=lambda name: sum(map(operator.eq, seen, STYLES[name])))
        return name, "; ".join(describe(reply) for reply in replies if reply)

    def required(self) -> Finding:
        """Return the body of the first attempt that was accepted."""
        made = next((creation for creation in self.run.creations if not creation.reply.is_refusal), None)
        sent = [name for name in OPTIONAL if made and name in made.step.body]
        value = {0: "name", 1: None if sent == ["region"] else "bucket"}.get(len(sent), "region")
        return _of(value, made.reply, ", ".join(made.step.body)) if made else None

    def normalise(self) -> Finding:
        found = [finding for finding in (self._networks(), self._paths()) if finding]
        values = {value for value, _text in found}
        if values not in ({False}, {True}):
            return (None, "; ".join(text for _value, text in found)) if found else None
        bucket = str(self.record("create_volume").get("bucket"))
        return ("no" if values == {False} else "add" if bucket.endswith("/") else "strip"), found[0][1]

    def unique_keys(self) -> Finding:
        double, first = self.run.observations.get("create_same_export"), self.step("create_plain_export")
        return self.by(double.reply.is_refusal, "create_same_export") if double and first else None

    def directories(self) -> Finding:
        created = self.run.observations.get("create_quota")
        return self.by("root" if created.reply.is_refusal else "any", "create_quota") if created else None

    def ready_after(self) -> Finding:
        times = self.run.ready
        if times and times[0][1] is None:
            return "unknown", "GET /volumes/{id}/is_ready does not say it"
        if not times or times[-1][1] is not True:
            return (None, "the volume did not get ready") if times else None
        sooner, later = (times[-2][0] if len(times) > 1 else -1.0), times[-1][0]
        value = None if sooner < 0 and later >= 0.5 else next(between(sooner, later))
        return value, f"GET /volumes/{{id}}/is_ready: ready after {later:.1f} s"

    def rate_limit(self) -> Finding:
        indexes = [index for index, reply in enumerate(self.replies) if reply.status == 429]
        gaps = {later - sooner for sooner, later in itertools.pairwise(indexes)}
        text = f"{len(indexes)} of {len(self.replies)} requests were answered with 429"
        return (None, f"{text}, at no fixed distance") if indexes and len(gaps) != 1 else (sum(gaps), text)

    def clock_offset(self) -> Finding:
        skews = sorted(reply.skew for reply in self.replies if reply.skew is not None)
        # A date has whole seconds: on average, it is half a second early.
        offset = round(skews[len(skews) // 2] + 0.5) if skews else 0
        return (offset if abs(offset) > 2 else 0, f"Date of {len(skews)} answers") if skews else None

    def list_shape(self) -> Finding:
        found = max(self.listings, key=lambda listing: listing.shape != "array", default=None)
        return _of(found.shape, found.pages[0], f"{len(found.pages)} pages") if found else None

    def next_url(self) -> Finding:
        found = max(self.listings, key=lambda listing: (listing.link == "loop", listing.link != ""), default=None)
        return _of(found.link, found.pages[0], "the next page") if found and found.link else None

    def count(self) -> Finding:
        lists = [[entry for entry in seen if entry.is_miscounted is not None] for seen in self.run.readings.values()]
        first = [readings[0].is_miscounted for readings in lists if readings]
        later = [entry.is_miscounted for readings in lists for entry in readings[1:]]
        if not later or (any(later) and not all(first + later)):
            return None, "the count of lists is wrong now and then" if later else "lists have no count"
        value = "wrong" if any(later) else "wrong_once" if any(first) else "right"
        return value, f"{len(first + later)} readings of lists"

    def record_fields(self) -> Finding:
        whole, plain = self.record("create_export"), self.record("create_plain_export")
        if not whole or not _FLAGS & whole.keys():
            return self.by("some", "create_export") if whole else None
        sees_all = bool(_FLAGS & plain.keys()) if plain else "token" in whole
        value = "sent" if not sees_all else "more" if whole.keys() - _EXPORT else "all"
        return self.by(value, "create_plain_export" if plain else "create_export")

    def numbers(self) -> Finding:
        shown = [(name, self.record(name).get(field)) for name in _CREATIONS for field in ("id", "size", "inodes")]
        kinds = {"string" if isinstance(value, str) else "number": name for name, value in shown if value is not None}
        if len(kinds) > 1:
            return None, "some numbers are shown as text and some are not"
        quota, fields = self.record("create_quota"), self.record_fields() or ("some", "")
        if quota and "string" not in kinds and ("inodes" in quota or fields[0] != "some"):
            limit = quota.get("inodes", "omitted")
            return self.by({None: "null", "omitted": "omitted"}.get(limit, "number"), "create_quota")
        return next((self.by(kind, name) for kind, name in kinds.items()), None)

    def put(self) -> Finding:
        flags = self.run.observations.get("update_flags")
        if flags and flags.reply.is_refusal and flags.reply.status != 404 and self.step("update_export"):
            return self.by("reject", "update_flags")
        reset, taken = [], []
        for step, before, after in self.changes():
            left_out = {"iprange", *_FLAGS} - step.step.body.keys()
            reset += [step.step.name for field in left_out if before.get(field) and after.get(field) in ("", False)]
            if "appendonly" in step.step.body and "appendonly" in before:
                taken.append(after.get("appendonly") != before["appendonly"])
        if reset:
            return self.by("lose" if taken == [False] else "reset", reset[0])
        return self.by("any" if taken[0] else "documented", "update_flags") if taken else None

    def put_hides(self) -> Finding:
        changes = self.changes()
        for step, before, after in changes:
            if hidden := {"iprange", *_FLAGS} & (before.keys() - after.keys()):
                return self.by("sent" if hidden & step.step.body.keys() else "others", step.step.name)
        return self.by("nothing", changes[0][0].step.name) if changes else None

    def put_alters(self) -> Finding:
        export, record = self.step("update_export"), self.record("update_export")
        if export and export.before and export.listing and export.is_settled and not record:
            keys = [other.get("desc") for other in export.listing.records]
            return self.by("replace" if export.step.body["desc"] in keys else "vanish", "update_export")
        if export and export.before and record.get("token") != export.before.get("token"):
            return self.by("token", "update_export")
        size, network = str(self.record("update_quota").get("size")), record.get("iprange", WIDE_NETWORK)
        if size.isdecimal() and int(size) != LARGE_SIZE:
            return self.by("rounds_up" if int(size) > LARGE_SIZE else "caps", "update_quota")
        return self.by("nothing" if network == WIDE_NETWORK else "rewrites", "update_export") if record else None
