# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What awx_setup creates, as data: AWX and the roles must take it. That it is created is tried in a real AWX (tests/awx)."""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from emulator import Emulator
from functional.support.inprocess import SharedConsole, connection_to, run_module
from functional.support.plays import run_playbook
from harness.places import CHECKOUT

OPTIONAL = ("ca_cert", "client_cert", "client_key", "timeout", "retries")
# The fields that are files, and their variables.
FILES = {"ca_cert": "CA_PATH", "client_cert": "CLIENT_CERT", "client_key": "CLIENT_KEY"}
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"
RENDERED = "{{ {'types': awx_types, 'templates': awx_templates, 'workflows': awx_workflows} | to_json }}"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return credential types, job templates and workflows, as they are for one console."""
    return rendered(tmp_path_factory.mktemp("awx"), RENDERED)


def rendered(folder: Path, template: str) -> dict[str, Any]:
    """Return what a template makes of the data for one console."""
    given = {"organization": "Default", "prefix": "Console", "update_secrets": False}
    play = {"hosts": "localhost", "gather_facts": False, "vars": {"awx_checked": {"given": given}}}
    play["vars_files"] = str(CHECKOUT / "playbooks" / "vars" / "awx.yml")
    play["tasks"] = [{"ansible.builtin.copy": {"dest": str(folder / "data.json"), "content": template}}]
    (folder / "play.yml").write_text(yaml.safe_dump([play]), encoding="utf-8")
    with Emulator() as emulator:
        assert run_playbook(emulator, folder, "play.yml", {}).code == 0
    return dict(json.loads((folder / "data.json").read_text(encoding="utf-8")))


@pytest.fixture
def kind(data: dict[str, Any]) -> dict[str, Any]:
    """Return the credential type of one console."""
    return dict(data["types"]["credential"])


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


def test_the_credential_type_is_as_awx_wants_it(kind: dict[str, Any]) -> None:
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
    kind: dict[str, Any],
    blank: str | None,
) -> None:
    emulator, clock = shared_console
    optional = {} if blank is None else dict.fromkeys(OPTIONAL, blank)
    for around in ("", " ", "\n"):
        inputs = {name: f"{around}{text}{around}" for name, text in connection_to(emulator).items()} | optional
        environment = injected(kind, inputs, tmp_path)
        assert not [name for name, value in environment.items() if "\n" in value]
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert run_module("volume_info", {}, clock)["volumes"] is not None


def test_every_field_arrives_and_certificates_are_verified_unless_somebody_says_otherwise(
    kind: dict[str, Any], tmp_path: Path
) -> None:
    inputs = dict.fromkeys(FILES, f"\n{PEM}\n") | {"timeout": "5 ", "retries": " 0"}
    environment = injected(kind, inputs | {"insecure": True}, tmp_path)
    assert environment["MANAGEDFS_VALIDATE_CERTS"] == "false"
    assert (environment["MANAGEDFS_TIMEOUT"], environment["MANAGEDFS_RETRIES"]) == ("5", "0")
    for name in FILES.values():
        assert Path(environment[f"MANAGEDFS_{name}"]).read_text(encoding="utf-8") == PEM
    for verified in ({}, {"insecure": False}):
        assert injected(kind, verified, tmp_path)["MANAGEDFS_VALIDATE_CERTS"] == "true"


@pytest.mark.parametrize("field", FILES)
def test_no_job_gets_the_path_of_an_empty_file(kind: dict[str, Any], tmp_path: Path, field: str) -> None:
    environment = injected(kind, {field: PEM}, tmp_path)
    assert {name for name in FILES.values() if environment[f"MANAGEDFS_{name}"]} == {FILES[field]}


@pytest.mark.parametrize(("set_to", "insecure"), [("", False), ("true", False), ("no", True)])
def test_a_new_credential_accepts_any_certificate_only_where_that_is_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, set_to: str, insecure: bool
) -> None:
    monkeypatch.setenv("MANAGEDFS_VALIDATE_CERTS", set_to)
    inputs = rendered(tmp_path, "{{ awx_inputs | to_json }}")
    assert (inputs["insecure"], set(inputs)) == (insecure, {"console_url", "access_key", "secret_key", "insecure"})


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


def test_awx_and_the_roles_take_what_is_asked(data: dict[str, Any]) -> None:
    asking = {each["name"]: each["survey"] for each in [*data["workflows"], *data["templates"]] if "survey" in each}
    roles = {"apply": "apply", "change": "apply", "check": "apply", "tenant": "tenant"}
    roles |= {"new token": "rotate", "rotate": "rotate"}
    assert set(asking) == set(roles)
    asked: dict[str, set[str]] = {}
    for name, survey in asking.items():
        options = options_of(roles[name])
        for question in survey["spec"]:
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
