# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Checks the files of a desired state without a console: all mistakes, likely mistakes, and files that look meant and are not read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.model.goals import Goal
from ....module_utils._internal.model.resources import LISTS_BY_NAME, VOLUME
from ....module_utils._internal.values import counted, first_sentences
from ..controller.action import ControllerAction
from .reading import Entry, Found, read_files

# Names that people give to files of a desired state, and that no reader takes for one: on some systems, .yml.txt is what an
# editor makes of a name that ends in .yml.
_MEANT = re.compile(r"\.(?:ya?ml(?:\.(?:txt|j2))?|json)$", re.IGNORECASE)
_READ = (".yml", ".yaml")
_SCHEMA = ".schema.json"
# The message has the first mistakes, since ansible-core shows lists below it as JSON.
_MAX_IN_MESSAGE = 3
# Of each list, so that AWX, which keeps 700,000 bytes of a result, shows it.
_MAX_LISTED = 500

OPTIONS: dict[str, dict[str, Any]] = {
    "source": {"type": "str", "default": ""},
    "fail_on_plan_warnings": {"type": "bool", "default": False},
}


def run(action: ControllerAction, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is wrong with files, what is likely wrong, and how much there is: the step of the playbook validate."""
    source, shown, decrypt = action.source(options, variables)
    not_read = list(_not_read(source, shown))
    try:
        found = read_files(source, shown, decrypt)
    except ConsoleError as error:
        found = Found(problems=[str(error)])
    warnings = list(_plan_warnings(found.entries))
    lists = {"errors": found.problems, "not_read": not_read, "plan_warnings": warnings}
    return {
        "changed": False,
        "failed": bool(found.problems or (options["fail_on_plan_warnings"] and (warnings or not_read))),
        "msg": f"{shown}: {_describe(found, warnings, not_read)}",
        **{name: texts[:_MAX_LISTED] for name, texts in lists.items() if texts},
        # Each text on a line of its own.
        "_ansible_verbose_always": True,
    }


def _describe(found: Found, warnings: list[str], not_read: list[str]) -> str:
    """Return in a sentence what was found, and how much was read."""
    counts = {"files": found.files, VOLUME.plural: len(found.entries)}
    for kind in LISTS_BY_NAME:
        counts[kind] = sum(len(entry.goal.children.get(kind, ())) for entry in found.entries)
    read = ", ".join(counted(count, kind) for kind, count in counts.items() if count) or "nothing"
    wrong = {"mistakes": found.problems, "likely mistakes": warnings, "not read": not_read}
    told = ", ".join(counted(len(texts), what) for what, texts in wrong.items() if texts) or "nothing is wrong"
    return f"{told}. Read: {read}. {first_sentences(found.problems, _MAX_IN_MESSAGE)}".rstrip()


def _plan_warnings(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the reasons why valid items are probably not what is meant, as far as these do not depend on a console."""
    volumes = [entry.goal for entry in entries]
    for volume in volumes:
        for goal in chain([volume], *volume.children.values()):
            yield from (f"{goal.name}: {warning}" for warning in goal.plan_warnings)
    yield from _shared(volumes)


def _shared(volumes: Iterable[Goal]) -> Iterator[str]:
    """Yield a warning for each volume with a value that only one should have."""
    first: dict[Any, Goal] = {}
    for field in (field for field in VOLUME.managed if field.is_exclusive):
        for goal in (goal for goal in volumes if goal.present and field.name in goal.values):
            other = first.setdefault((field.name, field.type.normalize_or_none(goal.values[field.name])), goal)
            if other is not goal:
                yield f"{goal.name}: the {field.name} is that of {other.name}, too: correct one of them."


def _not_read(source: Path, shown: str) -> Iterator[str]:
    """Yield the files and links in a folder that look as if they were meant, and that are not read."""
    for folder, folders, files in os.walk(source):
        inside = Path(shown) / Path(folder).relative_to(source)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if (Path(folder) / name).is_symlink():
                yield f"{inside / name}: it is a link to a folder, and such links are not followed. Move the folder here."
        for name in sorted(name for name in files if not name.startswith(".")):
            if _MEANT.search(name) and not name.endswith((*_READ, _SCHEMA)):
                yield f"{inside / name}: this file is not read. If it is meant, rename it to end in .yml or .yaml."
