# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""No task deletes more of a list than its limit allows, or empties one by accident: compared with a count by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import event
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import Emulator
from functional.support.cases import cases
from functional.support.inprocess import FakeClock, Run

KINDS = {"exports": "desc", "quotas": "path"}
NUMBERS = st.sampled_from([0, 1, 2, 3, 4, 5, 9])
SHARES = st.sampled_from([0, 1, 30, 50, 99, 100])
LIMITS = st.none() | NUMBERS.map(str) | SHARES.map("{}%".format)


class List(NamedTuple):
    """The numbers of a list's records that items name as present, name as absent, and leave out, and of new ones."""

    present: int
    absent: int
    left_out: int
    new: int

    @property
    def total(self) -> int:
        return self.present + self.absent + self.left_out


class Volume(NamedTuple):
    """The goal for a volume and its lists; None leaves a list out of its item."""

    is_absent: bool
    lists: dict[str, tuple[List, bool]]


COUNTS = st.builds(List, *[st.integers(0, 4)] * 3, st.integers(0, 1))
VOLUMES = st.builds(
    Volume,
    st.sampled_from([False] * 3 + [True]),
    st.fixed_dictionaries(dict.fromkeys(KINDS, st.tuples(COUNTS, st.booleans()))),
)
PURGES = st.lists(st.sampled_from(sorted(KINDS)), unique=True)


def allows(limit: str | None, gone: int, total: int, purged: int) -> bool:
    """Return whether a limit allows this many deletions of a list, this many of them by purge, as documented."""
    is_emptied = purged > 0 and gone == total
    if limit is None:
        return not is_emptied
    if not limit.endswith("%"):
        return gone <= int(limit)
    if limit == "100%" or gone == 0:
        return True
    if limit == "0%" or is_emptied:
        return False
    return gone <= 3 or gone / total <= int(limit[:-1]) / 100


def names(kind: str, what: str, count: int) -> list[dict[str, Any]]:
    more = {"iprange": "*"} if kind == "exports" else {"size": 5000}
    return [{KINDS[kind]: f"/{what}{number}", **more} for number in range(count)]


def fill(emulator: Emulator, name: str, volume: Volume) -> None:
    """Create a volume with as many records as its lists count."""
    identity = emulator.add_volume(name=name, bucket=f"https://{name}.example.com")
    for kind, (counts, _is_given) in volume.lists.items():
        add = emulator.add_export if kind == "exports" else emulator.add_quota
        for what in ("present", "absent", "left_out"):
            for record in names(kind, what, getattr(counts, what)):
                add(identity, **record)


def item_of(name: str, volume: Volume) -> dict[str, Any]:
    if volume.is_absent:
        return {"name": name, "state": "absent"}
    item: dict[str, Any] = {"name": name}
    for kind, (counts, is_given) in volume.lists.items():
        if is_given:
            absent = [{**record, "state": "absent"} for record in names(kind, "absent", counts.absent)]
            item[kind] = names(kind, "present", counts.present) + absent + names(kind, "new", counts.new)
    return item


def losses(volume: Volume, purge: list[str]) -> list[tuple[int, int, int]]:
    """Return for each list of a volume the number of deletions, the total, and the number of those that no item names."""
    found = []
    for kind, (counts, is_given) in volume.lists.items():
        if volume.is_absent:
            found.append((counts.total, counts.total, 0))
        elif is_given:
            purged = counts.left_out if kind in purge else 0
            found.append((counts.absent + purged, counts.total, purged))
    return found


@pytest.mark.promise("deletions-are-bounded")
@cases()
@drawn(volumes=st.lists(VOLUMES, min_size=1, max_size=3), purge=PURGES, limit=LIMITS)
def test_a_document_deletes_what_its_limit_allows(
    run: Run, emulator: Emulator, clock: FakeClock, volumes: list[Volume], purge: list[str], limit: str | None
) -> None:
    emulator.reset()
    document = []
    for number, volume in enumerate(volumes):
        fill(emulator, f"v{number}", volume)
        document.append(item_of(f"v{number}", volume))
    clock.now += 60
    deleted = sum(volume.is_absent for volume in volumes)
    each = [loss for volume in volumes for loss in losses(volume, purge)]
    is_allowed = all(allows(limit, *loss) for loss in [(deleted, len(volumes), 0), *each])
    event(f"allowed: {is_allowed}, limit: {limit}")
    for check in (True, False):
        result = run("volumes", volumes=document, purge=purge, max_deletions=limit, check=check)
        assert bool(result.get("failed")) is not is_allowed, result["msg"]
        if not is_allowed:
            assert result["msg"].startswith("Nothing was changed: ")
            assert (result["changed"], emulator.writes) == (False, [])


@pytest.mark.promise("deletions-are-bounded")
@cases()
@drawn(counts=COUNTS, kind=st.sampled_from(sorted(KINDS)), purge=st.booleans(), limit=LIMITS)
def test_a_list_deletes_what_its_limit_allows(
    run: Run, emulator: Emulator, clock: FakeClock, counts: List, kind: str, purge: bool, limit: str | None
) -> None:
    emulator.reset()
    volume = Volume(False, {kind: (counts, True)})
    fill(emulator, "v", volume)
    clock.now += 60
    (loss,) = losses(volume, [kind] * purge)
    items = item_of("v", volume)[kind]
    result = run(kind, volume="v", **{kind: items}, purge=purge, max_deletions=limit)
    assert bool(result.get("failed")) is not allows(limit, *loss), result["msg"]
    assert len(result["deleted"]) == (0 if result.get("failed") else loss[0])
