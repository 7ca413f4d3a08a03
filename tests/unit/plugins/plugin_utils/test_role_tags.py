# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which tags of a run select the tasks of a role, and what is said where none does."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_tags import explain, selects

SELECTED: dict[str, tuple[list[str], list[str], bool]] = {
    "no tags are given": (["all"], ["always"], True),
    "a tag of the role": (["storage"], ["always", "storage"], True),
    "another tag": (["network"], ["always", "storage"], False),
    "always is nobody's": (["always"], ["always"], False),
    "all that have tags": (["tagged"], ["always", "storage"], True),
    "all that have tags, but the role has none": (["tagged"], ["always"], False),
    "all that have none": (["untagged"], ["always"], True),
    "all that have none, but the role has one": (["untagged"], ["always", "storage"], False),
}


@pytest.mark.parametrize(("run", "task", "selected"), SELECTED.values(), ids=SELECTED)
def test_tags_select_a_role(run: list[str], task: list[str], selected: bool) -> None:
    assert selects(run, task) is selected


@pytest.mark.parametrize("tag", ["projects", "pro*"])
@pytest.mark.parametrize(
    ("role", "limit"), [("report", ", and set report_only to limit the run to it"), ("validate", "")]
)
def test_a_volume_is_no_tag(tag: str, role: str, limit: str) -> None:
    with pytest.raises(ConsoleError, match=f"'{tag[:3]}.*' is a volume, and no tag. Leave out --tags{limit}.$"):
        explain(role, ["network", tag], ["archive", "projects"])


def test_a_role_says_that_it_does_nothing() -> None:
    assert explain("apply", ["b", "a"], ["projects"]) == (
        "The role apply does nothing, since none of its tasks has one of the tags a, b."
    )
