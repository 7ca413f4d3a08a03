# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The texts of a report: its summary in Markdown to the letter, its limits, and the form of the JSON."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.facts import build_facts
from functional.support.actions import MOMENT, write_report

BUCKET = "https://v.example.com"
NOTHING: dict[str, Any] = {"exports": [], "quotas": []}
OF_A: dict[str, Any] = {"id": 1, "name": "ü", "bucket": BUCKET, "size": 12345}
OF_A["exports"] = [
    {"id": 1, "desc": "a`b", "iprange": "*", "readonly": False, "apionly": True},
    {"id": 2, "desc": "web", "iprange": "10.0.0.0/8", "readonly": True},
    {"id": 3, "desc": "odd", "iprange": "10.0.0.0/8"},
    {"id": 4, "desc": "none", "iprange": "", "readonly": True},
]
OF_A["quotas"] = [{"id": 1, "path": "/a", "size": 0, "inodes": 5000}, {"id": 3, "path": "/c", "size": 2 << 30}]
OF_A["quotas"] += [{"id": 2, "path": "/b", "size": 10 << 30, "inodes": 0}]
GONE = {"id": 2, "name": "gone", "bucket": BUCKET, "exports": [], "quotas": [{"id": 9, "path": "/x", "size": 5}]}
VOLUMES: list[dict[str, Any]] = [OF_A, GONE, {"id": 3, "name": "free", "bucket": BUCKET, "region": ["ü"], **NOTHING}]
QUOTAS = [{"path": "/a", "size": 7}, {"path": "/c", "inodes": 1}, {"path": "/d", "size": "1MiB"}, {"path": "e"}]
ITEMS: list[dict[str, Any]] = [{"name": "ü", "exports": [{"desc": "a`b", "iprange": "*"}], "quotas": QUOTAS}]
ITEMS += [{"name": "gone", "state": "absent"}]

SUMMARY = """\
# `c.example.com`

- 3 volumes, 4 exports, 4 quotas
- Cannot be applied: 1
  - quota `ü: e`: `item 1 ('ü'), quotas item 4 ('e'): path must start with /, not 'e'.`
- To be deleted: 1
  - volume `gone`: bucket `https://v.example.com`, with all that is in it: 0 exports, 1 quota
- To be updated: 1
  - quota `ü: /a`: size no limit → `7`
- To be created: 1
  - quota `ü: /d`: size `1MiB`
- Unmanaged: 4
  - volume `free`
  - export `ü: none`
  - export `ü: odd`
  - export `ü: web`
- Not compared, since the console does not show all of it: inodes of 1 quota
- Open to write: 1
  - export ``ü: a`b``: `*` (any address), write, apionly
- Unknown: 2
  - export `ü: none`: `unknown` (unknown), read
  - export `ü: odd`: `10.0.0.0/8` (some addresses), unknown
- Some addresses can read: 1
  - export `ü: web`: `10.0.0.0/8` (some addresses), read
- Limits, the largest of each volume: 2
  - `ü`, 3 quotas: `/a` no size limit, `/b` 10GiB, `/c` 2GiB
  - `gone`, 1 quota: `/x` 5B
"""


def summarize(
    folder: Path, volumes: list[dict[str, Any]], items: list[dict[str, Any]] | None, only: Any = None
) -> list[str]:
    """Write a report, and return its summary."""
    summary: list[str] = write_report(folder, build_facts(volumes, items, console="https://c.example.com", only=only))[
        "summary"
    ]
    return summary


def test_what_there_is_and_what_differs_is_shown(tmp_path: Path) -> None:
    assert summarize(tmp_path, VOLUMES, ITEMS) == SUMMARY.splitlines()


ABSENT: dict[str, tuple[list[dict[str, Any]] | None, str]] = {
    "compared": ([], "- Matches the desired state"),
    "not compared": (None, "- Not compared: no desired state is given"),
}


@pytest.mark.parametrize(("items", "line"), ABSENT.values(), ids=ABSENT)
def test_what_there_is_not_is_said(tmp_path: Path, items: list[dict[str, Any]] | None, line: str) -> None:
    expected = ["# `c.example.com`", "", "- 0 volumes, 0 exports, 0 quotas", line]
    assert summarize(tmp_path, [], items) == expected


MANY = [f"{n}*" for n in range(11)]
PARTS: dict[str, tuple[list[str], str]] = {
    "a volume": (["0<b>"], "Only the volume `0<b>`"),
    "a pattern": (["1*"], "Only the volumes `1*`"),
    "several": (["1*", "0<b>"], "Only the volumes `1*`, `0<b>`"),
    "many": (MANY, f"Only the volumes {', '.join(f'`{each}`' for each in MANY[:10])}, …"),
}


@pytest.mark.parametrize(("only", "line"), PARTS.values(), ids=PARTS)
def test_a_report_of_a_part_says_so(tmp_path: Path, only: list[str], line: str) -> None:
    volumes = [{"id": n, "name": f"{n}<b>", **NOTHING} for n in range(12)]
    rest = ": the rest of the console was left out"
    assert summarize(tmp_path, volumes, [], only)[3] == f"- {line}{rest}"
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["only"] == only
    shown = ", ".join(f"<code>{html.escape(each)}</code>" for each in only)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"<p>{line.partition(' `')[0]} {shown}{rest}.</p>\n<ul>" in page


@pytest.mark.parametrize(("number", "more"), [(10, []), (11, ["  - and 1 more"]), (1234, ["  - and 1,224 more"])])
def test_the_summary_shows_ten_of_each_part(tmp_path: Path, number: int, more: list[str]) -> None:
    exports = [{"id": n, "desc": f"e{n:04}", "iprange": "*", "readonly": False} for n in range(1, number + 1)]
    items: list[dict[str, Any]] = [{"name": "v", "exports": []}]
    summary = summarize(tmp_path, [{"id": 1, "name": "v", "exports": exports, "quotas": []}], items)
    keys = [f"  - export `v: e{n:04}`" for n in range(1, 11)]
    access = [f"{key}: `*` (any address), write" for key in keys]
    counts = f"- Unmanaged: {number:,}", f"- Open to write: {number:,}"
    assert summary[3:] == [counts[0], *keys, *more, counts[1], *access, *more]


HOSTILE = "@everyone ![x](http://x.example.com) <img src=x>"
LONG = f"{HOSTILE} {'a' * 600}"
RECORDS: dict[str, Any] = {
    "exports": [{"id": 1, "desc": f"{LONG} (next)", "iprange": "*", "readonly": False}],
    "quotas": [{"id": 1, "path": f"/{LONG}", "size": 5, "inodes": 0}, {"id": 2, "path": LONG, "size": 5}],
}
WANTED = [{"path": f"/{LONG}", "size": "123456789KiB"}, {"path": LONG}]
# What a report finds: each line in which text of the console can stand.
FOUND: dict[str, list[dict[str, Any]] | None] = {
    "nothing to compare with": None,
    "changes and mistakes": [{"name": LONG, "exports": [{"desc": LONG}], "quotas": WANTED}],
    "many fields": [{"name": "new", "bucket": BUCKET, "extra_fields": {f"{n}{LONG}": LONG for n in range(9)}}],
    "a deleted volume": [{"name": LONG, "state": "absent"}],
}


@pytest.mark.parametrize("items", FOUND.values(), ids=FOUND)
def test_lines_of_the_summary_are_short_and_text_of_the_console_is_code(
    tmp_path: Path, items: list[dict[str, Any]] | None
) -> None:
    summary = summarize(tmp_path, [{"id": 1, "name": LONG, "bucket": BUCKET, **RECORDS}], items)
    assert max(map(len, summary)) < 4_000
    assert HOSTILE in "".join(summary)
    for line in summary:
        assert "`" not in (rest := re.sub("`[^`]+`", "", line))
        assert not re.search("[@!<]", rest)


CODES = {"a": "`a`", "": "`  `", "a`b": "``a`b``", "a``b`c": "```a``b`c```", "`ab": "`` `ab ``", "ab`": "`` ab` ``"}
CODES |= {" `a": "``  `a ``", "a` ": "`` a`  ``", " a": "`  a `", "a ": "` a  `"}


def test_the_page_tells_the_time_which_alone_is_no_change(tmp_path: Path) -> None:
    page = tmp_path / "report.html"

    def write(year: int, facts: dict[str, Any], **options: bool) -> bool:
        result = write_report(tmp_path, facts, read=MOMENT.replace(year=year), **options)
        assert result["changed"] or not result.get("diff")
        return bool(result["changed"])

    def times() -> list[tuple[str, str]]:
        return re.findall('<time datetime="([^"]*)">([^<]*)</time>', page.read_text(encoding="utf-8"))

    facts = build_facts(VOLUMES, ITEMS)
    assert write(2026, facts)
    assert times() == [("2026-03-01T02:03:04Z", "2026-03-01 02:03 UTC")]
    inode = (tmp_path / "report.json").stat().st_ino
    assert not write(2027, facts, check=True)
    assert "2026" in page.read_text(encoding="utf-8")
    assert not write(2028, facts, diff=True)
    assert times() == [("2028-03-01T02:03:04Z", "2028-03-01 02:03 UTC")]
    assert (tmp_path / "report.json").stat().st_ino == inode
    assert write(2028, build_facts(VOLUMES))
