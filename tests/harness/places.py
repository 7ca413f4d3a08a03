# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work folder, and the shapes in which the tools want to see the collection."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
WORK = CHECKOUT / ".work"

# Where Ansible wants the collection, below a folder of collections.
INSIDE = Path("ansible_collections", "managedfs", "console")


def session_folder(kind: str, session: str) -> Path:
    """Return a folder of a session: for its `results`, or for `stages`, which it may use again in the next run."""
    folder = WORK / kind / session
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def linked_tree() -> Path:
    """Return a tree of collections in which this one is a link to the checkout."""
    tree = WORK / "tree"
    (tree / INSIDE).parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        (tree / INSIDE).symlink_to(CHECKOUT)
    return tree


def copied_tree(folder: Path, source: Path = CHECKOUT) -> Path:
    """Make a copy of the collection and return it; the environments that ansible-test made in it stay.

    ansible-test takes neither links nor a folder that git ignores: so it is a copy, and a repository of its own.
    """
    copy = folder / INSIDE
    copy.mkdir(parents=True, exist_ok=True)
    git(copy, "init", "--quiet")
    git(copy, "clean", "-ffdxq", "--exclude=/tests/output/.tmp")
    for path in sorted(tracked_files(source), reverse=True):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / path, copy / path)
    return copy


def tracked_files(checkout: Path = CHECKOUT) -> set[Path]:
    """Return the files of a checkout that git would take in. An unpacked archive has no repository, so this brings one.

    It is one for each call, since sessions run side by side.
    """
    with tempfile.TemporaryDirectory() as empty:
        git(checkout, "init", "--quiet", empty)
        repository = [f"--git-dir={empty}/.git", f"--work-tree={checkout}"]
        output = git(checkout, *repository, "ls-files", "-z", "--others", "--exclude-standard")
    return {Path(name) for name in output.split("\0") if (checkout / name).is_file()}


def committed_digest(checkout: Path = CHECKOUT) -> str:
    """Return a digest of what is committed, or nothing if a checkout has changes, or is not a repository."""
    if not (checkout / ".git").exists() or git(checkout, "status", "--porcelain"):
        return ""
    # No test reads the fragments of the changelog, and a release checks them itself.
    files = git(checkout, "ls-files", "--stage", "--", ".", ":(exclude)changelogs/fragments")
    return hashlib.sha256(files.encode()).hexdigest()


def git(folder: Path, *arguments: str, given: str | None = None) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=folder, input=given, check=True, stdout=subprocess.PIPE, text=True).stdout
