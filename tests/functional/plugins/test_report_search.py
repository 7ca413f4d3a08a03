# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The search of the report's page, in a browser where one is at hand: it finds what export_info finds."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

import html5lib
import pytest

from ansible_collections.managedfs.console.plugins.action import report_files
from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.access import read_address, span_of
from functional.support.actions import act

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
RANGES = [
    "*",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.0/8",
    "10.1.2.3",
    "10.1.2.4/31",
    "2001:db8::/32",
    "::ffff:10.1.0.0/112",
    "fe80::1",
    "odd",
    "",
]
ADDRESSES = ["10.1.2.3", "10.1.0.0/16", "0.0.0.0/0", "::ffff:10.1.2.5", "2001:DB8::1/64", "1:2:3:4:5:6:7:8"]
NO_ADDRESSES = ["10.1.2.03", "10.0.0.0/33", "fe80::1%eth0"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report on a volume with an export for each range."""
    folder = tmp_path_factory.mktemp("search")
    exports = [{"id": number, "desc": f"e{number}", "iprange": iprange} for number, iprange in enumerate(RANGES)]
    volume: dict[str, Any] = {"id": 1, "name": "v", "exports": exports, "quotas": []}
    act(report_files, folder, facts=report_facts([volume]), dest=str(folder))
    return folder / "report.html"


def rows_of(html: str) -> tuple[set[str], str, bool]:
    """Return the exports that a page shows, what it says about that, and whether it has the search field."""
    root = html5lib.parse(html, namespaceHTMLElements=False)
    table = root.find(".//table[@class='access']/tbody")
    rows = {"".join(row.find("th").itertext()).split()[-1] for row in table if row.get("hidden") is None}
    form = root.find(".//form")
    return rows, "".join(root.find(".//output").itertext()), form.get("hidden") is None


def test_without_scripts_the_page_is_the_full_list(page: Path) -> None:
    assert rows_of(page.read_text(encoding="utf-8")) == ({f"e{number}" for number in range(len(RANGES))}, "", False)


@pytest.mark.skipif(BROWSER is None, reason="no browser is at hand")
@pytest.mark.parametrize("address", [*ADDRESSES, *NO_ADDRESSES])
def test_the_search_finds_what_lets_an_address_in(page: Path, tmp_path: Path, address: str) -> None:
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}", "--dump-dom"]
    url = f"{page.as_uri()}#address={quote(address)}"
    browser = subprocess.run([str(BROWSER), *options, url], capture_output=True, text=True, check=True, timeout=60)
    shown, message, is_offered = rows_of(browser.stdout)
    assert is_offered
    if address in NO_ADDRESSES:
        assert (len(shown), message[:20]) == (len(RANGES), "Write an IP address,")
        return
    wanted = read_address("address", address)
    assert wanted
    spans = [span_of(iprange) for iprange in RANGES]
    found = {f"e{number}" for number, span in enumerate(spans) if span is None or span.overlaps(wanted)}
    assert shown == found
    assert re.fullmatch(rf"{len(found)} of {len(RANGES)} let it in, 2 of them perhaps\.", message)
