# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists that also hold records of another kind: those are left alone and named, and no request names them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from emulator import Emulator, Fault
from emulator.lists import OTHER_ID
from functional.support.faults import serve_lists
from functional.support.inprocess import Run
from functional.support.one_volume import Console

OTHER = OTHER_ID + 101
RIGHTS = {"apionly": False, "readonly": False, "appendonly": False}
WARNING = "Left alone: 1 of the {}s of volume 'v' (ids {}), without a {} and so of another kind."
OF_EXPORTS, OF_QUOTAS = WARNING.format("export", OTHER, "desc"), WARNING.format("quota", OTHER, "path")


@pytest.fixture(params=["absent", "null"])
def mixed(request: pytest.FixtureRequest, console: Console) -> Console:
    """Return a console with an export web, a quota /a, and a record of another kind in both lists."""
    console.reset(other_kinds=request.param, list_shape="page", page_size=1, numbers="string")
    console.has_export(desc="web", iprange="*")
    console.has_quota(path="/a", size=5)
    return console


WRITERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "export": ({"desc": "web", "iprange": "::1"}, [OF_EXPORTS]),
    "quota": ({"path": "/b", "size": 4096}, [OF_QUOTAS]),
    "exports": ({"exports": [{"desc": "db", "iprange": "*"}], "purge": True, "max_deletions": 1}, [OF_EXPORTS]),
    "quotas": ({"quotas": [{"path": "/b", "size": 1}, {"path": "/a", "state": "absent"}], "purge": True}, [OF_QUOTAS]),
    "export_rotation": ({"desc": "web", "state": "started"}, [OF_EXPORTS]),
}


@pytest.mark.promise("other-kinds-are-left-alone")
@pytest.mark.parametrize(("module", "options", "warnings"), [(name, *row) for name, row in WRITERS.items()])
def test_no_request_names_them_and_a_task_says_so_once(
    mixed: Console, module: str, options: dict[str, Any], warnings: list[str]
) -> None:
    predicted = mixed.run(module, **options, check=True)
    done = mixed.run(module, **options)
    assert (done.get("failed"), done["changed"], predicted["diff"] == done["diff"]) == (None, True, True)
    for result in (predicted, done):
        assert [text for text in result["warnings"] if "another kind" in text] == warnings
        assert str(OTHER) not in json.dumps(result["diff"])
    assert mixed.emulator.strays == []


@pytest.mark.promise("other-kinds-are-left-alone")
def test_a_document_leaves_them_alone_in_each_list(mixed: Console, run: Run) -> None:
    mixed.has_quota(path="/gone", size=5)
    item = {"name": "v", "exports": [], "quotas": [{"path": "/a", "size": 5}]}
    result = run("volumes", volumes=[item], purge=["exports", "quotas"], max_deletions="100%")
    assert result["msg"] == "volumes: 1 unchanged; exports: 1 deleted; quotas: 1 deleted, 1 unchanged"
    assert [text for text in result["warnings"] if "another kind" in text] == [OF_EXPORTS, OF_QUOTAS]
    assert mixed.emulator.strays == []


@pytest.mark.promise("other-kinds-are-left-alone")
@pytest.mark.parametrize("state", ["present", "absent"])
def test_an_item_that_names_one_by_id_is_refused_before_a_write(mixed: Console, run: Run, state: str) -> None:
    named = {"id": OTHER, "path": "/x", "size": 1, "state": state}
    other = {"path": "/new", "size": 1}
    results = [
        mixed.quota(**named),
        mixed.run("quotas", quotas=[other, named]),
        run("volumes", volumes=[{"name": "v", "quotas": [other, named]}]),
        mixed.run("export_rotation", desc="web", state="finished", id=OTHER),
        mixed.run("export_rotation", desc="web", state="aborted", id=OTHER),
    ]
    for result in results:
        assert "so it is of another kind, and no task may change it. Leave the item out" in result["msg"]
        assert (result["failed"], result["changed"]) == (True, False)
    assert mixed.sent == []


@pytest.mark.promise("other-kinds-are-left-alone")
def test_what_goes_with_a_volume_counts_them(mixed: Console, run: Run, tmp_path: Path) -> None:
    gone = {"name": "v", "state": "absent"}
    predicted = run("volume", **gone, check=True)
    result = run("volumes", volumes=[gone], max_deletions="100%", plan_file=str(tmp_path / "plan.json"))
    before = predicted["diff"]["before"]
    assert before["exports"] == ["web", "and 1 of another kind"]
    assert before["quotas"] == ["/a", "and 1 of another kind"]
    assert result["diff"]["prepared"] == "- volume v, with 2 exports and 2 quotas\n"
    (entry,) = [each for each in json.loads((tmp_path / "plan.json").read_text()) if each["kind"] == "volumes"]
    assert entry["other_kinds"] == {"exports": 1, "quotas": 1}
    # They are not left alone.
    assert [text for text in (*predicted["warnings"], *result["warnings"]) if "another kind" in text] == []
    assert mixed.emulator.strays == []


@pytest.mark.usefixtures("mixed")
def test_modules_that_only_list_show_them_as_they_come(run: Run) -> None:
    results = [
        run("export_info")["exports"],
        run("quota_info", volume="v")["quotas"],
        run("volume_info", gather=["all"])["volumes"][0]["exports"],
    ]
    assert [[str(record["id"]) for record in found] for found in results] == [
        [str(OTHER), "2001"],
        [str(OTHER), "30001"],
        [str(OTHER), "2001"],
    ]
    assert (results[0][0]["type"], results[1][0]["type"]) == ("metrics", "user")
    assert run("export_info")["warnings"] == []
    # The root may have a blank path, but it must have one.
    assert run("quota_info", path="/")["quotas"] == []


ROOT, FOREIGN = {"id": 1, "path": "/", "size": 5}, {"id": 7, "uid": 1000, "size": 5}
NO_PATH = "the console shows quotas without a usable path (ids {}): they cannot be identified"
UNDECIDABLE: dict[str, tuple[list[dict[str, Any]], str]] = {
    "no record shows its key": ([FOREIGN, {"id": 8, "path": None}], "7, 8"),
    "a key of a wrong type": ([ROOT, FOREIGN, {"id": 9, "path": ["/"]}], "9"),
}


@pytest.mark.parametrize(("listed", "ids"), UNDECIDABLE.values(), ids=UNDECIDABLE)
@pytest.mark.parametrize("state", ["present", "absent"])
def test_where_keys_may_be_hidden_nothing_is_done(
    run: Run, emulator: Emulator, volume: int, listed: Any, ids: str, state: str
) -> None:
    serve_lists(emulator, "quotas$", listed)
    alone = run("quota", volume_id=volume, path="/b", size=1, state=state)
    below = run("volumes", volumes=[{"name": "v", "quotas": [{"path": "/b", "size": 1, "state": state}]}])
    for result in (alone, below):
        assert NO_PATH.format(ids) in result["msg"]
        assert (result["failed"], result["changed"]) == (True, False)
    assert emulator.writes == []


def test_a_volume_without_a_name_is_no_other_kind(run: Run, emulator: Emulator) -> None:
    serve_lists(emulator, "volumes$", [{"id": 1, "name": "v"}, {"id": 2}])
    assert "volumes without a usable name (ids 2)" in run("volume", name="v")["msg"]


@pytest.mark.promise("success-is-true")
def test_the_last_record_beside_them_is_deleted_and_then_nothing_tells_keys_apart(mixed: Console) -> None:
    done, again = (mixed.quota(path="/a", state="absent") for _time in range(2))
    assert (done.get("failed"), done["changed"], mixed.quotas) == (None, True, [])
    assert (again["failed"], again["changed"]) == (True, False)
    assert NO_PATH.format(OTHER) in again["msg"]
    assert mixed.emulator.strays == []


@pytest.mark.promise("success-is-true")
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_record_that_loses_its_key_is_not_taken_for_gone(
    run: Run, emulator: Emulator, volume: int, state: str
) -> None:
    emulator.add_quota(volume, id=1, path="/", size=5)
    serve_lists(emulator, "quotas$", [ROOT, {"id": 2, "path": "/b"}], [{"id": 1, "size": 5}, {"id": 2, "path": "/b"}])
    result = run("quota", volume_id=volume, path="/", size=6, state=state)
    assert (result["failed"], result["changed"]) == (True, True)
    assert NO_PATH.format(1) in result["msg"]


@pytest.mark.promise("lost-creation-is-found")
def test_a_creation_that_may_be_shown_without_its_key_is_not_sent_again(
    run: Run, emulator: Emulator, volume: int
) -> None:
    serve_lists(emulator, "quotas$", [ROOT], [ROOT, FOREIGN])
    emulator.inject(Fault("reset_before", method="POST"))
    result = run("quota", volume_id=volume, path="/b", size=1)
    assert "quota (id 7) is new in the list, without a key, and may be the one." in result["msg"]
    assert (result["failed"], result["changed"]) == (True, True)
    assert [request.method for request in emulator.writes] == ["POST"]


@pytest.mark.promise("other-kinds-are-left-alone")
@pytest.mark.parametrize("is_first", [True, False])
def test_one_that_shares_the_id_of_ours_stops_a_task(run: Run, emulator: Emulator, volume: int, is_first: bool) -> None:
    listed = [{"id": 1, "type": "user", "uid": 1000}, {"id": 1, "path": "/a", "size": 5}]
    serve_lists(emulator, f"{volume}/quotas$", listed if is_first else listed[::-1])
    for options in ({"quotas": [{"path": "/a", "size": 6}]}, {"quotas": [], "purge": True, "max_deletions": "100%"}):
        result = run("quotas", volume="v", **options)
        assert "quotas of different kinds with the same id (ids 1): they cannot be identified" in result["msg"]
    assert emulator.writes == []
