# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each guide is followed from its first to its last line: its commands succeed, and print what it shows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator import Emulator
from functional.docs.reader import Reader, steps
from functional.support.outofprocess import collections_path
from harness.places import CHECKOUT

PAGES = CHECKOUT / "docs" / "docsite" / "rst"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the archive of the collection."""
    folder = tmp_path_factory.mktemp("archive")
    command = [str(Path(sys.executable).parent / "ansible-galaxy"), "collection", "build", "--output-path", str(folder)]
    subprocess.run([*command, str(CHECKOUT)], check=True, capture_output=True)
    return next(folder.glob("*.tar.gz"))


@pytest.fixture
def newcomer(tmp_path: Path, archive: Path) -> Iterator[Reader]:
    """Yield a reader who has the archive of the collection, and nothing else."""
    reader = Reader(tmp_path, {"ARCHIVE": str(archive)}, {})
    yield reader
    reader.leave()


@pytest.fixture
def seeded(tmp_path: Path) -> Iterator[Reader]:
    """Yield a reader who has the collection, and a console with a clock like that of the processes."""
    with Emulator() as emulator:
        volume = emulator.add_volume(name="projects", bucket="https://projects.s3.example.com")
        emulator.add_export(volume, desc="web", iprange="192.168.0.0/24", readonly=True)
        emulator.add_quota(volume, path="/home/alice", size=10 * 1024**3)
        emulator.add_quota(volume, path="/home/bob", size=20 * 1024**3)
        connection = {
            "MANAGEDFS_CONSOLE_URL": emulator.url,
            "MANAGEDFS_ACCESS_KEY": emulator.access_key,
            "MANAGEDFS_SECRET_KEY": emulator.secret_key,
        }
        words = {
            r"https://\w+\.example\.com": emulator.url,
            "your-access-key": emulator.access_key,
            "your-secret-key": emulator.secret_key,
        }
        yield Reader(tmp_path, {"ANSIBLE_COLLECTIONS_PATH": collections_path(), **connection}, words)


def test_a_newcomer_can_follow_the_first_steps(newcomer: Reader) -> None:
    follow(newcomer, "start")


@pytest.mark.parametrize("name", ["authentication", "guide_existing_console", "guide_shared_console"])
def test_the_guide_can_be_followed(seeded: Reader, name: str) -> None:
    follow(seeded, name)


def test_no_block_has_a_caption() -> None:
    # Forges that show these pages leave such a block out without a word.
    assert [page.name for page in PAGES.glob("*.rst") if ":caption:" in page.read_text(encoding="utf-8")] == []


def follow(reader: Reader, name: str) -> None:
    """Take every step of a guide, which must have some."""
    taken = steps(PAGES / f"{name}.rst")
    assert len(taken) > 3
    for step in taken:
        reader.follow(step)
