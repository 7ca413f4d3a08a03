# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules volume, export and quota: what a task writes, predicts, reports and leaves alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.faults import serve_lists
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console

BUCKET = "https://v.example.com"
GIB = 1 << 30
FLAGS = {"apionly": False, "readonly": False, "appendonly": False}
V, WEB, A = 101, 2001, 30001
Options = dict[str, Any]


@pytest.fixture
def seeded(console: Console) -> Console:
    """Return a console with volume v, its export web and its quota /a."""
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    console.has_quota(path="/a", size=5, inodes=7)
    return console


def options_for(module: str, options: Options) -> Options:
    """Return options with the volume that export and quota are about, unless it is given."""
    return (
        options
        if module.startswith("volume") or options.keys() & {"volume", "volume_id"}
        else {"volume": "v"} | options
    )


@pytest.mark.promise("check-mode-predicts")
@pytest.mark.parametrize(
    ("module", "options", "sent", "message"),
    [
        ("volume", {"name": "a", "bucket": BUCKET}, ("POST", {"name": "a", "bucket": BUCKET}), "volume 'a': created"),
        (
            "volume",
            {
                "name": "a",
                "bucket": BUCKET,
                "region": 2,
                "block_size": 8192,
                "extend": "",
                "extra_fields": {"trashtime": 7},
            },
            ("POST", {"name": "a", "bucket": BUCKET, "region": 2, "blockSize": 8192, "extend": "", "trashtime": 7}),
            "volume 'a': created",
        ),
        ("volume", {"name": "v", "state": "absent"}, ("DELETE", None), "volume 'v' (id 101): deleted"),
        ("volume", {"id": V, "state": "absent"}, ("DELETE", None), "volume 'v' (id 101): deleted"),
        (
            "export",
            {"desc": "db", "iprange": "192.168.0.1/24", "readonly": True},
            ("POST", {**FLAGS, "desc": "db", "iprange": "192.168.0.1/24", "readonly": True}),
            "export 'db' of volume 'v': created",
        ),
        (
            "export",
            {"desc": "web", "iprange": "10.0.0.0/9", "readonly": True},
            ("PUT", {"desc": "web", "iprange": "10.0.0.0/9"}),
            "export 'web' (id 2001) of volume 'v': updated",
        ),
        (
            "export",
            {"id": WEB, "desc": "www", "volume": " ", "volume_id": V},
            ("PUT", {"desc": "www", "iprange": "10.0.0.0/8"}),
            "export 'web' (id 2001) of volume 'v': updated",
        ),
        (
            "export",
            {"desc": "web", "state": "absent"},
            ("DELETE", None),
            "export 'web' (id 2001) of volume 'v': deleted",
        ),
        (
            "quota",
            {"path": "/data//b/", "size": "10GiB"},
            ("POST", {"path": "/data/b", "size": 10 * GIB}),
            "quota '/data/b' of volume 'v': created",
        ),
        (
            "quota",
            {"path": "/", "size": 0, "inodes": 5},
            ("POST", {"path": "/", "size": 0, "inodes": 5}),
            "quota '/' of volume 'v': created",
        ),
        (
            "quota",
            {"path": "/a", "size": "1K"},
            ("PUT", {"path": "/a", "size": 1024}),
            "quota '/a' (id 30001) of volume 'v': updated",
        ),
        (
            "quota",
            {"id": A, "path": "/b/"},
            ("PUT", {"path": "/b", "size": 5}),
            "quota '/a' (id 30001) of volume 'v': updated",
        ),
        (
            "quota",
            {"id": A, "path": "/a", "state": "absent"},
            ("DELETE", None),
            "quota '/a' (id 30001) of volume 'v': deleted",
        ),
    ],
    ids=str,
)
def test_a_change_is_predicted_written_and_then_none(
    run: Run, seeded: Console, module: str, options: Options, sent: tuple[str, Any], message: str
) -> None:
    options = options_for(module, options)
    predicted = run(module, check=True, **options)
    assert seeded.sent == []
    done, again = run(module, **options), run(module, **options)
    assert seeded.sent == [sent]
    assert (predicted["changed"], done["changed"], again["changed"]) == (True, True, False)
    assert (done["msg"], predicted["msg"]) == (message, f"{message} (check mode: nothing was written)")
    assert predicted["diff"] == done["diff"]
    assert again["diff"]["before"] == again["diff"]["after"]
    assert (predicted[module] or {}).items() <= (done[module] or {}).items()
    assert (done[module] is None) == (sent[0] == "DELETE")


@pytest.mark.promise("omitted-is-untouched")
@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("volume", {"name": "v"}),
        ("volume", {"id": V, "name": "v", "bucket": f"{BUCKET}/", "compress": " "}),
        ("volume", {"name": "gone", "state": "absent"}),
        ("volume", {"id": 999, "state": "absent"}),
        ("export", {"desc": "web"}),
        ("export", {"desc": "web", "iprange": "10.1.2.3/8", "readonly": True}),
        ("export", {"desc": "web", "iprange": "\n"}),
        ("export", {"id": 999, "state": "absent"}),
        ("quota", {"path": "/a"}),
        ("quota", {"path": "//a/.", "size": "5B"}),
        ("quota", {"path": "/a", "size": " "}),
        ("quota", {"path": "/b", "state": "absent"}),
    ],
    ids=str,
)
def test_what_is_as_wanted_is_unchanged(run: Run, seeded: Console, module: str, options: Options) -> None:
    result = run(module, **options_for(module, options))
    assert (result.get("failed"), result["changed"], result["warnings"]) == (None, False, [])
    assert (result[module] is None) == (options.get("state") == "absent")
    assert seeded.sent == []


def test_any_address_and_the_whole_of_ipv4_are_two_things(console: Console) -> None:
    console.has_export(desc="web", iprange="*")
    assert console.export(desc="web", iprange="0.0.0.0/0")["changed"]


def test_the_diff_shows_what_people_read(console: Console) -> None:
    console.has_quota(path="/a", size=5, inodes=7)
    result = console.quota(path="/a", size="1K")
    header = f"quota '/a' (id {A}) of volume 'v'"
    assert result["diff"] == {
        "before_header": header,
        "after_header": header,
        "before": {"path": "/a", "size": 5, "inodes": 7},
        "after": {"path": "/a", "size": "1KiB", "inodes": 7},
    }


def test_the_diff_of_a_deleted_volume_names_what_goes_with_it(run: Run, seeded: Console) -> None:
    predicted = run("volume", name="v", state="absent", check=True)
    before = predicted["diff"]["before"]
    assert (before["name"], before["exports"], before["quotas"]) == ("v", ["web"], ["/a"])
    assert predicted["diff"]["after"] == {}
    seeded.emulator.forget_requests()
    run("volume", name="v", state="absent", diff=False)
    paths = [f"{request.method} {request.path}" for request in seeded.emulator.requests]
    assert paths == ["GET /volumes", f"DELETE /volumes/{V}", "GET /volumes"]


def test_a_record_has_documented_names_and_types(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(numbers="string"))
    emulator.add_volume(name="v", bucket=BUCKET)
    result = run("volume", name="v", block_size=4096)
    assert result["changed"] is False
    assert (result["volume"]["id"], result["volume"]["block_size"]) == (V, 4096)
    assert isinstance(result["volume"]["size"], int)
    assert "blockSize" not in result["volume"]


@pytest.mark.promise("masking-is-by-place")
def test_tokens_are_masked_in_place_unless_asked_for(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="v", bucket="https://me:hunter2@v.example.com")
    emulator.add_export(volume, desc="web", iprange="*", token="secret-of-web")
    for module, options in (("volume", {"name": "v"}), ("export", {"volume": "v", "desc": "web"})):
        result = run(module, **options)
        assert "secret-of-web" not in str(result)
        assert "hunter2" not in str(result)
        assert "'token': '********'" in str(result[module])
        assert "secret-of-web" in str(run(module, **options, include_tokens=True)[module])


@pytest.mark.promise("wrong-address-is-never-ok")
def test_a_wrong_address_is_not_taken_for_a_volume_that_is_gone(run: Run, console: Console) -> None:
    address = console.emulator.url + "/elsewhere"
    assert run("export", volume_id=1, desc="a", state="absent", console_url=address)["failed"]


def test_ids_tell_records_of_one_key_apart(run: Run, console: Console) -> None:
    other = console.emulator.add_volume(name="v", bucket=BUCKET)
    first, second = (console.emulator.add_export(other, desc="a", iprange="*") for _number in range(2))
    options = {"volume_id": other, "id": second, "desc": "a", "state": "absent"}
    assert [run("export", **options)["changed"] for _time in range(2)] == [True, False]
    assert [export["id"] for export in console.emulator.exports(other)] == [first]
    assert run("volume", id=other, name="v")["volume"]["id"] == other


def test_exports_without_a_description_disturb_nobody(console: Console) -> None:
    unnamed = [console.has_export(desc="", iprange="*") for _number in range(2)]
    assert console.export(desc="web", iprange="*")["changed"]
    assert console.export(desc="web", state="absent")["changed"]
    assert [export["id"] for export in console.exports] == unnamed


@pytest.mark.promise("keys-are-exact")
def test_white_space_in_keys_is_part_of_them(console: Console) -> None:
    kept = [console.has_quota(path=path, size=5) for path in ("/a ", "/a  b")]
    for path in ("/a b", "/a b"):
        console.quota(path=path, size=5)
    own = console.has_quota(path="/a", size=5)
    assert console.quota(path="/a", size=6)["quota"]["id"] == own
    assert console.quota(id=kept[0], path="/c", size=5)["changed"]
    assert [quota["path"] for quota in console.quotas] == ["/c", "/a  b", "/a b", "/a"]


def test_a_console_that_trims_keys_gets_no_second_record(console: Console) -> None:
    console.reset(trim_keys=True)
    first, again = (console.quota(path="/a ", size=5) for _time in range(2))
    assert (first["failed"], first["changed"], again["failed"], again["changed"]) == (True, True, True, False)
    assert "New in the list: quota '/a'" in first["msg"]
    assert "only in white space" in again["msg"]
    assert [quota["path"] for quota in console.quotas] == ["/a"]


@pytest.mark.parametrize(
    ("wanted", "records"),
    [
        ({"path": "/", "size": 5}, [{"id": 1, "path": "", "size": 5}]),
        ({"desc": "a", "readonly": False}, [{"id": 1, "desc": "a", "readonly": None}]),
    ],
    ids=["the root as no text", "false as null"],
)
@pytest.mark.usefixtures("volume")
def test_what_consoles_show_in_place_of_a_value(
    run: Run, emulator: Emulator, wanted: Options, records: list[Any]
) -> None:
    module = "quota" if "path" in wanted else "export"
    serve_lists(emulator, f"{module}s$", records)
    assert run(module, volume="v", **wanted)["changed"] is False


# What the console refuses or cannot do


def test_a_refused_creation_shows_the_consoles_own_words(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(region_required=True))
    result = run("volume", name="a", bucket=BUCKET)
    assert (result["failed"], result["changed"], result["volume"]) == (True, False, None)
    assert "region: This field is required." in result["msg"]
    failure = {name: result["failure"][name] for name in ("status", "method", "path")}
    assert failure == {"status": 400, "method": "POST", "path": "/api/v1/volumes"}


@pytest.mark.parametrize("module", ["export", "quota"])
def test_a_console_that_does_not_delete_says_so(seeded: Console, module: str) -> None:
    seeded.emulator.dialect = Dialect(delete_children="405")
    result = seeded.run(module, **{"desc": "web"} if module == "export" else {"path": "/a"}, state="absent")
    assert f"this console does not delete {module}s" in result["msg"]
    assert (result["changed"], len(seeded.exports), len(seeded.quotas)) == (False, 1, 1)


def test_a_creation_that_lands_under_another_key_is_told(console: Console, clock: FakeClock) -> None:
    console.emulator.inject(Fault("empty", method="POST"))
    clock.on_sleep = lambda: console.exports or console.has_export(desc="WEB", iprange="*")
    result = console.export(desc="web", iprange="*", wait_timeout=5)
    assert "is not listed after 5 s. New in the list: export 'WEB'" in result["msg"]
    assert result["changed"]


@pytest.mark.parametrize("identity", ["7?x", "1/../7", "..", "a b", "", "\u0661", None])
def test_an_id_that_means_something_else_in_a_path_is_none(run: Run, emulator: Emulator, identity: Any) -> None:
    emulator.add_volume(name="v", bucket=BUCKET)
    serve_lists(emulator, "exports$", [{"id": identity, "desc": "web", "iprange": "*"}])
    result = run("export", volume="v", desc="web", state="absent")
    assert "without a usable id" in result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize("record", [{"id": 1}, {"id": 1, "name": []}, {"name": "b"}], ids=str)
def test_records_without_id_or_key_are_no_reason_to_write(
    run: Run, emulator: Emulator, record: Options, state: str
) -> None:
    serve_lists(emulator, "volumes$", [record])
    result = run("volume", name="a", bucket=BUCKET, state=state)
    assert re.search("volumes without a usable (id|name)", result["msg"])
    assert emulator.writes == []
