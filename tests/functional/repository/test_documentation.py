# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Statements of the documentation that no tool of Ansible compares with the code."""

from __future__ import annotations

import importlib
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    LISTS_OF_VOLUME,
    QUOTA,
    VOLUME,
    Resource,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.http.signature_vectors import VECTORS
from functional.support.inprocess import PLUGINS
from harness.places import CHECKOUT

MODULES = sorted(path.stem for path in (CHECKOUT / "plugins" / "modules").glob("*.py"))


# The lists of items whose options Ansible does not check, as they are documented and in module_utils.
ITEMS = {"exports": (EXPORT, ()), "quotas": (QUOTA, ()), "volumes": (VOLUME, LISTS_OF_VOLUME)}
RESULT_TYPES = {"Integer": "int", "Limit": "int", "Size": "int", "Boolean": "bool"}


def load(module: str, part: str) -> Any:
    """Return a part of the documentation of a module."""
    return yaml.safe_load(getattr(importlib.import_module(f"{PLUGINS}.modules.{module}"), part))


def without_words(options: dict[str, Any]) -> dict[str, Any]:
    """Return documented options as an argument spec has them."""
    return {
        name: {
            key: value for key, value in details.items() if key not in ("description", "suboptions", "version_added")
        }
        for name, details in options.items()
    }


@pytest.mark.parametrize("name", ITEMS)
def test_the_options_of_an_item_are_those_documented(name: str) -> None:
    resource, children = ITEMS[name]
    documented = load(name, "DOCUMENTATION")["options"][name]["suboptions"]
    assert without_words(documented) == item_options(resource, children)
    for child in children:
        assert without_words(documented[child.plural]["suboptions"]) == item_options(child)


@pytest.mark.parametrize("resource", [EXPORT, QUOTA, VOLUME], ids=lambda resource: resource.noun)
def test_a_returned_record_has_the_fields_of_its_resource(resource: Resource) -> None:
    of_one = load(resource.noun, "RETURN")[resource.noun]["contains"]
    of_many = load(f"{resource.noun}_info", "RETURN")[resource.plural]["contains"]
    extra = {"volume_id": "int"} if resource.is_in_volume else {child.plural: "list" for child in LISTS_OF_VOLUME}
    assert types_of(of_one) == result_types(resource)
    assert types_of(of_many) == {**result_types(resource), **extra}
    if not resource.is_in_volume:
        for child in LISTS_OF_VOLUME:
            assert types_of(of_many[child.plural]["contains"]) == result_types(child)


def types_of(documented: dict[str, Any]) -> dict[str, str]:
    """Return the documented types of fields, but those of which nothing is known."""
    return {name: field["type"] for name, field in documented.items() if name not in ("access_rules", "storage")}


def result_types(resource: Resource) -> dict[str, str]:
    """Return the types that fields have in results, by their names."""
    known = {field.name: RESULT_TYPES.get(type(field.type).__name__, "str") for field in resource.fields}
    token = {"token": "str"} if resource.has_token else {}
    return {name: kind for name, kind in {**known, **token}.items() if name not in ("access_rules", "storage")}


def test_playbooks_pass_all_options_of_the_connection_on() -> None:
    variables = yaml.safe_load((CHECKOUT / "playbooks" / "vars" / "connection.yml").read_text(encoding="utf-8"))
    assert variables["managedfs_connection_options"] == list(CONNECTION_OPTIONS)


def test_the_example_of_a_signature_is_one_that_other_tools_computed() -> None:
    page = (CHECKOUT / "docs" / "docsite" / "rst" / "api.rst").read_text(encoding="utf-8")
    example = page.split("\nExample\n")[1].split("\n.. _")[0]
    (vector,) = [vector for vector in VECTORS if vector["name"] == "method_put"]
    for name in ("access_key", "secret_key", "timestamp", "method", "url", "signature"):
        assert str(vector[name]) in example, name
    assert textwrap.indent(vector["string_to_sign"], "   ", lambda line: line.strip() != "") in example


def test_every_playbook_is_on_the_page_about_playbooks() -> None:
    page = (CHECKOUT / "docs" / "docsite" / "rst" / "playbooks.rst").read_text(encoding="utf-8")
    described = re.findall(r"^   \* - ``(\w+)``$", page, re.MULTILINE)
    assert sorted(described) == sorted(path.stem for path in (CHECKOUT / "playbooks").glob("*.yml"))


@pytest.mark.parametrize("name", MODULES)
def test_every_returned_record_is_described_field_by_field(name: str) -> None:
    module = importlib.import_module(f"{PLUGINS}.modules.{name}")
    for key, value in undescribed(yaml.safe_load(module.RETURN)):
        pytest.fail(f"{key} has no contains: {value}")


def undescribed(results: dict[str, Any], place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dictionaries whose fields are known and not described; a diff has fields by key, and JSON any."""
    for name, value in results.items():
        here = f"{place}{name}"
        is_record = value["type"] == "dict" or value.get("elements") == "dict"
        if is_record and "contains" not in value and name not in ("before", "after"):
            yield here, value
        yield from undescribed(value.get("contains", {}), f"{here}.")
