# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A dozen consoles in one run, of which one accepts connections and never answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.plays import Played, run_playbook
from harness.fleet import fleet, write_inventory

# The first, so that summaries name it however long they are.
DEAD = "console1"
DESIRED = [{"name": "v", "quotas": [{"path": "/a", "size": "1GiB"}]}]
FAILED_HOSTS = 2


@pytest.fixture
def consoles(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Emulator]]:
    monkeypatch.setenv("ANSIBLE_SHOW_CUSTOM_STATS", "true")
    with fleet(12) as consoles:
        for console in consoles.values():
            console.add_volume(name="v", id=7)
        consoles[DEAD].inject(Fault("silent_before", times=None, seconds=600))
        yield consoles


def play(folder: Path, consoles: dict[str, Emulator], playbook: str, **variables: Any) -> Played:
    """Run a playbook for all consoles, and see that the dead one was waited for once, and is the only one that failed."""
    consoles[DEAD].forget_requests()
    inventory = write_inventory(folder / "inventory.yml", consoles)
    variables |= {"managedfs_hosts": "consoles", "managedfs_timeout": 3, "managedfs_retries": 0}
    options = ("-i", str(inventory), "--forks=12")
    played = run_playbook(consoles["console2"], folder, f"managedfs.console.{playbook}", variables, *options)
    assert played.code == FAILED_HOSTS
    assert [name for name in consoles if played.count("failed", name)] == [DEAD]
    assert len(consoles[DEAD].requests) == 1
    return played


def test_a_console_that_never_answers_is_waited_for_once_and_the_others_are_done(
    tmp_path: Path, consoles: dict[str, Emulator]
) -> None:
    others = [console for name, console in consoles.items() if name != DEAD]
    played = play(tmp_path, consoles, "apply", apply_volumes=DESIRED)
    assert [name for name in consoles if played.count("changed", name)] == [name for name in consoles if name != DEAD]
    assert [[quota["path"] for quota in console.quotas(7)] for console in others] == [["/a"]] * len(others)
    assert consoles[DEAD].url in played.output

    played = play(tmp_path, consoles, "report", report_volumes=DESIRED, report_dest="reports")
    handed_on = json.loads(played.output.split("CUSTOM STATS", 1)[1].split("RUN:", 1)[1])
    address = re.escape(consoles[DEAD].url.removeprefix("http://"))
    assert re.search(rf"\b(?:{address}|{DEAD})\b", handed_on["managedfs_summary"])
    assert {page.parent.name for page in (tmp_path / "reports").glob("*/report.html")} == set(consoles) - {DEAD}
