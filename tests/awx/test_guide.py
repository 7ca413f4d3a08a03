# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guide, followed line by line as it stands, through a gateway that answers below its prefix alone."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from awx.client import Awx
from awx.conftest import GUIDE, Project, Shell, kind_of
from awx.gateway import PREFIX, gateway
from emulator import Emulator
from functional.docs.reader import Reader, Step, steps

KINDS = ["credentials", "execution_environments", "hosts", "inventories", "job_templates", "projects", "schedules"]
KINDS += ["workflow_job_templates"]
# The reader sets up AWX for one console, and for several.
PREFIXES = ("Console", "Consoles")
# The text of a step in AWX: a template, with a prefix other than the first one, the decision for a workflow, the answers to its
# survey, and the final status.
IN_AWX = re.compile(
    r"(?:(?P<prefix>[A-Z]\w+): )?(?P<name>[a-z ]+?)(?: (?P<decision>approve))?(?: (?P<answers>\{.*\}))? (?P<status>[a-z]+)"
)


def made(awx: Awx) -> list[str]:
    """Return the names of the objects that the guide makes in AWX."""
    pages = [awx.get(f"{kind}/?name__startswith={prefix}: ") for kind in KINDS for prefix in PREFIXES]
    return [each["name"] for page in pages for each in page["results"]]


@pytest.fixture
def reader(
    awx: Awx, project: Project, console: Emulator, environment: dict[str, str], shell: Shell, tmp_path: Path
) -> Iterator[Reader]:
    """Yield a reader with two empty Git repositories, who pushes to them by their paths. AWX is cleaned up at the end."""
    if names := made(awx):
        pytest.fail(f"this AWX has been set up by somebody: {names}")
    repositories = {name: project.empty(f"{name}.git") for name in ("console", "consoles")}
    words = {
        "USERNAME=admin": f"USERNAME={os.environ['AWX_USERNAME']}",
        r"PASSWORD=\.\.\.": f"PASSWORD={os.environ['AWX_PASSWORD']}",
        **{rf"https://git\.example\.com/{name}\.git": url for name, (url, _bare) in repositories.items()},
        r"https://files\.example\.com/\S+": project.archive_url,
        r"managedfs\.console awx\.awx": str(project.archive),
        r"https://(?:berlin|lisbon)\.example\.com": console.url,
        "your-access-key": console.access_key,
        "your-secret-key": console.secret_key,
    }
    variables = {name: value for name, value in environment.items() if name.startswith("MANAGEDFS_")}
    collections = f"{tmp_path}/home/.ansible/collections{os.pathsep}{os.environ['AWX_COLLECTIONS']}"
    variables["ANSIBLE_COLLECTIONS_PATH"] = collections
    # As the guide says for a gateway.
    variables["CONTROLLER_OPTIONAL_API_URLPATTERN_PREFIX"] = PREFIX
    variables["GIT_CONFIG_COUNT"] = str(len(repositories))
    for number, (url, bare) in enumerate(repositories.values()):
        variables |= {f"GIT_CONFIG_KEY_{number}": f"url.{bare}.pushInsteadOf", f"GIT_CONFIG_VALUE_{number}": url}
    with gateway(os.environ["AWX_URL"]) as address:
        reader = Reader(tmp_path, variables, words | {"https://awx.example.com": address})
        yield reader
        reader.leave()
    # After a failed step, the guide has removed nothing.
    for prefix in PREFIXES if made(awx) else ():
        remove = f"ansible-playbook managedfs.console.awx_setup -e awx_setup_state=absent -e awx_setup_prefix={prefix}"
        assert "failed=0" in shell(remove)


def do_in_awx(awx: Awx, console: Emulator, text: str) -> None:
    """Start the template of a step, decide, and check the final status."""
    said = IN_AWX.fullmatch(text)
    assert said, text
    kind = kind_of(said["name"])
    template = awx.named(kind, f"{said['prefix'] or PREFIXES[0]}: {said['name']}")
    run = awx.start(template, extra_vars=json.loads(said["answers"] or "{}"))
    if said["decision"]:
        awx.wait_for_question(run)
        awx.decide(run, said["decision"])
    job: Any = awx.wait(run)
    if kind == "job_templates":
        ended = awx.ended(run)
        print(ended.output)
        assert [each for each in (console.secret_key, *console.tokens()) if each in ended.stored] == []
    assert job["status"] == said["status"], text


def follow(reader: Reader, step: Step) -> None:
    """Take a step outside of AWX. A setup that runs once more must change nothing."""
    reader.follow(step)
    if "awx_setup_project_url" in step.text:
        assert re.search(r"changed=[1-9].* failed=0", reader.printed)
        reader.follow(step)
        assert re.search(r"changed=0 .* failed=0", reader.printed)


def test_the_guide_can_be_followed(awx: Awx, reader: Reader, console: Emulator) -> None:
    volume = console.add_volume(name="projects", bucket="https://projects.s3.example.com")
    console.add_export(volume, desc="web", iprange="192.168.0.0/24", readonly=True)
    taken = [step for step in steps(GUIDE) if step.kind != "message"]
    assert len(taken) > 20
    for step in taken:
        if step.kind == "awx":
            do_in_awx(awx, console, step.text)
        else:
            follow(reader, step)
    assert made(awx) == []
    assert [volume["name"] for volume in console.volumes()] == ["projects", "research"]
