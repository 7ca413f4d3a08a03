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

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.http.signature_vectors import VECTORS
from functional.support.inprocess import PLUGINS
from harness.places import CHECKOUT

MODULES = sorted(path.stem for path in (CHECKOUT / "plugins" / "modules").glob("*.py"))


@pytest.mark.parametrize("name", ["exports", "quotas"])
def test_the_options_of_an_item_are_those_documented(name: str) -> None:
    module = importlib.import_module(f"{PLUGINS}.modules.{name}")
    documented: dict[str, Any] = yaml.safe_load(module.DOCUMENTATION)["options"][name]["suboptions"]
    described = {
        option: {key: value for key, value in details.items() if key != "description"}
        for option, details in documented.items()
    }
    resource = {"exports": EXPORT, "quotas": QUOTA}[name]
    assert described == item_options(resource)


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
