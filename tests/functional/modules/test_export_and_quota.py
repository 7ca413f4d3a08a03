# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules export and quota: what they share, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run

GIB = 1 << 30


class Console:
    """The emulator with one volume, and short words for what the tests do with it."""

    def __init__(self, emulator: Emulator, run: Run) -> None:
        self.emulator = emulator
        self._run = run
        self.volume = 0
        self.reset()

    def reset(self, **dialect: Any) -> None:
        """Begin anew with an empty volume in a dialect."""
        self.emulator.reset(Dialect(**dialect))
        self.volume = self.emulator.add_volume(name="v", bucket="https://v.example.com")

    def export(self, **options: Any) -> dict[str, Any]:
        """Run export on the volume."""
        return self._run("export", volume="v", **options)

    def quota(self, **options: Any) -> dict[str, Any]:
        """Run quota on the volume."""
        return self._run("quota", volume="v", **options)

    def has_export(self, **fields: Any) -> int:
        """Put an export on the volume."""
        return self.emulator.add_export(self.volume, **fields)

    def has_quota(self, **fields: Any) -> int:
        """Put a quota on the volume."""
        return self.emulator.add_quota(self.volume, **fields)

    @property
    def exports(self) -> list[dict[str, Any]]:
        """The exports that are truly there."""
        return self.emulator.exports(self.volume)

    @property
    def quotas(self) -> list[dict[str, Any]]:
        """The quotas that are truly there."""
        return self.emulator.quotas(self.volume)

    @property
    def sent(self) -> list[tuple[str, Any]]:
        """Method and body of each write."""
        return [(request.method, request.json) for request in self.emulator.writes]


@pytest.fixture
def console(emulator: Emulator, run: Run) -> Console:
    """A console with one volume."""
    return Console(emulator, run)


# Creation


def test_a_new_export_sends_all_five_documented_fields(console: Console) -> None:
    result = console.export(desc="web", iprange="192.168.0.1/24", readonly=True)
    body = {"desc": "web", "iprange": "192.168.0.1/24", "apionly": False, "readonly": True, "appendonly": False}
    assert console.sent == [("POST", body)]
    assert result["changed"]
    assert result["export"]["id"] == console.exports[0]["id"]
    assert result["diff"] == {"before": {}, "after": body}
    assert result["export"]["token"] == "********"


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"path": "/data//a/", "size": "10GiB"}, {"path": "/data/a", "size": 10 * GIB}),
        ({"path": "/data", "inodes": 1 << 20}, {"path": "/data", "inodes": 1 << 20}),
        ({"path": "/", "size": 0, "inodes": 5}, {"path": "/", "size": 0, "inodes": 5}),
    ],
)
def test_a_new_quota_sends_what_was_given(console: Console, options: dict[str, Any], body: dict[str, Any]) -> None:
    assert console.quota(**options)["changed"]
    assert console.sent == [("POST", body)]
    assert console.quota(**options)["changed"] is False


def test_creating_an_export_needs_an_iprange(console: Console) -> None:
    result = console.export(desc="web")
    assert "creating one needs iprange" in result["msg"]
    assert console.sent == []


@pytest.mark.parametrize("check", [False, True])
def test_creating_a_quota_needs_size_or_inodes(console: Console, check: bool) -> None:
    result = console.quota(path="/a", check=check)
    assert "creating one needs size or inodes" in result["msg"]
    assert console.sent == []


def test_an_existing_quota_needs_neither(console: Console) -> None:
    console.has_quota(path="/a", size=5)
    assert console.quota(path="/a")["changed"] is False


# Identity


@pytest.mark.parametrize("by", ["volume", "volume_id", "volume_id and blank volume"])
def test_the_volume_by_name_or_id(run: Run, console: Console, by: str) -> None:
    options: dict[str, Any] = {"volume": "v"} if by == "volume" else {"volume_id": console.volume}
    if "blank" in by:
        options["volume"] = " "
    assert run("export", desc="web", iprange="*", **options)["changed"]
    assert run("quota", path="/a", size="1G", **options)["changed"]


@pytest.mark.parametrize("options", [{}, {"volume": ""}, {"volume": "v", "volume_id": 1}])
@pytest.mark.parametrize("module", ["export", "quota"])
def test_one_of_volume_and_volume_id(run: Run, emulator: Emulator, module: str, options: dict[str, Any]) -> None:
    result = run(module, **options, **({"desc": "a"} if module == "export" else {"path": "/a"}))
    assert "volume and volume_id" in result["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("name", [{"volume": "gone"}, {"volume_id": 999}])
def test_a_volume_that_is_not_there(run: Run, console: Console, name: dict[str, Any]) -> None:
    for module, options in (("export", {"desc": "a", "iprange": "*"}), ("quota", {"path": "/a", "size": 1})):
        assert "there is no volume" in run(module, **name, **options)["msg"]
        result = run(module, state="absent", **name, **options)
        assert result["changed"] is False
        assert result[module] is None
    assert console.sent == []


def test_a_wrong_address_is_not_taken_for_a_volume_that_is_gone(run: Run, console: Console) -> None:
    result = run("export", volume_id=1, desc="a", state="absent", console_url=console.emulator.url + "/elsewhere")
    assert result["failed"]


def test_several_volumes_of_the_name(run: Run, console: Console) -> None:
    other = console.emulator.add_volume(name="v", bucket="https://v.example.com")
    for state in ("present", "absent"):
        result = run("export", volume="v", desc="a", iprange="*", state=state)
        assert f"{console.volume}, {other}" in result["msg"]
        assert "volume_id" in result["msg"]
    assert run("export", volume_id=other, desc="a", iprange="*")["changed"]


@pytest.mark.parametrize("state", ["present", "absent"])
def test_several_records_of_the_key(console: Console, state: str) -> None:
    exports = [console.has_export(desc="web", iprange="*") for _number in range(2)]
    quotas = [console.has_quota(path=path, size=1) for path in ("/a", "/a/")]
    for result, ids in (
        (console.export(desc="web", state=state), exports),
        (console.quota(path="/a", state=state), quotas),
    ):
        assert f"{ids[0]}, {ids[1]}" in result["msg"]
        assert "id" in result["msg"]
    assert console.sent == []
    assert console.export(id=exports[0], desc="web", state="absent")["changed"]


def test_with_id_the_key_can_be_changed(console: Console) -> None:
    export = console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    quota = console.has_quota(path="/a", size=5, inodes=7)
    assert console.export(id=export, desc="www")["changed"]
    assert console.quota(id=quota, path="/b/")["changed"]
    assert console.sent == [("PUT", {"desc": "www", "iprange": "10.0.0.0/8"}), ("PUT", {"path": "/b", "size": 5})]
    assert console.exports[0]["readonly"] is True
    assert console.export(id=export, desc="www")["changed"] is False


@pytest.mark.parametrize("check", [False, True])
def test_a_key_that_is_taken_is_refused(console: Console, check: bool) -> None:
    taken = console.has_export(desc="taken", iprange="*")
    export = console.has_export(desc="web", iprange="*")
    result = console.export(id=export, desc="taken", check=check)
    assert f"cannot become 'taken': that is the desc of id {taken}" in result["msg"]
    assert console.sent == []


def test_an_id_that_is_not_there(console: Console) -> None:
    assert "no export has the id 999" in console.export(id=999, desc="a", iprange="*")["msg"]
    assert console.export(id=999, state="absent")["changed"] is False
    assert console.sent == []


def test_an_id_whose_key_disagrees_is_not_deleted(console: Console) -> None:
    export = console.has_export(desc="web", iprange="*")
    quota = console.has_quota(path="/a", size=1)
    assert "not the same export" in console.export(id=export, desc="other", state="absent")["msg"]
    assert "not the same quota" in console.quota(id=quota, path="/b", state="absent")["msg"]
    assert console.sent == []


@pytest.mark.parametrize("options", [{}, {"desc": ""}, {"desc": " "}])
def test_a_blank_desc_is_no_key(console: Console, options: dict[str, Any]) -> None:
    console.has_export(desc="", iprange="*")
    console.emulator.forget_requests()
    assert "desc or id is required" in console.export(iprange="*", **options)["msg"]
    assert console.emulator.requests == []


def test_exports_without_a_description_disturb_nobody(console: Console) -> None:
    console.has_export(desc="", iprange="*")
    console.has_export(desc="", iprange="*")
    assert console.export(desc="web", iprange="*")["changed"]
    assert console.export(desc="web", state="absent")["changed"]
    assert len(console.exports) == 2


# Updates


def test_an_update_sends_exactly_the_documented_fields(console: Console) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    console.has_quota(path="/a", size=5, inodes=7)
    assert console.export(desc="web", iprange="10.0.0.0/9", readonly=True)["changed"]
    assert console.quota(path="/a", size="6")["changed"]
    assert console.sent == [("PUT", {"desc": "web", "iprange": "10.0.0.0/9"}), ("PUT", {"path": "/a", "size": 6})]


@pytest.mark.parametrize("no_limit", ["zero", "null"])
def test_what_is_not_asked_for_is_echoed_as_the_console_shows_it(console: Console, no_limit: str) -> None:
    console.reset(no_limit=no_limit, numbers="string")
    quota = console.has_quota(path="/a", inodes=7)
    assert console.quota(id=quota, path="/b")["changed"]
    assert console.sent == [("PUT", {"path": "/b", "size": None if no_limit == "null" else "0"})]


def test_an_update_that_needs_what_is_not_shown_fails_before_writing(console: Console) -> None:
    console.reset(no_limit="omitted")
    quota = console.has_quota(path="/a", inodes=7)
    result = console.quota(id=quota, path="/b")
    assert "cannot be updated without size" in result["msg"]
    assert "Give size in the task" in result["msg"]
    assert console.sent == []
    assert console.quota(id=quota, path="/b", size="1G")["changed"]
    assert console.sent == [("PUT", {"path": "/b", "size": GIB})]


def test_omitted_options_are_left_alone(console: Console) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True, apionly=True)
    console.has_quota(path="/a", size=5, inodes=7)
    assert console.export(desc="web")["changed"] is False
    assert console.quota(path="/a")["changed"] is False
    assert console.sent == []


def test_the_result_and_diff_of_an_update(console: Console) -> None:
    console.has_quota(path="/a", size=5, inodes=7)
    predicted = console.quota(path="/a", size="1K", check=True)
    assert console.sent == []
    result = console.quota(path="/a", size="1K")
    assert result["diff"] == {
        "before": {"path": "/a", "size": 5, "inodes": 7},
        "after": {"path": "/a", "size": 1024, "inodes": 7},
    }
    assert predicted["diff"] == result["diff"]
    assert predicted["quota"] == result["quota"]
    assert predicted["changed"] is result["changed"] is True


# Fields that only a creation sends


@pytest.mark.parametrize("check", [False, True])
def test_a_create_only_difference_fails_before_writing(console: Console, check: bool) -> None:
    export = console.has_export(desc="web", iprange="10.0.0.0/8")
    console.has_quota(path="/a", size=5, inodes=7)
    result = console.export(desc="web", iprange="10.0.0.0/9", readonly=True, check=check)
    assert "readonly is false, wanted is true" in result["msg"]
    assert "create_only_changes" in result["msg"]
    assert result["export"]["id"] == export
    assert result["changed"] is False
    assert "inodes is 7, wanted is 8" in console.quota(path="/a", inodes=8, check=check)["msg"]
    assert console.sent == []


@pytest.mark.parametrize("put", ["any", "reset"])
def test_create_only_changes_update_is_sent_along_and_read_back(console: Console, put: str) -> None:
    console.reset(put=put)
    console.has_export(desc="web", iprange="10.0.0.0/8")
    result = console.export(desc="web", readonly=True, create_only_changes="update")
    assert result["changed"]
    assert console.sent[0] == ("PUT", {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True})
    assert console.exports[0]["readonly"] is True


def test_create_only_changes_update_that_is_not_taken_fails(console: Console) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8")
    result = console.export(desc="web", readonly=True, create_only_changes="update")
    assert "not all of it was accepted: readonly is false, wanted is true" in result["msg"]
    assert result["changed"] is False


def test_create_only_changes_update_that_is_refused_fails(console: Console) -> None:
    console.reset(put="reject")
    console.has_quota(path="/a", size=5, inodes=7)
    result = console.quota(path="/a", size="6", inodes=8, create_only_changes="update")
    assert result["failure"]["status"] == 400
    assert result["changed"] is False
    assert console.quotas[0]["size"] == 5


# Fields that move without being asked for


def test_a_read_only_export_does_not_stay_writable_after_an_update(console: Console) -> None:
    console.reset(put="reset")
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    result = console.export(desc="web", iprange="10.0.0.0/9")
    assert result["changed"]
    assert console.exports[0]["readonly"] is True
    assert console.exports[0]["iprange"] == "10.0.0.0/9"
    assert [method for method, _body in console.sent] == ["PUT", "PUT"]
    assert console.sent[1][1] == {
        "desc": "web",
        "iprange": "10.0.0.0/9",
        "apionly": False,
        "readonly": True,
        "appendonly": False,
    }
    (warning,) = result["warnings"]
    assert "readonly" in warning
    assert "put back" in warning


def test_what_cannot_be_put_back_is_an_error_that_names_it(console: Console) -> None:
    console.reset(put="reset")
    console.has_quota(path="/a", size=5, inodes=7)
    console.emulator.inject(Fault("status", method="PUT", nth=2, times=None, status=400))
    result = console.quota(path="/a", size="6")
    assert result["failed"]
    assert result["changed"]
    assert "inodes was 7 and is 0" in result["msg"]
    assert "the last request failed: PUT" in result["msg"]
    assert result["quota"]["inodes"] == 0


def test_what_does_not_hold_is_an_error_that_names_it(console: Console) -> None:
    console.has_quota(path="/a", size=5, inodes=7)
    records = [{"id": 1, "path": "/a", "size": 6, "inodes": 0}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", nth=2, times=None, value=records))
    console.emulator.inject(Fault("empty", method="PUT", times=None))
    first = [{"id": 1, "path": "/a", "size": 5, "inodes": 7}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", value=first))
    result = console.quota(path="/a", size="6")
    assert "inodes was 7 and is 0" in result["msg"]
    assert result["changed"]


# Reading back


def test_a_field_that_was_not_accepted_is_named(console: Console) -> None:
    console.has_quota(path="/a", size=5)
    console.emulator.inject(Fault("empty", method="PUT"))
    result = console.quota(path="/a", size="6")
    assert "was updated, but not all of it was accepted: size is 5, wanted is 6" in result["msg"]
    assert result["changed"] is False
    assert result["failure"]["method"] == "PUT"
    assert result["failure"]["status"] == 200


def test_an_update_that_shows_late_is_waited_for(console: Console) -> None:
    quota = console.has_quota(path="/a", size=5)
    console.emulator.inject(Fault("empty", method="PUT", status=202))
    stale = [{"id": quota, "path": "/a", "size": 5, "inodes": 0}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", times=3, value=stale))
    fresh = [{"id": quota, "path": "/a", "size": 6, "inodes": 0}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", times=None, value=fresh))
    assert console.quota(path="/a", size="6")["changed"]


def test_a_field_that_is_not_shown_is_unverified(console: Console) -> None:
    console.reset(record_fields="some")
    console.has_export(desc="web", iprange="*", readonly=True)
    result = console.export(desc="web", iprange="*", readonly=False)
    assert result["changed"] is False
    assert result["unverified"] == ["readonly"]
    (warning,) = result["warnings"]
    assert "readonly" in warning
    assert "export 'web'" in warning
    created = console.export(desc="new", iprange="*", readonly=True)
    assert created["unverified"] == ["readonly"]
    assert created["changed"]


@pytest.mark.parametrize("dialect", [{"ids": "missing"}, {"keys": "missing"}, {"keys": "null"}])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_records_without_id_or_key_are_no_reason_to_write(
    run: Run, emulator: Emulator, dialect: dict[str, Any], state: str
) -> None:
    emulator.reset()
    volume = emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.add_export(volume, desc="web", iprange="*")
    emulator.add_quota(volume, path="/a", size=1)
    emulator.dialect = Dialect(**dialect)
    plain = [{"id": volume, "name": "v"}]
    emulator.inject(Fault("wrong_json", path="volumes$", times=None, value=plain))
    for module, options in (("export", {"desc": "web", "iprange": "*"}), ("quota", {"path": "/a", "size": 1})):
        result = run(module, volume="v", state=state, **options)
        assert "so none can be told from another" in result["msg"]
    assert emulator.writes == []


# Equality by meaning


@pytest.mark.parametrize(
    ("wanted", "stored"),
    [
        ("192.168.0.1/24", "192.168.0.0/24"),
        ("10.0.0.1", "10.0.0.1/32"),
        ("2001:DB8::1/64", "2001:db8::/64"),
        ("*", "*"),
    ],
)
def test_networks(console: Console, wanted: str, stored: str) -> None:
    console.reset(normalise_networks=True)
    console.export(desc="web", iprange=wanted)
    assert console.sent[0][1]["iprange"] == wanted
    assert console.export(desc="web", iprange=wanted)["changed"] is False
    assert console.export(desc="web", iprange=stored)["changed"] is False
    assert len(console.sent) == 1


def test_any_address_and_the_whole_of_ipv4_are_two_things(console: Console) -> None:
    console.has_export(desc="web", iprange="*")
    assert console.export(desc="web", iprange="0.0.0.0/0")["changed"]
    assert console.sent[0][1]["iprange"] == "0.0.0.0/0"


@pytest.mark.parametrize("path", ["/data/a/", "/data/a", "//data//a//", "/./data/a/."])
def test_paths(console: Console, path: str) -> None:
    console.reset(normalise_paths=True)
    console.has_quota(path="/data/a", size=10 * GIB)
    assert console.quota(path=path, size="10GiB")["changed"] is False


@pytest.mark.parametrize("size", ["10GiB", "10G", "10gb", "10737418240", "10240M", 10737418240])
@pytest.mark.parametrize("numbers", ["number", "string"])
def test_sizes(console: Console, size: Any, numbers: str) -> None:
    console.reset(numbers=numbers)
    console.has_quota(path="/a", size=10 * GIB)
    assert console.quota(path="/a", size=size)["changed"] is False


@pytest.mark.parametrize("no_limit", ["zero", "null"])
def test_no_limit(console: Console, no_limit: str) -> None:
    console.reset(no_limit=no_limit)
    console.has_quota(path="/a", inodes=5)
    assert console.quota(path="/a", size="0")["changed"] is False
    assert console.quota(path="/a", size="1")["changed"]
    assert console.quota(path="/a", size="0")["changed"]
    assert console.sent[-1][1]["size"] == 0


# Refused before any request


@pytest.mark.parametrize(
    ("module", "options", "told"),
    [
        ("export", {"desc": "a", "iprange": "web"}, "iprange must be a network"),
        ("export", {"desc": "a", "iprange": "10.0.0.0/33"}, "iprange must be a network"),
        ("export", {"desc": "a", "iprange": "10.0.0.0/255.0.0.0"}, "iprange must be a network"),
        ("export", {"desc": "a", "iprange": ""}, "iprange must be a network"),
        ("quota", {"path": "data", "size": 1}, "path must start with /"),
        ("quota", {"path": "/a/../b", "size": 1}, "path must be a path without .."),
        ("quota", {"path": "/a", "size": "-1"}, "size must"),
        ("quota", {"path": "/a", "size": "10Gbit"}, "size must"),
        ("quota", {"path": "/a", "size": "lots"}, "size must"),
        ("quota", {"path": "/a", "size": ""}, "size must"),
        ("quota", {"path": "/a", "inodes": -1}, "inodes must not be negative"),
        ("quota", {"path": "/a", "size": 1, "wait_timeout": -1}, "wait_timeout"),
        ("quota", {"size": 1}, "path or id is required"),
    ],
)
def test_refused_before_any_request(
    run: Run, emulator: Emulator, module: str, options: dict[str, Any], told: str
) -> None:
    result = run(module, volume="v", **options)
    assert told in result["msg"]
    assert emulator.requests == []


# Deletion


@pytest.mark.parametrize("route", ["404", "405", "501"])
def test_a_console_that_does_not_delete_says_so(console: Console, route: str) -> None:
    console.reset(delete_children=route)
    console.has_export(desc="web", iprange="*")
    console.has_quota(path="/a", size=1)
    assert "this console does not delete exports" in console.export(desc="web", state="absent")["msg"]
    result = console.quota(path="/a", state="absent")
    assert "this console does not delete quotas" in result["msg"]
    assert result["changed"] is False
    assert len(console.exports) == len(console.quotas) == 1


def test_delete(console: Console) -> None:
    console.has_export(desc="web", iprange="*")
    predicted = console.export(desc="web", state="absent", check=True)
    result = console.export(desc="web", state="absent")
    assert predicted["changed"] is result["changed"] is True
    assert predicted["diff"] == result["diff"]
    assert console.exports == []
    assert console.export(desc="web", state="absent")["changed"] is False


def test_a_record_that_somebody_else_deleted_meanwhile_is_gone(console: Console) -> None:
    console.has_export(desc="web", iprange="*")
    console.emulator.inject(Fault("status", method="DELETE", status=404, effect=True))
    assert console.export(desc="web", state="absent")["changed"]


# Lost answers


@pytest.mark.parametrize("fault", ["reset_after", "truncate", "reset_before"])
@pytest.mark.parametrize("times", [1, None])
def test_lost_updates(console: Console, fault: str, times: int | None) -> None:
    console.has_quota(path="/a", size=5)
    console.emulator.inject(Fault(fault, method="PUT", times=times))
    result = console.quota(path="/a", size="6", retries=2)
    done = console.quotas[0]["size"] == 6
    assert ("failed" not in result) is done
    assert result["changed"] is done
    assert done or (fault == "reset_before" and times is None)


def test_lost_creations_are_found_by_their_key(console: Console) -> None:
    console.emulator.inject(Fault("reset_after", method="POST"))
    assert console.export(desc="web", iprange="*")["changed"]
    console.emulator.inject(Fault("reset_after", method="POST"))
    assert console.quota(path="/a", size="1")["changed"]
    assert [method for method, _body in console.sent] == ["POST", "POST"]


def test_a_creation_that_lands_under_another_key_is_told(console: Console, clock: FakeClock) -> None:
    console.emulator.inject(Fault("empty", method="POST"))
    clock.on_sleep = lambda: console.exports or console.has_export(desc="WEB", iprange="*")
    result = console.export(desc="web", iprange="*", wait_timeout=5)
    assert "is not listed after 5 s. New in the list: export 'WEB'" in result["msg"]
    assert result["changed"]
