# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Laws that pure code obeys, whatever the values. Hypothesis draws values for them.

Each is a function of the values that fails by an assertion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal.model import fields as types
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.fields import FieldType
from ansible_collections.managedfs.console.plugins.module_utils._internal.values import (
    MASK,
    mask,
    mask_text,
    printable,
    secrets_in,
)

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
