# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Variables that roles do not have, in plays as people write them: mistakes are refused, everything else still runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.release import __version__ as ansible_version

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.variables import check_variables
from emulator import Emulator
from functional.support.plays import Played, run_playbook
from functional.support.sidebyside import Plays, Site, side_by_side
from harness.places import CHECKOUT

ROLES = sorted(path.name for path in (CHECKOUT / "roles").iterdir())
NEEDED: dict[str, dict[str, Any]] = {
    "apply": {"apply_volumes": [{"name": "projects"}]},
    "capture": {"capture_dest": "captured"},
    "report": {},
    "tenant": {"tenant_name": "research", "tenant_volume": "projects", "tenant_size": "1GiB", "tenant_iprange": "any"},
}


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    """Yield a console, in real time, with an empty volume."""
    with Emulator() as emulator:
        emulator.add_volume(name="projects", bucket="https://projects.example.com", id=7)
        yield emulator


MISSPELLED: dict[str, tuple[str, dict[str, Any]]] = {
    "apply_purge": ("apply", {"apply_purges": "exports"}),
    "tenant_readonly": ("tenant", {"tenant_read_only": True}),
    "managedfs_validate_certs": ("tenant", {"managedfs_validate_cert": False}),
}


@pytest.mark.promise("misspelled-variables-are-refused")
@pytest.mark.parametrize("meant", MISSPELLED)
@side_by_side
def test_a_misspelled_variable_stops_a_role_before_its_first_request(site: Site, meant: str) -> Plays:
    role, mistake = MISSPELLED[meant]
    played = yield site.play(role, **NEEDED[role], **mistake)
    assert played.count("failed") == 1
    assert f"Did you mean {meant}?" in played.output
    assert site.emulator.requests == []


def answer(emulator: Emulator, folder: Path, **answers: str) -> Played:
    """Run the playbook tenant with answers of a survey, in a file like that of a job in AWX."""
    answers = {"tenant_volume": "projects", **answers}
    lines = ["!unsafe '{}': !unsafe '{}'".format(name, text.replace("'", "''")) for name, text in answers.items()]
    (folder / "extravars").write_text("---\n" + "\n".join(lines), encoding="utf-8")
    return run_playbook(emulator, folder, "managedfs.console.tenant", {}, "-e", f"@{folder / 'extravars'}")


@pytest.mark.promise("answers-are-as-written")
def test_an_answer_that_is_read_as_something_else_is_refused_unless_it_is_quoted(
    emulator: Emulator, tmp_path: Path
) -> None:
    for desc in ("010", "8"):
        emulator.add_export(7, desc=desc, iprange="*")
    answers = {"tenant_name": "010", "tenant_desc": "no", "tenant_path": "2026-11-22", "tenant_inodes": "08"}
    played = answer(emulator, tmp_path, tenant_state="absent", tenant_size="1:30", **answers)
    # Before 2.19, ansible-core leaves texts as they are, so that only text which is no number is refused.
    is_read_again = tuple(map(int, ansible_version.split(".")[:2])) >= (2, 19)
    for name in (*answers, "tenant_size") if is_read_again else ("tenant_inodes", "tenant_size"):
        assert f"{name} must be" in played.output
    assert ("without quotation marks: write '8'" in played.output) is is_read_again
    assert emulator.requests == []
    answer(emulator, tmp_path, tenant_name=" '010' ", tenant_state="absent")
    assert [export["desc"] for export in emulator.exports(7)] == ["8"]


@pytest.mark.promise("answers-are-as-written")
def test_an_answer_is_no_template_and_no_list(emulator: Emulator, tmp_path: Path) -> None:
    answers = {"tenant_name": '["x"]', "tenant_desc": "{{ 7*7 }}", "tenant_path": "/{{ 7*7 }}"}
    answer(emulator, tmp_path, tenant_size="1GiB", tenant_iprange="any", **answers)
    (export,), (quota,) = emulator.exports(7), emulator.quotas(7)
    assert (export["desc"], export["iprange"], quota["path"]) == ("{{ 7*7 }}", "*", "/{{ 7*7 }}")
    answer(emulator, tmp_path, tenant_size="1GiB", tenant_iprange="any", tenant_name='["x"]')
    assert (emulator.exports(7)[1]["desc"], emulator.quotas(7)[1]["path"]) == ('["x"]', '/["x"]')


def test_people_loop_over_lists_with_names_of_their_own(emulator: Emulator, tmp_path: Path) -> None:
    given = {"tenant_name": "{{ item.name }}", "tenant_volume": "projects"}
    given |= {"tenant_size": "{{ item.size | default(omit) }}", "tenant_iprange": "{{ item.network | default(omit) }}"}
    role = {"ansible.builtin.include_role": {"name": "managedfs.console.tenant"}, "vars": given}
    tasks = [{**role, "loop": "{{ tenant_names }}"}]
    names = [{"name": "a", "size": "1GiB"}, {"name": "b", "network": "10.0.0.0/8"}]
    play = {"hosts": "localhost", "gather_facts": False, "vars": {"tenant_names": names}, "tasks": tasks}
    (tmp_path / "play.yml").write_text(yaml.safe_dump([play]), encoding="utf-8")
    played = run_playbook(emulator, tmp_path, str(tmp_path / "play.yml"), {})
    assert played.count("failed") == 0
    assert [quota["path"] for quota in emulator.quotas(7)] == ["/a"]
    assert [export["desc"] for export in emulator.exports(7)] == ["b"]
    # ansible-core 2.18 and earlier breaks the lines of warnings.
    said = " ".join(played.output.split())
    assert said.count("No variable of this collection is called tenant_names. Check its name") == 1
    # Each has a summary.
    assert played.output.count(": Tenant ") == 2


@pytest.mark.parametrize("role", ROLES)
def test_each_role_knows_every_variable_that_the_collection_sets(role: str) -> None:
    files = [path for folder in ("playbooks", "roles", "examples") for path in (CHECKOUT / folder).rglob("*.yml")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    # The name of a module follows a dot.
    names = {name for text in texts for name in re.findall(rf"(?<![.\w])((?:managedfs|{role})_[a-z_]+):", text)}
    names |= {name for text in texts for name in re.findall(rf"register: ({role}_[a-z_]+)", text)}
    path = CHECKOUT / "roles" / role / "meta" / "argument_specs.yml"
    options = yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"]
    # Those for workflows are set in Python.
    code = [path.read_text(encoding="utf-8") for path in (CHECKOUT / "plugins").rglob("*.py")]
    names |= {name for text in code for name in re.findall('"(managedfs_[a-z_]+)": ', text)}
    values = dict.fromkeys(names) | NEEDED[role] | {"tenant_volume": "projects"}
    assert names >= {"managedfs_report", "managedfs_rotation", "managedfs_plan"}
    assert check_variables(role, options, values, values.__getitem__).warnings == []
