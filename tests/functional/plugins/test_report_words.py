# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the page of a report says, to the letter, and what stands out in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib

from ansible_collections.managedfs.console.plugins.action import report_files
from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from functional.support.actions import act

BUCKET = "https://v.example.com"
NOTHING: dict[str, Any] = {"bucket": BUCKET, "exports": [], "quotas": []}
TEAM: dict[str, Any] = {"id": 1, "name": "team", "bucket": BUCKET, "size": 12345, "region": ["ü", 1]}
TEAM["exports"] = [
    {"id": 1, "desc": "<any>", "iprange": "*", "readonly": False, "apionly": True},
    {"id": 2, "desc": "logs", "iprange": "0.0.0.0/0", "readonly": False, "appendonly": True},
    {"id": 3, "desc": "odd", "iprange": "10.0.0.0/8"},
    {"id": 4, "desc": "blank", "iprange": "", "readonly": True},
    {"id": 5, "desc": "web", "iprange": "10.0.0.0/8", "readonly": True},
    {"id": 6, "desc": "web (next)", "iprange": "10.0.0.0/8", "readonly": True},
]
TEAM["quotas"] = [
    {"id": 1, "path": "/a", "size": 0, "inodes": 5000},
    {"id": 2, "path": "/b", "size": 10 << 30, "inodes": 0},
    {"id": 3, "path": "/b/c", "size": 20 << 30, "inodes": 7},
    {"id": 4, "path": "/B"},
]
VOLUMES: list[dict[str, Any]] = [TEAM]
VOLUMES += [{"id": 2, "name": "gone", **NOTHING, "quotas": [{"id": 9, "path": "/x", "size": 5}]}]
VOLUMES += [{"id": 3, "name": "old", **NOTHING}, {"id": 4, "name": "free", **NOTHING}]
QUOTAS = [{"path": "/a", "size": 7}, {"path": "/B", "size": 0}, {"path": "/d", "size": "1MiB"}, {"path": "e"}]
DESIRED: list[dict[str, Any]] = [{"name": "team", "exports": [{"desc": "<any>", "iprange": "*"}], "quotas": QUOTAS}]
DESIRED += [{"name": "gone", "state": "absent"}, {"name": "old", "state": "absent"}, {"name": "new", "bucket": BUCKET}]


PAGE = """\
! 6 differences
5 not in the desired state
! 2 open to write
6 exports
5 quotas
4 volumes
Volumes differ exports quotas
free 0 0 0
gone 1 0 1
new 1 0 0
old 1 0 0
team 3 6 4
What differs
6 differences in 4 volumes, most of them in team (3), gone (1) and new (1).
! 2 volumes are to be deleted, with all that is in them: gone , old .
Cannot be applied 1
Nothing is applied until this is corrected. A list that the console shows without keys holds up itself alone.
Name | Problem
team quotas 1
e | item 1 ('team'), quotas item 4 ('e'): path must start with /, not 'e'.
To be deleted 2
Name | Fields
gone 1
the volume | bucket https://v.example.com with all that is in it: 0 exports, 1 quota
old 1
the volume | bucket https://v.example.com with all that is in it: 0 exports, 0 quotas
To be updated 1
From what the console has to what is wanted.
Name | Fields
team quotas 1
/a | size no limit → 7
To be created 2
Name | Fields
new 1
the volume | bucket https://v.example.com
team quotas 1
/d | size 1MiB
Not in the desired state 5
What the desired state does not name is left alone.
Name
free 1
the volume
team exports 4
blank
logs
odd
web
Not compared, since the console does not show all of it: size of 1 quota.
Worth checking
Rotations under way 1
Exports that a change of token has made or left. Unless an item names them, they are left alone.
Name
team exports 1
web (next)
Who may use what
Any address can write 2
Name | Addresses
team exports 2
<any> | * , apionly
logs | 0.0.0.0/0 , append only
Unknown 2
The console does not show who may do what here, or not in a way that can be read.
Name | Addresses
team exports 2
blank | unknown , read
odd | 10.0.0.0/8 , unknown
Some addresses can read 2
Name | Addresses
team exports 2
web | 10.0.0.0/8
web (next) | 10.0.0.0/8
Limits
5 quotas, about 30.0GiB in all. The largest is 20GiB for /b/c in team . 1 quota without a size limit.
A bar is the sum of the limits of a volume, and the first part of it the largest of them. The console does not tell how much of them is used.
team 30GiB 4 quotas, 1 without a limit, up to 20GiB
Directory | Size |  | Inodes
/a | no limit |  | 5,000
/b/c | 20GiB |  | 7
/b | 10GiB |  | no limit
/B | not shown |  | not shown
gone 5B 1 quota, up to 5B
Directory | Size |  | Inodes
/x | 5B |  | not shown
Volumes
What the console shows of them. Its specification gives no units.
exports 0 | quotas 0 | id 4 | bucket https://v.example.com
exports 0 | quotas 1 | id 2 | bucket https://v.example.com
exports 0 | quotas 0 | id 3 | bucket https://v.example.com
exports 6 | quotas 4 | id 1 | bucket https://v.example.com | region ["ü", 1] | size 12,345
"""


def write(folder: Path, volumes: list[dict[str, Any]], desired: list[dict[str, Any]] | None) -> Element:
    """Write a report, and return the body of its page."""
    facts = report_facts(volumes, desired, console="https://c.example.com")
    act(report_files, folder, facts=facts, dest=str(folder))
    page = html5lib.parse((folder / "report.html").read_text(encoding="utf-8"), namespaceHTMLElements=False)
    body: Element | None = page.find("body")
    assert body is not None
    return body


def said(element: Element) -> Iterator[str]:
    """Yield the text of each heading, paragraph, entry and row, the cells of a row apart, and ! before what stands out."""
    if element.tag not in ("h2", "p", "summary", "tr", "li", "dl"):
        for each in element:
            yield from said(each)
        return
    parts = element if element.tag in ("tr", "dl") else [element]
    texts = [" ".join(" ".join(part.itertext()).split()) for part in parts]
    yield f"{'! ' if element.get('class') == 'alert' else ''}{' | '.join(texts)}"


def test_all_that_a_console_can_have_is_shown(tmp_path: Path) -> None:
    assert list(said(write(tmp_path, VOLUMES, DESIRED)))[1:] == PAGE.splitlines()


def test_what_there_is_not_is_said(tmp_path: Path) -> None:
    nothing = "There are no exports.", "Limits", "There are no quotas.", "Volumes", "There are no volumes."
    drift = "What differs", "✓ The console matches the desired state.", "Who may use what"
    counts = [f"0 {noun}" for noun in ("differences", "open to write", "exports", "quotas", "volumes")]
    assert list(said(write(tmp_path, [], [])))[1:] == [*counts, *drift, *nothing]
    quiet = {**TEAM, "exports": TEAM["exports"][4:5], "quotas": [{"id": 1, "path": "/a"}]}
    found = list(said(write(tmp_path, [quiet], None)))
    assert found[1:6] == ["\u2013 differences", "0 open to write", "1 export", "1 quota", "1 volume"]
    assert "Not compared: no desired state is given." in found
    assert "✓ No address can write unless it is listed." in found
    assert ("1 quota, none with a size limit that is shown." in found, "team no sum 1 quota" in found) == (True, True)
    assert "Worth checking" not in found


def test_one_of_each_is_in_the_singular(tmp_path: Path) -> None:
    export, quota = {"id": 1, "desc": "web", "iprange": "*", "readonly": False}, {"id": 1, "path": "/a", "size": 5}
    one = {"id": 1, "name": "v", "block_size": 4096, "inodes": "many", "exports": [export], "quotas": [quota]}
    body = write(tmp_path, [one], [{"name": "v", "quotas": [{"path": "/a", "size": 7}]}])
    found = list(said(body))
    assert found[1:6] == ["! 1 difference", "! 1 open to write", "1 export", "1 quota", "1 volume"]
    assert found[-1] == "exports 1 | quotas 1 | id 1 | block size 4096 | inodes many"
    assert (body.get("class"), body.find("nav")) == (None, None)
    two = write(tmp_path, [one, {**TEAM, "id": 2}], [{"name": "v", "quotas": [{"path": "/a", "size": 7}]}])
    titles = [[data.get("title") for data in link.iter("data")] for link in two.findall("nav//a")]
    assert titles == [["differences", "exports", "quotas"], ["difference", "export", "quota"]]
    assert [data.text for data in two.findall("nav//data[@class='alert']")] == ["1"]
    assert [link.get("href") for link in two.findall("nav//a")] == ["#volume-1", "#volume-2"]
    assert two.get("class") == "wide"


def test_few_differences_are_not_summed_up(tmp_path: Path) -> None:
    quotas = [{"path": "/a", "state": "absent"}]
    desired: list[dict[str, Any]] = [
        {"name": "old", "state": "absent"},
        {"name": "team", "quotas": quotas},
        DESIRED[-1],
    ]
    found = list(said(write(tmp_path, VOLUMES, desired)))
    assert found[found.index("What differs") + 1 :][:2] == [
        "! 1 volume is to be deleted, with all that is in it: old .",
        "To be deleted 2",
    ]


def test_long_parts_are_folded_that_of_open_exports_last(tmp_path: Path) -> None:
    def parts(body: Element) -> dict[str | None, bool]:
        return {each.findtext("summary/h3"): "open" in each.attrib for each in body.iter("details")}

    assert all(parts(write(tmp_path, VOLUMES, DESIRED)).values())
    exports = [
        {"id": n, "desc": f"{n}", "iprange": "::1" if n % 2 else "*", "readonly": n % 2 == 1} for n in range(100)
    ]
    quotas = [{"id": n, "path": f"/{n}", "size": 5} for n in range(100)]
    body = write(tmp_path, [{"id": 1, "name": "v", "exports": exports, "quotas": quotas}], None)
    assert parts(body) == {"Any address can write": True, "Some addresses can read": False, "v": False}
    assert [each.findtext(".//h3") for each in body.findall(".//div[@class='alert']")] == ["Any address can write"]


def test_the_largest_limit_may_be_in_a_volume_with_a_smaller_sum(tmp_path: Path) -> None:
    sizes: dict[str, list[int | None]] = {"many": [6, 6], "one": [9], "none": [None]}
    volumes = [
        {
            "id": number,
            "name": name,
            "exports": [],
            "quotas": [{"id": n, "path": f"/{n}", "size": size} for n, size in found],
        }
        for number, (name, found) in enumerate((name, enumerate(of)) for name, of in sizes.items())
    ]
    body = write(tmp_path, volumes, None)
    assert "4 quotas, 21B in all. The largest is 9B for /0 in one . 1 quota without a size limit." in list(said(body))
    bars = {
        group.get("data-volume"): len([*group.iter("{http://www.w3.org/2000/svg}rect")]) for group in body.iter("tbody")
    }
    assert bars == {"many": 2, "one": 1, "none": 0}


def test_blank_text_is_shown_as_such(tmp_path: Path) -> None:
    odd = {"id": 1, "desc": "odd", "iprange": "::1"}
    desired = [{"name": "v", "exports": [{"desc": "new", "iprange": "*", "extra_fields": {"note": ""}}]}]
    found = list(said(write(tmp_path, [{"id": 1, "name": "v", "exports": [odd], "quotas": []}], desired)))
    assert any(line.startswith("new | ") and line.endswith('note ""') for line in found)
    assert not any("No address can write" in line for line in found)


def test_text_of_the_console_is_no_markup(tmp_path: Path) -> None:
    def marked(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: each if name == "state" else marked(each) for name, each in value.items()}
        if isinstance(value, list):
            return [marked(each) for each in value]
        return f"{value}<i>&amp;" if isinstance(value, str) else value

    def plain(lines: Iterator[str]) -> list[str]:
        return [line.replace("<i>&amp;", "") for line in lines][1:]

    desired = [*DESIRED, {"name": "more", "bucket": BUCKET, "extra_fields": {"a<i>&amp;": 1}}]
    body = write(tmp_path, marked(VOLUMES), marked(desired))
    assert body.findall(".//i") == []
    assert [line for line in plain(said(body)) if "&amp;" in line or "<i>" in line] == []
    assert "more 1" in plain(said(body))


def test_a_script_can_filter_and_sort_what_is_shown(tmp_path: Path) -> None:
    body = write(tmp_path, VOLUMES, DESIRED)
    named = {row.findtext("th/b") or row.findtext("th"): row for row in body.iter("tr")}
    addresses = [code.text for code in body.findall(".//section[@id='access']//code")]
    assert addresses == ["*", "0.0.0.0/0", "unknown", *["10.0.0.0/8"] * 3]
    spans = {
        name: (row.get("data-first"), row.get("data-last")) for name, row in named.items() if row.get("data-first")
    }
    some = "281470849515520", "281470866292735"
    assert spans.pop("<any>") == ("0", f"{2**128 - 1}")
    assert spans == {"logs": ("281470681743360", "281474976710655"), "odd": some, "web": some, "web (next)": some}
    values = {name: [cell.get("data-value") for cell in row if cell.get("data-value")] for name, row in named.items()}
    assert {name: found[0] for name, found in values.items() if found} == {
        "/a": "Infinity",
        "/b": f"{10 << 30}",
        "/b/c": f"{20 << 30}",
        "/B": "-1",
        "/x": "5",
    }
    for section in body.iter("section"):
        for table in section.iter("table"):
            columns = len(table.findall("thead/tr/*"))
            assert {head.get("colspan", "1") for head in table.findall("tbody/tr[@class='group']/th")} <= {f"{columns}"}
            assert all(group.get("data-volume") for group in table.findall("tbody"))
            order = [cell.get("class") for cell in table.findall("thead/tr/th")]
            assert order[1:] in ([], [None], ["text"], [None, None])
