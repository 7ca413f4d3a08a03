# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How options of tasks and items are read: unset ones, and whole numbers as templates write them."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    LISTS_BY_NAME,
    LISTS_OF_VOLUME,
    VOLUME,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from functional.support.inprocess import PLUGINS, Run, connection_to
from functional.support.one_volume import Console

Options = dict[str, Any]

BUCKET = "https://v.example.com"

HALF = 5368709120
MILLION = 1_000_000
BOUNDED = ("timeout", "retries", "wait_timeout")
LOCATION: dict[str, Options] = {"quota": {"volume": "v", "path": "/a"}, "quotas": {"volume": "v"}, "volumes": {}}


def task_with(module: str, item: Options) -> Options:
    """Return the options of a task about one quota, as its own options or as those of an item."""
    if module == "quota":
        return {**LOCATION[module], **item}
    quotas = [{"path": "/a", **item}]
    return {
        **LOCATION[module],
        **({"quotas": quotas} if module == "quotas" else {"volumes": [{"name": "v", "quotas": quotas}]}),
    }


# A template gives a float, and with ansible-core 2.16 its text.
@pytest.mark.parametrize("form", [float, "{}.0".format, " {}.00 ".format], ids=["number", "text", "padded"])
@pytest.mark.parametrize("module", LOCATION)
def test_a_whole_number_may_end_in_a_fraction_of_zero(run: Run, console: Console, module: str, form: Any) -> None:
    options = task_with(module, {"size": form(HALF), "inodes": form(MILLION)})
    assert run(module, **options)["changed"] is True
    assert [(quota["size"], quota["inodes"]) for quota in console.quotas] == [(HALF, MILLION)]
    assert run(module, **options)["changed"] is False
    identity = console.quotas[0]["id"]
    moved = task_with(module, {"id": form(identity), "path": "/b"})
    assert run(module, **moved, **{name: form(5) for name in BOUNDED})["changed"] is True
    assert [(quota["id"], quota["path"]) for quota in console.quotas] == [(identity, "/b")]


@pytest.mark.parametrize("value", [1.5, "1.5", "0.5"], ids=repr)
@pytest.mark.parametrize("module", LOCATION)
@pytest.mark.parametrize("option", ["size", "inodes", "id"])
def test_any_other_fraction_is_refused(run: Run, console: Console, module: str, option: str, value: Any) -> None:
    result = run(module, **task_with(module, {option: value}))
    assert result["failed"]
    assert option in result["msg"]
    assert console.emulator.requests == []


@pytest.mark.parametrize("value", ["0777", "0777.0", "1_000", "1_000.0"])
@pytest.mark.parametrize(("module", "option"), [("quotas", "inodes"), ("volumes", "id"), ("quota", "size")])
def test_a_number_that_may_be_meant_otherwise_is_refused(
    run: Run, console: Console, module: str, option: str, value: str
) -> None:
    result = run(module, **task_with(module, {option: value}))
    assert f"{option} must " in result["msg"]
    assert console.emulator.requests == []


OF_TASKS: dict[str, Options] = {
    "volume": {"name": "v", "bucket": BUCKET, "wait": False},
    "export": {"volume": "v", "desc": "web", "iprange": "*"},
    "quota": {"volume": "v", "path": "/a", "size": "1K"},
    "exports": {"volume": "v", "exports": [{"desc": "web", "iprange": "*"}]},
    "quotas": {"volume": "v", "quotas": [{"path": "/a", "size": "1K"}]},
    "volumes": {"volumes": [{"name": "v", "bucket": BUCKET}]},
    "volume_info": {},
    "export_info": {},
    "quota_info": {},
    "export_rotation": {"volume": "v", "desc": "web", "state": "started"},
    "api_request": {"path": "volumes"},
}


def all_options(module: str) -> set[str]:
    """Return the names of a module's options, as it documents them."""
    documented = yaml.safe_load(importlib.import_module(f"{PLUGINS}.modules.{module}").DOCUMENTATION)
    return {*documented["options"], *CONNECTION_OPTIONS} - {"extend"}


@pytest.mark.parametrize("blank", [None, "", " \n"], ids=repr)
@pytest.mark.parametrize("module", OF_TASKS)
def test_null_and_blank_text_are_unset_for_every_option(
    run: Run, console: Console, module: str, blank: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8")
    for name, value in connection_to(console.emulator).items():
        monkeypatch.setenv(f"MANAGEDFS_{name.upper()}", value)
    given = OF_TASKS[module]
    unset = dict.fromkeys(all_options(module) - given.keys(), blank)
    plain, padded = (run(module, **{**given, **more}, check=True) for more in ({}, unset))
    for result in (plain, padded):
        result.pop("invocation")
    assert not padded.get("failed"), padded["msg"]
    assert padded == plain


@pytest.mark.usefixtures("console")
@pytest.mark.parametrize("blank", [None, "", " \n"], ids=repr)
@pytest.mark.parametrize("module", ["exports", "quotas", "volumes"])
def test_so_they_are_in_items(run: Run, module: str, blank: Any) -> None:
    given = OF_TASKS[module]
    resource, children = (VOLUME, LISTS_OF_VOLUME) if module == "volumes" else (LISTS_BY_NAME[module], ())
    unset = dict.fromkeys(item_options(resource, children).keys() - {"extend"}, blank)
    items = [{**unset, **item} for item in given[module]]
    nested = {
        kind: [{**dict.fromkeys(item_options(LISTS_BY_NAME[kind]), blank), **OF_TASKS[kind][kind][0]}]
        for kind in ("exports", "quotas")
    }
    plain, padded = (run(module, **{**given, module: each}, check=True) for each in (given[module], items))
    for result in (plain, padded):
        result.pop("invocation")
    assert not padded.get("failed"), padded["msg"]
    assert padded == plain
    if module == "volumes":
        result = run(module, volumes=[{**items[0], **nested}], check=True)
        assert result["msg"].startswith("volumes: 1 unchanged; exports: 1 created; quotas: 1 created"), result["msg"]
