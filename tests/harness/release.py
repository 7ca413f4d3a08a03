# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes a release, and allows it to be published, by the rules of docs/docsite/rst/releasing.rst.

It is made in a copy: only when everything has passed are its changes staged in the checkout.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nox
import yaml

from harness import archive
from harness.places import CHECKOUT, committed_digest, copied_tree, git, stage_folder
from harness.report import TESTED

DIST = CHECKOUT / "dist"
# Where the version stands. antsibull-changelog reads that of galaxy.yml.
VERSION_LINES = {
    "galaxy.yml": "version: {}\n",
    "plugins/module_utils/_internal/http/transport.py": 'COLLECTION_VERSION = "{}"\n',
}
# What Red Hat's certification asks of galaxy-importer beyond `make test`.
RULES = {"GALAXY_IMPORTER_CHECK_REQUIRED_TAGS": "true", "GALAXY_IMPORTER_REQUIRE_V1_OR_GREATER": "true"}

# What sections of fragments demand at least; the others are content with a patch release.
LEVELS = ("patch", "minor", "major")
DEMANDS = dict.fromkeys(("breaking_changes", "removed_features"), "major")
DEMANDS |= dict.fromkeys(("major_changes", "minor_changes", "deprecated_features"), "minor")
# The keys of galaxy.yml that hold an address, and how the host of those ends that are still to be set (RFC 2606).
ADDRESSES = ("repository", "documentation", "homepage", "issues")
PLACEHOLDER = ".invalid"

LEFT = """
=== {version} can be built, and its changes are staged. What is left for you:

git diff --staged
git commit --message "Release {version}"
git tag --annotate {version} --message "managedfs.console {version}"
git push origin HEAD {version}
make publish VERSION={version}
"""


def check(session: nox.Session, version: str) -> None:
    tested = TESTED.read_text(encoding="utf-8") if TESTED.exists() else ""
    refuse(session, f"release {version}", refusals(CHECKOUT, version, tested))


def make(session: nox.Session, version: str) -> None:
    folder = stage_folder(session.name) / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    copy = copied_tree(folder)
    git(copy, "add", "--all")
    last = load(copy / "galaxy.yml")["version"]
    for name, line in VERSION_LINES.items():
        text = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(text.replace(line.format(last), line.format(version)), encoding="utf-8")
    with session.chdir(copy):
        session.run("antsibull-changelog", "lint")
        session.run("antsibull-changelog", "release")
        session.run("antsibull-changelog", "lint-changelog-yaml", "--strict", "changelogs/changelog.yaml")
    archive.build(session, copy, stage_folder(session.name) / "archive", **RULES)
    git(CHECKOUT, "apply", "--index", given=git(copy, "diff", "--binary"))
    print(LEFT.format(version=version))
    for reason in unset_addresses(load(copy / "galaxy.yml")):
        print(f"make publish will refuse it, as things are: {reason}.", flush=True)


def publish(session: nox.Session, version: str) -> None:
    """Build what is published from what is tagged, unless it must not be. The Makefile publishes the archive."""
    refuse(session, f"publish {version}", refusals_to_publish(CHECKOUT, version))
    folder = stage_folder(session.name) / "tagged"
    shutil.rmtree(folder, ignore_errors=True)
    git(CHECKOUT, "clone", "--quiet", "--branch", version, str(CHECKOUT), str(folder))
    DIST.mkdir(exist_ok=True)
    for path in archive.build(session, folder, stage_folder(session.name) / "archive", **RULES):
        shutil.copy(path, DIST)


def refuse(session: nox.Session, what: str, reasons: Iterable[str]) -> None:
    if given := list(reasons):
        session.error("\n- ".join([f"cannot {what}:", *given]))


def refusals(root: Path, version: str, tested: str) -> Iterator[str]:
    """Yield why a version cannot be released from a checkout; `tested` is the digest for which all tests passed."""
    if not git(root, "branch", "--show-current"):
        yield "HEAD is detached: switch to the branch that the release belongs to"
    if not (digest := committed_digest(root)):
        yield f"the working tree has changes, commit or stash them:\n{git(root, 'status', '--short').rstrip()}"
    elif tested != digest:
        yield "make exhaustive has not passed for these files: run all of it"
    fragments = sorted(root.glob("changelogs/fragments/*.y*ml"))
    sections = {f"{section} in {path.name}": section for path in fragments for section in load(path)}
    if not set(sections.values()) - {"trivial"}:
        yield "changelogs/fragments is empty: add a fragment for each change that users can notice"
    metadata = load(root / "galaxy.yml")
    # What was not published, nobody has whom a removal could break.
    most = "minor" if any(refusals_to_publish(root, metadata["version"])) else "major"
    demands = {name: min(DEMANDS.get(section, "patch"), most, key=LEVELS.index) for name, section in sections.items()}
    if wrong := wrong_number(metadata["version"], version, demands):
        yield wrong


def wrong_number(last: str, version: str, demands: dict[str, str]) -> str:
    """Return why a version cannot follow the last one, by semantic versioning, or nothing if it can."""
    major, minor, patch = map(int, last.split("."))
    following = [f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}.0", f"{major + 1}.0.0"]
    offer = ", ".join(f"{number} ({level})" for number, level in zip(following, LEVELS, strict=True))
    if version not in following:
        return f"VERSION must follow {last}: {offer}"
    level = following.index(version)
    if reasons := [name for name, least in demands.items() if LEVELS.index(least) > level]:
        return f"it would be a {LEVELS[level]} release, which must not have {'; '.join(reasons)}. Choose from {offer}"
    return ""


def refusals_to_publish(root: Path, version: str) -> Iterator[str]:
    """Yield why a version cannot be published: it must be tagged, and its addresses must be set."""
    if not git(root, "tag", "--list", version):
        yield f"there is no tag {version}: commit the release and tag it"
    else:
        yield from unset_addresses(yaml.safe_load(git(root, "show", f"{version}:galaxy.yml")))


def unset_addresses(metadata: dict[str, Any]) -> Iterator[str]:
    hosts = {key: urlsplit(metadata[key] or "").hostname or PLACEHOLDER for key in ADDRESSES}
    if unset := [key for key, host in hosts.items() if host.endswith(PLACEHOLDER)]:
        yield f"in galaxy.yml, addresses are still to be set: {', '.join(unset)}. Set them, commit, and make the next release"


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))
