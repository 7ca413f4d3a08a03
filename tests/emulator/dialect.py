# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A dialect: one choice for every gap in the specification, so that any server it allows can be emulated."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

CHOICES: dict[str, tuple[Any, ...]] = {
    "create_status": (201, 200, 202, 204),
    "create_body": ("record", "id", "empty", "page", "html"),
    "delete_status": (204, 200, 202),
    "delete_body": ("empty", "json"),
    "vanish_after": (0.0, 0.5, 2.0),
    "appear_after": (0.0, 0.3, 0.5, 1.2, 2.0),
    "update_appear_after": (0.0, 0.5, 2.0, 5.0),
    "stale_every": (0, 1, 2, 3),
    "stale_for": (1.0, 0.3, 2.0),
    "list_shape": (
        "array",
        "page",
        "link",
        "many_links",
        "range",
        "total_header",
        "total",
        "next_page",
        "body_links",
    ),
    "page_size": (100, 1, 2, 3),
    "next_url": ("absolute", "wrong_scheme", "relative", "other_host", "loop"),
    "page_overlap": (0, 1, 2),
    "count": ("right", "wrong_once", "wrong"),
    "record_fields": ("all", "sent", "some", "more"),
    "numbers": ("number", "string"),
    "no_limit": ("zero", "null", "omitted"),
    "ids": ("shown", "missing"),
    "keys": ("shown", "missing", "null"),
    "trim_keys": (False, True),
    "put": ("documented", "any", "reject", "reset", "lose"),
    "put_hides": ("nothing", "sent", "others"),
    "put_alters": ("nothing", "rounds_up", "caps", "rewrites", "token", "vanish", "replace"),
    "delete_children": ("yes", "404", "405", "501"),
    "normalise_networks": (False, True),
    "normalise_paths": (False, True),
    "normalise_buckets": ("no", "strip", "add"),
    "auth_status": (401, 400, 403, 418),
    "error_body": ("field", "detail", "error", "text", "html", "empty"),
    "unique_keys": (False, True),
    "unknown_route": ("404", "405", "501", "html"),
    "single_get": (True, False),
    "ready_route": (True, False),
    "regions_route": (True, False),
    "ready_after": (0.0, 0.5, 2.0),
    "region_required": (False, True),
    "bucket_required": (True, False),
    "rate_limit": (0, 3, 7),
    "retry_after": ("seconds", "date", "none"),
}
"""The values to draw from, by field, the default first. A number may be any other that is not negative."""

BROKEN: dict[str, tuple[Any, ...]] = {
    "ids": ("missing",),
    "keys": ("missing", "null"),
    "count": ("wrong",),
    "next_url": ("other_host", "loop"),
    "list_shape": ("range", "total_header", "total", "next_page", "body_links"),
    "update_appear_after": (5.0,),
    "put_alters": ("token", "vanish", "replace"),
}
"""Values under which a client can do nothing but fail, at least where lists are long or something is updated."""

_MEASURES: dict[str, tuple[type[Any], ...]] = {
    "vanish_after": (int, float),
    "appear_after": (int, float),
    "update_appear_after": (int, float),
    "stale_every": (int,),
    "stale_for": (int, float),
    "ready_after": (int, float),
    "page_size": (int,),
    "page_overlap": (int,),
    "rate_limit": (int,),
}


@dataclass(frozen=True)
class Dialect:
    """How a console fills the gaps in the specification; the defaults are what public clients expect."""

    create_status: int = 201
    """Status of a creation; 204 only with an empty body. An update responds with 200, or 204 where this is 204."""
    create_body: str = "record"
    """What a creation (and an update) gives back: the record, its id, nothing, a page of the list, HTML."""
    delete_status: int = 204
    delete_body: str = "empty"
    vanish_after: float = 0.0
    """Seconds for which a deleted record still shows in lists."""
    appear_after: float = 0.0
    """Seconds until a new record shows in lists."""
    update_appear_after: float = 0.0
    """Seconds until an update shows in lists."""
    stale_every: int = 0
    """Every such reading of a list, with all its pages, shows the list as it was ``stale_for`` seconds ago; 0: none."""
    stale_for: float = 1.0
    list_shape: str = "array"
    """An array; or parts of ``page_size``, with a sign that there are more: ``page`` {count, next, previous, results},
    ``link`` an array and ``Link`` with rel=next, ``many_links`` with others beside it, ``range`` 206 and ``Content-Range``,
    ``total_header`` ``X-Total-Count``, ``total`` {results, total}, ``next_page`` {results, next_page: number},
    ``body_links`` {results, links: {prev, next}}."""
    page_size: int = 100
    next_url: str = "absolute"
    """What the next page's address looks like; ``loop`` leads from the last page back to the first."""
    page_overlap: int = 0
    """Records of the page before that are repeated on the next."""
    count: str = "right"
    """Whether a page's count is that of the list; ``wrong_once``: not at the first reading of each list."""
    record_fields: str = "all"
    """Of exports and quotas: all fields, those that requests sent, those of an update, or more than all."""
    numbers: str = "number"
    """Numbers, ids too, shown as JSON numbers or as strings."""
    no_limit: str = "zero"
    """How a quota's missing limit is shown."""
    ids: str = "shown"
    keys: str = "shown"
    """The natural keys: name of a volume, desc of an export, path of a quota."""
    trim_keys: bool = False
    """Whether natural keys lose the white space at their ends before they are kept; else they are kept as sent."""
    put: str = "documented"
    """Which fields an update takes: the documented ones, any, no others, any with the rest reset, shown or not, or the
    documented ones with the rest reset, which no update can restore."""
    put_hides: str = "nothing"
    """Which fields lists no longer show once a record was updated, but for its key: those sent, or the others. That
    shows at once, also where the update itself shows late."""
    put_alters: str = "nothing"
    """What an update makes of new values: ``rounds_up`` sizes to multiples of 4096, ``caps`` them at 1 GiB, ``rewrites``
    networks to a /16 within (IPv6: /48); ``token`` gives an export another token, ``vanish`` deletes the record, and
    ``replace`` gives it another id."""
    delete_children: str = "yes"
    """Whether exports and quotas can be deleted, or the status that says they cannot."""
    normalise_networks: bool = False
    normalise_paths: bool = False
    normalise_buckets: str = "no"
    auth_status: int = 401
    error_body: str = "field"
    unique_keys: bool = False
    unknown_route: str = "404"
    single_get: bool = True
    """Whether GET /volumes/{id} exists."""
    ready_route: bool = True
    """Whether GET /volumes/{id}/is_ready exists."""
    regions_route: bool = True
    """Whether GET /regions and GET /clouds exist."""
    ready_after: float = 0.0
    """Seconds until a new volume is ready."""
    region_required: bool = False
    bucket_required: bool = True
    rate_limit: int = 0
    """Every such request gets a 429; 0: none."""
    retry_after: str = "seconds"
    """The form of Retry-After in responses 429 and 503."""

    def __post_init__(self) -> None:
        """Refuse a value that no console of this dialect could have."""
        for field in fields(self):
            _check(field.name, getattr(self, field.name))
        if self.create_status == 204 and self.create_body != "empty":
            raise ValueError("create_status 204 has no body: create_body must be 'empty'")
        if self.delete_status == 204 and self.delete_body != "empty":
            raise ValueError("delete_status 204 has no body: delete_body must be 'empty'")

    @classmethod
    def names(cls) -> list[str]:
        """Return the names that ``named`` knows."""
        return sorted(NAMED)

    @classmethod
    def named(cls, name: str, **changes: Any) -> Dialect:
        """Return a well-known dialect, with changes."""
        if name not in NAMED:
            raise ValueError(f"no dialect {name!r}; there are {', '.join(sorted(NAMED))}")
        return cls.of({**NAMED[name], **changes})

    @classmethod
    def random(cls, seed: int, broken: bool = False) -> Dialect:
        """Return a choice for every field, the same for the same seed; usable by a client unless ``broken``."""
        draw = random.Random(f"dialect {seed}")
        return cls.fitting({name: draw.choice(usable(name, broken)) for name in CHOICES})

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Dialect:
        """Return a dialect from a mapping, as it comes from JSON; an unknown name is refused."""
        for name in settings:
            if name not in CHOICES:
                raise ValueError(f"a dialect has no setting {name!r}; there are {', '.join(sorted(CHOICES))}")
        return cls(**settings)

    @classmethod
    def fitting(cls, settings: Mapping[str, Any]) -> Dialect:
        """Do the same as ``of``, but without bodies where a status allows none: for values drawn independently."""
        drawn = dict(settings)
        if drawn.get("create_status") == 204:
            drawn["create_body"] = "empty"
        if drawn.get("delete_status", 204) == 204:
            drawn["delete_body"] = "empty"
        return cls.of(drawn)

    def settings(self) -> dict[str, Any]:
        """Return all settings."""
        return asdict(self)

    def differences(self) -> dict[str, Any]:
        """Return the settings that are not the default: what to read when a random dialect fails a test."""
        return {name: value for name, value in asdict(self).items() if value != CHOICES[name][0]}


def usable(name: str, broken: bool = False) -> tuple[Any, ...]:
    """Return the values to draw from for a field: without those that no client can work with, unless asked for."""
    return tuple(value for value in CHOICES[name] if broken or value not in BROKEN.get(name, ()))


def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``field=value`` as a user types it."""
    name, equals, value = text.partition("=")
    if not equals or name not in CHOICES:
        raise ValueError(f"{text!r} is not field=value with one of the fields {', '.join(sorted(CHOICES))}")
    default = CHOICES[name][0]
    try:
        return name, _parsed(value, default)
    except ValueError:
        raise ValueError(f"{name}: {value!r} is not {_KIND_NAMES[type(default)]}") from None


_KIND_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


def _parsed(text: str, default: Any) -> Any:
    """Turn text into a value of the default's type."""
    if isinstance(default, bool):
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(text.lower(), text)
    if isinstance(default, (int, float)):
        return type(default)(text)
    return text


def _check(name: str, value: Any) -> None:
    """Refuse a value that is not among a field's choices, or not a measure."""
    if name not in _MEASURES:
        if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in CHOICES[name]):
            raise ValueError(f"{name}: {value!r} is none of {', '.join(map(repr, CHOICES[name]))}")
        return
    least = 1 if name == "page_size" else 0
    measured = isinstance(value, _MEASURES[name]) and not isinstance(value, bool)
    if not measured or not least <= value < float("inf"):
        raise ValueError(f"{name}: {value!r} is not a number from {least}")


_PAGED = {"list_shape": "page", "page_size": 2}

NAMED: dict[str, dict[str, Any]] = {
    "default": {},
    "terse": {
        "create_status": 204,
        "create_body": "empty",
        "record_fields": "some",
        "error_body": "empty",
        "single_get": False,
        "ready_route": False,
        "regions_route": False,
    },
    "chatty": {
        "create_status": 200,
        "create_body": "page",
        "delete_status": 200,
        "delete_body": "json",
        "record_fields": "more",
        "put": "any",
    },
    "paged": dict(_PAGED),
    "proxied": {**_PAGED, "next_url": "wrong_scheme", "auth_status": 403, "error_body": "html"},
    "linked": {**_PAGED, "list_shape": "many_links", "next_url": "relative"},
    "duplicates": {**_PAGED, "page_overlap": 1, "next_url": "relative"},
    "miscounting": {**_PAGED, "count": "wrong_once"},
    "stringly": {"numbers": "string", "no_limit": "null", "error_body": "error"},
    "normalising": {"normalise_networks": True, "normalise_paths": True, "normalise_buckets": "strip"},
    "resetting": {"put": "reset"},
    "losing": {"put": "lose"},
    "rejecting": {"put": "reject", "unique_keys": True, "region_required": True, "error_body": "detail"},
    "permissive": {"put": "any", "bucket_required": False},
    "forgetful": {"record_fields": "sent", "no_limit": "omitted"},
    "late": {"appear_after": 1.0, "vanish_after": 1.0, "ready_after": 1.0, "create_status": 202, "create_body": "id"},
    "lagging": {"stale_every": 2, "stale_for": 1.0, "update_appear_after": 0.5},
    "trimming": {"trim_keys": True},
    "rounding": {"put_alters": "rounds_up"},
    "nodelete": {"delete_children": "405"},
    "html": {"create_body": "html", "error_body": "html", "unknown_route": "html"},
    "limited": {"rate_limit": 3},
    "broken_ids": {"ids": "missing"},
    "broken_keys": {"keys": "missing"},
    "broken_count": {**_PAGED, "count": "wrong"},
    "broken_pages": {**_PAGED, "next_url": "loop"},
    "broken_range": {**_PAGED, "list_shape": "range"},
    "broken_total": {**_PAGED, "list_shape": "total"},
    "foreign_pages": {**_PAGED, "next_url": "other_host"},
}
"""Settings of the well-known dialects, as they differ from the default."""
