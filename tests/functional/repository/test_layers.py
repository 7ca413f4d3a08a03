# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Imports run one way: glue, then what is done, then what is planned and how it is said; never back."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from harness.places import CHECKOUT

PLUGINS = CHECKOUT / "plugins"
UTILS = PLUGINS / "module_utils"

# From the ground up. A file may import from what stands before it, and inside its own folder.
FLOORS = [
    "errors.py",
    "version.py",
    "masking.py",
    "nesting.py",
    "model",
    "http",
    "store.py",
    "change.py",
    "rounds.py",
    "reconcile.py",
    "readiness.py",
    "volumes.py",
    "options.py",
    "goals.py",
    "notices.py",
    "module.py",
    "single.py",
    "many.py",
    "info.py",
    "api_call.py",
]
PURE = [
    "errors.py",
    "masking.py",
    "nesting.py",
    "model/batch.py",
    "model/kinds.py",
    "model/plan.py",
    "model/records.py",
    "model/resources.py",
    "http/signing.py",
]
FORBIDDEN_IN_PURE = {"requests", "urllib3", "socket", "http", "time", "os", "ansible", "random", "threading"}


def imports(path: Path) -> set[str]:
    """The modules that a file imports, those of the collection as paths below module_utils."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1]
            names = [node.module.replace(".", "/")] if node.module else [alias.name for alias in node.names]
            found |= {str((folder / name).relative_to(UTILS)) for name in names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def floor(place: str) -> int | None:
    """The floor of a path below module_utils, with or without its ending."""
    return next((n for n, name in enumerate(FLOORS) if place.split("/", maxsplit=1)[0] in (name, name[:-3])), None)


FILES = sorted(UTILS.rglob("*.py"))


def test_every_file_has_its_floor() -> None:
    assert FILES
    assert {path.relative_to(UTILS).parts[0] for path in FILES} == set(FLOORS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(UTILS)))
def test_imports_run_one_way(path: Path) -> None:
    own = str(path.relative_to(UTILS))
    mine = floor(own)
    assert mine is not None
    for place in imports(path):
        below = floor(place) if (UTILS / place).with_suffix(".py").exists() else None
        assert below is None or below < mine or place.split("/")[0] == own.split("/", maxsplit=1)[0], place


@pytest.mark.parametrize("name", PURE)
def test_the_pure_part_does_no_io(name: str) -> None:
    roots = {place.split(".")[0] for place in imports(UTILS / name) if not (UTILS / place).with_suffix(".py").exists()}
    assert not roots & FORBIDDEN_IN_PURE


@pytest.mark.parametrize("path", sorted((PLUGINS / "modules").glob("*.py")), ids=lambda path: path.stem)
def test_modules_speak_to_no_console_by_themselves(path: Path) -> None:
    assert not any(".http." in place or place == "requests" for place in imports(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(UTILS)))
def test_functions_are_short(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < 40, node.name
