# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a console manages, as data. All else is derived from it (docs/docsite/rst/api.rst, "Resources"). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..values import mask
from .fields import ANY, BOOLEAN, INTEGER, LIMIT, LOOSE, NAME, NETWORK, PATH, SIZE, TEXT, URL, FieldType

# Who sets a field, and when.
KEY = "the natural key, by which a record is found"
UPDATABLE = "set at creation, and by the documented update"
CREATE_ONLY = "set at creation"
ASSIGNED = "set by the console"

# What a record without its natural key is, where others show theirs.
UNUSABLE, BLANK, IGNORED = "unusable", "blank", "ignored"


class Field(NamedTuple):
    """A documented field: its name in options and results, and in the API where that differs.

    `phrase` describes the field of a new or deleted record in one line. `default` is what a creation sends if the user
    gives nothing; None sends nothing. Blank text, as templates and surveys leave it, counts as not given unless
    `blank_is_value`. If `is_exclusive`, two records with the same value are probably meant to be one.
    """

    name: str
    type: FieldType
    role: str = ASSIGNED
    api_name: str = ""
    default: Any = None
    blank_is_value: bool = False
    is_exclusive: bool = False
    phrase: str = "{name} {value}"

    @property
    def in_api(self) -> str:
        """Return the field's name in requests and responses."""
        return self.api_name or self.name


@dataclass(eq=False)
class Resource:
    """A kind of record: its nouns, its list below the API's base address, and its fields.

    `has_update` means that a record can be updated, which sends the key and the updatable fields, `has_token` that the console
    may show a token that clients need. `without_key` says what a record without the natural key is, if others show theirs.
    A creation needs one of the fields `required_to_create`. `refusal_hint` says what may be wrong if the console
    refuses one, perhaps without a reason.
    """

    noun: str
    plural: str
    path: str
    fields: tuple[Field, ...]
    has_update: bool = False
    has_token: bool = False
    without_key: str = UNUSABLE
    required_to_create: tuple[str, ...] = ()
    refusal_hint: str = ""

    def __post_init__(self) -> None:
        """Derive what is needed often."""
        self.key = next(field for field in self.fields if field.role is KEY)
        self.managed = tuple(field for field in self.fields if field.role is not ASSIGNED)
        self.is_in_volume = "{volume_id}" in self.path
        self.warned = tuple(each for each in self.managed if type(each.type).plan_warning is not FieldType.plan_warning)
        self._key_in_api = self.key.in_api
        self._managed = {field.name: field for field in self.managed}
        self._in_api = {field.in_api: field for field in self.fields}

    def managed_field(self, name: str) -> Field:
        """Return the field of this name that a user can set; an undocumented one counts as create-only."""
        return self._managed.get(name) or Field(name, LOOSE, CREATE_ONLY)

    def fields_for(self, names: Iterable[str]) -> tuple[Field, ...]:
        """Return the fields that a user can set, and the undocumented ones among these names."""
        return (*self.managed, *(self.managed_field(name) for name in names if name not in self._managed))

    def key_of(self, record: Mapping[str, Any]) -> Any:
        """Return the natural key of a record as the console shows it, None if it shows none."""
        return record.get(self._key_in_api)

    def label(self, record: Mapping[str, Any]) -> str:
        """Return the label of a record in results of lists: its key, secrets masked, or its id if it has none.

        Different keys may have the same label, so labels are for people only, not to find or to compare records.
        """
        key = self.key.type.to_result(self.key_of(record))
        return str(mask(key)) if key else f"id {record['id']}"

    def normalize_key(self, key: Any) -> Any:
        """Return the normal form that equal keys share; None for what cannot be a key: nothing, blank text, another type."""
        return _normal_text(self.key.type, key) if isinstance(key, str) else _normal_key(self.key.type, key)

    def to_result(self, record: Mapping[str, Any], include_tokens: bool = False) -> dict[str, Any]:
        """Return a record as results show it: documented fields by name and type, no secrets without `include_tokens`."""
        result = {}
        for name, value in record.items():
            field = self._in_api.get(name)
            result[field.name if field else name] = field.type.to_result(value) if field else value
        return result if include_tokens else mask(result)


def _normal_key(key_type: FieldType, key: Any) -> Any:
    normal = None if key is None else key_type.normalize_or_none(key)
    return normal if normal and normal.strip() else None


# Thousands of keys are each needed many times. No console needs more than this many.
_normal_text = lru_cache(maxsize=2**17)(_normal_key)


def is_blank(value: Any) -> bool:
    """Return whether a value is blank text, as templates, surveys and tables leave it."""
    return isinstance(value, str) and not value.strip()


def read_values(fields: Iterable[Field], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given options by name, as a request carries them; ConsoleError has a reason for each bad one."""
    values = {}
    problems = []
    for field in fields:
        if (value := options.get(field.name)) is None or (not field.blank_is_value and is_blank(value)):
            continue
        try:
            values[field.name] = field.type.to_request(value)
        except ValueError as error:
            problems.append(f"{field.name} {error}.")
    if problems:
        raise ConsoleError(*problems)
    return values


def plan_warnings_of(resource: Resource, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the reasons why some given values are probably not what the user means."""
    given = [(field, value) for field in resource.warned if (value := options.get(field.name)) is not None]
    return tuple([f"{field.name} {why}." for field, value in given if (why := field.type.plan_warning(value))])


VOLUME = Resource(
    "volume",
    "volumes",
    "volumes",
    (
        Field("id", INTEGER),
        Field("name", NAME, KEY),
        Field("bucket", URL, CREATE_ONLY, is_exclusive=True),
        Field("region", INTEGER, CREATE_ONLY),
        Field("block_size", INTEGER, CREATE_ONLY, "blockSize"),
        Field("compress", TEXT, CREATE_ONLY),
        Field("compatible", BOOLEAN, CREATE_ONLY, phrase="compatible"),
        Field("extend", TEXT, CREATE_ONLY, blank_is_value=True),
        Field("access_rules", ANY),
        Field("owner", INTEGER),
        Field("size", INTEGER),
        Field("inodes", INTEGER),
        Field("created", TEXT),
        Field("storage", ANY),
    ),
)

EXPORT = Resource(
    "export",
    "exports",
    "volumes/{volume_id}/exports",
    (
        Field("id", INTEGER),
        Field("desc", NAME, KEY),
        Field("iprange", NETWORK, UPDATABLE, phrase="{value}"),
        Field("apionly", BOOLEAN, CREATE_ONLY, default=False, phrase="API only"),
        Field("readonly", BOOLEAN, CREATE_ONLY, default=False, phrase="read-only"),
        Field("appendonly", BOOLEAN, CREATE_ONLY, default=False, phrase="append-only"),
    ),
    has_update=True,
    has_token=True,
    # As in a database, null is no text.
    without_key=BLANK,
    required_to_create=("iprange",),
)

QUOTA = Resource(
    "quota",
    "quotas",
    "volumes/{volume_id}/quotas",
    (
        Field("id", INTEGER),
        Field("path", PATH, KEY),
        Field("size", SIZE, UPDATABLE),
        Field("inodes", LIMIT, CREATE_ONLY),
    ),
    has_update=True,
    # Consoles of this kind have quotas of users and groups, too.
    without_key=IGNORED,
    required_to_create=("size", "inodes"),
    refusal_hint="If the directory does not exist, let a client make it: the API cannot.",
)

LISTS_OF_VOLUME = (EXPORT, QUOTA)
LISTS_BY_NAME = {resource.plural: resource for resource in LISTS_OF_VOLUME}
RESOURCES = {VOLUME.plural: VOLUME, **LISTS_BY_NAME}
