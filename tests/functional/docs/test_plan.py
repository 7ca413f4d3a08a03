# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan in the guide to AWX is what the module volumes prints for a console with forty differences."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from emulator import Emulator
from functional.support.inprocess import Run
from harness.places import CHECKOUT

GIB, TIB = 2**30, 2**40
PEOPLE = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
NETWORK = "10.20.{}.0/24"
PAGE = CHECKOUT / "docs/docsite/rst/guide_awx_use.rst"


def fill(emulator: Emulator) -> None:
    """Put four volumes on the console."""
    volumes = {
        name: emulator.add_volume(name=name, bucket=f"https://{name}.s3.example.com")
        for name in ("media", "projects", "research", "scratch")
    }
    homes = [{"path": f"/home/{name}", "size": 10 * GIB} for name in PEOPLE]
    emulator.add_quotas(volumes["projects"], [*homes, {"path": "/home/mallory", "size": 50 * GIB}])
    emulator.add_quotas(volumes["media"], [{"path": f"/raw/{year}", "size": TIB} for year in range(2015, 2026)])
    emulator.add_quotas(volumes["scratch"], [{"path": f"/{number}", "size": GIB} for number in range(12)])
    for number in range(4):
        emulator.add_export(volumes["research"], desc=f"lab{number}", iprange="*")
    emulator.add_export(volumes["scratch"], desc="old", iprange="*")


def document() -> list[dict[str, Any]]:
    """Return what is wanted of them, and of a new one."""
    homes = [{"path": f"/home/{name}", "size": "20GiB"} for name in PEOPLE]
    labs = [{"desc": f"lab{number}", "iprange": NETWORK.format(number)} for number in range(4)]
    new_labs = [{"desc": f"lab{number}", "iprange": NETWORK.format(number), "readonly": True} for number in range(4, 8)]
    frozen = [{"path": f"/raw/{year}", "state": "absent"} for year in range(2015, 2022)]
    grown = [{"path": f"/raw/{year}", "size": "4TiB"} for year in range(2022, 2026)]
    teams = [{"path": f"/teams/{name}", "size": "1TiB", "inodes": 1_000_000} for name in PEOPLE]
    archive = {"name": "archive", "bucket": "https://archive.s3.example.com", "quotas": teams}
    return [
        {"name": "projects", "quotas": [*homes, {"path": "/home/ivan", "size": "20GiB"}]},
        {"name": "research", "exports": [*labs, *new_labs]},
        {"name": "media", "quotas": [*frozen, *grown]},
        {**archive, "exports": [{"desc": "backup", "iprange": "10.30.0.0/16"}]},
        {"name": "scratch", "state": "absent"},
    ]


def test_the_plan_of_the_guide_is_that_of_the_module(run: Run, emulator: Emulator) -> None:
    fill(emulator)
    purge: dict[str, Any] = {"purge": ["quotas"], "max_deletions": "100%"}
    result = run("volumes", volumes=document(), check=True, **purge)
    assert len(result["changes"]) == 40
    block = re.search(
        r"\.\. code-block:: text\n   :name: plan\n\n(.*?)\n\n\S", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert block
    assert textwrap.dedent(block.group(1)) + "\n" == result["diff"]["prepared"]
