# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a console manages, as data: the specification's "Resources and their fields". Pure.

Whatever differs between volumes, exports and quotas stands here; how records are read, planned and written
is the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from ..masking import mask
from .kinds import ANY, BOOLEAN, INTEGER, LIMIT, NETWORK, PATH, SIZE, TEXT, URL, Kind


class Role(Enum):
    """Who sets a field, and when."""

    KEY = "the natural key: what a record is found by"
    UPDATABLE = "set at creation, and by the documented update"
    CREATE_ONLY = "set at creation"
    ASSIGNED = "set by the console"


class Field(NamedTuple):
    """A documented field: its name for users, and where it differs, its name in the API.

    `blank_is_unset` tells that blank text, as templates and surveys leave it, counts as not given. `default` is
    what a creation sends where the user gave nothing; None sends nothing.
    """

    name: str
    kind: Kind
    role: Role = Role.ASSIGNED
    api_name: str = ""
    blank_is_unset: bool = False
    default: Any = None

    @property
    def wire(self) -> str:
        """The field's name in requests and answers."""
        return self.api_name or self.name


class Resource:
    """A kind of record: its nouns, its list below the API's base address, and its fields.

    `key` is the field that identifies a record, `managed` are those that a user can set. `has_readiness` tells that
    a new record may not be usable at once, and that `is_ready` below it may say so, `key_is_updatable` that there
    is an update and it carries the natural key. `needed_to_create` names the fields of which a creation needs one.
    """

    def __init__(
        self,
        noun: str,
        plural: str,
        path: str,
        fields: tuple[Field, ...],
        has_readiness: bool = False,
        key_is_updatable: bool = False,
        needed_to_create: tuple[str, ...] = (),
    ) -> None:
        self.noun = noun
        self.plural = plural
        self.path = path
        self.fields = fields
        self.has_readiness = has_readiness
        self.key_is_updatable = key_is_updatable
        self.needed_to_create = needed_to_create
        self.key = next(field for field in fields if field.role is Role.KEY)
        self.managed = tuple(field for field in fields if field.role is not Role.ASSIGNED)
        self.in_volume = "{volume_id}" in path

    def key_meaning(self, value: Any) -> Any:
        """What equal keys have in common; None for what can be no key: nothing, blank text, or not of its kind."""
        try:
            return None if value is None else self.key.kind.meaning(value) or None
        except ValueError:
            return None

    def project(self, record: Mapping[str, Any], include_tokens: bool = False) -> dict[str, Any]:
        """A record as results show it: documented fields by their names and types, others as they come.

        Secrets are masked unless `include_tokens`.
        """
        fields = {field.wire: field for field in self.fields}
        shown = {}
        for name, value in record.items():
            field = fields.get(name)
            shown[field.name if field else name] = field.kind.shown(value) if field else value
        return shown if include_tokens else mask(shown)


VOLUME = Resource(
    noun="volume",
    plural="volumes",
    path="volumes",
    fields=(
        Field("id", INTEGER),
        Field("name", TEXT, Role.KEY, blank_is_unset=True),
        Field("bucket", URL, Role.CREATE_ONLY, blank_is_unset=True),
        Field("region", INTEGER, Role.CREATE_ONLY),
        Field("block_size", INTEGER, Role.CREATE_ONLY, "blockSize"),
        Field("compress", TEXT, Role.CREATE_ONLY),
        Field("compatible", BOOLEAN, Role.CREATE_ONLY),
        Field("extend", TEXT, Role.CREATE_ONLY),
        Field("access_rules", ANY),
        Field("owner", INTEGER),
        Field("size", INTEGER),
        Field("inodes", INTEGER),
        Field("created", TEXT),
        Field("storage", ANY),
    ),
    has_readiness=True,
)

EXPORT = Resource(
    noun="export",
    plural="exports",
    path="volumes/{volume_id}/exports",
    fields=(
        Field("id", INTEGER),
        Field("desc", TEXT, Role.KEY, blank_is_unset=True),
        Field("iprange", NETWORK, Role.UPDATABLE),
        Field("apionly", BOOLEAN, Role.CREATE_ONLY, default=False),
        Field("readonly", BOOLEAN, Role.CREATE_ONLY, default=False),
        Field("appendonly", BOOLEAN, Role.CREATE_ONLY, default=False),
    ),
    key_is_updatable=True,
    needed_to_create=("iprange",),
)

QUOTA = Resource(
    noun="quota",
    plural="quotas",
    path="volumes/{volume_id}/quotas",
    fields=(
        Field("id", INTEGER),
        Field("path", PATH, Role.KEY, blank_is_unset=True),
        Field("size", SIZE, Role.UPDATABLE),
        Field("inodes", LIMIT, Role.CREATE_ONLY),
    ),
    key_is_updatable=True,
    needed_to_create=("size", "inodes"),
)
