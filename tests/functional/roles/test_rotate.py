# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook rotate: an export gets a new token, which is in a file and nowhere else."""

from __future__ import annotations

from typing import Any

from functional.support.sidebyside import Play, Plays, Site, side_by_side

RIGHTS = {"iprange": "10.0.0.0/8", "readonly": True}


def rotate(site: Site, state: str, *, check: bool = False, **given: Any) -> Play:
    """Return a play for the export web; a console without a volume gets one."""
    if not site.emulator.volumes():
        site.emulator.add_volume(name="projects", bucket="https://projects.example.com", id=7)
        site.emulator.add_export(7, desc="web", token="token-of-old-0123", **RIGHTS)
    variables = {"volume": "projects", "desc": "web", "state": state, "token_file": str(site.folder / "token"), **given}
    return site.play("rotate.yml", check=check, **{f"rotate_{name}": value for name, value in variables.items()})


def named(site: Site) -> dict[str, int]:
    return {export["desc"]: export["id"] for export in site.emulator.exports(7)}


@side_by_side
def test_an_export_gets_a_new_token(site: Site) -> Plays:
    started = yield rotate(site, "started")
    again = yield rotate(site, "started")
    (new,) = (export for export in site.emulator.exports(7) if export["desc"] == "web (next)")
    assert (started.outcome, again.outcome) == ((False, True), (False, False))
    assert (site.folder / "token").read_text(encoding="utf-8") == f"{new['token']}\n"
    assert f"run this again with rotate_state=finished rotate_id={new['id']}. To go back" in started.output
    finished = yield rotate(site, "finished", id=str(new["id"]))
    still = yield rotate(site, "finished", id=str(new["id"]))
    again = yield rotate(site, "finished", id="")
    assert (finished.outcome, still.outcome) == ((False, True), (False, False))
    assert named(site) == {"web": new["id"]}
    assert again.outcome[0], "without an id, nobody can tell"
    assert not [token for token in ("token-of-old-0123", new["token"]) if token in started.output + finished.output]


@side_by_side
def test_the_old_token_stays_where_it_is_aborted(site: Site) -> Plays:
    old = yield rotate(site, "started")
    aborted = yield rotate(site, "aborted")
    assert (old.outcome, aborted.outcome, named(site)) == ((False, True), (False, True), {"web": 2001})
    assert (site.folder / "token").read_text(encoding="utf-8") == "token-of-old-0123\n"


@side_by_side
def test_check_mode_says_what_will_be(site: Site) -> Plays:
    started = yield rotate(site, "started", check=True)
    assert '"Once the clients use the new token, run this again with rotate_state=finished.' in started.output
    yield rotate(site, "started")
    finished = yield rotate(site, "finished", check=True, id=str(named(site)["web (next)"]))
    assert "The old token would no longer be valid." in " ".join(finished.output.split())
    assert (started.outcome, finished.outcome, len(named(site))) == ((False, True), (False, True), 2)
