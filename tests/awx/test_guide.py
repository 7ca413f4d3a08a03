# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The commands of the guide, run as they stand there, with and without an image."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from awx.client import Awx

SETUP, SETUP_WITH_IMAGE, REMOVAL = "export CONTROLLER_HOST", "awx_setup_execution_environment", "awx_setup_state=absent"
KINDS = ["credentials", "execution_environments", "inventories", "job_templates", "projects", "schedules"]
KINDS += ["workflow_job_templates"]


def made(awx: Awx) -> list[str]:
    """Return the names of the objects that have those of the guide."""
    return [each["name"] for kind in KINDS for each in awx.get(f"{kind}/?name__startswith=Console: ")["results"]]


@pytest.fixture
def guide_alone(awx: Awx, guide: Callable[[str], str]) -> Iterator[Callable[[str], str]]:
    """Yield the runner of the guide's commands, in an AWX without what they make; leave it so."""
    if names := made(awx):
        pytest.fail(f"this AWX has been set up by somebody: {names}")
    yield guide
    guide(REMOVAL)


@pytest.mark.parametrize("command", [SETUP, SETUP_WITH_IMAGE])
def test_the_commands_of_the_guide_do_what_it_says(
    awx: Awx, guide_alone: Callable[[str], str], command: str, console: Any
) -> None:
    image = os.environ.get("AWX_IMAGE")
    if command == SETUP_WITH_IMAGE and not image:
        pytest.skip("AWX_IMAGE names no image")
    assert re.search(r"changed=[1-9].* failed=0", guide_alone(command))
    assert re.search(r"changed=0 .* failed=0", guide_alone(command))
    assert len(made(awx)) == (11 if command == SETUP_WITH_IMAGE else 10)
    job = awx.ended(awx.start(awx.named("job_templates", "Console: report")))
    print(job.output)
    assert job.status == "successful"
    environment = awx.get(job.record["related"]["execution_environment"])
    assert (environment["image"] == image and environment["name"].startswith("Console: ")) == (command != SETUP)
    assert len(console.requests) > 0
    assert re.search(r"changed=[1-9].* failed=0", guide_alone(REMOVAL))
    assert made(awx) == []
