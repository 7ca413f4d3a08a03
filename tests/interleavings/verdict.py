# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Invariants of two tasks, in whatever order their requests came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from http.client import NO_CONTENT
from typing import Any

from interleavings.tasks import NAMES, NEXT, OLD, RIGHTS, ROTATED, SINGLE, Item, Job
from interleavings.turns import LATE, STALE, UNANSWERED, Actor, Interleaving, Truth

# The fields that each update carries.
_DOCUMENTED = ("desc", "iprange", "path", "size")
_FIELDS = (*_DOCUMENTED, "readonly", "inodes", "token")
Record = Mapping[str, Any]


def list_violations(interleaving: Interleaving) -> Iterator[str]:
    """Yield the violations after both tasks."""
    for actor in interleaving.actors:
        if not actor.job.change:
            yield from (f"{'AB'[actor.number]} {text}" for text in _untrue(interleaving, actor))
    yield from _lost(interleaving)
    yield from list_gaps(interleaving)
    yield from _unrequested(interleaving)
    for actor in interleaving.actors:
        yield from _overwritten(interleaving, actor)
    if not (any(actor.job.change for actor in interleaving.actors) or _shows_others_first(interleaving)):
        yield from _doubled(interleaving.snapshots[-1][1], interleaving.actors)


def list_later_violations(interleaving: Interleaving) -> Iterator[str]:
    """Yield the violations after both tasks ran again, one after the other, without faults."""
    both = [actor.job for actor in interleaving.actors]
    jobs = [job for job in both if not job.change]
    # A purge that deletes an export leaves the rest of its rotation to the next purge.
    again = [
        interleaving.run_again(job)
        for job in jobs
        for _run in range(2 if job.purges and job.module == "exports" else 1)
    ]
    truth = interleaving.truth()
    if not any("id" in item for job in jobs for item in job.items):
        yield from _doubled(truth, again)
    done = [actor for actor in again if not actor.result.get("failed")]
    # It is unclear which of two second exports is the right one. An end that meets an abort may leave nothing but what is to go.
    keys = Counter(map(key_of, truth.values()))
    is_clear = keys[NEXT] < 2 and keys[ROTATED] + keys[NEXT] > 0
    is_due = is_clear and all(job.rotates for job in both)
    if not done and (is_due or any(actor.sent for actor in again)):
        yield f"no task succeeds when run again: {[actor.result['msg'] for actor in again]}"
    for actor in done[-1:]:
        last = interleaving.run_again(actor.job)
        if last.result.get("failed") or last.result["changed"] or interleaving.truth() != truth:
            yield f"it does not stay as {actor.job.name} has made it: {last.result['msg']}"


def _untrue(interleaving: Interleaving, actor: Actor) -> Iterator[str]:
    """Yield untrue claims in a task's result."""
    result = actor.result
    if "traceback" in result:
        yield f"ended with {result['traceback']}"
        return
    views = actor.views or [interleaving.snapshots[0][1]]
    # The content of a list counts as well: a late one may show an old record beside a new one, which never was.
    moments = [*(truth for _time, truth in interleaving.snapshots[actor.shown : actor.ended + 1]), views[-1]]
    is_as_before = any(all(truth.get(id_) == views[0].get(id_) for id_ in actor.touched) for truth in moments)
    if not (result["changed"] or is_as_before):
        yield f"is unchanged, and changed something: {result['msg']}"
    if result["changed"] and not (actor.accepted or actor.lost):
        yield f"is changed, and changed nothing: {result['msg']}"
    if result.get("failed"):
        return
    if actor.job.module not in SINGLE:
        # The result of a list has each record from the reading after its last write.
        moments = [*(truth for _time, truth in interleaving.snapshots[actor.planned or 0 : actor.ended + 1]), *views]
    record = result[SINGLE[actor.job.module]] if actor.job.module in SINGLE else None
    for item in actor.job.items:
        if not any(_is_satisfied(item, truth, _unverified(result)) and _shows(record, truth) for truth in moments):
            yield f"is ok, and {dict(item)} was not so: {result['msg']}"
    for id_, listed in views[0].items():
        if _purges(actor.job, listed) and not any(
            id_ not in truth or _is_named(actor.job.items, truth[id_]) for truth in moments
        ):
            yield f"is ok, and {key_of(listed)} was not purged: {result['msg']}"


def is_as_wanted(job: Job, truth: Truth, result: Record) -> bool:
    """Return whether the records are as a task wants them, apart from fields that it could not verify."""
    is_pure = not any(_purges(job, record) for record in truth.values())
    return is_pure and all(_is_satisfied(item, truth, _unverified(result)) for item in job.items)


def key_of(record: Record) -> Any:
    """Return the natural key of a record or an item: paths begin with a slash, and descriptions here do not."""
    return record.get("path", record.get("desc"))


def _purges(job: Job, record: Record) -> bool:
    """Return whether a task must purge a record."""
    is_among = ("desc" in record) is (job.module == "exports") and key_of(record) not in (NEXT, OLD)
    return job.purges and is_among and not _is_named(job.items, record)


def _unverified(result: Record) -> set[str]:
    names = result.get("unverified", ())
    return set(names.get("quotas", ()) if isinstance(names, dict) else names)


def _shows(record: Record | None, truth: Truth) -> bool:
    """Return whether a record in a result has the true values."""
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


def _versions(interleaving: Interleaving) -> dict[int, list[Record]]:
    """Return the versions of each record, in order."""
    versions: dict[int, list[Record]] = {}
    for _time, truth in interleaving.snapshots:
        for id_, record in truth.items():
            known = versions.setdefault(id_, [])
            if not known or known[-1] != record:
                known.append(record)
    return versions


def _lost(interleaving: Interleaving) -> Iterator[str]:
    """Yield the records that are gone although no task should have removed them."""
    truth = interleaving.snapshots[-1][1]
    for id_, versions in _versions(interleaving).items():
        if id_ not in truth and not any(_may_remove(actor.job, versions) for actor in interleaving.actors):
            yield f"{key_of(versions[-1])} (id {id_}) is lost"


def _may_remove(job: Job, versions: list[Record]) -> bool:
    if job.change:
        return job.change.action == "delete" and any(key_of(version) == job.change.key for version in versions)
    absent = [item for item in job.items if item.get("state") == "absent"]
    if any(_is_named(absent, version) for version in versions):
        return True
    return any(_purges(job, version) for version in versions)


def list_gaps(interleaving: Interleaving) -> Iterator[str]:
    """Yield the moments at which a rotation left the clients of its export without one."""
    before = interleaving.snapshots[0][1]
    for actor in (actor for actor in interleaving.actors if actor.job.rotates):
        other = interleaving.other(actor)
        # If both write to the exports, one can reset what the other restored, which is excluded by assumption.
        is_reset = interleaving.console.dialect.put in ("reset", "lose") and other.touched and actor.touched
        rights = {name: value for name, value in RIGHTS.items() if name in _DOCUMENTED or not is_reset}
        # A rotation cannot see that somebody removes one export just when it removes the other.
        if other.job.rotates or not before.keys() & other.touched.keys():
            for _time, truth in interleaving.snapshots:
                if not any(key_of(record) in NAMES and rights.items() <= record.items() for record in truth.values()):
                    yield f"no export has the rights of {ROTATED}: {sorted(map(key_of, truth.values()))}"
        kept = [item for item in actor.job.items if item.get("state") != "absent"]
        for id_, view in actor.deletions.items():
            others = {other_id: record for other_id, record in view.items() if other_id != id_}
            if not all(_is_satisfied(item, others, set()) for item in kept):
                yield f"{'AB'[actor.number]} deletes the export with the id {id_}, and sees no other to keep"


def _unrequested(interleaving: Interleaving) -> Iterator[str]:
    """Yield the fields with values that no task should have set, unless a task reports them."""
    truth = interleaving.snapshots[-1][1]
    messages = _failure_messages(interleaving)
    for id_, versions in _versions(interleaving).items():
        for name in _FIELDS if id_ in truth else ():
            allowed = {versions[0].get(name), *_wanted(interleaving.actors, versions, name)}
            if (
                truth[id_].get(name) in allowed
                or f"{name} was" in messages
                or _are_two_writers(interleaving, id_, name)
            ):
                continue
            yield f"{name} of {key_of(truth[id_])} (id {id_}) is {truth[id_].get(name)}"


def _are_two_writers(interleaving: Interleaving, id_: int, name: str) -> bool:
    """Return whether both tasks wrote to a record so that one can undo the other's write, which is excluded by assumption."""
    pairs = ((actor, interleaving.other(actor)) for actor in interleaving.actors)
    return all(id_ in actor.touched for actor in interleaving.actors) and any(
        is_assumed(interleaving, other, name, actor.touched[id_]) for actor, other in pairs
    )


def _overwritten(interleaving: Interleaving, actor: Actor) -> Iterator[str]:
    """Yield the fields that a task has set, and that the other one wrongly set back."""
    other, truth, versions = interleaving.other(actor), interleaving.snapshots[-1][1], _versions(interleaving)
    for id_, snapshot in () if actor.result.get("failed") else actor.touched.items():
        for name in _FIELDS if id_ in truth else ():
            values = [*_wanted([actor], versions[id_], name)]
            if not values or truth[id_].get(name) in (*values, *_wanted([other], versions[id_], name)):
                continue
            if not (
                is_assumed(interleaving, other, name, snapshot) or f"{name} was" in _failure_messages(interleaving)
            ):
                yield f"{name} of {key_of(truth[id_])} (id {id_}) is {truth[id_].get(name)} again"


def is_assumed(interleaving: Interleaving, other: Actor, name: str, snapshot: int) -> bool:
    """Return whether a change is lost as docs/docsite/rst/guarantees.rst says, two-tasks-at-once.

    The other task read the list before the change, and its update carries the former value: of a documented field, or of
    any field on a console that resets the others; or it reports that it restored the field.
    """
    is_restored = any(f"{name} changed meanwhile" in text for text in other.warnings)
    is_carried = name in _DOCUMENTED or interleaving.console.dialect.put in ("reset", "lose") or is_restored
    return is_carried and other.planned is not None and other.planned < snapshot


def _wanted(actors: Iterable[Actor], versions: list[Record], name: str) -> Iterator[Any]:
    """Yield the values that tasks want for a field of a record."""
    keys = {key_of(version) for version in versions}
    for actor in actors:
        change = actor.job.change
        if change and change.key in keys and name in change.fields:
            yield change.fields[name]
        for item in actor.job.items:
            is_about = item.get("id") == versions[0]["id"] or {key_of(item), item.get("renamed_from")} & keys
            if is_about and name in item:
                yield item[name]


def _shows_others_first(interleaving: Interleaving) -> bool:
    """Return whether a record that a task creates may show late, or may be created after the other task's was found.

    Both are excluded by assumption (docs/docsite/rst/guarantees.rst, duplicates-are-named).
    """
    faults = {event for turn, event in interleaving.order.decisions if "POST" in interleaving.trace[turn]}
    if LATE in faults:
        return True
    dialect = interleaving.console.dialect
    has_ids = dialect.create_body in ("record", "id") and interleaving.console.style.created != NO_CONTENT
    is_late = bool(dialect.longest_lag) or any(event == STALE for _turn, event in interleaving.order.decisions)
    return is_late and not (has_ids and faults.isdisjoint(UNANSWERED))


def _doubles(truth: Truth) -> list[list[int]]:
    counts = Counter(key_of(record) for record in truth.values())
    return [
        [id_ for id_, record in truth.items() if key_of(record) == key] for key, count in counts.items() if count > 1
    ]


def _doubled(truth: Truth, actors: Iterable[Actor]) -> Iterator[str]:
    """Yield the keys that several records share, unless a failed task names them."""
    messages = [_texts(actor) for actor in actors if actor.result.get("failed")]
    concerned = {
        key for actor in actors for item in actor.job.items for key in (key_of(item), item.get("renamed_from"))
    }
    for ids in _doubles(truth):
        if key_of(truth[ids[0]]) in concerned and not any(all(str(id_) in text for id_ in ids) for text in messages):
            yield f"{key_of(truth[ids[0]])} is there twice, and no task says so"


def _failure_messages(interleaving: Interleaving) -> str:
    """Return the messages of the tasks that failed."""
    return " ".join(_texts(actor) for actor in interleaving.actors if actor.result.get("failed"))


def _texts(actor: Actor) -> str:
    return " ".join([actor.result["msg"], *(error["msg"] for error in actor.result.get("errors", ()))])
