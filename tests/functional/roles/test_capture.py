# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role capture: the content of a console as files."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Fault
from functional.support.sidebyside import Play, Plays, Site, side_by_side

UNUSUAL_NAMES = ["projects", "{{ 1/0 }}", "{% x %}", "web ", "web", "twice", "twice", " ", "a/b", "on"]


def capture(site: Site, *, check: bool = False, dest: str | None = None, **given: Any) -> Play:
    """Return a play that captures the console, into the folder desired by default."""
    variables = {f"capture_{name}": value for name, value in given.items()}
    return site.play("capture", check=check, capture_dest=site.path("desired") if dest is None else dest, **variables)


def add_volumes(site: Site, *names: str) -> list[int]:
    """Create volumes on the console, and return their ids."""
    return [site.emulator.add_volume(name=name, bucket="https://v.example.com") for name in names]


def seed(site: Site) -> None:
    """Create volumes with unusual names on a console, each with the same unusual exports and quotas."""
    for name in UNUSUAL_NAMES:
        volume = site.emulator.add_volume(name=name, bucket="https://me:hunter2@v.example.com")
        site.emulator.add_export(volume, desc="web", iprange="10.0.0.0/8", token="token-of-web-0123")
        site.emulator.add_export(volume, desc="{{ 7 * 7 }}", iprange="*")
        site.emulator.add_export(volume, desc="", iprange="*")
        site.emulator.add_quota(volume, path="/home/{{ 1/0 }}", size=10 << 30)


@side_by_side
def test_a_captured_console_is_applied_unchanged_whatever_its_names_look_like(site: Site) -> Plays:
    seed(site)
    first = yield capture(site)
    assert first.outcome == (False, True)
    files = site.files("desired")
    assert len(files) == len(UNUSUAL_NAMES) + 1
    assert site.emulator.url in files["console.yml"]
    assert "hunter2" not in str(files)
    assert "token" not in str(files)
    again = yield capture(site)
    assert again.outcome == (False, False)
    applied = yield site.play("apply", apply_source=site.path("desired"))
    assert applied.outcome == (False, False)
    assert '"- volumes: 10 unchanged"' in applied.output
    # One list of volumes, and two lists for each.
    assert {request.method for request in site.emulator.requests} == {"GET"}
    assert len(site.emulator.requests) == 1 + 2 * len(UNUSUAL_NAMES)


@side_by_side
def test_the_diff_is_what_was_changed_by_hand_and_only_files_of_what_differs_are_written_or_removed(
    site: Site,
) -> Plays:
    for volume in add_volumes(site, "a", "b"):
        site.emulator.add_quota(volume, path="/x", size=1024)
    first = yield capture(site)
    written = f"2 volumes, 0 exports, 2 quotas. Files in {site.path('desired')}: 3 created, 2 schemas."
    assert f'"- {site.folder.name}: changed: {written}"' in first.output
    before = site.files("desired")
    site.emulator.add_quota(site.emulator.volumes()[1]["id"], path="/by-hand", size=2048)
    predicted = yield capture(site, check=True)
    assert site.files("desired") == before
    done = yield capture(site)
    for played in (predicted, done):
        assert played.outcome == (False, True)
        added = [line for line in played.output.splitlines() if line.startswith(("+", "-")) and line[1:3] == "  "]
        assert added == ["+  - {path: /by-hand, size: 2KiB, inodes: 0}"]
    after = site.files("desired")
    assert [name for name in after if after[name] != before[name]] == ["b.yml"]
    (site.folder / "desired" / "own.yml").write_text("# by hand\n", encoding="utf-8")
    site.emulator.reset()
    add_volumes(site, "b")
    yield capture(site, max_removals="100%")
    assert list(site.files("desired")) == ["b.yml", "console.yml", "own.yml"]


@side_by_side
def test_some_volumes_are_captured_and_the_files_of_others_stay(site: Site) -> Plays:
    add_volumes(site, "a", "2024", "7", "b", "{{ 1/0 }}")
    yield capture(site, volumes=["2024", "", "'b'"])
    assert list(site.files("desired")) == ["2024.yml", "b.yml", "console.yml"]
    assert (site.folder / "desired" / "volume.schema.json").exists()
    yield capture(site, volumes="7")
    assert list(site.files("desired")) == ["2024.yml", "7.yml", "b.yml", "console.yml"]
    played = yield capture(site, volumes=["2024", "5", "x"])
    assert "capture_volumes: correct 5, x, which the console does not have." in played.output
    played = yield capture(site, volumes="")
    assert (played.outcome, len(site.files("desired"))) == ((False, True), 6)


NUMBER = "capture_volumes must be text, but arrived as 2024."
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "a number among names": ({"volumes": [2024]}, NUMBER),
}


@pytest.mark.parametrize(("given", "message"), MISTAKES.values(), ids=MISTAKES)
@side_by_side
def test_a_mistake_is_named_before_the_first_request(site: Site, given: dict[str, Any], message: str) -> Plays:
    (site.folder / "file").touch()
    played = yield capture(site, **given)
    assert message in played.output
    assert (played.outcome, site.emulator.requests) == ((True, False), [])


@side_by_side
def test_a_console_that_fails_half_way_leaves_the_old_files(site: Site) -> Plays:
    seed(site)
    yield capture(site)
    before = site.files("desired")
    add_volumes(site, "new")
    again = capture(site)
    site.emulator.inject(Fault(kind="status", status=400, method="GET", nth=5, times=None))
    played = yield again
    assert played.outcome == (True, False)
    assert site.files("desired") == before


@side_by_side
def test_consoles_do_not_overwrite_each_others_files(site: Site) -> Plays:
    add_volumes(site, "a")
    (site.folder / "link").symlink_to("desired")
    desired = site.folder / "desired"
    spellings = {"a": site.path("desired"), "b": str(desired), "c": f"./{site.folder.name}/x/../desired/"}
    spellings |= {"d": site.path("link"), "e": site.path("own")}
    dest = f"{{{{ {spellings}[inventory_hostname] }}}}"
    played = yield site.play("capture", hosts=(*spellings,), capture_dest=dest)
    ends = [(played.count("failed", host), played.count("changed", host)) for host in spellings]
    assert ends == [(1, 0)] * 4 + [(0, 1)]
    assert f"Several hosts would write into {spellings['c']}, and" in played.output
    assert not desired.exists()
    assert list(site.files("own")) == ["a.yml", "console.yml"]
