# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The types of limits: numbers of which 0 and `null` mean no limit, and sizes with units. Pure."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from .field_types import INTEGER, FieldType, check_is_64_bit

# No console has quotas of less than a block: a smaller number was probably meant in another unit.
_SMALL = 4096
_UNITS = " KMGTPE"
_WITH_UNIT = r"\s*([0-9]{1,30})(?:\.([0-9]{1,30}))?\s*(?:([KMGTPEkmgtpe])(?:i?B)?|B)\s*"


class Limit(FieldType):
    """A limit with units of its own, such as inodes. No limit is 0 or `null`."""

    option = "int"
    is_shown_normalized = True

    def normalize(self, value: Any) -> Any:
        number = INTEGER.normalize(value) or 0
        if number < 0:
            raise ValueError("must be 0 or more")
        return number

    def to_request(self, value: Any) -> Any:
        number = self.normalize(value)
        check_is_64_bit(number)
        return number


class Size(Limit):
    """A limit in bytes, also with a unit in powers of 1024: `10GiB`, `10GB` and `10G` are equal; `b` would mean bits."""

    option = "str"

    def normalize(self, value: Any) -> Any:
        return _bytes(value) if isinstance(value, str) else super().normalize(value)

    def to_request(self, value: Any) -> Any:
        if isinstance(value, str) and re.match(r"\s*0[0-9]", value):
            raise ValueError(f"must not begin with 0, which YAML reads as an octal number, not {value!r}")
        return super().to_request(value)

    def doubt(self, value: Any) -> str:
        is_plain = not isinstance(value, str) or re.fullmatch(r"\s*[0-9]+\s*", value)
        is_small = is_plain and 0 < self.normalize(value) < _SMALL
        return f"is less than {_SMALL} bytes. Write a unit, as in 10GiB, or 10B if bytes are meant" if is_small else ""

    def to_diff(self, value: Any) -> Any:
        """Return the size with the largest unit in which it is a whole number, as users write it."""
        number = self.to_result(value)
        if not isinstance(number, int) or not number:
            return number
        power = next(power for power in range(6, -1, -1) if number % 1024**power == 0)
        return f"{number // 1024**power}{_UNITS[power]}iB" if power else number


@cache
def _bytes(text: str) -> int:
    """Return the bytes that a text means, with a unit or without. Cached, as thousands of quotas share a few sizes."""
    match = re.fullmatch(_WITH_UNIT, text)
    if match is None:
        return _plain_bytes(text)
    whole, decimals, unit = match.group(1), match.group(2) or "", match.group(3) or ""
    scale = 1024 ** _UNITS.index(unit.upper() or " ")
    number: int = int(whole + decimals) * scale // 10 ** len(decimals)
    if not number and int(whole + decimals):
        raise ValueError(f"must be at least one byte, or 0, not {text!r}")
    return number


def _plain_bytes(text: str) -> int:
    try:
        number: int = LIMIT.normalize(text)
    except ValueError as error:
        if re.fullmatch(r"\s*-[0-9]+\s*", text):
            raise
        expected = "a number of bytes, or a number with one of the units KiB, MiB, GiB, TiB, PiB and EiB"
        raise ValueError(f"must be {expected} (0 is no limit), not {text!r}") from error
    return number


LIMIT = Limit()
SIZE = Size()
