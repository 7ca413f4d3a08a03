# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the files of the collection import."""

from __future__ import annotations

import ast
import graphlib
import os
from functools import cache
from pathlib import Path

from harness.places import CHECKOUT

PLUGINS = CHECKOUT / "plugins"
OURS = "ansible_collections.managedfs.console.plugins."


@cache
def syntax(path: Path) -> ast.Module:
    """Return the syntax tree of a file, without what only a type checker reads."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not ast.unparse(node).startswith("if TYPE_CHECKING")]
    return tree


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, those of the collection as paths below `plugins`."""
    found = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith(OURS)):
            folder = path.parents[node.level - 1] if node.level else PLUGINS
            place = folder / (node.module or "").removeprefix(OURS).replace(".", "/")
            places = [place] if place.with_suffix(".py").exists() else [place / alias.name for alias in node.names]
            found |= {os.path.relpath(place, PLUGINS) for place in places}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def layer(place: str) -> str:
    """Return the folder, or the file at the root, that a path below `plugins` belongs to."""
    name, *below = place.removeprefix("module_utils/_internal/").split("/")
    return f"{name}/" if below else f"{name}.py"


def layers() -> dict[str, list[str]]:
    """Return what each layer imports, less what it would reach through the others that it imports."""
    needed: dict[str, set[str]] = {}
    for path in PLUGINS.rglob("*.py"):
        mine = layer(path.relative_to(PLUGINS).with_suffix("").as_posix())
        theirs = {layer(place) for place in imports(path) if "/" in place}
        needed[mine] = needed.get(mine, set()) | theirs - {mine}
    reached: dict[str, set[str]] = {}
    for mine in graphlib.TopologicalSorter(needed).static_order():
        reached[mine] = needed[mine].union(*(reached[name] for name in needed[mine]))
    through = {mine: set().union(*(reached[name] for name in needed[mine])) for mine in needed}
    return {mine: sorted(needed[mine] - through[mine]) for mine in sorted(needed)}
