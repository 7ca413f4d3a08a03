# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a probe refuses, what it leaves alone, what check mode does, and what stands in a profile."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run

SCRATCH = {"volume": "scratch", "bucket": "https://scratch.example.com"}


def writes(emulator: Emulator) -> list[str]:
    """Return the methods and paths of the requests that could change something."""
    return [f"{request.method} {request.path}" for request in emulator.writes]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "one of volume, for a scratch volume, and volume_id, for one of yours, is required"),
        ({"volume": " "}, "is required"),
        ({"volume": "a", "volume_id": 1, "use_existing": True}, "is required"),
        ({"volume_id": 1}, "volume_id and use_existing: true belong together"),
        ({"volume": "a", "use_existing": True}, "belong together"),
        ({"volume": "a", "wait_timeout": -1}, "wait_timeout must be from 0"),
        ({"volume_id": 5, "use_existing": True}, "volume (id 5) does not exist"),
    ],
    ids=str,
)
def test_bad_options(emulator: Emulator, run: Run, options: dict[str, Any], message: str) -> None:
    result = run("probe", **options)
    assert message in result["msg"]
    assert result["changed"] is False
    assert writes(emulator) == []


@pytest.mark.promise("probe-touches-only-its-own")
@pytest.mark.parametrize("name", ["scratch", " scratch "])
def test_a_volume_that_exists_is_left_alone(emulator: Emulator, run: Run, name: str) -> None:
    emulator.add_volume(name=name, bucket="https://v.example.com")
    result = run("probe", **SCRATCH)
    assert "volume 'scratch' exists. Name a volume that does not" in result["msg"]
    assert writes(emulator) == []


@pytest.mark.promise("probe-touches-only-its-own")
@pytest.mark.parametrize("name", ["exports", "quotas"])
def test_a_volume_with_records_is_left_alone(emulator: Emulator, run: Run, name: str) -> None:
    volume = emulator.add_volume(name="mine", bucket="https://v.example.com")
    if name == "exports":
        emulator.add_export(volume, desc="web", iprange="*")
    else:
        emulator.add_quota(volume, path="/home", size=5)
    result = run("probe", volume_id=volume, use_existing=True)
    assert f"volume (id {volume}) has {name}" in result["msg"]
    assert writes(emulator) == []


@pytest.mark.parametrize("dialect", [{"ids": "missing"}, {"keys": "missing"}, {"keys": "null"}], ids=str)
def test_nothing_is_made_where_it_could_not_be_told_from_what_is_there(
    emulator: Emulator, run: Run, dialect: dict[str, Any]
) -> None:
    emulator.add_volume(name="mine", bucket="https://v.example.com")
    emulator.dialect = Dialect(**dialect)
    assert "without id or name" in run("probe", **SCRATCH)["msg"]
    assert writes(emulator) == []


def test_a_volume_without_id_is_named(emulator: Emulator, run: Run) -> None:
    emulator.dialect = Dialect(ids="missing")
    result = run("probe", **SCRATCH)
    (volume,) = emulator.volumes()
    assert result["left_behind"] == [
        f"volume {volume['name']} (id None) (the console shows no id by which it could be deleted)"
    ]
    assert result["profile"]["ids"]["value"] == "missing"


def test_a_volume_of_which_only_the_name_is_hidden_and_no_id_given_is_not_guessed(emulator: Emulator, run: Run) -> None:
    emulator.dialect = Dialect(keys="missing", create_body="empty")
    result = run("probe", **SCRATCH)
    assert [write.split()[0] for write in writes(emulator)] == ["POST", "POST"]
    (left,) = result["left_behind"]
    assert "the console accepted its creation, and does not list it" in left


def test_a_list_of_volumes_that_is_too_long_is_refused(emulator: Emulator, run: Run) -> None:
    emulator.dialect = Dialect(list_shape="page", page_size=2)
    for number in range(18):
        emulator.add_volume(name=f"v{number}", bucket="https://v.example.com")
    result = run("probe", **SCRATCH)
    assert "the list of volumes is too long for a probe (9 pages)" in result["msg"]
    assert writes(emulator) == []


def test_a_message_that_is_a_page_is_shown_by_its_title(emulator: Emulator, run: Run) -> None:
    emulator.dialect = Dialect(region_required=True, error_body="html")
    message = run("probe", **SCRATCH)["msg"]
    assert "HTTP 400, an HTML page, '400 Bad Request: region: This field is required.'" in message


def test_what_the_console_wants_of_a_volume_is_shown(emulator: Emulator, run: Run) -> None:
    emulator.dialect = Dialect(region_required=True)
    result = run("probe", **SCRATCH)
    assert "the console refused it: HTTP 400, {'region': ['This field is required.']}" in result["msg"]
    assert emulator.volumes() == []
    assert result["profile"]["region_required"]["value"] is True
    assert "failed" not in run("probe", **SCRATCH, region=1)


def test_extra_fields_are_sent(emulator: Emulator, run: Run) -> None:
    run("probe", **SCRATCH, extra_fields={"trashtime": 7})
    bodies = [request.json for request in emulator.writes if request.path == "/volumes"]
    assert bodies[1]["trashtime"] == 7


@pytest.mark.parametrize("is_scratch", [True, False])
def test_check_mode_only_reads_and_says_what_it_left_out(emulator: Emulator, run: Run, is_scratch: bool) -> None:
    volume = emulator.add_volume(name="mine", bucket="https://v.example.com")
    result = run("probe", check=True, **(SCRATCH if is_scratch else {"volume_id": volume, "use_existing": True}))
    assert "failed" not in result, result["msg"]
    assert result["changed"] is False
    assert writes(emulator) == []
    assert {"create_volume", "create_export", "update_quota"} <= set(result["left_out"])
    profile = result["profile"]
    assert profile["create_status"]["value"] is None
    assert profile["create_status"]["reason"] == "only reading was allowed (check mode)"
    assert profile["auth_status"]["value"] == 401
    assert profile["list_shape"]["value"] == "array"
    assert ("is_ready" in result["left_out"]) is is_scratch
    assert profile["ready_route"]["value"] is (None if is_scratch else True)


def test_a_volume_of_the_users_shows_as_much_of_records(emulator: Emulator, run: Run) -> None:
    volume = emulator.add_volume(name="mine", bucket="https://v.example.com")
    emulator.dialect = Dialect(put="any", unique_keys=True, put_alters="caps")
    profile = run("probe", volume_id=volume, use_existing=True)["profile"]
    found = {name: profile[name]["value"] for name in ("put", "unique_keys", "put_alters", "delete_children")}
    assert found == {"put": "any", "unique_keys": True, "put_alters": "caps", "delete_children": "yes"}
    assert (emulator.exports(volume), emulator.quotas(volume)) == ([], [])
    assert [volume["name"] for volume in emulator.volumes()] == ["mine"]


@pytest.mark.promise("profile-names-nobody")
def test_a_profile_names_nobody(emulator: Emulator, run: Run) -> None:
    names = ["customer-seven", "secretplans"]
    for name in names:
        volume = emulator.add_volume(name=name, bucket=f"https://{name}.bucket.example.com", extend="Ms Seven")
        emulator.add_export(volume, desc="web-of-seven", iprange="10.1.2.3", token="tok-of-seven-0123456789")
    emulator.dialect = Dialect(record_fields="more", create_body="page", error_body="html")
    result = run("probe", **SCRATCH, extra_fields={"extend": "mine-to-keep"})
    text = json.dumps([result["profile"], result["unknown"], result["left_out"], result["msg"]])
    hidden = [
        *names,
        "seven",
        "scratch",
        "mine-to-keep",
        "10.1.2.3",
        "127.0.0.1",
        emulator.access_key,
        emulator.secret_key,
    ]
    assert [name for name in [*hidden, *emulator.tokens(), "probe-"] if name in text] == []
    assert not any(
        volume["id"] in [int(part) for part in text.split() if part.isdigit()] for volume in emulator.volumes()
    )


def test_names_that_are_keys_of_json_are_not_shown(emulator: Emulator, run: Run) -> None:
    emulator.add_volume(name="plans", bucket="https://v.example.com")
    emulator.inject(Fault("wrong_json", path="/regions", value={"plans": 1, "two words": 2, "id": 3}, times=None))
    excerpt = run("probe", **SCRATCH)["profile"]["regions_route"]["evidence"]["excerpt"]
    assert excerpt == "{…: <number>, …: <number>, id: <number>}"


def test_every_entry_has_what_it_needs(run: Run) -> None:
    profile = run("probe", **SCRATCH)["profile"]
    for name, entry in profile.items():
        assert entry["meaning"].endswith("."), name
        assert entry.keys() == {"value", "meaning", "evidence", *(["reason"] if entry["value"] is None else [])}, name
        assert entry["value"] is not None or entry["reason"], name
        assert entry["value"] is None or entry["evidence"], name
    evidence = profile["put"]["evidence"]
    assert evidence["path"] == "/volumes/{volume_id}/exports/{export_id}"
    assert (evidence["method"], evidence["status"]) == ("PUT", 200)
    assert "ignores apionly, appendonly, inodes, readonly" in evidence["excerpt"]


def test_requests_are_made_one_at_a_time_over_one_connection(emulator: Emulator, run: Run) -> None:
    run("probe", **SCRATCH)
    signed = [request.connection for request in emulator.requests if request.authenticated]
    assert len(set(signed)) == 1


def test_a_clock_that_is_wrong_is_found(emulator: Emulator, run: Run) -> None:
    emulator.clock_offset = 1000
    result = run("probe", **SCRATCH)
    assert result["profile"]["clock_offset"]["value"] == 1000
    assert any("ahead of this machine's" in warning for warning in result["warnings"])


def test_a_console_that_cannot_be_reached(emulator: Emulator, run: Run) -> None:
    emulator.inject(Fault("status", status=403, times=None))
    result = run("probe", **SCRATCH)
    assert result["failure"]["status"] == 403
    assert result["left_behind"] == []
