# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the plan of a list has to pass before anything is written: how much it may delete, and whether it was approved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..echoes import Echoes
from ..errors import ConsoleError
from ..files import replace_file
from ..model.section import Section
from .checksum import Entry, Plan, check_plan, read_expected
from .limit import Limit, read_limit, refuse_excess

_MODE = 0o600


class Terms(NamedTuple):
    """What a task demands of its plan."""

    limit: Limit | None
    expected: str | None
    file: str | None


def read_terms(params: Mapping[str, Any]) -> Terms:
    """Return what the options demand; ConsoleError for one that cannot be meant."""
    file = params.get("plan_file") or ""
    if file.strip() and not Path(file).is_absolute():
        raise ConsoleError(f"plan_file {file} must be an absolute path.")
    limit = read_limit("max_deletions", params.get("max_deletions"), "apply_max_deletions")
    return Terms(limit, read_expected(params["expected_plan"]), file.strip() or None)


def make_plan(root: Section, terms: Terms, address: str, echoes: Echoes) -> Plan:
    """Return the plan of sections that are planned, and write it to the file that is wanted; ConsoleError if it goes too far."""
    refuse_excess(root, terms.limit)
    plan = check_plan(root, terms.expected, address)
    if terms.file:
        _write(terms.file, echoes.clean({"plan": plan.entries})["plan"])
    return plan


def _write(path: str, entries: list[Entry]) -> None:
    """Write a plan as JSON, for policies: whole or not at all, and for nobody else to read."""
    if Path(path).exists() and not Path(path).is_file():
        raise ConsoleError(f"plan_file {path} is not a regular file. Nothing was changed.")
    try:
        replace_file(path, f"{json.dumps(entries, indent=1, sort_keys=True)}\n".encode(), _MODE)
    except OSError as error:
        raise ConsoleError(f"plan_file {path} cannot be written: {error.strerror}. Nothing was changed.") from None
