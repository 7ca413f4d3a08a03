# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tags of a run: a volume is no tag, and a run whose tags select no task of a role does nothing. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.records import format_value

# The roles that can be limited to some volumes.
_LIMITED = ("apply", "report")


def selects(run_tags: Collection[str], task_tags: Iterable[str]) -> bool:
    """Return whether tags of a run select the tasks of a role, of which the first runs always."""
    own = set(task_tags) - {"always"}
    special = "tagged" if own else "untagged"
    return bool({"all", special, *own} & set(run_tags))


def explain(role: str, run_tags: Collection[str], volumes: Iterable[str]) -> str:
    """Return a warning that a role does nothing; ConsoleError if a tag names one of its volumes, or is a pattern for one."""
    names = list(volumes)
    limit = f", and set {role}_only to limit the run to it" if role in _LIMITED else ""
    for tag in run_tags:
        if any(fnmatchcase(name, tag) for name in names):
            raise ConsoleError(
                f"Nothing was done: {format_value(tag)} is a volume, and no tag. Leave out --tags{limit}."
            )
    return f"The role {role} does nothing, since none of its tasks has one of the tags {', '.join(sorted(run_tags))}."
