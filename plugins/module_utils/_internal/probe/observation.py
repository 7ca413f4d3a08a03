# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a probe has seen: replies, lists, looks after a write, and what each step came to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..http.response import SUCCESS
from ..model.records import Record

EMPTY, JSON, HTML, TEXT = "empty", "JSON", "HTML", "text"


class Reply(NamedTuple):
    """A response: its request, with a path in which ids are replaced, and what is in it: a value, or other text."""

    method: str
    path: str
    status: int
    kind: str
    value: Any
    headers: Mapping[str, str]
    text: str = ""

    @property
    def is_success(self) -> bool:
        """Return whether the request was accepted."""
        return self.status in SUCCESS


class Listing(NamedTuple):
    """One reading of a list: its pages, and the style of each link to a next one."""

    name: str
    pages: tuple[Reply, ...]
    groups: tuple[tuple[Record, ...], ...]
    link_styles: tuple[str, ...]
    is_complete: bool

    @property
    def records(self) -> list[Record]:
        """Return each record once, in the order met."""
        found: list[Record] = []
        for record in (record for group in self.groups for record in group):
            if not is_among(record, found):
                found.append(record)
        return found


class Look(NamedTuple):
    """One look at a list after a write: planned and true time in seconds since then, and whether the effect showed."""

    planned: float
    elapsed: float
    shown: bool


class Observation(NamedTuple):
    """What a step came to: the reply or why there is none, the record before and after, the looks in between.

    `is_settled` tells that the record after the step is what became of it, and not one that is shown late.
    """

    sent: Mapping[str, Any]
    reply: Reply | None = None
    problem: str = ""
    before: Record | None = None
    after: Record | None = None
    looks: tuple[Look, ...] = ()
    is_settled: bool = False

    @property
    def is_accepted(self) -> bool:
        """Return whether the console has accepted the request."""
        return self.reply is not None and self.reply.is_success

    @property
    def is_refused(self) -> bool:
        """Return whether the console has refused the request."""
        return self.reply is not None and 400 <= self.reply.status < 500


class Attempt(NamedTuple):
    """One request on the wire that had a response, and by how many seconds that says the console's clock is ahead."""

    status: int
    headers: Mapping[str, str]
    skew: float | None


class Seen:
    """Everything that a probe has seen, and why it has not seen the rest.

    `given` are the fields with which the user lets the scratch volume be made, `ending` why the probe ended, if early.
    """

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        self.given = given or {}
        self.steps: dict[str, Observation] = {}
        self.listings: list[Listing] = []
        self.attempts: list[Attempt] = []
        self.skipped: dict[str, str] = {}
        self.ending = ""

    def step(self, name: str) -> Observation | None:
        """Return what a step came to, or None where it was not taken or got no reply."""
        return self.steps.get(name)

    def reply(self, name: str) -> Reply | None:
        """Return the reply to a step."""
        found = self.steps.get(name)
        return found.reply if found else None

    def records_after(self, *names: str) -> list[Record]:
        """Return the records that these steps left, as the list shows them."""
        found = [self.steps[name].after for name in names if name in self.steps]
        return [record for record in found if record is not None]

    def readings(self, *names: str) -> list[Listing]:
        """Return the readings of these lists, in order; of all lists without a name."""
        return [listing for listing in self.listings if not names or listing.name in names]

    def why_not(self, *names: str) -> str:
        """Return why these steps have shown nothing."""
        for name in names:
            if name in self.skipped:
                return self.skipped[name]
            found = self.steps.get(name)
            if found and found.problem:
                return found.problem
            if found and found.reply and not found.reply.is_success:
                return f"{found.reply.method} {found.reply.path} was answered with HTTP {found.reply.status}"
        return self.ending or "the responses do not show it"


def is_among(record: Record, records: Iterable[Record]) -> bool:
    """Return whether a record is one of these: by its id, or as a whole where it shows none."""
    identity = record.get("id")
    if identity is None:
        return record in list(records)
    return any(str(other.get("id")) == str(identity) for other in records)
