# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What libraries wrapped in an error, and the clock of a task."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Clock, causes_of

INNER = OSError("inner")


def error(*args: Any, **attributes: Any) -> Exception:
    """Return an error with these attributes."""
    made = ValueError(*args)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


WRAPPED: dict[str, Exception] = {
    "a reason": error("text", reason=INNER),
    "an argument": error("text", INNER),
    "a cause": error("text", __cause__=INNER),
    "a context": error("text", __context__=INNER),
    "a reason before an argument": error(error("other"), reason=INNER),
    "an argument before a cause": error(INNER, __cause__=error("other")),
    "a cause before a context": error(__cause__=INNER, __context__=error("other")),
}


@pytest.mark.parametrize("outer", WRAPPED.values(), ids=WRAPPED)
def test_the_innermost_cause_comes_last(outer: Exception) -> None:
    assert list(causes_of(outer)) == [outer, INNER]


def test_neither_a_reason_in_words_nor_a_circle_is_a_cause() -> None:
    plain, circle = error("text", reason="words"), error("text")
    circle.__context__ = error(circle)
    for outer, causes in ((plain, [plain]), (circle, [circle, circle.__context__])):
        assert list(itertools.islice(causes_of(outer), 5)) == causes


def test_the_clock_sleeps_and_lets_clients_that_failed_together_retry_apart() -> None:
    clock = Clock()
    started = time.monotonic()
    clock.sleep(0.05)
    assert time.monotonic() - started >= 0.05
    factors = [clock.jitter() for _number in range(50)]
    assert len(set(factors)) > 1
    assert 0.5 <= min(factors) <= max(factors) <= 1
