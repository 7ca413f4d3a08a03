# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers of a survey as AWX hands them to a job: no tenant becomes another than was typed.

The integration target check_variables holds a longer table of them, on the oldest and the newest ansible-core.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator import Emulator
from functional.support.plays import Played, run_playbook


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    """Yield a console with the exports and quotas of two teams, whose names YAML takes for one number."""
    with Emulator() as emulator:
        emulator.add_volume(name="projects", bucket="https://projects.example.com", id=7)
        for name in ("010", "8"):
            emulator.add_export(7, desc=name, iprange="*")
            emulator.add_quota(7, path=f"/{name}", size=1 << 30)
        yield emulator


def answer(emulator: Emulator, folder: Path, **answers: str) -> Played:
    """Run the playbook tenant with answers in a file like that of a job in AWX."""
    answers = {"tenant_volume": "projects", **answers}
    lines = ["!unsafe '{}': !unsafe '{}'".format(name, text.replace("'", "''")) for name, text in answers.items()]
    (folder / "extravars").write_text("---\n" + "\n".join(lines), encoding="utf-8")
    return run_playbook(emulator, folder, "managedfs.console.tenant", {}, "-e", f"@{folder / 'extravars'}")


def left(emulator: Emulator) -> tuple[list[str], list[str]]:
    """Return the descriptions of exports and the paths of quotas."""
    return [each["desc"] for each in emulator.exports(7)], [each["path"] for each in emulator.quotas(7)]


@pytest.mark.promise("answers-are-as-written")
@pytest.mark.parametrize("name", ["010", "8", "no", "1:30", "2026-11-22", "1.10", "", "null"])
def test_a_name_that_is_read_as_something_else_removes_nothing(emulator: Emulator, tmp_path: Path, name: str) -> None:
    played = answer(emulator, tmp_path, tenant_name=name, tenant_state="absent")
    assert played.count("failed") == 1
    assert "Write it in quotation marks" in played.output or "tenant_name must be set." in played.output
    assert emulator.requests == []


@pytest.mark.promise("answers-are-as-written")
@pytest.mark.parametrize("name", ["'010'", '"010"', " '010' "])
def test_a_name_in_quotation_marks_is_the_one_that_was_typed(emulator: Emulator, tmp_path: Path, name: str) -> None:
    answer(emulator, tmp_path, tenant_name=name, tenant_state="absent")
    assert left(emulator) == (["8"], ["/8"])


@pytest.mark.promise("answers-are-as-written")
@pytest.mark.parametrize("name", ['["x"]', '{"a": 1}', "True ", "{{ 7*7 }}", "a' or 'b", "' null'", "1e3", "0o17"])
def test_a_name_with_odd_letters_is_the_one_that_was_typed(emulator: Emulator, tmp_path: Path, name: str) -> None:
    answer(emulator, tmp_path, tenant_name=name, tenant_size="1GiB", tenant_iprange="any")
    made = name.strip("' ")
    assert emulator.exports(7)[2]["desc"] == made
    assert emulator.exports(7)[2]["iprange"] == "*"
    assert emulator.quotas(7)[2]["path"] == f"/{made}"


@pytest.mark.promise("answers-are-as-written")
def test_what_is_refused_is_refused_before_anything_is_read(emulator: Emulator, tmp_path: Path) -> None:
    answers = {"tenant_desc": "no", "tenant_path": "2026-11-22", "tenant_size": "1:30", "tenant_inodes": "08"}
    played = answer(emulator, tmp_path, tenant_name="research", **answers)
    for name in answers:
        assert f"{name} must be" in played.output
    assert emulator.requests == []
