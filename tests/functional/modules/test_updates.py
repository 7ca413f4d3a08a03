# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Updates by export and quota, alone or in a list: their side effects, and what the console shows of them."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Fault
from functional.support.one_volume import Console, quota_items

WHOLE = {"path", "size", "inodes"}
FLAGS = {"apionly", "readonly", "appendonly"}


def fill(console: Console, count: int) -> None:
    """Create this many quotas in the volume, each with a limit of inodes."""
    for item in quota_items(count, size=5):
        console.has_quota(**item, inodes=7)


def inodes(console: Console) -> list[int]:
    """Return the true limits of inodes."""
    return [quota["inodes"] for quota in console.quotas]


IGNORED = "the update that the console accepted: after 3 s, readonly is false, wanted true"


@pytest.mark.parametrize(
    ("put", "message"), [("any", ""), ("reset", ""), ("documented", IGNORED), ("reject", "HTTP 400")]
)
def test_a_create_only_field_is_sent_along_on_demand(console: Console, put: str, message: str) -> None:
    console.reset(put=put)
    console.has_export(desc="web", iprange="10.0.0.0/8")
    result = console.export(desc="web", readonly=True, create_only_changes="update")
    assert console.sent[0] == ("PUT", {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True})
    assert result["changed"] is console.exports[0]["readonly"] is (not message)
    assert message in result["msg"]


@pytest.mark.promise("omitted-is-untouched")
@pytest.mark.parametrize("glitch", [None, "html", "empty"])
def test_what_the_console_resets_is_restored(console: Console, glitch: str | None) -> None:
    console.reset(put="reset")
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    console.emulator.inject(*([Fault(glitch, method="GET", nth=3)] if glitch else []))
    result = console.export(desc="web", iprange="::1")
    (export,) = console.exports
    assert (result["changed"], export["readonly"], export["iprange"]) == (True, True, "::1")
    short, rest = {"desc": "web", "iprange": "::1"}, {"apionly": False, "readonly": True, "appendonly": False}
    assert console.sent == [("PUT", short), ("PUT", {**short, **rest})]
    (warning,) = result["warnings"]
    assert ("readonly" in warning, "restored" in warning) == (True, True)


@pytest.mark.promise("omitted-is-untouched")
def test_what_cannot_be_restored_is_an_error_that_names_it(console: Console) -> None:
    console.reset(put="reset")
    console.has_quota(path="/a", size=5, inodes=7)
    console.emulator.inject(Fault("status", method="PUT", nth=2, times=None, status=400))
    result = console.quota(path="/a", size="6")
    assert (result["failed"], result["changed"], result["quota"]["inodes"]) == (True, True, 0)
    assert "inodes was 7, is 0" in result["msg"]
    assert "the last request failed: PUT" in result["msg"]


REFUSED: Any = {"success": False, "error": "quota exceeded"}


@pytest.mark.parametrize(
    ("method", "options", "says"),
    [
        ("POST", {"path": "/b"}, "is not listed after 1 s. New in the list: nothing"),
        ("PUT", {"path": "/a"}, "the console does not accept this change"),
        ("DELETE", {"path": "/a", "state": "absent"}, "is still listed 1 s after"),
    ],
)
@pytest.mark.parametrize("status", [200, 201])
def test_what_a_refusal_with_a_status_of_success_says_is_passed_on(
    console: Console, method: str, options: dict[str, Any], says: str, status: int
) -> None:
    console.has_quota(path="/a", size=5)
    console.emulator.inject(Fault("wrong_json", method=method, times=None, status=status, value=REFUSED))
    result = console.quota(size=6, wait_timeout=1, **options)
    assert result["failed"]
    assert says in result["msg"]
    assert ". The console said: quota exceeded (" in result["msg"]


@pytest.mark.promise("unshown-is-unverified")
def test_a_field_that_is_not_shown_is_unverified(console: Console) -> None:
    console.reset(record_fields="some")
    console.has_export(desc="web", iprange="*", readonly=True)
    untouched = console.export(desc="web", iprange="*")
    assert (untouched["changed"], untouched.get("unverified"), untouched["warnings"]) == (False, None, [])
    given = console.export(desc="web", iprange="*", readonly=False)
    assert (given["changed"], given["unverified"]) == (False, ["readonly"])
    assert [("export 'web'" in warning, "readonly" in warning) for warning in given["warnings"]] == [(True, True)]
    created = console.export(desc="new", iprange="*", readonly=True)
    assert (created["changed"], created["unverified"]) == (True, ["readonly"])


@pytest.mark.promise("unshown-is-unverified")
@pytest.mark.parametrize("module", ["export", "exports"])
def test_fields_that_an_update_may_have_reset_unseen_are_reported_once(console: Console, module: str) -> None:
    console.reset(put="reset", record_fields="some")
    items = [{"desc": desc, "iprange": "::1"} for desc in "abc"]
    for item in items:
        console.has_export(desc=item["desc"], iprange="*", readonly=True)
    result = console.run(module, **(items[0] if module == "export" else {"exports": items}))
    assert (result["changed"], set(result["unverified"])) == (True, FLAGS)
    assert ["could not be verified" in warning for warning in result["warnings"]] == [True]


@pytest.mark.promise("losses-stop-a-list")
@pytest.mark.parametrize("concurrency", [1, 4])
def test_only_the_first_update_of_a_list_goes_without_its_other_fields(console: Console, concurrency: int) -> None:
    console.reset(put="reset")
    fill(console, 20)
    items = quota_items(20) + [{"path": f"/new/{number}", "size": "5B"} for number in range(20)]
    result = console.run("quotas", quotas=items, concurrency=concurrency)
    assert (len(result["updated"]), inodes(console)) == (20, [7] * 20 + [0] * 20)
    assert ["inodes" in warning for warning in result["warnings"]] == [True]
    updates = [set(body) == WHOLE for method, body in console.sent if method == "PUT"]
    assert updates == [False] + [True] * 20
    # It is restored before anything else is written.
    assert [method for method, _body in console.sent[:2]] == ["PUT", "PUT"]


def lossy(console: Console, **dialect: Any) -> None:
    """Create quotas with different limits of inodes on a console that loses fields that an update omits."""
    console.reset(put="lose", **dialect)
    for number, limit in enumerate([0, 0, 7, 8, 7, 9]):
        console.has_quota(path=f"/{number}", size=5, inodes=limit)


@pytest.mark.promise("losses-stop-a-list")
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_list_stops_at_the_first_update_that_loses_something(console: Console, concurrency: int) -> None:
    lossy(console)
    items: list[dict[str, Any]] = [{"path": f"/{number}", "size": 6} for number in range(6)]
    result = console.run("quotas", quotas=[*items, {"path": "/new", "size": 6}], concurrency=concurrency)
    assert (sorted(result["updated"]), result["created"]) == (["/2"], ["/new"])
    kept = {quota["path"]: quota["inodes"] for quota in console.quotas if quota["size"] == 5}
    assert kept == {"/0": 0, "/1": 0, "/3": 8, "/4": 7, "/5": 9}
    assert "inodes was 7, is 0" in result["msg"]
    skipped = [error["msg"] for error in result["errors"] if "skipped" in error["msg"]]
    assert all("an update of quota '/2' (id " in message and "lost inodes" in message for message in skipped)
    assert {error["key"] for error in result["errors"]} == {"/0", "/1", "/2", "/3", "/4", "/5"}


UNTOLD = {
    "no answer": Fault("reset_before", method="PUT", times=5),
    "many refusals": Fault("status", method="PUT", status=422, times=9),
}


@pytest.mark.promise("losses-stop-a-list")
@pytest.mark.parametrize("fault", UNTOLD.values(), ids=UNTOLD)
def test_no_other_update_follows_one_of_which_nothing_is_known(console: Console, fault: Fault) -> None:
    console.reset(put="lose")
    fill(console, 12)
    console.emulator.inject(fault)
    result = console.run("quotas", quotas=quota_items(12))
    assert (result["failed"], len(result["errors"])) == (True, 12)
    assert inodes(console).count(7) >= 11


GONE = "export 'web-0' (id 2001) disappeared while it was being updated"
DESTROYED = {"vanish": GONE, "replace": f"{GONE}; export 'web-0' (id ", "token": "token was '********', is '********'"}


@pytest.mark.promise("losses-stop-a-list")
@pytest.mark.parametrize(("alters", "message"), DESTROYED.items(), ids=DESTROYED)
def test_a_list_stops_where_an_update_destroys_what_it_updates(console: Console, alters: str, message: str) -> None:
    console.reset(put_alters=alters)
    for number in range(6):
        console.has_export(desc=f"web-{number}", iprange="*", token=f"t{number}")
    items = [{"desc": f"web-{number}", "iprange": "10.0.0.0/8"} for number in range(6)]
    result = console.run("exports", exports=items)
    assert message in result["msg"]
    assert len(result["errors"]) == 6
    tokens = {export["desc"]: export["token"] for export in console.exports if export["desc"] != "web-0"}
    assert tokens == {f"web-{number}": f"t{number}" for number in range(1, 6)}
