# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each guide is followed from its first to its last line: its commands succeed, and what it shows is what comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator import Emulator
from functional.docs.guides import steps
from functional.support.outofprocess import run_shell
from harness.places import CHECKOUT

GUIDES = {guide.stem: guide for guide in (CHECKOUT / "docs" / "docsite" / "rst").glob("guide_*.rst")}
# Those that can be followed with a console and nothing else.
FOLLOWED = ("guide_existing_console", "guide_tenants", "guide_many_consoles")


@pytest.fixture
def furnished() -> Iterator[Emulator]:
    """Yield a console as the guides find it, with a clock like that of the processes."""
    with Emulator() as emulator:
        volume = emulator.add_volume(name="projects", bucket="https://projects.s3.example.com")
        emulator.add_export(volume, desc="web", iprange="192.168.0.0/24", readonly=True)
        emulator.add_quota(volume, path="/home/alice", size=10 * 1024**3)
        emulator.add_quota(volume, path="/home/bob", size=20 * 1024**3)
        yield emulator


@pytest.mark.parametrize("name", FOLLOWED)
def test_the_guide_can_be_followed(furnished: Emulator, tmp_path: Path, name: str) -> None:
    printed = ""
    for step in steps(GUIDES[name]):
        if step.kind == "run":
            printed = run_shell(furnished, tmp_path, step.text)
        elif step.kind == "file":
            path = tmp_path / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(filled_in(step.text, furnished) + "\n", encoding="utf-8")
        elif step.kind == "captured":
            assert without_comments((tmp_path / step.name).read_text(encoding="utf-8")) == step.text
        else:
            assert step.kind == "printed", step.kind
            assert all(line in printed for line in step.text.splitlines()), printed


def filled_in(text: str, emulator: Emulator) -> str:
    """Return a file with the address and the keys of a console in place of those that a reader would replace."""
    text = re.sub(r"https://\w+\.example\.com", emulator.url, text)
    return text.replace("your-access-key", emulator.access_key).replace("your-secret-key", emulator.secret_key)


def without_comments(text: str) -> str:
    """Return the lines of a file that say something."""
    return "\n".join(line for line in text.splitlines() if line.strip() and not line.startswith(("#", "---")))
