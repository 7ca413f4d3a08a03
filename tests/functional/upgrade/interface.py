# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The public interface of a collection, as ansible-doc shows it, and what one version takes away from another."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.places import INSIDE

# What a playbook relies on; descriptions are free to change.
PARTS = ("type", "elements", "default", "required", "choices", "aliases")
PRESENT = Path(__file__).parent / "interface.json"
# Variables of inventories and workflows, and of the environment
NAMES = re.compile(r"\b(?:managedfs|awx_setup|MANAGEDFS)_\w+")

# By plugin or role: by option or result, its essentials.
Interface = dict[str, dict[str, dict[str, Any]]]


def interface_of(tree: Path) -> Interface:
    """Return the options and results of every plugin and role of the collection in a tree, and the variables it names."""
    found: Interface = {"names": {name: {} for name in _names(tree / INSIDE)}}
    for kind in ("module", "filter", "lookup", "role"):
        for name, shown in sorted(_documented(tree, kind).items()):
            parts = shown["entry_points"]["main"] if kind == "role" else shown["doc"]
            options = {
                f"option {key}": value for key, value in _flat(parts.get("options"), "", "options", "suboptions")
            }
            results = {f"result {key}": value for key, value in _flat(shown.get("return"), "", "contains")}
            found[f"{kind} {name.rpartition('.')[2]}"] = options | results
    return found


def taken_away(before: Interface, after: Interface) -> Iterator[str]:
    """Yield what playbooks for one interface may miss in another. The parts of results are documented by example."""
    for plugin, entries in before.items():
        if plugin not in after:
            yield f"{plugin} is gone"
            continue
        for name, old in entries.items():
            if name.startswith("result ") and "." in name:
                continue
            new = after[plugin].get(name)
            if new is None:
                # What held it may be gone, too, which says enough.
                above = name.rpartition(".")[0]
                if above not in entries or above in after[plugin]:
                    yield f"{plugin}: {name} is gone"
            elif _narrowed(old) != _narrowed(new, like=old):
                yield f"{plugin}: {name} was {old}, and is {new}"
        for name in after[plugin].keys() - entries.keys():
            if after[plugin][name].get("required") and "." not in name:
                yield f"{plugin}: {name} is required"


def _narrowed(entry: dict[str, Any], like: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an entry; choices and aliases that another one lacks are no loss, and left out."""
    lists = {key: sorted(entry.get(key, [])) for key in ("choices", "aliases")}
    if like:
        lists = {key: [each for each in value if each in like.get(key, [])] for key, value in lists.items()}
    return {**entry, **lists}


def _names(collection: Path) -> list[str]:
    texts = [
        path.read_text(encoding="utf-8")
        for folder in ("playbooks", "roles", "plugins")
        for path in (collection / folder).rglob("*")
        if path.suffix in {".yml", ".py", ".j2"}
    ]
    return sorted({name for text in texts for name in NAMES.findall(text)})


def _documented(tree: Path, kind: str) -> dict[str, Any]:
    names = _ansible_doc(tree, kind, "--list", "managedfs.console")
    return _ansible_doc(tree, kind, *names) if names else {}


def _ansible_doc(tree: Path, kind: str, *arguments: str) -> dict[str, Any]:
    program = Path(sys.executable).with_name("ansible-doc")
    command = [str(program), "--type", kind, "--json", *arguments]
    env = os.environ | {"ANSIBLE_COLLECTIONS_PATH": str(tree), "ANSIBLE_COLLECTIONS_SCAN_SYS_PATH": "false"}
    found: dict[str, Any] = json.loads(subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE).stdout)
    return found


def _flat(entries: dict[str, Any] | None, above: str, *below: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, entry in (entries or {}).items():
        yield above + name, {part: entry[part] for part in PARTS if entry.get(part) not in (None, False, [])}
        for key in below:
            yield from _flat(entry.get(key), f"{above}{name}.", *below)
