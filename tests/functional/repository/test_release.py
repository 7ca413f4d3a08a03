# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Refusals to release, in a small collection whose last version is 1.2.3."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from harness import release
from harness.places import committed_digest, git

ADDRESSES = {key: f"https://forge.test/{key}" for key in release.ADDRESSES}
FIX = "changelogs/fragments/fix.yml"
FILES = {
    "galaxy.yml": yaml.safe_dump({"version": "1.2.3", **ADDRESSES}),
    "changelogs/changelog.yaml": yaml.safe_dump({"releases": {"1.2.3": {}}}),
    FIX: "bugfixes: [volume - fix it.]\n",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout of the small collection, with one fragment, about a fix."""
    root = tmp_path / "checkout"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "config", "user.name", "Example")
    git(root, "config", "user.email", "example@example.com")
    commit(root, FILES)
    return root


def commit(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git(root, "add", "--all")
    git(root, "-c", "commit.gpgsign=false", "commit", "--quiet", "--allow-empty", "--message", "A change")


def refused(root: Path, version: str) -> list[str]:
    """Return the reason why a version cannot be released, if all tests have passed."""
    return list(release.refusals(root, version, committed_digest(root)))


def test_what_is_in_the_way_of_any_release(checkout: Path) -> None:
    assert refused(checkout, "1.2.4") == []
    tested = committed_digest(checkout)
    commit(checkout, {FIX: "bugfixes: [volume - say it better.]\n"})
    assert list(release.refusals(checkout, "1.2.4", tested)) == []
    commit(checkout, {"README.md": "more"})
    (reason,) = release.refusals(checkout, "1.2.4", tested)
    assert reason == "make exhaustive has not passed for these files: run all of it"
    (checkout / "new.txt").touch()
    assert refused(checkout, "1.2.4") == ["the working tree has changes, commit or stash them:\n?? new.txt"]
    unset = {"documentation": "https://to-be-set-at-publication.invalid/docs", "issues": None}
    metadata = yaml.safe_dump({"version": "1.2.3", **ADDRESSES, **unset})
    commit(checkout, {FIX: "trivial: [volume - nobody notices.]\n", "galaxy.yml": metadata})
    assert refused(checkout, "1.2.4") == [
        "in galaxy.yml, addresses are still to be set: documentation, issues",
        "changelogs/fragments is empty: add a fragment for each change that users can notice",
    ]


FOLLOWING = {
    "1.2.4 1.3.0 2.0.0": "release_summary bugfixes security_fixes known_issues",
    "1.3.0 2.0.0": "minor_changes major_changes deprecated_features",
    "2.0.0": "breaking_changes removed_features",
}
NOT_FOLLOWING = ["", "1.2.3", "1.2.5", "1.3.1", "2.0.1", "1.3", "v1.2.4", "1.2.4-rc.1", "01.2.4"]


@pytest.mark.parametrize("versions", FOLLOWING)
def test_fragments_decide_the_version(checkout: Path, versions: str) -> None:
    for section in FOLLOWING[versions].split():
        changed = f"{section}: [volume - change it.]\ntrivial: [a test.]\n"
        commit(checkout, {FIX: "bugfixes: [quota - fix it.]\n", "changelogs/fragments/change.yml": changed})
        tried = ["1.2.4", "1.3.0", "2.0.0", *NOT_FOLLOWING]
        assert " ".join(version for version in tried if not refused(checkout, version)) == versions
    (reason,) = refused(checkout, "1.2.3")
    assert reason == f"with bugfixes, {section}, VERSION must be {' or '.join(reversed(versions.split()))}"
