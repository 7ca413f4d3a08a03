# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The warnings of a task: its doubts, the records that it left alone, and the fields that it could not verify. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model.outcome import Outcome
from ..model.records import describe
from ..model.section import Section
from ..texts import first_of

_MAX_DOUBTS = 10
_MAX_NAMES = 3


def list_warnings(outcomes: Iterable[Outcome], subject: str) -> Iterator[str]:
    """Yield the warnings about outcomes. `subject` says which records they concern."""
    outcomes = list(outcomes)
    doubts = [doubt for outcome in outcomes for doubt in outcome.action.warnings]
    yield from doubts[:_MAX_DOUBTS]
    if len(doubts) > _MAX_DOUBTS:
        yield f"And {len(doubts) - _MAX_DOUBTS:,} more doubts about {subject}."
    restored = dict.fromkeys(name for outcome in outcomes for name in outcome.restored)
    if restored:
        yield (
            f"With the update of {subject}, {', '.join(restored)} changed meanwhile, by the console or by somebody else."
            " It was restored."
        )
    if unverified := list_unverified(outcomes):
        yield f"The console does not show {', '.join(unverified)} of {subject}, so it could not be verified."


def list_left_alone(root: Section) -> Iterator[str]:
    """Yield the warnings about records of a rotation, which `purge` spares."""
    for section in root.lists:
        if not section.goes_with_volume and section.resource.plural in section.purge and section.rotating:
            names = first_of((describe(section.resource, record) for record in section.rotating), _MAX_NAMES)
            yield f"Not purged, since they belong to a rotation that is under way: {names}{section.records.of_volume}."


def list_unverified(outcomes: Iterable[Outcome]) -> list[str]:
    """Return the names of the fields that the console does not show."""
    return list(dict.fromkeys(name for outcome in outcomes for name in outcome.unverified))
