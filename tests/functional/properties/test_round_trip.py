# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A captured console can be applied: to itself without a change, to an empty one with the same files as result.

The consoles hold anything that others may have put there: unusual names, doubles, blanks, values that no option takes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import event, note
from hypothesis import given as drawn
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.action import write_files
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.capture import to_desired_state
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.reading import read_state
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import (
    plan_files,
    read_max_removals,
)
from emulator import Dialect
from emulator.dialect import usable
from functional.properties.draws import BOOLEANS, DIALECTS, IPRANGES, PATHS, Records, fill
from functional.support import oracle
from functional.support.cases import cases
from functional.support.files import complaints, items_in
from functional.support.inprocess import SharedConsole, connection_to, run_module

PASSWORD = "hunter2"
URL_WITH_PASSWORD = f"https://me:{PASSWORD}@v.example.com"
Volume = tuple[dict[str, Any], Records, Records]

UNUSUAL_NAMES = ["web", "web ", " web", "Web", "", " ", "on", "null", "12", "1.0", "2026-01-01", "{{ 1/0 }}", "{% x %}"]
UNUSUAL_NAMES += ["#", "*a", "- a", "a: b", "'a'", '"', "a/b", "..", "...", "a\nb", "\t", "\x00", "\x85\u2028", "ü"]
UNUSUAL_NAMES += ["😀", "~", "con", URL_WITH_PASSWORD]
NAMES = st.sampled_from(UNUSUAL_NAMES) | st.text(max_size=5) | st.just("x" * 255)
UNUSUAL_PATHS = ["", "/", "a/b", "/a/../b", "/..", "/ ", " ", " /a", "/{{ x }}", 5]
UNUSUAL_FLAGS: st.SearchStrategy[Any] = st.sampled_from([None, "true", "False", "maybe", 0, 1, 2, [], "yes"])
UNUSUAL_LIMITS: st.SearchStrategy[Any] = st.sampled_from(
    [None, 0, "0", 1536, 10 << 30, "10 GiB", -1024, 1.5, 5.0, 1 << 80, 10**45, "x", True, [], ""]
)
UNUSUAL_RANGES = st.sampled_from(["10.0.0.0/255.0.0.0", "nonsense", "", None, 5, " 10.0.0.0/8 ", "::1"])
UNUSUAL_NUMBERS = st.sampled_from([0, 7, "7", "x", 1.5, 2.0, None, True, [1]])
UNUSUAL_TEXTS = st.sampled_from(["lz4", " lz4 ", "", " ", None, 5, False, {"a": 1}, "{{ x }}", "no", URL_WITH_PASSWORD])

FLAGS = ("apionly", "readonly", "appendonly")
ANY_FLAG = BOOLEANS | UNUSUAL_FLAGS
EXPORTS = st.fixed_dictionaries(
    {"desc": NAMES, "iprange": IPRANGES | UNUSUAL_RANGES}, optional=dict.fromkeys(FLAGS, ANY_FLAG)
)
# In a path, slashes may be folded, and then nothing looks like an address with a password.
ANY_PATH = PATHS | st.sampled_from(UNUSUAL_PATHS) | NAMES.filter(lambda name: PASSWORD not in name).map("/{}".format)
LIMITS = {"size": UNUSUAL_LIMITS, "inodes": UNUSUAL_LIMITS}
BUCKETS = st.sampled_from(["https://v.example.com/", "ftp://[", URL_WITH_PASSWORD]) | UNUSUAL_TEXTS
# Undocumented fields, such as a path, may have any name.
FIELDS = {"bucket": BUCKETS, "region": UNUSUAL_NUMBERS, "blockSize": UNUSUAL_NUMBERS, "compress": UNUSUAL_TEXTS}
FIELDS |= {"compatible": ANY_FLAG, "extend": UNUSUAL_TEXTS, "path": NAMES, "storage": UNUSUAL_TEXTS}
VOLUMES = st.tuples(
    st.fixed_dictionaries({"name": NAMES}, optional=FIELDS),
    st.lists(EXPORTS, max_size=4),
    st.lists(st.fixed_dictionaries({"path": ANY_PATH}, optional=LIMITS), max_size=4),
)

# Records that can be created again: each has a unique key, and a console accepts all of its values.
USUAL_NAMES = [
    name for name in UNUSUAL_NAMES if name.strip() == name != "" and name.isprintable() and PASSWORD not in name
]
USUAL_TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=5)
PLAIN_NAMES = st.sampled_from(USUAL_NAMES) | USUAL_TEXTS
NAMED_PATHS = PLAIN_NAMES.filter(lambda name: ".." not in name).map("/{}".format)
PLAIN_PATHS = PATHS.filter(lambda path: " " not in path) | NAMED_PATHS
PLAIN_LIMITS = {"size": st.sampled_from([1024, 1537, 10 << 30]), "inodes": st.sampled_from([0, 5])}
PLAIN_EXPORTS = st.fixed_dictionaries({"desc": PLAIN_NAMES, "iprange": IPRANGES, **dict.fromkeys(FLAGS, BOOLEANS)})
PLAIN_QUOTAS = st.fixed_dictionaries({"path": PLAIN_PATHS, **PLAIN_LIMITS})
PLAIN_VOLUMES = st.tuples(
    st.fixed_dictionaries({"name": PLAIN_NAMES, "bucket": st.just("https://v.example.com"), "region": st.just(1)}),
    st.lists(PLAIN_EXPORTS, max_size=4, unique_by=lambda export: export["desc"]),
    st.lists(PLAIN_QUOTAS, max_size=4, unique_by=lambda quota: oracle.meaning("path", quota["path"])),
)

# Records of a driver, and others that a person may want to leave alone.
ALONE = {
    "volumes": ["w*", "", "*", "[!a-z]*"],
    "exports": ["w*", "", "*", "h*"],
    "quotas": ["/a*", "*b", "*", "/"],
}
DRIVER = {"volumes": "k8s-*", "exports": "csi-*", "quotas": "/csi/*"}
PATTERNS = st.fixed_dictionaries(
    {
        kind: st.lists(st.sampled_from(ALONE[kind]), max_size=1).map([pattern].__add__)
        for kind, pattern in DRIVER.items()
    }
)
ANY = read_max_removals("0")

# Consoles that say how to get the rest of a list.
READABLE = DIALECTS.filter(lambda dialect: dialect.list_shape in usable("list_shape"))


def seed(console: SharedConsole, dialect: Dialect, volumes: list[Volume]) -> None:
    """Create volumes on a console, and wait until lists show all of them."""
    emulator, clock = console
    emulator.reset(dialect)
    for fields, exports, quotas in volumes:
        fill(emulator, emulator.add_volume(**fields), exports, quotas)
    clock.now += 60


def run(console: SharedConsole, module: str, **given: Any) -> dict[str, Any]:
    """Return the result of a module."""
    emulator, clock = console
    emulator.forget_requests()
    result = run_module(module, {**connection_to(emulator), **given}, clock)
    note(f"{module}: {result.get('msg')}")
    return result


def capture(console: SharedConsole, folder: Path) -> Records | None:
    """Write the records to files, and return their content; None if the lists of this console cannot be read."""
    listed = run(console, "volume_info", gather=["exports", "quotas"])
    if listed.get("failed"):
        return None
    items = to_desired_state(listed["volumes"], "volumes")
    changes, unchanged = plan_files(folder, items, True, ANY)
    assert (len(changes), unchanged) == (len(items), 0)
    write_files(folder, changes)
    assert plan_files(folder, items, True, ANY) == ([], len(items))
    read = items_in(folder, "desired", bytes) if items else []
    assert sorted(read, key=repr) == sorted(items, key=repr)
    # Other tools, and Ansible's own files of variables, read YAML 1.1.
    values = list(map(yaml.safe_load, contents(folder).values()))
    assert sorted(values, key=repr) == sorted(items, key=repr)
    assert [complaint for value in values for complaint in complaints("volume", value)] == []
    return read


def apply_list(console: SharedConsole, noun: str) -> None:
    """Assert that a list of the first volume changes nothing on its own console."""
    emulator, plural = console[0], f"{noun}s"
    volume = {"volume_id": emulator.volumes()[0]["id"]}
    items = to_desired_state(run(console, f"{noun}_info", **volume)[plural], plural)
    applied = run(console, plural, **volume, **{plural: items})
    assert (applied.get("failed"), applied["changed"], emulator.writes) == (None, False, []), applied


def contents(folder: Path) -> dict[str, str]:
    """Return the files of a folder."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.mark.promise("captured-is-unchanged")
@cases(1 / 4)
@drawn(dialect=DIALECTS, volumes=st.lists(VOLUMES, max_size=4))
def test_what_is_captured_changes_nothing_where_it_is_from(
    shared_console: SharedConsole, dialect: Dialect, volumes: list[Volume]
) -> None:
    seed(shared_console, dialect, volumes)
    emulator = shared_console[0]
    with tempfile.TemporaryDirectory() as folder:
        items = capture(shared_console, Path(folder))
        text = "".join(contents(Path(folder)).values())
    event(f"captured: {items is not None}")
    if items is None:
        return
    assert [secret for secret in (PASSWORD, *emulator.tokens()) if secret in text] == []
    for noun in ("export", "quota") if volumes else ():
        apply_list(shared_console, noun)
    # Every record has its item, so that a purge finds nothing.
    applied = run(shared_console, "volumes", volumes=items, purge=["exports", "quotas"])
    assert (applied.get("failed"), applied["changed"], emulator.writes) == (None, False, []), applied
    assert "unverified" not in applied
    unchanged = [applied["counts"][kind]["unchanged"] for kind in ("volumes", "exports", "quotas")]
    assert unchanged == [len(volumes), *(sum(len(volume[index]) for volume in volumes) for index in (1, 2))]


@pytest.mark.promise("captured-is-unchanged")
@cases(1 / 4)
@drawn(
    dialect=READABLE,
    volumes=st.lists(PLAIN_VOLUMES, max_size=3, unique_by=lambda volume: volume[0]["name"]),
)
def test_what_is_captured_makes_the_same_console_from_nothing(
    shared_console: SharedConsole, dialect: Dialect, volumes: list[Volume]
) -> None:
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        seed(shared_console, dialect, volumes)
        items = capture(shared_console, Path(first))
        assert items is not None
        seed(shared_console, dialect, [])
        applied = run(shared_console, "volumes", volumes=items)
        assert not applied.get("failed"), applied
        shared_console[1].now += 60
        assert capture(shared_console, Path(second)) == items
        assert contents(Path(second)) == contents(Path(first))


@pytest.mark.promise("captured-is-unchanged", "ignored-is-left-alone")
@cases(1 / 4)
@drawn(dialect=READABLE, volumes=st.lists(VOLUMES, max_size=3), ignore=PATTERNS)
def test_what_others_do_with_what_is_ignored_changes_nothing(
    shared_console: SharedConsole, dialect: Dialect, volumes: list[Volume], ignore: dict[str, list[str]]
) -> None:
    seed(shared_console, dialect, volumes)
    emulator, clock = shared_console
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "console.yml").write_text(yaml.safe_dump({"ignore": ignore}), encoding="utf-8")
        listed = run(shared_console, "volume_info", gather=["all"])
        if listed.get("failed"):
            return
        write_files(folder, plan_files(folder, to_desired_state(listed["volumes"], "volumes"), True, ANY)[0])
        for volume in (*emulator.volumes(), {"id": emulator.add_volume(name="k8s-1")}):
            emulator.add_export(volume["id"], desc="csi-1", iprange="*")
            emulator.add_quota(volume["id"], path="/csi/1", size=1)
        clock.now += 60
        files = contents(folder)
        items = items_in(folder, "desired", bytes) if len(files) > 1 else []
        about = read_state(folder, "desired", bytes).about.to_options() if items else {"ignore": ignore}
        applied = run(shared_console, "volumes", volumes=items, purge=["exports", "quotas"], **about)
        if applied.get("failed") and not all("name" in item for item in items):
            # A name that no option can hold is not in the file, and only the console can tell that a pattern matches it.
            assert ("is ignored, so no task may change it" in applied["msg"], emulator.writes) == (True, [])
            return
        assert (applied.get("failed"), applied["changed"], emulator.writes) == (None, False, []), applied
        ignored = {kind: counts["ignored"] for kind, counts in applied["counts"].items()}
        assert ignored["volumes"] > 0
        assert min(ignored["exports"], ignored["quotas"]) >= len(items)
        listed = run(shared_console, "volume_info", gather=["all"])
        assert plan_files(folder, to_desired_state(listed["volumes"], "volumes"), True, ANY)[0] == []
    event(f"captured: {len(items)}")
