# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work folder, and the shapes in which the tools want to see the collection."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("CONSOLE_WORK") or CHECKOUT / ".work")

# Where Ansible wants the collection, below a folder of collections.
INSIDE = Path("ansible_collections", "managedfs", "console")


def stage_folder(stage: str) -> Path:
    """Return the folder in which a stage keeps what it may use again in the next run."""
    folder = WORK / "stages" / stage
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def home(folder: Path) -> Path:
    """Make a home folder of its own for a stage, with pip set up as in the tools' common one."""
    home = folder / "home"
    for inside in (".config", ".pip", ".cache/pip"):
        link, target = home / inside, WORK / "home" / inside
        link.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not link.exists():
            link.symlink_to(target)
    return home


def linked_tree(folder: Path) -> Path:
    """Make a tree of collections in which this one consists of links into the checkout, and return its root."""
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    collection = tree / INSIDE
    collection.mkdir(parents=True)
    for entry in CHECKOUT.iterdir():
        if not entry.name.startswith(".") and entry.name not in ("collections", "venv"):
            (collection / entry.name).symlink_to(entry)
    return tree


def copied_tree(folder: Path) -> Path:
    """Bring a copy of the collection up to date and return it; what ansible-test has put there stays.

    ansible-test takes neither links nor a folder that git ignores: so it is a copy, and a repository of its own.
    """
    copy = folder / INSIDE
    copy.mkdir(parents=True, exist_ok=True)
    wanted = tracked_files()
    for path in copied_files(copy) - wanted:
        (copy / path).unlink()
    for path in wanted:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(CHECKOUT / path, copy / path)
    subprocess.run(["git", "init", "--quiet", copy], check=True)
    return copy


def tracked_files() -> set[Path]:
    """Return the files of the checkout that git knows or would take in."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    paths = {Path(name) for name in output.split("\0") if name}
    return {path for path in paths if (CHECKOUT / path).is_file()}


def copied_files(copy: Path) -> set[Path]:
    """Return the files of a copy, without those that belong to git or to ansible-test."""
    paths = {path.relative_to(copy) for path in copy.rglob("*") if not path.is_dir()}
    return {path for path in paths if path.parts[0] != ".git" and path.parts[:2] != ("tests", "output")}
