# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits and sizes, as tables: which are equal, what is sent, what results and diffs show, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.field_types import FieldType
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.limits import LIMIT, SIZE

KIB, MIB, GIB, TIB, PIB, EIB = (1024**power for power in range(1, 7))


@pytest.mark.parametrize(
    ("type_", "one", "other"),
    [
        (LIMIT, 0, None),
        (LIMIT, "1048576", MIB),
        (SIZE, "10GiB", "10737418240"),
        (SIZE, "10G", 10 * GIB),
        (SIZE, "10gB", "10 GiB"),
        (SIZE, "10B", 10),
        (SIZE, " 10 ", 10),
        (SIZE, "lots", "lots"),
        (SIZE, "1.5T", 3 * GIB * 512),
        (SIZE, "0", None),
        (SIZE, "0G", 0),
        (SIZE, 10.0, 10),
    ],
)
def test_equal(type_: FieldType, one: Any, other: Any) -> None:
    assert type_.equal(one, other)
    assert type_.equal(other, one)


@pytest.mark.parametrize(
    ("type_", "one", "other"),
    [(LIMIT, 1, None), (LIMIT, 1, 2), (SIZE, "10G", "10g bits"), (SIZE, 10, "10K"), (SIZE, "1G", 10**9)],
)
def test_not_equal(type_: FieldType, one: Any, other: Any) -> None:
    assert not type_.equal(one, other)
    assert not type_.equal(other, one)


@pytest.mark.parametrize(
    ("type_", "value", "sent"),
    [
        (LIMIT, 0, 0),
        (LIMIT, "7", 7),
        (SIZE, "0", 0),
        (SIZE, 7, 7),
        (SIZE, "7", 7),
        (SIZE, "7B", 7),
        (SIZE, "1K", KIB),
        (SIZE, "1m", MIB),
        (SIZE, "1 GB", GIB),
        (SIZE, "1TiB", TIB),
        (SIZE, "1p", PIB),
        (SIZE, "1EiB", EIB),
        (SIZE, "1.5K", 1536),
        (SIZE, "0.001K", 1),
        (SIZE, "1.0B", 1),
        (SIZE, "0.0K", 0),
    ],
)
def test_to_request(type_: FieldType, value: Any, sent: Any) -> None:
    request = type_.to_request(value)
    assert request == sent
    assert isinstance(request, int)
    assert not isinstance(request, bool)


@pytest.mark.parametrize(
    ("type_", "value", "result", "diff"),
    [
        pytest.param(LIMIT, "1048576", MIB, MIB, id="a limit has no units"),
        pytest.param(LIMIT, None, None, None, id="no limit"),
        pytest.param(SIZE, None, None, None, id="no size"),
        pytest.param(SIZE, 0, 0, 0, id="nought"),
        pytest.param(SIZE, "0", 0, 0, id="nought as text"),
        pytest.param(SIZE, 1, 1, 1, id="a byte"),
        pytest.param(SIZE, 1023, 1023, 1023, id="less than a unit"),
        pytest.param(SIZE, KIB, KIB, "1KiB", id="a unit"),
        pytest.param(SIZE, KIB + 1, KIB + 1, KIB + 1, id="a byte more than a unit"),
        pytest.param(SIZE, 1536, 1536, 1536, id="not a whole number of units"),
        pytest.param(SIZE, 1536 * KIB, 1536 * KIB, "1536KiB", id="a whole number of the smaller unit"),
        pytest.param(SIZE, "10737418240", 10 * GIB, "10GiB", id="as text"),
        pytest.param(SIZE, MIB, MIB, "1MiB", id="MiB"),
        pytest.param(SIZE, TIB, TIB, "1TiB", id="TiB"),
        pytest.param(SIZE, PIB, PIB, "1PiB", id="PiB"),
        pytest.param(SIZE, EIB, EIB, "1EiB", id="EiB"),
        pytest.param(SIZE, 1024 * EIB, 1024 * EIB, "1024EiB", id="more than the largest unit"),
        pytest.param(SIZE, [1], [1], [1], id="no number"),
        pytest.param(SIZE, "lots", "lots", "lots", id="text that is no size"),
    ],
)
def test_shown(type_: FieldType, value: Any, result: Any, diff: Any) -> None:
    assert (type_.to_result(value), type_.to_diff(value)) == (result, diff)


EXPECTED = (
    "must be a number of bytes, or a number with one of the units KiB, MiB, GiB, TiB, PiB and EiB (0 is no limit), not "
)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        (LIMIT, -1, "must be 0 or more"),
        (LIMIT, "1K", "must be a whole number, not '1K'"),
        (SIZE, "-1", "must be 0 or more"),
        (SIZE, -1, "must be 0 or more"),
        (SIZE, [1], "must be a whole number, not [1]"),
        (SIZE, True, "must be a whole number, not True"),
        (SIZE, 1.5, "must be a whole number, not 1.5"),
        (SIZE, "0.0001K", "must be at least one byte, or 0, not '0.0001K'"),
        *(
            (SIZE, text, f"{EXPECTED}{text!r}")
            for text in (
                "-1G",
                "10Gbit",
                "ten",
                "10 gigs",
                "unlimited",
                "1.5",
                "10Ki",
                "10gib",
                "10Gb",
                "10b",
                "10iB",
                "1" * 31 + "K",
                "1.G",
                ".5G",
                "1e3",
                "K",
            )
        ),
    ],
)
def test_refused(type_: FieldType, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"^must") as caught:
        type_.to_request(value)
    assert str(caught.value) == message


def test_the_options_of_limits() -> None:
    assert (LIMIT.option, SIZE.option) == ("int", "str")
