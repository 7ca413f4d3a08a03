# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook validate. What it finds is tested in tests/functional/plugins/test_validation.py."""

from __future__ import annotations

from typing import Any

from functional.support.sidebyside import Plays, Site, side_by_side

# Variables of the connection that a site has for all of its tasks.
CONNECTION: dict[str, Any] = {
    "validate_certs": False,
    "managedfs_validate_certs": False,
    "managedfs_console_url": "https://nowhere.invalid",
}


def write(site: Site, text: str) -> None:
    (site.folder / "a.yml").write_text(text, encoding="utf-8")


@side_by_side
def test_files_are_checked_without_a_console(site: Site) -> Plays:
    write(site, "name: a\nquotas: [{path: /a, size: 1GiB}]\n")
    for check in (False, True):
        played = yield site.play("validate.yml", check=check, validate_source=site.path("a.yml"), **CONNECTION)
        assert played.outcome == (False, False)
        assert "nothing is wrong. Read: 1 file, 1 volume, 1 quota." in played.output
        assert "WARNING" not in played.output
    write(site, "name: a\nregoin: 1\nqoutas: []\n")
    played = yield site.play("validate.yml", validate_source=site.path("a.yml"))
    assert played.outcome == (True, False)
    # On a line of its own.
    assert f"\n        \"{site.path('a.yml')}, line 3 ('a'): there is no option qoutas, regoin." in played.output
    assert site.emulator.requests == []


@side_by_side
def test_a_misspelled_variable_is_named(site: Site) -> Plays:
    played = yield site.play("validate.yml", validate_source=" ", validate_sourse="desired")
    assert "validate_sourse is not a variable of this collection. Did you mean validate_source?" in played.output
