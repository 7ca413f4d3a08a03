# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why a version cannot be released or published. CONTRIBUTING.md and docs/docsite/rst/releasing.rst state the rules."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from harness.archive import documented, load
from harness.places import clean_commit, git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What sections of fragments demand at least; the others are content with a patch release.
LEVELS = ("patch", "minor", "major")
DEMANDS = {
    "breaking_changes": "major",
    "removed_features": "major",
    "major_changes": "minor",
    "minor_changes": "minor",
    "deprecated_features": "minor",
}

# The keys of galaxy.yml that hold an address, and how the host of those ends that are still to be set (RFC 2606).
ADDRESSES = ("repository", "documentation", "homepage", "issues")
PLACEHOLDER = ".invalid"


def of_release(root: Path, version: str, tested: str) -> Iterator[str]:
    """Yield why a version cannot be released from a checkout; `tested` is the commit for which `make test` passed."""
    if not git(root, "branch", "--show-current"):
        yield "HEAD is detached: switch to the branch that the release belongs to"
    if not (commit := clean_commit(root)):
        yield f"the working tree has changes, commit or stash them:\n{git(root, 'status', '--short').rstrip()}"
    elif tested != commit:
        yield "make test has not passed for this commit: run all of it"
    changelog = load(root / "changelogs" / "changelog.yaml")["releases"]
    sections = {
        f"{section} in {path.name}": section
        for path in sorted(root.glob("changelogs/fragments/*.y*ml"))
        for section in load(path)
    }
    if not set(sections.values()) - {"trivial"}:
        yield "changelogs/fragments is empty: add a fragment for each change that users can notice"
    new = {path for paths in documented(root).values() for path in paths} - announced(root, changelog)
    metadata = load(root / "galaxy.yml")
    demands = {name: DEMANDS.get(section, "patch") for name, section in sections.items()}
    if any(of_addresses(metadata)):
        # Without addresses nothing was published, so nobody has what is removed or broken.
        demands = {name: "minor" if level == "major" else level for name, level in demands.items()}
    demands |= {f"{path.relative_to(root)}, which is new": "minor" for path in sorted(new)}
    if wrong := list(of_number(metadata["version"], version, demands)):
        yield from wrong
    else:
        yield from of_additions(root, {*changelog, version}, new, version)


def of_number(last: str, version: str, demands: dict[str, str]) -> Iterator[str]:
    """Yield why a version cannot follow the last one, by semantic versioning."""
    major, minor, patch = map(int, last.split("."))
    following = [f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}.0", f"{major + 1}.0.0"]
    offer = ", ".join(f"{number} ({level})" for number, level in zip(following, LEVELS, strict=True))
    if version not in following:
        yield f"VERSION must follow {last}: {offer}"
        return
    level = following.index(version)
    if reasons := [name for name, least in demands.items() if LEVELS.index(least) > level]:
        yield f"it would be a {LEVELS[level]} release, which must not have {'; '.join(reasons)}. Choose from {offer}"


def of_additions(root: Path, known: set[str], new: set[Path], version: str) -> Iterator[str]:
    """Yield each version_added that names no release or, where the thing is new, another release."""
    for path in (path for paths in documented(root).values() for path in paths):
        added = re.findall(r"^ *version_added: *['\"]?([^\s'\"]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        wrong = {text for text in added if text not in known}
        # The first one is that of the module, plugin or role itself; those of options follow.
        if path in new and version not in added[:1]:
            wrong |= set(added[:1] or ["missing"])
        if wrong:
            yield f"{path.relative_to(root)}: version_added is {', '.join(sorted(wrong))}, and must be {version}"


def of_publication(root: Path, archive: Path, version: str) -> Iterator[str]:
    """Yield why an archive cannot be published: it must be what the tag holds, and its addresses must be set."""
    if not archive.exists():
        yield f"there is no {archive.relative_to(root)}: run make release VERSION={version}"
        return
    files = contents(archive.read_bytes())
    metadata = json.loads(files.pop("MANIFEST.json"))["collection_info"]
    del files["FILES.json"]
    yield from of_addresses(metadata)
    if not git(root, "tag", "--list", version):
        yield f"there is no tag {version}: commit the release and tag it"
        return
    command = ["git", "archive", version]
    tagged = contents(subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout)
    if differing := sorted(name for name, content in files.items() if tagged.get(name) != content):
        yield f"the archive is not what the tag {version} holds, they differ in {', '.join(differing)}"


def of_addresses(metadata: dict[str, Any]) -> Iterator[str]:
    """Yield which addresses are still to be set."""
    hosts = {key: urlsplit(metadata[key] or "").hostname or PLACEHOLDER for key in ADDRESSES}
    if unset := [key for key, host in hosts.items() if host.endswith(PLACEHOLDER)]:
        yield f"in galaxy.yml, addresses are still to be set: {', '.join(unset)}. Set them, commit, and make the next release"


def announced(root: Path, changelog: dict[str, Any]) -> set[Path]:
    """Return the files of the modules, plugins and roles that the changelog has announced."""
    names: set[str] = set()
    for release in changelog.values():
        for kind, items in {"modules": release.get("modules", []), **release.get("plugins", {})}.items():
            names |= {f"plugins/{kind}/{item['name']}.py" for item in items}
        roles = release.get("objects", {}).get("role", [])
        names |= {f"roles/{item['name']}/meta/argument_specs.yml" for item in roles}
    return {root / name for name in names}


def contents(tar: bytes) -> dict[str, bytes]:
    """Return the files of an archive."""
    with tarfile.open(fileobj=io.BytesIO(tar)) as opened:
        return {member.name: file.read() for member in opened if (file := opened.extractfile(member))}
