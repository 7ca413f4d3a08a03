# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of a report: what it says of each volume, its filter, its order, and its size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.facts import build_facts
from functional.support.actions import write_report
from functional.support.browser import ask, needs_browser

GIB = 1 << 30
MIB = 1 << 20
Items = list[dict[str, Any]]


def volume(number: int, name: str, exports: Items, quotas: Items) -> dict[str, Any]:
    """Return a volume as volume_info does, its records with ids."""
    lists = {"exports": exports, "quotas": quotas}
    with_ids = {kind: [{"id": at, **record} for at, record in enumerate(found)] for kind, found in lists.items()}
    return {"id": number, "name": name, "bucket": "https://v.example.com", **with_ids}


ARCHIVE = volume(
    1,
    "archive",
    [
        {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True},
        {"desc": "web (next)", "iprange": "10.0.0.0/8", "readonly": True},
        {"desc": "Web", "iprange": "192.168.0.0/16", "readonly": False},
        {"desc": "any", "iprange": "*", "readonly": False, "apionly": True},
        {"desc": "append", "iprange": "0.0.0.0/0", "readonly": False, "appendonly": True},
    ],
    [
        {"path": "/home", "size": 10 * GIB},
        {"path": "/home/alice", "size": 30 * GIB},
        {"path": "/data", "size": 0, "inodes": 5},
    ],
)
BACKUP = volume(2, "archive-2", [], [{"path": "/alice", "size": 160 * GIB}, {"path": "/b", "size": 9 * GIB}])
VOLUMES = [ARCHIVE, BACKUP]
DESIRED: Items = [
    {
        "name": "archive",
        "quotas": [
            {"path": "/home", "size": "20GiB"},
            {"path": "/home/alice", "size": "30GiB"},
            {"path": "/data", "size": "5GiB"},
        ],
    },
    {"name": "archive-2", "quotas": [{"path": "/alice", "size": "1GiB"}, {"path": "/new", "size": "1GiB"}]},
    {"name": "new", "bucket": "https://v.example.com"},
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page on a console with something of everything."""
    folder = tmp_path_factory.mktemp("page")
    write_report(folder, build_facts(VOLUMES, DESIRED))
    return folder / "report.html"


@pytest.fixture(scope="module")
def root(page: Path) -> Element:
    """Return the page, which must be valid HTML."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    found: Element = parser.parse(page.read_text(encoding="utf-8"))
    return found


def read_page(folder: Path) -> Element:
    """Return the page that was written to a folder."""
    text = (folder / "report.html").read_text(encoding="utf-8")
    found: Element = html5lib.parse(text, namespaceHTMLElements=False)
    return found


def words(element: Element | None) -> str:
    """Return the text of an element, without line breaks."""
    assert element is not None
    return " ".join("".join(element.itertext()).split())


def test_the_volumes_are_a_navigation_with_counts(root: Element) -> None:
    links = root.findall(".//nav//a")
    assert [(link.get("href"), words(link)) for link in links] == [
        ("#volume-1", "archive 2 5 3"),
        ("#volume-2", "archive-2 2 0 2"),
        ("#drift", "new 1 0 0"),
    ]
    assert [[data.get("title") for data in link.iter("data")] for link in links] == [
        ["differences", "exports", "quotas"],
        ["differences", "exports", "quotas"],
        ["difference", "exports", "quotas"],
    ]
    assert {"volume-1", "volume-2", "drift"} <= {element.get("id") for element in root.iter()}


def test_what_weighs_most_is_said_above_all(tmp_path: Path) -> None:
    volumes = [volume(at, f"v{at}", [], [{"path": f"/{n}", "size": GIB} for n in range(at)]) for at in range(1, 6)]
    wanted: Items = [
        {"name": f"v{at}", "quotas": [{"path": f"/{n}", "size": "2GiB"} for n in range(at)]} for at in range(2, 5)
    ]
    wanted += [{"name": name, "state": "absent"} for name in ("v1", "v5")]
    write_report(tmp_path, build_facts(volumes, wanted))
    page = read_page(tmp_path)
    assert [words(text) for text in page.findall(".//section[@id='drift']/p")] == [
        "11 differences in 5 volumes, most of them in v4 (4), v3 (3) and v2 (2).",
        "2 volumes are to be deleted, with all that is in them: v1, v5.",
    ]


def test_what_cannot_be_applied_is_a_difference(tmp_path: Path) -> None:
    write_report(tmp_path, build_facts([ARCHIVE], [{"name": "archive", "quotas": [{"path": "x"}]}]))
    page = read_page(tmp_path)
    assert words(page.find(".//header//a[@href='#drift']")) == "1 difference"


def test_the_bars_of_limits_are_to_scale(root: Element) -> None:
    summaries = root.findall(".//section[@id='limits']/details/summary")
    widths = [
        [shape.get("width") for shape in summary.iter("{http://www.w3.org/2000/svg}rect")] for summary in summaries
    ]
    assert widths == [["100%", "94%"], ["23%", "17%"]]
    assert all(each.get("open") is not None for each in root.iter("details")), "of a small console, nothing is folded"


@pytest.mark.parametrize("rights", [{"iprange": "*", "readonly": False}, {}], ids=["open", "not shown"])
def test_what_is_not_shown_is_neither_safe_nor_unlimited(tmp_path: Path, rights: dict[str, Any]) -> None:
    quotas: Items = [{"path": "/a"}, {"path": "/b", "size": 0, "inodes": 0}]
    write_report(tmp_path, build_facts([volume(1, "v", [{"desc": "a", **rights}], quotas)]))
    page = read_page(tmp_path)
    assert page.findall(".//section[@id='access']/p") == [], "nothing says that all is well"
    limits = "2 quotas, none with a size limit that is shown. 1 quota without a size limit."
    assert words(page.find(".//section[@id='limits']/p")) == limits
    rows = [[words(cell) for cell in row] for row in page.findall(".//section[@id='limits']//tbody/tr")]
    assert rows == [["/b", "no size limit", "", "no limit"], ["/a", "not shown", "", "not shown"]]
    order = [cell.get("data-value") for cell in page.findall(".//section[@id='limits']//td[@data-value]")]
    assert order == ["Infinity", "-1"]


# Types a text, and returns the rows, volumes and sections that are left, those of folded parts apart, and what is said.
TYPE = """%s.map((text) => {
  const form = document.getElementById("search");
  form.filter.value = text;
  form.dispatchEvent(new Event("input"));
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const names = (selector) => shown(selector).map((each) => each.textContent);
  return {
    rows: names("tbody th[scope=row]"), volumes: names("nav b"), cards: names("article h3"),
    sections: shown("section").map((each) => each.id), current: names("nav [aria-current=true] b"), found: form.found.value,
  };
})"""


@needs_browser
def test_one_field_filters_by_volume_path_name_and_address(page: Path, tmp_path: Path) -> None:
    texts = ["archive", "ALICE", "archive-2 ali", "10.1.2.3", "archive 10.1.2.3", "any 10.1.2.3", "nothing of it", ""]
    one, alice, both, address, of_one, of_name, nothing, everything = ask(page, TYPE % json.dumps(texts), tmp_path)
    # The name of a volume means that one alone.
    assert (one["volumes"], one["current"], one["cards"]) == (["archive"], ["archive"], ["archive"])
    assert {"web", "any", "/home", "/data"} <= set(one["rows"])
    assert "/alice" not in one["rows"]
    assert (set(alice["rows"]), alice["volumes"]) == ({"/alice", "/home/alice"}, ["archive", "archive-2"])
    assert alice["sections"] == ["drift", "limits", "volumes"]
    assert (set(both["rows"]), both["current"]) == ({"/alice"}, [])
    assert address["rows"] == ["any", "append", "web", "web (next)"]
    assert (address["sections"], address["found"]) == (["access", "volumes"], "4 of 5 let it in.")
    assert (of_one["rows"], of_one["current"]) == (address["rows"], ["archive"])
    assert (of_name["rows"], of_name["found"]) == (["any"], "1 of 5 let it in.")
    assert (nothing["sections"], nothing["found"][:5]) == ([], "0 of ")
    assert everything["found"] == ""
    assert len(everything["sections"]) == 4
    assert everything["volumes"] == ["archive", "archive-2", "new"]


@needs_browser
def test_counts_are_those_of_the_rows_that_are_left(page: Path, tmp_path: Path) -> None:
    count = """["10.1.2.3", "append", ""].map((text) => {
      const form = document.getElementById("search");
      form.filter.value = text;
      form.dispatchEvent(new Event("input"));
      const parts = [...document.querySelectorAll(".access")].filter((table) => table.checkVisibility());
      const said = [...document.querySelectorAll("#limits > p")].filter((each) => each.checkVisibility()).length;
      const top = [...document.querySelectorAll("header strong")].map((each) => each.textContent);
      return [top, parts.map((table) => [...table.closest("details").querySelectorAll("data")].map((each) => each.textContent)), said];
    })"""
    address, name, everything = ask(page, count, tmp_path)
    assert address == [["0 of 5", "0 of 1", "2", "4 of 5", "0 of 5", "1 of 2"], [["2", "2"], ["2", "2"]], 0]
    assert name == [["0 of 5", "0 of 1", "1 of 2", "1 of 5", "0 of 5", "1 of 2"], [["1 of 2", "1 of 2"]], 0]
    assert everything == [["5", "1", "2", "5", "5", "2"], [["2", "2"], ["1", "1"], ["2", "2"]], 2]


SORT = """[["Directory", 2], ["Size", 2], ["Inodes", 1]].map(([title, times]) => {
  const table = [...document.querySelectorAll(".limits table")].find((each) => each.caption.textContent.endsWith("archive"));
  const head = [...table.tHead.rows[0].cells].find((each) => each.textContent === title);
  for (let time = 0; time < times; time += 1) {
    head.querySelector("button").click();
  }
  const sorted = [...table.querySelectorAll("[aria-sort]")].map((each) => [each.textContent, each.ariaSort]);
  return [...table.tBodies[0].rows].map((row) => row.cells[0].textContent).concat(sorted);
})"""


@needs_browser
def test_columns_sort_and_say_so(page: Path, tmp_path: Path) -> None:
    assert ask(page, SORT, tmp_path) == [
        ["/home/alice", "/home", "/data", ["Directory", "descending"]],
        ["/data", "/home/alice", "/home", ["Size", "descending"]],
        ["/data", "/home/alice", "/home", ["Inodes", "ascending"]],
    ]


def test_the_page_on_a_large_console_is_small_and_folds_long_parts(tmp_path: Path) -> None:
    volumes, desired = [], []
    for number in range(30):
        name = f"a volume of the department {number:02}"
        exports = [{"desc": f"team {at}", "iprange": f"2001:db8:{at}::/48", "readonly": False} for at in range(19)]
        exports.append({"desc": "any", "iprange": "*", "readonly": False})
        quotas = [{"path": f"/home/people/user-{at:04}", "size": (at + 1) * GIB} for at in range(50)]
        volumes.append(volume(number, name, exports, quotas))
        wanted = [{**quota, "size": "99GiB"} if at < 19 - (number < 4) else quota for at, quota in enumerate(quotas)]
        desired.append({"name": name, "quotas": wanted})
    facts = build_facts(volumes, desired)
    counts = [facts["counts"][name] for name in ("volumes", "exports", "quotas", "to_update")]
    assert counts == [30, 600, 1500, 566]
    write_report(tmp_path, facts)
    assert (tmp_path / "report.html").stat().st_size <= 1.5 * MIB
    root = read_page(tmp_path)
    assert "1,500 quotas" in words(root.find(".//header"))
    parts = {words(each.find("summary/h3")): each.get("open") is not None for each in root.iter("details")}
    assert [title for title, is_open in parts.items() if is_open] == ["To be updated", "Open to write"]
