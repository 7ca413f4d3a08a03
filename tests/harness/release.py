# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes a release by the rules of docs/docsite/rst/releasing.rst, and what is published of it.

It is made in a copy: only when everything has passed are its changes staged in the checkout.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import nox
import yaml

from harness import archive
from harness.places import CHECKOUT, committed_digest, copied_tree, git, session_folder
from harness.report import TESTED

DIST = CHECKOUT / "dist"
# Where the version stands, and no other number like it.
VERSION_FILES = ("galaxy.yml", "plugins/module_utils/_internal/http/transport.py")
# The part of the version number that a section of the fragments raises at least; the others are content with the third.
RAISED = dict.fromkeys(("breaking_changes", "removed_features"), 1)
RAISED |= dict.fromkeys(("major_changes", "minor_changes", "deprecated_features"), 2)
ADDRESSES = ("repository", "documentation", "homepage", "issues")

LEFT = """
=== {version} can be built, and its changes are staged. What is left for you:

git diff --staged
git commit --message "Release {version}"
git tag --annotate {version} --message "managedfs.console {version}"
git push origin HEAD {version}
make publish VERSION={version}
"""


def make(session: nox.Session, version: str) -> None:
    tested = TESTED.read_text(encoding="utf-8") if TESTED.exists() else ""
    if reasons := list(refusals(CHECKOUT, version, tested)):
        session.error("\n- ".join([f"cannot release {version}:", *reasons]))
    folder = session_folder("stages", session.name) / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    copy = copied_tree(folder)
    git(copy, "add", "--all")
    last = yaml.safe_load((copy / "galaxy.yml").read_bytes())["version"]
    for path in (copy / name for name in VERSION_FILES):
        path.write_text(path.read_text(encoding="utf-8").replace(last, version), encoding="utf-8")
    with session.chdir(copy):
        session.run("antsibull-changelog", "lint")
        session.run("antsibull-changelog", "release")
        session.run("antsibull-changelog", "lint-changelog-yaml", "--strict", "changelogs/changelog.yaml")
    archive.build(session, copy)
    git(CHECKOUT, "apply", "--index", given=git(copy, "diff", "--binary"))
    print(LEFT.format(version=version), flush=True)


def publish(session: nox.Session, version: str) -> None:
    """Build what is published from what is tagged. The Makefile publishes the archive."""
    folder = session_folder("stages", session.name) / "tagged"
    shutil.rmtree(folder, ignore_errors=True)
    session.run("git", "clone", "--quiet", str(CHECKOUT), str(folder), external=True)
    session.run("git", "-C", str(folder), "checkout", "--quiet", f"tags/{version}", external=True)
    DIST.mkdir(exist_ok=True)
    shutil.copy(archive.build(session, folder), DIST)


def refusals(root: Path, version: str, tested: str) -> Iterator[str]:
    """Yield why a version cannot be released from a checkout; `tested` is the digest for which all tests passed."""
    if not (digest := committed_digest(root)):
        yield f"the working tree has changes, commit or stash them:\n{git(root, 'status', '--short').rstrip()}"
    elif tested != digest:
        yield "make exhaustive has not passed for these files: run all of it"
    metadata = yaml.safe_load((root / "galaxy.yml").read_bytes())
    # Those that are still to be set have a host that nobody can have (RFC 2606).
    if unset := [key for key in ADDRESSES if ".invalid" in (metadata[key] or ".invalid")]:
        yield f"in galaxy.yml, addresses are still to be set: {', '.join(unset)}"
    fragments = [yaml.safe_load(path.read_bytes()) for path in root.glob("changelogs/fragments/*.y*ml")]
    sections = set().union(*fragments) - {"trivial"}
    if not sections:
        yield "changelogs/fragments is empty: add a fragment for each change that users can notice"
    elif version not in (allowed := following(metadata["version"], sections)):
        yield f"with {', '.join(sorted(sections))}, VERSION must be {' or '.join(allowed)}"


def following(last: str, sections: Iterable[str]) -> list[str]:
    """Return the versions that may follow the last one with these sections of fragments, by semantic versioning."""
    major, minor, patch = map(int, last.split("."))
    versions = [f"{major + 1}.0.0", f"{major}.{minor + 1}.0", f"{major}.{minor}.{patch + 1}"]
    return versions[: min(RAISED.get(section, 3) for section in sections)]
