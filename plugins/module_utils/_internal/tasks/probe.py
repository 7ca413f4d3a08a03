# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of the module that finds out what a console does where its specification says nothing."""

from __future__ import annotations

import secrets
from typing import Any, NoReturn

from ..connection import check_number
from ..errors import ConsoleError
from ..model.resources import VOLUME, read_values
from ..module import Task, run_module
from ..probe.profile import make_profile
from ..probe.session.course import Assignment
from ..probe.session.run import Outcome, run

_OPTIONS = {
    "volume": {"type": "str"},
    "volume_id": {"type": "int"},
    "use_existing": {"type": "bool", "default": False},
    "bucket": {"type": "str"},
    "region": {"type": "int"},
    "extra_fields": {"type": "dict", "default": {}},
    "wait_timeout": {"type": "int", "default": 300},
}
_MAX_WAIT = 86_400


def probe_console() -> NoReturn:
    """Run the module that probes a console."""
    run_module(_OPTIONS, _probe)


def _probe(task: Task) -> dict[str, Any]:
    """Probe the console and return its profile; ConsoleError, with what was found, where something is left or was not possible."""
    outcome = run(task.client, _read_assignment(task), secrets.token_hex(4))
    profile, unknown = make_profile(outcome.seen)
    found = sum(entry["value"] is not None for entry in profile.values())
    result = {
        "changed": bool(outcome.left or outcome.removed_before),
        "profile": profile,
        "unknown": unknown,
        "left_out": sorted(outcome.seen.skipped),
        "left_behind": outcome.left,
        "requests": outcome.requests,
        "msg": f"{found} of {len(profile)} settings found with {outcome.requests} requests.",
    }
    if outcome.error or outcome.left:
        raise _failure(outcome, result)
    return result


def _failure(outcome: Outcome, result: dict[str, Any]) -> ConsoleError:
    """Return the error that says why the console could not be probed, and what is still there."""
    texts = [str(outcome.error)] if outcome.error else []
    if outcome.left:
        texts.append(
            f"These could not be removed: {'; '.join(outcome.left)}. Run the task again with the same options, which"
            " removes them where that is possible, or delete them yourself."
        )
    details = {**result, **(outcome.error.details if outcome.error else {})}
    details.pop("msg")
    return ConsoleError(" ".join(texts), **{**details, "changed": result["changed"]})


def _read_assignment(task: Task) -> Assignment:
    """Return what the options ask for; ConsoleError where they contradict each other."""
    params = task.params
    name, identity = (params["volume"] or "").strip(), params["volume_id"]
    check_number("wait_timeout", params["wait_timeout"], 0, _MAX_WAIT)
    if bool(name) == (identity is not None):
        raise ConsoleError("one of volume, for a scratch volume, and volume_id, for one of yours, is required.")
    if params["use_existing"] != (identity is not None):
        raise ConsoleError(
            "volume_id and use_existing: true belong together: the probe makes records in that volume, and deletes them"
            " again. It must have no exports and no quotas."
        )
    fields = [field for field in VOLUME.fields if field.name in ("bucket", "region")]
    given = {**read_values(fields, params), **(params["extra_fields"] or {})}
    return Assignment(name, identity, given, params["wait_timeout"], task.check_mode)
