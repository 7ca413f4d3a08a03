# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that can be injected, and the count of requests that decides which of them are hit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from .flaws import FLAWS
from .resources import RESOURCES

KINDS: dict[str, str] = {
    "refuse": "drop the request, stop listening and close all connections for a while, then listen again",
    "refuse_next": "answer the request, then be gone for a while: whatever comes next is refused",
    "reset_before": "reset the connection, nothing was done",
    "reset_after": "reset the connection after the request took effect",
    "slow": "let the request take effect, wait, then answer",
    "silent_before": "do nothing and say nothing, then reset the connection",
    "silent_after": "let the request take effect and say nothing, then reset the connection",
    "drip_body": "answer with a body that comes byte by byte",
    "drip_headers": "answer with headers that come byte by byte",
    "truncate": "let the request take effect, promise more than is sent, close the connection",
    "status": "answer with any status, the body in the error shape of the dialect",
    "html": "answer with an HTML page, as a login page or a proxy would",
    "empty": "answer without a body",
    "wrong_json": "answer with JSON that is not what anybody expects",
    "malformed_json": "let the request take effect, and answer in not quite JSON",
    "redirect": "answer with a redirect",
    "garbage": "answer with something that is not HTTP",
    "meanwhile": "answer as ever, or as another fault has it, but let somebody else change a record at that moment",
    "clock": "set the console's clock some seconds ahead from this request on, and answer as ever, or as another fault has it",
}
"""The kinds of faults, and what each does."""

UNEXPECTED = "unexpected"
"""The body of wrong_json, unless another is given."""
_SECONDS = {
    "refuse": 1.0,
    "refuse_next": 1.0,
    "slow": 1.0,
    "silent_before": 30.0,
    "silent_after": 30.0,
    "clock": 3600.0,
}
_STATUS = {"status": 500, "html": 200, "empty": 200, "wrong_json": 200, "malformed_json": 200, "redirect": 302}
_TYPES: dict[str, tuple[type, ...]] = {
    "method": (str, type(None)),
    "path": (str, type(None)),
    "nth": (int,),
    "times": (int, type(None)),
    "seconds": (int, float, type(None)),
    "status": (int, type(None)),
    "effect": (bool,),
    "effect_after": (int, float),
    "retry_after": (int, str, type(None)),
    "location": (str,),
    "interval": (int, float),
    "flaw": (str,),
    "moment": (str,),
}
_MOMENTS = ("before", "after")
_EFFECTIVE = frozenset(
    {"reset_after", "slow", "silent_after", "drip_body", "drip_headers", "truncate", "refuse_next", "malformed_json"}
)
"""The kinds that let the request take effect in any case."""


def _check_types(entry: Any, types: dict[str, tuple[type, ...]]) -> None:
    """Refuse a value of another type; a boolean is no number."""
    for name, allowed in types.items():
        value = getattr(entry, name)
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            raise ValueError(f"{name}: {value!r} is not of the right type")


ACTIONS = ("create", "update", "delete")
_CHANGE_TYPES: dict[str, tuple[type, ...]] = {
    "volume_id": (int,),
    "id": (int, type(None)),
    "key": (str, type(None)),
    "fields": (Mapping,),
}


@dataclass(frozen=True)
class Change:
    """A record that somebody else creates, updates or deletes, with all fields as given."""

    action: str
    """create, update or delete."""
    resource: str
    """volumes, exports or quotas."""
    volume_id: int = 0
    """The volume of an export or a quota."""
    id: int | None = None
    """The record to be updated or deleted."""
    key: str | None = None
    """Its name, desc or path, in place of its id: the records whose key is exactly this."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What it is created with, or what is changed of it."""

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise ValueError(f"action: {self.action!r} is none of {', '.join(ACTIONS)}")
        if self.resource not in RESOURCES:
            raise ValueError(f"resource: {self.resource!r} is none of {', '.join(RESOURCES)}")
        if self.action != "create" and (self.id is None) == (self.key is None):
            raise ValueError(f"{self.action} needs either id or key")
        _check_types(self, _CHANGE_TYPES)

    @classmethod
    def of(cls, settings: Any) -> Change:
        """Return a change from a mapping, as it comes from JSON; an unknown name is refused."""
        known = {entry.name for entry in fields(cls)}
        if not isinstance(settings, Mapping) or not {"action", "resource"} <= set(settings) <= known:
            raise ValueError(f"a change is an object with action and resource, and some of {', '.join(sorted(known))}")
        return cls(**settings)


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong at the nth request that matches, and at the ones after it."""

    kind: str
    method: str | None = None
    """Only requests with this method."""
    path: str | None = None
    """Only requests in whose path below /api/v1 this regular expression is found."""
    nth: int = 1
    """The first matching request to be hit, counted from the moment of injection."""
    times: int | None = 1
    """How many matching requests are hit, one after the other; None: all."""
    seconds: float | None = None
    """For how long: of refuse, refuse_next, slow, silent_before and silent_after. Of clock, by how much it is ahead."""
    status: int | None = None
    """Status of status (500), html, empty, wrong_json (200) and redirect (302)."""
    effect: bool = False
    """Whether the request takes effect: of status, html, empty, wrong_json, redirect and garbage."""
    effect_after: float = 0.0
    """Seconds after which it takes effect, where it does: later than the response, if there is one."""
    retry_after: int | str | None = None
    """Retry-After of status; where there is none, 429 and 503 have that of the dialect."""
    location: str = "http://elsewhere.invalid/login"
    """Where redirect points to."""
    value: Any = UNEXPECTED
    """The body of wrong_json; of malformed_json, the value to malform, where it is not the console's own response."""
    interval: float = 0.2
    """Seconds between the bytes of drip_body and drip_headers."""
    flaw: str = "bom"
    """What malformed_json does to the response: bom, nan, bad_utf8, long_number or escaped_names."""
    change: Mapping[str, Any] | None = None
    """What meanwhile does, as ``Change`` has it: ``{"action": "delete", "resource": "volumes", "key": "archive"}``."""
    moment: str = "before"
    """When meanwhile does it: before the request takes effect, or right after it."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no fault {self.kind!r}; there are {', '.join(KINDS)}")
        _check_types(self, _TYPES)
        if self.nth < 1 or (self.times is not None and self.times < 1):
            raise ValueError("nth and times count from 1")
        if min(self.interval, self.effect_after) < 0 or ((self.seconds or 0) < 0 and self.kind != "clock"):
            raise ValueError("interval and effect_after cannot be negative, nor can seconds, unless clock goes back")
        self._check_kind()
        if self.status is not None and not 200 <= self.status <= 599:
            raise ValueError(f"status: {self.status!r} is not from 200 to 599")
        try:
            re.compile(self.path or "")
        except re.error as error:
            raise ValueError(f"path: {self.path!r} is not a regular expression: {error}") from None

    def _check_kind(self) -> None:
        if self.flaw not in FLAWS or self.moment not in _MOMENTS:
            raise ValueError(f"flaw is one of {', '.join(FLAWS)}; moment is one of {', '.join(_MOMENTS)}")
        if (self.kind == "meanwhile") != (self.change is not None):
            raise ValueError("meanwhile needs a change, and nothing else has one")
        if self.change is not None:
            Change.of(self.change)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Fault:
        """Return a fault from a mapping, as it comes from JSON; an unknown name is refused."""
        known = {entry.name for entry in fields(cls)}
        for name in settings:
            if name not in known:
                raise ValueError(f"a fault has no setting {name!r}; there are {', '.join(sorted(known))}")
        if "kind" not in settings:
            raise ValueError(f"a fault needs a kind: {', '.join(KINDS)}")
        return cls(**settings)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def takes_effect(self) -> bool:
        return self.effect or self.kind in _EFFECTIVE

    @property
    def parsed_change(self) -> Change:
        return Change.of(self.change)

    @property
    def is_aside(self) -> bool:
        """Return whether the request is answered as ever, or as another fault has it."""
        return self.kind in ("meanwhile", "clock")

    @property
    def wait(self) -> float:
        """Return the seconds to wait; of clock, those by which it is ahead."""
        return _SECONDS.get(self.kind, 0.0) if self.seconds is None else self.seconds

    @property
    def answer_status(self) -> int:
        return _STATUS.get(self.kind, 500) if self.status is None else self.status

    def matches(self, method: str, path: str) -> bool:
        if self.method is not None and self.method.upper() != method:
            return False
        return self.path is None or re.search(self.path, path) is not None


@dataclass
class _Injected:
    """A fault and the number of requests it has seen."""

    fault: Fault
    seen: int = field(default=0)

    def hit(self, method: str, path: str) -> bool:
        """Count a request and return whether it is hit."""
        if not self.fault.matches(method, path):
            return False
        self.seen += 1
        return self.seen >= self.fault.nth and not self.spent(self.seen)

    def spent(self, seen: int) -> bool:
        """Return whether a matching request with that number comes after the last one to be hit."""
        return self.fault.times is not None and seen >= self.fault.nth + self.fault.times


class Faults:
    """The faults in force; the first of them that hits a request counts."""

    def __init__(self) -> None:
        self._injected: list[_Injected] = []

    def inject(self, *faults: Fault) -> None:
        self._injected += map(_Injected, faults)

    def clear(self) -> None:
        self._injected.clear()

    def pending(self) -> list[Fault]:
        """Return the faults that can still hit a request."""
        return [injected.fault for injected in self._injected if not injected.spent(injected.seen + 1)]

    def __bool__(self) -> bool:
        return bool(self._injected)

    def hit(self, method: str, path: str) -> tuple[Fault | None, list[Fault]]:
        """Count a request with all faults; return the first that shapes its response, and what happens aside."""
        hits = [injected.fault for injected in self._injected if injected.hit(method, path)]
        aside = [fault for fault in hits if fault.is_aside]
        return next((fault for fault in hits if not fault.is_aside), None), aside
