# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook awx_setup: what it tells AWX to create, whether AWX takes that, and what it checks beforehand.

AWX has rules for credential types and surveys; of the types, what comes out of every way to fill in the fields counts, too.
"""

from __future__ import annotations

import os
import re
import types
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from emulator import Emulator
from functional.awx.stand_in import StandIn
from functional.support.inprocess import SharedConsole, connection_to, run_module
from functional.support.outofprocess import collections_path
from functional.support.plays import Played, run_playbook
from harness.places import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "awx-project"
DATA = CHECKOUT / "playbooks" / "vars" / "awx.yml"
PROJECT = {"awx_setup_project_url": "https://git.example.com/console.git"}
ADDRESS = "{{ awx_address | default('the console', true) }}"
INPUTS = {"console_url": "https://console.example.com", "secret_key": "", "access_key": ""}


def set_up(stand_in: StandIn, variables: dict[str, Any], *options: str, **environment: str) -> Played:
    """Run awx_setup with a stand-in for awx.awx, in an environment that has a console."""
    with Emulator() as emulator, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        paths = f"{collections_path()}{os.pathsep}{stand_in.folder}"
        patch.setattr("functional.support.outofprocess.collections_path", lambda: paths)
        return run_playbook(emulator, stand_in.folder, "managedfs.console.awx_setup", PROJECT | variables, *options)


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """Return a stand-in that has recorded nothing yet."""
    stand_in = StandIn(tmp_path)
    stand_in.install()
    return stand_in


@pytest.fixture(scope="module")
def created(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """Return what a setup with nothing but the project's address has recorded."""
    stand_in = StandIn(tmp_path_factory.mktemp("awx"))
    stand_in.install()
    assert set_up(stand_in, {}).count("failed") == 0
    return stand_in


class _Loader(yaml.SafeLoader):
    """Reads variables without templating them."""


_Loader.add_constructor("!unsafe", lambda _loader, node: node.value)


def names(stand_in: StandIn, module: str) -> list[str]:
    """Return the names of what a module was told to create."""
    return [options["name"] for options in stand_in.told(module)]


def test_everything_is_created_in_its_order(created: StandIn) -> None:
    kinds = list(dict.fromkeys(module for module, _options in created.recorded))
    last = ["job_template", "workflow_job_template", "workflow_job_template_node", "schedule"]
    assert kinds == ["credential_type", "credential", "project", "inventory", *last]
    templates = [f"Console: {name}" for name in ("apply", "check", "drift", "gate", "report", "rotate", "tenant")]
    assert names(created, "job_template") == templates
    assert names(created, "workflow_job_template") == ["Console: change", "Console: new token"]


def test_all_of_the_data_reaches_awx(created: StandIn) -> None:
    data = _Loader(DATA.read_text(encoding="utf-8")).get_single_data()
    modules = {"credential_types": "credential_type", "projects": "project", "inventories": "inventory"}
    modules |= {"templates": "job_template", "schedules": "schedule"}
    for name, module in modules.items():
        for wanted, told in zip(data[f"controller_{name}"], created.told(module), strict=True):
            # A name that is blank is left out.
            assert set(wanted) - {"default_environment"} <= set(told)
    made, links = [], []
    address = created.told("credential")[0]["inputs"]["console_url"]
    kinds = ("identifier", "unified_job_template", "approval_node", "extra_data")
    for workflow, told in zip(data["controller_workflows"], created.told("workflow_job_template"), strict=True):
        nodes = workflow.pop("simplified_workflow_nodes")
        assert set(workflow) <= set(told)
        where = {"organization": "Default", "workflow_job_template": told["name"]}
        made += [where | {name: _named(node[name], address) for name in kinds if name in node} for node in nodes]
        linked = ("identifier", "success_nodes", "failure_nodes")
        links += [where | {name: node[name] for name in linked} for node in nodes[:-1]]
    # Each node is made, and then linked.
    made = [node | {"lookup_organization": "Default"} for node in made]
    assert created.told("workflow_job_template_node") == made + links


def _named(value: Any, address: str) -> Any:
    """Return a value of the data as it is with the default prefix, and the address of a console."""
    if isinstance(value, dict):
        return {name: _named(each, address) for name, each in value.items()}
    text = value if isinstance(value, str) else ""
    return text.replace("{{ awx_prefix }}", "Console").replace(ADDRESS, address) or value


def test_the_default_leaves_schedules_off_and_asks_for_what_it_should(created: StandIn) -> None:
    assert [schedule["enabled"] for schedule in created.told("schedule")] == [False, False]
    assert all(schedule["state"] == "exists" for schedule in created.told("schedule"))
    apply, check, drift, gate, report, rotate, tenant = created.told("job_template")
    assert all((EXAMPLE / template["playbook"]).is_file() for template in created.told("job_template"))
    assert (apply["job_type"], check["job_type"], check["diff_mode"]) == ("run", "check", True)
    assert (apply["ask_job_type_on_launch"], apply["ask_verbosity_on_launch"]) == (True, True)
    assert all(template["ask_credential_on_launch"] for template in (apply, check, drift, report, rotate, tenant))
    assert (gate["ask_credential_on_launch"], tenant["ask_job_type_on_launch"]) == (False, True)
    assert tenant["extra_vars"] == {
        "tenant_must_exist": True,
        "tenant_path_prefix": "/tenants",
        "tenant_desc_prefix": "tenant-",
    }
    assert created.told("project")[0]["scm_update_on_launch"] is True


def test_the_secret_key_is_written_where_it_belongs_and_not_shown(stand_in: StandIn) -> None:
    stand_in.has(projects=[{"status": "never updated"}])
    played = set_up(stand_in, {"awx_setup_update_secrets": True}, "-vvvv", MANAGEDFS_TIMEOUT=" ")
    (credential,) = stand_in.told("credential")
    assert set(credential["inputs"]) == {"console_url", "access_key", "secret_key", "insecure"}
    assert credential["state"] == "present"
    assert credential["inputs"]["secret_key"] not in played.output
    assert len(stand_in.told("project_update")) == 1


def test_names_and_more_can_be_chosen(stand_in: StandIn) -> None:
    chosen = {"prefix": "Berlin", "organization": "Storage", "execution_environment": "registry.example.com/ee:1"}
    chosen |= {"credential": "false", "schedules": "true", "project_branch": "main"}
    organization = {"name": "Storage", "related": {"galaxy_credentials": "galaxy"}}
    stand_in.has(organizations=[organization], projects=[{"status": "failed"}])
    set_up(stand_in, {f"awx_setup_{name}": value for name, value in chosen.items()})
    everything = [options for module, options in stand_in.recorded if module != "credential_type"]
    assert {options["organization"] for options in everything} == {"Storage"}
    assert all(options["name"].startswith("Berlin: ") for options in everything if "name" in options)
    assert stand_in.told("credential") == []
    assert all("credentials" not in template for template in stand_in.told("job_template"))
    assert [schedule["enabled"] for schedule in stand_in.told("schedule")] == [True] * 4
    (project,), (environment,) = stand_in.told("project"), stand_in.told("execution_environment")
    assert (project["scm_branch"], project["default_environment"]) == ("main", environment["name"])
    assert len(stand_in.told("project_update")) == 1


@pytest.mark.parametrize("credentials", [[], [{"name": "Another"}]], ids=["", "but a type that others use"])
def test_everything_is_removed(stand_in: StandIn, created: StandIn, credentials: list[dict[str, str]]) -> None:
    stand_in.has(credentials=credentials)
    set_up(stand_in, {"awx_setup_state": "absent", "awx_setup_project_url": ""})
    assert {options["state"] for _module, options in stand_in.recorded} == {"absent"}
    kept = {"schedule", "workflow_job_template_node"} | ({"credential_type"} if credentials else set())
    removed = {module for module, _options in created.recorded} - kept
    assert {module for module, _options in stand_in.recorded} == removed | {"execution_environment"}
    for module in removed:
        assert set(names(created, module)) == set(names(stand_in, module))


OTHER = {"inputs": {"console_url": "https://other.example.com"}}
SOMEBODY = {"username": "bob", "is_superuser": False}
WRONG: dict[str, tuple[dict[str, list[Any]], dict[str, Any], str]] = {
    "address": ({}, {"awx_setup_project_url": " "}, "awx_setup_project_url is required"),
    "misspelled": (
        {},
        {"awx_setup_shedules": True},
        "There is no variable awx_setup_shedules, but awx_setup_project_url,",
    ),
    "state": ({}, {"awx_setup_state": "gone"}, "awx_setup_state must be present or absent, not gone."),
    "organization": ({"organizations": []}, {}, "There is no organization Default"),
    "Galaxy": ({"galaxy": []}, {}, "has no Galaxy credential"),
    "environment": ({}, {"awx_console_inputs": INPUTS}, "variables MANAGEDFS_ACCESS_KEY, MANAGEDFS_SECRET_KEY"),
    "another console": (
        {"credentials": [OTHER]},
        {},
        "but Console: credential has https://other.example.com. For another",
    ),
    "notification": (
        {},
        {"awx_setup_notifications": "a, b"},
        "no notification template a, which awx_setup_notifications",
    ),
    "no administrator": (
        {"credential_types": [], "me": [SOMEBODY]},
        {},
        "and bob is none. Have one run this playbook first",
    ),
}


@pytest.mark.parametrize(("has", "variables", "message"), WRONG.values(), ids=WRONG)
def test_what_is_missing_or_wrong_is_named(
    stand_in: StandIn, has: dict[str, list[Any]], variables: dict[str, Any], message: str
) -> None:
    stand_in.has(**has)
    played = set_up(stand_in, variables)
    assert message in played.output
    assert stand_in.recorded == []


RENAMED = [{"name": "Console: apply"}, {"name": "Ours"}]


def test_nothing_is_removed_while_others_need_it(stand_in: StandIn) -> None:
    stand_in.has(job_templates=RENAMED)
    played = set_up(stand_in, {"awx_setup_state": "absent"})
    assert "Nothing was removed, since these job templates need Console: project: Ours." in played.output
    assert stand_in.recorded == []


def test_notifications_are_added_to_those_that_are_there(stand_in: StandIn) -> None:
    there = {
        "related": {"notification_templates_error": "errors", "notification_templates_approvals": "approvals"},
    }
    has: dict[str, list[Any]] = {
        "job_templates": [there | {"name": "Console: drift"}],
        "workflow_job_templates": [there | {"name": f"Console: {name}"} for name in ("change", "new token", "ours")],
        "errors": [{"id": 7}],
        "approvals": [{"id": 8}],
    }
    stand_in.has(**has, notification_templates=[{"id": 5, "name": "a"}, {"id": 6, "name": "b"}, {"id": 9, "name": "c"}])
    set_up(stand_in, {"awx_setup_notifications": "a, b"})
    attached = [stand_in.told("job_template")[-1], *stand_in.told("workflow_job_template")[2:]]
    assert [each["name"] for each in attached] == ["Console: drift", "Console: change", "Console: new token"]
    assert [set(each["notification_templates_error"]) for each in attached] == [{"5", "6", "7"}] * 3
    assert [set(each["notification_templates_approvals"]) for each in attached[1:]] == [{"5", "6", "8"}] * 2


def test_the_volumes_that_a_template_is_bound_to_are_offered(stand_in: StandIn) -> None:
    stand_in.has(job_templates=[{"name": "Console: tenant", "extra_vars": "tenant_volumes: [a, b]"}])
    set_up(stand_in, {})
    tenant = stand_in.told("job_template")[-1]
    (question,) = [each for each in tenant["survey_spec"]["spec"] if each["variable"] == "tenant_volume"]
    assert (question["type"], question["choices"]) == ("multiplechoice", ["a", "b"])
    assert "extra_vars" not in tenant
    set_up(stand_in, {"awx_setup_tenant_variables": {"tenant_volumes": ["c"]}})
    tenant = stand_in.told("job_template")[-1]
    assert (tenant["extra_vars"], tenant["survey_spec"]["spec"][1]["choices"]) == ({"tenant_volumes": ["c"]}, ["c"])


def test_a_missing_collection_is_named(tmp_path: Path) -> None:
    with Emulator() as emulator:
        output = run_playbook(emulator, tmp_path, "managedfs.console.awx_setup", PROJECT).output
    assert "ansible-galaxy collection install awx.awx" in output


FIELD_KEYS = {"id", "label", "type", "format", "choices", "help_text", "multiline", "secret", "default"}
OPTIONAL = ("ca_cert", "client_cert", "client_key", "timeout", "retries")
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"

Type = dict[str, Any]
Inputs = dict[str, Any]


@pytest.fixture(scope="module")
def credential_type(created: StandIn) -> Type:
    """Return the type as the setup hands it to AWX."""
    return created.told("credential_type")[0]


def test_the_fields_are_as_awx_wants_them(credential_type: Type) -> None:
    inputs = credential_type["inputs"]
    ids = [field["id"] for field in inputs["fields"]]
    assert set(inputs) <= {"fields", "required"}
    assert len(ids) == len(set(ids))
    assert set(inputs["required"]) <= set(ids)
    for field in inputs["fields"]:
        assert {"id", "label"} <= set(field) <= {*FIELD_KEYS, "ask_at_runtime"}
        assert re.fullmatch(r"[a-zA-Z_]+[a-zA-Z0-9_]*", field["id"])
        assert field["id"] != "tower"
        assert field["type"] in ("string", "boolean")
        assert field.get("format") in (None, "ssh_private_key", "url")
    assert {field["id"] for field in inputs["fields"] if field.get("secret")} == {"secret_key", "client_key"}


def test_the_injectors_are_as_awx_wants_them(credential_type: Type) -> None:
    injectors = credential_type["injectors"]
    fields = {field["id"]: "EXAMPLE" for field in credential_type["inputs"]["fields"]}
    assert set(injectors) == {"env", "file"}
    assert all(re.fullmatch(r"template\.[a-zA-Z_]+[a-zA-Z0-9_]*", name) for name in injectors["file"])
    assert all(re.fullmatch(r"MANAGEDFS_[A-Z_]+", name) for name in injectors["env"])
    assert all(template.isascii() for template in injectors["env"].values())
    # AWX saves a type only if no template mentions what no field or file has.
    files = types.SimpleNamespace(**{name.partition(".")[2]: "/a" for name in injectors["file"]})
    namespace = fields | {"tower": types.SimpleNamespace(filename=files)}
    strict = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    for template in (*injectors["env"].values(), *injectors["file"].values()):
        strict.from_string(template).render(namespace)


def injected(credential_type: Type, inputs: Inputs, folder: Path) -> dict[str, str]:
    """Return the environment of a job, as AWX makes it; files go into the folder."""
    fields = credential_type["inputs"]["fields"]
    # AWX knows nothing of fields that are absent or empty, except that boxes are not ticked.
    namespace: dict[str, Any] = {field["id"]: False for field in fields if field["type"] == "boolean"}
    namespace |= {name: value for name, value in inputs.items() if value != ""}
    sandbox = ImmutableSandboxedEnvironment()
    files = {}
    for label, template in credential_type["injectors"]["file"].items():
        path = folder / label.partition(".")[2]
        path.write_text(sandbox.from_string(template).render(namespace), encoding="utf-8")
        files[path.name] = str(path)
    namespace["tower"] = types.SimpleNamespace(filename=types.SimpleNamespace(**files))
    environment = credential_type["injectors"]["env"]
    return {name: sandbox.from_string(template).render(namespace) for name, template in environment.items()}


@pytest.mark.parametrize("blank", [None, "", " \r\n\t"], ids=["absent", "empty", "blank"])
def test_modules_take_the_environment(
    shared_console: SharedConsole,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    credential_type: Type,
    blank: str | None,
) -> None:
    emulator, clock = shared_console
    optional = {} if blank is None else dict.fromkeys(OPTIONAL, blank)
    for around in ("", " ", "\n"):
        inputs = {name: f"{around}{text}{around}" for name, text in connection_to(emulator).items()} | optional
        environment = injected(credential_type, inputs, tmp_path)
        assert not [name for name, value in environment.items() if "\n" in value]
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert run_module("volume_info", {}, clock)["volumes"] is not None


def test_every_field_arrives_and_certificates_are_verified_unless_somebody_says_otherwise(
    credential_type: Type, tmp_path: Path
) -> None:
    inputs = dict.fromkeys(("ca_cert", "client_cert", "client_key"), f"\n{PEM}\n") | {"timeout": "5 ", "retries": " 0"}
    environment = injected(credential_type, inputs | {"insecure": True}, tmp_path)
    assert environment["MANAGEDFS_VALIDATE_CERTS"] == "false"
    assert (environment["MANAGEDFS_TIMEOUT"], environment["MANAGEDFS_RETRIES"]) == ("5", "0")
    for name in ("CA_PATH", "CLIENT_CERT", "CLIENT_KEY"):
        assert Path(environment[f"MANAGEDFS_{name}"]).read_text(encoding="utf-8") == PEM
    for verified in ({}, {"insecure": False}):
        assert injected(credential_type, verified, tmp_path)["MANAGEDFS_VALIDATE_CERTS"] == "true"


# The roles that templates and workflows ask for.
ROLES = {"apply": "apply", "change": "apply", "check": "apply"}
ROLES |= {"new token": "rotate", "rotate": "rotate", "tenant": "tenant"}
KEYS = {"question_name", "question_description", "variable", "type", "required", "choices", "default", "min", "max"}

Question = dict[str, Any]
Options = dict[str, dict[str, Any]]


def options_of(role: str) -> Options:
    """Return the options of a role."""
    path = CHECKOUT / "roles" / role / "meta" / "argument_specs.yml"
    options: Options = yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"]
    return options


@pytest.fixture(scope="module")
def questions(created: StandIn) -> list[tuple[Question, Options]]:
    """Return every question of every template and workflow, with the options of the role that it is for."""
    everything = [*created.told("workflow_job_template"), *created.told("job_template")]
    asking = {each["name"].removeprefix("Console: "): each for each in everything if each.get("survey_enabled")}
    assert set(asking) == set(ROLES)
    return [
        (question, options_of(ROLES[name])) for name, each in asking.items() for question in each["survey_spec"]["spec"]
    ]


def test_questions_are_as_awx_wants_them(questions: list[tuple[Question, Options]]) -> None:
    for question, _options in questions:
        assert {"question_name", "variable", "type", "required"} <= set(question) <= KEYS
        assert isinstance(question["required"], bool)
        assert question["type"] in ("text", "multiplechoice", "multiselect")
        if question["type"] != "text":
            # In a list AWX keeps a blank choice, in text it drops it.
            assert isinstance(question["choices"], list)
            assert all(isinstance(choice, str) for choice in question["choices"])
            assert question.get("default", "") in {*question["choices"], ""}
        if "default" in question:
            assert (question["required"], question["type"] == "multiselect") == (False, False)


def test_a_role_knows_what_is_asked_for_and_takes_every_choice(questions: list[tuple[Question, Options]]) -> None:
    for question, options in questions:
        option, offered = options[question["variable"]], set(question.get("choices", [])) - {""}
        assert question["required"] == option.get("required", False)
        assert (question["type"] == "multiselect") == (option["type"] == "list")
        assert offered == ({"true", "false"} if option["type"] == "bool" else set(option.get("choices", [])) - {""})
    # Neither tokens are asked for, nor what bounds whoever answers.
    asked = {question["variable"] for question, _options in questions}
    bounds = {"tenant_volumes", "tenant_path_prefix", "tenant_desc_prefix", "tenant_source", "tenant_must_exist"}
    assert set(options_of("tenant")) - asked == {"tenant_token_file", *bounds}
    assert set(options_of("rotate")) - asked == {"rotate_token_file", "rotate_fields"}


def test_a_question_names_its_variable_as_errors_do(questions: list[tuple[Question, Options]]) -> None:
    assert all(question["question_name"].endswith(f" ({question['variable']})") for question, _options in questions)


def test_a_question_says_how_to_answer_what_yaml_misreads(questions: list[tuple[Question, Options]]) -> None:
    hints = {"tenant_size": "unit", "tenant_inodes": "010 for 8", "tenant_iprange": "any for any address"}
    hints["rotate_id"] = "The number that started has printed"
    asked = [question for question, _options in questions if question["type"] == "text"]
    assert len(asked) > len(hints)
    for question in asked:
        assert hints.get(question["variable"], "In quotation marks") in question["question_description"]
