# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""On any console, what a plan shows is what is sent; and it counts likely mistakes, and what no item names."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import pytest
from hypothesis import event, note
from hypothesis import given as drawn
from hypothesis import strategies as st

from functional.properties import draws
from functional.properties.draws import Contents
from functional.properties.test_volumes import BUCKET, CONSOLE_FILES, IGNORED, PURGES, seed
from functional.support.cases import cases
from functional.support.inprocess import SharedConsole, connection_to, run_module

LINE = re.compile(r"\s*([+~-]) (volume|export|quota) ")
SIGNS = {"POST": "+", "PUT": "~", "DELETE": "-"}
# Of volumes, the lists below them, and the records of these.
TARGET = re.compile(r"/volumes(?:/\d+(?:/(exports|quotas)(?:/\w+)?)?)?$")


@pytest.mark.promise("plan-is-what-is-sent")
@cases(1 / 2)
@drawn(console=draws.CONSOLES, volumes=CONSOLE_FILES, purge=PURGES, ignore=IGNORED)
def test_every_line_of_a_plan_is_a_request_and_every_request_a_line(
    shared_console: SharedConsole, console: Contents, volumes: dict[str, Any], purge: list[str], ignore: dict[str, Any]
) -> None:
    emulator, clock = shared_console
    seed(emulator, console, BUCKET)
    document = [{"name": name, **item} for name, item in volumes.items()]
    given = {"volumes": document, "purge": purge, "ignore": ignore, "max_deletions": "100%", "wait": False}
    clock.now += 100_000
    planned = run_module("volumes", {**connection_to(emulator), **given}, clock, check=True)
    clock.now += 100_000
    emulator.forget_requests()
    done = run_module("volumes", {**connection_to(emulator), **given}, clock)
    note(done["msg"])
    event(f"failed: {bool(done.get('failed'))}, changed: {done['changed']}")
    if planned.get("failed") or done.get("failed"):
        return
    lines = planned["diff"]["prepared"].splitlines()
    shown = Counter(found.groups() for line in lines if (found := LINE.match(line)))
    accepted = [(request.method, request.path) for request in emulator.writes if request.status in range(200, 300)]
    # A console that resets fields gets some updates twice.
    updates = {(method, path) for method, path in accepted if method != "POST"}
    sent = [*updates, *((method, path) for method, path in accepted if method == "POST")]
    assert shown == Counter((SIGNS[method], noun_of(path)) for method, path in sent)
    assert done["diff"] == planned["diff"]
    entries = Counter((change["action"], change["kind"]) for change in done["changes"])
    assert entries.total() == shown.total()
    ids = {str(change["id"]) for change in done["changes"] if change["action"] != "create"}
    assert ids == {path.rpartition("/")[2] for _method, path in updates}


def noun_of(path: str) -> str:
    found = TARGET.search(path)
    assert found, path
    return {"exports": "export", "quotas": "quota", None: "volume"}[found.group(1)]


class Plain(NamedTuple):
    """A record of a world without special cases, or an item of it; an item without a value deletes."""

    value: Any
    readonly: bool = False


VOLUMES = ("v", "w")
PATHS = st.sampled_from(["/a", "/b", "/c", "/d"])
DESCS = st.sampled_from(["a", "b", "c", "d"])
QUOTAS = st.dictionaries(PATHS, st.builds(Plain, st.sampled_from([1, 4096, 10 * 2**30])), min_size=2)
EXPORTS = st.dictionaries(
    DESCS, st.builds(Plain, st.sampled_from(["*", "0.0.0.0/0", "10.0.0.0/8"]), st.booleans()), min_size=1
)
GONE = st.just(Plain(None))
ITEMS = st.fixed_dictionaries(
    {},
    optional={
        "quotas": st.dictionaries(
            PATHS, st.builds(Plain, st.sampled_from([1, "1B", 4096, "10GiB"])) | GONE, min_size=2
        ),
        "exports": st.dictionaries(DESCS, st.builds(Plain, st.sampled_from(["*", "10.0.0.0/8"]), st.booleans()) | GONE),
    },
)
WORLDS = st.fixed_dictionaries(
    {name: st.fixed_dictionaries({"exports": EXPORTS, "quotas": QUOTAS}) for name in VOLUMES}
)
NAMES_OF_VALUES = {"exports": ("desc", "iprange"), "quotas": ("path", "size")}
BYTES = {"1B": 1, "10GiB": 10 * 2**30}


@pytest.mark.promise("plan-warnings-belong-to-changes")
@cases(1 / 2)
@drawn(world=WORLDS, items=st.fixed_dictionaries({"v": ITEMS}, optional={"w": ITEMS}), purge=PURGES)
def test_likely_mistakes_and_what_no_item_names(
    shared_console: SharedConsole, world: dict[str, Any], items: dict[str, Any], purge: list[str]
) -> None:
    emulator, clock = shared_console
    emulator.reset()
    for name, lists in world.items():
        volume = emulator.add_volume(name=name, bucket=f"https://{name}.example.com")
        for desc, (iprange, readonly) in lists["exports"].items():
            emulator.add_export(volume, desc=desc, iprange=iprange, readonly=readonly)
        emulator.add_quotas(volume, [{"path": path, "size": size} for path, (size, _flag) in lists["quotas"].items()])
    document = [
        {"name": name, **{kind: list(as_items(kind, found)) for kind, found in lists.items()}}
        for name, lists in items.items()
    ]
    given = {"volumes": document, "purge": purge, "max_deletions": "100%", "create_only_changes": "update"}
    result = run_module(
        "volumes", {**connection_to(emulator), **given, "fail_on_plan_warnings": True}, clock, check=True
    )
    mistaken = {f"{name}: {key}" for name, lists in items.items() for key in find_mistakes(world[name], lists)}
    event(f"likely mistakes: {bool(mistaken)}")
    assert {each["key"] for each in result["plan_warnings"]} == mistaken
    assert bool(result.get("failed")) is bool(mistaken), result["msg"]
    unmanaged = dict.fromkeys(("volumes", "exports", "quotas"), 0)
    unmanaged["volumes"] = len(world.keys() - items.keys())
    for name, lists in items.items():
        for kind in lists.keys() - set(purge):
            unmanaged[kind] += len(world[name][kind].keys() - lists[kind].keys())
    assert {kind: counts["unmanaged"] for kind, counts in result["counts"].items()} == unmanaged


def as_items(kind: str, found: dict[str, Plain]) -> Any:
    key_name, value_name = NAMES_OF_VALUES[kind]
    for key, (value, readonly) in found.items():
        flags = {"readonly": readonly} if kind == "exports" else {}
        yield {key_name: key, "state": "absent"} if value is None else {key_name: key, value_name: value, **flags}


def find_mistakes(there: dict[str, dict[str, Plain]], lists: dict[str, dict[str, Plain]]) -> Any:
    """Yield the keys of changes that are likely mistakes: small sizes without a unit, and exports that are opened for writing."""
    for path, item in lists.get("quotas", {}).items():
        before = there["quotas"].get(path)
        is_changed = before is None or before.value != BYTES.get(item.value, item.value)
        if item.value == 1 and is_changed:
            yield path
    for desc, item in lists.get("exports", {}).items():
        before = there["exports"].get(desc)
        if (item.value, item.readonly) == ("*", False) and not is_open(before):
            yield desc


def is_open(export: Plain | None) -> bool:
    return export is not None and export.value in ("*", "0.0.0.0/0") and not export.readonly
