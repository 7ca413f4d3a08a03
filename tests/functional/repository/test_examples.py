# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every example of the documentation is a task of the module's integration target, so that it is known to run."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils.connection import CONNECTION_OPTIONS
from harness.places import CHECKOUT

MODULES = sorted(path.stem for path in (CHECKOUT / "plugins" / "modules").glob("*.py"))

# Keywords that a target may add to an example's task.
AROUND = {"name", "register", "check_mode", "diff", "loop", "loop_control"}


def done_by(task: dict[str, Any]) -> dict[str, Any]:
    """Return what a task does, regardless of its name and of where the console is."""
    return {
        name: {k: v for k, v in value.items() if k not in CONNECTION_OPTIONS} if isinstance(value, dict) else value
        for name, value in task.items()
        if name not in AROUND
    }


def tasks_of_target(module: str) -> list[dict[str, Any]]:
    """Return the tasks of a module's integration target."""
    path = CHECKOUT / "tests" / "integration" / "targets" / module / "tasks" / "main.yml"
    (block,) = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [done_by(task) for task in block["block"]]


def examples_of(module: str) -> list[dict[str, Any]]:
    """Return the examples in a module's documentation."""
    text = (CHECKOUT / "plugins" / "modules" / f"{module}.py").read_text(encoding="utf-8")
    examples: list[dict[str, Any]] = yaml.safe_load(text.split('EXAMPLES = r"""')[1].split('"""')[0])
    return examples


EXAMPLES = [(module, example["name"], example) for module in MODULES for example in examples_of(module)]


@pytest.mark.parametrize(
    ("module", "example"), [pytest.param(module, example, id=f"{module}: {name}") for module, name, example in EXAMPLES]
)
def test_the_integration_target_runs_the_example(module: str, example: dict[str, Any]) -> None:
    assert done_by(example) in tasks_of_target(module)
