# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Somebody who follows a guide: with a shell that keeps its folder and variables, a home, and nothing but this environment."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from functional.docs.guides import Step
from functional.support.outofprocess import PATIENCE

GIT_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "A user"), ("EMAIL", "user@example.com"))
}
# Nothing of what runs the tests.
DROPPED = ("ANSIBLE_", "MANAGEDFS_", "PYTHON")
# What a guide installs with pip is there already, and must be.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
EXPORT = re.compile(r"^export (\w+)=(.*)$")


class Reader:
    """A reader, who starts in an empty home with these variables, and writes these words in place of the guide's."""

    def __init__(self, folder: Path, variables: dict[str, str], words: dict[str, str]) -> None:
        """Open a terminal."""
        self.home = folder / "home"
        self.home.mkdir()
        self.left_behind = folder / "variables"
        self.words = words
        own = {
            "HOME": str(self.home),
            "PWD": str(self.home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "ANSIBLE_REMOTE_TMP": str(self.home / "remote"),
        }
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
        self.variables = {**inherited, **own, **OFFLINE, **GIT_IDENTITY, **variables}
        self.printed = ""
        self.jobs: set[str] = set()
        self.other_terminals: list[subprocess.Popen[str]] = []

    def follow(self, step: Step) -> None:
        """Do what a step says, and compare what it shows."""
        if step.kind == "run":
            self.run(self.in_own_words(step.text))
        elif step.kind == "terminal":
            self.open_terminal(step.text)
        elif step.kind == "file":
            self.save(step)
        elif step.kind == "job":
            self.save(step)
            self.run_job(yaml.safe_load(step.text))
        elif step.kind == "captured":
            assert without_comments((self.folder / step.name).read_text(encoding="utf-8")) == step.text
        else:
            assert step.kind == "printed", step.kind
            assert all(line in self.printed for line in step.text.splitlines()), self.printed

    @property
    def folder(self) -> Path:
        """Return the current folder of the shell."""
        return Path(self.variables["PWD"])

    def run(self, script: str) -> None:
        """Run commands in the shell, which must succeed; it keeps folder and variables for the next ones."""
        command = self._bash(f"{script}\nenv -0 > {shlex.quote(str(self.left_behind))}")
        done = subprocess.run(
            command, cwd=self.folder, env=self.variables, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        self.printed = done.stdout + done.stderr
        assert done.returncode == 0, f"{script}\n{self.printed}"
        pairs = self.left_behind.read_text(encoding="utf-8").split("\0")
        self.variables = dict(pair.split("=", 1) for pair in pairs if pair)

    def open_terminal(self, script: str) -> None:
        """Start the emulator in another terminal, on a free port, and take over the variables that it prints."""
        command = self._bash(f"{script} --port 0")
        terminal = subprocess.Popen(
            command, cwd=self.folder, env=self.variables, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self.other_terminals.append(terminal)
        assert terminal.stdout
        taken: dict[str, str] = {}
        for line in terminal.stdout:
            if found := EXPORT.match(line):
                taken[found[1]] = shlex.join(shlex.split(found[2]))
            if len(taken) == 3:
                break
        assert len(taken) == 3, f"{script} printed no variables"
        self.variables |= taken

    def save(self, step: Step) -> None:
        """Save a file."""
        path = self.folder / step.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{self.in_own_words(step.text)}\n", encoding="utf-8")

    def in_own_words(self, text: str) -> str:
        """Return a text of the guide with addresses and keys that exist."""
        for guide, own in self.words.items():
            text = re.sub(guide, own, text)
        return text

    def run_job(self, pipeline: dict[str, Any]) -> None:
        """Run the commands of a CI server's file, of a job's script or of its steps, unless another job had the same."""
        for job in pipeline.get("jobs", pipeline).values():
            commands = "\n".join(job.get("script") or [step["run"] for step in job["steps"] if "run" in step])
            assert commands
            if commands not in self.jobs:
                self.run(commands)
                self.jobs.add(commands)

    def leave(self) -> None:
        """Close the other terminals."""
        for terminal in self.other_terminals:
            os.killpg(terminal.pid, signal.SIGTERM)
            terminal.communicate(timeout=PATIENCE)

    @staticmethod
    def _bash(script: str) -> list[str]:
        return ["bash", "-euo", "pipefail", "-c", script]


def without_comments(text: str) -> str:
    """Return the lines of a file that say something."""
    return "\n".join(line for line in text.splitlines() if line.strip() and not line.startswith(("#", "---")))
