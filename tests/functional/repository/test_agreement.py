# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Things that must be consistent: documentation and code, promises and tests, versions, and the data for forges and editors."""

from __future__ import annotations

import ast
import configparser
import importlib
import inspect
import os
import re
import subprocess
import sys
import textwrap
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import (
    COLLECTION_VERSION,
    USER_AGENT,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import resources
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.variables import check_variables
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.http.signature_vectors import VECTORS
from functional.support.inprocess import PLUGINS
from harness import cores, release
from harness.places import CHECKOUT, linked_tree, tracked_files

# What roles are made of. It is internal, and documented in three sentences.
INTERNAL = "role_step"
MODULES = sorted({path.stem for path in CHECKOUT.glob("plugins/modules/*.py")} - {INTERNAL})
# The lists of items whose options Ansible does not check, as they are documented and in module_utils.
LISTS = resources.LISTS_OF_VOLUME
ITEMS = {"exports": (resources.EXPORT, ()), "quotas": (resources.QUOTA, ()), "volumes": (resources.VOLUME, LISTS)}
RESULT_TYPES: dict[str, type] = {"Integer": int, "Limit": int, "Size": int, "Boolean": bool}
# The keys of an _info module's result beside the fields, by noun.
FOUND: dict[str, dict[str, type]] = {"export": {"overlaps": str}, "quota": {}, "volume": {}}
# Fields of unknown meaning.
UNKNOWN = {"access_rules", "storage"}


def part_of(module: str, part: str) -> Any:
    return yaml.safe_load(attrgetter(part)(importlib.import_module(f"{PLUGINS}.{module}")))


def read(name: str) -> str:
    return (CHECKOUT / name).read_text(encoding="utf-8")


def load(name: str) -> Any:
    return yaml.safe_load(read(name))


def page(name: str) -> str:
    return read(f"docs/docsite/rst/{name}.rst")


def as_specified(options: dict[str, Any]) -> dict[str, Any]:
    """Return documented options in the form of an argument spec."""
    words = ("description", "suboptions", "version_added")
    return {name: {key: details[key] for key in details if key not in words} for name, details in options.items()}


@pytest.mark.parametrize("role", ["apply", "capture", "report"])
def test_the_defaults_of_a_role_are_those_documented(role: str) -> None:
    options = load(f"roles/{role}/meta/argument_specs.yml")["argument_specs"]["main"]["options"]
    documented = {name: option["default"] for name, option in options.items() if "default" in option}
    assert load(f"roles/{role}/defaults/main.yml") == documented


@pytest.mark.parametrize("name", ITEMS)
def test_the_options_of_an_item_are_those_documented(name: str) -> None:
    resource, children = ITEMS[name]
    documented = part_of(f"modules.{name}", "DOCUMENTATION")["options"][name]["suboptions"]
    assert as_specified(documented) == item_options(resource, children)
    for child in children:
        assert as_specified(documented[child.plural]["suboptions"]) == item_options(child)


def with_fragments(module: str) -> dict[str, Any]:
    """Return a module's documented options, those of fragments among them."""
    documentation = part_of(f"modules.{module}", "DOCUMENTATION")
    options = dict(documentation.get("options", {}))
    for fragment in documentation["extends_documentation_fragment"]:
        name, _dot, part = fragment.removeprefix("managedfs.console.").partition(".")
        found = part_of(f"doc_fragments.{name}", f"ModuleDocFragment.{part.upper() or 'DOCUMENTATION'}")
        options |= found.get("options", {})
    return options


@pytest.mark.parametrize("name", MODULES)
def test_the_options_of_a_module_are_those_documented(name: str) -> None:
    operation = importlib.import_module(f"{PLUGINS}.action.volumes").ActionModule.OPERATIONS[name]
    specified = {
        key: {word: option[word] for word in option if word not in ("no_log", "fallback")}
        for key, option in operation.argument_spec.items()
    }
    documented = as_specified(with_fragments(name))
    assert {key: documented[key] for key in operation.options} == {key: specified[key] for key in operation.options}
    assert documented.keys() == specified.keys()


@pytest.mark.parametrize("resource", [item for item, _children in ITEMS.values()], ids=lambda resource: resource.noun)
def test_a_returned_record_has_the_fields_of_its_resource(resource: resources.Resource) -> None:
    of_one = part_of(f"modules.{resource.noun}", "RETURN")[resource.noun]["sample"]
    (of_many,) = part_of(f"modules.{resource.noun}_info", "RETURN")[resource.plural]["sample"]
    below = () if resource.is_in_volume else LISTS
    extra = (
        {"volume_id": int, **FOUND[resource.noun]} if resource.is_in_volume else {child.plural: list for child in below}
    )
    assert types_of(of_one) == result_types(resource)
    assert types_of(of_many) == result_types(resource) | extra
    for child in below:
        assert types_of(*of_many[child.plural]) == result_types(child)


def types_of(sample: dict[str, Any]) -> dict[str, type]:
    return {name: type(value) for name, value in sample.items() if name not in UNKNOWN}


def result_types(resource: resources.Resource) -> dict[str, type]:
    """Return the types of fields in results, by their names."""
    known = {field.name: RESULT_TYPES.get(type(field.type).__name__, str) for field in resource.fields}
    known |= {"token": str} if resource.has_token else {}
    return {name: kind for name, kind in known.items() if name not in UNKNOWN}


def test_the_contract_for_tools_is_that_of_the_page() -> None:
    contract = load("docs/openapi.yml")
    schemas = {name: set(schema["properties"]) for name, schema in contract["components"]["schemas"].items()}
    assert schemas["Volume"] == {field.in_api for field in resources.VOLUME.fields}
    for resource in LISTS:
        name = resource.noun.capitalize()
        documented = {field.in_api for field in resource.managed if field.role is not resources.CREATE_ONLY}
        assert schemas[name] == {field.in_api for field in resource.managed}
        assert schemas[f"{name}Update"] == documented
    paths = contract["paths"].items()
    routes = [(method.upper(), path) for path, item in paths for method in item if method != "parameters"]
    table = re.findall(r"^([A-Z]+) +``(/\S+)`` ", page("api"), re.MULTILINE)
    assert sorted(routes) == sorted(table)


# A user of one module reads its page, and finds what he needs there.
MOST_WORDS = {
    "quota": 1000,
    "volume": 1200,
    "export": 1200,
    "quotas": 1500,
    "exports": 1500,
    "volumes": 2400,
    "api_request": 800,
}


@pytest.mark.parametrize(("name", "most"), MOST_WORDS.items())
def test_the_page_of_a_module_is_short(name: str, most: int) -> None:
    environment = os.environ | {"ANSIBLE_COLLECTIONS_PATH": str(linked_tree())}
    program = str(Path(sys.executable).with_name("ansible-doc"))
    command = [program, f"managedfs.console.{name}"]
    shown = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    assert 300 < len(shown.split()) <= most


@pytest.mark.parametrize("name", MODULES)
def test_every_result_has_an_example(name: str) -> None:
    results = part_of(f"modules.{name}", "RETURN")
    assert [key for key, result in results.items() if "sample" not in result or "contains" in result] == []


def test_the_options_of_the_connection_are_documented_as_they_are_and_playbooks_pass_them_on() -> None:
    documentation = importlib.import_module(f"{PLUGINS}.doc_fragments._connection").ModuleDocFragment.DOCUMENTATION
    fragment = yaml.safe_load(documentation)
    line = read("meta/ee-requirements.txt").splitlines()[-1]
    assert fragment["requirements"] == [f"python >= 3.{cores.MINORS[0]}", line]
    assert fragment["options"].keys() == CONNECTION_OPTIONS.keys()
    for name, option in CONNECTION_OPTIONS.items():
        for detail in ("type", "default", "required"):
            assert fragment["options"][name].get(detail) == option.get(detail), name
    assert load("playbooks/vars/connection.yml")["managedfs_connection_options"] == list(CONNECTION_OPTIONS)


def test_the_page_on_authentication_lists_every_variable_with_its_option_and_default() -> None:
    rows = re.findall(r"^``(\w+)`` +``(\w+)`` +(.+)$", page("authentication"), re.MULTILINE)
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


def test_the_code_has_the_messages_that_troubleshooting_quotes() -> None:
    quotes = re.findall(r"^``(.+)``$", page("troubleshooting"), re.MULTILINE)
    code = " ".join(path.read_text(encoding="utf-8") for path in CHECKOUT.glob("plugins/module_utils/**/*.py"))
    parts = {part.strip(" .") for quote in quotes for part in re.split(r"<\w+>|[:,]", quote)}
    assert [part for part in parts if part not in code] == []
    assert len(quotes) > 3


def test_no_variable_that_a_page_names_is_called_unknown() -> None:
    texts = [read(str(path)) for path in tracked_files() if path.suffix in (".rst", ".md")]
    named = {name for text in texts for name in re.findall(r"\bmanagedfs_\w*[a-z]", text)}
    assert named >= {"managedfs_hosts", "managedfs_in_worker", "managedfs_secret_key", "managedfs_summary"}
    variables = dict.fromkeys(named, "x")
    assert check_variables("tenant", {}, variables, variables.__getitem__).warnings == []


def test_every_playbook_is_in_the_section_about_playbooks() -> None:
    section = page("guide_existing_console").split("\nRoles and playbooks\n")[1].split("\n.. _")[0]
    described = re.findall(r"``(\w+)``", " ".join(re.findall(r"^- .*", section, re.MULTILINE)))
    assert {path.stem for path in (CHECKOUT / "playbooks").glob("*.yml")} <= set(described)


def done_by(task: dict[str, Any]) -> dict[str, Any]:
    """Return the essentials of a task, without its name, the console's address, and additions that a target may make."""
    around = {"name", "register", "check_mode", "diff", "loop", "loop_control"}
    return {
        name: {k: v for k, v in value.items() if k not in CONNECTION_OPTIONS} if isinstance(value, dict) else value
        for name, value in task.items()
        if name not in around
    }


FILTERS = sorted(path.stem for path in CHECKOUT.glob("plugins/filter/*.py"))


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_takes_what_its_documentation_lists(name: str) -> None:
    function = importlib.import_module(f"{PLUGINS}.filter.{name}").FilterModule().filters()[name]
    options = part_of(f"filter.{name}", "DOCUMENTATION")["options"]
    assert list(inspect.signature(function).parameters)[1:] == [option for option in options if option != "_input"]


EXAMPLES = [
    pytest.param(path.stem, example, id=f"{path.stem}: {example['name']}")
    for path in sorted([*CHECKOUT.glob("plugins/modules/*.py"), *CHECKOUT.glob("plugins/filter/*.py")])
    if path.stem != INTERNAL
    for example in part_of(f"{path.parent.name}.{path.stem}", "EXAMPLES")
]


@pytest.mark.parametrize(("target", "example"), EXAMPLES)
def test_the_integration_target_runs_the_example(target: str, example: dict[str, Any]) -> None:
    (block,) = load(f"tests/integration/targets/{target}/tasks/main.yml")
    assert done_by(example) in [done_by(task) for task in block["block"]]


# Promises that tests of more than one folder hold, and why.
HELD_TWICE = {
    "console-is-the-one": "a task has a list of consoles, a folder its console.yml",
    "every-fault-at-every-request": "a role sums up what its tasks report",
    "it-settles": "after a kill, and after two tasks at once",
    "no-secret-in-output": "results, errors of requests, registered variables and files are made in four places",
    "requests-are-bounded": "the matrix counts them, and the clock shows how long they wait",
    "rotation-is-left-alone": "by a purge, and by a capture",
}


def holders() -> dict[str, set[str]]:
    """Return the folders of the tests that hold a promise, which are marked: @pytest.mark.promise("success-is-true")."""
    holders: dict[str, set[str]] = {}
    for path in (CHECKOUT / "tests" / "functional").rglob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.promise":
                    for argument in mark.args:
                        holders.setdefault(ast.literal_eval(argument), set()).add(path.parent.name)
    return holders


def test_every_promise_is_held_by_a_test_at_one_level() -> None:
    assert sorted(re.findall(r"^``(.+)``$", page("guarantees"), re.MULTILINE)) == sorted(holders())
    assert {promise for promise, folders in holders().items() if len(folders) > 1} == HELD_TWICE.keys()


@pytest.mark.parametrize("name", release.VERSION_FILES)
def test_the_version_stands_where_a_release_writes_it(name: str) -> None:
    assert read(name).count(COLLECTION_VERSION) == 1


def test_the_version_stands_nowhere_else_but_in_the_changelog_and_the_user_agent() -> None:
    assert COLLECTION_VERSION in load("changelogs/changelog.yaml")["releases"]
    assert f"managedfs.console/{COLLECTION_VERSION} " in USER_AGENT
    archive_or_agent = re.compile(r"managedfs[-.]console[-/ ]v?\d+\.\d+")
    kinds = {".md", ".rst", ".yml", ".py", ".txt"}
    texts = [path for path in tracked_files() if path.suffix in kinds and path != Path("CHANGELOG.rst")]
    assert [path for path in texts if archive_or_agent.search(read(str(path)))] == []


def test_the_address_stands_in_galaxy_yml_only() -> None:
    address = load("galaxy.yml")["repository"].removeprefix("https://").encode()
    assert [path for path in tracked_files() if address in (CHECKOUT / path).read_bytes()] == [Path("galaxy.yml")]


def test_the_action_group_and_the_readme_have_every_module() -> None:
    runtime = load("meta/runtime.yml")
    assert sorted(runtime["action_groups"]["console"]) == MODULES
    assert [name for name in MODULES if f"`{name}`" not in read("README.md")] == []


def test_each_module_has_an_action_of_its_name() -> None:
    # Ansible loads only such a one before it forks its workers. Otherwise each of them loads it again, for four times the
    # processor time of a task.
    assert {path.stem for path in CHECKOUT.glob("plugins/action/*.py")} == {*MODULES, "role_step"}
    assert "plugin_routing" not in load("meta/runtime.yml")


def test_what_is_supported_is_what_is_tested() -> None:
    ordered = sorted(cores.SUPPORTED, key=lambda minor: [int(number) for number in minor.split(".")])
    assert list(cores.SUPPORTED) == ordered
    assert load("meta/runtime.yml")["requires_ansible"] == f">={ordered[0]}.0"
    assert f"ansible-core {ordered[0]}" in read("README.md")
    assert f"Python 3.{cores.MINORS[0]}" in read("README.md")
    versions = r"(2[\d., ]+)(?: \((pre-release)\))?"
    rows = re.findall(rf"^\| {versions} \| 3\.(\d+).3\.(\d+) \| 3\.(\d+).3\.(\d+) \|$", read("README.md"), re.MULTILINE)
    written = {minor: numbers for minors, _marker, *numbers in rows for minor in minors.split(", ")}
    assert written == {minor: [str(end) for ends in both for end in ends] for minor, both in cores.SUPPORTED.items()}
    assert [row[0] for row in rows if row[1]] == list(cores.PRE_RELEASES)


def test_the_sanity_tests_have_nothing_to_ignore() -> None:
    assert not [path for path in CHECKOUT.glob("tests/sanity/ignore*") if path.stat().st_size]


def test_unit_tests_need_nothing_else_of_tests() -> None:
    # ansible-test runs them on each ansible-core, and knows no other folder.
    others = "|".join(path.name for path in (CHECKOUT / "tests").iterdir() if path.is_dir())
    texts = {path: path.read_text(encoding="utf-8") for path in (CHECKOUT / "tests" / "unit").rglob("*.py")}
    assert [
        path for path, text in texts.items() if re.search(rf"^(?:from|import) (?:{others})\b", text, re.MULTILINE)
    ] == []


def test_ci_runs_everything_on_each_core_and_python_and_goes_on_where_a_pre_release_fails() -> None:
    job = load(".github/workflows/ci.yml")["jobs"]["test"]
    sessions = {minor: f"units-{minor} sanity-{minor} integration-{minor}" for minor in cores.SUPPORTED}
    tried = [{"sessions": sessions.pop(minor), "pre-release": True} for minor in cores.PRE_RELEASES]
    assert job["strategy"]["matrix"] == {"sessions": ["", *sessions.values()], "include": tried}
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make test"]
    nightly = load(".github/workflows/ci.yml")["jobs"]["nightly"]["strategy"]["matrix"]["include"]
    functional = {each["sessions"]: each.get("pre-release") for each in nightly if "functional" in each["sessions"]}
    oldest = next(iter(cores.SUPPORTED))
    assert functional == {f"functional-{oldest}": None, **{f"functional-{minor}": True for minor in cores.PRE_RELEASES}}
    (pythons,) = [step["with"]["python-version"] for step in job["steps"] if "setup-python" in step.get("uses", "")]
    assert sorted(pythons.split()) == sorted(f"3.{minor}" for minor in cores.MINORS)


def test_hooks_call_sessions_that_exist() -> None:
    (repository,) = load(".pre-commit-config.yaml")["repos"]
    entries = " ".join(hook["entry"] for hook in repository["hooks"])
    sessions = [name for names in re.findall(r'--session ([^"]+)"', entries) for name in names.split()]
    assert sessions
    for session in sessions:
        assert f"def {session.replace('-', '_')}(session: nox.Session)" in read("noxfile.py")


def test_every_command_of_the_makefile_is_explained() -> None:
    commands = set(re.findall(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)[0].split()) - {"help"}
    assert set(re.findall(r"^\t@echo 'make (\w+) ", read("Makefile"), re.MULTILINE)) == commands
    assert commands - set(re.findall(r"`make (\w+)", read("CONTRIBUTING.md"))) == set()


def test_editors_have_the_line_lengths_of_the_linters() -> None:
    settings = configparser.ConfigParser()
    settings.read_string(f"[root]\n{read('.editorconfig')}")
    assert f"\nline-length = {settings['*']['max_line_length']}\n" in read("pyproject.toml")
    assert settings["*.{yml,yaml}"].getint("max_line_length") == load(".yamllint")["rules"]["line-length"]["max"]
