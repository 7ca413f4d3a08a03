# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Places that must agree: versions, the list of modules, what is supported, and what forges and editors are told of it."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import USER_AGENT
from ansible_collections.managedfs.console.plugins.module_utils._internal.version import COLLECTION_VERSION
from harness import cores, release
from harness.places import CHECKOUT, tracked_files

MODULES = sorted(path.stem for path in CHECKOUT.glob("plugins/modules/*.py"))
# Run on the controller and have no connection options; the module of that name holds the documentation only.
ACTIONS = sorted(path.stem for path in CHECKOUT.glob("plugins/action/*.py"))


def read(name: str) -> str:
    return (CHECKOUT / name).read_text(encoding="utf-8")


def load(name: str) -> Any:
    return yaml.safe_load(read(name))


@pytest.mark.parametrize(("name", "line"), release.VERSION_LINES.items())
def test_the_version_stands_where_a_release_writes_it(name: str, line: str) -> None:
    assert read(name).count(line.format(COLLECTION_VERSION)) == 1


def test_the_version_stands_nowhere_else_but_in_the_changelog_and_the_user_agent() -> None:
    assert COLLECTION_VERSION in load("changelogs/changelog.yaml")["releases"]
    assert f"managedfs.console/{COLLECTION_VERSION} " in USER_AGENT
    archive_or_agent = re.compile(r"managedfs[-.]console[-/ ]v?\d+\.\d+")
    kinds = {".md", ".rst", ".yml", ".py", ".txt"}
    texts = [path for path in tracked_files() if path.suffix in kinds and path != Path("CHANGELOG.rst")]
    assert [path for path in texts if archive_or_agent.search(read(str(path)))] == []


def test_the_address_stands_in_galaxy_yml_only() -> None:
    address = load("galaxy.yml")["repository"].removeprefix("https://").encode()
    assert [path for path in tracked_files() if address in (CHECKOUT / path).read_bytes()] == [Path("galaxy.yml")]


def test_the_action_group_and_the_readme_have_every_module() -> None:
    assert sorted([*load("meta/runtime.yml")["action_groups"]["console"], *ACTIONS]) == MODULES
    assert [name for name in MODULES if f"`{name}`" not in read("README.md")] == []


def test_what_is_supported_is_what_is_tested() -> None:
    ordered = sorted(cores.SUPPORTED, key=lambda minor: [int(number) for number in minor.split(".")])
    assert list(cores.SUPPORTED) == ordered
    assert load("meta/runtime.yml")["requires_ansible"] == f">={ordered[0]}.0"
    assert f"ansible-core {ordered[0]}" in read("README.md")
    assert f"Python 3.{cores.MINORS[0]}" in read("README.md")
    versions = r"(2[\d., ]+)(?: \((pre-release)\))?"
    rows = re.findall(rf"^\| {versions} \| 3\.(\d+).3\.(\d+) \| 3\.(\d+).3\.(\d+) \|$", read("README.md"), re.MULTILINE)
    written = {minor: numbers for minors, _marker, *numbers in rows for minor in minors.split(", ")}
    assert written == {minor: [str(end) for ends in both for end in ends] for minor, both in cores.SUPPORTED.items()}
    assert [row[0] for row in rows if row[1]] == list(cores.PRE_RELEASES)


def test_the_sanity_tests_have_nothing_to_ignore() -> None:
    assert not [path for path in CHECKOUT.glob("tests/sanity/ignore*") if path.stat().st_size]


def test_ci_runs_everything_on_each_core_and_python_and_goes_on_where_a_pre_release_fails() -> None:
    job = load(".github/workflows/ci.yml")["jobs"]["test"]
    sessions = {minor: f"units-{minor} sanity-{minor} integration-{minor}" for minor in cores.SUPPORTED}
    tried = [{"sessions": sessions.pop(minor), "pre-release": True} for minor in cores.PRE_RELEASES]
    assert job["strategy"]["matrix"] == {"sessions": ["", *sessions.values()], "include": tried}
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make test"]
    (pythons,) = [step["with"]["python-version"] for step in job["steps"] if "setup-python" in step.get("uses", "")]
    assert sorted(pythons.split()) == sorted(f"3.{minor}" for minor in cores.MINORS)


def test_hooks_call_sessions_that_exist() -> None:
    (repository,) = load(".pre-commit-config.yaml")["repos"]
    entries = " ".join(hook["entry"] for hook in repository["hooks"])
    sessions = [name for names in re.findall(r'--session ([^"]+)"', entries) for name in names.split()]
    assert sessions
    for session in sessions:
        assert f"def {session.replace('-', '_')}(session: nox.Session)" in read("noxfile.py")


def test_every_command_of_the_makefile_is_explained() -> None:
    commands = set(re.findall(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)[0].split()) - {"help"}
    assert set(re.findall(r"^\t@echo 'make (\w+) ", read("Makefile"), re.MULTILINE)) == commands
    assert commands - set(re.findall(r"`make (\w+)", read("CONTRIBUTING.md"))) == set()


def test_editors_have_the_line_lengths_of_the_linters() -> None:
    settings = configparser.ConfigParser()
    settings.read_string(f"[root]\n{read('.editorconfig')}")
    assert f"\nline-length = {settings['*']['max_line_length']}\n" in read("pyproject.toml")
    assert settings["*.{yml,yaml}"].getint("max_line_length") == load(".yamllint")["rules"]["line-length"]["max"]
