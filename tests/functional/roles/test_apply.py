# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role apply: a console brought to the desired state, and a summary of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from emulator import Fault
from functional.support.sidebyside import Play, Plays, Site, side_by_side

VOLUME = {"name": "v", "bucket": "https://v.example.com", "quotas": [{"path": "/a", "size": "1KiB"}]}


def write(site: Site, name: str, text: str) -> str:
    """Write a state file, and return its path for the role."""
    path = site.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return site.path(name)


@side_by_side
def test_files_are_applied_predicted_and_then_unchanged(site: Site) -> Plays:
    write(site, "desired/team/v.yml", "{name: v, bucket: 'https://v.example.com', quotas: [{path: /a, size: 1KiB}]}")
    write(site, "desired/none.yml", "# nothing yet\n")
    source: dict[str, Any] = {"apply_source": site.path("desired"), "apply_volumes": " "}
    predicted = yield site.play("apply", check=True, **source)
    assert "1KiB" in predicted.output
    assert site.emulator.writes == []
    done = yield site.play("apply", **source)
    for played, title in ((predicted, "What would be done"), (done, "What was done")):
        assert played.outcome == (False, True)
        assert f'"## {title}"' in played.output
        assert f'"- quotas: 1 {"to create" if played is predicted else "created"}"' in played.output
    again = yield site.play("apply", apply_source=str(site.folder / "desired" / "team" / "v.yml"))
    assert again.outcome == (False, False)
    assert '"- quotas: 1 unchanged"' in again.output


@side_by_side
def test_what_nobody_names_is_removed_if_the_role_is_asked_to(site: Site) -> Plays:
    volume = site.emulator.add_volume(name="v", bucket="https://v.example.com")
    site.emulator.add_export(volume, desc="web", iprange="*")
    site.emulator.add_quota(volume, path="/gone", size=1)
    given: dict[str, Any] = {"apply_volumes": [VOLUME], "apply_purge": ["quotas", ""], "apply_source": ""}
    refused = yield site.play("apply", **given)
    assert "1 of 1 would be deleted ('/gone'), which would leave none." in refused.output
    assert site.emulator.writes == []
    yield site.play("apply", **given, apply_max_deletions=1)
    assert [quota["path"] for quota in site.emulator.quotas(volume)] == ["/a"]
    assert len(site.emulator.exports(volume)) == 1


@side_by_side
def test_a_failure_in_part_is_summarized_and_fails(site: Site) -> Plays:
    volume = site.emulator.add_volume(name="v", bucket="https://v.example.com")
    site.emulator.inject(Fault(kind="status", status=400, method="POST", nth=2, times=None))
    quotas = [{"path": "/a", "size": 1}, {"path": "/b", "size": 1}]
    played = yield site.play("apply", apply_volumes=[{"name": "v", "quotas": quotas}])
    assert played.outcome[0] is True
    assert '"### Failed",\n        "",\n        "```text",\n        "quotas, v: /' in played.output
    assert len(site.emulator.quotas(volume)) == 1


@side_by_side
def test_a_plan_that_was_not_approved_is_shown_as_what_would_be_done(site: Site) -> Plays:
    refused = yield site.play("apply", apply_volumes=[VOLUME], apply_expected_plan=" nothing ")
    assert (refused.outcome, site.emulator.writes) == ((True, False), [])
    assert "this is not the plan that was approved." in refused.output
    assert '"## What would be done",\n        "",\n        "`Nothing was changed: ' in refused.output
    plan = re.findall("Plan: `(.+)`", refused.output)[-1]
    done = yield site.play("apply", apply_volumes=[VOLUME], apply_expected_plan=f" {plan} ")
    assert done.outcome == (False, True)
    assert '"## What was done"' in done.output
    again = yield site.play("apply", apply_volumes=[VOLUME], apply_expected_plan=plan)
    assert again.outcome == (False, False)
    assert "What would be done" not in again.output


ONE_IS_REQUIRED = "One of apply_source and apply_volumes is required, and not both."
NO_OPTION = "v.yml, line 1 ('web'): there is no option iprang"
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "a blank list": ({"apply_volumes": " "}, ONE_IS_REQUIRED),
    "a kind that is never purged": ({"apply_volumes": [VOLUME], "apply_purge": ["volumes"]}, "apply_purge"),
    "a mistake in a file": ({"apply_source": "{{ inventory_hostname }}/v.yml"}, NO_OPTION),
}


@pytest.mark.parametrize(("given", "message"), MISTAKES.values(), ids=MISTAKES)
@side_by_side
def test_a_mistake_is_named_before_the_console_is_asked(site: Site, given: dict[str, Any], message: str) -> Plays:
    write(site, "v.yml", "{name: v, exports: [{desc: web, iprang: '*'}]}")
    played = yield site.play("apply", **given)
    assert message in played.output
    assert (played.outcome, site.emulator.requests) == ((True, False), [])


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
    checked = yield rotate(site, "finished", check=True, id=str(new["id"]))
    assert "The old token is no longer valid." in " ".join(checked.output.split())
    again = yield rotate(site, "finished", id="")
    assert (finished.outcome, still.outcome) == ((False, True), (False, False))
    assert named(site) == {"web": new["id"]}
    assert again.outcome[0], "without an id, nobody can tell"
    assert not [token for token in ("token-of-old-0123", new["token"]) if token in started.output + finished.output]


@side_by_side
def test_the_old_token_stays_where_it_is_aborted(site: Site) -> Plays:
    old = yield rotate(site, "started")
    new = str(named(site)["web (next)"])
    aborted = yield rotate(site, "aborted")
    assert (old.outcome, aborted.outcome, named(site)) == ((False, True), (False, True), {"web": 2001})
    again = yield rotate(site, "aborted", id=new)
    other = yield rotate(site, "aborted", id="2001")
    assert (again.outcome, other.outcome, named(site)) == ((False, False), (True, False), {"web": 2001})
    assert (site.folder / "token").read_text(encoding="utf-8") == "token-of-old-0123\n"


@side_by_side
def test_check_mode_says_what_will_be(site: Site) -> Plays:
    started = yield rotate(site, "started", check=True)
    assert '"Once the clients use the new token, run this again with rotate_state=finished.' in started.output
    yield rotate(site, "started")
    finished = yield rotate(site, "finished", check=True, id=str(named(site)["web (next)"]))
    assert "The old token would no longer be valid." in " ".join(finished.output.split())
    assert (started.outcome, finished.outcome, len(named(site))) == ((False, True), (False, True), 2)


# Variables of the connection that a site has for all of its tasks.
CONNECTION: dict[str, Any] = {
    "validate_certs": False,
    "managedfs_validate_certs": False,
    "managedfs_console_url": "https://nowhere.invalid",
}


def keep(site: Site, text: str) -> None:
    (site.folder / "a.yml").write_text(text, encoding="utf-8")


@side_by_side
def test_files_are_checked_without_a_console(site: Site) -> Plays:
    keep(site, "name: a\nquotas: [{path: /a, size: 1GiB}]\n")
    for check in (False, True):
        played = yield site.play("validate.yml", check=check, validate_source=site.path("a.yml"), **CONNECTION)
        assert played.outcome == (False, False)
        assert "nothing is wrong. Read: 1 file, 1 volume, 1 quota." in played.output
        assert "WARNING" not in played.output
    keep(site, "name: a\nquotas: [{path: /a, size: 5}]\n")
    for fails in (False, True):
        given: dict[str, Any] = {"validate_source": site.path("a.yml"), "validate_fail_on_plan_warnings": fails}
        played = yield site.play("validate.yml", **given)
        assert (played.outcome, "less than 4096 bytes" in played.output) == ((fails, False), True)
    keep(site, "name: a\nregoin: 1\nqoutas: []\n")
    played = yield site.play("validate.yml", validate_source=site.path("a.yml"))
    assert played.outcome == (True, False)
    # On a line of its own.
    assert f"\n        \"{site.path('a.yml')}, line 3 ('a'): there is no option qoutas, regoin." in played.output
    assert site.emulator.requests == []


@side_by_side
def test_a_misspelled_variable_is_named(site: Site) -> Plays:
    played = yield site.play("validate.yml", validate_source=" ", validate_sourse="desired")
    assert "validate_sourse is not a variable of this collection. Did you mean validate_source?" in played.output
