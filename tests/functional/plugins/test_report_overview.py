# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page on all consoles: their states, those of earlier runs, its filter and its order."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest

from ansible_collections.managedfs.console.plugins.action import report_files
from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.outcomes import AWAY, FAILED
from functional.support.actions import act
from functional.support.browser import ask, needs_browser

BUCKET = "https://v.example.com"
OPEN: dict[str, Any] = {"id": 1, "name": "v", "bucket": BUCKET, "quotas": [{"id": 1, "path": "/a", "size": 5 << 30}]}
OPEN["exports"] = [{"id": 1, "desc": "web", "iprange": "*", "readonly": False}, {"id": 2, "desc": "odd"}]
WANTED = [{"name": "v", "quotas": [{"path": "/a", "size": 7}, {"path": "/b", "size": 7}]}]
DIFFERS = report_facts([OPEN], WANTED)
ALONE, AS_DESIRED = report_facts([]), report_facts([], [])


class Fleet:
    """Reports on consoles, written at a time each."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._monkeypatch = folder, monkeypatch

    def write(self, day: str, *earlier: str, **found: Any) -> dict[str, Any]:
        """Write the reports of a run, and the page on all; a console without facts has a state, or could not be read."""
        self._monkeypatch.setattr(report_files, "_now", lambda: f"2026-01-{day}T02:03:04Z")
        states = {name: state for name, state in found.items() if isinstance(state, str)}
        facts = {name: known for name, known in found.items() if known and name not in states}
        for name, known in facts.items():
            act(report_files, self.folder, facts=known, dest=str(self.folder / name))
        counts = {name: dict(facts[name]["counts"]) if name in facts else {} for name in found}
        consoles: list[dict[str, Any]] = [
            {"name": name, "folder": name, "counts": counts[name], "state": states.get(name, AWAY)} for name in found
        ]
        consoles += [{"name": name, "folder": name, "is_earlier": True} for name in earlier]
        return act(report_files, self.folder, overview=consoles, dest=str(self.folder))

    def root(self) -> Element:
        """Return the page, which must be valid HTML."""
        parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
        root: Element = parser.parse((self.folder / "index.html").read_text(encoding="utf-8"))
        return root

    def rows(self) -> list[tuple[str, str, str]]:
        """Return name, state and day of each console."""
        rows = [[words(cell) for cell in row] for row in self.root().findall(".//tbody/tr")]
        return [(name, state, moment[8:10]) for name, state, *_counts, moment in rows]


def words(element: Element) -> str:
    """Return the text of an element, without line breaks."""
    return " ".join("".join(element.itertext()).split())


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fleet:
    """Return a folder for reports."""
    return Fleet(tmp_path, monkeypatch)


def test_a_report_of_some_volumes_says_so_in_later_runs(fleet: Fleet) -> None:
    fleet.write("01", oslo=report_facts([OPEN], WANTED, only=["v"]), rome=DIFFERS)
    fleet.write("02", "oslo", "rome", ulm=ALONE)
    names = [words(row[0]) for row in fleet.root().findall(".//tbody/tr")]
    assert [name for name in names if "of some volumes alone" in name] == [
        "oslo 1 volume, 2 exports, of some volumes alone"
    ]


def test_the_overview_lists_all_consoles_and_those_that_could_not_be_read(fleet: Fleet) -> None:
    assert fleet.write("01", **{"<oslo>": DIFFERS, "rome": ALONE, "bonn": None, "kiel 2": AS_DESIRED, "ulm": FAILED})[
        "changed"
    ]
    root = fleet.root()
    rows = [[words(cell) for cell in row] for row in root.findall(".//tbody/tr")]
    as_of = "2026-01-01 02:03 UTC"
    assert rows == [
        ["<oslo> 1 volume, 2 exports", "differs", "2", "0", "1", "1", "1 quota, 5GiB", as_of],
        ["rome 0 volumes, 0 exports", "not compared", "\u2013", "\u2013", "0", "0", "none", as_of],
        ["bonn", "could not be read", *[""] * 5, as_of],
        ["kiel 2 0 volumes, 0 exports", "as desired", "0", "0", "0", "0", "none", as_of],
        ["ulm", "failed", *[""] * 5, as_of],
    ]
    assert [link.get("href") for link in root.findall(".//main//a")] == [
        "%3Coslo%3E/report.html",
        "rome/report.html",
        "kiel%202/report.html",
    ]
    assert words(root.findall(".//h1")[0]) == "5 consoles"
    assert [words(tile) for tile in root.findall(".//header//li")] == [
        "1 differs",
        "1 could not be read",
        "1 failed",
        "1 open to any address",
        "1 as desired",
        "1 not compared",
    ]


def test_what_needs_attention_stands_out(fleet: Fleet) -> None:
    fleet.write("01", oslo=DIFFERS, rome=ALONE, bonn=None, kiel=AS_DESIRED, ulm=FAILED)
    root = fleet.root()
    tiles = {words(tile): tile.get("class") for tile in root.findall(".//header//li")}
    assert list(tiles.values()) == ["alert"] * 4 + [None] * 2
    assert root.findall(".//header//li/a")[1].get("href") == "#filter=could%20not%20be%20read"
    rows = {row.findtext(".//b"): row for row in root.findall(".//tbody/tr")}
    alerts = {
        name: [cell.get("data-title") for cell in row.findall("td[@class='alert']")] for name, row in rows.items()
    }
    of_oslo = ["State", "Differences", "Any address can write", "Unknown access"]
    assert alerts == {"oslo": of_oslo, "rome": [], "bonn": ["State"], "kiel": [], "ulm": ["State"]}
    values = {name: [cell.get("data-value") for cell in row.findall("td")][:-1] for name, row in rows.items()}
    assert values == {
        "oslo": ["differs", "2", "0", "1", "1", f"{5 << 30}"],
        "rome": ["not compared", "-1", "-1", "0", "0", "0"],
        "bonn": ["could not be read", *["-1"] * 5],
        "kiel": ["as desired", "0", "0", "0", "0", "0"],
        "ulm": ["failed", *["-1"] * 5],
    }
    marks = [mark for row in rows.values() for mark in (row.get("data-away"), row.get("data-state"))]
    assert marks == [None, "open to any address", None, None, "bonn", None, None, None, "ulm", None]


def test_several_that_differ_are_in_the_plural(fleet: Fleet) -> None:
    fleet.write("01", oslo=DIFFERS, rome=DIFFERS)
    assert words(fleet.root().findall(".//header//li")[0]) == "2 differ"


def test_consoles_of_earlier_runs_stay_as_of_their_time(fleet: Fleet) -> None:
    fleet.write("01", oslo=DIFFERS, rome=AS_DESIRED, bonn=None, kiel=AS_DESIRED)
    fleet.write("02", "oslo", "kiel", "gone", rome=AS_DESIRED, bonn=None)
    away = ("bonn", "could not be read", "02")
    assert fleet.rows() == [
        ("rome 0 volumes, 0 exports", "as desired", "02"),
        away,
        ("oslo 1 volume, 2 exports", "differs", "01"),
        ("kiel 0 volumes, 0 exports", "as desired", "01"),
    ]
    # One that could not be read or has failed stays so until it is read, and leads to its last page.
    fleet.write("03", "bonn", oslo=None, kiel=AS_DESIRED, rome=FAILED)
    assert [row for row in fleet.rows() if row[0].startswith("bonn")] == [away]
    fleet.write("03", "rome", "bonn", oslo=None, kiel=AS_DESIRED)
    assert fleet.rows()[2:] == [("rome last read 2026-01-02 02:03 UTC", "failed", "03"), away]
    fleet.write("04", "oslo", "kiel", bonn=AS_DESIRED)
    assert fleet.rows() == [
        ("bonn 0 volumes, 0 exports", "as desired", "04"),
        ("oslo last read 2026-01-01 02:03 UTC", "could not be read", "03"),
        ("kiel 0 volumes, 0 exports", "as desired", "03"),
    ]
    assert [link.get("href") for link in fleet.root().findall(".//main//a")][1] == "oslo/report.html"
    assert not fleet.write("05", "oslo", "kiel", bonn=AS_DESIRED)["changed"]


def test_a_single_console_has_no_page_on_all(fleet: Fleet) -> None:
    assert not fleet.write("01", "rome", "bonn", oslo=AS_DESIRED)["changed"]
    assert sorted(path.name for path in fleet.folder.iterdir()) == ["oslo"]
    assert fleet.write("02", "oslo", rome=AS_DESIRED)["changed"]
    fleet.write("03", rome=AS_DESIRED)
    assert fleet.rows() == [("rome 0 volumes, 0 exports", "as desired", "03")]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"counts": 5}', '{"counts": {"volumes": 1}}', None])
def test_what_is_no_report_is_left_out(fleet: Fleet, text: str | None) -> None:
    fleet.write("01", oslo=DIFFERS, rome=AS_DESIRED)
    report = fleet.folder / "oslo" / "report.json"
    if text is None:
        report.rename(report.with_name("elsewhere"))
        report.symlink_to("elsewhere")
    else:
        report.write_text(text, encoding="utf-8")
    fleet.write("02", "oslo", rome=AS_DESIRED)
    assert [name for name, *_others in fleet.rows()] == ["rome 0 volumes, 0 exports"]


def test_a_page_of_an_earlier_version_has_the_time_of_its_file(fleet: Fleet) -> None:
    fleet.write("01", oslo=DIFFERS, rome=AS_DESIRED)
    page = fleet.folder / "oslo" / "report.html"
    page.write_text("<!DOCTYPE html>", encoding="utf-8")
    os.utime(page, (0, 1_000_000_000))
    fleet.write("03", "oslo", rome=AS_DESIRED)
    assert words(fleet.root().findall(".//tbody/tr[2]/td")[-1]) == "2001-09-09 01:46 UTC"


MISTAKES: dict[str, list[dict[str, Any]]] = {
    "no folder": [{"name": "oslo"}, {"name": "rome"}],
    "no name": [{"folder": "oslo"}],
    "a folder that is no text": [{"name": "oslo", "folder": 5}, {"name": "rome", "folder": 6}],
    "counts of something else": [{"name": "oslo", "folder": "oslo", "counts": {"volumes": 1}}],
    "counts that are none": [{"name": "oslo", "folder": "oslo", "counts": [1]}],
}


@pytest.mark.parametrize("overview", MISTAKES.values(), ids=MISTAKES)
def test_what_is_no_overview_is_refused(tmp_path: Path, overview: list[dict[str, Any]]) -> None:
    result = act(report_files, tmp_path, overview=overview, dest=str(tmp_path))
    assert (result["failed"], result["msg"].partition(",")[0]) == (True, "overview must be a list of consoles")


def test_without_a_folder_no_overview_is_written(tmp_path: Path) -> None:
    consoles: list[dict[str, Any]] = [{"name": name, "folder": name, "counts": {}} for name in ("oslo", "rome")]
    assert act(report_files, tmp_path, overview=consoles) == {"changed": False}
    assert list(tmp_path.iterdir()) == []


# Filters by each tile, then sorts by a column, from the least to the most.
TRY = """[...[...document.querySelectorAll("header li a")].map((tile) => {
  const form = document.getElementById("search");
  form.filter.value = decodeURIComponent(tile.hash.split("=")[1]);
  form.dispatchEvent(new Event("input"));
  const names = [...document.querySelectorAll("tbody tr:not([hidden]) b")].map((name) => name.textContent);
  form.filter.value = "";
  form.dispatchEvent(new Event("input"));
  return names;
}), ...["Differences", "Limits"].map((title) => {
  [...document.querySelectorAll("thead button")].find((button) => button.textContent === title).click();
  return [...document.querySelectorAll("tbody b")].map((name) => name.textContent);
})]"""


@needs_browser
def test_the_overview_filters_and_sorts(fleet: Fleet) -> None:
    fleet.write("01", oslo=DIFFERS, rome=ALONE, bonn=None, kiel=AS_DESIRED)
    differ, away, failed, are_open, desired, not_compared, differences, limits = ask(
        fleet.folder / "index.html", TRY, fleet.folder
    )
    assert [differ, away, failed] == [["oslo"], ["bonn"], []]
    assert [are_open, desired, not_compared] == [["oslo"], ["kiel"], ["rome"]]
    assert [set(differences[:2]), differences[2:]] == [{"rome", "bonn"}, ["kiel", "oslo"]]
    assert (limits[0], limits[-1]) == ("bonn", "oslo")
