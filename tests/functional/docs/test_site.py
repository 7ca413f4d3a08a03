# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The navigation of the site. `make docs` finds broken links and references."""

from __future__ import annotations

import yaml

from harness import pages


def test_every_page_has_one_place_in_the_navigation() -> None:
    sections = yaml.safe_load((pages.DOCSITE / "extra-docs.yml").read_text(encoding="utf-8"))["sections"]
    placed = [page for section in sections for page in section["toctree"]]
    assert sorted(placed) == sorted(path.stem for path in (pages.DOCSITE / "rst").glob("*.rst"))


def test_links_of_the_readme_lead_to_pages_of_the_site() -> None:
    text = (
        "[API](docs/docsite/rst/api.rst), [help](CONTRIBUTING.md), [news](CHANGELOG.rst), [else](https://example.com)"
    )
    linked = "[API](docsite/api.rst), [help](contributing.md), [news](changelog.rst), [else](https://example.com)"
    assert pages.with_links(text) == linked


def test_the_front_page_leads_to_what_antsibull_docs_does_not_make() -> None:
    front_page = pages.front_page()
    assert all(
        f"\n{name.split('.')[0]}\n" in front_page or f"<{name.split('.')[0]}>" in front_page
        for name in pages.KNOWN.values()
    )
