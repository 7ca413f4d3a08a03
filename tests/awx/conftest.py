# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The fixtures of the tests: an AWX, a console that its jobs can reach, and the templates in AWX."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
import yaml

from awx.client import ENDED, Awx, Job
from emulator import Emulator
from harness.places import CHECKOUT, linked_tree

NEEDED = """\
A real AWX is needed, and was not found. Set:
  AWX_URL          its address, such as https://awx.example.com
  AWX_USERNAME     a system administrator, since only they can create a credential type
  AWX_PASSWORD     their password
  AWX_COLLECTIONS  a folder of collections that has awx.awx
and where it is needed:
  AWX_ADDRESS      the address of this machine as the jobs of that AWX see it (127.0.0.1)
  AWX_IMAGE        an image for the jobs, with the Python library requests (AWX's own choice). Run the tests with one for
                   ansible-core 2.18 or earlier, and one for a later version: they read answers differently.
The organization Default must exist. What the tests make in AWX has names of its own, or those of the guide, which must not
exist yet. It is removed at the end."""
GUIDE = CHECKOUT / "docs" / "docsite" / "rst" / "guide_awx.rst"
IDENTITY = ["-c", "user.name=Example", "-c", "user.email=example@example.com", "-c", "commit.gpgsign=false"]

WORKFLOWS = ("change", "new token")

# Start a template by its name without the prefix. Launch also waits for its end, and returns the job.
Start = Callable[..., dict[str, Any]]
Launch = Callable[..., Job]
# Start a workflow with answers, and perhaps a limit, and return it once it waits for its approval or has ended.
Ask = Callable[..., dict[str, Any]]
# Run a command, with further environment variables, and return its output.
Shell = Callable[..., str]


def kind_of(name: str) -> str:
    """Return the type that a template has in AWX, by its name without the prefix."""
    return "workflow_job_templates" if name in WORKFLOWS else "job_templates"


class Installation(NamedTuple):
    """The objects of awx_setup: the prefix of their names, and a function that runs it again and returns its output."""

    prefix: str
    run: Callable[..., str]


class Project:
    """A Git repository with a copy of an example project, served over HTTP together with the collection."""

    def __init__(self, folder: Path, address: str, *examples: str) -> None:
        """Publish copies of examples, one over the other, and the collection, at the address."""
        self._public, self.folder = folder / "public", folder / "project"
        for example in examples:
            shutil.copytree(CHECKOUT / "examples" / example, self.folder, dirs_exist_ok=True)
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(self._public))
        self._server = http.server.ThreadingHTTPServer((address, 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._base = f"http://{address}:{self._server.server_port}"
        self.url = f"{self._base}/project.git"
        self._require()
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", self.folder], check=True)
        self.push()

    def _require(self) -> None:
        """Build the archive of the collection, and let the project require it."""
        galaxy = Path(sys.executable).with_name("ansible-galaxy")
        build = [str(galaxy), "collection", "build", "--output-path", str(self._public), str(CHECKOUT)]
        subprocess.run(build, check=True, capture_output=True)
        self.archive = next(self._public.glob("*.tar.gz"))
        self.archive_url = f"{self._base}/{self.archive.name}"
        self.write("collections/requirements.yml", {"collections": [{"name": self.archive_url, "type": "url"}]})

    def publish(self, volumes: list[dict[str, Any]]) -> None:
        (self.folder / "desired" / "projects.yml").unlink(missing_ok=True)
        self.write("desired/volumes.yml", volumes)
        self.push()

    def push(self) -> None:
        bare = self._public / "project.git"
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "--message", "Another desired state")
        shutil.rmtree(bare, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", "--bare", self.folder, bare], check=True)
        subprocess.run(["git", "-C", bare, "update-server-info"], check=True)

    def empty(self, name: str) -> tuple[str, Path]:
        """Make an empty repository beside that of the project, and return its URL for reading and its path for writing."""
        bare = self._public / name
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", bare], check=True)
        hook = bare / "hooks" / "post-update"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexec git update-server-info\n", encoding="utf-8")
        hook.chmod(0o755)
        return f"{self._base}/{name}", bare

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def write(self, name: str, content: Any) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(content), encoding="utf-8")

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", self.folder, *IDENTITY, *arguments], check=True, env=os.environ)


def pytest_sessionstart() -> None:
    """Stop with the requirements if one is missing."""
    if not all(os.environ.get(name) for name in ("AWX_URL", "AWX_USERNAME", "AWX_PASSWORD", "AWX_COLLECTIONS")):
        pytest.exit(NEEDED, returncode=2)


@pytest.fixture(scope="session")
def awx() -> Awx:
    return Awx(os.environ["AWX_URL"], os.environ["AWX_USERNAME"], os.environ["AWX_PASSWORD"])


@pytest.fixture(scope="session")
def address() -> str:
    return os.environ.get("AWX_ADDRESS", "127.0.0.1")


@pytest.fixture(scope="session")
def console(address: str) -> Iterator[Emulator]:
    with Emulator(host=address) as emulator:
        yield emulator


@pytest.fixture(autouse=True)
def _empty(console: Emulator) -> None:
    console.reset()


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory, address: str) -> Iterator[Project]:
    project = Project(tmp_path_factory.mktemp("published"), address, "awx-project")
    yield project
    project.stop()


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory, console: Emulator) -> dict[str, str]:
    """Return the environment of a shell in which a user sets up AWX for the console."""
    folder = tmp_path_factory.mktemp("setup")
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "CONTROLLER_HOST": os.environ["AWX_URL"],
        "CONTROLLER_USERNAME": os.environ["AWX_USERNAME"],
        "CONTROLLER_PASSWORD": os.environ["AWX_PASSWORD"],
        "ANSIBLE_COLLECTIONS_PATH": f"{linked_tree()}{os.pathsep}{os.environ['AWX_COLLECTIONS']}",
        "MANAGEDFS_CONSOLE_URL": console.url,
        "MANAGEDFS_ACCESS_KEY": console.access_key,
        "MANAGEDFS_SECRET_KEY": console.secret_key,
        # Keeps tests with a console that is away short.
        "MANAGEDFS_RETRIES": "1",
        "ANSIBLE_REMOTE_TMP": str(folder / "remote"),
    }


@pytest.fixture(scope="session")
def shell(environment: dict[str, str], console: Emulator) -> Shell:
    """Return a function that runs a command and returns its output."""

    def shell(command: str, variables: Mapping[str, str] = MappingProxyType({})) -> str:
        program = ["bash", "-e", "-c", command]
        variables = {**environment, **variables}
        done = subprocess.run(program, env=variables, capture_output=True, text=True, check=False)
        print(done.stdout, done.stderr)
        assert console.secret_key not in done.stdout + done.stderr
        return done.stdout

    return shell


@pytest.fixture(scope="session")
def installation(shell: Shell, project: Project) -> Iterator[Installation]:
    """Set up AWX under unique names, and remove everything at the end."""
    with installed(shell, project) as installation:
        yield installation


@contextlib.contextmanager
def installed(shell: Shell, project: Project, **always: Any) -> Iterator[Installation]:
    """Set up AWX for a project, with these variables in each run, and remove everything at the end."""
    # A pattern would take the parentheses for a group.
    prefix = f"Console ({secrets.token_hex(4)})"
    image = os.environ.get("AWX_IMAGE", "")
    always |= {"project_url": project.url, "prefix": prefix, "execution_environment": image}

    def run(environment: Mapping[str, str] = MappingProxyType({}), **variables: Any) -> str:
        given = {f"awx_setup_{name}": value for name, value in (always | variables).items()}
        return shell(
            shlex.join(["ansible-playbook", "managedfs.console.awx_setup", "-e", json.dumps(given)]), environment
        )

    assert "failed=0" in run()
    try:
        yield Installation(prefix, run)
    finally:
        assert "failed=0" in run(state="absent")


@pytest.fixture
def started(awx: Awx, installation: Installation) -> Start:
    """Return a function that starts a template with answers to its survey, and returns the run."""

    def start(name: str, answers: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
        template = awx.named(kind_of(name), f"{installation.prefix}: {name}")
        return awx.start(template, extra_vars=answers or {}, **fields)

    return start


@pytest.fixture
def launch(awx: Awx, console: Emulator, started: Start) -> Launch:
    """Return a function that starts a job and waits for its end. AWX must not store any secret of it."""

    def launch(name: str, answers: dict[str, Any] | None = None, **fields: Any) -> Job:
        job = awx.ended(started(name, answers, **fields))
        print(job.output)
        assert [each for each in (console.secret_key, *console.tokens()) if each in job.stored] == []
        return job

    return launch


@pytest.fixture
def ask(awx: Awx, started: Start) -> Iterator[Ask]:
    """Yield a function that starts a workflow, and returns it once it waits or has ended."""
    runs = []

    def ask(name: str, limit: str = "", **answers: Any) -> dict[str, Any]:
        runs.append(run := started(name, answers, **({"limit": limit} if limit else {})))
        return awx.wait_for_question(run)

    yield ask
    # A run that a failed test has left would hold up the next one.
    for run in runs:
        if awx.get(run["url"])["status"] not in ENDED:
            awx.post(run["related"]["cancel"])
