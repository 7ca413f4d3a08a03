# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that can be injected, and the count of requests that decides which of them are hit."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from .answers import Answer
from .resources import RESOURCES

KINDS: dict[str, str] = {
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

FLAWS: dict[str, str] = {
    "bom": "a byte order mark stands before it",
    "nan": "every object begins with NaN and -Infinity",
    "bad_utf8": "every object begins with a text that is not UTF-8",
    "long_number": "every object begins with a number of 5,000 digits",
    "escaped_names": "every name is written with \\u escapes",
}
"""What a response can contain that JSON does not allow or that readers refuse."""

_BEGINNINGS = {
    "nan": '"ratio":NaN,"least":-Infinity',
    "bad_utf8": '"note":"\udcff\udcc3"',
    "long_number": f'"inode":{"7" * 5000}',
}
"""Members; half a surrogate pair stands for the byte that it escapes."""
_MARK = "the beginning of every object"
_STRING = re.compile(r'("(?:[^"\\]|\\.)*")(:?)')

UNEXPECTED = "unexpected"
"""The body of wrong_json, unless another is given."""
_SECONDS = {"silent_before": 30.0, "silent_after": 30.0, "clock": 3600.0}
_STATUS = {"html": 200, "empty": 200, "wrong_json": 200, "malformed_json": 200, "redirect": 302}
_EFFECTIVE = [
    "reset_after",
    "slow",
    "silent_after",
    "drip_body",
    "drip_headers",
    "truncate",
    "refuse_next",
    "malformed_json",
]
"""The kinds that let the request take effect in any case."""


def _check_choice(name: str, value: Any, choices: Collection[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name}: {value!r} is none of {', '.join(choices)}")


@dataclass(frozen=True)
class Change:
    """A record that somebody else creates, updates or deletes, with all fields as given."""

    action: str
    """create, update or delete."""
    resource: str
    """volumes, exports or quotas."""
    volume_id: int = 0
    id: int | None = None
    key: str | None = None
    """Its name, desc or path, in place of its id: the records whose key is exactly this."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What it is created with, or what is changed of it."""

    def __post_init__(self) -> None:
        _check_choice("action", self.action, ("create", "update", "delete"))
        _check_choice("resource", self.resource, RESOURCES)


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong at the nth request that matches, and at the ones after it."""

    kind: str
    method: str | None = None
    path: str | None = None
    """Only requests in whose path below /api/v1 this regular expression is found."""
    nth: int = 1
    """The first matching request to be hit, counted from the moment of injection."""
    times: int | None = 1
    """How many matching requests are hit, one after the other; None: all."""
    seconds: float | None = None
    """For how long: of refuse_next, slow, silent_before and silent_after. Of clock, by how much it is ahead."""
    status: int | None = None
    """Status of status (500), html, empty, wrong_json (200) and redirect (302)."""
    effect: bool = False
    """Whether the request takes effect: of status, html, empty, wrong_json, redirect and garbage."""
    effect_after: float = 0.0
    """Seconds after which it takes effect, where it does: later than the response, if there is one."""
    retry_after: int | str | None = None
    """Retry-After of status; where there is none, 429 and 503 have that of the dialect."""
    location: str = "http://elsewhere.invalid/login"
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
        _check_choice("kind", self.kind, KINDS)
        _check_choice("flaw", self.flaw, FLAWS)
        _check_choice("moment", self.moment, ("before", "after"))
        if self.nth < 1 or (self.times is not None and self.times < 1):
            raise ValueError("nth and times count from 1")
        if (self.kind == "meanwhile") != (self.change is not None):
            raise ValueError("meanwhile needs a change, and nothing else has one")
        if self.change is not None:
            Change(**self.change)
        re.compile(self.path or "")

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def takes_effect(self) -> bool:
        return self.effect or self.kind in _EFFECTIVE

    @property
    def is_aside(self) -> bool:
        """Return whether this fault leaves the response to the request unchanged."""
        return self.kind in ("meanwhile", "clock")

    @property
    def wait(self) -> float:
        """Return the seconds to wait; of clock, those by which it is ahead."""
        return _SECONDS.get(self.kind, 1.0) if self.seconds is None else self.seconds

    @property
    def answer_status(self) -> int:
        return _STATUS.get(self.kind, 500) if self.status is None else self.status

    def is_spent(self, number: int) -> bool:
        """Return whether the matching request of this number comes after the last one to be hit."""
        return self.times is not None and number >= self.nth + self.times

    def matches(self, method: str, path: str) -> bool:
        return self.method in (None, method, method.lower()) and re.search(self.path or "", path) is not None


class Faults:
    """The faults in force, and how many requests each has seen; the first of them that hits a request counts."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._seen: list[int] = []

    def inject(self, *faults: Fault) -> None:
        self._faults += faults
        self._seen += [0] * len(faults)

    def clear(self) -> None:
        self._faults.clear()
        self._seen.clear()

    @property
    def injected(self) -> list[Fault]:
        """Return all faults since they were last cleared."""
        return list(self._faults)

    def pending(self) -> list[Fault]:
        seen = zip(self._faults, self._seen, strict=True)
        return [fault for fault, number in seen if not fault.is_spent(number + 1)]

    def __bool__(self) -> bool:
        return bool(self._faults)

    def hit(self, method: str, path: str) -> tuple[Fault | None, list[Fault]]:
        """Count a request with all faults; return the first that shapes its response, and those with side effects."""
        hits = []
        for index, fault in enumerate(self._faults):
            if fault.matches(method, path):
                self._seen[index] += 1
                if self._seen[index] >= fault.nth and not fault.is_spent(self._seen[index]):
                    hits.append(fault)
        aside = [fault for fault in hits if fault.is_aside]
        return next((fault for fault in hits if not fault.is_aside), None), aside


def flawed(answer: Answer, flaw: str) -> Answer:
    """Return a response with a flaw; one without JSON stays unchanged."""
    beginning = [(_MARK, None)] if flaw in _BEGINNINGS else []
    try:
        value = json.loads(answer.body, object_pairs_hook=lambda members: dict([*beginning, *members]))
    except ValueError:
        return answer
    text = json.dumps(value, separators=(",", ":")).replace(f'"{_MARK}":null', _BEGINNINGS.get(flaw, ""))
    if flaw == "escaped_names":
        text = _STRING.sub(lambda found: f"{_escaped(found[1])}:" if found[2] else found[0], text)
    mark = codecs.BOM_UTF8 if flaw == "bom" else b""
    return replace(answer, body=mark + text.encode("ascii", "surrogateescape"))


def _escaped(name: str) -> str:
    units = json.loads(name).encode("utf-16-be", "surrogatepass").hex()
    return '"' + "".join(f"\\u{units[index : index + 4]}" for index in range(0, len(units), 4)) + '"'
