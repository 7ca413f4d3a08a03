# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module volume, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator
from functional.support.inprocess import Run

BUCKET = "https://a.example.com"


def methods(emulator: Emulator) -> list[str]:
    """Return the requests that the console received, each as method and path."""
    return [f"{request.method} {request.path}" for request in emulator.requests]


def test_create(run: Run, emulator: Emulator) -> None:
    result = run("volume", name="a", bucket=BUCKET)
    (stored,) = emulator.volumes()
    assert result["changed"]
    assert result["volume"]["id"] == stored["id"]
    assert (result["diff"]["before"], result["diff"]["after"]) == ({}, {"name": "a", "bucket": BUCKET})
    assert result["msg"] == "volume 'a': created"
    assert [request.json for request in emulator.writes] == [{"name": "a", "bucket": BUCKET}]


def test_created_volume_is_unchanged_the_second_time(run: Run, emulator: Emulator) -> None:
    run("volume", name="a", bucket=BUCKET)
    emulator.forget_requests()
    result = run("volume", name="a", bucket=BUCKET)
    assert result["changed"] is False
    assert result["diff"]["before"] == result["diff"]["after"]
    assert emulator.writes == []


def test_all_options_are_sent_under_the_names_of_the_api(run: Run, emulator: Emulator) -> None:
    options = {
        "bucket": BUCKET,
        "region": 2,
        "block_size": 8192,
        "compress": "zstd",
        "compatible": True,
        "extend": "",
        "extra_fields": {"trashtime": 7},
    }
    result = run("volume", name="a", **options)
    assert emulator.writes[0].json == {
        "name": "a",
        "bucket": BUCKET,
        "region": 2,
        "blockSize": 8192,
        "compress": "zstd",
        "compatible": True,
        "extend": "",
        "trashtime": 7,
    }
    assert result["volume"]["block_size"] == 8192
    assert "blockSize" not in result["volume"]
    assert run("volume", name="a", **options)["changed"] is False


def test_a_record_has_documented_names_and_types(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(numbers="string"))
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    result = run("volume", name="a", block_size=4096)
    assert result["changed"] is False
    assert result["volume"]["id"] == volume
    assert result["volume"]["block_size"] == 4096
    assert isinstance(result["volume"]["size"], int)


@pytest.mark.promise("create-only-fails-first")
@pytest.mark.parametrize(
    ("option", "wanted", "actual"),
    [
        ("bucket", "https://b.example.com", "'https://a.example.com'"),
        ("region", 9, "1"),
        ("block_size", 8192, "4096"),
        ("compress", "zstd", "'lz4'"),
        ("compatible", True, "false"),
        ("extend", "x", "''"),
    ],
)
@pytest.mark.parametrize("check", [False, True])
def test_create_only_difference_fails_before_any_write(
    run: Run, emulator: Emulator, option: str, wanted: Any, actual: str, check: bool
) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    result = run("volume", name="a", check=check, **{option: wanted})
    assert result["failed"]
    assert result["changed"] is False
    assert f"{option} is {actual}, wanted " in result["msg"]
    assert result["volume"]["id"] == volume
    assert emulator.writes == []


@pytest.mark.promise("omitted-is-untouched")
def test_omitted_options_are_left_alone(run: Run, emulator: Emulator) -> None:
    emulator.add_volume(name="a", bucket=BUCKET, compress="zstd", region=3)
    assert run("volume", name="a")["changed"] is False


def test_blank_bucket_is_unset_and_blank_extend_is_a_value(run: Run, emulator: Emulator) -> None:
    emulator.add_volume(name="a", bucket=BUCKET, extend="x")
    assert run("volume", name="a", bucket=" ")["changed"] is False
    assert "extend is 'x', wanted ''" in run("volume", name="a", extend="")["msg"]


@pytest.mark.parametrize("normalise", ["strip", "add"])
def test_a_slash_at_the_end_of_the_bucket_makes_no_difference(run: Run, emulator: Emulator, normalise: str) -> None:
    emulator.reset(Dialect(normalise=normalise))
    for bucket in (BUCKET, BUCKET + "/"):
        run("volume", name="a", bucket=bucket)
        assert run("volume", name="a", bucket=bucket)["changed"] is False
    assert len(emulator.volumes()) == 1


def test_delete(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="*")
    emulator.add_quota(volume, path="/a", size=5)
    predicted = run("volume", name="a", state="absent", check=True)
    assert predicted["diff"]["before"]["exports"] == ["web"]
    assert predicted["diff"]["before"]["quotas"] == ["/a"]
    emulator.forget_requests()
    result = run("volume", name="a", state="absent", diff=False)
    assert result["changed"]
    assert result["volume"] is None
    assert result["diff"]["before"]["name"] == "a"
    assert result["diff"]["after"] == {}
    assert emulator.volumes() == []
    assert methods(emulator) == ["GET /volumes", f"DELETE /volumes/{volume}", "GET /volumes"]


def test_absent_and_already_gone_is_ok(run: Run, emulator: Emulator) -> None:
    result = run("volume", name="a", state="absent")
    assert result["changed"] is False
    assert result["volume"] is None
    assert methods(emulator) == ["GET /volumes"]


@pytest.mark.promise("ambiguity-is-refused")
@pytest.mark.parametrize("state", ["present", "absent"])
def test_several_volumes_of_a_name_are_refused_with_their_ids(run: Run, emulator: Emulator, state: str) -> None:
    ids = [emulator.add_volume(name="a", bucket=BUCKET) for _number in range(2)]
    result = run("volume", name="a", state=state)
    assert result["failed"]
    assert f"{ids[0]}, {ids[1]}" in result["msg"]
    assert "id" in result["msg"]
    assert emulator.writes == []


def test_id_tells_volumes_of_a_name_apart(run: Run, emulator: Emulator) -> None:
    ids = [emulator.add_volume(name="a", bucket=BUCKET) for _number in range(2)]
    assert run("volume", id=ids[1], name="a")["volume"]["id"] == ids[1]
    assert run("volume", id=ids[0], state="absent")["changed"]
    assert [volume["id"] for volume in emulator.volumes()] == [ids[1]]


def test_present_with_an_unknown_id_fails(run: Run, emulator: Emulator) -> None:
    result = run("volume", id=999, name="a", bucket=BUCKET)
    assert "no volume has the id 999" in result["msg"]
    assert emulator.volumes() == []


def test_absent_with_an_unknown_id_is_ok(run: Run) -> None:
    assert run("volume", id=999, state="absent")["changed"] is False


@pytest.mark.parametrize("state", ["present", "absent"])
def test_id_and_name_must_agree(run: Run, emulator: Emulator, state: str) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    result = run("volume", id=volume, name="b", state=state)
    assert f"the name of id {volume} is 'a'" in result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize("options", [{}, {"name": ""}, {"name": "  "}])
def test_name_or_id_is_required(run: Run, emulator: Emulator, options: dict[str, Any]) -> None:
    assert "name or id is required" in run("volume", **options)["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("field", ["name", "bucket", "blockSize", "block_size", "region", "extend"])
def test_extra_fields_must_not_hold_what_an_option_stands_for(run: Run, emulator: Emulator, field: str) -> None:
    result = run("volume", name="a", extra_fields={field: 1})
    assert result["failed"]
    assert field in result["msg"]
    assert emulator.requests == []


def test_negative_wait_timeout_is_refused(run: Run, emulator: Emulator) -> None:
    assert "wait_timeout" in run("volume", name="a", wait_timeout=-1)["msg"]
    assert emulator.requests == []


@pytest.mark.promise("check-mode-predicts")
@pytest.mark.parametrize(
    ("state", "exists"), [("present", False), ("present", True), ("absent", True), ("absent", False)]
)
def test_check_mode_writes_nothing_and_predicts_what_then_happens(
    run: Run, emulator: Emulator, state: str, exists: bool
) -> None:
    if exists:
        emulator.add_volume(name="a", bucket=BUCKET)
    options = {"name": "a", "bucket": BUCKET, "block_size": 4096, "state": state}
    predicted = run("volume", check=True, **options)
    assert emulator.writes == []
    real = run("volume", **options)
    assert predicted["changed"] == real["changed"]
    assert predicted["diff"] == real["diff"]
    assert predicted["msg"] == real["msg"] + (" (check mode: nothing was written)" if real["changed"] else "")
    if state == "absent":
        assert predicted["volume"] is real["volume"] is None
    else:
        assert predicted["volume"].items() <= real["volume"].items()
        assert ("id" in predicted["volume"]) is exists


def test_tokens_are_masked_in_place(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="a", bucket="https://me:hunter2@a.example.com")
    emulator.add_export(volume, desc="web", iprange="*")
    token = emulator.exports(volume)[0]["token"]
    result = run("volume", name="a")
    assert result["volume"]["access_rules"][0]["token"] == "********"
    assert result["volume"]["access_rules"][0]["iprange"] == "*"
    assert token not in str(result)
    assert "hunter2" not in str(result)
    shown = run("volume", name="a", include_tokens=True)
    assert shown["volume"]["access_rules"][0]["token"] == token


def test_a_refused_creation_shows_the_consoles_own_words(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(required="region"))
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"] is False
    assert "region" in result["msg"]
    assert result["failure"]["status"] == 400
    assert result["failure"]["method"] == "POST"
    assert result["failure"]["path"] == "/api/v1/volumes"
    assert emulator.volumes() == []


def test_an_id_is_no_extra_field(run: Run, emulator: Emulator) -> None:
    assert "must not contain id" in run("volume", name="a", extra_fields={"id": 7})["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("option", ["bucket", "compress"])
def test_blank_text_is_no_value(run: Run, emulator: Emulator, option: str) -> None:
    emulator.add_volume(name="a", bucket=BUCKET, compress="lz4")
    assert run("volume", name="a", **{option: " "})["changed"] is False


def test_blank_text_is_a_value_for_extend(run: Run, emulator: Emulator) -> None:
    emulator.add_volume(name="a", bucket=BUCKET, extend="x")
    assert "extend is 'x', wanted ''" in run("volume", name="a", extend="")["msg"]
