# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the variables of a role must be together, when each is valid by itself. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

Given = Mapping[str, Any]


class Values(NamedTuple):
    """The variables of a role, by name without its prefix."""

    given: Given
    """The values; of long lists there are none."""
    names: AbstractSet[str]
    """Those that are set, long lists among them."""
    check_mode: bool = False


class Rule(NamedTuple):
    """A condition that variables must not meet, and what to say if they do; values can be inserted into that."""

    is_broken: Callable[[Values], bool]
    message: str


def _one_of(*names: str) -> Callable[[Values], bool]:
    return lambda values: sum(name in values.names for name in names) != 1


def _together(*names: str) -> Callable[[Values], bool]:
    return lambda values: values.names >= set(names)


def _alone(name: str, *others: str, state: str = "") -> Callable[[Values], bool]:
    """Return whether an option is true, or set, without any of those that it needs."""
    return lambda values: bool(values.given.get(name)) and not set(others) & values.names and _is_about(values, state)


def _is_about(values: Values, state: str) -> bool:
    return not state or values.given.get("state") == state


RULES: Mapping[str, tuple[Rule, ...]] = {
    "apply": (
        Rule(_one_of("source", "volumes"), "One of apply_source and apply_volumes is required, and not both."),
        Rule(
            lambda values: bool(values.given.get("fail_on_changes")) and not values.check_mode,
            "apply_fail_on_changes is for check mode. Otherwise it would fail only after the changes are made.",
        ),
    ),
    "report": (
        Rule(
            _together("source", "volumes"),
            "report_source and report_volumes are mutually exclusive. Set one of them.",
        ),
        Rule(
            _alone("fail_on_drift", "source", "volumes"),
            "report_fail_on_drift needs a desired state. Set report_source or report_volumes.",
        ),
    ),
    "tenant": (
        Rule(
            lambda values: _is_about(values, "present") and not {"size", "inodes", "iprange"} & values.names,
            "There is nothing to do for tenant {name}: set tenant_size or tenant_inodes for a quota, or tenant_iprange for"
            " an export.",
        ),
        Rule(
            _alone("token_file", "iprange", state="present"),
            "tenant_token_file is set, but there is no token without an export: set tenant_iprange, too.",
        ),
    ),
}


def broken_rules(role: str, values: Values) -> list[str]:
    """Return what is wrong with the variables of a role together."""
    return [rule.message.format(**values.given) for rule in RULES.get(role, ()) if rule.is_broken(values)]
