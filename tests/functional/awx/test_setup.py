# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook awx_setup: what it creates, by which variables that changes, and what it checks beforehand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.awx.conftest import set_up
from functional.awx.stand_in import StandIn
from functional.support.outofprocess import run_command
from harness.places import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "awx-project"
DATA = CHECKOUT / "playbooks" / "vars" / "awx.yml"
INPUTS = {"console_url": "https://console.example.com", "secret_key": "", "access_key": ""}


class _Loader(yaml.SafeLoader):
    """Reads variables without templating them."""


_Loader.add_constructor("!unsafe", lambda _loader, node: node.value)


def names(stand_in: StandIn, module: str) -> list[str]:
    """Return the names of what a module was told to create."""
    return [options["name"] for options in stand_in.told(module)]


def test_everything_is_created_in_its_order(created: StandIn) -> None:
    kinds = list(dict.fromkeys(module for module, _options in created.recorded))
    assert kinds == [
        "credential_type",
        "credential",
        "project",
        "inventory",
        "job_template",
        "workflow_job_template",
        "workflow_job_template_node",
        "schedule",
    ]
    assert names(created, "job_template") == [f"Console: {name}" for name in ("apply", "check", "report", "tenant")]


def test_all_of_the_data_reaches_awx(created: StandIn) -> None:
    data = _Loader(DATA.read_text(encoding="utf-8")).get_single_data()
    modules = {"credential_types": "credential_type", "projects": "project", "inventories": "inventory"}
    modules |= {"templates": "job_template", "schedules": "schedule"}
    for name, module in modules.items():
        for wanted, told in zip(data[f"controller_{name}"], created.told(module), strict=True):
            # A name that is blank is left out.
            assert set(wanted) - {"default_environment"} <= set(told)
    workflow = data["controller_workflows"][0]
    nodes = workflow.pop("simplified_workflow_nodes")
    assert set(workflow) <= set(created.told("workflow_job_template")[0])
    # Each node is made, and then linked.
    calls = created.told("workflow_job_template_node")
    where = {"organization": "Default", "workflow_job_template": "Console: change"}
    kinds = ("identifier", "unified_job_template", "approval_node")
    made = [where | {name: _named(node[name]) for name in kinds if name in node} for node in nodes]
    links = [(node["identifier"], node.get("success_nodes", [])) for node in nodes]
    assert calls[: len(nodes)] == made
    assert [(node["identifier"], node["success_nodes"]) for node in calls[len(nodes) :]] == links


def _named(value: Any) -> Any:
    """Return a value of the data as it is with the default prefix."""
    if isinstance(value, dict):
        return {name: _named(each) for name, each in value.items()}
    return value.replace("{{ awx_prefix }}", "Console")


def test_the_playbooks_of_the_templates_are_in_the_example(created: StandIn) -> None:
    for template in created.told("job_template"):
        assert (EXAMPLE / template["playbook"]).is_file()


def test_the_default_leaves_schedules_off_and_asks_for_what_it_should(created: StandIn) -> None:
    assert [schedule["enabled"] for schedule in created.told("schedule")] == [False, False]
    apply, check, *others = created.told("job_template")
    assert (apply["job_type"], check["job_type"], check["diff_mode"]) == ("run", "check", True)
    assert (apply["ask_job_type_on_launch"], apply["ask_verbosity_on_launch"]) == (True, True)
    assert all(template["ask_credential_on_launch"] for template in (apply, check, *others))
    assert created.told("project")[0]["scm_update_on_launch"] is True


def test_the_secret_key_is_written_where_it_belongs_and_not_shown(stand_in: StandIn) -> None:
    stand_in.has(projects=[{"status": "never updated"}])
    played = set_up(stand_in, {"awx_setup_update_secrets": True}, "-vvvv", MANAGEDFS_TIMEOUT=" ")
    (credential,) = stand_in.told("credential")
    assert set(credential["inputs"]) == {"console_url", "access_key", "secret_key", "insecure"}
    assert credential["update_secrets"] is True
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
    assert [schedule["enabled"] for schedule in stand_in.told("schedule")] == [True, True]
    (project,), (environment,) = stand_in.told("project"), stand_in.told("execution_environment")
    assert (project["scm_branch"], project["default_environment"]) == ("main", environment["name"])
    assert len(stand_in.told("project_update")) == 1


def test_everything_is_removed(stand_in: StandIn, created: StandIn) -> None:
    set_up(stand_in, {"awx_setup_state": "absent", "awx_setup_project_url": ""})
    assert {options["state"] for _module, options in stand_in.recorded} == {"absent"}
    kept = {"schedule", "workflow_job_template_node"}
    for module in {module for module, _options in created.recorded} - kept:
        assert set(names(created, module)) == set(names(stand_in, module))


def test_a_type_that_others_use_is_left(stand_in: StandIn) -> None:
    stand_in.has(credentials=[{"name": "Another"}])
    set_up(stand_in, {"awx_setup_state": "absent"})
    assert stand_in.told("credential_type") == []


@pytest.mark.parametrize(
    ("has", "variables", "message"),
    [
        ({}, {"awx_setup_project_url": " "}, "awx_setup_project_url is required"),
        ({}, {"awx_setup_state": "gone"}, "awx_setup_state must be present or absent, not gone."),
        ({"organizations": []}, {}, "There is no organization Default"),
        ({"galaxy": []}, {}, "has no Galaxy credential"),
        ({}, {"awx_console_inputs": INPUTS}, "variables MANAGEDFS_ACCESS_KEY, MANAGEDFS_SECRET_KEY"),
    ],
    ids=["address", "state", "organization", "Galaxy", "environment"],
)
def test_what_is_missing_or_wrong_is_named(
    stand_in: StandIn, has: dict[str, list[Any]], variables: dict[str, Any], message: str
) -> None:
    stand_in.has(**has)
    played = set_up(stand_in, variables)
    assert message in played.output
    assert stand_in.recorded == []


def test_a_missing_collection_is_named(tmp_path: Path) -> None:
    with Emulator() as emulator:
        setting = "awx_setup_project_url=https://git.example.com/console.git"
        output = run_command(
            emulator, tmp_path, "ansible-playbook", "managedfs.console.awx_setup", "--extra-vars", setting
        )
    assert "ansible-galaxy collection install awx.awx" in output
