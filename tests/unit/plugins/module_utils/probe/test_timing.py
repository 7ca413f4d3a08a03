# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How late lists are, from the looks at them."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.observation import Look
from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.timing import Timing, moments, timing


def looks(*entries: str | tuple[float, float, str]) -> list[Look]:
    """Return looks, each given as `0.5+` (shown at that moment) or `0.5-` (not shown), or with the true time beside."""
    found = []
    for entry in entries:
        if isinstance(entry, str):
            found.append(Look(float(entry[:-1]), float(entry[:-1]), entry.endswith("+")))
        else:
            found.append(Look(entry[0], entry[1], entry[2] == "+"))
    return found


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(looks("0-", "0.5-"), None, id="never shown"),
        pytest.param(looks("0+"), Timing(0.0), id="at once"),
        pytest.param(looks("0-", "0+"), Timing(0.0), id="the first of two looks at once may be stale"),
        pytest.param(looks("0-", "0-", "0.5-", "0.5-", "1+"), Timing(1.0, 0.5), id="late"),
        pytest.param(looks((0.5, 0.53, "-"), (1, 1.04, "+")), Timing(1, 0.53), id="a request takes a moment"),
        pytest.param(looks((0.5, 0.5, "-"), (1, 2.33, "+")), Timing(2.4, 0.5), id="the console made the look wait"),
        pytest.param(looks((0, 0, "-"), (0, 2, "+")), Timing(2.0, 0), id="the second of two looks had to wait"),
        pytest.param(looks((0, 1.2, "+")), Timing(None), id="the first look had to wait"),
        pytest.param(looks("2+"), Timing(None), id="the first look was planned late"),
        pytest.param(looks("0+", "0-", "0+", "0-", "0.5+", "0.5+"), Timing(0.0, -1, 2, 0.5), id="every other is stale"),
        pytest.param(looks("0+", "0-", "0+", "0-"), Timing(0.0, -1, 2, None), id="stale for longer than watched"),
        pytest.param(looks("0+", "0+", "0-", "0+"), Timing(0.0, -1, 0, None), id="once only: no period"),
    ],
)
def test_timing(seen: list[Look], expected: Timing | None) -> None:
    assert timing(seen) == expected


def test_moments() -> None:
    assert list(moments(0.0, 2.0)) == [0.0, 0.5, 1.0, 2.0]
    assert list(moments(0.7, 5.0)) == [0.7, 1.0, 2.0, 5.0]
    assert list(moments(7.0, 5.0)) == [7.0]
