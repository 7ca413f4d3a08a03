# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What cannot be released or published, in a small collection whose last version is 1.2.3."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
import yaml

from harness import refusals
from harness.places import CHECKOUT, git

ADDRESSES = {key: f"https://forge.test/{key}" for key in refusals.ADDRESSES}
ANNOUNCED = {"modules": [{"name": "volume"}], "plugins": {"filter": [{"name": "sorted_volumes"}]}}
FILES = {
    "galaxy.yml": yaml.safe_dump({"version": "1.2.3", **ADDRESSES}),
    "changelogs/changelog.yaml": yaml.safe_dump({"releases": {"1.0.0": {}, "1.2.3": ANNOUNCED}}),
    "changelogs/fragments/fix.yml": "bugfixes: [volume - fix it.]\n",
    "plugins/modules/volume.py": "version_added: 1.0.0\n",
    "plugins/filter/sorted_volumes.py": "version_added: 1.2.3\n",
    "plugins/module_utils/_internal/internal.py": "",
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
    """Write these files, and commit everything."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git(root, "add", "--all")
    git(root, "-c", "commit.gpgsign=false", "commit", "--quiet", "--message", "A change")


def refused(root: Path, version: str) -> list[str]:
    """Return why a version cannot be released, if `make test` has passed."""
    return list(refusals.of_release(root, version, git(root, "rev-parse", "HEAD").strip()))


def test_what_is_ready_is_not_refused(checkout: Path) -> None:
    assert refused(checkout, "1.2.4") == []


def test_changes_that_are_not_committed(checkout: Path) -> None:
    (checkout / "new.txt").touch()
    (reason,) = refused(checkout, "1.2.4")
    assert reason == "the working tree has changes, commit or stash them:\n?? new.txt"


def test_no_branch(checkout: Path) -> None:
    git(checkout, "switch", "--quiet", "--detach")
    (reason,) = refused(checkout, "1.2.4")
    assert reason.startswith("HEAD is detached")


def test_a_commit_that_is_not_tested(checkout: Path) -> None:
    before = git(checkout, "rev-parse", "HEAD").strip()
    commit(checkout, {"README.md": "more"})
    (reason,) = refusals.of_release(checkout, "1.2.4", before)
    assert reason == "make test has not passed for this commit: run all of it"


@pytest.mark.parametrize("fragments", [{}, {"changelogs/fragments/inside.yml": "trivial: [nobody notices.]\n"}])
def test_nothing_that_users_notice(checkout: Path, fragments: dict[str, str]) -> None:
    (checkout / "changelogs/fragments/fix.yml").unlink()
    commit(checkout, {"README.md": "more"} | fragments)
    (reason,) = refused(checkout, "1.2.4")
    assert reason.startswith("changelogs/fragments is empty")


@pytest.mark.parametrize("version", ["", "1.2.3", "1.2.5", "1.3.1", "2.0.1", "1.3", "v1.2.4", "1.2.4-rc.1", "01.2.4"])
def test_a_version_that_does_not_follow_the_last(checkout: Path, version: str) -> None:
    (reason,) = refused(checkout, version)
    assert reason == "VERSION must follow 1.2.3: 1.2.4 (patch), 1.3.0 (minor), 2.0.0 (major)"


@pytest.mark.parametrize(
    ("section", "least"),
    [
        ("release_summary", "1.2.4"),
        ("bugfixes", "1.2.4"),
        ("security_fixes", "1.2.4"),
        ("known_issues", "1.2.4"),
        ("minor_changes", "1.3.0"),
        ("major_changes", "1.3.0"),
        ("deprecated_features", "1.3.0"),
        ("breaking_changes", "2.0.0"),
        ("removed_features", "2.0.0"),
    ],
)
def test_fragments_demand_a_version(checkout: Path, section: str, least: str) -> None:
    commit(checkout, {"changelogs/fragments/change.yml": f"{section}: [volume - change it.]\n"})
    allowed = [version for version in ("1.2.4", "1.3.0", "2.0.0") if not refused(checkout, version)]
    assert allowed == [version for version in ("1.2.4", "1.3.0", "2.0.0") if version >= least]
    if least == "2.0.0":
        (reason,) = refused(checkout, "1.2.4")
        assert reason.startswith(f"it would be a patch release, which must not have {section} in change.yml.")


def test_what_was_never_published_can_be_removed_in_a_minor_release(checkout: Path) -> None:
    unset = {"repository": "https://to-be-set-at-publication.invalid/code"}
    files = {"galaxy.yml": yaml.safe_dump({"version": "1.2.3", **ADDRESSES, **unset})}
    commit(checkout, files | {"changelogs/fragments/change.yml": "removed_features: [probe - remove it.]\n"})
    assert [version for version in ("1.2.4", "1.3.0", "2.0.0") if not refused(checkout, version)] == ["1.3.0", "2.0.0"]


@pytest.mark.parametrize("name", ["modules/quota.py", "lookup/quotas.py", "../roles/tenant/meta/argument_specs.yml"])
def test_additions_demand_a_minor_version(checkout: Path, name: str) -> None:
    commit(checkout, {f"plugins/{name}": "    version_added: 1.3.0\n"})
    (reason,) = refused(checkout, "1.2.4")
    assert f"{name.removeprefix('../')}, which is new." in reason
    assert refused(checkout, "1.3.0") == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "missing"),
        ("version_added: 1.2.3\n", "1.2.3"),
        ("version_added: '1.4.0'\n", "1.4.0"),
        ("version_added: 1.2.3\noptions:\n    version_added: 1.3.0\n", "1.2.3"),
        ("version_added: 1.3.0\noptions:\n    version_added: 1.2.9\n", "1.2.9"),
    ],
)
def test_additions_tell_this_version(checkout: Path, text: str, wrong: str) -> None:
    commit(checkout, {"plugins/modules/quota.py": text})
    (reason,) = refused(checkout, "1.3.0")
    assert reason == f"plugins/modules/quota.py: version_added is {wrong}, and must be 1.3.0"


def test_every_section_of_fragments_has_a_place_in_the_order() -> None:
    sections = yaml.safe_load((CHECKOUT / "changelogs/config.yaml").read_text(encoding="utf-8"))["sections"]
    assert {name for name, _title in sections} >= set(refusals.DEMANDS)


def build(root: Path) -> Path:
    """Build the archive as ansible-galaxy would, and return it."""
    metadata = yaml.safe_load((root / "galaxy.yml").read_text(encoding="utf-8"))
    made = root.parent / "made"
    made.mkdir(exist_ok=True)
    (made / "MANIFEST.json").write_text(json.dumps({"collection_info": metadata}), encoding="utf-8")
    (made / "FILES.json").write_text("{}", encoding="utf-8")
    archive = root / "dist" / "collection.tar.gz"
    archive.parent.mkdir(exist_ok=True)
    with tarfile.open(archive, "w:gz") as opened:
        opened.add(root / "plugins", "plugins")
        for path in made.iterdir():
            opened.add(path, path.name)
    return archive


def unpublishable(root: Path) -> list[str]:
    """Return why the archive cannot be published."""
    return list(refusals.of_publication(root, root / "dist" / "collection.tar.gz", "1.2.3"))


def test_what_is_tagged_can_be_published(checkout: Path) -> None:
    assert unpublishable(checkout) == ["there is no dist/collection.tar.gz: run make release VERSION=1.2.3"]
    build(checkout)
    assert unpublishable(checkout) == ["there is no tag 1.2.3: commit the release and tag it"]
    git(checkout, "tag", "1.2.3")
    assert unpublishable(checkout) == []


def test_an_archive_that_differs_from_its_tag(checkout: Path) -> None:
    build(checkout)
    commit(checkout, {"plugins/modules/volume.py": "version_added: 1.2.0\n"})
    git(checkout, "tag", "1.2.3")
    assert unpublishable(checkout) == [
        "the archive is not what the tag 1.2.3 holds, they differ in plugins/modules/volume.py"
    ]


def test_addresses_that_are_still_to_be_set(checkout: Path) -> None:
    unset = {"documentation": "https://to-be-set-at-publication.invalid/docs", "issues": None}
    commit(checkout, {"galaxy.yml": yaml.safe_dump({"version": "1.2.3", **ADDRESSES, **unset})})
    git(checkout, "tag", "1.2.3")
    build(checkout)
    (reason,) = unpublishable(checkout)
    assert reason.startswith("in galaxy.yml, addresses are still to be set: documentation, issues.")
