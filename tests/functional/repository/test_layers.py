# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The layers: imports run downward only, the pure parts do no I/O, files and functions stay short."""

from __future__ import annotations

import ast
import graphlib
from functools import cache
from pathlib import Path

import grimp
import pytest

from harness.places import CHECKOUT

PLUGINS = CHECKOUT / "plugins"
OURS = "ansible_collections.managedfs.console.plugins"
UTILS = PLUGINS / "module_utils" / "_internal"

# From the ground up. A file imports from what is lower and from its own folder.
LAYERS: tuple[str, ...] = ("values", "errors", "files", "model")
LAYERS += (
    "changes",
    "options",
    "connection",
    "http",
    "api",
    "reconcile",
    "task",
    "module",
    "tasks",
    "rotation",
)
PURE: tuple[str, ...] = (
    "errors",
    "values",
    "model",
    "options",
    "http/policy",
)
PURE += (
    "changes/entries",
    "changes/limit",
    "changes/lines",
    "changes/result",
    "reconcile/write_state",
    "reconcile/after_request",
    "rotation/steps",
)
NOT_PURE = {"requests", "urllib3", "socket", "http", "time", "os", "ansible", "random", "threading", "concurrent"}

FILES = sorted(UTILS.rglob("*.py"))
MODULES = sorted((PLUGINS / "modules").glob("*.py"))
# Run by the worker as well: the modules with their action, and what that is made of.
WORKER = PLUGINS / "plugin_utils" / "_internal" / "controller" / "worker.py"
IN_WORKER = [path for path in MODULES if "run_module" in path.read_text(encoding="utf-8")]
ACTION = PLUGINS / "action" / "volumes.py"
# The rest of the controller's code uses module_utils to plan and check items as the modules do, and sends nothing.
CONTROLLER = [
    path
    for name in ("action", "filter", "plugin_utils")
    for path in (PLUGINS / name).rglob("*.py")
    if path not in (WORKER, ACTION)
]
FOR_CONTROLLER = {
    "errors",
    "files",
    "options",
    "values",
    "model",
    "changes",
    "connection",
    "tasks/items",
}
MAX_LINES, MAX_LINES_OF_FUNCTION = 400, 40


@cache
def graph() -> grimp.ImportGraph:
    """Return what imports what, without what only a type checker reads. The tree of collections is in PYTHONPATH."""
    return grimp.build_graph(OURS, include_external_packages=True, exclude_type_checking_imports=True, cache_dir=None)


def imports(path: Path) -> set[str]:
    """Return the packages that a file imports, and the modules of the collection as paths below `plugins`."""
    module = ".".join([OURS, *path.relative_to(PLUGINS).with_suffix("").parts])
    found = graph().find_modules_directly_imported_by(module)
    return {name.removeprefix(f"{OURS}.").replace(".", "/") for name in found}


@cache
def syntax(path: Path) -> ast.Module:
    """Return the syntax tree of a file, without what only a type checker reads."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not ast.unparse(node).startswith("if TYPE_CHECKING")]
    return tree


def internal(path: Path) -> set[str]:
    """Return the imports of a file from module_utils, as paths below its _internal."""
    start = "module_utils/_internal/"
    return {module.removeprefix(start) for module in imports(path) if module.startswith(start)}


def external(path: Path) -> set[str]:
    return {module.split(".")[0] for module in imports(path) if "/" not in module}


def name(path: Path) -> str:
    """Return the name of a file in module_utils, or the path of another one."""
    return path.relative_to(UTILS if path.is_relative_to(UTILS) else PLUGINS).with_suffix("").as_posix()


def room(module: str) -> str:
    """Return the folder, or the file at the root, of a path below module_utils."""
    return module.split("/", maxsplit=1)[0]


def lines(node: ast.stmt) -> int:
    return (node.end_lineno or 0) - node.lineno + 1


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_run_downward_and_the_pure_parts_do_no_io(path: Path) -> None:
    mine = room(name(path))
    for module in internal(path):
        assert room(module) == mine or LAYERS.index(room(module)) < LAYERS.index(mine), module
        assert (mine, room(module)) != ("http", "model")
    assert mine in LAYERS
    assert not name(path).startswith(PURE) or not external(path) & NOT_PURE


@pytest.mark.parametrize("folder", [UTILS, PLUGINS / "plugin_utils" / "_internal"], ids=lambda path: path.parent.name)
def test_files_do_not_import_each_other_in_a_circle(folder: Path) -> None:
    graph = {path: {PLUGINS / f"{module}.py" for module in imports(path)} for path in folder.rglob("*.py")}
    inside = {path: needed & graph.keys() for path, needed in graph.items()}
    assert any(inside.values())
    assert list(graphlib.TopologicalSorter(inside).static_order())


@pytest.mark.parametrize("path", CONTROLLER, ids=name)
def test_the_controller_shares_with_modules_what_sends_nothing_and_is_pure_where_it_says_so(path: Path) -> None:
    assert {module if module.startswith("tasks/") else room(module) for module in internal(path)} <= FOR_CONTROLLER
    if "Pure." in (ast.get_docstring(syntax(path)) or ""):
        assert not external(path) & {*NOT_PURE, "pathlib"}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_modules_only_start_a_task(path: Path) -> None:
    assert {room(module) for module in internal(path)} <= {"model", "module", "tasks", "rotation"}
    code = [node for node in syntax(path).body if not isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr))]
    after = [node for node in code if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))]
    assert sum(map(lines, after)) <= (20 if path.stem.endswith("_info") else 30)


@pytest.mark.parametrize("path", IN_WORKER, ids=name)
def test_a_module_and_its_action_are_one_operation(path: Path) -> None:
    (called,) = [
        node for node in ast.walk(syntax(path)) if isinstance(node, ast.Call) and "run_module" in ast.unparse(node.func)
    ]
    (held,) = [node for node in ast.walk(syntax(ACTION)) if isinstance(node, ast.Dict)]
    pairs = zip(held.keys, held.values, strict=True)
    operations = {name.value: ast.unparse(value) for name, value in pairs if isinstance(name, ast.Constant)}
    assert ast.unparse(called.args[0]) == operations[path.stem]
    assert internal(path) - {"module"} <= internal(ACTION)
    assert len(IN_WORKER) == len(operations) == 11


def test_only_words_for_failures_and_what_writes_are_loaded_late() -> None:
    functions = [(path, node) for path in FILES for node in ast.walk(syntax(path)) if isinstance(node, ast.FunctionDef)]
    late = [(path, node) for path, body in functions for node in ast.walk(body) if isinstance(node, ast.ImportFrom)]
    names = {f"{path.parent.name}/{node.module or node.names[0].name}" for path, node in late}
    # The controller does not need what modules are made of.
    assert names == {"http/messages", "reconcile/rounds", "tasks/token_file", "_internal/ansible.module_utils.basic"}
    # A worker is forked for each task, and loads nothing for each task that writes.
    assert "reconcile/rounds" in internal(WORKER)
    assert "tasks/token_file" in internal(UTILS / "rotation" / "task.py")


@pytest.mark.parametrize("path", [*FILES, *CONTROLLER, WORKER, ACTION], ids=name)
def test_files_and_functions_are_short(path: Path) -> None:
    nodes = list(ast.walk(syntax(path)))
    texts = [node for node in nodes if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper()]
    documentation = sum(lines(node) - 1 for node in texts if isinstance(node.value, ast.Constant))
    assert len(path.read_text(encoding="utf-8").splitlines()) - documentation <= MAX_LINES
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert [node.name for node in functions if lines(node) > MAX_LINES_OF_FUNCTION] == []
