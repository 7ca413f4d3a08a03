# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rows of the page on all consoles: what is known of each, and since when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.outcomes import (
    AS_DESIRED,
    AWAY,
    DIFFERS,
    FAILED,
    NOT_COMPARED,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_drift import PARTS
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_overview import _SHOWN, complete

EARLIER, NOW = "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"
NONE = {**dict.fromkeys((*_SHOWN, *PARTS), 0), "consoles_compared": 1}
COULD_NOT = "could not be read"
# What is known of a console, and its state and number of differences.
JUDGED: list[tuple[dict[str, Any], str, int]] = [
    ({"counts": NONE}, AS_DESIRED, 0),
    ({"counts": {**NONE, "to_create": 1, "to_delete": 2, "cannot_be_applied": 4}}, DIFFERS, 7),
    ({"counts": {**NONE, "not_in_desired_state": 1}}, DIFFERS, 0),
    ({"counts": {**NONE, "consoles_compared": 0}}, NOT_COMPARED, 0),
    ({"state": AWAY}, COULD_NOT, 0),
    ({"state": FAILED, "counts": {}}, FAILED, 0),
]


@pytest.mark.parametrize(("console", "state", "differences"), JUDGED)
def test_a_console_is_judged_by_its_counts(
    tmp_path: Path, console: dict[str, Any], state: str, differences: int
) -> None:
    (row,) = complete([{"name": "c", "folder": "c", **console}], tmp_path, NOW)
    assert (row["state"], row["differences"]) == (state, differences)
    assert (row["read"], row["last"], row["is_part"]) == (NOW, "", False)


def write_report(folder: Path, **facts: Any) -> None:
    folder.mkdir()
    text = json.dumps({"counts": {**NONE, "volumes": 3}, **facts})
    (folder / "report.json").write_text(text, encoding="utf-8")
    (folder / "report.html").write_text(f'<time datetime="{EARLIER}">', encoding="utf-8")


def test_an_earlier_report_is_all_that_is_known_of_a_console_that_this_run_has_not_read(tmp_path: Path) -> None:
    write_report(tmp_path / "a", only=["v*"])
    consoles: list[dict[str, Any]] = [
        {"name": "a", "folder": "a", "is_earlier": True},
        {"name": "b", "folder": "b", "is_earlier": True},
        {"name": "a away", "folder": "a", "state": AWAY},
        {"name": "a read", "folder": "a", "counts": NONE},
    ]
    rows = {row["name"]: row for row in complete(consoles, tmp_path, NOW)}
    names = ("state", "read", "last", "is_part")
    assert {name: tuple(row[each] for each in names) for name, row in rows.items()} == {
        "a": (AS_DESIRED, EARLIER, EARLIER, True),
        "a away": (COULD_NOT, NOW, EARLIER, True),
        "a read": (AS_DESIRED, NOW, "", False),
    }
    assert rows["a"]["counts"]["volumes"] == 3
    assert not rows["a away"]["counts"]
