# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook awx_setup: what it creates and removes in AWX, what it refuses, and that AWX and the roles take its data."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from functional.awx.stand_in import FETCHED, TEMPLATES, StandIn, set_up
from functional.support.inprocess import SharedConsole, connection_to, run_module
from harness.places import CHECKOUT

OPTIONAL = ("ca_cert", "client_cert", "client_key", "timeout", "retries")
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """Return a stand-in that has recorded nothing yet."""
    stand_in = StandIn(tmp_path)
    stand_in.install()
    return stand_in


@pytest.fixture(scope="module")
def created(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """Return the record of a setup with nothing but the project's address."""
    stand_in = StandIn(tmp_path_factory.mktemp("awx"))
    stand_in.install()
    assert set_up(stand_in, {}).count("failed") == 0
    return stand_in


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "keys.yml"
    path.write_text("oslo: {access_key: a, secret_key: seldom-seen}\n", encoding="utf-8")
    return path


def test_everything_is_created_in_its_order(created: StandIn) -> None:
    kinds = list(dict.fromkeys(module for module, _options in created.recorded))
    last = ["job_template", "workflow_job_template", "workflow_job_template_node", "schedule"]
    assert kinds == ["credential_type", "credential", "project", "inventory", *last]
    templates = created.calls_of("job_template")
    assert [each["name"] for each in templates] == [f"Console: {name}" for name in TEMPLATES]
    assert all((CHECKOUT / "examples" / "awx-project" / each["playbook"]).is_file() for each in templates)
    apply, check, drift, gate, rotate, tenant = templates
    assert (apply["job_type"], check["job_type"], gate["ask_credential_on_launch"]) == ("run", "check", False)
    assert all(each["credentials"] == ["Console: credential"] for each in (apply, check, drift, rotate, tenant))
    bounds = {"tenant_must_exist": True, "tenant_path_prefix": "/tenants", "tenant_desc_prefix": "tenant-"}
    assert (tenant["extra_vars"], apply["extra_vars"], "extra_vars" in gate) == (bounds, {}, False)
    (schedule,), (project,) = created.calls_of("schedule"), created.calls_of("project")
    assert (schedule["enabled"], schedule["state"]) == (False, "exists")
    assert {"credential", "default_environment"}.isdisjoint(project)


# The steps of the workflows, and what follows on success and on failure.
CHANGE = ["check > | gate", "gate > approve |", "approve > apply |"]
NEW_TOKEN = ["start > approve |", "approve > finish |"]


def links(stand_in: StandIn) -> list[str]:
    nodes = [node for node in stand_in.calls_of("workflow_job_template_node") if "success_nodes" in node]
    joined = [
        (node["identifier"], *(" ".join(node[f"{kind}_nodes"]) for kind in ("success", "failure"))) for node in nodes
    ]
    return [f"{name} > {success} | {failure}".replace("  ", " ").strip() for name, success, failure in joined]


def test_the_workflows_ask_only_where_something_differs(created: StandIn) -> None:
    assert links(created) == CHANGE + NEW_TOKEN
    nodes = [node for node in created.calls_of("workflow_job_template_node") if "success_nodes" not in node]
    assert [node.get("extra_data") for node in nodes if node.get("unified_job_template") == "Console: rotate"] == [
        {"rotate_state": "started"},
        {"rotate_state": "finished"},
    ]
    address = created.calls_of("credential")[0]["inputs"]["console_url"]
    assert all(address in node["approval_node"]["description"] for node in nodes if "approval_node" in node)


def test_the_secret_key_is_written_where_it_belongs_and_not_shown(stand_in: StandIn) -> None:
    stand_in.has(projects=[{**FETCHED, "status": "never updated"}])
    run = set_up(stand_in, {"awx_setup_update_secrets": True}, "-vvvv", MANAGEDFS_TIMEOUT=" ")
    (credential,) = stand_in.calls_of("credential")
    assert set(credential["inputs"]) == {"console_url", "access_key", "secret_key", "insecure"}
    assert credential["inputs"]["secret_key"] not in run.output
    assert len(stand_in.calls_of("project_update")) == 1


def test_names_and_more_can_be_chosen(stand_in: StandIn) -> None:
    chosen = {"prefix": "Berlin", "organization": "Storage", "execution_environment": "registry.example.com/ee:1"}
    chosen |= {"project_credential": "Deploy key", "notifications": "a, b"}
    attached = {"related": {"notification_templates_error": "errors", "notification_templates_approvals": "approvals"}}
    stand_in.has(
        credentials=[{"inputs": {"console_url": "https://console.example.com"}}],
        job_templates=[attached | {"name": "Berlin: drift", "extra_vars": ""}],
        errors=[{"id": 7}],
    )
    assert set_up(stand_in, {f"awx_setup_{name}": value for name, value in chosen.items()}).count("failed") == 0
    everything = [options for module, options in stand_in.recorded if module != "credential_type"]
    assert {options["organization"] for options in everything} == {"Storage"}
    assert all(options["name"].startswith("Berlin: ") for options in everything if "name" in options)
    (project,), (environment,) = stand_in.calls_of("project"), stand_in.calls_of("execution_environment")
    assert (project["credential"], project["default_environment"]) == ("Deploy key", environment["name"])
    assert stand_in.calls_of("credential") == []
    drift = stand_in.calls_of("job_template")[2]
    assert set(drift["notification_templates_error"]) == {"7", "a", "b"}
    assert {"credentials", "extra_vars"}.isdisjoint(drift)
    for workflow in stand_in.calls_of("workflow_job_template"):
        for kind in ("approvals", "error"):
            assert set(workflow[f"notification_templates_{kind}"]) == {"a", "b"}


@pytest.mark.parametrize("credentials", [[], [{"name": "Another"}]], ids=["", "but a type that others use"])
def test_everything_is_removed(stand_in: StandIn, created: StandIn, credentials: list[dict[str, str]]) -> None:
    stand_in.has(credentials=credentials)
    set_up(stand_in, {"awx_setup_state": "absent", "awx_setup_project_url": ""})
    assert {options["state"] for _module, options in stand_in.recorded} == {"absent"}
    kept = {"schedule", "workflow_job_template_node"} | ({"credential_type"} if credentials else set())
    removed = {module for module, _options in created.recorded} - kept
    assert {module for module, _options in stand_in.recorded} == removed | {"execution_environment"}
    for module in removed:
        made, gone = ({options["name"] for options in each.calls_of(module)} for each in (created, stand_in))
        assert made <= gone


def test_nothing_is_removed_while_others_need_it(stand_in: StandIn) -> None:
    stand_in.has(job_templates=[{"name": "Console: apply"}, {"name": "Ours"}])
    run = set_up(stand_in, {"awx_setup_state": "absent"})
    assert "Nothing was removed, since these job templates need Console: project: Ours." in run.output
    assert stand_in.recorded == []


def test_a_setup_for_several_consoles_has_their_inventory_and_one_credential(stand_in: StandIn, keys: Path) -> None:
    # Relative to the working directory.
    run = set_up(stand_in, {"awx_setup_inventory_source": "inventory.yml", "awx_setup_keys": keys.name}, "-vvvv")
    assert run.count("failed") == 0
    assert "seldom-seen" not in run.output
    (kind,), (credential,) = stand_in.calls_of("credential_type"), stand_in.calls_of("credential")
    assert (kind["name"], credential["credential_type"]) == ("Managed file-system keys", kind["name"])
    assert (credential["name"], credential["inputs"]) == ("Console: keys", {"keys": keys.read_text("utf-8").strip()})
    (source,), (_update,) = stand_in.calls_of("inventory_source"), stand_in.calls_of("inventory_source_update")
    assert (source["source_project"], source["source_path"]) == ("Console: project", "inventory.yml")
    *_others, rotate, tenant = templates = stand_in.calls_of("job_template")
    for each in templates:
        is_gate = each["name"] == "Console: gate"
        assert each["ask_limit_on_launch"] is not is_gate
        assert is_gate or (each["credentials"], each["extra_vars"]["managedfs_hosts"]) == (
            ["Console: keys"],
            "consoles",
        )
    assert links(stand_in) == CHANGE + NEW_TOKEN
    new_token = stand_in.calls_of("workflow_job_template")[1]
    for each in (rotate, tenant, new_token):
        asked = each["survey_spec"]["spec"][0]
        assert (asked["variable"], asked["required"]) == ("managedfs_hosts", True)
    assert "for the consoles of Console: inventory" in run.output


def test_the_volumes_that_a_template_is_bound_to_are_offered(stand_in: StandIn) -> None:
    stand_in.has(job_templates=[{"name": "Console: tenant", "extra_vars": "tenant_volumes: [a, b]"}])
    set_up(stand_in, {})
    tenant = stand_in.calls_of("job_template")[-1]
    (question,) = [each for each in tenant["survey_spec"]["spec"] if each["variable"] == "tenant_volume"]
    assert (question["type"], question["choices"]) == ("multiplechoice", ["a", "b"])


SEVERAL = {"awx_setup_inventory_source": "inventory.yml"}
CHECK = {"name": "Console: check", "extra_vars": "managedfs_hosts: consoles"}
WRONG: dict[str, tuple[dict[str, list[Any]], dict[str, Any], str]] = {
    "address": ({}, {"awx_setup_project_url": " "}, "awx_setup_project_url is required"),
    "misspelled": ({}, {"awx_setup_kyes": "a"}, "awx_setup_kyes is not a variable of this collection. Did you mean"),
    "state": ({}, {"awx_setup_state": "gone"}, "awx_setup_state must be one of: present, absent"),
    "organization": ({"organizations": []}, {}, "There is no organization Default with a Galaxy credential"),
    "no keys": ({}, SEVERAL, "To do so, set awx_setup_keys."),
    "keys of one": ({}, {"awx_setup_keys": "keys.yml"}, "awx_setup_keys is for several consoles. Name their inventory"),
    "the other kind": ({"job_templates": [CHECK]}, {}, "Console is set up for several consoles: name their inventory"),
}


@pytest.mark.parametrize(("has", "variables", "message"), WRONG.values(), ids=WRONG)
def test_what_is_missing_or_wrong_is_named(
    stand_in: StandIn, has: dict[str, list[Any]], variables: dict[str, Any], message: str
) -> None:
    stand_in.has(**has)
    run = set_up(stand_in, variables)
    assert message in run.output
    assert stand_in.recorded == []


def test_missing_keys_are_named_by_their_variables(stand_in: StandIn) -> None:
    run = set_up(stand_in, {"awx_inputs": {"console_url": "https://console.example.com"}})
    assert "To do so, set MANAGEDFS_ACCESS_KEY, MANAGEDFS_SECRET_KEY." in run.output


def test_a_playbook_that_awx_does_not_know_is_fetched_and_then_named_before_any_template(stand_in: StandIn) -> None:
    stand_in.has(playbooks=[["apply.yml", "check.yml", "gate.yml", "tenant.yml"]])
    run = set_up(stand_in, {})
    assert "The repository of Console: project has no drift.yml, rotate.yml. Copy what is missing" in run.output
    assert len(stand_in.calls_of("project_update")) == 1
    assert stand_in.calls_of("job_template") == []


def injected(kind: dict[str, Any], inputs: dict[str, Any], folder: Path) -> dict[str, str]:
    """Return the environment of a job, as AWX makes it; files go into the folder."""
    # AWX knows nothing of fields that are absent or empty, except that boxes are not ticked.
    namespace: dict[str, Any] = {"insecure": False} | {name: value for name, value in inputs.items() if value != ""}
    sandbox = ImmutableSandboxedEnvironment()
    files = {}
    for label, template in kind["injectors"]["file"].items():
        path = folder / label.partition(".")[2]
        path.write_text(sandbox.from_string(template).render(namespace), encoding="utf-8")
        files[path.name] = str(path)
    namespace["tower"] = types.SimpleNamespace(filename=types.SimpleNamespace(**files))
    environment = kind["injectors"]["env"]
    return {name: sandbox.from_string(template).render(namespace) for name, template in environment.items()}


def test_the_credential_type_is_as_awx_wants_it(created: StandIn) -> None:
    (kind,) = created.calls_of("credential_type")
    ids = [field["id"] for field in kind["inputs"]["fields"]]
    assert len(ids) == len(set(ids))
    assert {field["id"] for field in kind["inputs"]["fields"] if field.get("secret")} == {"secret_key", "client_key"}
    # AWX saves a type only if its templates mention no other names than fields and files.
    files = types.SimpleNamespace(**{name.partition(".")[2]: "/a" for name in kind["injectors"]["file"]})
    namespace = dict.fromkeys(ids, "x") | {"tower": types.SimpleNamespace(filename=files)}
    strict = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    for template in (*kind["injectors"]["env"].values(), *kind["injectors"]["file"].values()):
        strict.from_string(template).render(namespace)


@pytest.mark.parametrize("blank", [None, "", " \r\n\t"], ids=["absent", "empty", "blank"])
def test_modules_take_the_environment_of_a_job(
    shared_console: SharedConsole,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    created: StandIn,
    blank: str | None,
) -> None:
    emulator, clock = shared_console
    optional = {} if blank is None else dict.fromkeys(OPTIONAL, blank)
    for around in ("", " ", "\n"):
        inputs = {name: f"{around}{text}{around}" for name, text in connection_to(emulator).items()} | optional
        environment = injected(created.calls_of("credential_type")[0], inputs, tmp_path)
        assert not [name for name, value in environment.items() if "\n" in value]
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert run_module("volume_info", {}, clock)["volumes"] is not None


def test_every_field_arrives_and_certificates_are_verified_unless_somebody_says_otherwise(
    created: StandIn, tmp_path: Path
) -> None:
    (kind,) = created.calls_of("credential_type")
    inputs = dict.fromkeys(("ca_cert", "client_cert", "client_key"), f"\n{PEM}\n") | {"timeout": "5 ", "retries": " 0"}
    environment = injected(kind, inputs | {"insecure": True}, tmp_path)
    assert environment["MANAGEDFS_VALIDATE_CERTS"] == "false"
    assert (environment["MANAGEDFS_TIMEOUT"], environment["MANAGEDFS_RETRIES"]) == ("5", "0")
    for name in ("CA_PATH", "CLIENT_CERT", "CLIENT_KEY"):
        assert Path(environment[f"MANAGEDFS_{name}"]).read_text(encoding="utf-8") == PEM
    for verified in ({}, {"insecure": False}):
        assert injected(kind, verified, tmp_path)["MANAGEDFS_VALIDATE_CERTS"] == "true"


def options_of(role: str) -> dict[str, dict[str, Any]]:
    """Return the options of a role, or those that the playbook rotate checks."""
    if role == "rotate":
        (play,) = yaml.safe_load((CHECKOUT / "playbooks" / "rotate.yml").read_text(encoding="utf-8"))
        return dict(play["tasks"][0]["managedfs.console.role_step"]["options"])
    path = CHECKOUT / "roles" / role / "meta" / "argument_specs.yml"
    return dict(yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"])


KEYS = {"question_name", "question_description", "variable", "type", "required", "choices", "default", "min", "max"}
HINTS = {"tenant_size": "unit", "tenant_inodes": "leading zero", "tenant_iprange": "any for any address"}
HINTS["rotate_id"] = "The number that started has printed"


def test_awx_and_the_roles_take_what_is_asked(created: StandIn) -> None:
    surveys = [*created.calls_of("workflow_job_template"), *created.calls_of("job_template")]
    asking = {each["name"].removeprefix("Console: "): each for each in surveys if each.get("survey_enabled")}
    roles = {"apply": "apply", "change": "apply", "check": "apply", "tenant": "tenant"}
    roles |= {"new token": "rotate", "rotate": "rotate"}
    assert set(asking) == set(roles)
    asked: dict[str, set[str]] = {}
    for name, each in asking.items():
        options = options_of(roles[name])
        for question in each["survey_spec"]["spec"]:
            variable, offered = question["variable"], question.get("choices", [])
            asked.setdefault(roles[name], set()).add(variable)
            assert {"question_name", "variable", "type", "required"} <= set(question) <= KEYS
            assert question["question_name"].endswith(f" ({variable})")
            assert question["required"] == options[variable].get("required", False)
            assert (question["type"] == "multiselect") == (options[variable]["type"] == "list")
            is_bool = options[variable]["type"] == "bool"
            assert set(offered) - {""} == (
                {"true", "false"} if is_bool else set(options[variable].get("choices", [])) - {""}
            )
            assert question.get("default", "") in {*offered, ""}
            # AWX takes no default of what is required, and what a multiselect has is dropped.
            assert "default" not in question or (not question["required"] and question["type"] == "multiplechoice")
            if question["type"] == "text":
                assert HINTS.get(variable, "In quotation marks") in question["question_description"]
    # No question is about tokens, or about limits on whoever answers.
    bounds = {"tenant_volumes", "tenant_path_prefix", "tenant_desc_prefix", "tenant_source", "tenant_must_exist"}
    assert set(options_of("tenant")) - asked["tenant"] == {"tenant_token_file", *bounds}
    assert set(options_of("rotate")) - asked["rotate"] == {"rotate_token_file", "rotate_fields"}
