# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The values that property tests draw: consoles, records, tasks, faults, and changes by other users.

Hypothesis alters most cases after it has drawn them, and takes the first choice for whatever no longer fits. So the first
choice is by far the most frequent one, above all of what is drawn last: it should lead somewhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from emulator import CHOICES, Dialect, Emulator, Fault
from emulator.dialect import usable
from emulator.faults import FLAWS
from functional.support import oracle

Records = list[dict[str, Any]]
Task = tuple[str, dict[str, Any], dict[str, Any], str]
ListTask = tuple[str, Records, dict[str, Any]]

BOOLEANS = st.booleans()
IPRANGES = st.sampled_from(["*", "0.0.0.0/0", "10.0.0.0/8", "10.1.2.3/8", "10.0.0.1", "2001:db8::1/64"])
# Now and then one has white space at its ends, and can only be reached where it is there.
DESCS = st.sampled_from([*["web", "db", "ci"] * 3, "web ", " web", "Web", "\u00e9", "e\u0301"])
PATHS = st.sampled_from([*["/a", "/a/", "//a", "/b", "/a/b", "/d"] * 2, "/a ", "/a /", "/A", "/\u00e9", "/e\u0301/"])
SIZES = st.sampled_from([0, 1024, "1K", "1.5KiB", "0", "2G"])
INODES = st.sampled_from([0, 5, 7])


def mostly(usual: st.SearchStrategy[Any], other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw nine of the usual for each other one. `one_of` counts a strategy once, however often it is given."""
    return st.integers(0, 9).flatmap(lambda number: other if number == 9 else usual)


def options(**strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw some of the options."""
    return st.fixed_dictionaries({}, optional=strategies)


FLAGS = {"apionly": BOOLEANS, "readonly": BOOLEANS, "appendonly": BOOLEANS}
STATES = {"state": st.sampled_from(["present", "present", "present", "absent"])}
POLICY = {"create_only_changes": st.sampled_from(["fail", "update"])}
# Now and then a record is named by its id, so that another key renames it: the number is its position in the list, -1 that of
# a user's quota.
POSITIONS = {"position": st.sampled_from([None] * 4 + [0, 1, -1])}
# Mostly the fields that a creation needs, so that much is written; now and then only the key.


def tasks(noun: str, needed: dict[str, Any], more: dict[str, Any], keys: st.SearchStrategy[str]) -> Any:
    """Draw tasks about exports or quotas: the noun, options, the state with perhaps a position, and the key."""
    with_more = st.fixed_dictionaries(needed, optional={**more, **POLICY})
    given = st.one_of(options(**needed, **more, **POLICY), st.fixed_dictionaries(needed), with_more)
    return st.tuples(st.just(noun), given, st.fixed_dictionaries({**STATES, **POSITIONS}), keys)


EXPORT_TASKS = tasks("export", {"iprange": IPRANGES}, FLAGS, DESCS | st.just("new"))
QUOTA_TASKS = tasks("quota", {"size": SIZES}, {"inodes": INODES}, PATHS | st.just("/new/"))
BUCKETS = st.sampled_from(["https://v.example.com", "https://v.example.com/"])
OF_VOLUMES = options(bucket=BUCKETS, region=st.just(1))
VOLUME_TASKS = st.tuples(st.just("volume"), OF_VOLUMES, st.fixed_dictionaries(STATES), st.sampled_from(["v", "w"]))
TASKS = EXPORT_TASKS | QUOTA_TASKS | VOLUME_TASKS


def distinct(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Draw some records or items; now and then two of them have equal keys."""
    key = next(iter(fields))
    entry = st.fixed_dictionaries(fields)
    lists = st.lists(entry, min_size=1, max_size=5, unique_by=lambda given: oracle.meaning(key, given[key]))
    return mostly(lists, st.lists(entry, max_size=5))


EXPORTS = distinct(desc=DESCS | st.sampled_from(["c", "", None]), iprange=IPRANGES, **FLAGS)
QUOTAS = distinct(path=PATHS, size=st.sampled_from([0, 1024, 1536]), inodes=INODES)

HONEST_FAILURES = {"list_shape", "update_appear_after", "put_alters"}
"""Settings whose broken values are drawn too: a task may fail under them, but must report that."""
RARE = {"update_appear_after", "stale_every", "put_alters", "put_hides", "user_quotas"}
"""Settings that would keep most tasks from succeeding if the default were not drawn most of the time."""


def values(name: str) -> list[Any]:
    """Return the values of a setting to draw from, favouring those that let a task succeed."""
    usual = list(usable(name))
    others = [value for value in CHOICES[name] if value not in usable(name)]
    return usual[:1] * (8 if name in RARE else 0) + usual * 4 + others * (name in HONEST_FAILURES)


def knowable(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings in which a list shows at once what an update has destroyed or replaced: else nobody could know."""
    prompt = {"vanish_after": 0.0, "appear_after": 0.0}
    return {**settings, **prompt} if settings["put_alters"] in ("vanish", "replace") else settings


# Any console that tasks can work with.
SETTINGS = st.fixed_dictionaries({name: st.sampled_from(values(name)) for name in CHOICES})
DIALECTS = SETTINGS.map(knowable).map(Dialect.of)


class Contents(NamedTuple):
    """A console's dialect, and the content of a volume of it."""

    dialect: Dialect
    exports: Records
    quotas: Records


def fill(emulator: Emulator, volume: int, exports: Records, quotas: Records) -> None:
    """Put exports and quotas into a volume."""
    for export in exports:
        emulator.add_export(volume, **export)
    for quota in quotas:
        emulator.add_quota(volume, **quota)


CONSOLES = st.builds(Contents, DIALECTS, EXPORTS, QUOTAS)
# Items of a list. Each has the fields that a creation needs.
ITEMS = {
    "export": distinct(desc=st.sampled_from(["c", "d"]) | DESCS, iprange=IPRANGES, **STATES),
    "quota": distinct(path=st.just("/c") | PATHS, size=SIZES, **STATES),
}
EXTRA = {"export": options(**FLAGS), "quota": options(inodes=INODES)}
LIST_OPTIONS = options(
    purge=st.just(True), concurrency=st.sampled_from([1, 3]), create_only_changes=st.sampled_from(["fail", "update"])
)


def list_tasks(noun: str) -> st.SearchStrategy[ListTask]:
    """Draw the kind, the items and the options of a task with a list."""
    items = st.tuples(ITEMS[noun], st.lists(EXTRA[noun], min_size=5, max_size=5)).map(
        lambda drawn: [{**more, **item} for item, more in zip(*drawn, strict=False)]
    )
    return st.tuples(st.just(noun), items, LIST_OPTIONS)


LISTS = list_tasks("export") | list_tasks("quota")
METHODS = st.sampled_from(["POST", "PUT", "DELETE", "GET"])
# By no more than is ever corrected: a task that cannot correct the time has surely failed.
SECONDS = st.sampled_from([600, -600, 3600, -3600, 200, 0])
# Mostly the first request of a method: few tasks write more than once.
NTH = st.sampled_from([1, 1, 1, 2, 3, 4, 5])
CLOCKS = st.builds(Fault, kind=st.just("clock"), method=METHODS, nth=NTH, seconds=SECONDS)
KINDS = ["reset_before", "reset_after", "truncate", "status", "html", "redirect", "malformed_json"]


def is_allowed_for(fault: Fault) -> bool:
    """Return whether no assumption excludes a fault (docs/docsite/rst/guarantees.rst).

    Excluded are a refusal or rate limit that lets the request through, and a lost creation or update that is carried out after
    it was sent again, which then creates a duplicate or overwrites.
    """
    is_refusal = 400 <= fault.answer_status < 500
    return not (fault.effect and is_refusal) and (not fault.effect_after or fault.method == "DELETE")


LOST = st.builds(
    Fault,
    kind=st.sampled_from(KINDS),
    method=METHODS,
    nth=NTH,
    times=st.sampled_from([1, 2, None]),
    status=st.sampled_from([200, 302, 500, 502, 503, 429, 400, 403, 405]),
    flaw=st.sampled_from(sorted(FLAWS)),
    effect=BOOLEANS,
    effect_after=st.sampled_from([0.0, 0.0, 5.0]),
)
FAULTS = st.lists(LOST.filter(is_allowed_for) | CLOCKS, min_size=1, max_size=2)

# How another user changes a record of the list that a task manages.
OTHER_FIELDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "export": st.fixed_dictionaries({"desc": DESCS, "iprange": IPRANGES}, optional={"readonly": BOOLEANS}),
    "quota": st.fixed_dictionaries({"path": PATHS, "size": st.sampled_from([0, 1024, 7])}),
}


def changes(noun: str, wanted: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a change of a record as ``Change`` has it, without the volume; often of the key that a task is about."""
    key = oracle.KEYS[noun]
    drawn = OTHER_FIELDS[noun]
    fields = drawn | drawn.map(lambda record: {**record, key: wanted})

    def change(action: str, concerned: dict[str, Any], news: dict[str, Any], renamed: bool) -> dict[str, Any]:
        if action == "create":
            return {"action": action, "resource": f"{noun}s", "fields": news}
        kept = news if renamed else {**news, key: concerned[key]}
        found = {"action": action, "resource": f"{noun}s", "key": concerned[key]}
        return {**found, "fields": kept} if action == "update" else found

    return st.builds(change, st.sampled_from(["delete", "update", "create"]), fields, fields, BOOLEANS)


def other_writers(noun: str, wanted: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw the settings of a fault in which somebody else changes a record around a request for the same list."""
    settings = {"kind": st.just("meanwhile"), "path": st.just(f"/{noun}s"), "change": changes(noun, wanted)}
    settings["moment"] = st.sampled_from(["before", "after"])
    writing = {"method": st.sampled_from(["PUT", "POST", "DELETE"]), "nth": st.just(1)}
    reading = {"method": st.just("GET"), "nth": st.sampled_from([2, 1, 1, 3, 4])}
    return st.fixed_dictionaries({**settings, **reading}) | st.fixed_dictionaries({**settings, **writing})


LIST_TASKS = EXPORT_TASKS | QUOTA_TASKS
# A task, and a change by another user meanwhile.
DISTURBED_TASKS = LIST_TASKS.flatmap(lambda task: st.tuples(st.just(task), other_writers(task[0], task[3])))
# Often a console whose lists are never late: what was read after somebody's change must then be reported.
PROMPT = {"appear_after": 0.0, "vanish_after": 0.0, "update_appear_after": 0.0, "stale_every": 0}
# Or one whose lists have many pages, too: with another user's deletion, one may be gone while the list is read.
PAGED = {**PROMPT, "list_shape": "page", "page_size": 1}
ALIKE = st.sampled_from([PAGED, PROMPT, {}])
PROMPT_DIALECTS = st.builds(lambda dialect, alike: Dialect.of({**dialect.settings(), **alike}), DIALECTS, ALIKE)
PROMPT_CONSOLES = st.builds(Contents, PROMPT_DIALECTS, EXPORTS, QUOTAS)
