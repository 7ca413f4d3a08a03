# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a user wants of one record, read from options and checked before the first request. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError
from .records import format_value
from .resources import Resource, doubts_of, read_values


class Goal(NamedTuple):
    """What a user wants of one record.

    `values` holds the given fields by option name, as a request carries them, `extra_fields` among them; a field that is
    not in it stays as it is. `update_create_only` tells that a create-only field may be sent with an update all the same.
    Of an item of a list, `position` and `given_key`, the natural key as the user wrote it, are for messages; `below` holds
    the goals of the lists that it gives, by their name. `doubts` say which values are probably not what is meant.
    """

    present: bool
    values: Mapping[str, Any]
    id: int | None = None
    update_create_only: bool = False
    position: str = ""
    given_key: Any = None
    below: Mapping[str, list[Goal]] = {}
    doubts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return what messages call an item of a list."""
        return item_name(self.position, self.given_key)


def read_goal(
    resource: Resource,
    options: Mapping[str, Any],
    update_create_only: bool = False,
    position: str = "",
    below: Mapping[str, list[Goal]] | None = None,
) -> Goal:
    """Return the goal that the options of a module, or of an item of a list, describe; ConsoleError for bad ones."""
    values = read_values(resource.managed, options)
    key = resource.key.name if resource.key else None
    if options["id"] is None and key not in values:
        needed = f"{key} or id" if key else "id"
        raise ConsoleError(f"{needed} is required, to identify the {resource.noun}.")
    given_key = options.get(key) if position and key else None
    extra = options.get("extra_fields")
    if extra:
        _check_extra_fields(resource, extra)
        values.update(extra)
    is_present = options["state"] == "present"
    doubts = doubts_of(resource.managed, options)
    return Goal(is_present, values, options["id"], update_create_only, position, given_key, below or {}, doubts)


def item_name(position: str, given_key: Any) -> str:
    """Return what messages call an item of a list: its position, and its key as the user wrote it."""
    return f"{position} ({format_value(given_key)})" if given_key else position


def _check_extra_fields(resource: Resource, extra: Mapping[str, Any]) -> None:
    """Refuse a field that has an option: it would not be compared if it were given here."""
    known = {name for field in resource.managed for name in (field.name, field.in_api)} | {"id"}
    if known & extra.keys():
        names = ", ".join(sorted(known & extra.keys()))
        raise ConsoleError(f"extra_fields must not contain {names}: use the option of that name instead.")
