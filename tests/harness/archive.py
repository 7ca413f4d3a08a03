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
from datetime import datetime, timezone
from pathlib import Path

import nox
import yaml

from harness.places import copied_tree, tracked_files

# galaxy-importer only prints its findings: its exit code is 0 all the same.
FINDING = re.compile(r"^(?:WARNING|ERROR|CRITICAL)\b.*", re.MULTILINE)
# The playbooks that examples import are not found where galaxy-importer runs ansible-lint. Our own session finds them.
HARMLESS = re.compile(r"^WARNING: ERROR +Failed to find managedfs\.console\.\w+ playbook\.$", re.MULTILINE)
COMPLETED = "Importer processing completed successfully"
# Nothing in these folders is left out of the archive.
SHIPPED = {"docs", "examples", "meta", "playbooks", "plugins", "roles"}
# Made by the build itself.
MANIFEST, FILES = "MANIFEST.json", "FILES.json"


def build(session: nox.Session, source: Path, folder: Path, **rules: str) -> list[Path]:
    """Build the archive, have it imported under these settings, and return it with its checksum."""
    shutil.rmtree(folder, ignore_errors=True)
    archive = pack(session, source, folder)
    refuse_wrong_content(session, source, archive)
    # The copy has its files in another order, and with other times.
    again = pack(session, copied_tree(folder / "copy", source), folder / "again")
    if again.read_bytes() != archive.read_bytes():
        session.error("two builds of the same files differ")
    with session.chdir(folder):
        output = str(session.run("python", "-m", "galaxy_importer.main", archive.name, env=rules, silent=True))
    if FINDING.search(HARMLESS.sub("", output)) or COMPLETED not in output:
        session.error(f"galaxy-importer is not content:\n{output}")
    sums = folder / "SHA256SUMS"
    sums.write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
    return [archive, sums]


def pack(session: nox.Session, source: Path, folder: Path) -> Path:
    session.run("ansible-galaxy", "collection", "build", "--output-path", str(folder), str(source))
    archive = next(folder.glob("*.tar.gz"))
    releases = yaml.safe_load((source / "changelogs" / "changelog.yaml").read_text(encoding="utf-8"))["releases"]
    last = datetime.fromisoformat(max(str(release["release_date"]) for release in releases.values()))
    archive.write_bytes(normalized(archive.read_bytes(), int(last.replace(tzinfo=timezone.utc).timestamp())))
    return archive


def normalized(archive: bytes, seconds: int) -> bytes:
    """Return an archive of a collection with its files sorted, and a fixed time for all of them, in seconds since 1970.

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


def refuse_wrong_content(session: nox.Session, source: Path, archive: Path) -> None:
    with tarfile.open(archive) as opened:
        inside = {Path(member.name) for member in opened if not member.isdir()}
    tracked = tracked_files(source)
    shipped = {path for path in tracked if path.parts[0] in SHIPPED}
    if wrong := (inside - tracked - {Path(MANIFEST), Path(FILES)}) | (shipped - inside):
        session.error(f"the archive has what git does not know, or lacks what it must have: {sorted(map(str, wrong))}")
