# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where roles write, as tables: the folder of a host, and what is no file for a summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_folders import (
    file_of_summary,
    folder_of_capture,
    folder_of_report,
    subfolder,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_yaml import MARK


@pytest.mark.parametrize(
    ("host", "folder"),
    [
        ("localhost", ""),
        ("filer-1.example.com", "filer-1.example.com"),
        ("LOCALHOST", "LOCALHOST"),
        ("a_b", "a_b"),
        ("../a", "-a~61b4c98bfb92"),
        (".a", "-a~36797c3aba1e"),
        ("a~b", "a-b~941528e5e77c"),
        ("", "~e3b0c44298fc"),
    ],
)
def test_the_folder_of_a_host(host: str, folder: str) -> None:
    assert subfolder(host) == folder


@pytest.mark.parametrize(
    ("name", "reason"),
    [("summary.md", ""), ("folder", "is a folder"), ("gone/summary.md", "is in no folder that can be written to")],
)
def test_the_file_of_a_summary(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / name
    if not reason:
        assert file_of_summary("apply", {"summary_file": str(path)}, {}) == str(path)
        return
    with pytest.raises(ConsoleError) as raised:
        file_of_summary("apply", {"summary_file": str(path)}, {})
    assert str(raised.value).startswith(f"apply_summary_file {path} {reason}.")


def test_the_folder_of_a_capture(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "folder" / "v.yml").write_text(f"{MARK}\nname: v\n", encoding="utf-8")
    # Nothing is removed.
    assert folder_of_capture({"dest": str(tmp_path / "link"), "max_removals": 0}, {}) == str(tmp_path / "folder")
    (tmp_path / "file").touch()
    (tmp_path / "folder" / "console.yml").write_text("[", encoding="utf-8")
    mistakes = {
        "file": ({}, "file is not a folder"),
        "folder": ({}, "console.yml, line 2, column 1: "),
        "new": ({"max_removals": "much"}, "capture_max_removals"),
    }
    for name, (given, message) in mistakes.items():
        with pytest.raises(ConsoleError, match=message):
            folder_of_capture({"dest": str(tmp_path / name), **given}, {})


def test_the_folder_of_a_report(tmp_path: Path) -> None:
    given = {"dest": str(tmp_path)}
    assert folder_of_report(given, {}, "h") == str(tmp_path / "h")
    (tmp_path / "h").touch()
    for dest, name in ((tmp_path, "h"), (tmp_path / "h", "")):
        with pytest.raises(ConsoleError, match=f"^report_dest must be a folder, but {tmp_path / 'h'} is a file"):
            folder_of_report({"dest": str(dest)}, {}, name)
