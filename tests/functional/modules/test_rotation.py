# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A new token for an export: at no moment are clients without one, whoever is killed and whoever else does the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from emulator import Fault
from functional.support.one_volume import Console, others, serve_lists

RIGHTS = {"iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False}
OLD = 2001


@pytest.mark.parametrize(
    ("method", "changed", "fields", "what"),
    [
        ("PUT", "web (next)", {"desc": "api"}, "desc is 'api', wanted 'web (next)'"),
        ("PUT", "web (next)", {"iprange": "*"}, "iprange is '*', wanted"),
        ("POST", "web", {"iprange": "*"}, "iprange is '*', wanted"),
    ],
)
def test_a_state_ends_where_somebody_else_changes_what_it_relies_on(
    console: Console, method: str, changed: str, fields: dict[str, str], what: str
) -> None:
    ids = {"web": console.has_export(desc="web", **RIGHTS)}
    state: dict[str, Any] = {"state": "started"}
    if method == "PUT":
        ids["web (next)"] = console.has_export(desc="web (next)", **RIGHTS)
        state = {"state": "finished", "id": ids["web (next)"]}
    change = others("update", "exports", console.volume, at=(method, 1, "after"), id=ids[changed], fields=fields)
    console.emulator.inject(change)
    result = console.run("export_rotation", desc="web", **state)
    assert f"the export with the id {ids[changed]} is not as expected: {what}" in result["msg"]
    assert (result["failed"], result["changed"], len(console.exports)) == (True, True, 2)


FLAGS = {name: value for name, value in RIGHTS.items() if name != "iprange"}
WEB = {"id": 1, "desc": "web", **RIGHTS, "token": "a"}
NEXT = {**WEB, "id": 2, "desc": "web (next)", "token": "b"}
LEFT = {**WEB, "id": 3, "desc": "web (old)", "token": "c"}
REFUSALS: dict[str, tuple[list[dict[str, Any]], str, dict[str, Any], str]] = {
    "a number out of bounds": (
        [WEB],
        "started",
        {"wait_timeout": -1},
        "wait_timeout must be from 0 to 604800, not -1.",
    ),
    "only what is left": (
        [LEFT],
        "finished",
        {},
        "There is export 'web (old)' (id 3), left over from an unfinished rotation",
    ),
    "an id too early": (
        [WEB],
        "started",
        {"id": 1},
        "give it one of its own first, with the module export and its id.",
    ),
    "an unknown field": (
        [{**WEB, "subdir": "/a", "created_at": "x"}],
        "started",
        {},
        "whether subdir must be the same",
    ),
    "a bad field": (
        [{"id": 1, "desc": "web", **FLAGS}],
        "started",
        {"fields": {"iprange": "all"}},
        "the export cannot be copied. Correct it first: iprange",
    ),
    "other addresses": (
        [WEB, {**NEXT, "iprange": "*"}],
        "started",
        {},
        "but is not like it: iprange is '*'",
    ),
    "the same token": ([WEB, {**NEXT, "token": "a"}], "started", {}, "has the same token"),
    "renamed": ([WEB, {**NEXT, "desc": "api"}], "aborted", {"id": 2}, "should be called 'web (next)'"),
    "three": ([WEB, NEXT, LEFT], "finished", {}, "it is not clear which of these exports replaces which"),
    "never started": ([WEB], "finished", {}, "id is not given. Give the id that the state started returned"),
    "too late": ([WEB], "aborted", {"id": 1}, "has taken the place of the old export already"),
}


@pytest.mark.promise("rotation-guesses-nothing")
@pytest.mark.parametrize(("listed", "state", "options", "message"), REFUSALS.values(), ids=REFUSALS)
def test_what_is_not_known_is_refused_before_anything_is_written(
    console: Console, listed: list[dict[str, Any]], state: str, options: dict[str, Any], message: str
) -> None:
    serve_lists(console.emulator, "exports$", listed)
    result = console.run("export_rotation", **{"desc": "web", "state": state, **options})
    assert message in result["msg"]
    assert (result["failed"], result["changed"], console.sent) == (True, False, [])
    assert "record" not in result, "the export that clients should use is in export"


@pytest.mark.promise("rotation-guesses-nothing")
def test_what_the_console_does_not_show_or_nobody_knows_is_taken_from_fields(console: Console) -> None:
    console.has_export(desc="web", **RIGHTS)
    shown = {"id": OLD, "desc": "web", "iprange": "10.0.0.0/8", "subdir": "/a", "mount": {"token": "x"}, "created": "x"}
    serve_lists(console.emulator, "exports$", [shown])
    fields = {"apionly": False, "readonly": "yes", "appendonly": False, "subdir": "/a", "mount": None}
    console.run("export_rotation", desc="web", state="started", fields=fields, wait_timeout=0)
    assert console.sent == [("POST", {"desc": "web (next)", **RIGHTS, "subdir": "/a"})]


def export_with(console: Console, identity: int) -> dict[str, Any]:
    return next(each for each in console.exports if each["id"] == identity)


@pytest.mark.promise("token-files-are-private", "no-secret-in-output")
def test_the_file_has_the_token_that_clients_are_to_use(console: Console, tmp_path: Path) -> None:
    old = console.has_export(desc="web", **RIGHTS, token="old-token-0123")
    path = tmp_path / "token"
    task = {"desc": "web", "token_file": str(path)}
    results = [console.run("export_rotation", state="started", check=True, **task)]
    assert not path.exists()
    results += [console.run("export_rotation", state="started", **task) for _time in range(2)]
    first = path.read_text(encoding="utf-8").strip()
    new = results[1]["export"]["id"]
    assert (first, path.stat().st_mode & 0o777) == (export_with(console, new)["token"], 0o600)
    results.append(console.run("export_rotation", state="aborted", **task, id=new))
    assert path.read_text(encoding="utf-8") == "old-token-0123\n"
    results.append(console.run("export_rotation", state="started", **task))
    new = results[-1]["export"]["id"]
    path.unlink()
    results.append(console.run("export_rotation", state="finished", **task, id=new))
    assert path.read_text(encoding="utf-8").strip() == export_with(console, new)["token"]
    assert [result["changed"] for result in results] == [True, True, False, True, True, True]
    assert (results[2]["msg"], results[2]["diff"]["after"]) == ("export 'web' of volume 'v': unchanged", {})
    assert "token file written" in results[-1]["msg"]
    assert not [token for token in ("old-token-0123", first) if token in json.dumps(results)]
    assert [each["id"] for each in console.exports] == [new] != [old]


@pytest.mark.parametrize("has_file", [True, False])
def test_a_file_that_was_written_before_the_rotation_failed_is_a_change(
    console: Console, tmp_path: Path, has_file: bool
) -> None:
    console.has_export(desc="web", **RIGHTS)
    path = tmp_path / "token"
    task = {"desc": "web", "token_file": str(path)}
    new = console.run("export_rotation", state="started", **task)["export"]["id"]
    if not has_file:
        path.unlink()
    console.emulator.inject(Fault("status", method="PUT", status=403, times=None))
    result = console.run("export_rotation", state="finished", **task, id=new)
    assert (result["failed"], result["changed"]) == (True, not has_file)
    assert path.read_text(encoding="utf-8").strip() == export_with(console, new)["token"]


@pytest.mark.promise("check-mode-predicts")
def test_check_mode_predicts_each_state_and_the_plan_can_be_approved(console: Console) -> None:
    console.has_export(desc="web", **RIGHTS)
    new = None
    for state, writes in (("started", ["POST"]), ("finished", ["PUT", "PUT", "DELETE"])):
        options = {"desc": "web", "state": state, "id": new}
        console.emulator.forget_requests()
        predicted = console.run("export_rotation", check=True, **options)
        refused = console.run("export_rotation", expected_plan=f"v2-{'0' * 64}", **options)
        assert ("not the plan that was approved" in refused["msg"], console.sent) == (True, [])
        assert (refused["diff"], predicted.get("unverified")) == (predicted["diff"], None)
        done = console.run("export_rotation", expected_plan=predicted["plan_checksum"], **options)
        assert [method for method, _body in console.sent] == writes
        assert (done["changed"], done["diff"], done["plan_checksum"]) == (
            True,
            predicted["diff"],
            predicted["plan_checksum"],
        )
        assert predicted["export"].items() <= done["export"].items()
        new = done["export"]["id"]
    assert done["diff"]["before"].keys() == {"web", "web (next)"}
    assert done["diff"]["after"].keys() == {"web"}


@pytest.mark.promise("unshown-is-unverified")
def test_a_token_that_is_not_shown_is_not_known_to_be_another(console: Console, tmp_path: Path) -> None:
    console.reset(record_fields="sent")
    console.has_export(desc="web", **RIGHTS)
    assert console.run("export_rotation", desc="web", state="started")["unverified"] == ["token"]
    failed = console.run("export_rotation", desc="web", state="started", token_file=str(tmp_path / "token"))
    assert "the console does not show its token" in failed["msg"]


@pytest.mark.parametrize(("put", "puts"), [("documented", 2), ("reset", 3)])
def test_where_an_update_resets_fields_the_next_one_carries_all_and_a_deletion_nothing(
    console: Console, put: str, puts: int
) -> None:
    console.reset(put=put)
    console.has_export(desc="web", **RIGHTS)
    new = console.run("export_rotation", desc="web", state="started")["export"]["id"]
    result = console.run("export_rotation", desc="web", state="finished", id=new)
    assert any("It was restored." in warning for warning in result.get("warnings", ())) is (put == "reset")
    assert [method for method, _body in console.sent[1:]] == ["PUT"] * puts + ["DELETE"]
    assert console.sent[-1] == ("DELETE", None)


def test_a_console_that_resets_fields_for_good_keeps_one_export_as_it_was(console: Console) -> None:
    console.reset(put="lose")
    console.has_export(desc="web", **RIGHTS)
    new = console.run("export_rotation", desc="web", state="started")["export"]["id"]
    for _time in range(3):
        failed = console.run("export_rotation", desc="web", state="finished", id=new)
        assert failed["failed"]
        assert {name: export_with(console, new)[name] for name in RIGHTS} == RIGHTS
