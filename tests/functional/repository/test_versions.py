# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Places that must agree: versions, the list of modules, what is supported."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from ansible_collections.managedfs.console.plugins.module_utils._internal.version import COLLECTION_VERSION
from harness import release
from harness.cores import MINORS
from harness.places import CHECKOUT, tracked_files

MODULES = sorted(path.stem for path in (CHECKOUT / "plugins" / "modules").glob("*.py"))
# Run on the controller and have no connection options; the module of that name holds the documentation only.
ACTIONS = sorted(path.stem for path in (CHECKOUT / "plugins" / "action").glob("*.py"))


def load(name: str) -> Any:
    """Load a YAML file of the collection."""
    return yaml.safe_load((CHECKOUT / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "line"), release.VERSION_LINES.items())
def test_the_version_stands_where_a_release_writes_it(name: str, line: str) -> None:
    assert (CHECKOUT / name).read_text(encoding="utf-8").count(line.format(COLLECTION_VERSION)) == 1


def test_the_version_stands_nowhere_else() -> None:
    archive_or_agent = re.compile(r"managedfs[-.]console[-/ ]v?\d+\.\d+")
    for path in tracked_files():
        if path.suffix in {".md", ".rst", ".yml", ".py", ".txt"} and path != Path("CHANGELOG.rst"):
            assert not archive_or_agent.search((CHECKOUT / path).read_text(encoding="utf-8")), path


def test_the_user_agent_tells_the_version() -> None:
    from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import USER_AGENT

    assert f"managedfs.console/{COLLECTION_VERSION} " in USER_AGENT


def test_the_address_stands_in_galaxy_yml_only() -> None:
    address = load("galaxy.yml")["repository"].removeprefix("https://").encode()
    assert [path for path in tracked_files() if address in (CHECKOUT / path).read_bytes()] == [Path("galaxy.yml")]


def test_the_changelog_has_the_version() -> None:
    assert COLLECTION_VERSION in load("changelogs/changelog.yaml")["releases"]


def test_the_readme_tells_what_is_required() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    required = load("meta/runtime.yml")["requires_ansible"]
    assert required == ">=2.16.0"
    assert "ansible-core 2.16" in readme
    assert "Python 3.9" in readme


def test_the_action_group_has_every_module_that_connects_to_a_console() -> None:
    assert sorted([*load("meta/runtime.yml")["action_groups"]["console"], *ACTIONS]) == MODULES


def test_the_readme_names_every_module() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    for name in MODULES:
        assert f"`{name}`" in readme


def test_the_requirements_are_those_of_the_documentation() -> None:
    fragment = yaml.safe_load(documentation("doc_fragments/_connection.py"))
    (line,) = (CHECKOUT / "meta" / "ee-requirements.txt").read_text(encoding="utf-8").split("\n")[-2:-1]
    assert fragment["requirements"] == [f"python >= 3.{MINORS[0]}", line]


def test_connection_options_are_documented_as_they_are() -> None:
    documented = yaml.safe_load(documentation("doc_fragments/_connection.py"))["options"]
    assert documented.keys() == CONNECTION_OPTIONS.keys()
    for name, option in CONNECTION_OPTIONS.items():
        for detail in ("type", "default", "required"):
            assert documented[name].get(detail) == option.get(detail), name


def test_the_page_on_authentication_lists_every_variable_with_its_option_and_default() -> None:
    page = (CHECKOUT / "docs/docsite/rst/authentication.rst").read_text(encoding="utf-8")
    rows = re.findall(r"^   \* - ``(\w+)``\n     - ``(\w+)``\n     - (.+)$", page, re.MULTILINE)
    assert [(name, variable) for name, variable, _default in rows] == [
        (name, option["fallback"][1][0]) for name, option in CONNECTION_OPTIONS.items()
    ]
    for name, _variable, default in rows:
        option = CONNECTION_OPTIONS[name]
        assert (default == "required") == option.get("required", False), name
        assert str(option.get("default", "")).lower() in default, name


@pytest.mark.parametrize("name", [name for name in MODULES if name not in ACTIONS])
def test_modules_are_thin(name: str) -> None:
    text = (CHECKOUT / "plugins" / "modules" / f"{name}.py").read_text(encoding="utf-8")
    documented = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    last = next(node for node in documented if getattr(node.targets[0], "id", "") == "RETURN")
    code = [line for line in text.splitlines()[last.end_lineno :] if line.strip() and not line.strip().startswith("#")]
    assert 5 < len(code) <= (40 if name.endswith("_info") else 50)


def documentation(name: str) -> str:
    """Return the first YAML text of a fragment."""
    text = (CHECKOUT / "plugins" / name).read_text(encoding="utf-8")
    return text.split('DOCUMENTATION = r"""')[1].split('"""')[0]
