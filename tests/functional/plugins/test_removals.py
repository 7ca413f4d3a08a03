# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Captures that would remove much of what was captured before: refused before anything is written, or done on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import write_files
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_writer import MaxRemovals, plan_files
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_yaml import MARK

Volumes = list[dict[str, Any]]


def capture(folder: Path, volumes: Volumes, max_removals: str = "50%", *, remove: bool = True) -> list[str]:
    """Write volumes, and return the names of the files that were changed."""
    changes, _unchanged = plan_files(folder, volumes, remove, MaxRemovals.read(max_removals))
    write_files(folder, changes)
    return [change.path.name for change in changes]


def refuse(folder: Path, volumes: Volumes, max_removals: str = "50%", *, remove: bool = True) -> str:
    """Return why volumes are not written."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ConsoleError) as caught:
        capture(folder, volumes, max_removals, remove=remove)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    return str(caught.value)


def volumes(count: int) -> Volumes:
    """Return volumes without anything in them."""
    return [{"name": f"v{number}"} for number in range(count)]


def with_records(kind: str, *counts: int) -> Volumes:
    """Return a volume for each count, with so many records of a kind."""
    key = {"exports": "desc", "quotas": "path"}[kind]
    return [
        {"name": f"v{volume}", kind: [{key: f"/{number}"} for number in range(count)]}
        for volume, count in enumerate(counts)
    ]


@pytest.mark.promise("captures-keep-most")
@pytest.mark.parametrize(
    ("before", "after", "max_removals", "is_refused"),
    [
        (4, 2, "50%", False),
        (4, 1, "50%", True),
        (5, 2, "50%", True),
        (3, 1, "50%", False),
        (100, 50, "50%", False),
        (100, 49, "50%", True),
        (100, 70, "30%", False),
        (100, 69, "30%", True),
        (4, 4, "0%", False),
        (4, 3, "0%", True),
        (4, 1, "100%", False),
        (3, 2, "0", True),
        (3, 2, "1", False),
        (100, 80, "20", False),
        (100, 79, "20", True),
        (100, 79, " 21 ", False),
    ],
)
def test_too_many_removals_are_refused(
    tmp_path: Path, before: int, after: int, max_removals: str, is_refused: bool
) -> None:
    for kind, (full, less) in {
        "files": (volumes(before), volumes(after)),
        "exports": (with_records("exports", before - 1, 1), with_records("exports", after - 1, 1)),
        "quotas": (with_records("quotas", before), with_records("quotas", after)),
    }.items():
        folder = tmp_path / kind
        capture(folder, full)
        if not is_refused:
            assert capture(folder, less, max_removals) or before == after
            continue
        message = refuse(folder, less, max_removals)
        assert f"this would remove {before - after} of {before} {kind}" in message
        assert f"max_removals allows {max_removals.strip()}." in message
        assert message.endswith(f"(in the role capture, capture_max_removals) to {before - after}.")
        assert capture(folder, less, str(before - after))


def test_a_blank_limit_is_the_default(tmp_path: Path) -> None:
    capture(tmp_path, volumes(4))
    assert "max_removals allows 50%." in refuse(tmp_path, volumes(1), " ")


def test_what_is_gone_is_named_with_every_kind_that_is_too_much(tmp_path: Path) -> None:
    full = volumes(5) + with_records("quotas", *[1] * 5)
    for number, volume in enumerate(full):
        volume["name"] = f"n{number}"
    capture(tmp_path, full)
    message = refuse(tmp_path, full[:2])
    assert (
        "8 of 10 files ('n2.yml', 'n3.yml', 'n4.yml', …), 5 of 5 quotas ('n5: /0', 'n6: /0', 'n7: /0', …), and"
        in message
    )
    assert message.endswith("capture_max_removals) to 8.")


def test_as_many_other_records_do_not_make_up_for_those_that_are_gone(tmp_path: Path) -> None:
    capture(tmp_path, with_records("exports", 4, 0))
    assert "4 of 4 exports" in refuse(tmp_path, with_records("exports", 0, 4))


def test_a_list_that_is_not_shown_any_more_counts_as_gone(tmp_path: Path) -> None:
    capture(tmp_path, with_records("exports", 4))
    assert "4 of 4 exports ('v0: /0', " in refuse(tmp_path, volumes(1))


@pytest.mark.parametrize("max_removals", ["50%", "100%", "1000"])
def test_a_console_that_shows_nothing_removes_nothing(tmp_path: Path, max_removals: str) -> None:
    capture(tmp_path, volumes(1))
    message = refuse(tmp_path, [], max_removals)
    assert "the console shows no volume, but there are files of a capture, such as v0.yml." in message
    assert message.endswith("The access key may see nothing. If the console is empty, delete these files by hand.")
    (tmp_path / "v0.yml").unlink()
    assert capture(tmp_path, []) == []


def test_files_that_no_capture_wrote_do_not_count(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"own{number}.yml").write_text("name: own\nquotas: [{path: /a}]\n", encoding="utf-8")
    assert capture(tmp_path, []) == []
    capture(tmp_path, volumes(4))
    assert "3 of 4 files ('v1.yml', 'v2.yml', 'v3.yml'), and" in refuse(tmp_path, volumes(1))


@pytest.mark.parametrize(
    "content", ["}", "", "- name: v1\n", "just text", "name: [a]\nquotas: 5\n", "name: v1\nexports: [a]\n"]
)
def test_a_captured_file_that_was_spoiled_counts_as_a_file(tmp_path: Path, content: str) -> None:
    capture(tmp_path, volumes(4))
    (tmp_path / "v1.yml").write_text(f"{MARK}\n---\n{content}", encoding="utf-8")
    assert "3 of 4 files" in refuse(tmp_path, volumes(1))
    assert capture(tmp_path, volumes(2)) == ["v1.yml", "v2.yml", "v3.yml"]


def test_what_the_files_say_is_to_go_is_not_missed(tmp_path: Path) -> None:
    gone = [{"path": f"/{number}", "state": "absent"} for number in range(9)]
    capture(tmp_path, [{"name": "a", "quotas": gone}, *({**volume, "state": "absent"} for volume in volumes(9))])
    assert len(capture(tmp_path, [{"name": "a", "quotas": []}])) == 10


def test_another_file_for_the_same_volume_is_no_removal(tmp_path: Path) -> None:
    single = with_records("quotas", 1, 1, 1, 1)
    capture(tmp_path, single)
    doubled = [{**volume, "id": number} for number, volume in enumerate(single)]
    assert len(capture(tmp_path, doubled)) == 8
    assert len(capture(tmp_path, single, remove=False)) == 8


def test_of_some_volumes_only_their_own_files_count(tmp_path: Path) -> None:
    capture(
        tmp_path, [*with_records("quotas", 4), *({**volume, "name": f"w{volume['name']}"} for volume in volumes(9))]
    )
    assert "4 of 4 quotas" in refuse(tmp_path, with_records("quotas", 0), remove=False)
    assert capture(tmp_path, with_records("quotas", 2), remove=False) == ["v0.yml"]


@pytest.mark.parametrize(
    "text",
    ["-1", "101%", "-5%", "half", "50 percent", "1.5", "1e3", "%", "True", "nan", "9" * 5000, "9" * 5000 + "%", "٣"],
)
def test_only_a_number_or_a_share_is_taken(text: str) -> None:
    with pytest.raises(
        ConsoleError, match="max_removals must be a number of removals, or a share from 0% to 100%, not"
    ) as caught:
        MaxRemovals.read(text)
    assert len(str(caught.value)) < 300
