# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role report: what it prints, writes and hands on, and that it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from emulator import Emulator
from functional.roles.reports import (
    FILES,
    facts_in,
    parse_page,
    run_report,
    statistics,
    summary,
    texts,
)
from functional.support.plays import Played
from functional.support.sidebyside import Plays, Site, side_by_side

GIB = 1 << 30
DESIRED: list[dict[str, Any]] = [
    {
        "name": "projects",
        "exports": [{"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}],
        "quotas": [{"path": "/alice", "size": "20GiB"}, {"path": "/carol", "size": "1GiB"}],
    },
    {"name": "scratch", "state": "absent"},
]


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    """Yield a console, in real time, with something of everything."""
    with Emulator() as emulator:
        projects = emulator.add_volume(name="projects", bucket="https://projects.example.com", size=5)
        emulator.add_export(projects, desc="web", iprange="192.168.0.0/24", readonly=True)
        emulator.add_export(projects, desc="all", iprange="*", readonly=False)
        emulator.add_quota(projects, path="/alice", size=10 * GIB)
        emulator.add_quota(projects, path="/bob", size=40 * GIB, inodes=1_000_000)
        emulator.add_volume(name="scratch", bucket="https://scratch.example.com")
        yield emulator


class Report(NamedTuple):
    """A report that was written twice: what both runs printed, and the folder of its files."""

    first: str
    again: str
    folder: Path


@pytest.fixture(scope="module")
def report(emulator: Emulator, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return a report on how the console differs from the desired state."""
    folder = tmp_path_factory.mktemp("report")
    wanted: dict[str, Any] = {"report_dest": "reports/today", "report_volumes": DESIRED, "report_purge": ["quotas"]}
    first, again = (run_report(emulator, folder, **wanted) for _number in range(2))
    return Report(first, again, folder / "reports" / "today")


def test_the_summary_names_what_differs_and_who_can_write(report: Report, emulator: Emulator) -> None:
    host = emulator.url.removeprefix("http://")
    assert summary(report.first) == [
        f"# `{host}`",
        "",
        "- 2 volumes, 2 exports, 2 quotas",
        "- To be deleted: 2",
        "  - quota `projects: /bob`: size `40GiB`, inodes `1000000`",
        (
            "  - volume `scratch`: bucket `https://scratch.example.com`, region `1`, block_size `4096`, compress `lz4`,"
            ' compatible `false`, extend `""`, with all that is in it: 0 exports, 0 quotas'
        ),
        "- To be updated: 2",
        "  - export `projects: web`: iprange `192.168.0.0/24` → `10.0.0.0/8`",
        "  - quota `projects: /alice`: size `10GiB` → `20GiB`",
        "- To be created: 1",
        "  - quota `projects: /carol`: size `1GiB`",
        "- Not in the desired state: 1",
        "  - export `projects: all`",
        "- Any address can write: 1",
        "  - export `projects: all`: `*` (any address), write",
    ]


def test_a_second_report_of_the_same_changes_no_file(report: Report, emulator: Emulator) -> None:
    assert [Played(output).count("changed") for output in (report.first, report.again)] == [2, 0]
    assert sorted(path.name for path in report.folder.iterdir()) == sorted(FILES)
    assert {path.stat().st_mode & 0o777 for path in report.folder.iterdir()} == {0o644}
    assert {request.method for request in emulator.requests} == {"GET"}


def test_the_counts_are_handed_on(report: Report) -> None:
    assert statistics(report.first) == facts_in(report.folder)["counts"]
    assert statistics(report.first) == {
        "consoles": 1,
        "consoles_compared": 1,
        "volumes": 2,
        "exports": 2,
        "quotas": 2,
        "open_to_write": 1,
        "unknown_access": 0,
        "cannot_be_applied": 0,
        "to_create": 1,
        "to_update": 2,
        "to_delete": 2,
        "not_in_desired_state": 1,
        "not_compared": 0,
    }


def test_the_page_the_markdown_and_the_json_hold_the_same_facts(report: Report) -> None:
    page = "".join(parse_page(report.folder / "report.html").itertext())
    markdown = (report.folder / "report.md").read_text(encoding="utf-8")
    facts = facts_in(report.folder)
    known = texts({name: part for name, part in facts.items() if name != "access"})
    known |= {
        entry[name] for group in facts["access"].values() for entry in group for name in ("iprange", "access", "key")
    }
    assert {"/bob", "1,000,000", "40GiB", "all", "192.168.0.0/24", "https://scratch.example.com", "lz4"} <= known
    for text in known:
        assert text in page, text
        assert text in markdown, text


def test_what_matters_comes_first(report: Report) -> None:
    page = parse_page(report.folder / "report.html")
    titles = ["".join(title.itertext()) for title in page.iter() if title.tag in ("h2", "h3")]
    assert titles == [
        "What differs",
        "To be deleted",
        "To be updated",
        "To be created",
        "Not in the desired state",
        "Who may use what",
        "Any address can write",
        "Some addresses can read",
        "Limits",
        "projects",
        "Volumes",
        "projects",
        "scratch",
    ]
    assert [element.get("style") for element in page.iter("i")] == ["width:100%", "width:25%"]


def test_the_page_stands_alone_and_can_be_read_by_everyone(report: Report) -> None:
    page = parse_page(report.folder / "report.html")
    elements = list(page.iter())
    names = {element.tag for element in elements}
    assert {"header", "main", "section", "caption"} <= names
    assert not names & {"script", "link", "img", "iframe", "object", "base"}
    links = {element.get("href") for element in elements} - {None}
    targets = {f"#{element.get('id')}" for element in elements if element.get("id")}
    assert links <= targets
    assert "url(" not in (report.folder / "report.html").read_text(encoding="utf-8")
    assert all(element.get("scope") in ("col", "row") for element in elements if element.tag == "th")
    title = page.find("head/title")
    assert title is not None
    assert title.text == f"{facts_in(report.folder)['console']} · Console report"


def seed(site: Site) -> None:
    """Put a volume with an export and two quotas on a console."""
    volume = site.emulator.add_volume(name="projects", bucket="https://projects.example.com")
    site.emulator.add_export(volume, desc="web", iprange="192.168.0.0/24", readonly=True)
    for path in ("/alice", "/bob"):
        site.emulator.add_quota(volume, path=path, size=10 * GIB)


@side_by_side
def test_blank_variables_are_not_set(site: Site) -> Plays:
    played = yield site.play("report", report_dest=" ", report_source=" ", report_volumes=[], report_purge="")
    assert played.outcome == (False, False)
    assert "- Not compared: no desired state is given" in summary(played.output)
    assert not list(site.folder.glob("**/report.*"))


@side_by_side
def test_the_desired_state_can_be_files(site: Site) -> Plays:
    seed(site)
    (site.folder / "desired").mkdir()
    (site.folder / "desired" / "projects.yml").write_text(yaml.safe_dump(DESIRED[0]), encoding="utf-8")
    played = yield site.play("report", report_source=site.path("desired"), report_dest=site.path("."))
    assert played.count("changed") == 2
    drift = facts_in(site.folder / site.folder.name)["drift"]
    assert {part: len(entries) for part, entries in drift.items() if entries} == {
        "to_create": 1,
        "to_update": 2,
        "not_in_desired_state": 1,
    }


@side_by_side
def test_a_console_without_anything_is_as_desired(site: Site) -> Plays:
    played = yield site.play("report", report_dest=".", report_volumes=[{"name": "gone", "state": "absent"}])
    assert "- Matches the desired state" in summary(played.output)
    page = parse_page(site.folder / "report.html")
    assert "The console matches the desired state." in "".join(page.itertext())


@side_by_side
def test_check_mode_shows_the_files_and_writes_nothing(site: Site) -> Plays:
    seed(site)
    played = yield site.play("report", check=True, report_dest=site.path("new"))
    assert played.count("changed") == 2
    assert "+<title>" in played.output
    assert "- 1 volume, 1 export, 2 quotas" in summary(played.output)
    assert not (site.folder / "new").exists()


def test_each_console_has_a_folder_and_the_counts_are_summed_up(emulator: Emulator, tmp_path: Path) -> None:
    with Emulator(access_key=emulator.access_key, secret_key=emulator.secret_key) as other:
        for number in range(3):
            other.add_volume(name=f"v{number}", bucket="https://v.example.com")
        consoles = {"north": emulator.url, "south": other.url, "down": "http://127.0.0.1:1"}
        output = run_report(emulator, tmp_path, consoles=consoles, report_dest="reports")
    assert [Played(output).count("changed", host) for host in consoles] == [2, 2, 0]
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == ["north", "south"]
    assert [facts_in(tmp_path / "reports" / name)["counts"]["volumes"] for name in ("north", "south")] == [2, 3]
    counts = statistics(output)
    assert [counts[name] for name in ("consoles", "volumes", "exports", "open_to_write")] == [2, 5, 2, 1]
    assert all(count.__class__ is int for count in counts.values())
    assert "Connection refused. Console: http://127.0.0.1:1" in output
    # A job keeps no list of records, which may be too long for it.
    assert '"censored": ' in output


@side_by_side
def test_a_report_that_cannot_be_written_is_summarized_and_fails(site: Site) -> Plays:
    seed(site)
    (site.folder / site.folder.name / "report.md" / "folder").mkdir(parents=True)
    played = yield site.play("report", report_dest=str(site.folder))
    assert played.outcome == (True, False)
    assert "report.md cannot be written: Is a directory" in played.output
    assert "- 1 volume, 1 export, 2 quotas" in summary(played.output)


@side_by_side
def test_no_host_writes_outside_or_into_the_folder_of_another(site: Site) -> Plays:
    names = ("h/2", "h 2", "..", "a.example.com")
    yield site.play("report", hosts=names, report_dest=site.path("reports"))
    folders = sorted(path.name for path in (site.folder / "reports").iterdir())
    assert len(folders) == len(names)
    assert [folder.split("~")[0] for folder in folders] == ["-", "a.example.com", "h-2", "h-2"]
    assert len(list(site.folder.rglob("report.json"))) == len(names)


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "two desired states": (
        {"report_source": "x", "report_volumes": DESIRED},
        "report_source and report_volumes are mutually exclusive",
    ),
    "no such kind": (
        {"report_purge": ["volumes"]},
        "value of report_purge must be one or more of: exports, quotas",
    ),
    "a file": ({"report_dest": "FOLDER/file"}, "report_dest must be a folder, but FOLDER/file is a file."),
    "a file named like the host": (
        {"report_dest": "FOLDER"},
        "report_dest must be a folder, but FOLDER/HOST is a file.",
    ),
}


@pytest.mark.parametrize(("given", "message"), MISTAKES.values(), ids=MISTAKES)
@side_by_side
def test_a_mistake_is_named_before_any_request(site: Site, given: dict[str, Any], message: str) -> Plays:
    for name in ("file", site.folder.name):
        (site.folder / name).touch()
    given = {
        name: value.replace("FOLDER", str(site.folder)) if isinstance(value, str) else value
        for name, value in given.items()
    }
    played = yield site.play("report", **given)
    assert message.replace("FOLDER", str(site.folder)).replace("HOST", site.folder.name) in played.output
    assert site.emulator.requests == []
