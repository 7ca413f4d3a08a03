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


def stage_folder(session: str) -> Path:
    """Return the folder in which a session keeps what it may use again in the next run."""
    folder = WORK / "stages" / session
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def linked_tree(folder: Path) -> Path:
    """Make a tree of collections in which this one consists of links into the checkout, and return its root."""
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    (tree / INSIDE).mkdir(parents=True)
    for entry in CHECKOUT.iterdir():
        if not entry.name.startswith(".") and entry.name not in ("collections", "venv"):
            (tree / INSIDE / entry.name).symlink_to(entry)
    return tree


def copied_tree(folder: Path) -> Path:
    """Make a copy of the collection and return it; what ansible-test keeps in its `tests/output` stays.

    ansible-test takes neither links nor a folder that git ignores: so it is a copy, and a repository of its own.
    """
    copy = folder / INSIDE
    for old in [*copy.glob("*"), *copy.glob("tests/*")]:
        if old not in (copy / "tests", copy / "tests" / "output"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for path in tracked_files():
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
