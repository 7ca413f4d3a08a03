# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Removes the records that a run created, and reports those that it could not remove.

Only records that this run asked for are touched. They are recognized in lists by their key, or by the id that the console
gave. A record is deleted by that id only if no list shows it after minutes, and the id is not listed as another record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .client import FOR_CLEANUP, ProbeError
from .runner import identity
from .script import KEYS, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from .client import Record
    from .runner import Claim, Run

_MOMENTS = (0.0, 5.0, 20.0, 60.0, 180.0, 300.0)
"""When a record is looked for that is not listed, in seconds."""
_LOST, _UNANSWERED, _ACCEPTED = 5.0, 60.0, 300.0
"""For how long: where it was listed before, where its creation got no answer, and where that was accepted."""
_TRIES = 3


def clean_up(run: Run) -> list[str]:
    """Remove all records that were created, and return in words those that are left."""
    run.client.limit += FOR_CLEANUP
    # A volume that the probe created takes its content with it.
    made = [name for name, claim in run.claims.items() if claim.list == "volumes" or run.target.volume is None]
    left = [text for name in made for text in _insist(run, _remove, name)]
    return left or (_insist(run, _others, "more") if run.observations else [])


def _insist(run: Run, work: Callable[[Run, str], list[str]], name: str) -> list[str]:
    """Return what is left after some work, which is repeated while the console fails."""
    what = _name(run.claims[name]) if name in run.claims else name
    text = ""
    for _try in range(_TRIES):
        try:
            return work(run, name)
        except ProbeError as error:
            text = str(error)
        except KeyboardInterrupt:
            return [f"{what} may be left: the clean-up was interrupted"]
    return [f"{what} may be left: {text}"]


def _name(claim: Claim) -> str:
    return f"{claim.list.removesuffix('s')} {claim.key!r}"


def _remove(run: Run, name: str) -> list[str]:
    """Remove a record, and return the reason if it could not be removed."""
    claim = run.claims[name]
    was_listed = bool(claim.id)
    if _await(run, claim) is None:
        if was_listed:
            return []
        if not claim.given or claim.given in map(identity, run.readings[claim.list][-1].records):
            why = "it is not listed" if claim.is_accepted else "its creation was not answered"
            return [f"{_name(claim)} may be left: {why}"]
    claim.id = claim.id or claim.given
    if not claim.id:
        return [f"{_name(claim)} is left: the console shows no id by which it could be deleted"]
    for _try in range(_TRIES):
        seen = run.take(Step(f"delete_{name}", "DELETE", claim.list, name, {}, True))
        if seen.is_settled or (seen.reply.status == 404 and run.find(claim, run.read(claim.list).records) is None):
            return []
        if claim.list == "volumes" and run.volume:
            _sweep(run)
    return [f"{_name(claim)} is left: DELETE was answered with HTTP {seen.reply.status}"]


def _await(run: Run, claim: Claim) -> Record | None:
    """Return a record once it is listed; None if it never is."""
    patience = _LOST if claim.id else _ACCEPTED if claim.is_accepted else _UNANSWERED
    since = run.client.clock.time()
    for moment in _MOMENTS:
        if moment <= patience:
            run.wait_until(since + moment)
            if run.find(claim, run.read(claim.list).records):
                return claim.record
    return None


def _others(run: Run, _name: str) -> list[str]:
    """Return records that are still listed and may come from the run all the same, such as by a refused creation."""
    if run.target.volume is None:
        return [f"{name.removesuffix('s')} {record[KEYS[name]]!r} is left" for name, record in _sweep(run)]
    known = set(map(identity, run.readings["volumes"][1].records))
    volumes = [record for record in run.read("volumes").records if record.get("name") == run.target.volume]
    why = "is listed, and was not deleted, since it may be somebody else's"
    return [f"volume {run.target.volume!r} {why}" for record in volumes if identity(record) not in known]


def _sweep(run: Run) -> list[tuple[str, Record]]:
    """Delete the exports and quotas that bear the mark of the run, and return those that are still listed."""

    def marked() -> list[tuple[str, Record]]:
        lists = {name: run.read(name).records for name in ("exports", "quotas")}
        return [(name, record) for name in lists for record in lists[name] if run.mark in str(record.get(KEYS[name]))]

    found = marked()
    for name, record in found:
        run.client.request("DELETE", f"/volumes/{run.volume}/{name}/{identity(record)}")
    run.client.clock.sleep(run.settle if found else 0.0)
    return marked() if found else []
