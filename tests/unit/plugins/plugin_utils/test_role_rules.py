# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the variables of a role must be together."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_rules import Values, broken_rules

ONE_OF = "One of apply_source and apply_volumes is required, and not both."
IN_CHECK_MODE = "apply_fail_on_changes is for check mode. Otherwise it would fail only after the changes are made."
NOT_BOTH = "report_source and report_volumes are mutually exclusive. Set one of them."
NO_STATE = "report_fail_on_drift needs a desired state. Set report_source or report_volumes."
NOTHING = "There is nothing to do for tenant blue: set tenant_size or tenant_inodes for a quota, or tenant_iprange for an export."
NO_TOKEN = "tenant_token_file is set, but there is no token without an export: set tenant_iprange, too."
BLUE = {"name": "blue", "state": "present"}
GONE = {"name": "blue", "state": "absent"}

# The role, its variables, long lists that are set beside them, whether it is check mode, and what is said.
ROWS: list[tuple[str, dict[str, Any], str, bool, list[str]]] = [
    ("apply", {}, "", False, [ONE_OF]),
    ("apply", {"source": "a"}, "", False, []),
    ("apply", {}, "volumes", False, []),
    ("apply", {"source": "a"}, "volumes", False, [ONE_OF]),
    ("apply", {"source": "a", "fail_on_changes": True}, "", False, [IN_CHECK_MODE]),
    ("apply", {"source": "a", "fail_on_changes": True}, "", True, []),
    ("apply", {"source": "a", "fail_on_changes": False}, "", False, []),
    ("apply", {"fail_on_changes": True}, "", False, [ONE_OF, IN_CHECK_MODE]),
    ("report", {}, "", False, []),
    ("report", {"source": "a"}, "volumes", False, [NOT_BOTH]),
    ("report", {"fail_on_drift": True}, "", False, [NO_STATE]),
    ("report", {"fail_on_drift": False}, "", False, []),
    ("report", {"fail_on_drift": True, "source": "a"}, "", False, []),
    ("report", {"fail_on_drift": True}, "volumes", False, []),
    ("tenant", BLUE, "", False, [NOTHING]),
    ("tenant", {**BLUE, "size": "0"}, "", False, []),
    ("tenant", {**BLUE, "inodes": 0}, "", False, []),
    ("tenant", {**BLUE, "iprange": "*"}, "", False, []),
    ("tenant", {**BLUE, "size": "0", "token_file": "/t"}, "", False, [NO_TOKEN]),
    ("tenant", {**BLUE, "iprange": "*", "token_file": "/t"}, "", False, []),
    ("tenant", GONE, "", False, []),
    ("tenant", {**GONE, "token_file": "/t"}, "", False, []),
    ("tenant", {**BLUE, "name": "{blue}", "size": "0"}, "", False, []),
    ("capture", {"dest": "a"}, "", False, []),
]


@pytest.mark.parametrize(("role", "given", "lists", "check_mode", "said"), ROWS)
def test_what_is_broken_is_said(
    role: str, given: dict[str, Any], lists: str, check_mode: bool, said: list[str]
) -> None:
    names = {*given, *lists.split()}
    assert broken_rules(role, Values(given, names, check_mode)) == said
