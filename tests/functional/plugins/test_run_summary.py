# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action with which roles end: of which hosts it shows something, and what it writes and hands on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible_collections.managedfs.console.plugins.action import run_summary
from functional.support.actions import act

Known = dict[str, dict[str, Any]]
COUNTED = ("created", "updated", "deleted", "unchanged", "failed", "ignored", "unmanaged")


class HostVars(Known):
    """The variables of all hosts, as an action gets them."""

    def raw_get(self, host: str) -> dict[str, Any]:
        """Return those of a host, without a look for templates."""
        return self[host]


def sum_up(
    role: str, known: Known, *, hosts: str = "", lost: str = "", host: str = "", check: bool = False, **more: Any
) -> dict[str, Any]:
    """Return the summary of a play on some of the hosts, on all if there are none, shown for one of them."""
    of_play = hosts.split() or [*known]
    variables: dict[str, Any] = {
        "hostvars": HostVars(known),
        "groups": {"all": sorted(name for name in known if name != "localhost")},
        "ansible_play_hosts_all": of_play,
        "ansible_play_hosts": [name for name in of_play if name not in lost.split()],
        "inventory_hostname": host or of_play[0],
    }
    return act(run_summary, Path("/nowhere"), role=role, check=check, variables=variables, **more)


def applied(host: str, *, plan: str = "v1-0", file: Path | None = None, **given: Any) -> dict[str, Any]:
    """Return what is known of a host after `apply`."""
    numbers = {**dict.fromkeys(COUNTED, 0), "created": int(plan != "nothing")}
    result: dict[str, Any] = {
        "console": f"https://{host}.example.com",
        "msg": "done",
        "plan_checksum": plan,
        "errors": [],
    }
    result |= {"counts": {"volumes": numbers}, "changes": [], "doubts": [], "changed": plan != "nothing"}
    checked = {"given": given, **({"summary_file": str(file)} if file else {})}
    return {"__apply_variables": checked, "apply_result": result}


def reported(**given: Any) -> dict[str, Any]:
    """Return what is known of a host after `report`."""
    listed = {"console": "c.example.com", "volumes": []}
    written = {"summary": ["# `c.example.com`"], "counts": {"consoles_compared": 1, "to_create": 1}}
    return {"__report_variables": {"given": given}, "__report_listed": listed, "__report_written": written}


FAILED = {"__apply_variables": {"failed": True, "msg": "apply_volumes must be set."}}


def test_the_summary_has_the_hosts_that_a_role_has_come_to() -> None:
    one = sum_up("apply", {"a": applied("a")})
    # Only a report has a page on all consoles.
    assert one.keys() == {"changed", "failures", "msg", "ansible_stats"}
    assert (one["changed"], one["failures"]) == (False, {})
    # A single console needs no number before its summary.
    assert one["msg"][0].startswith("# ")
    known: Known = {"a": applied("a"), "b": FAILED, "c": {}, "d": {"apply_result": None}}
    assert sum_up("apply", known)["msg"][0] == "2 consoles: 1 changed, 1 failed"
    assert sum_up("apply", known, lost="c d")["msg"][0] == "4 consoles: 1 changed, 3 failed"
    assert sum_up("apply", known, hosts="c", lost="c")["msg"][0] == "3 consoles: 1 changed, 2 failed"
    assert sum_up("apply", known, hosts="a b", check=True)["msg"][0] == "2 consoles: 1 differs, 1 failed"
    # It is in no group.
    assert sum_up("apply", {"localhost": applied("l"), "a": applied("a")})["msg"][0] == "2 consoles: 2 changed"


def test_hosts_that_run_ahead_show_their_own_summaries() -> None:
    known = {name: applied(name) for name in "abc"}
    assert sum_up("apply", known, host="b")["msg"][0] == "3 consoles: 3 changed"
    alone = sum_up("apply", known, host="b", strategy="free")
    assert alone["msg"][0] == "1 console: 1 changed"
    assert "- b: changed: volumes: 1 created" in alone["msg"]
    assert alone["ansible_stats"]["data"]["managedfs_report"]["consoles"] == 3


def test_differences_fail_only_the_hosts_where_they_are_to() -> None:
    known = {"a": applied("a", fail_on_changes=True), "b": applied("b")}
    message = "https://a.example.com differs from the desired state: volumes: 1 to create."
    assert sum_up("apply", known, check=True)["failures"] == {"a": message}


def test_a_workflow_gets_the_summary_and_the_plans_of_hosts() -> None:
    result = sum_up("apply", {"a": applied("a"), "b": applied("b", plan="nothing")}, check=True)
    stats = result["ansible_stats"]
    assert (stats["aggregate"], stats["per_host"]) == (False, False)
    assert stats["data"]["managedfs_plan"] == {"a": "v1-0", "b": "nothing"}
    assert stats["data"]["managedfs_summary"].startswith("2 consoles: 1 differs, 1 as desired\n")
    # Neither an artifact of an earlier job nor a blank one.
    assert "ansible_stats" not in sum_up("report", {"a": {**reported(), "__report_written": {}}})


def test_a_file_has_the_summary_of_the_hosts_of_its_play(tmp_path: Path) -> None:
    file, other = tmp_path / "s.md", tmp_path / "other.md"
    known = {"a": applied("a", file=other), "b": applied("b", file=file), "c": applied("c", file=file), "d": FAILED}
    sum_up("apply", known, hosts="b c d", check=True)
    text = file.read_text(encoding="utf-8")
    assert "\n3 consoles: 2 differ, 1 failed\n" in text
    assert "a.example.com" not in text
    assert file.stat().st_mode & 0o777 == 0o644
    sum_up("apply", known, hosts="b", check=True)
    assert file.read_text(encoding="utf-8").splitlines()[1] == "# https://b.example.com"
    assert [path.name for path in tmp_path.iterdir()] == ["s.md"]
    result = sum_up("apply", {"a": applied("a", file=tmp_path)})
    assert result["failed"]
    assert result["msg"] == f"The summary cannot be written to {tmp_path}: Is a directory."


def test_the_page_on_all_consoles_has_those_of_other_plays_with_their_earlier_reports() -> None:
    known = {
        "a": reported(dest="elsewhere"),
        "b": {"__report_variables": {"failed": True, "msg": "wrong"}},
        "c": reported(dest="reports"),
        "d": {},
    }
    result = sum_up("report", known, hosts="b c d")
    assert result["dest"] == "reports"
    found = {"counts": {"consoles_compared": 1, "to_create": 1}, "state": "differs"}
    assert result["consoles"] == [
        {"name": "a", "folder": "a", "is_earlier": True},
        {"name": "b", "folder": "b", "counts": {}, "state": "failed"},
        {"name": "c", "folder": "c", **found},
        {"name": "d", "folder": "d", "is_earlier": True},
    ]
    assert sum_up("report", known, hosts="d")["dest"] == ""
    assert sum_up("report", {"localhost": reported()})["consoles"] == [{"name": "localhost", "folder": "", **found}]


def test_a_capture_shows_notes_and_hands_nothing_on() -> None:
    def captured(message: str) -> dict[str, Any]:
        results = {"__capture_console": {"volumes": []}, "__capture_written": {"changed": True, "msg": message}}
        return {"__capture_variables": {"given": {}, "summary_file": "/nowhere/s.md"}, **results}

    note = "Read: 0 volumes, 0 exports, 0 quotas. {}."
    assert sum_up("capture", {"a": captured("x")}) == {"changed": False, "failures": {}, "msg": [note.format("X")]}
    several = sum_up("capture", {"a": captured("x"), "b": captured("y")})
    assert several["msg"] == [f"a: {note.format('X')}", f"b: {note.format('Y')}"]


def tenant(*, check: bool = False, **given: Any) -> dict[str, Any]:
    """Return the summary for a team whose export exists, and whose quota does not."""
    old, new = {"desc": "red"}, {"path": "/red"}
    is_absent = given["state"] == "absent"
    variables: dict[str, Any] = {
        "__tenant_variables": {
            "given": {"name": "red", "volume": "v", **given},
            "names": {"path": "/red", "desc": "red"},
        },
        "__tenant_export_result": {"console": "c", "diff": {"before": old, "after": {} if is_absent else old}},
        "__tenant_quota_result": {"console": "c", "diff": {"before": {}, "after": {} if is_absent else new}},
        **({"__tenant_volume_found": {"volumes": given.pop("volumes")}} if is_absent else {}),
    }
    result = act(run_summary, Path("/nowhere"), role="tenant", check=check, variables=variables)
    # Ansible shows it without being asked for more.
    assert (result["changed"], result["_ansible_verbose_always"]) == (False, True)
    return result


def test_each_team_has_a_sentence() -> None:
    start = "c: Tenant red on volume v: export 'red' {}; quota '/red' {}."
    for check, created in ((False, "created"), (True, "would be created")):
        done = tenant(check=check, state="present")
        assert (done["msg"], done["not_found"]) == (start.format("unchanged", created), "")
    removed = tenant(state="absent", volumes=[{"id": 1}], must_exist=True)
    assert removed["msg"] == start.format("removed", "not found")
    assert removed["not_found"].startswith("Not found: quota /red. ")
    assert tenant(state="absent", volumes=[{"id": 1}])["not_found"] == ""


def rotated(state: str, *, check: bool = False, **result: Any) -> dict[str, Any]:
    """Return the summary of a step of a rotation."""
    variables = {
        "__rotate_variables": {"given": {"state": state}},
        "__rotate_result": {"console": "c", "msg": "done", "changed": True, **result},
        "inventory_hostname": "a",
    }
    result = act(run_summary, Path("/nowhere"), role="rotate", check=check, variables=variables)
    assert (result["changed"], result["_ansible_verbose_always"]) == (False, True)
    return result


def test_the_next_step_of_a_rotation_gets_the_id() -> None:
    started = rotated("started", export={"id": 7})
    assert started["msg"][:2] == ["c", "done"]
    # Those of several hosts are merged.
    assert started["ansible_stats"] == {
        "data": {"managedfs_rotation": {"a": 7}},
        "aggregate": True,
        "per_host": False,
    }
    assert "ansible_stats" not in rotated("finished", export={"desc": "web"})
    assert rotated("finished")["msg"][2] == "The old token is of no use any more."
    assert rotated("finished", check=True)["msg"][2] == "The old token will be of no use any more."
