# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rows of the page on all consoles: those of a run, and those of earlier runs, from the folders of their reports."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from ...module_utils._internal.files import read_text
from .outcomes import AS_DESIRED, DIFFERS, FAILED, NOT_COMPARED
from .report_drift import DIFFERENCES, PARTS

TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
"""The form of a time in UTC. Of two, the later one is the greater text."""
_AWAY = "could not be read"
_SHOWN = ("consoles_compared", "volumes", "exports", "quotas", "quota_bytes", "open_to_write", "unknown_access", *PARTS)
_TIME = re.compile(r'<time datetime="([-0-9]{10}T[:0-9]{8}Z)">')
# A row is a line. Its first value is its state, its last time is its own.
_AWAY_BEFORE = re.compile(rf'^<tr data-away="([^"]*)".*? data-value="([^"]*)".*{_TIME.pattern}', re.MULTILINE)


class _Report(NamedTuple):
    """What an earlier run has left of a console."""

    counts: Mapping[str, int]
    read: str
    is_part: bool
    """Whether it is about some volumes alone."""


def complete(consoles: Iterable[Mapping[str, Any]], folder: Path, read: str) -> list[dict[str, Any]]:
    """Return the rows of consoles, in their order, without those that nothing is known of.

    `read` is the time of this run. A console with `is_earlier` is none of it. What is known of that one is its last report,
    or that it could not be read since, or has failed.
    """
    away = _read_away(folder / "index.html")
    rows = []
    for console in consoles:
        name, counts = str(console["name"]), console.get("counts")
        moment, state = read, console.get("state", "")
        # Of many consoles, each report takes a while to read.
        report = None if counts else _read_report(folder / console["folder"])
        last = report.read if report else ""
        if console.get("is_earlier"):
            moment, state = max(away.get(name, ("", "")), (last, ""))
            counts = report.counts if report and moment == last else {}
        if moment:
            is_part = bool(report and report.is_part)
            judged = _judge(counts or {}, state)
            rows.append({**console, "counts": counts, "read": moment, "last": last, "is_part": is_part, **judged})
    return rows


def _judge(counts: Mapping[str, int], state: str) -> dict[str, Any]:
    """Return the state of a console, and the number of its differences. One that has failed may not have been asked at all."""
    if not counts:
        return {"state": FAILED if state == FAILED else _AWAY, "differences": 0}
    differences = sum(counts[part] for part in DIFFERENCES)
    differs = DIFFERS if differences or counts["not_in_desired_state"] else AS_DESIRED
    return {"state": differs if counts["consoles_compared"] else NOT_COMPARED, "differences": differences}


def _read_report(folder: Path) -> _Report | None:
    """Return the report in a folder, None for what is none."""
    page = folder / "report.html"
    try:
        report = json.loads(read_text(folder / "report.json"))
        counts = report["counts"]
        found = _TIME.search(read_text(page))
        # Before 1.2.0, the time was that of the file.
        read = found[1] if found else datetime.fromtimestamp(page.stat().st_mtime, timezone.utc).strftime(TIME_FORMAT)
        return _Report({name: int(counts[name]) for name in _SHOWN}, read, bool(report.get("only")))
    except (OSError, LookupError, TypeError, ValueError):
        return None


def _read_away(page: Path) -> dict[str, tuple[str, str]]:
    """Return the names of the consoles of which a page knows nothing, each with the time and the state."""
    try:
        return {html.unescape(name): (moment, state) for name, state, moment in _AWAY_BEFORE.findall(read_text(page))}
    except (OSError, ValueError):
        return {}
