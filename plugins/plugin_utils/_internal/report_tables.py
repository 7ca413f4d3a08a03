# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tables of a report for spreadsheets: who may use what, and the limits. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .report_order import group

Row = tuple[Any, ...]

_ACCESS = ("console", "volume", "kind", "name", "iprange", "from", "access", "apionly")
_LIMITS = ("console", "volume", "path", "bytes", "size", "inodes")
# Spreadsheets take a text that begins with one of these for a formula, and run it. Where they separate cells by semicolons, a cell also begins
# after each semicolon of a text, whether or not a quotation mark follows.
_FORMULA = re.compile(r'(^|;"*)(?=[=+\-@\t\r])')


def to_tables(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables of a report as CSV, by file name. Sizes are in bytes, too, blank if the console does not show them."""
    console = facts["console"]
    entries = [entry for entries in facts["access"].values() for entry in entries]
    access = [
        (console, part["volume"], part["kind"], entry.get("key"), *(entry[name] for name in _ACCESS[4:]))
        for part in group(entries)
        for entry in part["entries"]
    ]
    limits = [
        (console, volume["volume"], *(quota[name] for name in _LIMITS[2:]))
        for volume in facts["limits"]
        for quota in volume["quotas"]
    ]
    return {"access.csv": _to_csv(_ACCESS, access), "limits.csv": _to_csv(_LIMITS, limits)}


def _to_csv(header: Row, rows: Iterable[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([header, *([_to_cell(value) for value in row] for row in rows)])
    return text.getvalue()


def _to_cell(value: Any) -> Any:
    """Return a value of a cell. What could be a formula gets an apostrophe, which spreadsheets do not show at the beginning of a cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
