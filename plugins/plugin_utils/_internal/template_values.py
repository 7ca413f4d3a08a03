# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What templates and consoles hand over and JSON cannot hold: made plain, or refused, before anything reckons with it. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.json_values import MAX_DEPTH, is_too_deep

# Beyond it, no float can take part in a calculation; long before Python refuses to show a number.
_MAX_BITS = 1024


def plain_values(value: Any) -> Any:
    """Return a copy of a value in which infinity, and what is not a number, is text, so that no field takes it for one.

    ConsoleError for an integer that is too large, and for a value that is nested too deeply.
    """
    if is_too_deep(value):
        raise ConsoleError(f"the input is nested too deeply, beyond {MAX_DEPTH} levels.")
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        digits = int(value.bit_length() * math.log10(2))
        raise ConsoleError(f"the input has a number of about {digits:,} digits, which no field can have.")
    return value
