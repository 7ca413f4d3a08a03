# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From options to goals, checked before the first request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import ConsoleError
from .model.plan import Goal
from .model.resources import Resource


def read_goal(resource: Resource, options: Mapping[str, Any], update_create_only: bool) -> Goal:
    """The goal that the options of a module or of an item describe; ConsoleError where one cannot be meant."""
    values = {}
    for field in resource.managed:
        value = options.get(field.name)
        if value is None or (field.blank_is_unset and not value.strip()):
            continue
        try:
            field.kind.check(value)
        except ValueError as error:
            raise ConsoleError(f"{field.name} {error}.") from None
        values[field.name] = value
    if resource.key.name not in values and options["id"] is None:
        raise ConsoleError(f"{resource.key.name} or id is required, to tell which {resource.noun} is meant.")
    extra = _read_extra(resource, options.get("extra_fields") or {})
    return Goal(options["state"] == "present", values, options["id"], extra, update_create_only)


def _read_extra(resource: Resource, extra: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fields beyond those that have an option; one that has would not be compared if it were given here."""
    known = {name for field in resource.managed for name in (field.name, field.wire)} | {"id"}
    doubled = sorted(known & extra.keys())
    if doubled:
        raise ConsoleError(f"extra_fields must not hold {', '.join(doubled)}: use the option of this module.")
    return extra
