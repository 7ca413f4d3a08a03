# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The credential type: AWX's rules for types, and the environment that comes out of every way to fill in its fields."""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from emulator import Emulator
from functional.awx.stand_in import StandIn
from functional.support.inprocess import FakeClock, run_module

FIELD_KEYS = {
    "id",
    "label",
    "type",
    "format",
    "choices",
    "help_text",
    "multiline",
    "secret",
    "ask_at_runtime",
    "default",
}
OPTIONAL = ("ca_cert", "client_cert", "client_key", "timeout", "retries")
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"

Type = dict[str, Any]
Inputs = dict[str, Any]


@pytest.fixture(scope="module")
def credential_type(created: StandIn) -> Type:
    """Return the type as the setup hands it to AWX."""
    (credential_type,) = created.told("credential_type")
    return credential_type


def test_the_fields_are_as_awx_wants_them(credential_type: Type) -> None:
    inputs = credential_type["inputs"]
    ids = [field["id"] for field in inputs["fields"]]
    assert set(inputs) <= {"fields", "required"}
    assert len(ids) == len(set(ids))
    assert set(inputs["required"]) <= set(ids)
    for field in inputs["fields"]:
        assert {"id", "label"} <= set(field) <= FIELD_KEYS
        assert re.fullmatch(r"[a-zA-Z_]+[a-zA-Z0-9_]*", field["id"])
        assert field["id"] != "tower"
        assert field["type"] in ("string", "boolean")
        assert field.get("format") in (None, "ssh_private_key", "url")


def test_what_is_secret_is_marked(credential_type: Type) -> None:
    secret = {field["id"] for field in credential_type["inputs"]["fields"] if field.get("secret")}
    assert secret == {"secret_key", "client_key"}


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
@pytest.mark.parametrize("around", ["", " ", "\n"], ids=["as is", "spaces around", "line feeds around"])
def test_modules_take_the_environment(
    emulator: Emulator,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    credential_type: Type,
    blank: str | None,
    around: str,
) -> None:
    required = {"console_url": emulator.url, "access_key": emulator.access_key, "secret_key": emulator.secret_key}
    inputs: Inputs = {name: f"{around}{text}{around}" for name, text in required.items()}
    inputs |= {} if blank is None else dict.fromkeys(OPTIONAL, blank)
    environment = injected(credential_type, inputs, tmp_path)
    assert not [name for name, value in environment.items() if "\n" in value]
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert run_module("volume_info", {}, clock)["volumes"] == []


def test_every_field_arrives(credential_type: Type, tmp_path: Path) -> None:
    inputs = dict.fromkeys(("ca_cert", "client_cert", "client_key"), f"\n{PEM}\n") | {"timeout": "5 ", "retries": " 0"}
    environment = injected(credential_type, inputs | {"insecure": True}, tmp_path)
    assert environment["MANAGEDFS_VALIDATE_CERTS"] == "false"
    assert (environment["MANAGEDFS_TIMEOUT"], environment["MANAGEDFS_RETRIES"]) == ("5", "0")
    for name in ("CA_PATH", "CLIENT_CERT", "CLIENT_KEY"):
        assert Path(environment[f"MANAGEDFS_{name}"]).read_text(encoding="utf-8") == PEM


@pytest.mark.parametrize("insecure", [None, False])
def test_certificates_are_verified_unless_somebody_says_otherwise(
    credential_type: Type, tmp_path: Path, insecure: bool | None
) -> None:
    inputs = {} if insecure is None else {"insecure": insecure}
    assert injected(credential_type, inputs, tmp_path)["MANAGEDFS_VALIDATE_CERTS"] == "true"
