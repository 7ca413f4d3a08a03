# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The search of the report's page, in a browser if there is one: it finds what export_info finds."""

from __future__ import annotations

import ipaddress
import json
import os
import random
from pathlib import Path
from typing import Any
from urllib.parse import quote

import html5lib
import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.access import network_of, read_address
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.facts import build_facts
from functional.support.actions import write_report
from functional.support.browser import ask, browse, needs_browser

CASES = int(os.environ.get("CASES", "300"))
RANGES = ["*", "0.0.0.0/0", "::/0", "10.0.0.0/8", "10.1.2.3", "10.1.2.4/31", "2001:db8::/32", "::ffff:10.1.0.0/112"]
RANGES += ["fe80::1", "odd", ""]
ADDRESSES = [
    "10.1.2.3",
    "10.1.0.0/16",
    "0.0.0.0/0",
    "::ffff:10.1.2.5",
    "2001:DB8::1/64",
    "1:2:3:4:5:6:7:8",
    "::",
    "::/0",
]
ADDRESSES += [
    "10.1.2.03",
    "10.0.0.0/33",
    "fe80::1%eth0",
    "*",
    "1::2::3",
    "10.0.0.0/255.0.0.0",
    "10.0.0.0/",
    "::1/129",
    "10.1",
    "::10.1.2.03",
]
# Searches for many addresses on one page.
SEARCH = """%s.map((address) => {
  const form = document.getElementById("search");
  form.filter.value = address;
  form.dispatchEvent(new Event("input"));
  const rows = document.querySelectorAll(".access tbody tr:not([hidden]) th[scope=row]");
  return [[...rows].map((name) => name.textContent), form.found.value];
})"""


def draw_address(draw: random.Random) -> str:
    """Return an address or network in one of its forms, or nearly so; most have neighbours among others that are drawn."""
    number = draw.choice([0x0A010203, draw.getrandbits(32), draw.getrandbits(3)])
    wide = draw.choice([number, 0xFFFF << 32 | number, 0x20010DB8 << 96 | number, number << 96, draw.getrandbits(128)])
    four, six = ipaddress.IPv4Address(number), ipaddress.IPv6Address(wide)
    text = draw.choice(
        [str(four), str(four), six.compressed, six.exploded, str(six).upper(), f"::ffff:{four}", f"::{four}"]
    )
    text += draw.choice(["", "", f"/{draw.randrange(33)}", f"/{draw.randrange(132)}", f"/{four}", "%1"])
    at = draw.randrange(len(text))
    return draw.choice([text] * 4 + [f" {text} ", text[:at] + draw.choice(":.0/gF٣") + text[at + 1 :]])


@pytest.fixture(scope="module")
def ranges() -> list[str]:
    """Return a range as exports may have it."""
    draw = random.Random("ranges")
    return RANGES + [draw_address(draw) for _number in range(50)]


def report_on(ranges: list[str], folder: Path) -> dict[str, Any]:
    """Create a report on a volume with an export for each range."""
    exports = [{"id": number, "desc": f"e{number}", "iprange": iprange} for number, iprange in enumerate(ranges)]
    volume: dict[str, Any] = {"id": 1, "name": "v", "exports": exports, "quotas": []}
    return write_report(folder, build_facts([volume]))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, ranges: list[str]) -> Path:
    folder = tmp_path_factory.mktemp("search")
    report_on(ranges, folder)
    return folder / "report.html"


def rows_of(html: str) -> tuple[set[str], str, bool]:
    """Return the exports that a page shows, its text about that, and whether it has the search field."""
    root = html5lib.parse(html, namespaceHTMLElements=False)
    rows = root.findall(".//table[@class='access']/tbody/tr")
    shown = {"".join(row.find("th").itertext()) for row in rows if row.get("hidden", row.get("class")) is None}
    form = root.find(".//form")
    return shown, "".join(root.find(".//output").itertext()), form.get("hidden") is None


def expected(ranges: list[str], address: str) -> tuple[set[str], str]:
    """Return the exports that export_info finds for an address, and the page's message about that."""
    wanted = read_address("address", address)
    assert wanted
    spans = [network_of(iprange) for iprange in ranges]
    found = {f"e{number}" for number, span in enumerate(spans) if span is None or span.overlaps(wanted)}
    return found, f"{len(found)} of {len(ranges)} let it in, {spans.count(None)} of them perhaps."


def test_without_scripts_the_page_is_the_full_list(page: Path, ranges: list[str]) -> None:
    assert rows_of(page.read_text(encoding="utf-8")) == ({f"e{number}" for number in range(len(ranges))}, "", False)


@needs_browser
def test_a_link_carries_an_address(page: Path, tmp_path: Path, ranges: list[str]) -> None:
    address = "::ffff:10.1.2.5/127"
    html = browse(f"{page.as_uri()}#address={quote(address)}", tmp_path)
    assert rows_of(html) == (*expected(ranges, address), True)


@needs_browser
def test_the_search_finds_what_lets_any_address_in(page: Path, tmp_path: Path, ranges: list[str]) -> None:
    draw = random.Random("addresses")
    addresses = ADDRESSES + [draw_address(draw) for _number in range(CASES)]
    differences = {}
    for address, (shown, message) in zip(addresses, ask(page, SEARCH % json.dumps(addresses), tmp_path), strict=True):
        try:
            wanted = expected(ranges, address)
        except ConsoleError:
            # It is a text like any other.
            if "let it in" in message:
                differences[address] = (shown, message, "")
        else:
            if (set(shown), message) != wanted:
                differences[address] = (set(shown) ^ wanted[0], message, wanted[1])
    assert not differences
