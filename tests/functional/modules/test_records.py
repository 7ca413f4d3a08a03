# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules volume, export and quota: what a task writes, predicts, reports and leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run
from functional.support.one_volume import Console, serve_lists

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


@pytest.mark.promise("no-secret-in-output")
def test_tokens_are_masked_in_place_unless_asked_for(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="v", bucket="https://me:hunter2@v.example.com")
    emulator.add_export(volume, desc="web", iprange="*", token="secret-of-web")
    for module, options in (("volume", {"name": "v"}), ("export", {"volume": "v", "desc": "web"})):
        result = run(module, **options)
        assert "secret-of-web" not in str(result)
        assert "hunter2" not in str(result)
        assert "'token': '********'" in str(result[module])
        assert "secret-of-web" in str(run(module, **options, include_tokens=True)[module])


SPACED = {"a blank": "web ", "a tab": "\tweb", "a line feed": "web\n", "a control character": "w\x1feb"}


@pytest.mark.promise("keys-are-exact")
@pytest.mark.parametrize("key", SPACED.values(), ids=SPACED)
@pytest.mark.parametrize("module", ["volume", "export", "exports", "quota", "volumes"])
def test_a_key_that_a_console_may_store_as_another_one_is_never_created(
    run: Run, console: Console, module: str, key: str
) -> None:
    item = {"desc": key, "iprange": "*"}
    options: dict[str, dict[str, Any]] = {
        "volume": {"name": key, "bucket": BUCKET},
        "export": {"volume": "v", **item},
        "exports": {"volume": "v", "exports": [{"desc": "other", "iprange": "*"}, item]},
        "quota": {"volume": "v", "path": f"/a{key}", "size": 5000},
        "volumes": {"volumes": [{"name": "v", "exports": [item]}]},
    }
    for check in (True, False):
        result = run(module, **options[module], check=check)
        assert (result["failed"], result["changed"], console.emulator.writes) == (True, False, [])
        assert (
            "with white space at its ends or control characters in it: consoles may remove them. Correct"
            in result["msg"]
        )


@pytest.mark.promise("keys-are-exact")
def test_a_key_that_is_there_is_reached_exactly_or_by_its_id(console: Console) -> None:
    for desc in ("web ", "web"):
        console.has_export(desc=desc, iprange="*")
    assert console.export(desc="web ", iprange="::1")["export"]["id"] == 2001
    assert console.export(id=2001, desc="api")["msg"] == "export 'web ' (id 2001) of volume 'v': updated"
    assert "with white space at its ends" in console.export(id=2001, desc="api ")["msg"]
    assert [(export["desc"], export["iprange"]) for export in console.exports] == [("api", "::1"), ("web", "*")]


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
    "different": ({"trashtime": 7}, {"trashtime": 30}, "trashtime is not as wanted"),
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


UPDATED: dict[str, tuple[Any, ...]] = {
    "taken": ({"subdir": "/y", "label": "one"}, [{"subdir": "/y"}], None),
    "not taken": ({"subdir": "/x", "label": "one"}, [{"subdir": "/y"}], "subdir is not as wanted"),
    "another was reset": (
        {"subdir": "/y", "label": ""},
        [{"subdir": "/y"}, {**FLAGS, "subdir": "/y", "label": "one"}],
        "label is not as wanted",
    ),
}


@pytest.mark.promise("omitted-is-untouched")
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
