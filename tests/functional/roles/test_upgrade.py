# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Folders of earlier versions, used with this one. `functional.upgrade.make` says how they were made."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from functional.support.sidebyside import Plays, Site, side_by_side
from functional.upgrade import consoles
from functional.upgrade.consoles import KEPT, VERSIONS

# Edits of a captured folder, by file: what is replaced by what.
EDITS = {
    "projects.yml": {
        "10GiB": "20GiB",
        "  - {desc: web, iprange: 192.168.0.0/24,": "  - {desc: www, was: web, iprange: 192.168.0.0/16,",
        "  - {path: /home/bob, size: 1500000000, inodes: 0}\n": "  - {path: /home/carol, size: 1TiB}\n",
    },
    "2024.yml": {"exports: []\nquotas:\n  - {path: /on, size: 0, inodes: 5000}\n": "state: absent\n"},
}
NEW = "name: new\nbucket: https://new.s3.example.com\nquotas:\n  - {path: /logs, size: 1GiB}\n"


def edit(edited: Path) -> None:
    """Edit a captured folder, as people do."""
    (edited / "new.yml").write_text(NEW, encoding="utf-8")
    for name, edits in EDITS.items():
        text = (edited / name).read_text(encoding="utf-8")
        for old, new in edits.items():
            assert old in text, old
            text = text.replace(old, new)
        (edited / name).write_text(text, encoding="utf-8")


def bring(site: Site, version: str) -> None:
    """Give a site the console that a version captured, and the files that it made."""
    consoles.fill(site.emulator)
    shutil.copytree(KEPT / version, site.folder, dirs_exist_ok=True)
    for file in site.folder.glob("*/console.yml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(consoles.ADDRESS, site.emulator.url), encoding="utf-8")


def content(text: str) -> list[str]:
    """Return the lines of a file without comments."""
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("version", VERSIONS)
@side_by_side
def test_a_captured_folder_is_valid_applied_unchanged_and_captured_unchanged(site: Site, version: str) -> Plays:
    bring(site, version)
    before = site.files("desired")
    valid = yield site.play("validate.yml", validate_source=site.path("desired"))
    assert valid.outcome == (False, False)
    for check in (True, False):
        played = yield site.play(
            "apply", check=check, apply_source=site.path("desired"), apply_purge=["exports", "quotas"]
        )
        assert played.outcome == (False, False)
        assert re.search("Nothing to do|as desired", played.output)
    # The comment at the top of each file is another one.
    for is_changed in (True, False):
        played = yield site.play("capture", capture_dest=site.path("desired"))
        assert played.outcome == (False, is_changed)
        after = site.files("desired")
        assert {name: content(text) for name, text in after.items()} == {
            name: content(text) for name, text in before.items()
        }


@pytest.mark.parametrize("version", VERSIONS)
@side_by_side
def test_what_was_edited_or_approved_before_the_upgrade_is_refused_with_what_to_do(site: Site, version: str) -> Plays:
    bring(site, version)
    edit(site.folder / "desired")
    given: dict[str, Any] = {"apply_source": site.path("desired"), "apply_purge": ["quotas"]}
    refused = yield site.play("apply", **given)
    assert refused.outcome == (True, False)
    assert "line 15 ('www'): there is no option was. was: write renamed_from. Supported" in refused.output
    projects = site.folder / "desired" / "projects.yml"
    projects.write_text(projects.read_text(encoding="utf-8").replace("was:", "renamed_from:"), encoding="utf-8")
    refused = yield site.play("apply", **given, apply_expected_plan=f"v1-{64 * '0'}")
    assert refused.outcome == (True, False)
    assert "If another version of this collection made it, make the plan again" in refused.output
    done = yield site.play("apply", **given)
    assert done.outcome == (False, True)
    assert {export["desc"] for export in site.emulator.exports(1)} == {"backup", "blue", "www"}
    assert {quota["path"] for quota in site.emulator.quotas(1)} == {"/home/alice", "/home/carol", "/tenants/{{ blue }}"}
