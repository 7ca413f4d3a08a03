# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who may use a volume: ranges, addresses in them, and the rights that a record grants, as tables."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.access import (
    access_of,
    network_of,
    other_rules,
    reach_of,
    read_address,
)

OPEN = ["*", "0.0.0.0/0", "10.1.2.3/0", "0.0.0.0/0.0.0.0", "::/0", "::ffff:0:0/96", "::/1"]
LIMITED = ["0.0.0.0/1", "10.0.0.0/8", "0.0.0.0"]
NOT_A_RANGE = ["everybody", "fe80::1%eth0", "", None, 0, "0.0.0.0/1, 128.0.0.0/1", "10.0.0.0/8;*"]


@pytest.mark.parametrize(
    ("ranges", "reach"), [(OPEN, "any address"), (LIMITED, "some addresses"), (NOT_A_RANGE, "unknown")]
)
def test_a_range_is_open_if_it_contains_all_addresses(ranges: list[Any], reach: str) -> None:
    assert [iprange for iprange in ranges if reach_of(iprange) != reach] == []


ACCESS: dict[str, list[dict[str, Any]]] = {
    "read": [{"readonly": True}, {"readonly": True, "appendonly": True}],
    "write": [{"readonly": False, "appendonly": False}],
    "append": [{"readonly": False, "appendonly": True}, {"readonly": "false", "appendonly": "1"}],
    "unknown": [{}, {"readonly": None}, {"readonly": "perhaps"}, {"appendonly": True}],
}


@pytest.mark.parametrize("access", ACCESS)
def test_what_is_not_shown_is_unknown(access: str) -> None:
    assert [fields for fields in ACCESS[access] if access_of(fields) != access] == []


@pytest.mark.parametrize(
    ("address", "inside", "outside"),
    [
        (
            "10.1.2.3",
            ["*", "0.0.0.0/0", "10.1.2.3", "10.1.2.3/32", "10.1.2.99/24", "::/0"],
            ["10.1.2.4", "10.0.0.0/16"],
        ),
        ("10.1.0.0/16", ["10.1.2.3", "10.0.0.0/8", "10.1.255.255"], ["10.2.0.0/16", "2001:db8::/32"]),
        ("0.0.0.0/0", ["*", "255.255.255.255", "::ffff:1.2.3.4"], ["2001:db8::1", "::/96", "::fffe:0:0/96"]),
        ("::ffff:10.1.2.3", ["10.1.2.3", "10.0.0.0/8", "::ffff:10.1.0.0/112"], ["10.1.2.4", "::10.1.2.3"]),
        ("2001:db8::1", ["*", "::/0", "2001:db8::/32", "2001:DB8:0::1"], ["0.0.0.0/0", "2001:db8::2"]),
        ("::/0", ["10.0.0.0/8", "2001:db8::1"], []),
        (" 10.1.2.0/24 ", [" 10.1.2.3 "], ["10.1.3.0/24"]),
    ],
)
def test_which_ranges_an_address_is_in(address: str, inside: list[str], outside: list[str]) -> None:
    span = read_address("address", address)
    assert span
    for expected, ranges in ((True, inside), (False, outside)):
        spans = [network_of(iprange) for iprange in ranges]
        assert [
            iprange for iprange, each in zip(ranges, spans) if each is None or each.overlaps(span) != expected
        ] == []


@pytest.mark.parametrize("text", ["*", "web", "10.1.2", "fe80::1%eth0", "10.0.0.0/33", "10.1.2.3, 10.1.2.4", "x" * 999])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(
        ConsoleError, match=r"address must be an IP address, without a scope id, or a network"
    ) as raised:
        read_address("address", text)
    assert len(str(raised.value)) < 220


OPEN_RULE: dict[str, Any] = {"iprange": "*", "readonly": False}


def test_of_each_export_one_rule_is_left_out() -> None:
    exports: list[dict[str, Any]] = [{"iprange": "10.0.0.0/8", "readonly": True}, {"desc": "nothing is shown"}]
    rule = {"iprange": "10.0.0.1/8", "readonly": "true", "token": "t"}
    others = [rule, {**rule, "readonly": False}, {"iprange": "*", "readonly": True}, {"iprange": "10.0.0.0/8"}]
    assert other_rules({"access_rules": [rule, *others]}, exports) == others
    assert other_rules({"access_rules": None}, exports) == []


@pytest.mark.parametrize("rules", ["*", {"web": OPEN_RULE}, 7, [None], ["10.0.0.0/8"], [[OPEN_RULE]]])
def test_a_rule_that_cannot_be_read_is_not_left_out(rules: Any) -> None:
    assert other_rules({"access_rules": rules}, [OPEN_RULE]) == [{}]


ONE, TWO = {**OPEN_RULE, "token": "one"}, {**OPEN_RULE, "token": "two"}
MASKED = {**OPEN_RULE, "token": "********"}
# The exports, the rules, and the rules that no export accounts for.
TOKENS: dict[str, tuple[list[Any], list[Any], list[Any]]] = {
    "the same token, after a similar export": ([ONE], [TWO, ONE], [TWO]),
    "the same token, but other addresses": ([{**ONE, "iprange": "10.0.0.0/8"}], [ONE, TWO], [ONE, TWO]),
    "another one": ([ONE], [TWO], [TWO]),
    "the same one twice": ([ONE], [ONE, ONE], [ONE]),
    "shown by the rule alone": ([OPEN_RULE], [ONE, TWO], [TWO]),
    "shown by the export alone": ([ONE], [OPEN_RULE, OPEN_RULE], [OPEN_RULE]),
    "masked": ([MASKED], [MASKED, MASKED], [MASKED]),
    "an export for the API alone": ([{**OPEN_RULE, "apionly": True}], [OPEN_RULE], [OPEN_RULE]),
    "an export for the API alone, with its token": ([{**ONE, "apionly": True}], [TWO, ONE], [TWO, ONE]),
    "an export of which nobody can read that": ([{**OPEN_RULE, "apionly": "maybe"}], [OPEN_RULE], [OPEN_RULE]),
    "an export that says it is not": ([{**OPEN_RULE, "apionly": False}], [OPEN_RULE], []),
}


@pytest.mark.parametrize(("exports", "rules", "others"), TOKENS.values(), ids=TOKENS)
def test_tokens_decide_which_rule_an_export_tells_of(exports: list[Any], rules: list[Any], others: list[Any]) -> None:
    assert other_rules({"access_rules": rules}, exports) == others
