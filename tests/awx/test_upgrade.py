# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An AWX that an earlier release has set up is upgraded as the guide describes it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from awx.client import Awx
from awx.conftest import Ask, Decide, Installation, Launch, Project, Shell, collections_with_awx, installed
from emulator import Emulator
from functional.upgrade.consoles import VERSIONS
from harness.places import CHECKOUT

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
TODAY = CHECKOUT / "examples" / "awx-project"


class Release(NamedTuple):
    """An earlier release."""

    version: str
    collections: Path
    """A folder of collections with it."""

    @property
    def checkout(self) -> Path:
        return self.collections / "ansible_collections" / "managedfs" / "console"


@pytest.fixture(scope="module", params=VERSIONS)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Return a release, as Git has it."""
    git = ["git", "-C", str(CHECKOUT)]
    subject = f"--grep=^Release {re.escape(request.param)}$"
    log = subprocess.run([*git, "log", "--format=%H", subject], check=True, capture_output=True, text=True)
    release = Release(request.param, tmp_path_factory.mktemp("released"))
    release.checkout.mkdir(parents=True)
    archive = subprocess.run([*git, "archive", log.stdout.split()[0]], check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", release.checkout], check=True, input=archive.stdout)
    return release


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, address: str, release: Release) -> Iterator[Project]:
    project = Project(tmp_path_factory.mktemp("published"), address, checkout=release.checkout)
    yield project
    project.stop()


@pytest.fixture(scope="module")
def installation(
    tmp_path_factory: pytest.TempPathFactory, shell: Shell, project: Project, release: Release
) -> Iterator[Installation]:
    """Set up AWX with the release; later runs are today's."""
    paths = [str(release.collections), collections_with_awx(tmp_path_factory.mktemp("collections"))]
    with installed(shell, project, first={"ANSIBLE_COLLECTIONS_PATH": os.pathsep.join(paths)}) as installation:
        yield installation


def test_an_earlier_setup_goes_on_as_the_guide_says(
    awx: Awx,
    project: Project,
    installation: Installation,
    console: Emulator,
    launch: Launch,
    ask: Ask,
    decide: Decide,
) -> None:
    volume = console.add_volume(**VOLUME)
    schedule = awx.named("schedules", f"{installation.prefix}: nightly drift")
    awx.call("PATCH", schedule["url"], {"enabled": True})

    def approve(size: int) -> None:
        project.publish([VOLUME | {"quotas": [{"path": "/home", "size": f"{size}GiB"}]}])
        assert decide(ask("change"), "approve") == "successful"
        assert [quota["size"] for quota in console.quotas(volume)] == [size << 30]

    # The next sync of the project brings the new version, and the files of the project are still old.
    project.require(CHECKOUT)
    approve(1)
    assert "failed=0" in installation.run()

    shutil.copytree(
        TODAY, project.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("projects.yml", "collections")
    )
    project.push()
    assert "failed=0" in installation.run()
    assert "changed=0 " in installation.run()
    assert awx.get(schedule["url"])["enabled"] is True
    approve(2)
    assert launch("drift").status == "successful"
