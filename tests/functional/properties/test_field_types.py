# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The laws of pure code, with drawn values: what is equal, what is sent, and what is shown, of every type of a field; what is hidden.

Hypothesis draws the values; `CASES=5000` in the environment draws as many cases as that, and `SEED=random` others each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import FieldType
from functional.properties import laws
from functional.properties.laws import TYPES, name_of
from functional.support.cases import cases

# Separators and ends of parts of addresses, paths, sizes and numbers; white space that only Unicode knows, and case.
HURTFUL = "/?#@:[]. \t\n%*-+_0159aAbBeEgGhHiIkKsS\xa0\u0130\u2100\u3000"
ENDS = "/?#@ \n"
PIECES = ["://", "https:", "HTTPS://", "s3://", "//", "..", "::1", "10.0.0.1", "/24", "/32", "GiB", "GB", ".0", "1e6"]
PIECES += ["10737418240", "0x1f", "007", "1_000", "true", "False", "None", "xn--", "\u00b2", "\u0661"]
TEXTS = st.one_of(
    st.text(HURTFUL, max_size=12),
    st.lists(st.sampled_from(PIECES) | st.text(HURTFUL, max_size=2), max_size=6).map("".join),
    st.builds(
        "{}{}".format, st.sampled_from(["https://b", "S3://B/x", "/a", "10", "*", "::1"]), st.text(ENDS, max_size=4)
    ),
)
# NaN never equals anything, not even itself.
FLOATS = st.floats(allow_nan=False) | st.integers(-(10**6), 10**6).map(float)
NUMBERS = st.integers() | FLOATS | st.sampled_from([0, 1, -1, 2**63 - 1, 2**63, 10**40])
SCALARS = st.one_of(TEXTS, NUMBERS, NUMBERS.map(str), st.booleans(), st.none())
VALUES = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(TEXTS, SCALARS, max_size=2)


@pytest.mark.parametrize("type_", TYPES, ids=name_of)
@pytest.mark.parametrize("law", laws.OF_A_TYPE, ids=lambda law: law.__name__)
@cases()
@drawn(value=VALUES)
def test_a_law_of_a_type_holds_for_drawn_values(law: Callable[..., None], type_: FieldType, value: Any) -> None:
    law(type_, value)


@pytest.mark.parametrize("type_", TYPES, ids=name_of)
@cases()
@drawn(one=VALUES, other=VALUES)
def test_neither_side_of_a_comparison_comes_first(type_: FieldType, one: Any, other: Any) -> None:
    laws.has_no_first_side(type_, one, other)


@pytest.mark.parametrize("law", laws.OF_A_TEXT, ids=lambda law: law.__name__)
@cases()
@drawn(text=TEXTS)
def test_a_law_of_text_holds_for_drawn_text(law: Callable[[str], None], text: str) -> None:
    law(text)
