# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Consoles that others change too: ignored records, limits on deletions, and only approved plans are carried out."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run

OTHER_PLAN = f"v2-{64 * '0'}"
PVC = ["/pvc-*"]


@pytest.fixture
def quotas(emulator: Emulator, volume: int) -> list[int]:
    """Return the ids of a driver's two quotas, and of ours."""
    return [emulator.add_quota(volume, path=path, size=1) for path in ("/pvc-1", "/pvc-2", "/a", "/b", "/c", "/d")]


def paths(emulator: Emulator, volume: int) -> list[str]:
    return [record["path"] for record in emulator.quotas(volume)]


@pytest.mark.usefixtures("quotas")
def test_what_is_ignored_is_neither_changed_nor_purged_and_is_counted(
    run: Run, emulator: Emulator, volume: int
) -> None:
    result = run("quotas", volume="v", quotas=[{"path": "/a", "size": 2}], purge=True, ignore=PVC)
    assert result["msg"] == "quotas of volume 'v': 1 updated, 3 deleted, 2 ignored"
    assert result["counts"]["ignored"] == 2
    assert paths(emulator, volume) == ["/pvc-1", "/pvc-2", "/a"]


@pytest.mark.usefixtures("quotas")
def test_a_document_ignores_in_all_its_lists(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.add_export(volume, desc="csi-1", iprange="*")
    emulator.add_volume(name="k8s-1", bucket="https://k8s.example.com")
    item = {"name": "v", "exports": [], "quotas": [{"path": "/a", "size": 1}]}
    ignore = {"exports": ["csi-*"], "quotas": PVC, "volumes": ["k8s-*"]}
    result = run("volumes", volumes=[item], purge=["exports", "quotas"], ignore=ignore)
    assert result["msg"] == (
        "volumes: 1 unchanged, 1 ignored; exports: 1 ignored; quotas: 3 deleted, 1 unchanged, 2 ignored"
    )


@pytest.mark.usefixtures("volume")
@pytest.mark.parametrize(
    "item",
    [{"path": "/pvc-9", "size": 1}, {"path": "//pvc-9/", "state": "absent"}],
    ids=["present", "absent"],
)
def test_an_item_that_is_ignored_is_refused_before_the_first_request(
    run: Run, emulator: Emulator, item: dict[str, Any]
) -> None:
    alone = run("quotas", volume="v", ignore=["/pvc-9"], quotas=[item])
    below = run("volumes", volumes=[{"name": "v", "quotas": [item]}], ignore={"quotas": ["/pvc-9"]})
    for result in (alone, below):
        assert "is ignored, by the pattern '/pvc-9'. Leave out the item or the pattern." in result["msg"]
    assert [(error["volume"], error["kind"], error["key"]) for error in below["errors"]] == [
        ("v", "quotas", item["path"])
    ]
    assert emulator.requests == []


@pytest.mark.usefixtures("volume", "quotas")
@pytest.mark.parametrize(
    ("limit", "fails"), [(3, False), ("2", True), ("100%", False), ("74%", False), ("0", True), (None, False)]
)
def test_deletions_are_counted_in_check_mode_too(run: Run, emulator: Emulator, limit: Any, fails: bool) -> None:
    items = [{"path": "/a", "size": 1}, {"path": "/b", "state": "absent"}]
    for check in (True, False):
        given = {"volume": "v", "quotas": items, "purge": True, "ignore": PVC, "max_deletions": limit}
        result = run("quotas", **given, check=check)
        assert bool(result.get("failed")) is fails
    if fails:
        assert result["msg"] == (
            f"Nothing was changed: more would be deleted than max_deletions, {limit}, allows. quotas of volume 'v': 3 of 4"
            " would be deleted ('/b', '/c', '/d'). If that is meant, set max_deletions (in the role apply,"
            " apply_max_deletions) to 3."
        )
        assert emulator.writes == []


@pytest.mark.usefixtures("emulator", "volume", "quotas")
def test_what_goes_with_a_volume_is_counted_in_its_own_list(run: Run) -> None:
    gone = {"volumes": [{"name": "v", "state": "absent"}], "ignore": {"quotas": PVC}}
    planned = run("volumes", **gone, check=True)["plan_checksum"]
    assert run("quota", volume="v", path="/a", size=4096)["changed"]
    assert "is not the plan that was approved" in run("volumes", **gone, expected_plan=planned)["msg"]
    refused = run("volumes", **gone, max_deletions="30%")
    assert "quotas of volume 'v': 4 of 4 would be deleted ('/a', '/b', '/c', ...)." in refused["msg"]
    allowed = run("volumes", **gone, max_deletions="4")
    assert allowed["diff"]["prepared"] == "- volume v, with 0 exports and 6 quotas, 2 of them ignored\n"
    assert allowed["msg"] == "volumes: 1 deleted"


@pytest.mark.usefixtures("volume")
@pytest.mark.parametrize(("limit", "fails"), [("99%", True), ("1000", True), ("100%", False)])
def test_what_cannot_be_counted_is_deleted_where_all_may_be(
    run: Run, emulator: Emulator, limit: str, fails: bool
) -> None:
    emulator.inject(Fault("status", path="/quotas", status=500, times=None))
    gone = [{"name": "v", "state": "absent"}]
    result = run("volumes", volumes=gone, max_deletions=limit, retries=0, check=True)
    assert bool(result.get("failed")) is fails
    if fails:
        assert (
            "quotas of volume 'v': it is not known how much goes with the volume. If all of it may go, allow 100%. GET "
            in result["msg"]
        )


WRITERS = [
    pytest.param("volumes", {"volumes": [{"name": "v", "state": "absent"}]}, id="the deletion of a volume"),
    pytest.param("exports", {"volume": "v", "exports": [{"desc": "new", "iprange": "*"}]}, id="exports"),
    pytest.param("volumes", {"volumes": [{"name": "v", "quotas": [{"path": "/a", "size": "1K"}]}]}, id="volumes"),
]


@pytest.mark.usefixtures("quotas")
@pytest.mark.parametrize(("module", "options"), WRITERS)
def test_what_was_approved_is_what_is_done(run: Run, emulator: Emulator, module: str, options: dict[str, Any]) -> None:
    planned = run(module, **options, check=True)
    refused = run(module, **options, expected_plan=OTHER_PLAN)
    assert refused["msg"].startswith(
        f"Nothing was changed: this is not the plan that was approved. expected_plan is {OTHER_PLAN}, and the plan is now"
        f" {planned['plan_checksum']}"
    )
    told = planned["msg"].removesuffix(" (check mode: nothing was written)")
    assert refused["msg"].endswith(f"and have that approved. The plan is: {told}.")
    assert emulator.writes == []
    shown = planned.keys() - {"msg", "changed", "invocation"}
    assert {name: refused[name] for name in shown} == {name: planned[name] for name in shown}
    assert refused["changed"] is False
    done = run(module, **options, expected_plan=planned["plan_checksum"])
    assert done["changed"]
    assert done["plan_checksum"] == planned["plan_checksum"]
    again = run(module, **options, expected_plan=planned["plan_checksum"])
    assert (again["changed"], again["plan_checksum"]) == (False, "nothing")


def test_an_approval_covers_fields_that_the_console_does_not_show(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(put_hides="sent"))
    web = emulator.add_export(emulator.add_volume(name="v", bucket="https://v.example.com"), desc="old", iprange="::1")
    assert run("export", volume="v", id=web, iprange="10.0.0.0/8")["changed"]
    renamed = {"id": web, "desc": "web", "iprange": "10.0.0.0/8"}
    planned = run("exports", volume="v", exports=[renamed], check=True)
    assert planned["changes"][0]["fields"]["iprange"] == {"before": None, "after": "10.0.0.0/8"}
    opened = {"volume": "v", "exports": [renamed | {"iprange": "*"}]}
    (warning,) = run("exports", **opened, check=True)["plan_warnings"]
    assert "will let any address write" in str(warning)
    refused = run("exports", **opened, expected_plan=planned["plan_checksum"])
    assert "is not the plan that was approved" in refused["msg"]


@pytest.mark.parametrize(
    "item",
    [{"quotas": [{"path": "/x", "size": 1}]}, {"state": "absent"}],
    ids=["to be written", "lost with its volume"],
)
def test_a_list_that_cannot_be_read_has_no_plan(
    run: Run, emulator: Emulator, volume: int, tmp_path: Path, item: dict[str, Any]
) -> None:
    emulator.inject(Fault("status", path=f"/volumes/{volume}/quotas", status=500, times=None))
    file = tmp_path / "plan.json"
    given = {"volumes": [{"name": "v", **item}], "retries": 0, "plan_file": str(file)}
    planned = run("volumes", **given, check=True)
    assert [entry["kind"] for entry in json.loads(file.read_text(encoding="utf-8"))] == ["volumes"] * ("state" in item)
    refused = run("volumes", **given, expected_plan=planned["plan_checksum"])
    assert refused["msg"].startswith(
        "Nothing was changed: the plan cannot be compared with the approved one. Run the task again, or leave out"
        " expected_plan to do what can be done. The quotas of volume 'v' cannot be read: GET "
    )
    assert emulator.writes == []


@pytest.mark.usefixtures("quotas")
@pytest.mark.parametrize("check", [True, False])
def test_the_plan_is_written_to_a_private_file(
    run: Run, emulator: Emulator, volume: int, tmp_path: Path, check: bool
) -> None:
    path = tmp_path / "plan.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o644)
    items = [{"path": "/a", "size": "1K"}, {"path": "/new", "inodes": 5}, {"path": "/b", "state": "absent"}]
    result = run("quotas", volume="v", quotas=items, plan_file=str(path), check=check)
    plan = {entry["key"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))}
    assert path.read_text(encoding="utf-8").startswith('[\n {\n  "action": '), (
        "lines that differ little in a repository"
    )
    assert result["changed"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
    assert {key: entry["action"] for key, entry in plan.items()} == {"/a": "update", "/new": "create", "/b": "delete"}
    assert {(entry["volume"], entry["volume_id"]) for entry in plan.values()} == {("v", volume)}
    assert plan["/a"]["before"] == {"path": "/a", "size": 1, "inodes": 0}
    assert plan["/a"]["after"] == {"path": "/a", "size": 1024, "inodes": 0}
    assert bool(emulator.writes) is not check


@pytest.mark.usefixtures("volume")
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("plan.json", "plan_file plan.json must be an absolute path."),
        ("/nowhere/plan.json", "plan_file /nowhere/plan.json must be writable: No such file or directory."),
        ("/tmp/plan\0.json", "embedded null"),
    ],
)
def test_a_plan_that_cannot_be_written_stops_the_task(run: Run, emulator: Emulator, path: str, message: str) -> None:
    assert message in run("quotas", volume="v", quotas=[{"path": "/a", "size": 1}], plan_file=path)["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize(
    ("found", "purge", "why"),
    [
        pytest.param({"path": "/a", "size": 1}, [], "", id="as wanted"),
        pytest.param({"path": "/z", "size": 1}, [], "", id="another"),
        pytest.param({"path": "/a", "size": 7}, [], "quota '/a' (id", id="to be updated"),
        pytest.param({"path": "/z", "size": 7}, ["quotas"], "quota '/z' (id", id="to be purged"),
    ],
)
def test_nothing_but_planned_creations_are_done_in_a_new_volume(
    run: Run, emulator: Emulator, clock: FakeClock, found: dict[str, Any], purge: list[str], why: str
) -> None:
    emulator.reset(Dialect(ready_after=1.0))
    clock.on_next_sleep(lambda: emulator.add_quota(emulator.volumes()[0]["id"], **found))
    wanted = [{"path": "/a", "size": 1}, {"path": "/b", "size": 1}]
    item = {"name": "w", "bucket": "https://w.example.com", "quotas": wanted}
    result = run("volumes", volumes=[item], purge=purge)
    if not why:
        assert not result.get("failed")
        return
    (error,) = result["errors"]
    assert why in error["msg"]
    assert "which was not planned. Look at it, and run the task again." in error["msg"]
    assert (result["quotas"]["updated"], result["quotas"]["deleted"]) == ([], [])
    assert {request.method for request in emulator.writes} == {"POST"}
    assert "w: /b" in result["quotas"]["created"]


@pytest.mark.promise("console-is-the-one")
@pytest.mark.parametrize(("module", "options"), [("volumes", {"volumes": []}), ("volume_info", {})])
def test_another_console_is_refused_before_the_first_request(
    run: Run, emulator: Emulator, module: str, options: dict[str, Any]
) -> None:
    refused = run(module, **options, consoles=["https://console.example.com/api/v1/"])
    assert refused["msg"].startswith(
        f"Nothing was read or changed: this is for https://console.example.com, and console_url is {emulator.url}."
    )
    assert emulator.requests == []
    assert not run(module, **options, consoles=["https://other.example.com", f"{emulator.url}/api/v1"]).get("failed")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"consoles": []}, "consoles must be a list of at least one address of a console."),
        ({"consoles": ["ftp://x"]}, "consoles is not the address of a console: it does not start with"),
        ({"max_deletions": "101%"}, "max_deletions must be a number, or a share from 0% to 100%, not '101%'."),
        ({"expected_plan": "x"}, "expected_plan must be the plan_checksum of a result"),
        ({"ignore": {"quotas": ["x"]}}, "ignore.quotas: the pattern 'x' must begin with / or *"),
        (
            {"volumes": [{"name": "v", "ignore": {"quotas": ["/x"]}}]},
            "there is no option ignore. ignore: move it to console.yml or the task, which count for all volumes. Supported",
        ),
        (
            {
                "volumes": [
                    {
                        "name": "v",
                        "quotas": [{"path": "/a", "renamed_from": "/old"}, {"path": "/b", "renamed_from": "/old"}],
                    }
                ]
            },
            "quotas item 2 ('/b'): refers to the same record as item 1 ('v'), quotas item 1 ('/a').",
        ),
        (
            {"volumes": [{"name": "v", "exports": [{"desc": "a", "renamed_from": "b"}, {"desc": "b"}]}]},
            "exports item 2 ('b'): refers to the same record as item 1 ('v'), exports item 1 ('a').",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_first_request(
    run: Run, emulator: Emulator, options: dict[str, Any], message: str
) -> None:
    result = run("volumes", **{"volumes": [], **options})
    assert message in result["msg"]
    assert emulator.requests == []


@pytest.mark.promise("rename-keeps-the-record")
@pytest.mark.parametrize("put", ["documented", "reset"])
@pytest.mark.parametrize("kind", ["reset_before", "reset_after"])
@pytest.mark.parametrize("nth", range(1, 7))
def test_a_rename_that_is_cut_off_at_any_request_is_completed(
    run: Run, emulator: Emulator, nth: int, kind: str, put: str
) -> None:
    emulator.reset(Dialect(put=put))
    volume = emulator.add_volume(name="v", bucket="https://v.example.com")
    identity = emulator.add_export(volume, desc="old", iprange="10.0.0.0/8", readonly=True)
    other = emulator.add_export(volume, desc="other", iprange="10.0.0.0/8")
    before = {record["id"]: record for record in emulator.exports(volume)}
    items = [{"desc": "new", "renamed_from": "old", "iprange": "10.0.0.0/8"}]
    emulator.inject(Fault(kind, nth=nth, times=None))
    run("exports", volume="v", exports=items, retries=0)
    emulator.clear_faults()
    again = run("exports", volume="v", exports=items)
    assert not again.get("failed"), again["msg"]
    after = {record["id"]: record for record in emulator.exports(volume)}
    assert after[other] == before[other]
    assert after[identity]["token"] == before[identity]["token"]
    assert after.keys() == before.keys()
    assert after[identity]["desc"] == "new"
    if put == "documented":
        assert after[identity] == {**before[identity], "desc": "new"}
    assert run("exports", volume="v", exports=items)["changed"] is False


ONLY: dict[str, tuple[list[str], set[str], int]] = {
    "a name": (["v"], {"/v"}, 1),
    "a pattern": (["?"], {"/v", "/w"}, 2),
    "a new volume": (["new"], {"/new"}, 0),
    "a volume by its id": (["by id"], {"/by id"}, 1),
    "no item": (["bystander"], set(), 0),
}


@pytest.mark.promise("only-limits-a-run")
@pytest.mark.parametrize(("only", "made", "read"), ONLY.values(), ids=ONLY)
def test_a_run_is_about_some_volumes_only(
    run: Run, emulator: Emulator, only: list[str], made: set[str], read: int
) -> None:
    ids = {name: emulator.add_volume(name=name, bucket=f"https://{name}.example.com") for name in "vw"}
    ids |= {
        name: emulator.add_volume(name=name, bucket=f"https://{len(name)}.example.com")
        for name in ("by id", "bystander")
    }
    wanted: list[dict[str, Any]] = [{"name": name} for name in "vw"] + [
        {"id": ids["by id"]},
        {"name": "new", "bucket": "https://n.example.com"},
    ]
    document = [{**item, "quotas": [{"path": f"/{item.get('name', 'by id')}", "size": 4096}]} for item in wanted]
    predicted = run("volumes", volumes=document, only=only, check=True)
    assert sum(request.path.endswith("quotas") for request in emulator.requests) == read
    done = run("volumes", volumes=document, only=only)
    assert {change["key"] for change in done["changes"] if change["kind"] == "quotas"} == made
    assert (predicted["plan_checksum"], predicted["counts"]) == (done["plan_checksum"], done["counts"])
    assert done["counts"]["volumes"]["unmanaged"] == (only == ["bystander"])
    shown = run("volume_info", only=only, gather=["quotas"])["volumes"]
    assert {quota["path"] for volume in shown for quota in volume["quotas"]} == made


# An item, its pattern, and what the message or a warning says of a volume that the task is not about.
SEEN: dict[str, tuple[dict[str, Any], str, str]] = {
    "another name with its id": ({"id": 1, "name": "b", "state": "absent"}, "b", "are not the same volume"),
    "its id, and a new name": ({"id": 1, "name": "b"}, "b", "are not the same volume"),
    "no name, but what cannot be": ({"id": 1, "block_size": 65536}, "oth*", "block_size"),
    "its bucket": ({"name": "new", "bucket": "https://other.example.com"}, "new", "has the same bucket"),
}


@pytest.mark.promise("only-limits-a-run")
@pytest.mark.parametrize(("item", "only", "message"), SEEN.values(), ids=SEEN)
def test_what_a_run_is_not_about_is_seen_all_the_same(
    run: Run, emulator: Emulator, item: dict[str, Any], only: str, message: str
) -> None:
    emulator.add_volume(id=1, name="other", bucket="https://other.example.com")
    result = run("volumes", volumes=[item], only=[only], fail_on_plan_warnings=True)
    assert result["failed"]
    assert message in result["msg"]
    gone, ignore = [{"id": 1, "state": "absent"}], {"volumes": ["other"]}
    assert "is ignored, so no task may change" in run("volumes", volumes=gone, only=["oth*"], ignore=ignore)["msg"]
    assert emulator.writes == []


@pytest.mark.promise("only-limits-a-run")
def test_what_a_run_is_not_about_does_not_count(run: Run, emulator: Emulator) -> None:
    for name in [f"{letter}{number}" for letter in "ab" for number in range(6)]:
        emulator.add_volume(name=name, bucket=f"https://{name}.example.com")
    given = {"only": ["a*"], "ignore": {"volumes": ["?5"]}}
    counts = run("volumes", volumes=[{"name": "a0"}], **given)["counts"]["volumes"]
    assert (counts["unchanged"], counts["ignored"], counts["unmanaged"]) == (1, 1, 4)
    gone = [{"name": f"a{number}", "state": "absent"} for number in range(4)]
    assert "4 of 5 would be deleted" in run("volumes", volumes=gone, max_deletions="50%", **given)["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize(
    ("only", "message"),
    [
        (["v", "vv"], "Nothing was changed: 'vv' of only matches no volume. Correct it."),
        ([1], "only: the pattern 1 must be text."),
    ],
    ids=str,
)
@pytest.mark.usefixtures("volume")
def test_a_pattern_that_matches_nothing_is_refused(run: Run, emulator: Emulator, only: list[Any], message: str) -> None:
    result = run("volumes", volumes=[{"name": "w", "bucket": "https://w.example.com"}], only=only)
    assert (result["msg"], emulator.writes) == (message, [])
