# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role apply: a console brought to the desired state, and a summary of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.parsing.vault import VaultLib, VaultSecret

from emulator import Fault
from functional.roles.support import Project, outcome

VOLUME = {"name": "v", "bucket": "https://v.example.com", "quotas": [{"path": "/a", "size": "1KiB"}]}


def write(project: Project, name: str, text: str) -> None:
    """Write a state file."""
    path = project.desired / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_files_are_applied_predicted_and_then_unchanged(project: Project) -> None:
    write(project, "team/v.yml", "{name: v, bucket: 'https://v.example.com', quotas: [{path: /a, size: 1KiB}]}")
    write(project, "none.yml", "# nothing yet\n")
    predicted = project.run("apply", "--check", "--diff", apply_source="desired")
    assert outcome(predicted) == (False, True)
    assert '"## What would be done"' in predicted
    assert '"| quotas | 1 | 0 | 0 | 0 | 0 |"' in predicted
    assert "1KiB" in predicted
    assert project.emulator.writes == []
    done = project.run("apply", apply_source="desired")
    assert outcome(done) == (False, True)
    assert '"## What was done"' in done
    assert '"| quotas | 1 | 0 | 0 | 0 | 0 |"' in done
    assert outcome(project.run("apply", apply_source="desired")) == (False, False)


def test_the_desired_state_can_be_given_in_variables(project: Project) -> None:
    assert outcome(project.run("apply", apply_volumes=[VOLUME], apply_source="")) == (False, True)
    assert [volume["name"] for volume in project.emulator.volumes()] == ["v"]


def test_a_source_can_be_an_absolute_path_or_a_single_file(project: Project, tmp_path: Path) -> None:
    write(project, "v.yml", "{name: v, bucket: 'https://v.example.com'}")
    assert outcome(project.run("apply", apply_source=str(tmp_path / "desired" / "v.yml"))) == (False, True)


def test_an_encrypted_file_is_decrypted(project: Project, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("tiger", encoding="utf-8")
    encrypted = VaultLib([("default", VaultSecret(b"tiger"))]).encrypt(b"{name: v, bucket: 'https://v.example.com'}")
    write(project, "v.yml", encrypted.decode())
    options = ("--vault-password-file", "password")
    assert outcome(project.run("apply", *options, apply_source="desired")) == (False, True)


def test_what_nobody_names_is_removed_where_the_role_is_told_to(project: Project) -> None:
    volume = project.emulator.add_volume(name="v", bucket="https://v.example.com")
    project.emulator.add_export(volume, desc="web", iprange="*")
    project.emulator.add_quota(volume, path="/gone", size=1)
    project.run("apply", apply_volumes=[VOLUME], apply_purge=["quotas", ""])
    assert [quota["path"] for quota in project.emulator.quotas(volume)] == ["/a"]
    assert len(project.emulator.exports(volume)) == 1


def test_a_failure_in_part_is_summarized_and_fails(project: Project) -> None:
    quotas = [{"path": "/a", "size": 1}, {"path": "/b", "size": 1}]
    volume = project.emulator.add_volume(name="v", bucket="https://v.example.com")
    project.emulator.inject(Fault(kind="status", status=400, method="POST", nth=2, times=None))
    printed = project.run("apply", apply_volumes=[{"name": "v", "quotas": quotas}])
    assert outcome(printed)[0] is True
    assert '"| quotas | 1 | 0 | 0 | 0 | 1 |"' in printed
    assert '"- quotas, v: /' in printed
    assert len(project.emulator.quotas(volume)) == 1


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"apply_source": "", "apply_volumes": []},
        {"apply_source": "desired", "apply_volumes": [VOLUME]},
        {"apply_volumes": ""},
    ],
    ids=["nothing", "blanks", "both", "a blank list"],
)
def test_one_desired_state_is_required(project: Project, given: dict[str, Any]) -> None:
    printed = project.run("apply", **given)
    assert "One of apply_source and apply_volumes is required, and not both." in printed
    assert project.emulator.requests == []


def test_a_mistake_in_a_file_is_told_before_the_console_is_asked(project: Project) -> None:
    write(project, "v.yml", "{name: v, exports: [{desc: web, iprang: '*'}]}")
    printed = project.run("apply", apply_source="desired")
    assert "desired/v.yml: exports item 1 ('web'): there is no option iprang" in printed
    assert project.emulator.requests == []


def test_a_variable_that_is_not_right_is_refused(project: Project) -> None:
    printed = project.run("apply", apply_volumes=[VOLUME], apply_purge=["volumes"])
    assert "apply_purge" in printed
    assert outcome(printed) == (True, False)
    assert project.emulator.requests == []
