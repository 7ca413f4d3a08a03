# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role report: its output, files and artifacts, whatever the names on a console, and that it changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import html5lib
import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.values import printable
from emulator import Emulator, Fault
from functional.support.outofprocess import run_command
from functional.support.plays import Played
from functional.support.sidebyside import Plays, Site, side_by_side
from harness.places import CHECKOUT

GIB = 1 << 30
FILES = ("report.html", "report.json", "report.prom")
PLAY = """
- hosts: all
  gather_facts: false
  vars: {ansible_python_interpreter: "{{ ansible_playbook_python }}"}
  module_defaults: {group/managedfs.console.console: {console_url: "{{ managedfs_console_url | default('') }}", retries: 0}}
  roles: [managedfs.console.report]
"""
OF_PROJECTS: dict[str, Any] = {"exports": [{"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}]}
OF_PROJECTS["quotas"] = [{"path": "/alice", "size": "20GiB"}, {"path": "/carol", "size": "1GiB"}]
DESIRED: list[dict[str, Any]] = [{"name": "projects", **OF_PROJECTS}, {"name": "scratch", "state": "absent"}]


def run_report(
    emulator: Emulator,
    folder: Path,
    *options: str,
    consoles: dict[str, str] | None = None,
    play: str = PLAY,
    **variables: Any,
) -> str:
    """Run the role on localhost, or on a host for each console, by its URL; return the output and the statistics."""
    urls = consoles or {"localhost": emulator.url}
    hosts = {name: {"ansible_connection": "local", "managedfs_console_url": url} for name, url in urls.items()}
    (folder / "inventory.json").write_text(json.dumps({"all": {"hosts": hosts}}), encoding="utf-8")
    (folder / "play.yml").write_text(play, encoding="utf-8")
    (folder / "variables.json").write_text(json.dumps(variables), encoding="utf-8")
    (folder / "ansible.cfg").write_text("[defaults]\nshow_custom_stats = true\n", encoding="utf-8")
    arguments = ["-i", "inventory.json", "play.yml", "-e", "@variables.json", *options]
    output = run_command(emulator, folder, "ansible-playbook", *arguments)
    print(output[-4000:])
    return output


def unsafe(value: Any) -> Any:
    """Return a JSON value with its texts marked unsafe, so that Ansible does not template them."""
    if isinstance(value, dict):
        return {name: unsafe(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [unsafe(inner) for inner in value]
    return {"__ansible_unsafe": value} if isinstance(value, str) else value


def statistics(output: str) -> Any:
    """Return the artifacts for a workflow."""
    return json.loads(output.split("CUSTOM STATS", 1)[1].split("RUN:", 1)[1])["managedfs_report"]


def summary(output: str) -> list[str]:
    """Return the lines that the role printed."""
    task = output.split("TASK [managedfs.console.report : Show what was found]", 1)[1].split("\nTASK", 1)[0]
    shown, _end = json.JSONDecoder().raw_decode(task[task.index("=> ") + 3 :])
    lines: list[str] = shown["msg"]
    return lines


def parse_page(path: Path) -> Element:
    """Return the page; raise an error if it is not valid HTML."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root: Element = parser.parse(path.read_text(encoding="utf-8"))
    return root


def facts_in(folder: Path) -> Any:
    """Return the facts of a report."""
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def texts(value: Any) -> set[str]:
    """Return the texts that are values in the facts."""
    if isinstance(value, dict):
        return set().union(*(texts(inner) for name, inner in value.items() if name not in ("kind", "bytes")))
    if isinstance(value, list):
        return set().union(*map(texts, value))
    return {value} if isinstance(value, str) else set()


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
    """The output of runs, and the folder of the files that they wrote."""

    outputs: list[str]
    folder: Path
    secrets: set[str] = set()


@pytest.fixture(scope="module")
def report(emulator: Emulator, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return a report on the differences of the console from the desired state, written twice."""
    folder = tmp_path_factory.mktemp("report")
    wanted: dict[str, Any] = {"report_dest": "reports/today", "report_volumes": DESIRED, "report_purge": ["quotas"]}
    return Report([run_report(emulator, folder, **wanted) for _number in range(2)], folder / "reports" / "today")


def test_a_second_report_of_the_same_changes_no_file(report: Report, emulator: Emulator) -> None:
    assert [Played(output).count("changed") for output in report.outputs] == [1, 0]
    for output in report.outputs:
        assert "  - export `projects: web`: iprange `192.168.0.0/24` → `10.0.0.0/8`" in summary(output)
    assert sorted(path.name for path in report.folder.iterdir()) == sorted(FILES)
    assert {path.stat().st_mode & 0o777 for path in report.folder.iterdir()} == {0o644}
    assert {request.method for request in emulator.requests} == {"GET"}


def test_the_page_stands_alone_and_can_be_read_by_everyone(report: Report) -> None:
    page = parse_page(report.folder / "report.html")
    elements = list(page.iter())
    tags = {element.tag for element in elements}
    assert {"header", "main", "section", "caption"} <= tags
    assert not tags & {"link", "img", "iframe", "object", "base"}
    assert [script.attrib for script in page.iter("script")] == [{}], "a script that is not the page's own"
    links = {element.get("href") for element in elements} - {None}
    assert links <= {f"#{element.get('id')}" for element in elements if element.get("id")}
    assert "url(" not in (report.folder / "report.html").read_text(encoding="utf-8")
    assert all(element.get("scope") in ("col", "row", "rowgroup") for element in elements if element.tag == "th")
    assert page.findtext("head/title") == f"{facts_in(report.folder)['console']} · Console report"


def seed(site: Site) -> None:
    """Create a volume with an export and two quotas on a console."""
    volume = site.emulator.add_volume(name="projects", bucket="https://projects.example.com")
    site.emulator.add_export(volume, desc="web", iprange="192.168.0.0/24", readonly=True)
    for path in ("/alice", "/bob"):
        site.emulator.add_quota(volume, path=path, size=10 * GIB)


@side_by_side
def test_a_console_that_cannot_be_read_is_down_in_its_metrics_unless_the_run_is_about_some_volumes(site: Site) -> Plays:
    seed(site)
    yield site.play("report", report_dest=site.path("."))
    metrics = site.folder / site.folder.name / "report.prom"
    line = f'managedfs_console_up{{console="{site.emulator.url[7:]}"}}'
    about_some = site.play("report", report_dest=site.path("."), report_only=["*"])
    site.emulator.inject(Fault(kind="status", status=400, method="GET", times=None))
    for play, up in ((about_some, 1), (site.play("report"), 1), (site.play("report", report_dest=site.path(".")), 0)):
        played = yield play
        # The task that reads it, and the last. Nothing else fails on the way.
        assert played.count("failed") == 2
        assert "The console could not be read: GET" in played.output
        assert f"\n{line} {up}\n" in metrics.read_text(encoding="utf-8")


def test_each_console_has_a_folder_and_the_counts_are_summed_up(emulator: Emulator, tmp_path: Path) -> None:
    with Emulator(access_key=emulator.access_key, secret_key=emulator.secret_key) as other:
        for number in range(3):
            other.add_volume(name=f"v{number}", bucket="https://v.example.com")
        consoles = {"north": emulator.url, "south": other.url, "down": "http://127.0.0.1:1", "odd": "ftp://odd"}
        output = run_report(emulator, tmp_path, consoles=consoles, report_dest="reports")
    assert [Played(output).count("changed", host) for host in consoles] == [1, 1, 1, 1]
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == sorted(consoles)
    # Without an address, the host stands for its console.
    for host, console in (("down", "127.0.0.1:1"), ("odd", "odd")):
        (unread,) = (tmp_path / "reports" / host).iterdir()
        last = unread.read_text(encoding="utf-8").splitlines()[-1]
        assert last == f'managedfs_console_up{{console="{console}"}} 0'
    assert [facts_in(tmp_path / "reports" / name)["counts"]["volumes"] for name in ("north", "south")] == [2, 3]
    counts = statistics(output)
    # Those that could not be read count, too.
    assert [counts[name] for name in ("consoles", "failed", "volumes", "exports", "open_to_write")] == [4, 2, 5, 2, 1]
    assert all(count.__class__ is int for count in counts.values())
    assert "Connection refused. Console: http://127.0.0.1:1" in output
    # A job keeps no list of records, which may be too long for it.
    assert '"censored": ' in output


TEMPLATES = CHECKOUT / "roles" / "report" / "templates"
NAMES = ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "</style></title></code>", "&lt;b&amp;"]
NAMES += ["{{ 7 * 191 }}", "{% raw %}{# x", "a\u202eb\u2066c", "bell\u0007 line\nfeed\u0000 tab\t", "`a``b`"]
NAMES += ["* _x_ [l](javascript:alert) | # ~~", "שלום", " blanks ", "é\ufffe\U0001ffff", "x" * 255]
PASSWORD = "hunter2"
TOKEN = "token-of-an-export-0123"


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return a report on a console where every name is used for everything."""
    folder = tmp_path_factory.mktemp("names")
    bucket = f"https://me:{PASSWORD}@b.example.com"
    desired: list[dict[str, Any]] = []
    with Emulator() as emulator:
        for name in NAMES:
            volume = emulator.add_volume(name=name, bucket=bucket)
            emulator.add_export(volume, desc=name, iprange="*", readonly=False, token=TOKEN)
            emulator.add_export(volume, desc="odd", iprange=name, readonly=name)
            emulator.add_quota(volume, path=f"/{name}", size=5)
            lists = {"exports": [{"desc": name, "iprange": "::1"}], "quotas": [{"path": f"/{name}", "size": 7}]}
            desired.append({"name": name, "bucket": bucket, **lists})
        desired += [{"name": "new", "exports": [{"desc": name, "iprange": name}]} for name in NAMES]
        variables = {"report_dest": ".", "report_volumes": unsafe(desired)}
        output = run_report(emulator, folder, "-vvvvv", "--diff", **variables)
        secrets = {emulator.secret_key, TOKEN, *emulator.tokens()}
        secrets |= {request.authorization for request in emulator.requests if request.authorization}
    return Report([output], folder, secrets)


def test_every_name_is_text_on_the_page(attacked: Report) -> None:
    page = "".join(parse_page(attacked.folder / "report.html").itertext())
    facts = facts_in(attacked.folder)
    shown = {volume["volume"] for volume in facts["volumes"]}
    assert shown == set(map(printable, NAMES))
    for name in shown:
        assert name in page
    assert str(7 * 191) not in page
    assert page.isprintable() or set(filter(lambda char: not char.isprintable(), page)) == {"\n"}


def test_no_name_becomes_markup(attacked: Report) -> None:
    page = parse_page(attacked.folder / "report.html")
    elements = list(page.iter())
    scripts = [element.text for element in elements if element.tag == "script"]
    assert (scripts, [*page.iter("img")]) == ([(TEMPLATES / "page.js").read_text(encoding="utf-8")], [])
    attributes = {name for element in elements for name in element.attrib}
    allowed = {"aria-labelledby", "charset", "class", "content", "href", "id", "lang", "name", "open", "scope", "style"}
    allowed |= {"autocomplete", "for", "hidden", "http-equiv", "placeholder", "role", "spellcheck", "type", "width"}
    allowed |= {"aria-hidden", "aria-label", "data-value", "data-volume", "title"}
    assert attributes <= allowed | {"colspan", "data-first", "data-kind", "data-last", "data-rows", "datetime", "value"}


def test_nothing_secret_is_printed_or_written(attacked: Report) -> None:
    files = [path.read_text(encoding="utf-8") for name in FILES for path in attacked.folder.glob(name)]
    assert len(files) == len(FILES)
    for text in [*attacked.outputs, *files]:
        assert [secret for secret in attacked.secrets if secret in text] == []
        assert PASSWORD not in text
        assert "Traceback" not in text


def test_what_a_mask_hides_is_no_drift(attacked: Report) -> None:
    drift = facts_in(attacked.folder)["drift"]
    assert {"kind": "volumes", "field": "bucket", "count": len(NAMES)} in drift["not_compared"]
    assert not [entry for entry in drift["cannot_be_applied"] if "bucket" in entry["message"]]


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html.j2")), ids=lambda path: path.name)
def test_every_output_of_the_page_is_escaped(path: Path) -> None:
    """Ansible's Jinja escapes nothing by itself, also within an autoescape block."""
    text = path.read_text(encoding="utf-8")
    macros = re.findall(r"{%-? macro (\w+)", (TEMPLATES / "macros.html.j2").read_text(encoding="utf-8"))
    outputs = [found.strip(" -") for found in re.findall(r"{{(.*?)}}", text, re.DOTALL)]
    assert outputs or "{{" not in text
    for output in outputs:
        assert output.endswith("| e") or re.fullmatch(rf"({'|'.join(macros)}|caller)\([^()]*\)", output), output
