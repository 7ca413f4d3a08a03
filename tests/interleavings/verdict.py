# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What must hold of two tasks, in whatever order their requests came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from http.client import NO_CONTENT
from typing import Any

from interleavings.tasks import NAMES, NEXT, OLD, RIGHTS, ROTATED, SINGLE, Item, Job
from interleavings.turns import LATE, STALE, UNANSWERED, Game, Seat, Truth

# What an update carries in any case.
_DOCUMENTED = ("desc", "iprange", "path", "size")
_FIELDS = (*_DOCUMENTED, "readonly", "inodes", "token")
Record = Mapping[str, Any]


def list_violations(game: Game) -> Iterator[str]:
    """Yield what is not as it must be after both tasks."""
    for seat in game.seats:
        if not seat.job.change:
            yield from (f"{'AB'[seat.number]} {text}" for text in _untrue(game, seat))
    yield from _lost(game)
    yield from list_gaps(game)
    yield from _unrequested(game)
    for seat in game.seats:
        yield from _overwritten(game, seat)
    if not (any(seat.job.change for seat in game.seats) or _shows_others_first(game)):
        yield from _doubled(game.snapshots[-1][1], game.seats)


def list_later_violations(game: Game) -> Iterator[str]:
    """Yield what is not as it must be when both tasks are run again, one after the other, and nothing goes wrong."""
    both = [seat.job for seat in game.seats]
    jobs = [job for job in both if not job.change]
    # What belongs to the rotation of an export that a purge deletes is left to the next one.
    again = [game.run_again(job) for job in jobs for _run in range(2 if job.purges and job.module == "exports" else 1)]
    truth = game.truth()
    if not any("id" in item for job in jobs for item in job.items):
        yield from _doubled(truth, again)
    done = [seat for seat in again if not seat.result.get("failed")]
    # Which of two second exports is the right one, nobody can tell.
    has_way_out = not any(key_of(truth[ids[0]]) == NEXT for ids in _doubles(truth))
    is_due = has_way_out and all(job.rotates for job in both)
    if not done and (is_due or any(seat.sent for seat in again)):
        yield f"no task succeeds when run again: {[seat.result['msg'] for seat in again]}"
    for seat in done[-1:]:
        last = game.run_again(seat.job)
        if last.result.get("failed") or last.result["changed"] or game.truth() != truth:
            yield f"it does not stay as {seat.job.name} has made it: {last.result['msg']}"


def _untrue(game: Game, seat: Seat) -> Iterator[str]:
    """Yield what a task reported, and was not so when it did."""
    result = seat.result
    if "traceback" in result:
        yield f"ended with {result['traceback']}"
        return
    views = seat.views or [game.snapshots[0][1]]
    # What a list shows counts as well: one that is late may show what never was, an old record beside a new one.
    moments = [*(truth for _time, truth in game.snapshots[seat.shown : seat.ended + 1]), views[-1]]
    is_as_before = any(all(truth.get(id_) == views[0].get(id_) for id_ in seat.touched) for truth in moments)
    if not (result["changed"] or is_as_before):
        yield f"is unchanged, and changed something: {result['msg']}"
    if result["changed"] and not (seat.accepted or seat.lost):
        yield f"is changed, and changed nothing: {result['msg']}"
    if result.get("failed"):
        return
    if seat.job.module not in SINGLE:
        # What a list reports of each record is of the reading after its last write.
        moments = [*(truth for _time, truth in game.snapshots[seat.planned or 0 : seat.ended + 1]), *views]
    record = result[SINGLE[seat.job.module]] if seat.job.module in SINGLE else None
    for item in seat.job.items:
        if not any(_is_satisfied(item, truth, _unverified(result)) and _shows(record, truth) for truth in moments):
            yield f"is ok, and {dict(item)} was not so: {result['msg']}"
    for id_, listed in views[0].items():
        if _purges(seat.job, listed) and not any(
            id_ not in truth or _is_named(seat.job.items, truth[id_]) for truth in moments
        ):
            yield f"is ok, and {key_of(listed)} was not purged: {result['msg']}"


def is_as_wanted(job: Job, truth: Truth, result: Record) -> bool:
    """Return whether what is there is what a task wants, but for what it could not verify."""
    is_pure = not any(_purges(job, record) for record in truth.values())
    return is_pure and all(_is_satisfied(item, truth, _unverified(result)) for item in job.items)


def key_of(record: Record) -> Any:
    """Return the natural key of a record or an item: paths begin with a slash, and descriptions here do not."""
    return record.get("path", record.get("desc"))


def _purges(job: Job, record: Record) -> bool:
    """Return whether a task is to remove a record because it does not name it."""
    is_among = ("desc" in record) is (job.module == "exports") and key_of(record) not in (NEXT, OLD)
    return job.purges and is_among and not _is_named(job.items, record)


def _unverified(result: Record) -> set[str]:
    names = result.get("unverified", ())
    return set(names.get("quotas", ()) if isinstance(names, dict) else names)


def _shows(record: Record | None, truth: Truth) -> bool:
    """Return whether a record in a result is as it truly was, as far as it is there."""
    if record is None:
        return True
    true = truth.get(int(record["id"]), {})
    return all(int(record[name] or 0) == true.get(name) for name in ("size", "inodes", "readonly") if name in record)


def _is_satisfied(item: Item, truth: Truth, unverified: set[str]) -> bool:
    found = [record for record in truth.values() if key_of(record) == key_of(item)]
    if "id" in item:
        found = [*found, *(record for id_, record in truth.items() if id_ == item["id"] and record not in found)]
    if item.get("state") == "absent":
        return not found
    given = {name: item[name] for name in _FIELDS if name in item and name not in unverified}
    return len(found) == 1 and all(found[0][name] == value for name, value in given.items())


def _is_named(items: Iterable[Item], record: Record) -> bool:
    return any(record["id"] == item.get("id") or key_of(record) == key_of(item) for item in items)


def _versions(game: Game) -> dict[int, list[Record]]:
    """Return all that each record was, in order."""
    versions: dict[int, list[Record]] = {}
    for _time, truth in game.snapshots:
        for id_, record in truth.items():
            known = versions.setdefault(id_, [])
            if not known or known[-1] != record:
                known.append(record)
    return versions


def _lost(game: Game) -> Iterator[str]:
    """Yield the records that are gone, and that no task was to remove."""
    truth = game.snapshots[-1][1]
    for id_, versions in _versions(game).items():
        if id_ not in truth and not any(_may_remove(seat.job, versions) for seat in game.seats):
            yield f"{key_of(versions[-1])} (id {id_}) is lost"


def _may_remove(job: Job, versions: list[Record]) -> bool:
    if job.change:
        return job.change.action == "delete" and any(key_of(version) == job.change.key for version in versions)
    absent = [item for item in job.items if item.get("state") == "absent"]
    if any(_is_named(absent, version) for version in versions):
        return True
    return any(_purges(job, version) for version in versions)


def list_gaps(game: Game) -> Iterator[str]:
    """Yield the moments at which clients of an export that is given a new token had none, by what a rotation did."""
    before = game.snapshots[0][1]
    for seat in (seat for seat in game.seats if seat.job.rotates):
        other = game.other(seat)
        # Of two that write to the exports, one can reset what the other has restored, as is assumed not to be.
        is_reset = game.console.dialect.put in ("reset", "lose") and other.touched and seat.touched
        rights = {name: value for name, value in RIGHTS.items() if name in _DOCUMENTED or not is_reset}
        # Who takes an export away at the moment in which a rotation takes the other one cannot be seen.
        if other.job.rotates or not before.keys() & other.touched.keys():
            for _time, truth in game.snapshots:
                if not any(key_of(record) in NAMES and rights.items() <= record.items() for record in truth.values()):
                    yield f"no export has the rights of {ROTATED}: {sorted(map(key_of, truth.values()))}"
        kept = [item for item in seat.job.items if item.get("state") != "absent"]
        for id_, view in seat.deletions.items():
            others = {other_id: record for other_id, record in view.items() if other_id != id_}
            if not all(_is_satisfied(item, others, set()) for item in kept):
                yield f"{'AB'[seat.number]} deletes the export with the id {id_}, and sees no other to keep"


def _unrequested(game: Game) -> Iterator[str]:
    """Yield the fields that are as no task was to set them, and that no task names."""
    truth = game.snapshots[-1][1]
    told = _told(game)
    for id_, versions in _versions(game).items():
        for name in _FIELDS if id_ in truth else ():
            allowed = {versions[0].get(name), *_wanted(game.seats, versions, name)}
            if truth[id_].get(name) in allowed or f"{name} was" in told or _are_two_writers(game, id_, name):
                continue
            yield f"{name} of {key_of(truth[id_])} (id {id_}) is {truth[id_].get(name)}"


def _are_two_writers(game: Game, id_: int, name: str) -> bool:
    """Return whether both tasks have written to a record so that one can undo what the other did, as is assumed not to be."""
    pairs = ((seat, game.other(seat)) for seat in game.seats)
    return all(id_ in seat.touched for seat in game.seats) and any(
        is_assumed(game, other, name, seat.touched[id_]) for seat, other in pairs
    )


def _overwritten(game: Game, seat: Seat) -> Iterator[str]:
    """Yield the fields that a task has set, and that the other has set back, which it was not to."""
    other, truth, versions = game.other(seat), game.snapshots[-1][1], _versions(game)
    for id_, snapshot in () if seat.result.get("failed") else seat.touched.items():
        for name in _FIELDS if id_ in truth else ():
            values = [*_wanted([seat], versions[id_], name)]
            if not values or truth[id_].get(name) in (*values, *_wanted([other], versions[id_], name)):
                continue
            if not (is_assumed(game, other, name, snapshot) or f"{name} was" in _told(game)):
                yield f"{name} of {key_of(truth[id_])} (id {id_}) is {truth[id_].get(name)} again"


def is_assumed(game: Game, other: Seat, name: str, snapshot: int) -> bool:
    """Return whether a change is lost as docs/docsite/rst/assumptions.rst says, "Nobody else updates a record".

    The other task had read the list before the change, and its update carries the field as it was: one that is documented,
    or on a console that resets the others each of them; or it says that it has restored it.
    """
    is_restored = any(f"{name} changed meanwhile" in text for text in other.warnings)
    is_carried = name in _DOCUMENTED or game.console.dialect.put in ("reset", "lose") or is_restored
    return is_carried and other.planned is not None and other.planned < snapshot


def _wanted(seats: Iterable[Seat], versions: list[Record], name: str) -> Iterator[Any]:
    """Yield the values that tasks want a field of a record to have."""
    keys = {key_of(version) for version in versions}
    for seat in seats:
        change = seat.job.change
        if change and change.key in keys and name in change.fields:
            yield change.fields[name]
        for item in seat.job.items:
            is_about = item.get("id") == versions[0]["id"] or {key_of(item), item.get("was")} & keys
            if is_about and name in item:
                yield item[name]


def _shows_others_first(game: Game) -> bool:
    """Return whether of two records that two tasks make, one need not show in time, or is made after the other was found.

    Both are assumed not to be (docs/docsite/rst/assumptions.rst, "If two tasks create the same record", "A creation or an
    update whose response was lost").
    """
    faults = {event for turn, event in game.order.decisions if "POST" in game.trace[turn]}
    if LATE in faults:
        return True
    dialect = game.console.dialect
    has_ids = dialect.create_body in ("record", "id") and game.console.style.created != NO_CONTENT
    is_late = bool(dialect.longest_lag) or any(event == STALE for _turn, event in game.order.decisions)
    return is_late and not (has_ids and faults.isdisjoint(UNANSWERED))


def _doubles(truth: Truth) -> list[list[int]]:
    counts = Counter(key_of(record) for record in truth.values())
    return [
        [id_ for id_, record in truth.items() if key_of(record) == key] for key, count in counts.items() if count > 1
    ]


def _doubled(truth: Truth, seats: Iterable[Seat]) -> Iterator[str]:
    """Yield the keys that several records have, where no task has failed and named them."""
    told = [_texts(seat) for seat in seats if seat.result.get("failed")]
    concerned = {key for seat in seats for item in seat.job.items for key in (key_of(item), item.get("was"))}
    for ids in _doubles(truth):
        if key_of(truth[ids[0]]) in concerned and not any(all(str(id_) in text for id_ in ids) for text in told):
            yield f"{key_of(truth[ids[0]])} is there twice, and no task says so"


def _told(game: Game) -> str:
    """Return what the tasks say that have failed."""
    return " ".join(_texts(seat) for seat in game.seats if seat.result.get("failed"))


def _texts(seat: Seat) -> str:
    return " ".join([seat.result["msg"], *(error["msg"] for error in seat.result.get("errors", ()))])
