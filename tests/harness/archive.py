# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Builds the archive of the collection, to the same bytes wherever it is built."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import tarfile
from datetime import datetime
from pathlib import Path

import nox
import yaml

from harness.places import copied_tree, session_folder, tracked_files

# galaxy-importer only prints its findings: its exit code is 0 all the same.
FINDING = re.compile(r"^(?:WARNING|ERROR|CRITICAL)\b.*", re.MULTILINE)
# What Red Hat's certification asks for beyond its defaults. A session of its own runs ansible-lint, which also finds our playbooks.
RULES = {f"GALAXY_IMPORTER_{name}": "true" for name in ("CHECK_REQUIRED_TAGS", "REQUIRE_V1_OR_GREATER")}
RULES["GALAXY_IMPORTER_RUN_ANSIBLE_LINT"] = "false"
MANIFEST, FILES = "MANIFEST.json", "FILES.json"
# Nothing in these folders is left out of the archive.
SHIPPED = {"docs", "examples", "meta", "playbooks", "plugins", "roles"}


def build(session: nox.Session, source: Path) -> Path:
    """Build the archive, have it imported as a Galaxy server would, and return it."""
    folder = session_folder("stages", session.name) / "archive"
    shutil.rmtree(folder, ignore_errors=True)
    archive = pack(session, source, folder)
    # The copy is what git knows. It has its files in another order, and with other times.
    if pack(session, copied_tree(folder / "copy", source), folder / "again").read_bytes() != archive.read_bytes():
        session.error("the archive has files that git does not know, or two builds of the same files differ")
    with tarfile.open(archive) as opened:
        shipped = {str(path) for path in tracked_files(source) if path.parts[0] in SHIPPED}
        if lacking := shipped.difference(opened.getnames()):
            session.error(f"the archive lacks {', '.join(sorted(lacking))}")
    with session.chdir(folder):
        output = str(session.run("python", "-m", "galaxy_importer.main", archive.name, env=RULES, silent=True))
    if FINDING.search(output):
        session.error(f"galaxy-importer is not content:\n{output}")
    return archive


def pack(session: nox.Session, source: Path, folder: Path) -> Path:
    session.run("ansible-galaxy", "collection", "build", "--output-path", str(folder), str(source))
    archive = next(folder.glob("*.tar.gz"))
    releases = yaml.safe_load((source / "changelogs" / "changelog.yaml").read_bytes())["releases"]
    # The time of all files is that of the last release: Python takes files of the same time and size for the same.
    last = max(str(release["release_date"]) for release in releases.values())
    archive.write_bytes(
        normalized(archive.read_bytes(), int(datetime.fromisoformat(f"{last}T00:00+00:00").timestamp()))
    )
    return archive


def normalized(archive: bytes, seconds: int) -> bytes:
    """Return an archive of a collection with its files sorted, and with one time for all of them, in seconds since 1970.

    ansible-galaxy takes the files in the order, and with the times, of the file system.
    """
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        content = {one.name: (one, file.read() if (file := opened.extractfile(one)) else b"") for one in opened}
    files, manifest = (json.loads(content[name][1]) for name in (FILES, MANIFEST))
    files["files"].sort(key=lambda file: file["name"])
    listed = json.dumps(files, indent=1).encode()
    manifest["file_manifest_file"]["chksum_sha256"] = hashlib.sha256(listed).hexdigest()
    written = {MANIFEST: json.dumps(manifest, indent=1).encode(), FILES: listed}
    result = io.BytesIO()
    with tarfile.open(fileobj=result, mode="w", format=tarfile.PAX_FORMAT) as packed:
        for name in [*written, *sorted(content.keys() - written.keys())]:
            member, data = content[name][0], written.get(name, content[name][1])
            member.mtime, member.size, member.pax_headers = seconds, len(data), {}
            packed.addfile(member, io.BytesIO(data))
    return gzip.compress(result.getvalue(), mtime=seconds)
