# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The warnings of a task: likely mistakes, and the fields that it restored or could not verify. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model.outcome import Outcome

_MAX_MISTAKES = 10


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
