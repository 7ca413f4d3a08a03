# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The credential type and the surveys of awx_setup: AWX accepts them, and each way to fill them in works."""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from functional.awx.stand_in import StandIn
from functional.support.inprocess import SharedConsole, connection_to, run_module
from harness.places import CHECKOUT

FIELD_KEYS = {"id", "label", "type", "format", "choices", "help_text", "multiline", "secret", "default"}
OPTIONAL = ("ca_cert", "client_cert", "client_key", "timeout", "retries")
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"

Type = dict[str, Any]
Inputs = dict[str, Any]


@pytest.fixture(scope="module")
def credential_type(created: StandIn) -> Type:
    """Return the type as the setup passes it to AWX."""
    return created.calls_of("credential_type")[0]


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
    # AWX saves a type only if its templates mention no other names than fields and files.
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
    """Return the options of a role, or those that the playbook rotate checks."""
    if role == "rotate":
        ((*_keywords, tasks),) = (
            one.values() for one in yaml.safe_load((CHECKOUT / "playbooks" / "rotate.yml").read_text())
        )
        checked: Options = tasks[0]["managedfs.console.role_step"]["options"]
        return checked
    path = CHECKOUT / "roles" / role / "meta" / "argument_specs.yml"
    options: Options = yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"]
    return options


@pytest.fixture(scope="module")
def questions(created: StandIn) -> list[tuple[Question, Options]]:
    """Return every question of every template and workflow, with the options of the role that it is for."""
    everything = [*created.calls_of("workflow_job_template"), *created.calls_of("job_template")]
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
    # No question is about tokens, or about limits on whoever answers.
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
