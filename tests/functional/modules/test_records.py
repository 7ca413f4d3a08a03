# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules volume, export and quota: what a task writes, predicts, reports and leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.faults import serve_lists
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console

BUCKET = "https://v.example.com"
NEW = {"name": "a", "bucket": BUCKET}
FLAGS = {"apionly": False, "readonly": False, "appendonly": False}
ALL = {"desc": "b", "iprange": "*"}
WEB, A = "export 'web' (id 2001)", "quota '/a' (id 30001)"
DONE = {"POST": "created", "PUT": "updated", "DELETE": "deleted"}
Options = dict[str, Any]


@pytest.fixture
def seeded(console: Console) -> Console:
    """Return a console with volume v (id 101), its export web (2001) and its quota /a (30001)."""
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    console.has_quota(path="/a", size=5, inodes=7)
    return console


def options_for(module: str, options: Options) -> Options:
    """Return options with the volume for export and quota, unless it is given."""
    return options if module == "volume" or "volume_id" in options else {"volume": "v", **options}


@pytest.mark.promise("check-mode-predicts")
@pytest.mark.parametrize(
    ("module", "options", "method", "body", "described"),
    [
        ("volume", NEW, "POST", NEW, "volume 'a'"),
        ("volume", NEW | {"block_size": 1, "extend": ""}, "POST", NEW | {"blockSize": 1, "extend": ""}, "volume 'a'"),
        ("volume", NEW | {"extra_fields": {"trashtime": 7}}, "POST", NEW | {"trashtime": 7}, "volume 'a'"),
        ("volume", {"name": "v", "state": "absent"}, "DELETE", None, "volume 'v' (id 101)"),
        ("export", ALL, "POST", FLAGS | ALL, "export 'b'"),
        ("export", {"desc": "web", "iprange": "::1"}, "PUT", {"desc": "web", "iprange": "::1"}, WEB),
        ("export", {"id": 2001, "desc": "b"}, "PUT", {"desc": "b", "iprange": "10.0.0.0/8"}, WEB),
        ("export", {"desc": "web", "state": "absent"}, "DELETE", None, WEB),
        ("quota", {"path": "/b//c/", "size": "10GiB"}, "POST", {"path": "/b/c", "size": 10 << 30}, "quota '/b/c'"),
        ("quota", {"path": "/", "inodes": 5}, "POST", {"path": "/", "inodes": 5}, "quota '/'"),
        ("quota", {"path": "/a", "size": "1K"}, "PUT", {"path": "/a", "size": 1024}, A),
        ("quota", {"id": 30001, "path": "/b/"}, "PUT", {"path": "/b", "size": 5}, A),
        ("quota", {"id": 30001, "path": "/a", "state": "absent"}, "DELETE", None, A),
    ],
    ids=str,
)
def test_a_change_is_predicted_written_and_then_none(
    run: Run, seeded: Console, module: str, options: Options, method: str, body: Any, described: str
) -> None:
    options = options_for(module, options)
    predicted = run(module, check=True, **options)
    assert seeded.sent == []
    done, again = run(module, **options), run(module, **options)
    assert seeded.sent == [(method, body)]
    assert (predicted["changed"], done["changed"], again["changed"]) == (True, True, False)
    of_volume = "" if module == "volume" else " of volume 'v'"
    message = f"{described}{of_volume}: {DONE[method]}"
    assert (done["msg"], predicted["msg"]) == (message, f"{message} (check mode: nothing was written)")
    assert predicted["diff"] == done["diff"]
    assert again["diff"]["before"] == again["diff"]["after"]
    assert (predicted[module] or {}).items() <= (done[module] or {}).items()
    assert (done[module] is None) == (method == "DELETE")


@pytest.mark.promise("omitted-is-untouched")
@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("volume", {"name": "v"}),
        ("volume", {"id": 101, "name": "v", "bucket": f"{BUCKET}/", "compress": " "}),
        ("volume", {"name": "gone", "state": "absent"}),
        ("volume", {"id": 999, "state": "absent"}),
        ("export", {"desc": "web"}),
        ("export", {"desc": "web", "iprange": "10.1.2.3/8", "readonly": True}),
        ("export", {"desc": "web", "iprange": "\n", "volume": " ", "volume_id": 101}),
        ("export", {"id": 999, "state": "absent"}),
        ("quota", {"path": "//a/.", "size": "5B"}),
        ("quota", {"path": "/a", "size": 5}),
        ("quota", {"path": "/b", "state": "absent"}),
    ],
    ids=str,
)
def test_what_is_as_wanted_is_unchanged(run: Run, seeded: Console, module: str, options: Options) -> None:
    result = run(module, **options_for(module, options))
    assert (result.get("failed"), result["changed"], result["warnings"]) == (None, False, [])
    assert (result[module] is None) == (options.get("state") == "absent")
    assert seeded.sent == []


@pytest.mark.parametrize(
    ("module", "options", "described"),
    [
        ("volume", {"name": "project"}, "volume 'project'"),
        ("volume", {"id": 999}, "volume (id 999)"),
        ("export", {"id": 999}, "export (id 999) of volume 'v'"),
        ("quota", {"path": "/b/"}, "quota '/b' of volume 'v'"),
        ("quota", {"volume": "project", "path": "/b"}, "quota '/b' of volume 'project'"),
    ],
    ids=str,
)
@pytest.mark.parametrize("check", [False, True])
def test_nothing_to_delete_is_said_as_such(
    run: Run, seeded: Console, module: str, options: Options, described: str, check: bool
) -> None:
    result = run(module, state="absent", check=check, **options_for(module, options))
    assert (result["changed"], result["msg"]) == (False, f"there is no {described}: nothing to delete")
    assert seeded.sent == []


def test_the_diff_shows_what_people_read(seeded: Console) -> None:
    diff = seeded.quota(path="/a", size="1K")["diff"]
    assert diff["before_header"] == diff["after_header"] == "quota '/a' (id 30001) of volume 'v'"
    assert diff["before"] == {"path": "/a", "size": 5, "inodes": 7}
    assert diff["after"] == {"path": "/a", "size": "1KiB", "inodes": 7}


def test_the_diff_of_a_deleted_volume_names_what_goes_with_it(run: Run, seeded: Console) -> None:
    predicted = run("volume", name="v", state="absent", check=True)
    before = predicted["diff"]["before"]
    assert (before["name"], before["exports"], before["quotas"]) == ("v", ["web"], ["/a"])
    assert predicted["diff"]["after"] == {}
    seeded.emulator.forget_requests()
    done = run("volume", name="v", state="absent", diff=False)
    assert "exports" not in done["diff"]["before"]
    paths = [f"{request.method} {request.path}" for request in seeded.emulator.requests]
    # The content of a deleted volume is part of the plan and its checksum, even without a diff.
    reads = ["GET /volumes", "GET /volumes/101/exports", "GET /volumes/101/quotas"]
    assert paths == [*reads, "DELETE /volumes/101", "GET /volumes"]


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


def test_ids_tell_records_of_one_key_apart(run: Run, console: Console) -> None:
    other = console.emulator.add_volume(name="v", bucket=BUCKET)
    first, second = (console.emulator.add_export(other, desc="a", iprange="*") for _number in range(2))
    options = {"volume_id": other, "id": second, "desc": "a", "state": "absent"}
    assert [run("export", **options)["changed"] for _time in range(2)] == [True, False]
    assert [export["id"] for export in console.emulator.exports(other)] == [first]
    assert run("volume", id=other, name="v")["volume"]["id"] == other


ACCENT, COMPOSED, DECOMPOSED = "caf\u00e9", {"fold_keys": "nfc"}, {"fold_keys": "nfd"}
RESPELLED = {
    "white space": ({"trim_keys": True}, "web ", "web", "white space at its ends"),
    "letter case": ({"fold_keys": "case"}, "Web", "web", "letter case"),
    "one character": (COMPOSED, "cafe\u0301", ACCENT, "the form in which Unicode writes it"),
    "two characters": (DECOMPOSED, ACCENT, "cafe\u0301", "the form in which Unicode writes it"),
    "all at once": (
        {"trim_keys": True, "fold_keys": "case"},
        "WEB ",
        "web",
        "white space at its ends and the spelling of its letters",
    ),
}


@pytest.mark.parametrize("fault", [None, "reset_after"], ids=["answered", "lost"])
@pytest.mark.parametrize(
    ("module", "dialect", "key", "kept", "difference"),
    # Two directories may differ in letter case.
    [
        pytest.param(module, *case, id=f"{module}: {name}")
        for module in ("volume", "export", "exports", "quota")
        for name, case in RESPELLED.items()
        if (module, case[-1]) != ("quota", "letter case")
    ],
)
@pytest.mark.promise("respelled-keys-are-found", "keys-are-exact")
def test_a_console_that_spells_keys_its_own_way_gets_no_second_record(
    run: Run,
    console: Console,
    module: str,
    dialect: dict[str, Any],
    key: str,
    kept: str,
    difference: str,
    fault: str | None,
) -> None:
    console.reset(**dialect)
    if fault:
        console.emulator.inject(Fault(fault, method="POST"))
    item = {"desc": key, "iprange": "*"}
    options: dict[str, dict[str, Any]] = {
        "volume": {"name": key, "bucket": "https://web.example.com", "wait": False},
        "export": {"volume": "v", **item},
        "exports": {"volume": "v", "exports": [item]},
        "quota": {"volume": "v", "path": f"/{key}", "size": 5000},
    }
    first, again = (run(module, **options[module]) for _time in range(2))
    name = {"volume": "name", "quota": "path"}.get(module, "desc")
    slash = "/" if module == "quota" else ""
    assert (first["failed"], first["changed"], again["failed"], again["changed"]) == (True, True, True, False)
    # Without an answer, it may be somebody else's.
    said, advice = ("and may be", "If the") if fault else ("not all of it was accepted", "The")
    assert said in str(first)
    assert f": {name} is '{slash}{kept}', wanted '{slash}{key}'. {advice} console gave it" in str(first)
    assert f"differs from '{slash}{key}' only in {difference}, so it may or may not be" in str(again)
    found = [volume["name"] for volume in console.emulator.volumes() if volume["name"] != "v"]
    found += [export["desc"] for export in console.exports] + [quota["path"] for quota in console.quotas]
    assert found == [f"{slash}{kept}"]
    assert len(console.emulator.writes) == 1


@pytest.mark.parametrize("dialect", [{}, {"create_body": "empty", "appear_after": 2.0}], ids=["prompt", "late"])
def test_two_items_that_differ_in_letter_case_are_two_records(console: Console, dialect: dict[str, Any]) -> None:
    console.reset(**dialect)
    items = [{"desc": key, "iprange": "*"} for key in ("web", "Web")]
    result = console.run("exports", exports=items)
    assert sorted(result["created"]) == ["Web", "web"]
    assert any("Some consoles take the two for one." in warning for warning in result["warnings"])
    assert console.run("exports", exports=items)["changed"] is False


@pytest.mark.parametrize("body", ["record", "empty"])
@pytest.mark.parametrize("times", [0, 1, 2, None], ids=str)
@pytest.mark.promise("respelled-keys-are-found")
def test_two_items_of_which_the_console_makes_one_are_not_sent_again(
    console: Console, clock: FakeClock, body: str, times: int | None
) -> None:
    console.reset(fold_keys="case", create_body=body)
    if times != 0:
        console.emulator.inject(Fault("reset_after", method="POST", times=times))
    started = clock.now
    result = console.run("exports", exports=[{"desc": key, "iprange": "*"} for key in ("web", "Web")])
    messages = [error["msg"] for error in result["errors"]]
    assert "there are several exports with the desc 'web': ids 2001, 2002." in messages[0]
    assert "desc is 'web', wanted 'Web'" in messages[1]
    assert len(console.exports) == 2
    assert clock.now - started < 60


def test_a_quota_in_letters_that_the_console_does_not_keep_is_created_twice_at_most(console: Console) -> None:
    console.reset(fold_keys="case")
    messages = [console.quota(path="/Data", size=5000)["msg"] for _run in range(3)]
    assert [("use that one in the task" in message, "several quotas" in message) for message in messages] == [
        (True, False),
        (True, False),
        (False, True),
    ]
    assert [quota["path"] for quota in console.quotas] == ["/data", "/data"]


def test_two_directories_may_differ_in_letter_case(console: Console) -> None:
    console.quota(path="/data", size=5000)
    result = console.quota(path="/Data", size=5000)
    assert result["changed"]
    doubt = "There is no quota '/Data', but quota '/data' (id 30001) differs from it only in letter case."
    assert f"{doubt} If that one is meant, use its exact path." in result["warnings"]


@pytest.mark.parametrize("check", [True, False])
def test_a_volume_of_nearly_that_name_is_not_taken_for_missing(run: Run, emulator: Emulator, check: bool) -> None:
    emulator.add_volume(name="projects", bucket=BUCKET)
    result = run("quota", volume="Projects", path="/a", size="1K", check=check)
    assert "volume 'projects' (id 101) differs from 'Projects' only in letter case" in result["msg"]
    gone = run("quota", volume="Projects", path="/a", state="absent", check=check)
    assert (gone.get("failed"), gone["changed"]) == (None, False)


@pytest.mark.parametrize("name", ["projects", "PROJECTS", "projects "])
def test_the_volume_of_exactly_that_name_is_taken_beside_others_of_nearly_that_name(
    run: Run, emulator: Emulator, name: str
) -> None:
    ids = {each: emulator.add_volume(name=each, bucket=BUCKET) for each in ("projects", "PROJECTS", "projects ")}
    assert run("quota", volume=name, path="/a", size="1K")["changed"]
    assert run("quota", volume_id=ids[name], path="/a", size="1K")["changed"] is False
    assert [len(emulator.quotas(volume)) for volume in ids.values()].count(1) == 1


def test_a_refused_creation_shows_the_consoles_own_words(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(required="region"))
    result = run("volume", name="a", bucket=BUCKET)
    assert (result["failed"], result["changed"], result["volume"]) == (True, False, None)
    assert "region: This field is required." in result["msg"]
    failure = {name: result["failure"][name] for name in ("status", "method", "path")}
    assert failure == {"status": 400, "method": "POST", "path": "/api/v1/volumes"}


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    ("record", "missing"),
    [({"id": identity, "name": "a"}, "id") for identity in ("7?x", "1/../7", "..", "a b", "", "\u0661", None)]
    + [({"name": "b"}, "id"), ({"id": 1}, "name"), ({"id": 1, "name": []}, "name")],
    ids=ascii,
)
def test_unusable_records_change_nothing(run: Run, emulator: Emulator, record: Any, missing: str, state: str) -> None:
    serve_lists(emulator, "volumes$", [record])
    assert f"volumes without a usable {missing}" in run("volume", **NEW, state=state)["msg"]
    assert emulator.writes == []


SHOWN: dict[str, tuple[Any, ...]] = {
    "equal": ({"trashtime": "7"}, {"trashtime": 7}, "unchanged"),
    "different": ({"trashtime": 7}, {"trashtime": 30}, "trashtime is 7, wanted 30"),
    "a secret": ({"secret_key": "hunter1"}, {"secret_key": "hunter2"}, "secret_key is"),
}


@pytest.mark.promise("create-only-fails-first")
@pytest.mark.parametrize("module", ["volume", "export", "quota"])
@pytest.mark.parametrize(("shown", "wanted", "message"), SHOWN.values(), ids=SHOWN)
def test_extra_fields_are_compared_if_shown(
    run: Run, seeded: Console, module: str, shown: Any, wanted: Any, message: str
) -> None:
    key = {"volume": "name", "export": "desc", "quota": "path"}[module]
    serve_lists(seeded.emulator, f"{module}s$", [{"id": 101, key: "/a", **shown}])
    options = {key: "/a", "extra_fields": wanted, **({} if module == "volume" else {"volume_id": 101})}
    if module != "volume":
        serve_lists(seeded.emulator, "volumes$", [{"id": 101, "name": "v"}])
    result = run(module, **options)
    assert message in result["msg"]
    assert (result.get("unverified"), seeded.sent) == (None, [])
    assert "hunter" not in result["msg"]


@pytest.mark.promise("unshown-is-unverified")
@pytest.mark.parametrize(("module", "options"), [("export", ALL), ("quota", {"path": "/b", "size": 4096})])
def test_extra_fields_are_sent_with_a_creation(seeded: Console, module: str, options: Options) -> None:
    created = seeded.run(module, **options, extra_fields={"label": "x"})
    assert seeded.sent == [("POST", {**(FLAGS if module == "export" else {}), **options, "label": "x"})]
    assert (created["changed"], created["unverified"]) == (True, ["label"])


UPDATED: dict[str, tuple[Any, ...]] = {
    "taken": ({"subdir": "/y", "label": "one"}, [{"subdir": "/y"}], None),
    "not taken": ({"subdir": "/x", "label": "one"}, [{"subdir": "/y"}], "subdir is '/x', wanted '/y'"),
    "another was reset": (
        {"subdir": "/y", "label": ""},
        [{"subdir": "/y"}, {**FLAGS, "subdir": "/y", "label": "one"}],
        "label was 'one', is ''",
    ),
}


@pytest.mark.promise("omitted-is-untouched", "success-is-true")
@pytest.mark.parametrize(("later", "sent", "message"), UPDATED.values(), ids=UPDATED)
def test_an_update_of_extra_fields_is_read_back(
    seeded: Console, later: Any, sent: list[Any], message: str | None
) -> None:
    web = {"id": 2001, "desc": "web", "iprange": "10.0.0.0/8", **FLAGS}
    serve_lists(seeded.emulator, "exports$", [{**web, "subdir": "/x", "label": "one"}], [{**web, **later}])
    extra = {"subdir": "/y", "label": "one"}
    result = seeded.export(desc="web", extra_fields=extra, create_only_changes="update")
    documented = {"desc": "web", "iprange": "10.0.0.0/8"}
    assert [body for _method, body in seeded.sent][:1] == [{**documented, **sent[0]}]
    assert [{**documented, **body} for body in sent] == [body for _method, body in seeded.sent]
    assert result["changed"] is (later["subdir"] == "/y")
    if message:
        assert message in result["msg"]
    else:
        assert (result["diff"]["before"]["subdir"], result["diff"]["after"]["subdir"]) == ("/x", "/y")
