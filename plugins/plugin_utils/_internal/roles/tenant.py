# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a team has in a volume: the names of its quota and its export, what the role may touch, and what was done. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ....module_utils._internal.changes.lines import format_fields
from ....module_utils._internal.model.plan import DELETE, UPDATE
from ....module_utils._internal.model.resources import LISTS_BY_NAME

Given = Mapping[str, Any]
Result = Mapping[str, Any]


class Names(NamedTuple):
    """The keys of a team's records: the path of its quota, and the description of its export."""

    path: str
    desc: str


def names_of(given: Given) -> Names:
    """Return the names that variables give, or lead to."""
    path = given.get("path") or f"{_prefix(given)}/{given['name']}"
    return Names(path, given.get("desc") or f"{given.get('desc_prefix', '')}{given['name']}")


def out_of_bounds(given: Given, names: Names, items: Iterable[Any] = ()) -> list[str]:
    """Return why the role may not touch what its variables name. `items` are the volumes of the desired state."""
    volume, prefix = given["volume"], _prefix(given)
    problems = []
    if volume not in given.get("volumes", [volume]):
        problems.append(f"tenant_volume must be one of {', '.join(given['volumes'])}, not {volume}.")
    directory = _normalize(names.path)
    if directory == "/" or not directory.startswith(f"{prefix}/") or ".." in names.path.split("/"):
        bound = given.get("path_prefix", "/")
        problems.append(f"tenant_path must be a directory below {bound}, not {names.path}.")
    if not names.desc.startswith(given.get("desc_prefix", "")):
        problems.append(f"tenant_desc must begin with {given['desc_prefix']}, not {names.desc}.")
    if described := _described(names, [item for item in items if str(item.get("name")) == volume]):
        problems.append(
            f"{' and '.join(described)} of volume {volume} is part of the desired state in tenant_source. Choose another name, or"
            " change the desired state."
        )
    return problems


def _described(names: Names, volumes: Iterable[Any]) -> list[str]:
    """Return which of the names a desired state has, as they are or as they were."""
    exports: set[str] = set()
    paths: set[str] = set()
    for volume in volumes:
        exports |= _keys(volume.get("exports"), "desc")
        paths |= set(map(_normalize, _keys(volume.get("quotas"), "path")))
    export = [f"export {names.desc}"] if names.desc in exports else []
    return export + ([f"quota {names.path}"] if _normalize(names.path) in paths else [])


def _keys(items: Any, name: str) -> set[str]:
    """Return the keys that items have, or had. In YAML, one may be a number."""
    return {str(item[field]) for item in items or () for field in (name, "renamed_from") if item.get(field) is not None}


def _prefix(given: Given) -> str:
    """Return the directory that the team's is below, without a slash at its end."""
    return _normalize(given.get("path_prefix", "/")).rstrip("/")


def _normalize(path: str) -> str:
    return posixpath.normpath(re.sub("/+", "/", path))


def summarize(given: Given, names: Names, results: Mapping[str, Result]) -> tuple[str, str]:
    """Return what was done for a team, in the words of the modules, and what had to exist and did not, blank for nothing.

    `results` are those of the modules export and quota by name, for those that had something to do.
    """
    sides = {kind: _sides(result["diff"]) for kind, result in results.items()}
    done = [", ".join(filter(None, [results[kind]["msg"], _values(kind, *sides[kind])])) for kind in results]
    console = next((result["console"] for result in results.values()), "")
    keys = {"export": names.desc, "quota": names.path}
    missing = [f"{kind} {keys[kind]}" for kind, (before, _after) in sides.items() if not before]
    told = f"{console}: Tenant {given['name']}: {'; '.join(done)}."
    if given["state"] != "absent" or not given.get("must_exist") or not missing:
        return told, ""
    return told, (
        f"Not found: {', '.join(missing)}. Check tenant_name and tenant_volume, and tenant_path and tenant_desc where they"
        " are set. If all of it was removed before, there is nothing to do. Otherwise, whoever has access keeps it."
    )


def _sides(diff: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the record before and after, without the file with its token."""
    return [{name: value for name, value in diff[side].items() if name != "token_file"} for side in ("before", "after")]


def _values(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return from what to what fields were changed, or those of a record that was removed."""
    resource = LISTS_BY_NAME[f"{kind}s"]
    names = [name for name in before if before[name] != after.get(name) and (after or name != resource.key.name)]
    fields = {name: {"before": before[name], "after": after.get(name)} for name in names}
    return ", ".join(format_fields(resource, UPDATE if after else DELETE, fields))
