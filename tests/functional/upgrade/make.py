# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes the files of this folder with a release.

    PYTHONPATH=.work/tree:tests python -m functional.upgrade.make 1.2.0 COMMIT

They are what users of the release have: a folder that it captured, and its public interface.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from emulator import Emulator
from functional.support import outofprocess
from functional.support.plays import Played, run_playbook
from functional.upgrade import interface
from functional.upgrade.consoles import ADDRESS, KEPT, fill
from harness.places import CHECKOUT, INSIDE

IGNORE = "ignore: {exports: [csi-*]}\n"


def main(version: str, commit: str) -> None:
    folder = KEPT / version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with _release(commit) as tree, Emulator() as emulator:
        outofprocess.collections_path = lambda: str(tree)
        fill(emulator)
        capture(emulator, folder)
        content = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(part)}" for name, part in interface.interface_of(tree).items()
        )
        interface.PRESENT.write_text(f"{{\n{content}\n}}\n", encoding="utf-8")
        for path in (path for path in folder.rglob("*") if path.is_file()):
            text = path.read_text(encoding="utf-8")
            path.write_text(
                text.replace(emulator.url, ADDRESS).replace(emulator.url[7:], ADDRESS[7:]), encoding="utf-8"
            )


def capture(emulator: Emulator, folder: Path) -> None:
    """Capture the console twice, with something that is to be ignored in between."""
    desired = folder / "desired"
    _play(emulator, "capture", capture_dest=str(desired))
    with (desired / "console.yml").open("a", encoding="utf-8") as file:
        file.write(IGNORE)
    _play(emulator, "capture", capture_dest=str(desired))
    # Schemas are only for editors.
    for schema in desired.glob("*.schema.json"):
        schema.unlink()


@contextlib.contextmanager
def _release(commit: str) -> Iterator[Path]:
    """Yield a tree of collections with the collection as it was at a commit."""
    with tempfile.TemporaryDirectory() as temporary:
        collection = Path(temporary) / INSIDE
        collection.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], cwd=CHECKOUT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "--extract"], cwd=collection, check=True, input=archive)
        yield Path(temporary)


def _play(emulator: Emulator, name: str, *options: str, **variables: Any) -> Played:
    with tempfile.TemporaryDirectory() as home:
        played = run_playbook(emulator, Path(home), f"managedfs.console.{name}", variables, *options)
    assert played.code == 0
    return played


if __name__ == "__main__":
    main(*sys.argv[1:])
