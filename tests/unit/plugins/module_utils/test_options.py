# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading options: what counts as not given, whole numbers in any form, and their bounds."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import (
    BOUNDS,
    check_numbers,
    is_unset,
    read_given,
    why_no_integer,
)

OPTIONS: dict[str, dict[str, Any]] = {
    "name": {"type": "str"},
    "extend": {"type": "str"},
    "id": {"type": "int"},
    "codes": {"type": "list", "elements": "int"},
    "names": {"type": "list", "elements": "str"},
}

GIVEN: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "unset": ({"name": " ", "id": " \n", "codes": "", "names": None}, {}),
    "blank where that is a value": ({"extend": " "}, {"extend": " "}),
    "null where blank is a value": ({"extend": None}, {}),
    "false, zero and nothing in a list are values": ({"name": False, "id": 0, "codes": []},) * 2,
    "an unknown option": ({"nam": None, "idd": "7.0"},) * 2,
    "whole numbers": ({"id": "7.0", "codes": [2e2, " 404.0 ", "500", 3]}, {"id": 7, "codes": [200, 404, 500, 3]}),
    "a whole number for a list": ({"codes": 404.0}, {"codes": 404}),
    "text that looks like a number": ({"name": "7.0", "names": ["7.0"]},) * 2,
    "what is no whole number": ({"id": "0777", "codes": [1.5, "x", True, None, {}]},) * 2,
}


@pytest.mark.parametrize(("given", "read"), GIVEN.values(), ids=GIVEN)
def test_unset_options_are_left_out_and_whole_numbers_are_integers(given: dict[str, Any], read: dict[str, Any]) -> None:
    found = read_given(OPTIONS, given)
    # True equals 1, and 7.0 equals 7.
    assert repr(found) == repr(read)


@pytest.mark.parametrize("value", [0, False, [], {}, "x", 0.0], ids=repr)
def test_a_value_is_not_unset_only_since_it_is_false(value: Any) -> None:
    assert not is_unset("name", value)


@pytest.mark.parametrize("value", [7, -7, "7", " 7 ", "0", "-7", "7.0", 7.0, None, [7], {"a": 1}], ids=repr)
def test_an_integer_or_another_type_is_no_problem(value: Any) -> None:
    assert why_no_integer(value) == ""


@pytest.mark.parametrize(
    "value",
    ["0777", " 07", "+0_7", "-01", "1_000", "7.5", 7.5, "x", True, False, float("inf"), "1e999999999"],
    ids=repr,
)
def test_what_is_no_integer_is_quoted(value: Any) -> None:
    assert why_no_integer(value).startswith("must be a whole number")
    assert why_no_integer(value).endswith(f", not {value!r}")


def test_a_number_that_yaml_reads_otherwise_is_to_be_written_in_plain_digits() -> None:
    asked = {text: "plain digits" in why_no_integer(text) for text in ("0777", "+1_000", "x", "7.5")}
    assert asked == {"0777": True, "+1_000": True, "x": False, "7.5": False}


@pytest.mark.parametrize("name", BOUNDS)
def test_numbers_have_bounds(name: str) -> None:
    least, most = BOUNDS[name]
    for value in (least, most):
        check_numbers({name: value})
    check_numbers({})
    for value in (least - 1, most + 1, 10**30, True):
        with pytest.raises(ConsoleError) as refused:
            check_numbers({name: value})
        assert str(refused.value) == f"{name} must be from {least} to {most}, not {str(value)[:20]}."


def test_no_retry_no_waiting_and_as_many_requests_at_a_time_as_documented_can_be_asked_for() -> None:
    check_numbers({"timeout": 1, "retries": 0, "wait_timeout": 0, "concurrency": 1})
    check_numbers({"concurrency": 32})
    with pytest.raises(ConsoleError):
        check_numbers({"concurrency": 33})
