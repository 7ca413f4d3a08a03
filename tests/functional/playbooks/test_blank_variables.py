# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""In every playbook a blank variable is an unset one, whatever its type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.support.plays import run_playbook
from harness.places import CHECKOUT

# What each role cannot do without.
NEEDED: dict[str, dict[str, Any]] = {
    "apply": {"apply_source": "desired"},
    "capture": {"capture_dest": "captured"},
    "report": {"report_source": "desired"},
    "tenant": {"tenant_name": "alice", "tenant_volume": "projects", "tenant_size": "1GiB"},
}


def options_of(role: str) -> list[str]:
    """Return the names of a role's variables."""
    path = CHECKOUT / "roles" / role / "meta" / "argument_specs.yml"
    return list(yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"])


@pytest.mark.parametrize("blank", ["", " "])
@pytest.mark.parametrize("role", NEEDED)
def test_a_blank_variable_is_unset(tmp_path: Path, role: str, blank: str) -> None:
    desired = tmp_path / "desired"
    desired.mkdir()
    (desired / "projects.yml").write_text("name: projects", encoding="utf-8")
    needed = {
        name: str(tmp_path / text) if name.endswith(("source", "dest")) else text for name, text in NEEDED[role].items()
    }
    with Emulator() as emulator:
        emulator.add_volume(name="projects", id=7)
        played = run_playbook(
            emulator, tmp_path, f"managedfs.console.{role}", dict.fromkeys(options_of(role), blank) | needed
        )
    assert played.count("failed") == 0
