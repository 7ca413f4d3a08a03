# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules volume_info, export_info and quota_info."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run
from functional.support.one_volume import serve_lists

BUCKET = "https://a.example.com"
A, B, TWIN = 101, 102, 103


@pytest.fixture
def filled(emulator: Emulator) -> Emulator:
    """Return a console with volumes a, b and another b; the first two have two exports and two quotas each."""
    emulator.reset(Dialect(numbers="string", list_shape="page", page_size=1))
    for name in ("a", "b", "b"):
        emulator.add_volume(name=name, bucket=BUCKET)
    for volume in (A, B):
        for name in ("web", "db"):
            emulator.add_export(volume, desc=name, iprange="*")
            emulator.add_quota(volume, path=f"/{name}", size=5, inodes=7)
    return emulator


MISSING = [
    ("quota_info", {"volume": "new"}, "volume 'new' does not exist. Check the name, or create the volume first."),
    ("export_info", {"volume": "new"}, "volume 'new' does not exist. Check the name, or create the volume first."),
    (
        "export_rotation",
        {"volume": "new", "desc": "a", "state": "started"},
        "volume 'new' does not exist. Check the name, or create the volume first.",
    ),
    (
        "export_rotation",
        {"volume": "a", "desc": "new", "state": "started"},
        "there is no export 'new' of volume 'a'. Check desc.",
    ),
    (
        "export_rotation",
        {"volume": "a", "desc": "new", "state": "finished"},
        "there is no export 'new' of volume 'a'. Check desc.",
    ),
]


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(("module", "options", "message"), MISSING, ids=str)
def test_check_mode_says_that_an_earlier_task_may_be_about_to_create_what_is_missing(
    run: Run, module: str, options: Any, message: str
) -> None:
    in_check_mode = f"{message} In check mode, what an earlier task would create is missing, too."
    assert [run(module, check=check, **options)["msg"] for check in (False, True)] == [message, in_check_mode]


@pytest.mark.parametrize(
    ("module", "options", "found"),
    [
        ("volume_info", {}, [A, B, TWIN]),
        ("volume_info", {"name": ""}, [A, B, TWIN]),
        ("volume_info", {"name": "b"}, [B, TWIN]),
        ("volume_info", {"id": TWIN}, [TWIN]),
        ("volume_info", {"id": TWIN, "name": "b"}, [TWIN]),
        ("volume_info", {"id": A, "name": "b"}, []),
        ("volume_info", {"id": 999}, []),
        ("volume_info", {"only": ["a*"]}, [A]),
        ("export_info", {}, [(A, "web"), (A, "db"), (B, "web"), (B, "db")]),
        ("export_info", {"volume": "a"}, [(A, "web"), (A, "db")]),
        ("export_info", {"volume_id": TWIN}, []),
        ("export_info", {"desc": "web"}, [(A, "web"), (B, "web")]),
        ("export_info", {"volume_id": B, "id": 2003}, [(B, "web")]),
        ("export_info", {"volume": "a", "desc": "nobody"}, []),
        ("quota_info", {}, [(A, "/web"), (A, "/db"), (B, "/web"), (B, "/db")]),
        ("quota_info", {"path": "/db/"}, [(A, "/db"), (B, "/db")]),
        ("quota_info", {"id": 30004}, [(B, "/db")]),
    ],
    ids=str,
)
@pytest.mark.parametrize("check", [False, True], ids=["real", "check mode"])
def test_what_is_found(run: Run, filled: Emulator, module: str, options: Any, found: list[Any], check: bool) -> None:
    result = run(module, check=check, **options)
    keys = {"volume_info": ("id",), "export_info": ("volume_id", "desc"), "quota_info": ("volume_id", "path")}[module]
    listed = result[module.removesuffix("_info") + "s"]
    records = [itemgetter(*keys)(record) for record in listed]
    assert (records, result["changed"], filled.writes) == (found, False, [])
    assert not any("overlaps" in record for record in listed)


@pytest.mark.parametrize("module", ["export_info", "quota_info"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"volume": "gone"}, "does not exist"),
        ({"volume_id": 999}, "does not exist"),
        ({"volume_id": 0}, "does not exist"),
        ({"volume": "b"}, "102, 103"),
    ],
    ids=str,
)
def test_a_named_volume_must_be_there_once(run: Run, filled: Emulator, module: str, options: Any, message: str) -> None:
    assert message in run(module, **options)["msg"]
    assert filled.writes == []


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize(
    ("module", "options"), [("export_info", {}), ("volume_info", {}), ("volume_info", {"gather": ["exports"]})], ids=str
)
def test_tokens_are_masked_unless_asked_for(run: Run, filled: Emulator, module: str, options: dict[str, Any]) -> None:
    assert not any(token in str(run(module, **options)) for token in filled.tokens())
    assert any(token in str(run(module, include_tokens=True, **options)) for token in filled.tokens())


@pytest.mark.promise("address-finds-all")
@pytest.mark.parametrize(
    ("options", "exports", "rules"),
    [
        ({"address": "10.1.2.3"}, [("any", "yes"), ("ten", "yes"), ("hidden", "unknown")], ["*"]),
        ({"address": "2001:db8::1"}, [("any", "yes"), ("six", "yes"), ("hidden", "unknown")], ["*"]),
        ({"address": "10.0.0.0/8", "desc": "ten"}, [("ten", "yes")], []),
        ({"address": "192.0.2.0/24", "volume": "b"}, [], ["192.0.2.0/25"]),
    ],
    ids=str,
)
def test_who_lets_an_address_in(run: Run, emulator: Emulator, options: Any, exports: Any, rules: Any) -> None:
    shown: dict[str, dict[str, Any]] = {
        "any": {"iprange": "*", "readonly": True},
        "ten": {"iprange": "10.1.0.0/16"},
        "six": {"iprange": "2001:db8::/32"},
        "hidden": {},
    }
    of_a = [{"id": number, "desc": desc, **fields} for number, (desc, fields) in enumerate(shown.items())]
    rule = {"iprange": "*", "readonly": False, "token": "swordfish"}
    volumes = [
        {"id": A, "name": "a", "access_rules": [rule, {"iprange": "*", "readonly": True}]},
        {"id": B, "name": "b", "access_rules": [{"iprange": "192.0.2.0/25", "readonly": True}]},
    ]
    serve_lists(emulator, "volumes$", volumes)
    serve_lists(emulator, f"{A}/exports$", of_a)
    serve_lists(emulator, f"{B}/exports$", [])
    result = run("export_info", **options)
    assert [(export["desc"], export["overlaps"]) for export in result["exports"]] == exports
    assert [rule["iprange"] for rule in result["access_rules"]] == rules
    assert "swordfish" not in str(result)


@pytest.mark.parametrize(
    ("module", "kind"), [("volume_info", "volumes"), ("export_info", "exports"), ("quota_info", "quotas")]
)
@pytest.mark.promise("results-are-bounded")
def test_a_list_is_empty_after_a_failure(run: Run, filled: Emulator, module: str, kind: str) -> None:
    for options in (
        {},
        {"secret_key": "wrong"},
        {"console_url": ""},
        {"console_url": "http://127.0.0.1:9", "retries": 0},
    ):
        filled.inject(Fault("status", status=403, times=1))
        result = run(module, **options)
        assert (result["failed"], result["changed"], result[kind]) == (True, False, [])


def test_a_bad_address_is_refused_before_the_first_request(run: Run, emulator: Emulator) -> None:
    assert "address must be an IP address" in run("export_info", address="*")["msg"]
    assert emulator.requests == []
    assert "access_rules" not in run("export_info", address="")
