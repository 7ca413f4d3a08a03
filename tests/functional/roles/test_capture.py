# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role capture: what a console has, as files."""

from __future__ import annotations

import os

import pytest

from emulator import Fault
from functional.roles.support import UNUSUAL_NAMES, Project, outcome, seed
from functional.support.plays import run_playbook

SUMMARY = '"| volumes | 0 | 0 | 0 | 10 | 0 |"'


@pytest.mark.promise("captured-is-unchanged")
@pytest.mark.promise("files-are-data")
def test_a_captured_console_is_applied_unchanged_whatever_its_names_look_like(project: Project) -> None:
    seed(project.emulator)
    assert outcome(project.run("capture", "--diff", capture_dest="desired")) == (False, True)
    files = project.files()
    assert len(files) == len(UNUSUAL_NAMES)
    assert "hunter2" not in str(files)
    assert "token" not in str(files)
    assert outcome(project.run("capture", "--diff", capture_dest="desired")) == (False, False)
    printed = project.run("apply", "--diff", apply_source="desired")
    assert outcome(printed) == (False, False)
    assert SUMMARY in printed
    assert project.emulator.writes == []
    # One list of volumes, and two lists for each.
    assert len(project.emulator.requests) == 1 + 2 * len(UNUSUAL_NAMES)


def test_what_was_changed_by_hand_is_what_the_diff_shows_and_only_that_file_is_written(project: Project) -> None:
    emulator = project.emulator
    for name in ("a", "b"):
        emulator.add_quota(emulator.add_volume(name=name, bucket="https://v.example.com"), path="/x", size=1024)
    project.run("capture", capture_dest="desired")
    before = project.files()
    emulator.add_quota(emulator.volumes()[1]["id"], path="/by-hand", size=2048)
    predicted = project.run("capture", "--check", "--diff", capture_dest="desired")
    assert project.files() == before
    printed = project.run("capture", "--diff", capture_dest="desired")
    for text in (predicted, printed):
        assert outcome(text) == (False, True)
        added = [line for line in text.splitlines() if line.startswith(("+", "-")) and line[1:3] == "  "]
        assert added == ["+  - {path: /by-hand, size: 2KiB, inodes: 0}"]
    after = project.files()
    assert [name for name in after if after[name] != before[name]] == ["b.yml"]


def test_a_volume_that_is_gone_takes_its_file_along_and_no_other(project: Project) -> None:
    for name in ("a", "b"):
        project.emulator.add_volume(name=name, bucket="https://v.example.com")
    project.run("capture", capture_dest="desired")
    (project.desired / "own.yml").write_text("# by hand\n", encoding="utf-8")
    project.emulator.reset()
    project.emulator.add_volume(name="b", bucket="https://v.example.com")
    project.run("capture", capture_dest="desired")
    assert list(project.files()) == ["b.yml", "own.yml"]


@pytest.mark.promise("captures-keep-most")
def test_a_console_that_shows_nothing_any_more_keeps_its_files(project: Project) -> None:
    project.emulator.add_volume(name="a", bucket="https://v.example.com")
    project.run("capture", capture_dest="desired")
    before = project.files()
    project.emulator.reset()
    for arguments in ((), ("--check",)):
        printed = project.run("capture", *arguments, capture_dest="desired", capture_max_removals="100%")
        assert outcome(printed) == (True, False)
        assert "the console shows no volume, but" in printed
    assert project.files() == before


def test_most_of_what_was_captured_goes_only_on_purpose(project: Project) -> None:
    emulator = project.emulator
    volumes = [emulator.add_volume(name=name, bucket="https://v.example.com") for name in "abcd"]
    for number in range(4):
        emulator.add_quota(volumes[0], path=f"/{number}", size=1024)
    project.run("capture", capture_dest="desired")
    before = project.files()
    emulator.reset()
    emulator.add_volume(name="a", bucket="https://v.example.com")
    for arguments in ((), ("--check",)):
        printed = project.run("capture", *arguments, capture_dest="desired")
        assert outcome(printed) == (True, False)
        assert (
            "this would remove 3 of 4 files ('b.yml', 'c.yml', 'd.yml'), 4 of 4 quotas ('a: /0', 'a: /1', " in printed
        )
    for names in (["a"], "a"):
        printed = project.run("capture", capture_dest="desired", capture_volumes=names)
        assert "this would remove 4 of 4 quotas" in printed
    assert project.files() == before
    assert outcome(project.run("capture", capture_dest="desired", capture_max_removals=4)) == (False, True)
    assert list(project.files()) == ["a.yml"]


@pytest.mark.parametrize("limit", [-1, 0.5, "101%", "most", True])
def test_a_limit_that_is_none_is_an_error_before_the_first_request(project: Project, limit: object) -> None:
    printed = project.run("capture", capture_dest="desired", capture_max_removals=limit)
    assert "max_removals must be a number of removals, or a share from 0% to 100%, not" in printed
    assert outcome(printed) == (True, False)
    assert project.emulator.requests == []


@pytest.mark.parametrize("limit", [0, "0%"])
def test_no_removal_at_all_can_be_wanted(project: Project, limit: object) -> None:
    for name in "abcde":
        project.emulator.add_volume(name=name, bucket="https://v.example.com")
    project.run("capture", capture_dest="desired", capture_max_removals=None)
    project.emulator.reset()
    for name in "abcd":
        project.emulator.add_volume(name=name, bucket="https://v.example.com")
    printed = project.run("capture", capture_dest="desired", capture_max_removals=limit)
    assert "this would remove 1 of 5 files ('e.yml')" in printed
    assert len(project.files()) == 5


def test_a_fifo_in_the_place_of_a_file_is_refused(project: Project) -> None:
    project.emulator.add_volume(name="a", bucket="https://v.example.com")
    project.desired.mkdir()
    os.mkfifo(project.desired / "a.yml")
    printed = project.run("capture", "--diff", capture_dest="desired")
    assert "desired/a.yml: it is not a regular file. Nothing was written." in printed
    assert outcome(printed) == (True, False)


def test_some_volumes_are_captured_and_the_files_of_others_stay(project: Project) -> None:
    for name in ("a", "b", "{{ 1/0 }}"):
        project.emulator.add_volume(name=name, bucket="https://v.example.com")
    project.run("capture", capture_dest="desired", capture_volumes=["a", ""])
    assert list(project.files()) == ["a.yml"]
    project.run("capture", capture_dest="desired", capture_volumes=["b"])
    assert list(project.files()) == ["a.yml", "b.yml"]
    printed = project.run("capture", capture_dest="desired", capture_volumes="")
    assert len(project.files()) == 3
    assert outcome(printed) == (False, True)


def test_a_name_that_no_volume_has_is_an_error(project: Project) -> None:
    project.emulator.add_volume(name="a", bucket="https://v.example.com")
    printed = project.run("capture", capture_dest="desired", capture_volumes=["a", "b", "c"])
    assert "capture_volumes names volumes that the console does not have: b, c." in printed
    assert not project.desired.exists()


def test_names_may_look_like_numbers_if_they_are_text(project: Project) -> None:
    for name in ("2024", "7", "b"):
        project.emulator.add_volume(name=name, bucket="https://v.example.com")
    project.run("capture", capture_dest="desired", capture_volumes=["2024", "'b'"])
    assert list(project.files()) == ["2024.yml", "b.yml"]
    printed = project.run("capture", capture_dest="desired", capture_volumes=["2024", "5", "x"])
    assert "capture_volumes names volumes that the console does not have: 5, x." in printed
    project.run("capture", capture_dest="desired", capture_volumes="7")
    assert list(project.files()) == ["2024.yml", "7.yml", "b.yml"]


@pytest.mark.parametrize("volumes", [[2024], 2024], ids=repr)
def test_a_number_may_have_been_another_name(project: Project, volumes: object) -> None:
    printed = project.run("capture", capture_dest="desired", capture_volumes=volumes)
    assert "An item of capture_volumes must be text, but arrived as the number 2024" in printed
    assert project.emulator.requests == []


@pytest.mark.parametrize("dest", [None, "", " "])
def test_a_blank_destination_is_an_error(project: Project, dest: str | None) -> None:
    assert "capture_dest must be set." in project.run("capture", capture_dest=dest)
    assert project.emulator.requests == []


def test_a_missing_destination_is_an_error_with_the_playbook_too(project: Project) -> None:
    printed = run_playbook(project.emulator, project.folder, "managedfs.console.capture", {}).output
    assert "capture_dest must be set." in printed
    assert project.emulator.requests == []


def test_a_destination_that_is_a_file_is_an_error(project: Project) -> None:
    project.desired.touch()
    printed = project.run("capture", capture_dest="desired")
    assert "desired is not a folder. Nothing was written." in printed
    assert outcome(printed) == (True, False)


def test_a_console_that_fails_half_way_leaves_the_old_files(project: Project) -> None:
    seed(project.emulator)
    project.run("capture", capture_dest="desired")
    before = project.files()
    project.emulator.add_volume(name="new", bucket="https://v.example.com")
    project.emulator.inject(Fault(kind="status", status=400, method="GET", nth=5, times=None))
    assert outcome(project.run("capture", capture_dest="desired")) == (True, False)
    assert project.files() == before


def test_each_console_has_a_folder_of_its_own(project: Project) -> None:
    project.emulator.add_volume(name="a", bucket="https://v.example.com")
    hosts = ["berlin", "paris"]
    printed = project.run("capture", hosts=hosts, capture_dest="consoles/{{ inventory_hostname }}")
    for host in hosts:
        assert outcome(printed, host) == (False, True)
        assert list(project.files(f"consoles/{host}")) == ["a.yml"]
    refused = project.run("capture", hosts=hosts, capture_dest="desired")
    assert "Several hosts would write into desired" in refused
    assert not project.desired.exists()


def test_two_spellings_of_one_folder_are_noticed(project: Project) -> None:
    project.emulator.add_volume(name="a", bucket="https://v.example.com")
    (project.folder / "link").symlink_to("desired")
    spellings = {"a": "desired", "b": str(project.desired), "c": "./x/../desired/", "d": "link", "e": "own"}
    refused = project.run("capture", hosts=[*spellings], capture_dest=f"{{{{ {spellings}[inventory_hostname] }}}}")
    assert [outcome(refused, host) for host in spellings] == [(True, False)] * 4 + [(False, True)]
    assert "Several hosts would write into ./x/../desired/, and" in refused
    assert not project.desired.exists()
    assert list(project.files("own")) == ["a.yml"]
