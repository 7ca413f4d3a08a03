# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The laws of pure code, for all values at once: CrossHair follows each path of the code and solves for the values that lead there.

It finds what drawn values miss, as `https://b?/` was. `SECONDS` in the environment limits the search for each law.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Union

import pytest
from crosshair.core_and_libs import MessageType, analyze_function, run_checkables
from crosshair.options import AnalysisKind, AnalysisOptionSet

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import FieldType
from functional.properties import laws
from functional.properties.laws import TYPES, name_of

SECONDS = float(os.environ.get("SECONDS") or "10")
# Lists and dictionaries are left to drawn values.
Scalar = Union[str, int, bool, None]  # noqa: UP007 - CrossHair reads it


def counterexamples(law: Callable[..., None]) -> list[str]:
    """Return the calls that break a law, as far as they are found in time. CrossHair wants an assertion to begin with."""
    options = AnalysisOptionSet(analysis_kind=[AnalysisKind.asserts], per_condition_timeout=SECONDS)
    found = run_checkables(analyze_function(law, options))
    return [message.message for message in found if message.state > MessageType.PRE_UNSAT]


@pytest.mark.parametrize("type_", TYPES, ids=name_of)
@pytest.mark.parametrize("law", laws.OF_A_TYPE, ids=lambda law: law.__name__)
def test_a_law_of_a_type_holds(law: Callable[..., None], type_: FieldType) -> None:
    def hold(value: Scalar) -> None:
        assert True
        law(type_, value)

    assert counterexamples(hold) == []


@pytest.mark.parametrize("type_", TYPES, ids=name_of)
def test_neither_side_of_a_comparison_comes_first(type_: FieldType) -> None:
    def hold(one: Scalar, other: Scalar) -> None:
        assert True
        laws.has_no_first_side(type_, one, other)

    assert counterexamples(hold) == []


@pytest.mark.parametrize("law", laws.OF_A_TEXT, ids=lambda law: law.__name__)
def test_a_law_of_text_holds(law: Callable[[str], None]) -> None:
    def hold(text: str) -> None:
        assert True
        law(text)

    assert counterexamples(hold) == []


def test_keys_are_near_each_other_both_ways() -> None:
    def hold(one: str, other: str) -> None:
        assert True
        laws.keys_are_near_both_ways(one, other)

    assert counterexamples(hold) == []


def test_a_broken_law_is_found() -> None:
    def hold(text: str) -> None:
        assert True
        assert text.strip().rstrip("/") == text.strip().rstrip("/").strip()

    (found,) = counterexamples(hold)
    assert "hold(" in found
