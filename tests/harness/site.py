# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Builds the documentation site from a copy of the collection. Any warning is an error."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from harness.places import CHECKOUT, WORK

if TYPE_CHECKING:
    from pathlib import Path

    import nox

SETTINGS = CHECKOUT / "docs" / "docsite" / "sphinx"
SITE = WORK / "site"


def build(session: nox.Session, collections: Path) -> None:
    """Build the site of the collection in a folder of collections, and say where it is."""
    pages = collections / "pages"
    # Nothing is left from the last time: Sphinx warns only of what it reads.
    for folder in (pages, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    pages.mkdir(mode=0o755)
    generate = ("antsibull-docs", "collection", "--use-current", "--squash-hierarchy", "--fail-on-error")
    env = {"ANSIBLE_COLLECTIONS_PATH": str(collections), "PYTHONPATH": "tests"}
    session.run(*generate, "--dest-dir", str(pages), "managedfs.console", env=env)
    session.run("python", "-m", "harness.pages", str(pages), env=env)
    strict = ("--nitpicky", "--fail-on-warning", "--keep-going", "--quiet")
    session.run("sphinx-build", *strict, "--conf-dir", str(SETTINGS), str(pages), str(SITE))
    print(f"The site is at {SITE / 'index.html'}", flush=True)
