# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writing state files: only changes, each file whole or not at all, and nothing if too much of a capture would be removed."""

from __future__ import annotations

import errno
import functools
import os
import re
import resource
import stat
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.action import (
    check_folder,
    diff_of,
    write_files,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import (
    plan_files,
    read_max_removals,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.yaml_text import MARK
from functional.support.files import items_in

Volumes = list[dict[str, Any]]

VOLUMES: Volumes = [
    {"name": "projects", "region": 1, "quotas": [{"path": "/home/alice", "size": "10GiB"}]},
    {"name": "scratch", "exports": []},
]
UNUSUAL_NAMES = ["a/b", "..", "...", "a\nb", "x" * 255, "Projects", "PROJECTS", "con", "con.txt", "ü", "{{ 1/0 }}"]
UNUSUAL_NAMES += ["~", "a~b", ".a"]


def write(folder: Path, volumes: Volumes, max_removals: str = "50%", *, remove: bool = False) -> list[str]:
    """Write volumes, and return the names of the files that were changed."""
    check_folder(folder)
    changes, _unchanged = plan_files(folder, volumes, remove, read_max_removals(max_removals))
    write_files(folder, changes)
    return [change.path.name for change in changes]


capture = functools.partial(write, remove=True)


def refuse(folder: Path, volumes: Volumes, max_removals: str = "50%", *, remove: bool = False) -> str:
    """Return the reason why volumes are not written, and assert that no file has changed."""
    before = contents(folder)
    with pytest.raises(ConsoleError) as caught:
        write(folder, volumes, max_removals, remove=remove)
    assert contents(folder) == before
    return str(caught.value)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert write(folder, VOLUMES) == ["projects.yml", "scratch.yml"]
    before = {path.name: path.stat().st_ino for path in folder.iterdir()}
    assert write(folder, [VOLUMES[0], {"name": "scratch"}]) == ["scratch.yml"]
    after = {path.name: path.stat().st_ino for path in folder.iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"scratch.yml"}


def test_odd_names_make_safe_files_that_are_read_again(tmp_path: Path) -> None:
    volumes: Volumes = [{"name": name} for name in UNUSUAL_NAMES]
    volumes += [{"name": "twice", "id": 7}, {"name": "twice", "id": 70}, {"id": 8}]
    written = write(tmp_path, volumes)
    assert sorted(contents(tmp_path)) == sorted(written)
    # Some file systems ignore letter case.
    assert len({name.lower() for name in written}) == len(volumes)
    read = items_in(tmp_path, "desired", bytes)
    assert sorted(read, key=repr) == sorted(volumes, key=repr)
    # The name of a file does not depend on other volumes.
    alone = [write(tmp_path / str(number), [{"name": name}])[0] for number, name in enumerate(UNUSUAL_NAMES)]
    assert set(alone) <= set(written)


def test_files_of_volumes_that_are_gone_are_removed_and_no_others(tmp_path: Path) -> None:
    write(tmp_path, [*VOLUMES, {"name": "a/b"}])
    (tmp_path / "own.yml").write_text(f"# Once:\n{MARK}\nname: own\n", encoding="utf-8")
    (tmp_path / "README.md").write_text(MARK, encoding="utf-8")
    (tmp_path / ".projects-old.yml").write_bytes((tmp_path / "projects.yml").read_bytes())
    assert write(tmp_path, VOLUMES[:1]) == []
    assert capture(tmp_path, VOLUMES[:1]) == ["a-b~c14cddc033f6.yml", "scratch.yml"]
    assert sorted(contents(tmp_path)) == [".projects-old.yml", "README.md", "own.yml", "projects.yml"]


def move(folder: Path, *names: str) -> None:
    """Move files as a person does, each to a path that ends in its name."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / Path(name).name).rename(folder / name)


def test_a_volume_is_written_where_its_file_was_moved_to(tmp_path: Path) -> None:
    twins: Volumes = [{"name": "twice", "id": 7}, {"name": "twice", "id": 70}]
    volumes = [*VOLUMES, *twins]
    write(tmp_path, volumes)
    move(tmp_path, "teams/red/projects.yml", "teams/twice~id70.yml")
    mode = (tmp_path / "teams" / "twice~id70.yml").stat().st_mode
    assert capture(tmp_path, volumes) == []
    changed: Volumes = [{**volume, "region": 2} for volume in volumes]
    assert capture(tmp_path, changed) == ["scratch.yml", "projects.yml", "twice~id70.yml", "twice~id7.yml"]
    assert sorted(contents(tmp_path)) == ["scratch.yml", "twice~id7.yml"]
    assert (tmp_path / "teams" / "twice~id70.yml").stat().st_mode == mode
    read = items_in(tmp_path, "desired", bytes)
    assert sorted(read, key=repr) == sorted(changed, key=repr)


# The folder of a copy that people keep, and that of another console.
@pytest.mark.parametrize(("subfolder", "beside"), [(".old", "x"), ("other", "console.yml")])
def test_a_file_in_a_folder_of_another_kind_is_left_alone(tmp_path: Path, subfolder: str, beside: str) -> None:
    write(tmp_path, VOLUMES)
    move(tmp_path, f"{subfolder}/below/projects.yml")
    (tmp_path / subfolder / beside).write_text("console: [https://other.example.com]\n", encoding="utf-8")
    assert write(tmp_path, [{**VOLUMES[0], "region": 2}]) == ["projects.yml"]
    assert "region: 2" in (tmp_path / "projects.yml").read_text(encoding="utf-8")


def test_a_file_keeps_its_mode_and_a_new_one_is_readable(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path, VOLUMES)
        (tmp_path / "scratch.yml").chmod(0o600)
        write(tmp_path, [{**volume, "region": 2} for volume in VOLUMES])
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"projects.yml": 0o640, "scratch.yml": 0o600}


@pytest.mark.promise("files-are-whole")
def test_nobody_else_can_write_what_a_capture_wrote(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "below"
    before = os.umask(0)
    try:
        write(folder, VOLUMES)
        for mode in (0o666, 0o4755):
            (folder / "scratch.yml").chmod(mode)
            write(folder, [{**volume, "region": mode} for volume in VOLUMES])
            assert stat.S_IMODE((folder / "scratch.yml").stat().st_mode) == 0o644
    finally:
        os.umask(before)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o755, 0o755]


def test_a_destination_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        assert "file must be a folder that can be written to. Nothing was written." in refuse(path, VOLUMES)
    (tmp_path / "folder" / "scratch.yml").mkdir(parents=True)
    assert "scratch.yml: it cannot be read: Is a directory. Nothing was written." in refuse(
        tmp_path / "folder", VOLUMES
    )
    assert os.listdir(tmp_path / "folder") == ["scratch.yml"]  # noqa: PTH208
    # Tests may run as the super-user, who may write everywhere.
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert "must be a folder that can be written to. Nothing was written." in refuse(tmp_path / "new", VOLUMES)


UNREADABLE: dict[str, Volumes] = {
    "item 1: name or id is required": [{"region": 1}],
    "item 1 ('v'), quotas item 1 ('v'): path must start with /": [{"name": "v", "quotas": [{"path": "v"}]}],
    "two volumes would go into the file v.yml": [{"name": "v"}, {"name": "v"}],
}


def test_volumes_that_could_not_be_read_again_are_refused(tmp_path: Path) -> None:
    for message, volumes in UNREADABLE.items():
        assert message in refuse(tmp_path / "new", volumes)
    assert not (tmp_path / "new").exists()


@pytest.mark.promise("files-are-whole")
def test_a_disk_that_is_full_leaves_every_old_file_whole(tmp_path: Path) -> None:
    write(tmp_path, VOLUMES)
    quotas = [{"path": f"/{number}"} for number in range(99)]
    larger = [{**VOLUMES[0], "exports": []}, {**VOLUMES[1], "quotas": quotas}]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        message = refuse(tmp_path, larger)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert message.endswith("cannot be written: File too large; no file was changed. Run the task again.")


def test_a_file_that_cannot_take_its_place_leaves_it_as_it_was_and_tells_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, VOLUMES)
    before = contents(tmp_path)
    real = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name == "scratch.yml":
            raise PermissionError(errno.EPERM, "Operation not permitted", str(target))
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(
        ConsoleError, match=r"scratch.yml cannot be written: .*; 1 of 2 files had been changed before"
    ) as caught:
        write(tmp_path, [{**volume, "region": 2} for volume in VOLUMES])
    assert caught.value.details == {"changed": True}
    after = contents(tmp_path)
    assert sorted(after) == sorted(before)
    assert [name for name in after if after[name] != before[name]] == ["projects.yml"]


def test_the_diff_of_a_long_file_shows_the_lines_that_differ_and_that_of_very_much_is_bounded(tmp_path: Path) -> None:
    quotas: list[dict[str, Any]] = [{"path": f"/home/user-{number:06}", "size": "10GiB"} for number in range(5000)]
    write(tmp_path, [{"name": "v", "quotas": quotas}])
    quotas[2500] = {**quotas[2500], "size": "11GiB"}
    (diff,) = diff_of(plan_files(tmp_path, [{"name": "v", "quotas": quotas}], False, read_max_removals("50%"))[0])
    line = "  - {path: /home/user-002500, size: %sGiB}"
    shown = [line for line in diff["prepared"].splitlines() if line[:3] in ("-  ", "+  ")]
    assert shown == ["-" + line % 10, "+" + line % 11]
    many = [{"name": f"v{number}", "quotas": quotas[:1000]} for number in range(40)]
    diffs = diff_of(plan_files(tmp_path / "new", many, False, read_max_removals("50%"))[0])
    assert 100_000 < len(str(diffs)) < 180_000
    assert "too many" in diffs[-1]["prepared"]


def test_a_name_that_is_shared_now_leaves_no_file_of_the_time_before(tmp_path: Path) -> None:
    single, double = [{"name": "A"}], [{"name": "A", "id": 1}, {"name": "A", "id": 2}]
    write(tmp_path, [*single, {"name": "b"}, {"id": 9}])
    (tmp_path / "own.yml").write_text("name: A\n", encoding="utf-8")
    (tmp_path / "broken.yml").write_text(f"{MARK}\n]", encoding="utf-8")
    others = {"b.yml", "volume~id9.yml", "own.yml", "broken.yml"}
    write(tmp_path, double)
    assert set(contents(tmp_path)) == {"a~id1.yml", "a~id2.yml", *others}
    write(tmp_path, [{"id": 7}])
    assert set(contents(tmp_path)) == {"a~id1.yml", "a~id2.yml", "volume~id7.yml", *others}
    write(tmp_path, single)
    assert set(contents(tmp_path)) == {"a~559aead08264.yml", "volume~id7.yml", *others}


def volumes(count: int) -> Volumes:
    """Return empty volumes."""
    return [{"name": f"v{number}"} for number in range(count)]


def with_records(kind: str, *counts: int) -> Volumes:
    """Return a volume for each count, with this many records of a kind."""
    key = {"exports": "desc", "quotas": "path"}[kind]
    return [
        {"name": f"v{volume}", kind: [{key: f"/{number}"} for number in range(count)]}
        for volume, count in enumerate(counts)
    ]


# The numbers before and after, the limit, and whether it is refused.
LIMITS = [(4, 2, "50%", False), (7, 3, "50%", True), (5, 2, "50%", False), (3, 1, "50%", False), (7, 3, " ", True)]
LIMITS += [(100, 70, "30%", False), (100, 69, "30%", True), (4, 4, "0%", False), (4, 3, "0%", True)]
LIMITS += [(4, 1, "100%", False), (3, 2, "0", True), (3, 2, "1", False), (100, 79, "20", True)]
LIMITS += [(100, 79, " 21 ", False)]


@pytest.mark.promise("captures-keep-most")
@pytest.mark.parametrize("max_removals", ["0", "0%", "1%", "99%"])
@pytest.mark.parametrize("after", [[], [{"desc": "new"}]], ids=["nothing", "others"])
def test_three_exports_do_not_go_as_a_share(tmp_path: Path, after: list[Any], max_removals: str) -> None:
    capture(tmp_path, with_records("exports", 3))
    message = refuse(tmp_path, [{"name": "v0", "exports": after}], max_removals)
    assert "3 of 3 exports" in message
    assert message.endswith("(in the role capture, capture_max_removals) to 3.")


@pytest.mark.promise("captures-keep-most")
@pytest.mark.parametrize(("before", "after", "max_removals", "is_refused"), LIMITS)
def test_too_many_removals_are_refused(
    tmp_path: Path, before: int, after: int, max_removals: str, is_refused: bool
) -> None:
    counts = {"exports": ((before - 1, 1), (after - 1, 1)), "quotas": ((before,), (after,))}
    states = {kind: tuple(with_records(kind, *each) for each in pair) for kind, pair in counts.items()}
    for kind, (full, less) in {"files": (volumes(before), volumes(after)), **states}.items():
        folder = tmp_path / kind
        capture(folder, full)
        if not is_refused:
            assert capture(folder, less, max_removals) or before == after
            continue
        message = refuse(folder, less, max_removals, remove=True)
        assert f"this would remove {before - after} of {before} {kind}" in message
        assert f"max_removals allows {max_removals.strip() or '50%'}." in message
        assert message.endswith(f"(in the role capture, capture_max_removals) to {before - after}.")
        assert capture(folder, less, str(before - after))


def test_what_is_gone_is_named_with_every_kind_that_is_too_much(tmp_path: Path) -> None:
    full = volumes(5) + with_records("quotas", *[1] * 5)
    full = [{**volume, "name": f"n{number}"} for number, volume in enumerate(full)]
    capture(tmp_path, full)
    message = refuse(tmp_path, full[:2], remove=True)
    gone = "8 of 10 files ('n2.yml', 'n3.yml', 'n4.yml', ...), 5 of 5 quotas ('n5: /0', 'n6: /0', 'n7: /0', ...), and"
    assert gone in message
    assert message.endswith("capture_max_removals) to 8.")


def test_what_a_file_wants_absent_does_not_count_as_removed(tmp_path: Path) -> None:
    capture(tmp_path, with_records("quotas", 4))
    path = tmp_path / "v0.yml"
    path.write_text(re.sub(r"(path: /[123])", r"\1, state: absent", path.read_text("utf-8")), encoding="utf-8")
    assert path.read_text("utf-8").count("absent") == 3
    assert capture(tmp_path, with_records("quotas", 1), "0") == ["v0.yml"]


def test_a_console_that_shows_nothing_removes_nothing(tmp_path: Path) -> None:
    capture(tmp_path, volumes(1))
    for max_removals in ("50%", "100%", "1000"):
        message = refuse(tmp_path, [], max_removals, remove=True)
        assert "the console shows no volume, but there are files of a capture, such as v0.yml." in message
        assert message.endswith("The access key may see nothing. If the console is empty, delete these files by hand.")
    (tmp_path / "v0.yml").unlink()
    assert capture(tmp_path, []) == []


SPOILED = [
    "}",
    "<<<<<<< ours\nname: v1\n",
    "name: v1\nname: v2\n",
    "- name: v1\n",
    "just text",
    "quotas: []\n",
    "''",
]
SPOILED += ["name: [a]\nquotas: 5\n", "name: v1\nexports: [a]\n", "name: v1\nquotas: {path: /a}\n"]


@pytest.mark.parametrize("content", SPOILED)
@pytest.mark.parametrize("mark", [MARK, "# Mine"])
def test_what_a_spoiled_file_holds_is_not_lost(tmp_path: Path, content: str, mark: str) -> None:
    capture(tmp_path, volumes(5))
    (tmp_path / "v1.yml").write_text(f"{mark}\n---\n{content}", encoding="utf-8")
    message = refuse(tmp_path, volumes(5), "100%")
    assert f"{tmp_path / 'v1.yml'} would be replaced or removed, but it is unclear what would be lost: " in message
    if mark == MARK:
        assert refuse(tmp_path, volumes(1), "100%", remove=True) == message
    # A capture neither replaces nor removes it, and so ignores it.
    assert write(tmp_path, volumes(1)) == []


def test_what_a_file_without_the_mark_holds_counts_before_it_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "v0.yml").write_text("name: v0\nquotas: [{path: /a}, {path: /b}]\n", encoding="utf-8")
    assert "2 of 2 quotas ('v0: /a', 'v0: /b')" in refuse(tmp_path, volumes(1))


NO_LIMITS = ["-1", "101%", "-5%", "half", "50 percent", "1.5", "1e3", "%", "True", "nan", "٣"]


@pytest.mark.parametrize("text", [*NO_LIMITS, "9" * 5000, "9" * 5000 + "%"])
def test_only_a_number_or_a_share_is_taken(text: str) -> None:
    with pytest.raises(ConsoleError, match="must be a number, or a share from 0% to 100%, not") as caught:
        read_max_removals(text)
    assert len(str(caught.value)) < 300
