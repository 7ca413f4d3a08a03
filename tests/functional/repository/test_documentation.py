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
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import resources
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.http.signature_vectors import VECTORS
from functional.support.inprocess import PLUGINS
from harness import release
from harness.cores import MINORS
from harness.places import CHECKOUT

MODULES = sorted(path.stem for path in CHECKOUT.glob("plugins/modules/*.py"))
# The lists of items whose options Ansible does not check, as they are documented and in module_utils.
LISTS = resources.LISTS_OF_VOLUME
ITEMS = {"exports": (resources.EXPORT, ()), "quotas": (resources.QUOTA, ()), "volumes": (resources.VOLUME, LISTS)}
RESULT_TYPES = {"Integer": "int", "Limit": "int", "Size": "int", "Boolean": "bool"}
# Fields of which nothing is known.
UNKNOWN = {"access_rules", "storage"}


def load(module: str, part: str) -> Any:
    return yaml.safe_load(getattr(importlib.import_module(f"{PLUGINS}.{module}"), part))


def page(name: str) -> str:
    return (CHECKOUT / f"docs/docsite/rst/{name}.rst").read_text(encoding="utf-8")


def as_specified(options: dict[str, Any]) -> dict[str, Any]:
    """Return documented options as an argument spec has them."""
    words = ("description", "suboptions", "version_added")
    return {name: {key: details[key] for key in details if key not in words} for name, details in options.items()}


@pytest.mark.parametrize("name", ITEMS)
def test_the_options_of_an_item_are_those_documented(name: str) -> None:
    resource, children = ITEMS[name]
    documented = load(f"modules.{name}", "DOCUMENTATION")["options"][name]["suboptions"]
    assert as_specified(documented) == item_options(resource, children)
    for child in children:
        assert as_specified(documented[child.plural]["suboptions"]) == item_options(child)


@pytest.mark.parametrize("resource", [item for item, _children in ITEMS.values()], ids=lambda resource: resource.noun)
def test_a_returned_record_has_the_fields_of_its_resource(resource: resources.Resource) -> None:
    of_one = load(f"modules.{resource.noun}", "RETURN")[resource.noun]["contains"]
    of_many = load(f"modules.{resource.noun}_info", "RETURN")[resource.plural]["contains"]
    below = () if resource.is_in_volume else LISTS
    extra = {"volume_id": "int"} if resource.is_in_volume else {child.plural: "list" for child in below}
    assert types_of(of_one) == result_types(resource)
    assert types_of(of_many) == result_types(resource) | extra
    for child in below:
        assert types_of(of_many[child.plural]["contains"]) == result_types(child)


def types_of(documented: dict[str, Any]) -> dict[str, str]:
    return {name: field["type"] for name, field in documented.items() if name not in UNKNOWN}


def result_types(resource: resources.Resource) -> dict[str, str]:
    """Return the types that fields have in results, by their names."""
    known = {field.name: RESULT_TYPES.get(type(field.type).__name__, "str") for field in resource.fields}
    known |= {"token": "str"} if resource.has_token else {}
    return {name: kind for name, kind in known.items() if name not in UNKNOWN}


@pytest.mark.parametrize("name", MODULES)
def test_every_returned_record_is_described_field_by_field(name: str) -> None:
    assert list(undescribed(load(f"modules.{name}", "RETURN"))) == []


def undescribed(results: dict[str, Any]) -> Iterator[Any]:
    """Yield the dictionaries whose fields are known and not described; a diff has fields by key, and JSON any."""
    for name, value in results.items():
        is_record = "dict" in (value["type"], value.get("elements"))
        if is_record and "contains" not in value and name not in ("before", "after"):
            yield value
        yield from undescribed(value.get("contains", {}))


def test_the_options_of_the_connection_are_documented_as_they_are_and_playbooks_pass_them_on() -> None:
    documentation = importlib.import_module(f"{PLUGINS}.doc_fragments._connection").ModuleDocFragment.DOCUMENTATION
    fragment = yaml.safe_load(documentation)
    line = (CHECKOUT / "meta" / "ee-requirements.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert fragment["requirements"] == [f"python >= 3.{MINORS[0]}", line]
    assert fragment["options"].keys() == CONNECTION_OPTIONS.keys()
    for name, option in CONNECTION_OPTIONS.items():
        for detail in ("type", "default", "required"):
            assert fragment["options"][name].get(detail) == option.get(detail), name
    variables = yaml.safe_load((CHECKOUT / "playbooks" / "vars" / "connection.yml").read_text(encoding="utf-8"))
    assert variables["managedfs_connection_options"] == list(CONNECTION_OPTIONS)


def test_the_page_on_authentication_lists_every_variable_with_its_option_and_default() -> None:
    rows = re.findall(r"^   \* - ``(\w+)``\n     - ``(\w+)``\n     - (.+)$", page("authentication"), re.MULTILINE)
    variables = [(name, option["fallback"][1][0]) for name, option in CONNECTION_OPTIONS.items()]
    assert [(name, variable) for name, variable, _default in rows] == variables
    for name, _variable, default in rows:
        option = CONNECTION_OPTIONS[name]
        assert (default == "required") == option.get("required", False), name
        assert str(option.get("default", "")).lower() in default, name


def test_the_example_of_a_signature_is_one_that_other_tools_computed() -> None:
    example = page("api").split("\nExample\n")[1].split("\n.. _")[0]
    (vector,) = [vector for vector in VECTORS if vector["name"] == "method_put"]
    for name in ("access_key", "secret_key", "timestamp", "method", "url", "signature"):
        assert str(vector[name]) in example, name
    assert textwrap.indent(vector["string_to_sign"], "   ", lambda line: line.strip() != "") in example


def test_every_playbook_is_on_the_page_about_playbooks() -> None:
    described = re.findall(r"^   \* - ``(\w+)``$", page("playbooks"), re.MULTILINE)
    assert sorted(described) == sorted(path.stem for path in (CHECKOUT / "playbooks").glob("*.yml"))


def done_by(task: dict[str, Any]) -> dict[str, Any]:
    """Return what a task does, regardless of its name, of where the console is, and of what a target may add."""
    around = {"name", "register", "check_mode", "diff", "loop", "loop_control"}
    return {
        name: {k: v for k, v in value.items() if k not in CONNECTION_OPTIONS} if isinstance(value, dict) else value
        for name, value in task.items()
        if name not in around
    }


# The integration targets that run the examples of filters.
TARGETS = {"report_facts": "report_files", "to_desired_state": "desired_state_files"}

EXAMPLES = [
    pytest.param(TARGETS.get(path.stem, path.stem), example, id=f"{path.stem}: {example['name']}")
    for path in release.documented(CHECKOUT)
    if path.suffix == ".py"
    for example in load(f"{path.parent.name}.{path.stem}", "EXAMPLES")
]


@pytest.mark.parametrize(("target", "example"), EXAMPLES)
def test_the_integration_target_runs_the_example(target: str, example: dict[str, Any]) -> None:
    path = CHECKOUT / "tests" / "integration" / "targets" / target / "tasks" / "main.yml"
    (block,) = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert done_by(example) in [done_by(task) for task in block["block"]]
