# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Takes the steps of a probe, one after the other, and writes down what was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import RequestError
from ...model.records import Record
from ..observation import Observation, Reply, Seen
from ..own import OwnRecords
from ..steps import APPEARS, VANISHES, Step
from ..timing import stale_looks, timing
from .watching import Watch
from .wire import LimitReachedError, Wire

VOLUME = "volume"
_MAX_FAILURES = 2
# For how many seconds an effect is waited for where it is known how late such effects show, or where it does not show.
_SOON = 2.0
_PAUSES = (1.0, 2.0)


class Runner:
    """The state of a run: what it made, and what it has learned of how late lists are.

    `longest_watch` is for how many seconds an effect is waited for.
    """

    longest_watch = 20.0

    def __init__(self, wire: Wire, seen: Seen, own: OwnRecords, mark: str) -> None:
        self.wire = wire
        self.seen = seen
        self.own = own
        self.mark = mark
        self._creations: dict[str, str] = {}
        self._lags: dict[tuple[str, str], float] = {}
        self._unreadable: dict[str, str] = {}
        self._knows_staleness = False
        self._stale_for = 0.0
        self._failures = 0

    def run(self, steps: Iterable[Step]) -> None:
        """Take these steps; where one cannot be taken, note why."""
        for step in steps:
            reason = self.seen.ending or self._obstacle(step)
            if reason:
                self.seen.skipped[step.name] = reason
                continue
            try:
                self._take(step)
                self._failures = 0
            except LimitReachedError as error:
                self.seen.skipped[step.name] = self.seen.ending = str(error)
            except RequestError as error:
                self._note_failure(step, error)

    def read(self, name: str) -> list[Record]:
        """Read a list, and note which of its records are ours."""
        path = name if name == "volumes" else f"volumes/{self.own.ids[VOLUME]}/{name}"
        template = name if name == "volumes" else f"volumes/{{volume_id}}/{name}"
        listing = self.wire.read(name, path, template)
        self.seen.listings.append(listing)
        for found in self.own.note_list(name, listing.records):
            creation = self.seen.steps.get(self._creations.get(found, ""))
            if creation and creation.after is None:
                self.seen.steps[self._creations[found]] = creation._replace(after=self.own.shown[found])
        return listing.records

    def try_to_read(self, name: str) -> None:
        """Read a list of the new volume, which may take a moment to exist; where that fails, take no step in it."""
        for pause in (*_PAUSES, 0.0):
            try:
                self.read(name)
            except RequestError as error:
                self._unreadable[name] = f"GET /volumes/{{volume_id}}/{name} got {_result(error)}"
                self.wire.clock.sleep(pause)
            else:
                self._unreadable.pop(name, None)
                return

    def _take(self, step: Step) -> None:
        """Take a step, and note what was seen."""
        sent = _marked(step.body, self.mark)
        before = self.own.shown.get(step.record)
        if step.shows is VANISHES:
            # An older list may be from before the record was made.
            self.wire.clock.sleep(self._stale_for)
        reply, error = self._send(step, sent)
        since = self.wire.clock.elapsed()
        observation = Observation(sent or {}, reply, before=before, after=before)
        if reply is None or reply.is_success:
            if step.method == "POST" and step.record:
                self.own.want(step.record, step.list, sent, reply)
            if step.shows:
                observation = self._watched(step, observation, since)
        if error and not observation.is_settled:
            raise error
        self.seen.steps[step.name] = observation

    def _note_failure(self, step: Step, error: RequestError) -> None:
        """Note that a step got no reply; after several in a row the probe ends."""
        self.seen.steps[step.name] = Observation({}, problem=f"{step.method} /{step.path} got {_result(error)}")
        self._failures += 1
        if self._failures >= _MAX_FAILURES:
            self.seen.ending = "the console no longer answered"

    def _obstacle(self, step: Step) -> str:
        """Return why a step cannot be taken, or nothing."""
        if "{volume_id}" in step.path and VOLUME not in self.own.ids:
            return self.seen.why_not("create_volume")
        if step.list in self._unreadable:
            return self._unreadable[step.list]
        deletion = self.seen.step(f"delete_{step.list[:-1]}")
        if step.is_further and not self.own.is_own_volume and not (deletion and deletion.is_settled):
            return f"{step.list} could not be deleted again"
        if ("{export_id}" in step.path or "{quota_id}" in step.path) and step.record not in self.own.ids:
            creation = self._creations.get(step.record, "")
            is_made = creation in self.seen.steps and self.seen.steps[creation].is_accepted
            return "the record that it needs has no id" if is_made else self.seen.why_not(creation)
        return ""

    def _send(self, step: Step, sent: Any) -> tuple[Reply | None, RequestError | None]:
        """Return the reply; or the error, where the console may have carried out a creation all the same."""
        if step.method == "POST":
            self._creations[step.record] = step.name
        own = self.own.ids.get(step.record, "")
        path = step.path.format(volume_id=self.own.ids.get(VOLUME, ""), export_id=own, quota_id=own)
        try:
            return self.wire.ask(step.method, path, step.path, sent), None
        except RequestError as error:
            if step.shows is APPEARS and error.maybe_applied:
                return None, error
            raise

    def _watched(self, step: Step, observation: Observation, since: float) -> Observation:
        """Return what a list shows after a step; where nothing is known yet of stale readings, look for them too."""
        before = observation.before or {}
        earlier = self.own.values_so_far(step.record, step.shows)
        latest: list[Record | None] = [observation.before]

        def look() -> tuple[float, bool]:
            self.read(step.list)
            record = self.own.shown.get(step.record)
            shown = _is_shown(step, earlier, record)
            if shown or not any(entry.shown for entry in watch.looks):
                latest[0] = record
            return self.wire.sent_at, shown

        watch = Watch(self.wire.clock, since, look, per_moment=2)
        lag = self._lags.get((step.method, step.list), 0.0)
        is_visible = step.shows in (APPEARS, VANISHES) or before.get(step.shows) is not None
        is_known = (step.method, step.list) in self._lags or not is_visible
        shown = watch.until_shown(lag, _SOON + 2 * lag if is_known else self.longest_watch)
        if shown and step.measures_staleness and not self._knows_staleness:
            watch.until_never_stale()
            self._knows_staleness = bool(stale_looks(watch.looks)) or (watch.looks[0].shown and lag == 0)
        found = timing(watch.looks)
        self._stale_for = (found and found.stale_for) or self._stale_for
        if found and found.lag is not None:
            self._lags[step.method, step.list] = max(lag, found.lag)
        if shown and step.shows is VANISHES:
            self.own.forget(step.record)
        elif latest[0] is not None:
            self.own.keep(step.record, latest[0])
        is_settled = shown or (not is_visible and latest[0] is not None)
        return observation._replace(after=latest[0], looks=tuple(watch.looks), is_settled=is_settled)


def _is_shown(step: Step, earlier: set[str], record: Record | None) -> bool:
    if step.shows is APPEARS:
        return record is not None
    if step.shows is VANISHES:
        return record is None
    return record is not None and str(record.get(step.shows)) not in earlier


def _result(error: RequestError) -> str:
    """Return how a request ended, without anything that the console said."""
    return "no usable response" if error.status is None else f"HTTP {error.status}"


def _marked(value: Any, mark: str) -> Any:
    """Return a body with the mark of the run in it."""
    if isinstance(value, Mapping):
        return {name: _marked(inner, mark) for name, inner in value.items()}
    return value.format(mark=mark) if isinstance(value, str) else value
