# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes a release, and allows it to be published.

It is made in a copy. Only when everything has passed are its changes staged in the checkout: after a failure there is
nothing to clean up.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from harness import archive, cores, refusals
from harness.places import CHECKOUT, copied_tree, git, stage_folder
from harness.report import TESTED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import nox

DIST = CHECKOUT / "dist"

# Where the version stands. antsibull-changelog reads that of galaxy.yml.
VERSION_LINES = {
    "galaxy.yml": "version: {}\n",
    "plugins/module_utils/_internal/version.py": 'COLLECTION_VERSION = "{}"\n',
}

# What Red Hat's certification asks for beyond `make test`: the sanity tests on these ansible-cores, and these rules of
# galaxy-importer.
SANITY = ("sanity-2.16", "sanity-2.18", "sanity-2.20")
RULES = {"GALAXY_IMPORTER_CHECK_REQUIRED_TAGS": "true", "GALAXY_IMPORTER_REQUIRE_V1_OR_GREATER": "true"}

LEFT = """
=== {version} is built, and its changes are staged. What is left for you:

git diff --staged
git commit --message "Release {version}"
git tag --annotate {version} --message "managedfs.console {version}"
git push origin HEAD {version}
make publish VERSION={version}
"""


def check(session: nox.Session, version: str) -> None:
    """Refuse a release that is not ready."""
    tested = TESTED.read_text(encoding="utf-8") if TESTED.exists() else ""
    refuse(session, f"release {version}", refusals.of_release(CHECKOUT, version, tested))
    # In a nox of its own: these sessions have environments of their own.
    if subprocess.run([sys.executable, "-m", "nox", "--session", *SANITY], check=False).returncode:
        session.error("the sanity tests of the certification failed")


def make(session: nox.Session, version: str) -> None:
    """Make a release: archive and changes."""
    folder = stage_folder(session.name) / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    copy = copied_tree(folder)
    git(copy, "add", "--all")
    write_version(copy, version)
    with session.chdir(copy):
        session.run("antsibull-changelog", "lint")
        session.run("antsibull-changelog", "release")
        session.run("antsibull-changelog", "lint-changelog-yaml", "--strict", "changelogs/changelog.yaml")
    built = archive.check(session, copy, **RULES)
    for core in (core for core in cores.tested() if core.pythons):
        archive.try_alone(session, built, core)
    git(CHECKOUT, "apply", "--index", given=git(copy, "diff", "--binary"))
    DIST.mkdir(exist_ok=True)
    shutil.copy(built, DIST)
    print(LEFT.format(version=version))
    for reason in refusals.of_addresses(archive.load(copy / "galaxy.yml")):
        print(f"make publish will refuse it, as things are: {reason}.", flush=True)


def write_version(copy: Path, version: str) -> None:
    """Write the version to each place that has it."""
    last = archive.load(copy / "galaxy.yml")["version"]
    for name, line in VERSION_LINES.items():
        text = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(text.replace(line.format(last), line.format(version)), encoding="utf-8")


def publish(session: nox.Session, version: str) -> None:
    """Refuse to publish what is not ready. The Makefile publishes what is left."""
    archive_of_version = DIST / f"managedfs-console-{version}.tar.gz"
    refuse(session, f"publish {version}", refusals.of_publication(CHECKOUT, archive_of_version, version))


def refuse(session: nox.Session, what: str, reasons: Iterable[str]) -> None:
    """Fail if there are reasons."""
    if given := list(reasons):
        session.error("\n- ".join([f"cannot {what}:", *given]))
