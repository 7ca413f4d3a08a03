# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook awx_setup: what it creates and removes in AWX, and what it checks beforehand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.awx.stand_in import FETCHED, PROJECT, StandIn, set_up
from functional.support.plays import run_playbook
from harness.places import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "awx-project"
DATA = CHECKOUT / "playbooks" / "vars" / "awx.yml"
ADDRESS = "{{ awx_address | default('the console', true) }}"
BLANK = {"scm_branch", "credential", "default_environment", "extra_vars", "forks", "job_slice_count"}
INPUTS = {"console_url": "https://console.example.com", "secret_key": "", "access_key": ""}


class _Loader(yaml.SafeLoader):
    """Reads variables without templating them."""


_Loader.add_constructor("!unsafe", lambda _loader, node: node.value)


def names(stand_in: StandIn, module: str) -> list[str]:
    """Return the names of the objects that a module should create."""
    return [options["name"] for options in stand_in.calls_of(module)]


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
    # A setup makes the type that it needs.
    data["controller_credential_types"].pop()
    for name, module in modules.items():
        for wanted, sent in zip(data[f"controller_{name}"], created.calls_of(module), strict=True):
            # What is blank is left out.
            assert set(wanted) - BLANK <= set(sent)
    made, links = [], []
    address = created.calls_of("credential")[0]["inputs"]["console_url"]
    kinds = ("identifier", "unified_job_template", "approval_node", "extra_data")
    for workflow, sent in zip(data["controller_workflows"], created.calls_of("workflow_job_template"), strict=True):
        nodes = workflow.pop("simplified_workflow_nodes")
        assert set(workflow) <= set(sent)
        where = {"organization": "Default", "workflow_job_template": sent["name"]}
        made += [where | {name: _named(node[name], address) for name in kinds if name in node} for node in nodes]
        linked = ("identifier", "success_nodes", "failure_nodes")
        links += [where | {name: node[name] for name in linked} for node in nodes[:-1]]
    # Each node is created, and linked afterwards.
    made = [node | {"lookup_organization": "Default"} for node in made]
    assert created.calls_of("workflow_job_template_node") == made + links


def _named(value: Any, address: str) -> Any:
    """Return a value of the data with the default prefix, and the address of a console."""
    if isinstance(value, dict):
        return {name: _named(each, address) for name, each in value.items()}
    text = value if isinstance(value, str) else ""
    return text.replace("{{ awx_prefix }}", "Console").replace(ADDRESS, address) or value


def test_the_default_leaves_schedules_off_and_asks_for_what_it_should(created: StandIn) -> None:
    assert [schedule["enabled"] for schedule in created.calls_of("schedule")] == [False, False]
    assert all(schedule["state"] == "exists" for schedule in created.calls_of("schedule"))
    apply, check, drift, gate, report, rotate, tenant = created.calls_of("job_template")
    assert all((EXAMPLE / template["playbook"]).is_file() for template in created.calls_of("job_template"))
    assert (apply["job_type"], check["job_type"], check["diff_mode"]) == ("run", "check", True)
    assert (apply["ask_job_type_on_launch"], apply["ask_verbosity_on_launch"]) == (True, True)
    assert all(template["ask_credential_on_launch"] for template in (apply, check, drift, report, rotate, tenant))
    assert (gate["ask_credential_on_launch"], tenant["ask_job_type_on_launch"]) == (False, True)
    assert tenant["extra_vars"] == {
        "tenant_must_exist": True,
        "tenant_path_prefix": "/tenants",
        "tenant_desc_prefix": "tenant-",
    }
    assert created.calls_of("project")[0]["scm_update_on_launch"] is True


def test_the_secret_key_is_written_where_it_belongs_and_not_shown(stand_in: StandIn) -> None:
    stand_in.has(projects=[{**FETCHED, "status": "never updated"}])
    run = set_up(stand_in, {"awx_setup_update_secrets": True}, "-vvvv", MANAGEDFS_TIMEOUT=" ")
    (credential,) = stand_in.calls_of("credential")
    assert set(credential["inputs"]) == {"console_url", "access_key", "secret_key", "insecure"}
    assert credential["state"] == "present"
    assert credential["inputs"]["secret_key"] not in run.output
    assert len(stand_in.calls_of("project_update")) == 1


def test_branch_credential_and_image_of_a_project_stay_unless_others_are_given(stand_in: StandIn) -> None:
    set_up(stand_in, {})
    (project,) = stand_in.calls_of("project")
    assert {"scm_branch", "credential", "default_environment"}.isdisjoint(project)


def test_names_and_more_can_be_chosen(stand_in: StandIn) -> None:
    chosen = {"prefix": "Berlin", "organization": "Storage", "execution_environment": "registry.example.com/ee:1"}
    chosen |= {"credential": "false", "schedules": "true", "project_branch": "main", "project_credential": "Deploy key"}
    organization = {"name": "Storage", "related": {"galaxy_credentials": "galaxy"}}
    stand_in.has(organizations=[organization], projects=[{**FETCHED, "status": "failed"}])
    set_up(stand_in, {f"awx_setup_{name}": value for name, value in chosen.items()})
    everything = [options for module, options in stand_in.recorded if module != "credential_type"]
    assert {options["organization"] for options in everything} == {"Storage"}
    assert all(options["name"].startswith("Berlin: ") for options in everything if "name" in options)
    assert stand_in.calls_of("credential") == []
    assert all("credentials" not in template for template in stand_in.calls_of("job_template"))
    assert [schedule["enabled"] for schedule in stand_in.calls_of("schedule")] == [True] * 4
    (project,), (environment,) = stand_in.calls_of("project"), stand_in.calls_of("execution_environment")
    assert (project["scm_branch"], project["default_environment"]) == ("main", environment["name"])
    assert project["credential"] == "Deploy key"
    assert len(stand_in.calls_of("project_update")) == 1


@pytest.mark.parametrize("credentials", [[], [{"name": "Another"}]], ids=["", "but a type that others use"])
def test_everything_is_removed(stand_in: StandIn, created: StandIn, credentials: list[dict[str, str]]) -> None:
    stand_in.has(credentials=credentials)
    set_up(stand_in, {"awx_setup_state": "absent", "awx_setup_project_url": ""})
    assert {options["state"] for _module, options in stand_in.recorded} == {"absent"}
    kept = {"schedule", "workflow_job_template_node"} | ({"credential_type"} if credentials else set())
    removed = {module for module, _options in created.recorded} - kept
    assert {module for module, _options in stand_in.recorded} == removed | {"execution_environment"}
    for module in removed:
        assert set(names(created, module)) <= set(names(stand_in, module))


def test_a_setup_for_several_consoles_has_their_inventory_and_one_credential(stand_in: StandIn, tmp_path: Path) -> None:
    keys = tmp_path / "keys.yml"
    keys.write_text("oslo: {access_key: a, secret_key: seldom-seen}\n", encoding="utf-8")
    chosen = {"inventory_source": "inventory.yml", "keys": str(keys), "forks": 20, "slices": 4}
    run = set_up(stand_in, {f"awx_setup_{name}": value for name, value in chosen.items()}, "-vvvv")
    assert run.count("failed") == 0
    assert "seldom-seen" not in run.output
    (kind,), (credential,) = stand_in.calls_of("credential_type"), stand_in.calls_of("credential")
    assert (kind["name"], credential["credential_type"]) == ("Managed file-system keys", kind["name"])
    assert (credential["name"], credential["inputs"]) == ("Console: keys", {"keys": keys.read_text("utf-8").strip()})
    (source,), (_update,) = stand_in.calls_of("inventory_source"), stand_in.calls_of("inventory_source_update")
    assert (source["source_project"], source["source_path"]) == ("Console: project", "inventory.yml")
    templates, workflows = stand_in.calls_of("job_template"), stand_in.calls_of("workflow_job_template")
    assert all(each["ask_limit_on_launch"] for each in (*templates, *workflows))
    assert all(each["extra_vars"]["managedfs_hosts"] == "consoles" for each in templates)
    named = {each["name"].removeprefix("Console: "): each for each in templates}
    assert {name for name, each in named.items() if str(each.get("forks")) == "20"} == set(named) - {"gate"}
    assert {name for name, each in named.items() if str(each.get("job_slice_count")) == "4"} == {"drift", "report"}
    assert {name for name, each in named.items() if each.get("credentials") == ["Console: keys"]} == set(named) - {
        "gate"
    }
    assert "for the consoles of Console: inventory" in run.output


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
    "keys of one": ({}, {"awx_setup_keys": "keys.yml"}, "awx_setup_keys is for several consoles. Name their inventory"),
    "no keys": ({}, {"awx_setup_inventory_source": "inventory.yml"}, "awx_setup_keys is required. It is a file"),
    "no file": (
        {},
        {"awx_setup_inventory_source": "inventory.yml", "awx_setup_keys": "none.yml"},
        "The file none.yml cannot be read, or lacks a key. Correct it",
    ),
    "the other kind": (
        {"job_templates": [{"name": "Console: check", "extra_vars": "managedfs_hosts: consoles"}]},
        {},
        "Console is set up for several consoles: name their inventory in awx_setup_inventory_source.",
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
    run = set_up(stand_in, variables)
    assert message in run.output
    assert stand_in.recorded == []


def test_a_playbook_that_awx_does_not_know_is_fetched_and_then_named_before_any_template(stand_in: StandIn) -> None:
    stand_in.has(playbooks=[["apply.yml", "check.yml", "report.yml", "tenant.yml"]])
    run = set_up(stand_in, {})
    assert (
        "The repository of Console: project has no drift.yml, gate.yml, rotate.yml. Copy what is missing" in run.output
    )
    assert len(stand_in.calls_of("project_update")) == 1
    assert stand_in.calls_of("job_template") == []


def test_consoles_that_awx_cannot_read_are_named_before_any_template(stand_in: StandIn, tmp_path: Path) -> None:
    (tmp_path / "keys.yml").write_text("oslo: {access_key: a, secret_key: b}\n", encoding="utf-8")
    stand_in.has(inventory_sources=[{"status": "failed"}])
    chosen = {"awx_setup_inventory_source": "none.yml", "awx_setup_keys": str(tmp_path / "keys.yml")}
    run = set_up(stand_in, chosen)
    assert "AWX could not read the consoles from none.yml of the project." in run.output
    assert len(stand_in.calls_of("inventory_source_update")) == 1
    assert stand_in.calls_of("job_template") == []


def test_a_schedule_of_an_earlier_version_is_named(stand_in: StandIn) -> None:
    stand_in.has(schedules=[{"name": f"Console: nightly {name}"} for name in ("drift", "check")])
    run = set_up(stand_in, {})
    assert "Schedules of these templates that no setup of this version makes: Console: nightly check" in run.output


RENAMED = [{"name": "Console: apply"}, {"name": "Ours"}]


def test_nothing_is_removed_while_others_need_it(stand_in: StandIn) -> None:
    stand_in.has(job_templates=RENAMED)
    run = set_up(stand_in, {"awx_setup_state": "absent"})
    assert "Nothing was removed, since these job templates need Console: project: Ours." in run.output
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
    attached = [stand_in.calls_of("job_template")[-1], *stand_in.calls_of("workflow_job_template")[2:]]
    assert [each["name"] for each in attached] == ["Console: drift", "Console: change", "Console: new token"]
    assert [set(each["notification_templates_error"]) for each in attached] == [{"5", "6", "7"}] * 3
    assert [set(each["notification_templates_approvals"]) for each in attached[1:]] == [{"5", "6", "8"}] * 2


def test_the_volumes_that_a_template_is_bound_to_are_offered(stand_in: StandIn) -> None:
    stand_in.has(job_templates=[{"name": "Console: tenant", "extra_vars": "tenant_volumes: [a, b]"}])
    set_up(stand_in, {})
    tenant = stand_in.calls_of("job_template")[-1]
    (question,) = [each for each in tenant["survey_spec"]["spec"] if each["variable"] == "tenant_volume"]
    assert (question["type"], question["choices"]) == ("multiplechoice", ["a", "b"])
    assert "extra_vars" not in tenant
    set_up(stand_in, {"awx_setup_tenant_variables": {"tenant_volumes": ["c"]}})
    tenant = stand_in.calls_of("job_template")[-1]
    assert (tenant["extra_vars"], tenant["survey_spec"]["spec"][1]["choices"]) == ({"tenant_volumes": ["c"]}, ["c"])


def test_a_missing_collection_is_named(tmp_path: Path) -> None:
    with Emulator() as emulator:
        output = run_playbook(emulator, tmp_path, "managedfs.console.awx_setup", PROJECT).output
    assert "ansible-galaxy collection install awx.awx" in output
