# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role tenant: a quota, an export and a file with its token for one team, or their removal."""

from __future__ import annotations

import re
from typing import Any

import pytest

from functional.support.sidebyside import Play, Plays, Site, side_by_side

GIB = 1 << 30


def tenant(site: Site, *, check: bool = False, **given: Any) -> Play:
    """Return a play for alice, or for another tenant; a console without a volume gets one."""
    if not site.emulator.volumes():
        site.emulator.add_volume(name="projects", bucket="https://projects.example.com", id=7)
    variables = {"name": "alice", "volume": "projects", **given}
    return site.play("tenant", check=check, **{f"tenant_{name}": value for name, value in variables.items()})


def made(site: Site) -> tuple[list[str], list[str]]:
    """Return the paths of quotas and the descriptions of exports."""
    return [quota["path"] for quota in site.emulator.quotas(7)], [each["desc"] for each in site.emulator.exports(7)]


def add_tenants(site: Site, *names: str) -> None:
    """Create a volume with the quotas and exports of tenants on a console."""
    site.emulator.add_volume(name="projects", bucket="https://projects.example.com", id=7)
    for name in names:
        site.emulator.add_quota(7, path=f"/{name}", size=GIB)
        site.emulator.add_export(7, desc=name, iprange="*", readonly=False)


@side_by_side
def test_a_tenant_gets_a_quota_an_export_and_a_file_with_its_token(site: Site) -> Plays:
    file = site.folder / "token"
    wanted: dict[str, Any] = {"size": "10GiB", "inodes": 0, "iprange": "10.0.0.0/8", "readonly": True}
    wanted["token_file"] = str(file)
    first = yield tenant(site, **wanted)
    # What is left out stays as it is.
    again = yield tenant(site, **{name: value for name, value in wanted.items() if name != "readonly"})
    (quota,), (export,) = site.emulator.quotas(7), site.emulator.exports(7)
    assert (quota["path"], quota["size"], quota["inodes"]) == ("/alice", 10 * GIB, 0)
    assert (export["desc"], export["iprange"], export["readonly"]) == ("alice", "10.0.0.0/8", True)
    assert file.read_text(encoding="utf-8") == export["token"] + "\n"
    assert file.stat().st_mode & 0o777 == 0o600
    # A check beforehand counts neither as a change nor as a difference.
    assert (first.count("changed"), first.output.count('+    "desc": "alice"')) == (2, 1)
    assert again.outcome == (False, False)
    assert export["token"] not in first.output + again.output
    assert '"size": "10GiB"' in first.output


@side_by_side
def test_a_tenant_that_goes_leaves_nothing_of_its_own(site: Site) -> Plays:
    add_tenants(site, "alice", "bob")
    file = site.folder / "token"
    file.touch()
    gone: dict[str, Any] = {"state": "absent", "token_file": str(file)}
    predicted = yield tenant(site, check=True, **gone)
    assert (predicted.count("changed"), site.emulator.writes, file.exists()) == (2, [], True)
    assert "deleted, token file removed (check mode: nothing was written), *; quota '/alice'" in predicted.output
    assert "deleted (check mode: nothing was written), size 1GiB." in predicted.output
    first = yield tenant(site, **gone)
    assert (first.count("changed"), made(site), file.exists()) == (2, (["/bob"], ["bob"]), False)
    assert "deleted, token file removed, *; quota '/alice'" in first.output
    again = yield tenant(site, **gone)
    assert again.outcome == (False, False)


REFUSAL = "The export web has the range {}, and there is no quota /web, so it may be somebody else's."


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("iprange", ["10.1.0.0/16", ""])
@side_by_side
def test_an_export_that_may_be_somebody_elses_is_not_taken_over(site: Site, iprange: str, check: bool) -> Plays:
    site.emulator.add_volume(name="projects", bucket="https://projects.example.com", id=7)
    site.emulator.add_export(7, desc="web", iprange=iprange)
    played = yield tenant(site, name="web", iprange="10.20.0.0/16", size="1GiB", check=check)
    assert REFUSAL.format(iprange or "none") in played.output
    assert (played.outcome, site.emulator.writes) == ((True, False), [])
    if iprange:
        same = yield tenant(site, name="web", iprange="10.1.2.3/16", size="1GiB", check=check)
        assert same.count("failed") == 0


@side_by_side
def test_the_export_of_a_tenant_that_has_a_quota_gets_another_range(site: Site) -> Plays:
    add_tenants(site, "alice")
    played = yield tenant(site, iprange="10.0.0.0/8", readonly=False)
    (export,) = site.emulator.exports(7)
    assert (played.count("changed"), export["iprange"], made(site)[0]) == (1, "10.0.0.0/8", ["/alice"])


GONE = {"state": "absent", "name": "bob", "must_exist": True}
# The operation, and the record that must exist and does not.
SUMMARIES: dict[str, tuple[dict[str, Any], str, str]] = {
    "new": (
        {"size": "1G", "iprange": "any", "token_file": "~/token"},
        "export 'alice'{}: created, token file written; quota '/alice'{}: created",
        "",
    ),
    "files alone": ({"inodes": 1000}, "quota '/alice'{}: created", ""),
    "no such export": (
        GONE | {"desc": "rob"},
        "there is no export 'rob'{}: nothing to delete; quota '/bob'{}: deleted, size 1GiB",
        "Not found: export rob. Check",
    ),
}


@pytest.mark.parametrize(("given", "summary", "missing"), SUMMARIES.values(), ids=SUMMARIES)
@side_by_side
def test_the_summary_says_what_was_done_and_what_was_not_found(
    site: Site, given: dict[str, Any], summary: str, missing: str
) -> Plays:
    add_tenants(site, "bob")
    played = yield tenant(site, **given)
    who = f"{site.emulator.url}: Tenant {given.get('name', 'alice')}"
    output = re.sub(r" \(id \d+\)", "", played.output)
    told = summary.replace("{}", f" of volume '{given.get('volume', 'projects')}'")
    end = " Not found: " if missing else '"'
    assert f'"msg": "{who}: {told}.{end}' in output
    assert (played.outcome[0], missing in played.output) == (bool(missing), True)
    paths, descs = made(site)
    new, gone = (set(re.findall(f"'([^']*)'{{}}: {what}", summary)) for what in ("created", "deleted"))
    assert {*paths, *descs} == {"bob", "/bob", *new} - gone


READ_ONLY = {"size": "2G", "desc": "db", "iprange": "*", "readonly": True}
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "nothing wanted": ({}, "There is nothing to do for tenant alice"),
    "an export that cannot be changed so": (READ_ONLY, "readonly is false, wanted true"),
    "the whole volume": ({"size": "2G", "path": "//."}, "tenant_path must be a directory below /, not //.."),
}


@pytest.mark.parametrize(("given", "message"), MISTAKES.values(), ids=MISTAKES)
@side_by_side
def test_a_mistake_is_named_before_anything_is_written(site: Site, given: dict[str, Any], message: str) -> Plays:
    add_tenants(site, "alice", "db")
    played = yield tenant(site, **given)
    assert (played.count("failed"), site.emulator.writes) == (1, [])
    assert message in played.output


BOUNDS: dict[str, Any] = {
    "volumes": ["archive", "projects"],
    "path_prefix": "/tenants/",
    "desc_prefix": "tenant-",
    "source": "{{ inventory_hostname }}",
}
DESCRIBED = """
- {name: archive, exports: [{desc: tenant-alice, iprange: "*"}], quotas: [{path: /tenants/alice, size: 1GiB}]}
- {name: projects, exports: [{desc: tenant-web, renamed_from: tenant-old, iprange: "*"}], quotas: [{path: //tenants/home/, size: 1GiB}]}
"""
OUT_OF_BOUNDS: dict[str, tuple[dict[str, Any], str]] = {
    "another volume": ({"volume": "users"}, "tenant_volume must be one of archive, projects, not users."),
    "a way out": ({"name": "../home"}, "tenant_path must be a directory below /tenants/, not /tenants/../home."),
    "an export of the files": ({"name": "web"}, "export tenant-web of volume projects is part of the desired state"),
}
REFUSED = [*((name, "present") for name in OUT_OF_BOUNDS), ("another volume", "absent")]


@pytest.mark.promise("tenants-stay-within-bounds")
@pytest.mark.parametrize(("name", "state"), REFUSED)
@side_by_side
def test_what_is_out_of_bounds_is_refused_before_the_console_is_asked(site: Site, name: str, state: str) -> Plays:
    given, message = OUT_OF_BOUNDS[name]
    (site.folder / "desired.yml").write_text(DESCRIBED, encoding="utf-8")
    played = yield tenant(site, **BOUNDS, **{"size": "1GiB", "iprange": "*", "state": state, **given})
    assert message in played.output
    assert (played.outcome, site.emulator.requests) == ((True, False), [])


@side_by_side
def test_within_the_bounds_names_follow_from_that_of_the_tenant(site: Site) -> Plays:
    (site.folder / "desired.yml").write_text("{name: projects, exports: []}", encoding="utf-8")
    refused = yield tenant(site, **BOUNDS, size="1GiB", iprange="*")
    assert "console.yml does not ignore tenant-alice in exports" in refused.output
    assert "in quotas" not in refused.output
    assert made(site) == ([], [])
    (site.folder / "console.yml").write_text("ignore: {exports: [tenant-*], quotas: [/tenants/*]}", encoding="utf-8")
    yield tenant(site, **BOUNDS, size="1GiB", iprange="*")
    assert made(site) == (["/tenants/alice"], ["tenant-alice"])
    played = yield tenant(site, **BOUNDS, state="absent", must_exist=True)
    assert (played.outcome, made(site)) == ((False, True), ([], []))
