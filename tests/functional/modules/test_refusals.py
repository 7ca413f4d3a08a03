# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Refusals of modules before any request, or before anything is written, and mere warnings."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run
from functional.support.one_volume import Console

BUCKET = "https://v.example.com"
OTHER = "https://other.example.com"
Options = dict[str, Any]

ABSOLUTE = "path must start with /"
EXCLUSIVE = "volume and volume_id are mutually exclusive"
NEITHER = "one of volume or volume_id is required"


def nested(levels: int) -> Any:
    """Return a value with this many levels."""
    return {"a": nested(levels - 1)} if levels else 1


@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        ("volume", {}, "name or id is required"),
        ("volume", {"name": "a", "region": "north"}, "region"),
        ("volume", {"name": "a", "unknown": 1}, "Unsupported parameters"),
        ("volume", {"name": "a", "wait_timeout": -1}, "wait_timeout must be from"),
        ("volume", {"name": "a", "wait_timeout": 10**30}, "wait_timeout must be from"),
        ("volume", {"name": "a", "timeout": 10**12}, "timeout must be from"),
        ("volume", {"name": "a", "retries": 10**9}, "retries must be from"),
        ("volume", {"name": "a", "extra_fields": {"id": 7}}, "must not contain id"),
        ("volume", {"name": "a", "extra_fields": nested(120)}, "extra_fields must not be nested deeper"),
        ("export", {"desc": "a"}, NEITHER),
        ("export", {"volume": "", "desc": "a"}, NEITHER),
        ("quota", {"volume": "v", "volume_id": 1, "path": "/a"}, EXCLUSIVE),
        ("quota_info", {"volume": "v", "volume_id": 1}, EXCLUSIVE),
        ("export", {"volume": "v", "desc": " ", "iprange": "*"}, "desc or id is required"),
        ("quota", {"volume": "v", "size": 1}, "path or id is required"),
        ("quota", {"volume": "v", "path": "data", "size": 1}, ABSOLUTE),
        ("quota_info", {"path": "a"}, ABSOLUTE),
        ("quota", {"volume": "v", "path": "/a", "size": "10Gbit"}, "size must be a number of bytes, or a number with"),
        ("quota", {"volume": "v", "path": "/a", "size": 1, "token_file": "/tmp/a"}, "Unsupported parameters"),
        ("quotas", {"volume": "v", "quotas": [{"path": "/a", "inodes": "0777"}]}, "inodes must be a whole number"),
        ("quotas", {"volume": "v", "quotas": [{"path": "/a", "id": "1e999"}]}, "id must be a whole number"),
        ("quotas", {"volume": "v", "quotas": [], "concurrency": 0}, "concurrency must be from"),
        ("quotas", {"volume": "v", "quotas": [], "concurrency": 33}, "concurrency must be from"),
        ("quotas", {"volume": "v", "quotas": [], "volume_id": 1}, EXCLUSIVE),
        ("volume_info", {"concurrency": 0}, "concurrency must be from"),
        ("api_request", {}, "missing required arguments: path"),
        ("api_request", {"path": "/"}, "is empty"),
        ("api_request", {"path": "volumes?x=1"}, "put query parameters into query"),
        ("api_request", {"path": "volumes#x"}, "put query parameters into query"),
        ("api_request", {"path": "vol\numes"}, "control character"),
        ("api_request", {"path": "../volumes"}, "contains an empty segment, . or .."),
        ("api_request", {"path": "volumes/%2e%2E/7"}, "contains an empty segment, . or .."),
        ("api_request", {"path": "volumes\\..\\7"}, "contains an empty segment, . or .."),
        ("api_request", {"path": "volumes//7"}, "contains an empty segment"),
        ("api_request", {"path": "//evil.example/volumes"}, "contains an empty segment"),
        ("api_request", {"path": "https://evil.example/volumes"}, "is not relative"),
        ("api_request", {"path": "/api/v1/volumes"}, "is not relative"),
        ("api_request", {"path": "volumes", "body": {}}, "a GET has no body"),
        ("api_request", {"path": "volumes", "method": "POST", "body": "x"}, "body must be a dictionary or a list"),
        ("api_request", {"path": "volumes", "method": "POST", "body": nested(120)}, "body must not be nested deeper"),
        ("api_request", {"path": "volumes", "query": {"a": {"b": 1}}}, "query values must be"),
        ("api_request", {"path": "volumes", "query": {"a": [[1]]}}, "query values must be"),
        ("api_request", {"path": "volumes", "query": {"a": "\ud800"}}, "query must be valid Unicode"),
        ("api_request", {"path": "volumes", "method": "HEAD"}, "must be one of"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_refused_before_any_request(run: Run, emulator: Emulator, module: str, options: Options, message: str) -> None:
    result = run(module, **options)
    assert message in result["msg"]
    assert (result["failed"], result.get("changed", False), result.get(module)) == (True, False, None)
    assert module != "quotas" or [result[name] for name in ("created", "updated", "deleted")] == [[], [], []]
    assert emulator.requests == []


@pytest.fixture
def crowded(console: Console) -> Console:
    """Return a console with an obstacle for each task below."""
    emulator = console.emulator
    for name in ("two", "two", "trailing "):
        emulator.add_volume(name=name, bucket=BUCKET)
    for desc in ("web", "taken", "twice", "twice", "db "):
        console.has_export(desc=desc, iprange="10.0.0.0/8")
    for path in ("/a", "/twice", "/twice/"):
        console.has_quota(path=path, size=5, inodes=7)
    return console


SAME = "refers to the same record as item 1"
FIXED = "fields that can only be set at creation: bucket is"
SPACE = "with white space at its ends"


@pytest.mark.promise("create-only-fails-first", "ambiguity-is-refused", "keys-are-exact")
@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        ("volume", {"name": "v", "bucket": OTHER}, f"bucket is '{BUCKET}', wanted '{OTHER}'"),
        ("volume", {"name": "two"}, "102, 103"),
        ("export", {"desc": "new"}, "to create it, give iprange"),
        ("export", {"desc": "web", "readonly": True}, "try create_only_changes: update (not in a role)"),
        ("export", {"id": 2001, "desc": "web "}, SPACE),
        ("export", {"id": 999, "iprange": "*"}, "no export of volume 'v' has the id 999"),
        ("quota", {"volume": "two", "path": "/a"}, "102, 103"),
        ("quota", {"volume_id": 999, "path": "/a", "size": 1}, "(id 999) does not exist. Check the id"),
        ("exports", {"volume_id": 999, "exports": [{"desc": "a", "iprange": "*"}]}, "does not exist"),
        ("exports", {"exports": [{"desc": "new", "iprange": "*"}, {"desc": "new ", "iprange": "*"}]}, SPACE),
        ("quotas", {"quotas": [{"id": 30001, "size": 6}, {"path": "/a", "size": 7}]}, SAME),
        ("quotas", {"quotas": [{"id": 30001, "path": "/b"}, {"path": "/b", "size": 7}]}, SAME),
        ("volumes", {"volumes": [{"name": "v"}, {"id": 101}]}, SAME),
        ("volumes", {"volumes": [{"name": "two", "exports": []}]}, "102, 103"),
        ("volumes", {"volumes": [{"name": "v", "bucket": OTHER}], "create_only_changes": "update"}, FIXED),
    ],
    ids=lambda value: str(value)[:70],
)
@pytest.mark.parametrize("check", [True, False], ids=["predicted", "real"])
def test_refused_before_anything_is_written(
    run: Run, crowded: Console, module: str, options: Options, message: str, check: bool
) -> None:
    parent = {} if module.startswith("volume") or options.keys() & {"volume", "volume_id"} else {"volume": "v"}
    result = run(module, check=check, **parent, **options)
    assert message in result["msg"]
    assert (result["failed"], result["changed"]) == (True, False)
    assert crowded.sent == []


def test_a_blank_cell_of_a_table_is_not_given(run: Run, emulator: Emulator, volume: int) -> None:
    rows = list(csv.DictReader(io.StringIO("path,size,inodes,state,id\n/a,8192,,,\n/b,,5, ,\n")))
    assert sorted(run("quotas", volume="v", quotas=rows)["created"]) == ["/a", "/b"]
    found = {quota["path"]: (quota["size"], quota["inodes"]) for quota in emulator.quotas(volume)}
    assert found == {"/a": (8192, 0), "/b": (0, 5)}
    row = {"desc": "web", "iprange": "*", "apionly": "", "readonly": "true", "appendonly": " "}
    assert run("exports", volume="v", exports=[row])["created"] == ["web"]
    item = {"name": "v", "region": "", "extra_fields": "", "exports": "", "quotas": " "}
    assert run("volumes", volumes=[item])["changed"] is False
    assert emulator.exports(volume)[0]["readonly"] is True


ON = "is 'True', which Ansible makes of yes or on or true without quotation marks: quote the text."
OFF = "is 'False', which Ansible makes of no or off or false without quotation marks: quote the text."
NUMBER = "is a number, which YAML may have read from 1.10 or 010: quote it, or use the filter string."
NET = "10.0.0.0/8"
SMALL = "size is less than 4096 bytes. Write a unit, as in 10GiB, or 10B if bytes are meant."


@pytest.mark.parametrize(
    ("module", "options", "warnings"),
    [
        ("volume_info", {"name": "True"}, [f"name {ON}"]),
        ("export", {"volume": "v", "desc": "False", "iprange": NET}, [f"desc {OFF}"]),
        ("export", {"volume": "v", "desc": "true", "iprange": NET}, []),
        ("exports", {"volume": "v", "exports": [{"desc": 1.1, "iprange": NET}]}, [f"item 1 ('1.1'): desc {NUMBER}"]),
        ("volumes", {"volumes": [{"name": 8, "bucket": OTHER}]}, [f"item 1 ('8'): name {NUMBER}"]),
        # Ansible has made text of it before the task sees it.
        ("export", {"volume": "v", "desc": 1.1, "iprange": NET}, []),
        ("quota", {"volume": "v", "path": "/a", "size": "4095"}, [SMALL]),
        ("quota", {"volume": "v", "path": "/a", "size": "10B"}, []),
    ],
    ids=str,
)
@pytest.mark.usefixtures("volume")
def test_a_likely_mistake_comes_with_a_warning(run: Run, module: str, options: Options, warnings: list[str]) -> None:
    given = run(module, **options, check=True)["warnings"]
    assert [text for text in given if "does not exist yet" not in text] == warnings


def test_what_is_there_already_is_not_warned_of(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.add_quota(volume, path="/a", size=5)
    item = {"path": "/a", "size": 5}
    for module, options in (
        ("quota", {"volume": "v", **item}),
        ("quotas", {"volume": "v", "quotas": [item]}),
        ("volumes", {"volumes": [{"name": "v", "quotas": [item]}]}),
    ):
        result = run(module, **options)
        assert (result["changed"], result["warnings"]) == (False, [])
    emulator.add_export(volume, desc="web", iprange=NET)
    (warning,) = run("export", volume="v", desc="web", iprange="*", check=True)["warnings"]
    assert warning.startswith("export 'web' will let any address write.")


@pytest.mark.parametrize("module", ["volume", "volumes"])
def test_a_second_volume_on_a_bucket_comes_with_a_warning(run: Run, volume: int, module: str) -> None:
    names = ["renamed"] if module == "volume" else ["renamed", *"bcdefgh"]
    items = [{"name": name, "bucket": f"{BUCKET}/"} for name in names]
    for check in (True, False):
        result = run(module, check=check, **(items[0] if module == "volume" else {"volumes": items}))
        first, *others = result["warnings"]
        assert f"volume 'renamed' is new, but volume 'v' (id {volume}) has the same bucket. " in first
        assert first.endswith("If it was meant to be renamed, give it that name again: a volume keeps its name.")
        assert len(others) == (0 if module == "volume" else 7)
    again = run(module, **(items[0] if module == "volume" else {"volumes": items}))
    assert again["warnings"] == []


WANTED: dict[str, Options] = {
    "export": {"desc": "web", "iprange": NET},
    "quota": {"path": "/a", "size": "1GiB"},
    "exports": {"exports": [{"desc": "web", "iprange": NET}, {"desc": "old", "state": "absent"}], "purge": True},
    "quotas": {"quotas": [{"path": "/a", "size": "1GiB"}, {"path": "/b", "inodes": 5}]},
}


def without_headers(diff: Options) -> Options:
    return {name: value for name, value in diff.items() if not name.endswith("_header")}


@pytest.mark.promise("check-mode-predicts")
@pytest.mark.parametrize("module", WANTED)
def test_in_check_mode_a_named_volume_is_taken_as_created(run: Run, emulator: Emulator, module: str) -> None:
    predicted = run(module, volume="v", check=True, **WANTED[module])
    assert ["Volume 'v' does not exist yet" in warning for warning in predicted["warnings"]] == [True]
    refused = run(module, volume="v", **WANTED[module])
    assert "volume 'v' does not exist. Check the name, or create the volume first." in refused["msg"]
    quoted = run(module, volume="'v'", **WANTED[module])
    assert quoted["msg"].endswith(" The name is in quotation marks, which are taken as part of it.")
    other = emulator.add_volume(name="other", bucket=OTHER)
    mistaken = run(module, volume=f" {other}", **WANTED[module])
    assert f"{other} is the id of volume 'other': use its name." in mistaken["msg"]
    assert emulator.writes == []
    emulator.add_volume(name="v", bucket=BUCKET)
    done = run(module, volume="v", **WANTED[module])
    assert predicted["changed"] is done["changed"] is True
    assert without_headers(predicted["diff"]) == without_headers(done["diff"])


@pytest.mark.parametrize("target", [{"volume": "mistyped"}, {"volume_id": 999}], ids=str)
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_what_is_absent_with_its_volume_comes_with_a_warning(run: Run, module: str, target: Options) -> None:
    item = {"path": "/a", "state": "absent"}
    result = run(module, **target, **(item if module == "quota" else {"quotas": [item]}))
    assert (result.get("failed"), result["changed"], result.get("unchanged", 1)) == (None, False, 1)
    name = "'mistyped'" if "volume" in target else "(id 999)"
    (warning,) = result["warnings"]
    assert warning.startswith(f"Volume {name} does not exist, so there is nothing to delete in it.")


@pytest.mark.parametrize("answers", ["plain", "terse", "html", "odd"])
def test_a_quota_of_a_directory_that_does_not_exist_may_be_refused(console: Console, answers: str) -> None:
    console.reset(directories="root", answers=answers)
    result = console.quota(path="/new", size="1GiB")
    assert "If the directory does not exist, let a client make it: the API cannot." in result["msg"]
    assert (result["changed"], console.quotas) == (False, [])
    assert console.quota(path="/", size="1GiB")["changed"] is True
