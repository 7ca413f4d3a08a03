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

from harness.places import CHECKOUT, stage_folder, tracked_files

if TYPE_CHECKING:
    import nox

# galaxy-importer only prints its findings: its exit code is 0 all the same.
FINDING = re.compile(r"^(?:WARNING|ERROR|CRITICAL)\b.*", re.MULTILINE)
# The examples import playbooks of the collection, which ansible-lint does not find where galaxy-importer runs it. The
# stage ansible-lint checks the same files where it does.
HARMLESS = re.compile(r"^WARNING: ERROR +Failed to find managedfs\.console\.\w+ playbook\.$", re.MULTILINE)
COMPLETED = "Importer processing completed successfully"

# Made by the build itself.
MADE = {Path("MANIFEST.json"), Path("FILES.json")}


def check(session: nox.Session) -> None:
    """Build the archive, look at what is in it, and have it imported."""
    folder = stage_folder(session.name) / "archive"
    shutil.rmtree(folder, ignore_errors=True)
    session.run("ansible-galaxy", "collection", "build", "--output-path", str(folder), str(CHECKOUT))
    archive = next(folder.glob("*.tar.gz"))
    if foreign := foreign_files(archive):
        session.error(f"git does not know these files of the archive: {', '.join(foreign)}")
    with session.chdir(folder):
        output = str(session.run("python", "-m", "galaxy_importer.main", archive.name, silent=True))
    if FINDING.search(HARMLESS.sub("", output)) or COMPLETED not in output:
        session.error(f"galaxy-importer is not content:\n{output}")


def foreign_files(archive: Path) -> list[str]:
    """Return the files of an archive that do not come from the checkout."""
    with tarfile.open(archive) as opened:
        inside = {Path(member.name) for member in opened if not member.isdir()}
    return sorted(map(str, inside - tracked_files() - MADE))
