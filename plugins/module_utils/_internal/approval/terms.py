# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The checks of a plan before anything is written: it must respect the limit and match the approved checksum."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..echoes import Echoes
from ..errors import ConsoleError
from ..files import replace_file
from ..model.section import Section
from ..results.changes import Entry
from ..texts import first_sentences
from .checksum import Plan, check_plan, read_expected
from .deletion_limit import DeletionLimit, read_limit, refuse_excess

_MODE = 0o600
_MAX_NAMED = 3


class Terms(NamedTuple):
    """The conditions that a task sets for its plan."""

    limit: DeletionLimit | None
    expected: str | None
    file: str | None
    fail_on_plan_warnings: bool = False


def read_terms(params: Mapping[str, Any]) -> Terms:
    """Return the conditions that the options set; ConsoleError if one is invalid."""
    file = params.get("plan_file") or ""
    if file.strip() and not Path(file).is_absolute():
        raise ConsoleError(f"plan_file {file} must be an absolute path.")
    limit = read_limit("max_deletions", params.get("max_deletions"), "apply_max_deletions")
    is_strict = params.get("fail_on_plan_warnings", False)
    return Terms(limit, read_expected(params["expected_plan"]), file.strip() or None, is_strict)


def make_plan(root: Section, terms: Terms, address: str, echoes: Echoes) -> Plan:
    """Return the plan of sections that are planned, and write it to the plan file, if wanted.

    ConsoleError if it exceeds the limit, cannot be compared with the approved plan, or cannot be written.
    """
    refuse_excess(root, terms.limit)
    plan = check_plan(root, terms.expected, address)
    if terms.file:
        _write(terms.file, echoes.clean({"plan": plan.entries})["plan"])
    return plan._replace(refusal=plan.refusal or _why_mistaken(root, terms.fail_on_plan_warnings))


def _why_mistaken(root: Section, fail_on_plan_warnings: bool) -> str:
    """Return the reason why nothing may be written, blank if there is no likely mistake, or they are accepted."""
    changes = [change for section in root.lists for change in section.changes if change.action.plan_warnings]
    if not (fail_on_plan_warnings and changes):
        return ""
    texts = first_sentences((f"{change.key}: {change.action.plan_warnings[0]}" for change in changes), _MAX_NAMED)
    return (
        f"Nothing was changed: fail_on_plan_warnings is set, and {len(changes):,} changes are probably not what is meant. {texts}"
        " Correct them, or leave out fail_on_plan_warnings, in the role apply_fail_on_plan_warnings"
    )


def _write(path: str, entries: list[Entry]) -> None:
    """Write a plan as JSON for policies: whole or not at all, and readable only by the user of the task."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise ConsoleError(f"plan_file {path} is not a regular file. Nothing was changed.")
        replace_file(path, f"{json.dumps(entries, indent=1, sort_keys=True)}\n".encode(), _MODE)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConsoleError(f"plan_file {path} cannot be written: {reason}. Nothing was changed.") from None
