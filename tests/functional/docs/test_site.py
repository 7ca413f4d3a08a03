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
        "[API](docs/docsite/rst/api.rst), [help](CONTRIBUTING.md#commands), [news](CHANGELOG.rst), [start](README.md)"
    )
    linked = "[API](docsite/api.rst), [help](contributing.md#commands), [news](changelog.rst), [start](index.md)"
    assert pages.with_links(text) == linked


def test_the_front_page_is_the_readme_and_leads_to_what_forges_show() -> None:
    beginning, *navigation = pages.front_page().split("```{toctree}")
    assert "make demo" in beginning
    assert "docsite/start.rst" in beginning
    assert "## Support matrix" in beginning
    assert all(f"\n{name}\n" in navigation[-1] for name in ("contributing", "security"))
    assert "<changelog>" in "".join(navigation)
