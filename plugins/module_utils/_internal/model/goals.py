# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a user wants of one record: read from options, and matched with the record that it is about. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..values import mask
from .records import Record, Records, ambiguous, describe, format_value
from .resources import IGNORED, Resource, is_blank, plan_warnings_of, read_values


class Goal(NamedTuple):
    """What a user wants of one record.

    `values` holds the given fields by option name, as a request carries them, `extra_fields` among them; other fields
    stay as they are. `update_create_only` means that an update may send create-only fields all the same. `name` is an
    item's name in messages, `renamed_from` its natural key before a renaming. `children` holds the goals of its lists, by
    the name of the list. `plan_warnings` are the reasons why values are probably not what the user means.
    """

    resource: Resource
    present: bool
    values: Mapping[str, Any]
    id: int | None = None
    update_create_only: bool = False
    name: str = ""
    children: Mapping[str, list[Goal]] = {}
    plan_warnings: tuple[str, ...] = ()
    renamed_from: Any = None

    @property
    def key(self) -> Any:
        """Return the given natural key, None if only an id is given."""
        return self.values.get(self.resource.key.name)

    @property
    def description(self) -> str:
        """Return the record as messages name it, as far as it is known here."""
        known = {self.resource.key.in_api: self.key}
        return describe(self.resource, known if self.id is None else {**known, "id": self.id})

    def label(self, current: Record | None = None) -> str:
        """Return the record's label in results of lists: the wanted key, that of the record, or the id; secrets masked."""
        key = self.key
        return self.resource.label(current or {"id": self.id}) if key is None else str(mask(key))


def read_goal(
    resource: Resource,
    options: Mapping[str, Any],
    update_create_only: bool = False,
    name: str = "",
    given: Mapping[str, Any] | None = None,
) -> Goal:
    """Return the goal that the options of a module, or of an item of a list, describe; ConsoleError for bad ones.

    `name` is the item's name in messages, `given` the item as it was before numbers became text. The goals of lists below a
    volume are not read here.
    """
    values = read_values(resource.managed, options)
    if options["id"] is None and resource.key.name not in values:
        raise ConsoleError(f"{resource.key.name} or id is required, to identify the {resource.noun}.")
    if extra := options.get("extra_fields"):
        # A field with an option must use that: here, it would not be compared by its meaning.
        if known := extra.keys() & {"id", *(name for field in resource.managed for name in (field.name, field.in_api))}:
            names = ", ".join(sorted(known))
            raise ConsoleError(f"extra_fields must not contain {names}: use the option of that name instead.")
        values |= extra
    return Goal(
        resource,
        options["state"] == "present",
        values,
        options["id"],
        update_create_only,
        name,
        plan_warnings=plan_warnings_of(resource, given or options),
        renamed_from=_read_former(resource, options, values) if options.get("renamed_from") else None,
    )


def _read_former(resource: Resource, options: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """Return the former key of a record to be renamed, None if it is blank."""
    if is_blank(options["renamed_from"]):
        return None
    if options["id"] is not None or options["state"] == "absent":
        raise ConsoleError("renamed_from finds a record by its key: leave out id, and do not set state: absent.")
    try:
        former = resource.key.type.to_request(options["renamed_from"])
    except ValueError as error:
        raise ConsoleError(f"renamed_from {error}.") from None
    if resource.normalize_key(former) == resource.normalize_key(values[resource.key.name]):
        raise ConsoleError(f"renamed_from is the {resource.key.name} itself. Leave it out, or give the former one.")
    return former


def select(records: Records, goal: Goal) -> Record | None:
    """Return the record that a goal is about, or None.

    ConsoleError if there are several, if the id is unknown or of another record, if the new key of a record is taken, and if
    the record is ignored.
    """
    namesakes = records.by_key(goal.key)
    # Skip the check where it cannot find any: there may be thousands of goals.
    if records.ignored and (goal.id is not None or goal.renamed_from is not None):
        check_is_ours(records, goal)
    if goal.id is not None:
        return _select_by_id(records, goal, namesakes)
    resource = records.resource
    former = [] if goal.renamed_from is None else records.by_key(goal.renamed_from)
    for same in (namesakes, former):
        if len(same) > 1:
            raise ambiguous(resource, same)
    if namesakes and former:
        raise ConsoleError(
            f"{describe(resource, former[0])} was not renamed, since {describe(resource, namesakes[0])} exists as well. Remove"
            " the one that should not exist, or leave out renamed_from.",
            record=former[0],
        )
    return next(iter(namesakes or former), None)


def _select_by_id(records: Records, goal: Goal, namesakes: list[Record]) -> Record | None:
    resource = records.resource
    if (found := records.by_id(goal.id)) is None and goal.present:
        raise ConsoleError(
            f"no {resource.noun}{records.of_volume} has the id {goal.id}. The console assigns ids: leave id out to find or"
            f" create the {resource.noun} by its {resource.key.name}."
        )
    if found is None or goal.key is None or found in namesakes:
        return found
    if not (goal.present and resource.has_update):
        name = resource.key.name
        keys = [(record["id"], format_value(resource.key_of(record))) for record in (found, *namesakes)]
        facts = "; ".join(f"the {name} of id {identity} is {key}" for identity, key in keys)
        raise ConsoleError(
            f"id {goal.id} and {name} {format_value(goal.key)} are not the same {resource.noun}: {facts}. Correct one of the"
            " two, or leave it out.",
            record=found,
        )
    if namesakes:
        raise ConsoleError(
            f"{describe(resource, found)} cannot become {format_value(goal.key)}: {describe(resource, namesakes[0])} exists"
            " already. Rename or delete that first.",
            record=found,
        )
    return found


def check_is_ours(records: Records, goal: Goal) -> None:
    """Refuse a goal that reaches an ignored record by other means than its key, which was compared with the patterns before."""
    resource = records.resource
    former = None if goal.renamed_from is None else resource.normalize_key(goal.renamed_from)
    for record in records.ignored:
        is_reached = goal.id is not None and str(record.get("id")) == str(goal.id)
        if is_reached or (former is not None and resource.normalize_key(resource.key_of(record)) == former):
            without = f" Without a {resource.key.name}, {resource.plural} always are."
            reason = without if resource.without_key is IGNORED and resource.key_of(record) is None else ""
            raise ConsoleError(
                f"{describe(resource, record)} is ignored, so no task may change it.{reason} Leave the item out, or change ignore.",
                record=record,
            )
