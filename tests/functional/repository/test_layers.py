# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The layers: imports run downward only, the pure parts do no I/O, files and functions stay short."""

from __future__ import annotations

import ast
import graphlib
import os
from pathlib import Path

import pytest

from harness.places import CHECKOUT

PLUGINS = CHECKOUT / "plugins"
UTILS = PLUGINS / "module_utils" / "_internal"

# From the ground up. A file imports from lower layers and from its own folder, never from others of its layer.
LAYERS = [
    {"version", "json_values"},
    {"errors"},
    {"masking"},
    {"model"},
    {"options"},
    {"connection"},
    {"http"},
    {"api"},
    {"reconcile"},
    {"module"},
    {"tasks"},
]
PURE = ["errors", "json_values", "masking", "model", "options", "http/policy", "http/signing"]
PURE += ["reconcile/write", "reconcile/decide"]
NOT_PURE = {"requests", "urllib3", "socket", "http", "time", "os", "ansible", "random", "threading", "concurrent"}

FILES = sorted(UTILS.rglob("*.py"))
# What runs on the controller stands on module_utils.
CONTROLLER = ("action", "filter", "lookup", "plugin_utils")
CONTROLLER_FILES = sorted(path for folder in CONTROLLER for path in (PLUGINS / folder).rglob("*.py"))
CONTROLLER_UTILS = PLUGINS / "plugin_utils" / "_internal"
# It plans and checks items as the modules do, and sends nothing.
FOR_CONTROLLER = {"errors", "json_values", "masking", "model", "connection", "tasks/items"}
MAX_LINES = 400
MAX_LINES_OF_FUNCTION = 40


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, those of the collection as paths below module_utils/_internal.

    What only a type checker imports is left out.
    """
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1]
            names = [node.module.replace(".", "/")] if node.module else [alias.name for alias in node.names]
            found |= {os.path.relpath(folder / name, UTILS) for name in names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def is_own(place: str) -> bool:
    """Return whether an import is one of our own files."""
    return (UTILS / f"{place}.py").exists()


def room(place: str) -> str:
    """Return the folder, or the file at the root, that a path below module_utils belongs to."""
    return place.split("/", maxsplit=1)[0]


def layer(place: str) -> int:
    """Return the number of a layer, from the ground up."""
    return next(number for number, rooms in enumerate(LAYERS) if room(place) in rooms)


def path_id(path: Path) -> str:
    """Return what a test calls a file."""
    return path.relative_to(UTILS).with_suffix("").as_posix()


def test_every_file_has_its_layer() -> None:
    assert FILES
    assert {room(path_id(path)) for path in FILES} == set().union(*LAYERS)


@pytest.mark.parametrize("path", FILES, ids=path_id)
def test_imports_run_downward(path: Path) -> None:
    own = path_id(path)
    for place in filter(is_own, imports(path)):
        assert layer(place) < layer(own) or room(place) == room(own), place


@pytest.mark.parametrize("path", [path for path in FILES if path_id(path).startswith(tuple(PURE))], ids=path_id)
def test_the_pure_part_does_no_io(path: Path) -> None:
    roots = {place.split(".")[0] for place in imports(path) if not is_own(place)}
    assert not roots & NOT_PURE


@pytest.mark.parametrize("path", sorted((PLUGINS / "modules").glob("*.py")), ids=lambda path: path.stem)
def test_modules_only_start_a_task(path: Path) -> None:
    own = {place for place in imports(path) if place.startswith("ansible_collections")}
    assert {place.rsplit("._internal.", maxsplit=1)[1].split(".")[0] for place in own} <= {"model", "tasks"}


def test_only_words_for_failures_and_the_path_that_writes_are_loaded_late() -> None:
    late = {
        f"{path_id(path.parent)}/{node.module or node.names[0].name}"
        for path in FILES
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom)
    }
    assert late == {"http/messages", "reconcile/rounds"}


def test_requests_know_nothing_of_records() -> None:
    for path in (UTILS / "http").glob("*.py"):
        assert "model" not in set(map(room, imports(path)))


def imports_of(folder: Path) -> dict[str, set[str]]:
    """Return what each file below a folder imports of the others."""
    return {path_id(path): {place for place in imports(path) if is_own(place)} for path in folder.rglob("*.py")}


def test_files_do_not_import_each_other_in_a_circle() -> None:
    left = imports_of(UTILS)
    while left:
        free = {name for name, needed in left.items() if not needed & left.keys()}
        assert free, sorted(left)
        left = {name: needed for name, needed in left.items() if name not in free}


def controller_imports(path: Path) -> set[str]:
    """Return the files of the collection that one of the controller imports, as paths below `plugins`."""
    found = set()
    for place in imports(path):
        if place.startswith("ansible_collections.managedfs.console.plugins."):
            found.add(place.split(".plugins.")[1].replace(".", "/"))
        elif place.startswith("..") or is_own(place):
            found.add(os.path.relpath(UTILS / place, PLUGINS))
    return found


@pytest.mark.parametrize("path", CONTROLLER_FILES, ids=lambda path: path.relative_to(PLUGINS).as_posix())
def test_the_controller_shares_with_modules_what_sends_nothing(path: Path) -> None:
    shared = {place for place in controller_imports(path) if place.startswith("module_utils/")}
    known = {place.removeprefix("module_utils/_internal/") for place in shared}
    assert {place if place.startswith("tasks/") else room(place) for place in known} <= FOR_CONTROLLER


def test_files_of_the_controller_import_each_other_in_one_direction() -> None:
    files = {path: controller_imports(path) for path in CONTROLLER_UTILS.glob("*.py")}
    below = {
        path.stem: {Path(place).stem for place in found if place.startswith("plugin_utils/")}
        for path, found in files.items()
    }
    assert set().union(*below.values()) <= below.keys()
    assert any(below.values())
    assert list(graphlib.TopologicalSorter(below).static_order())


def calls_itself_pure(path: Path) -> bool:
    """Return whether the docstring of a file says that it does no I/O."""
    return "Pure." in (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")


@pytest.mark.parametrize(
    "path", [path for path in CONTROLLER_FILES if calls_itself_pure(path)], ids=lambda path: path.stem
)
def test_what_calls_itself_pure_on_the_controller_does_no_io(path: Path) -> None:
    roots = {place.split(".")[0] for place in imports(path)}
    assert not roots & (NOT_PURE | {"pathlib"})


def lines_of_documentation(text: str) -> int:
    """Return how many lines of a plugin are its documentation in YAML."""
    found = [
        node for node in ast.parse(text).body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper()
    ]
    return sum((node.end_lineno or 0) - node.lineno for node in found if isinstance(node.value, ast.Constant))


@pytest.mark.parametrize("path", [*FILES, *CONTROLLER_FILES], ids=lambda path: path.relative_to(PLUGINS).as_posix())
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) - lines_of_documentation(text) <= MAX_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < MAX_LINES_OF_FUNCTION, node.name
