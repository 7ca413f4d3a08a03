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

from ansible_collections.managedfs.console.plugins.module_utils._internal.model import fields as types
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import FieldType
from ansible_collections.managedfs.console.plugins.module_utils._internal.values import (
    MASK,
    mask,
    mask_text,
    printable,
    secrets_in,
)
from functional.support.cases import cases

TYPES = [value for value in vars(types).values() if isinstance(value, FieldType)]
TRIMMED = (types.TEXT, types.URL, types.NETWORK)


def name_of(type_: FieldType) -> str:
    return type(type_).__name__


def is_taken(read: Callable[[Any], Any], value: Any) -> bool:
    """Return whether a value is of a type, or can be sent; else assert that the message names the expected form."""
    message = ""
    try:
        read(value)
    except ValueError as error:
        message = str(error)
    assert not message or message.startswith("must ")
    return not message


def stays_as_it_is(type_: FieldType, value: Any) -> None:
    """What is normal stays as it is."""
    if is_taken(type_.normalize, value):
        normal = type_.normalize(value)
        assert type_.normalize(normal) == normal
        assert type_.equal(value, value)
        assert type_.equal(value, normal)
        assert type_.equal(normal, value)


def is_sent_as_meant(type_: FieldType, value: Any) -> None:
    """What is sent means what was given, but for white space at its ends, and reads back equal."""
    if is_taken(type_.to_request, value):
        sent = type_.to_request(value)
        given = value.strip() if isinstance(value, str) and type_ in TRIMMED else value
        assert type_.equal(given, sent)
        assert type_.equal(sent, given)
        assert type_.to_request(sent) == sent
        assert isinstance(type_.plan_warning(value), str)


def is_repaired(type_: FieldType, value: Any) -> None:
    """Text that holds white space at its ends, or control characters, differs from all text that can be sent."""
    if type_ in TRIMMED and is_taken(type_.to_request, value):
        sent = type_.to_request(value)
        stored = (f" {sent}", f"{sent}\n", f"\t{sent} ", f"{sent}\x00", f"\x1f{sent}")
        assert [text for text in stored if type_.equal(text, sent)] == []


def can_be_shown(type_: FieldType, value: Any) -> None:
    """Whatever a console has can be shown, and what is shown of a valid value means the same."""
    shown = (type_.to_result(value), type_.to_diff(value))
    if is_taken(type_.to_request, value):
        assert [other for other in shown if not type_.equal(other, value)] == []


def has_no_first_side(type_: FieldType, one: Any, other: Any) -> None:
    """Neither side of a comparison comes first."""
    assert type_.equal(one, other) is type_.equal(other, one)


def is_printed_once(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert printable(shown) == shown


def is_masked_once(text: str) -> None:
    for hide in (mask, mask_text):
        hidden = hide(text)
        assert hide(hidden) == hidden
    assert {MASK}.issuperset(secrets_in(mask({"bucket": text})))


OF_A_TYPE: tuple[Callable[[FieldType, Any], None], ...]
OF_A_TYPE = (stays_as_it_is, is_sent_as_meant, is_repaired, can_be_shown)
OF_A_TEXT: tuple[Callable[[str], None], ...] = (is_printed_once, is_masked_once)


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
@pytest.mark.parametrize("law", OF_A_TYPE, ids=lambda law: law.__name__)
@cases()
@drawn(value=VALUES)
def test_a_law_of_a_type_holds_for_drawn_values(law: Callable[..., None], type_: FieldType, value: Any) -> None:
    law(type_, value)


@pytest.mark.parametrize("type_", TYPES, ids=name_of)
@cases()
@drawn(one=VALUES, other=VALUES)
def test_neither_side_of_a_comparison_comes_first(type_: FieldType, one: Any, other: Any) -> None:
    has_no_first_side(type_, one, other)


@pytest.mark.parametrize("law", OF_A_TEXT, ids=lambda law: law.__name__)
@cases()
@drawn(text=TEXTS)
def test_a_law_of_text_holds_for_drawn_text(law: Callable[[str], None], text: str) -> None:
    law(text)
