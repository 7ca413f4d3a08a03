# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the console keeps: its kinds of records, their fields, and what values it accepts for them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dialect import Dialect

Record = dict[str, Any]
Errors = dict[str, list[str]]

SIZE_STEP = 4096
"""Sizes are whole multiples of this after an update, in a dialect that rounds them up."""
LARGEST_SIZE = 1 << 30
"""No size is larger after an update, in a dialect that caps them."""

_SLASHES = re.compile("/{2,}")
_NUMERIC = re.compile(r"-?[0-9]{1,30}\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BUCKET = re.compile(r"https?://[^/\s]+(/\S*)?\Z")


@dataclass(frozen=True)
class Field:
    """A field of a request body."""

    name: str
    kind: str
    """text, name (not blank), flag, count (an integer from 0), network, path, bucket or anything."""
    default: Any = None
    updated: bool = False
    """Whether a documented update sends it."""
    alias: str | None = None
    """Another name for it in requests, seen in public clients."""


@dataclass(frozen=True)
class Resource:
    """A kind of record."""

    plural: str
    key: str
    fields: tuple[Field, ...]
    first_id: int
    required: tuple[str, ...]
    """The names of the fields that a creation needs."""

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by the names that requests may use."""
        return {name: field for field in self.fields for name in (field.name, field.alias) if name}

    @cached_property
    def updated(self) -> frozenset[str]:
        """The names of the fields that a documented update sends."""
        return frozenset(field.name for field in self.fields if field.updated)

    @property
    def defaults(self) -> Record:
        """Return what a record shows where nothing was sent."""
        return {field.name: field.default for field in self.fields}


VOLUMES = Resource(
    "volumes",
    "name",
    (
        Field("name", "name"),
        Field("region", "count", 1),
        Field("bucket", "bucket", ""),
        Field("blockSize", "count", 4096, alias="block_size"),
        Field("compress", "text", "lz4"),
        Field("compatible", "flag", False),
        Field("extend", "text", ""),
        Field("storage", "anything"),
        Field("trashtime", "count", 1, alias="trash_time"),
    ),
    first_id=101,
    required=("name",),
)
EXPORTS = Resource(
    "exports",
    "desc",
    (
        Field("desc", "text", "", updated=True),
        Field("iprange", "network", "", updated=True),
        Field("apionly", "flag", False),
        Field("readonly", "flag", False),
        Field("appendonly", "flag", False),
    ),
    first_id=2001,
    required=("iprange",),
)
QUOTAS = Resource(
    "quotas",
    "path",
    (Field("path", "path", "", updated=True), Field("inodes", "count", 0), Field("size", "count", 0, updated=True)),
    first_id=30001,
    required=("path",),
)
RESOURCES = {resource.plural: resource for resource in (VOLUMES, EXPORTS, QUOTAS)}
CHILDREN = (EXPORTS, QUOTAS)


def accepted(resource: Resource, body: Record, dialect: Dialect) -> tuple[Record, Errors]:
    """Return the known fields of a request body with their stored values, and the problems with them."""
    known = resource.by_name
    values: Record = {}
    errors: Errors = {}
    for name, value in body.items():
        field = known.get(name)
        if field is None:
            continue
        try:
            values[field.name] = _kept(field, value, dialect)
        except ValueError as error:
            errors[name] = [str(error)]
    return values, errors


def missing(resource: Resource, values: Record, dialect: Dialect) -> Errors:
    required = [*resource.required]
    if resource is VOLUMES:
        required += {"name": [], "bucket": ["bucket"], "region": ["bucket", "region"]}[dialect.required]
    return {name: ["This field is required."] for name in required if name not in values}


def altered(resource: Resource, values: Record, dialect: Dialect) -> Record:
    """Return the values of an update as the console keeps them, which need not be what was asked."""
    how, result = dialect.put_alters, dict(values)
    if how == "rounds_up" and resource is QUOTAS and "size" in result:
        result["size"] = -(-result["size"] // SIZE_STEP) * SIZE_STEP
    if how == "caps" and resource is QUOTAS and "size" in result:
        result["size"] = min(result["size"], LARGEST_SIZE)
    if how == "rewrites" and "iprange" in result:
        result["iprange"] = narrowed(result["iprange"])
    return result


def _kept(field: Field, value: Any, dialect: Dialect) -> Any:
    """Return a value as it is stored; ValueError says what is wrong with it."""
    if field.kind == "count":
        return _count(value, dialect, limit=field.name in ("size", "inodes"))
    if field.kind == "flag" and not isinstance(value, bool):
        raise ValueError("Must be a valid boolean.")
    if field.kind in ("flag", "anything"):
        return value
    if not isinstance(value, str) or _SURROGATE.search(value):
        raise ValueError("Not a valid string.")
    if field.kind == "path" and dialect.directories == "root" and normal_path(value) != "/":
        raise ValueError("This directory does not exist.")
    message, is_valid = _CHECKS.get(field.kind, ("", bool))
    if message and not is_valid(value):
        raise ValueError(message)
    return value


def _count(value: Any, dialect: Dialect, limit: bool) -> int:
    """Return an integer from 0; what the dialect shows instead is accepted, too, since a client may echo it."""
    if value is None and limit and dialect.numbers == "null":
        return 0
    if isinstance(value, str) and dialect.numbers == "string" and _NUMERIC.match(value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("A valid integer is required.")
    if value < 0:
        raise ValueError("Ensure this value is greater than or equal to 0.")
    return value


def normal_network(text: str) -> str:
    """Remove host bits and give a bare address its full prefix; return anything else unchanged."""
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        return text


def is_range(text: str) -> bool:
    """Return whether a console takes this as an IP range: a network, an address, or ``*`` for any."""
    try:
        return text == "*" or bool(ipaddress.ip_network(text, strict=False))
    except ValueError:
        return False


def narrowed(text: str) -> str:
    """Return a network other than the requested one: at most a /16 (IPv6: /48), and ``*`` in CIDR notation."""
    if text == "*":
        return "0.0.0.0/0"
    wide = ipaddress.ip_network(text, strict=False)
    longest = max(wide.prefixlen, 16 if wide.version == 4 else 48)
    return f"{wide.network_address}/{longest}"


def normal_path(text: str) -> str:
    """Remove repeated and trailing slashes."""
    return _SLASHES.sub("/", text).rstrip("/") or "/"


def normal_bucket(text: str, how: str) -> str:
    stripped = text.rstrip("/")
    return f"{stripped}/" if how == "add" else stripped


_CHECKS: dict[str, tuple[str, Callable[[str], object]]] = {
    "name": ("This field may not be blank.", str.strip),
    "network": ("Enter a valid IP range in CIDR notation, or *.", is_range),
    "path": ("Enter an absolute path.", lambda text: text.startswith("/") and ".." not in text.split("/")),
    "bucket": ("Enter a valid http or https URL.", _BUCKET.match),
}
