# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every example of the documentation is a task of an integration target, so that it is known to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from harness.places import CHECKOUT

# The documented plugins, by the integration target that runs their examples. A lookup shares that of the module.
DOCUMENTED = {
    **{path.stem: [path] for path in sorted((CHECKOUT / "plugins" / "modules").glob("*.py"))},
    **{f"filter_{path.stem}": [path] for path in sorted((CHECKOUT / "plugins" / "filter").glob("*.py"))},
}
for lookup in (CHECKOUT / "plugins" / "lookup").glob("*.py"):
    DOCUMENTED[lookup.stem].append(lookup)

# Keywords that a target may add to an example's task.
AROUND = {"name", "register", "check_mode", "diff", "loop", "loop_control"}


def done_by(task: dict[str, Any]) -> dict[str, Any]:
    """Return what a task does, regardless of its name and of where the console is."""
    return {
        name: {k: v for k, v in value.items() if k not in CONNECTION_OPTIONS} if isinstance(value, dict) else value
        for name, value in task.items()
        if name not in AROUND
    }


def tasks_of_target(target: str) -> list[dict[str, Any]]:
    """Return the tasks of an integration target."""
    path = CHECKOUT / "tests" / "integration" / "targets" / target / "tasks" / "main.yml"
    (block,) = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [done_by(task) for task in block["block"]]


def examples_in(path: Path) -> list[dict[str, Any]]:
    """Return the examples in the documentation of a plugin."""
    text = path.read_text(encoding="utf-8")
    examples: list[dict[str, Any]] = yaml.safe_load(text.split('EXAMPLES = r"""')[1].split('"""')[0])
    return examples


EXAMPLES = [
    pytest.param(target, example, id=f"{target}: {example['name']}")
    for target, paths in DOCUMENTED.items()
    for path in paths
    for example in examples_in(path)
]


@pytest.mark.parametrize(("target", "example"), EXAMPLES)
def test_the_integration_target_runs_the_example(target: str, example: dict[str, Any]) -> None:
    assert done_by(example) in tasks_of_target(target)
