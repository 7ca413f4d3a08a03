# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who may use a volume: the addresses in exports and access rules, and their rights. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import ConsoleError
from .fields import BOOLEAN, NETWORK
from .records import Record, format_value
from .resources import is_blank

ANY, SOME, UNKNOWN = "any address", "some addresses", "unknown"
_MAX_SHOWN = 80
_ALL, _ALL_OF_IPV4 = ipaddress.IPv6Network("::/0"), ipaddress.IPv6Network("::ffff:0:0/96")


def network_of(iprange: Any) -> ipaddress.IPv6Network | None:
    """Return the addresses of a range, those of IPv4 mapped; None if it is not shown, or cannot be read as one range."""
    text = iprange.strip() if isinstance(iprange, str) else ""
    if text == "*":
        return _ALL
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
    # What a scope id means depends on the machine.
    if "%" in text:
        return None
    if isinstance(network, ipaddress.IPv6Network):
        return network
    return ipaddress.IPv6Network(f"::ffff:{network.network_address}/{network.prefixlen + 96}")


def read_address(option: str, text: str | None) -> ipaddress.IPv6Network | None:
    """Return the addresses that an option names, None if it is blank; ConsoleError unless it is an address or network."""
    if text is None or is_blank(text):
        return None
    network = network_of(text)
    # Some consoles show a netmask instead of the length, but users must not write one.
    if network is None or text.strip() == "*" or "." in text.partition("/")[2]:
        raise ConsoleError(
            f"{option} must be an IP address, without a scope id, or a network in CIDR notation, not"
            f" {format_value(text[:_MAX_SHOWN])}."
        )
    return network


def reach_of(iprange: Any) -> str:
    """Return the reach of a range: any address, some, or unknown if it cannot be read."""
    if (network := network_of(iprange)) is None:
        return UNKNOWN
    return ANY if _ALL_OF_IPV4.subnet_of(network) else SOME


def access_of(record: Mapping[str, Any]) -> str:
    """Return the access that an export or access rule grants: write, append, read or unknown."""
    readonly = read_flag(record, "readonly")
    if readonly is None:
        return UNKNOWN
    return "read" if readonly else "append" if read_flag(record, "appendonly") else "write"


def lets_any_write(record: Mapping[str, Any]) -> bool:
    """Return whether an export surely lets any address write."""
    return reach_of(record.get("iprange")) == ANY and access_of(record) == "write"


def read_flag(record: Mapping[str, Any], name: str) -> bool | None:
    """Return a boolean of a record, None if it is not shown or cannot be read."""
    value = record.get(name)
    flag: bool | None = None if value is None else BOOLEAN.normalize_or_none(value)
    return flag


def other_rules(volume: Mapping[str, Any], exports: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Return the access rules of a volume that none of its exports accounts for.

    An export accounts for one rule with the same rights. If both show their tokens, these must be equal, too. An
    unreadable rule is returned as an empty one.
    """
    given = volume.get("access_rules") or []
    rules = [rule if isinstance(rule, dict) else {} for rule in (given if isinstance(given, list) else [None])]
    tokens: dict[Any, list[str]] = {}
    for export in exports:
        tokens.setdefault(_rights_of(export), []).append(token_of(export))
    for is_exact in (True, False):
        rules = [rule for rule in rules if not _take(tokens.get(_rights_of(rule), []), token_of(rule), is_exact)]
    return rules


def _take(tokens: list[str], token: str, is_exact: bool) -> bool:
    """Remove the token of an export that accounts for a rule from those with its rights; return whether there is one.

    Equal tokens match. If one of the two is not shown, they match, too, unless `is_exact`.
    """
    if is_exact:
        found = token if token and token in tokens else None
    else:
        found = "" if "" in tokens else None if token or not tokens else tokens[0]
    if found is not None:
        tokens.remove(found)
    return found is not None


def token_of(record: Mapping[str, Any]) -> str:
    """Return the token that a record shows; blank for none, for asterisks in its place, and for what is no text or number."""
    token = record.get("token")
    text = str(token) if isinstance(token, (str, int)) and not isinstance(token, bool) else ""
    return text if text.strip().strip("*") else ""


def _rights_of(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the rights that a rule or export grants, in comparable form. A rule does not show `apionly`."""
    iprange = record.get("iprange") or ""
    network = NETWORK.normalize_or_none(iprange)
    is_api_only = record.get("apionly") is not None and read_flag(record, "apionly")
    return str(iprange) if network is None else network, access_of(record), is_api_only
