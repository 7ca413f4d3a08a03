# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a team has in a volume: the names of its quota and its export, what the role may touch, and what was done. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...module_utils._internal.changes.lines import format_fields
from ...module_utils._internal.model.plan import DELETE, UPDATE
from ...module_utils._internal.model.resources import LISTS_BY_NAME

Given = Mapping[str, Any]
Result = Mapping[str, Any]

_NOT_FOUND = "not found"


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


class Done(NamedTuple):
    """What became, or would become, of a team's records."""

    outcomes: dict[str, str]
    """By kind, as far as it was asked for: `created`, `updated`, `removed`, `unchanged` or `not found`."""
    values: dict[str, str]
    """By kind, what an update changed, and the fields of what was removed; blank for the rest."""
    has_file: bool
    """Whether the file with the token was or would be written or removed."""
    has_volume: bool
    console: str


def read_results(export: Result, quota: Result, volume: Result | None = None) -> Done:
    """Return what results of the modules say. That of `volume_info` is there if the team's records are to be removed."""
    results = {"export": export, "quota": quota}
    results = {kind: result for kind, result in results.items() if "diff" in result}
    console = next((str(result["console"]) for result in results.values()), "")
    sides = [export.get("diff", {}).get(side, {}) for side in ("before", "after")]
    diffs = {kind: _of_record(result["diff"]) for kind, result in results.items()}
    outcomes = {kind: _outcome(*diff) for kind, diff in diffs.items()}
    values = {kind: _values(kind, *diff) for kind, diff in diffs.items()}
    has_file = any("token_file" in side for side in sides)
    return Done(outcomes, values, has_file, volume is None or bool(volume.get("volumes")), console)


def _of_record(diff: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the record before and after, without the file with its token."""
    return [{name: value for name, value in diff[side].items() if name != "token_file"} for side in ("before", "after")]


def _outcome(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    if before and after:
        return "unchanged" if before == after else "updated"
    return "created" if after else "removed" if before else _NOT_FOUND


def _values(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return from what to what fields were changed, or those of a record that was removed."""
    resource = LISTS_BY_NAME[f"{kind}s"]
    verb = UPDATE if after else DELETE
    names = (
        name for name, value in before.items() if value != after.get(name) and (after or name != resource.key.name)
    )
    fields = {name: {"before": before[name], "after": after.get(name)} for name in names}
    return ", ".join(format_fields(resource, verb, fields))


def summarize(given: Given, names: Names, done: Done, check_mode: bool) -> str:
    """Return what was done for a team, in a sentence."""

    def would_be(outcome: str) -> str:
        return f"would be {outcome}" if check_mode and outcome not in ("unchanged", _NOT_FOUND) else outcome

    is_absent = given["state"] == "absent"
    keys = {"export": names.desc, "quota": names.path}
    parts = [
        f"{kind} '{keys[kind]}'{f' ({done.values[kind]})' if done.values[kind] else ''} {would_be(outcome)}"
        for kind, outcome in done.outcomes.items()
    ]
    if not done.has_volume:
        parts = ["this volume was not found"]
    if done.has_file:
        parts.append(f"file '{given['token_file']}' {would_be('removed' if is_absent else 'written')}")
    return f"{done.console}: Tenant {given['name']} on volume {given['volume']}: {'; '.join(parts)}."


def not_found(given: Given, names: Names, done: Done) -> str:
    """Return the message for what was to be removed and did not exist, blank if all of it did or none has to."""
    if given["state"] != "absent" or not given.get("must_exist"):
        return ""
    keys = {"export": names.desc, "quota": names.path}
    missing = [f"{kind} {keys[kind]}" for kind, outcome in done.outcomes.items() if outcome == _NOT_FOUND]
    if not done.has_volume:
        missing = [f"volume {given['volume']}"]
    if not missing:
        return ""
    return (
        f"Not found: {', '.join(missing)}. Check tenant_name and tenant_volume, and tenant_path and tenant_desc where they"
        " are set. If all of it was removed before, there is nothing to do. Otherwise, whoever has access keeps it."
    )
