# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Builds the archive of the collection and lets galaxy-importer read it, as a Galaxy server does."""

from __future__ import annotations

import re
import shutil
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

from harness.places import CHECKOUT, home, tracked_files
from harness.stages import run

if TYPE_CHECKING:
    from harness.stages import Stage

# What galaxy-importer finds it only prints: its exit code is 0 all the same.
FINDING = re.compile(r"^(?:WARNING|ERROR|CRITICAL)\b.*", re.MULTILINE)
COMPLETED = "Importer processing completed successfully"

# Made by the build itself.
MADE = {Path("MANIFEST.json"), Path("FILES.json")}


def check(stage: Stage) -> None:
    """Build the archive, look at what is in it, and have it imported; each counts as one case."""
    folder = stage.folder / "archive"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    build = ["ansible-galaxy", "collection", "build", "--output-path", str(folder), str(CHECKOUT)]
    env = {"HOME": str(home(stage.folder))}
    if not stage.check("ansible-galaxy collection build", *build, env=env):
        return
    archive = next(folder.glob("*.tar.gz"))
    strangers = foreign_files(archive)
    stage.add("files of the archive", f"git does not know {', '.join(strangers)}" if strangers else None)
    stage.add("galaxy-importer", problem_of_import(stage, archive, env))


def foreign_files(archive: Path) -> list[str]:
    """Return the files of an archive that do not come from the checkout."""
    with tarfile.open(archive) as opened:
        inside = {Path(member.name) for member in opened if not member.isdir()}
    return sorted(map(str, inside - tracked_files() - MADE))


def problem_of_import(stage: Stage, archive: Path, env: dict[str, str]) -> str | None:
    """Import an archive and return what is wrong with it, if anything is."""
    log = stage.results / "galaxy-importer.log"
    with stage.session.chdir(archive.parent):
        succeeded = run(stage.session, "python", "-m", "galaxy_importer.main", archive.name, env=env, log=log)
    output = log.read_text(encoding="utf-8")
    findings = FINDING.findall(output)
    if findings or not succeeded or COMPLETED not in output:
        return "\n".join(findings) or f"it did not complete:\n{output}"
    return None
