# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs roles for many tests at once, since a start of ansible-playbook costs more than a play.

The first test of a file starts all selected ones. Each yields a play and is sent its result; one run of ansible-playbook
has the plays of all tests that wait. Every test has its own console, folder and host.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from emulator import Emulator
from functional.support.outofprocess import run_command
from functional.support.plays import ROLE_FAILED, Played
from harness.places import CHECKOUT

# Of all consoles, since ansible-playbook has them in its environment.
ACCESS_KEY, SECRET_KEY = "AKIDEXAMPLE", "of-all-consoles-side-by-side"


class Play(NamedTuple):
    """A play that includes a role, or has the tasks of a playbook of the collection, as a test yields it."""

    role: str
    variables: dict[str, Any]
    check: bool = False
    hosts: tuple[str, ...] = ()


Plays = Generator[Play, Played, None]
# The error of each test that has ended, by name
Ended = dict[str, BaseException | None]


@dataclass(frozen=True)
class Site:
    """The resources of one test: a console, and a folder below that of the playbook, whose name is that of its host."""

    folder: Path
    emulator: Emulator

    def play(self, role: str, *, check: bool = False, hosts: tuple[str, ...] = (), **variables: Any) -> Play:
        self.emulator.forget_requests()
        return Play(role, variables, check, hosts or (self.folder.name,))

    def path(self, name: str) -> str:
        """Return the path of a file or folder of the test, relative to the playbook."""
        return f"{self.folder.name}/{name}"

    def files(self, folder: str) -> dict[str, str]:
        """Return the files of a folder, without the schemas that a capture adds for editors."""
        found = [path for path in sorted((self.folder / folder).iterdir()) if not path.name.endswith(".schema.json")]
        return {path.name: path.read_text(encoding="utf-8") for path in found}


def side_by_side(steps: Callable[..., Plays]) -> Callable[..., None]:
    """Make a test of a function that takes a site and its parameters, and yields plays."""

    @functools.wraps(steps)
    def test(request: pytest.FixtureRequest, **_parameters: Any) -> None:
        error = request.getfixturevalue("ended")[request.node.name]
        if error is not None:
            raise error

    parameters = list(inspect.signature(steps).parameters.values())[1:]
    request = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY)
    vars(test).update(steps=steps, __signature__=inspect.Signature([*parameters, request]))
    return test


@pytest.fixture(scope="module")
def ended(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """Return the outcomes of the selected tests of a file, by their names."""
    folder = tmp_path_factory.mktemp("side-by-side")
    tests = [item for item in request.session.items if item.path == request.path and isinstance(item, pytest.Function)]
    with contextlib.ExitStack() as stack:
        run = _Run(folder)
        for test in tests:
            if hasattr(test.function, "steps"):
                emulator = stack.enter_context(Emulator(access_key=ACCESS_KEY, secret_key=SECRET_KEY))
                site = Site(folder / f"site{len(run.sites)}", emulator)
                site.folder.mkdir()
                parameters = test.callspec.params if hasattr(test, "callspec") else {}
                run.add(test.name, site, test.function.steps(site, **parameters))
        run.to_the_end()
    return run.ended


class _Run:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sites: dict[str, Site] = {}
        self.ended: Ended = {}
        self._steps: dict[str, Plays] = {}
        self._waiting: dict[str, Play] = {}

    def add(self, name: str, site: Site, steps: Plays) -> None:
        self.sites[name], self._steps[name] = site, steps
        self._advance(name, lambda: next(steps))

    def to_the_end(self) -> None:
        while self._waiting:
            for check in (False, True):
                due = [name for name, play in self._waiting.items() if play.check is check]
                for name, played in self._play(due, check):
                    self._advance(name, functools.partial(self._steps[name].send, played))

    def _advance(self, name: str, step: Callable[[], Play]) -> None:
        try:
            self._waiting[name] = step()
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - with which the test fails
            self._waiting.pop(name, None)
            self.ended[name] = None if isinstance(error, StopIteration) else error

    def _play(self, names: list[str], check: bool) -> list[tuple[str, Played]]:
        if not names:
            return []
        plays = [_play_of(self.sites[name], self._waiting[name]) for name in names]
        (self.folder / "play.yml").write_text(yaml.safe_dump(plays), encoding="utf-8")
        hosts = {host for name in names for host in self._waiting[name].hosts}
        local = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
        inventory = {"all": {"hosts": dict.fromkeys(hosts), "vars": local}}
        (self.folder / "hosts.yml").write_text(yaml.safe_dump(inventory), encoding="utf-8")
        options = ["--inventory", "hosts.yml", "--diff", *(["--check"] if check else []), "play.yml"]
        output = run_command(self.sites[names[0]].emulator, self.folder, "ansible-playbook", *options)
        parts = re.split(r"^PLAY (?:\[.*\]|RECAP) \**$", output, flags=re.MULTILINE)[1:]
        assert len(parts) == len(names) + 1, output
        return list(zip(names, map(Played, parts), strict=False))


def _play_of(site: Site, play: Play) -> dict[str, Any]:
    """Return a play. Ansible would run no other after one that fails."""
    tasks = [{"ansible.builtin.include_role": {"name": f"managedfs.console.{play.role}"}, "vars": play.variables}]
    if play.role.endswith(".yml"):
        ((*_facts, tasks),) = (one.values() for one in yaml.safe_load((CHECKOUT / "playbooks" / play.role).read_text()))
        tasks = [{"block": tasks, "vars": play.variables}]
    return {
        "name": site.folder.name,
        "hosts": ",".join(play.hosts),
        "gather_facts": False,
        "vars": {"managedfs_console_url": site.emulator.url},
        "environment": {"MANAGEDFS_CONSOLE_URL": "{{ managedfs_console_url }}"},
        "tasks": [{"block": tasks, "rescue": [{"ansible.builtin.debug": {"msg": ROLE_FAILED}}]}],
    }
