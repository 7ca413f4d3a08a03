# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A report on a large console: the page stays small, and what a job prints even smaller."""

from __future__ import annotations

from pathlib import Path

from emulator import Emulator
from functional.roles.reports import facts_in, parse_page, run_report

VOLUMES, EXPORTS, QUOTAS = 40, 400, 5000
MAX_PAGE = 2_000_000
MAX_OUTPUT = 20_000


def test_a_large_console_makes_a_small_page(tmp_path: Path) -> None:
    names = [f"a volume of the department {number:02}" for number in range(VOLUMES)]
    with Emulator() as emulator:
        for name in names:
            volume = emulator.add_volume(name=name, bucket="https://v.example.com")
            for number in range(EXPORTS // VOLUMES):
                emulator.add_export(volume, desc=f"team {number}", iprange="*", readonly=False)
            emulator.add_quotas(
                volume, [{"path": f"/home/people/user-{number:04}", "size": 5} for number in range(QUOTAS // VOLUMES)]
            )
        quotas = [{"path": f"/home/people/user-{number:04}", "size": "10GiB"} for number in range(QUOTAS // VOLUMES)]
        desired = [{"name": name, "quotas": quotas} for name in names]
        output = run_report(emulator, tmp_path, report_dest=".", report_volumes=desired)
    counts = facts_in(tmp_path)["counts"]
    assert [counts[name] for name in ("volumes", "exports", "quotas", "to_update")] == [
        VOLUMES,
        EXPORTS,
        QUOTAS,
        QUOTAS,
    ]
    assert (tmp_path / "report.html").stat().st_size < MAX_PAGE
    assert len(output) < MAX_OUTPUT
    page = parse_page(tmp_path / "report.html")
    # What is long is folded up, so that the page opens at once.
    rows = [list(table.iter("tr")) for fold in page.iter("details") if fold.get("open") is not None for table in fold]
    assert sum(map(len, rows)) < 500
