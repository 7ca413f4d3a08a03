# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a record differs from what is wanted, and what results show of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..masking import mask
from .records import Record, format_value
from .resources import Field, Resource


class Difference(NamedTuple):
    """A field that is not as it should be, both values as results show them."""

    field: Field
    actual: Any
    wanted: Any

    def __str__(self) -> str:
        """Return the difference as messages show it, secrets masked."""
        actual, wanted = (format_value(mask({self.field.name: value})[self.field.name]) for value in self[1:])
        hint = " (the difference is in the masked part)" if actual == wanted else ""
        return f"{self.field.name} is {actual}, wanted {wanted}{hint}"


def compare(resource: Resource, record: Record, values: Mapping[str, Any]) -> tuple[list[Difference], list[str]]:
    """Return where a record differs from the given values, and the names of the fields that it does not show."""
    differences, unverified = [], []
    for name, wanted in values.items():
        field = resource.managed_field(name)
        in_api = field.in_api
        if in_api not in record:
            unverified.append(name)
        elif not field.type.equal(record[in_api], wanted):
            differences.append(difference(field, record[in_api], wanted))
    return differences, unverified


def difference(field: Field, actual: Any, wanted: Any) -> Difference:
    """Return the difference between two values of a field as the console has them."""
    return Difference(field, field.type.to_result(actual), field.type.to_result(wanted))


def format_differences(differences: Iterable[Difference]) -> str:
    """Return differences as one part of a message."""
    return "; ".join(map(str, differences))


def managed_fields(resource: Resource, record: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the fields of a record that a user can set, as diffs show them, secrets masked; {} without a record."""
    known = record or {}
    fields = [field for field in resource.managed if field.in_api in known]
    shown: dict[str, Any] = mask({field.name: field.type.to_diff(known[field.in_api]) for field in fields})
    return shown
