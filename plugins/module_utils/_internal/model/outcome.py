# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The outcome of an action, and the warnings about outcomes. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import ConsoleError
from .plan import Action
from .records import Record

_MAX_MISTAKES = 10


class Outcome(NamedTuple):
    """The outcome of an action.

    `record` is the last known state of the record. `changed` means that something was written or may have been, `is_seen`
    that the list has shown it. `unverified` names the fields that the console does not show, `restored` those that changed
    beyond the request and were put back, `lost` those that were not put back. After an update that succeeded, `lost` names
    the fields that are no longer shown, so that their values are unknown.
    """

    action: Action
    record: Record | None
    changed: bool
    error: ConsoleError | None = None
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    is_seen: bool = True
    lost: tuple[str, ...] = ()


def list_warnings(outcomes: Iterable[Outcome], subject: str) -> Iterator[str]:
    """Yield the warnings about outcomes. `subject` says which records they concern."""
    outcomes = list(outcomes)
    actions = [outcome.action for outcome in outcomes]
    mistakes = [": ".join(filter(None, [each.goal.name, text])) for each in actions for text in each.plan_warnings]
    yield from mistakes[:_MAX_MISTAKES]
    if len(mistakes) > _MAX_MISTAKES:
        yield f"And {len(mistakes) - _MAX_MISTAKES:,} further likely mistakes in {subject}."
    restored = dict.fromkeys(name for outcome in outcomes for name in outcome.restored)
    if restored:
        yield (
            f"With the update of {subject}, {', '.join(restored)} changed meanwhile, by the console or by somebody else."
            " It was restored."
        )
    if unverified := list_unverified(outcomes):
        yield f"The console does not show {', '.join(unverified)} of {subject}, so it could not be verified."


def list_unverified(outcomes: Iterable[Outcome]) -> list[str]:
    """Return the names of the fields that the console does not show."""
    return list(dict.fromkeys(name for outcome in outcomes for name in outcome.unverified))
