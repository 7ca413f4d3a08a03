# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A report on a console whose names are an attack and whose records hold secrets, and on one of very many records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.json_values import printable
from emulator import Emulator
from functional.roles.reports import facts_in, parse_page, run_report, unsafe
from harness.places import CHECKOUT

TEMPLATES = CHECKOUT / "roles" / "report" / "templates"
NAMES = ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "</style></title></code>", "&lt;b&amp;"]
NAMES += ["{{ 7 * 191 }}", "{% raw %}{# x", "a\u202eb\u2066c", "bell\u0007 line\nfeed\u0000 tab\t", "`a``b`"]
NAMES += ["* _x_ [l](javascript:alert) | # ~~", "שלום", " blanks ", "é\ufffe\U0001ffff", "x" * 255]
PASSWORD = "hunter2"
TOKEN = "token-of-an-export-0123"


class Report(NamedTuple):
    """What a run printed, and the folder of the files."""

    output: str
    folder: Path
    secrets: set[str]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
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
        secrets = {
            emulator.secret_key,
            *emulator.tokens(),
            TOKEN,
            *(request.authorization for request in emulator.requests),
        }
    return Report(output, folder, {secret for secret in secrets if secret})


def test_every_name_is_text_in_all_three(report: Report) -> None:
    page = "".join(parse_page(report.folder / "report.html").itertext())
    markdown = (report.folder / "report.md").read_text(encoding="utf-8")
    facts = facts_in(report.folder)
    shown = {volume["volume"] for volume in facts["volumes"]}
    assert shown == set(map(printable, NAMES))
    for name in shown:
        assert name in page
        assert re.search(rf"(`+) ?{re.escape(name)} ?\1", markdown), name
    assert str(7 * 191) not in page + markdown
    assert page.isprintable() or set(filter(lambda char: not char.isprintable(), page)) == {"\n"}


def test_no_name_becomes_markup(report: Report) -> None:
    page = parse_page(report.folder / "report.html")
    elements = list(page.iter())
    assert {element.tag for element in elements}.isdisjoint({"script", "img"})
    attributes = {name for element in elements for name in element.attrib}
    allowed = {"aria-labelledby", "charset", "class", "content", "href", "id", "lang", "name", "open", "scope", "style"}
    assert attributes <= allowed | {"value"}


def test_nothing_secret_is_printed_or_written(report: Report) -> None:
    files = [path.read_text(encoding="utf-8") for path in report.folder.glob("report.*")]
    assert len(files) == 3
    for text in [report.output, *files]:
        assert [secret for secret in report.secrets if secret in text] == []
        assert PASSWORD not in text
        assert "Traceback" not in text


def test_what_a_mask_hides_is_no_drift(report: Report) -> None:
    drift = facts_in(report.folder)["drift"]
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
