# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A dialect: one choice for every gap in the specification, so that any server it allows can be emulated."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from .store import Write


def _one_of(*values: Any, broken: tuple[Any, ...] = ()) -> Any:
    """Return a field with these values to draw from, the default first. A client can do nothing but fail under broken ones."""
    # pylint takes fields for those of the class that they stand in.
    return field(default=values[0], metadata={"values": (*values, *broken), "broken": broken})  # pylint: disable=invalid-field-call


@dataclass(frozen=True)
class Dialect:
    """How a console fills the gaps in the specification. A number may be any other that is not negative.

    Each first value is what the specification shows, or what public clients expect. Those clients also ask for `is_ready`,
    and public versions of the service have quotas of users, and accept a quota only for a directory that exists. All other
    values fill gaps in the specification: nobody has reported such a console.
    """

    answers: str = _one_of("plain", "terse", "html", "odd")
    """Statuses and bodies that a client need not tell apart: see ``STYLES`` in ``answers.py``."""
    create_body: str = _one_of("record", "id", "empty", "page", "html")
    """What a creation or an update gives back: the record, its id, nothing, a page of the list, HTML; never more than a
    status allows, so nothing with the 204 of terse answers."""
    appear_after: float = _one_of(0.0, 0.3, 0.5, 1.2, 2.0)
    update_appear_after: float = _one_of(0.0, 0.5, 2.0, broken=(5.0,))
    vanish_after: float = _one_of(0.0, 0.5, 2.0)
    """Seconds for which a deleted record still shows in lists."""
    stale_every: int = _one_of(0, 1, 2, 3)
    """Every such reading of a list, with all its pages, shows the list as it was ``stale_for`` seconds ago; 0: none."""
    stale_for: float = _one_of(1.0, 0.3, 2.0)
    list_shape: str = _one_of(
        "array", "page", "link", "many_links", broken=("range", "total_header", "total", "next_page", "body_links")
    )
    """An array; or parts of ``page_size``, with a sign that there are more: ``page`` {count, next, previous, results},
    ``link`` an array and ``Link`` with rel=next, ``many_links`` with others beside it, ``range`` 206 and ``Content-Range``,
    ``total_header`` ``X-Total-Count``, ``total`` {results, total}, ``next_page`` {results, next_page: number},
    ``body_links`` {results, links: {prev, next}}."""
    page_size: int = _one_of(100, 1, 2, 3)
    next_url: str = _one_of("absolute", "wrong_scheme", "relative", broken=("other_host", "loop"))
    """What the next page's address looks like; ``loop`` leads from the last page back to the first."""
    page_overlap: int = _one_of(0, 1, 2)
    """Records of the page before that are repeated on the next."""
    count: str = _one_of("right", "wrong_once", broken=("wrong",))
    """Whether a page's count is that of the list; ``wrong_once``: not at the first reading of each list."""
    record_fields: str = _one_of("all", "sent", "some", "more")
    """Of exports and quotas: all fields, those that requests sent, those of an update, or more than all."""
    numbers: str = _one_of("number", "string", "null", "omitted")
    """Numbers, ids too, shown as JSON numbers or as strings; or a quota's missing limit as null or not at all, else as 0."""
    ids: str = _one_of("shown", broken=("missing",))
    keys: str = _one_of("shown", broken=("missing", "null"))
    """The natural keys: name of a volume, desc of an export, path of a quota."""
    user_quotas: str = _one_of("none", "absent", "null")
    """Whether a list of quotas that shows paths begins with the quota of a user, which has none, or null for one; not before
    the list has shown any. No request can change such a quota."""
    normalise: str = _one_of("no", "strip", "add")
    """Whether networks and paths are shown in a normal form, and buckets without (strip) or with a slash at the end."""
    unique_keys: bool = _one_of(False, True)
    put: str = _one_of("documented", "any", "reject", "reset", "lose")
    """Which fields an update takes: the documented ones, any, no others, any with the rest reset, shown or not, or the
    documented ones with the rest reset, which no update can restore."""
    put_hides: str = _one_of("nothing", "sent", "others")
    """Which fields lists no longer show once a record was updated, but for its key: those sent, or the others. That
    shows at once, also where the update itself shows late."""
    put_alters: str = _one_of("nothing", "rounds_up", "caps", "rewrites", broken=("token", "vanish", "replace"))
    """What an update makes of new values: ``rounds_up`` sizes to multiples of 4096, ``caps`` them at 1 GiB, ``rewrites``
    networks to a /16 within (IPv6: /48); ``token`` gives an export another token, ``vanish`` deletes the record, and
    ``replace`` gives it another id."""
    delete_children: str = _one_of("yes", "404", "405", "501")
    """Whether exports and quotas can be deleted, or the status that says they cannot."""
    directories: str = _one_of("any", broken=("root",))
    """For which directories a quota can be set: any, or those that exist, of which a new volume has the root alone."""
    required: str = _one_of("bucket", "name", "region")
    """What a new volume needs: a name and a bucket, a name alone, or a region too."""
    ready_after: float | str = _one_of(0.0, 0.5, 2.0, "unknown")
    """Seconds until a new volume is ready; ``unknown``: GET /volumes/{id}/is_ready does not exist."""
    rate_limit: int = _one_of(0, 3, 7)
    """Every such request gets a 429; 0: none."""

    def __post_init__(self) -> None:
        for name in CHOICES:
            _check(name, getattr(self, name))

    def lag(self, write: Write) -> float:
        if write.before is None:
            return self.appear_after
        return self.vanish_after if write.after is None else self.update_appear_after

    @cached_property
    def longest_lag(self) -> float:
        """The seconds after which lists show whatever was written."""
        stale = self.stale_for if self.stale_every else 0.0
        return max(self.appear_after, self.update_appear_after, self.vanish_after, stale)

    @classmethod
    def named(cls, name: str, **changes: Any) -> Dialect:
        """Return a well-known dialect, with changes."""
        if name not in NAMED:
            raise ValueError(f"no dialect {name!r}; there are {', '.join(sorted(NAMED))}")
        return cls.of({**NAMED[name][1], **changes})

    @classmethod
    def random(cls, seed: int, broken: bool = False) -> Dialect:
        """Return a choice for every setting, the same for the same seed; usable by a client unless ``broken``."""
        draw = random.Random(f"dialect {seed}")
        return cls(**{name: draw.choice(values if broken else usable(name)) for name, values in CHOICES.items()})

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Dialect:
        return cls(**_known(settings))

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def differences(self) -> dict[str, Any]:
        """Return the settings that are not the default: what to read when a random dialect fails a test."""
        return {name: value for name, value in asdict(self).items() if value != CHOICES[name][0]}


CHOICES: dict[str, tuple[Any, ...]] = {entry.name: entry.metadata["values"] for entry in fields(Dialect)}
"""The values of each setting to draw from, the default first."""
BROKEN: dict[str, tuple[Any, ...]] = {
    entry.name: entry.metadata["broken"] for entry in fields(Dialect) if entry.metadata["broken"]
}
"""Values under which a client can do nothing but fail, at least where lists are long or something is updated."""
OFFSET = "clock_offset"
"""An entry of a profile that is no setting of a dialect: by how many seconds the console's clock is ahead."""


def usable(name: str) -> tuple[Any, ...]:
    return tuple(value for value in CHOICES[name] if value not in BROKEN.get(name, ()))


def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``setting=value`` as a user types it."""
    name, equals, value = text.partition("=")
    if not equals or name not in CHOICES:
        raise ValueError(f"{text!r} is not setting=value with one of the settings {', '.join(sorted(CHOICES))}")
    if value in CHOICES[name]:
        return name, value
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _check(name: str, value: Any) -> None:
    """Refuse a value that is not among a setting's choices, or not a number as its default is one."""
    default = CHOICES[name][0]
    if any(value is choice or (type(value) is type(choice) and value == choice) for choice in CHOICES[name]):
        return
    if isinstance(default, (bool, str)):
        raise ValueError(f"{name}: {value!r} is none of {', '.join(map(repr, CHOICES[name]))}")
    kinds = (int,) if isinstance(default, int) else (int, float)
    least = 1 if name == "page_size" else 0
    if not isinstance(value, kinds) or isinstance(value, bool) or not least <= value < float("inf"):
        raise ValueError(f"{name}: {value!r} is not a number from {least}")


def read_profile(path: Path) -> tuple[dict[str, Any], float]:
    """Return the settings that a profile has values for, and the offset of the clock."""
    try:
        profile = json.loads(path.read_text(encoding="utf-8"))
        entries = profile.get("profile", profile)
        values = {name: entry["value"] for name, entry in entries.items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise ValueError(f"{path} is not a profile, as make probe writes it") from None
    return settings_of(values)


def settings_of(values: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the settings of a profile, without those that were not found, and the offset of the clock."""
    found = {name: value for name, value in values.items() if value is not None}
    offset = found.pop(OFFSET, 0)
    if not isinstance(offset, (int, float)) or isinstance(offset, bool):
        raise ValueError(f"{OFFSET}: {offset!r} is not a number")
    return _known(found), offset


def _known(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings; an unknown name is refused."""
    for name in settings:
        if name not in CHOICES:
            raise ValueError(f"a dialect has no setting {name!r}; there are {', '.join(sorted(CHOICES))}")
    return dict(settings)


NAMED: dict[str, tuple[str, dict[str, Any]]] = {
    "default": ("what public clients expect", {}),
    "terse": (
        "says and shows as it may",
        {"answers": "terse", "create_body": "empty", "record_fields": "some", "ready_after": "unknown"},
    ),
    "chatty": (
        "shows more than is documented, and takes it in updates",
        {"answers": "html", "create_body": "page", "record_fields": "more", "put": "any"},
    ),
    "paged": ("gives lists in pages of two", {"list_shape": "page", "page_size": 2}),
    "linked": (
        "gives lists in parts of two that overlap, with Link headers",
        {"list_shape": "many_links", "page_size": 2, "page_overlap": 1, "next_url": "relative"},
    ),
    "stringly": ("shows numbers as strings", {"numbers": "string"}),
    "normalising": ("shows networks, paths and buckets in a form of its own", {"normalise": "strip"}),
    "resetting": ("takes what an update leaves out for the default", {"put": "reset"}),
    "rejecting": (
        "refuses double keys, unusual updates, deletions below volumes, volumes without region",
        {"put": "reject", "unique_keys": True, "delete_children": "405", "required": "region"},
    ),
    "late": (
        "accepts what it does a second later",
        {"answers": "odd", "create_body": "id", "appear_after": 1.0, "vanish_after": 1.0, "ready_after": 1.0},
    ),
    "lagging": ("shows old lists now and then, and updates late", {"stale_every": 2, "update_appear_after": 0.5}),
    "limited": ("refuses every third request", {"rate_limit": 3}),
}
"""The well-known dialects: what each stands for, and its settings as they differ from the default."""
