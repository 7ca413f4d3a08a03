# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The steps of a guide, and somebody who takes them: with a shell that keeps its folder and variables, and a home.

A code block of language `shell` is a command. The classes of other blocks say what they are: `terminal` is a command
for another terminal, `file` is to be saved under its name, `captured` is what such a file contains, `printed` is part of
what the last command printed. A comment that begins with `run:` is what happens behind the reader's back, one with `awx:`
what is started in AWX, and how it ends.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives

from functional.support.outofprocess import PATIENCE

GIT_IDENTITY = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "A user")
GIT_IDENTITY |= dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "user@example.com")
# Variables of the test run that must not leak into the shell.
DROPPED = ("ANSIBLE_", "MANAGEDFS_", "PYTHON")
# Packages that a guide installs with pip must be installed already.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
EXPORT = re.compile(r"^export (\w+)=(.*)$")


class Step(NamedTuple):
    """A step, of the kind that its class names, or `run`."""

    kind: str
    text: str
    name: str = ""


class CodeBlock(Directive):
    """Sphinx's directive, as guides use it."""

    has_content = True
    optional_arguments = 1
    option_spec = {"class": directives.unchanged, "name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return a literal block that knows its language and class."""
        block = nodes.literal_block(text="\n".join(self.content))
        block["language"] = (self.arguments or [""])[0]
        block["kind"] = self.options.get("class", "")
        block["name"] = self.options.get("name", "")
        return [block]


def steps(guide: Path) -> list[Step]:
    """Return the steps of a guide in their order."""
    directives.register_directive("code-block", CodeBlock)
    settings: dict[str, Any] = {"report_level": 5, "file_insertion_enabled": False}
    tree = publish_doctree(guide.read_text(encoding="utf-8"), settings_overrides=settings)
    found = [_step(node) for node in tree.findall() if isinstance(node, (nodes.literal_block, nodes.comment))]
    return [step for step in found if step]


def _step(node: nodes.Element) -> Step | None:
    text = node.astext()
    if isinstance(node, nodes.comment):
        kind, _colon, rest = text.partition(": ")
        return Step(kind, rest) if kind in ("run", "awx") else None
    if node.get("kind"):
        return Step(node["kind"], text, node["name"])
    return Step("run", text) if node.get("language") == "shell" else None


class Reader:
    """A reader, who starts in an empty home with these variables, and replaces words of the guide by these."""

    def __init__(self, folder: Path, variables: dict[str, str], words: dict[str, str]) -> None:
        """Open a terminal."""
        self.home = folder / "home"
        self.home.mkdir()
        self.left_behind = folder / "variables"
        self.words = words
        home = {
            "HOME": str(self.home),
            "PWD": str(self.home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "ANSIBLE_REMOTE_TMP": str(self.home / "remote"),
        }
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
        self.variables = {**inherited, **home, **OFFLINE, **GIT_IDENTITY, **variables}
        self.printed = ""
        self.other_terminals: list[subprocess.Popen[str]] = []

    def follow(self, step: Step) -> None:
        """Take a step, and compare its output."""
        if step.kind == "run":
            self.run(self.substitute(step.text))
        elif step.kind == "terminal":
            self.open_terminal(step.text)
        elif step.kind == "file":
            self.save(step)
        elif step.kind == "captured":
            assert without_comments((self.folder / step.name).read_text(encoding="utf-8")) == step.text
        else:
            assert step.kind == "printed", step.kind
            expected = self.substitute(step.text).splitlines()
            assert all(line in self.printed for line in expected), self.printed

    @property
    def folder(self) -> Path:
        """Return the current folder of the shell."""
        return Path(self.variables["PWD"])

    def run(self, script: str) -> None:
        """Run commands in the shell, which must succeed; it keeps folder and variables for the next ones.

        The shell itself goes on after a command that begins with an exclamation mark, whatever becomes of it.
        """
        command = self._bash(f"{script}\ntest $? = 0\nenv -0 > {shlex.quote(str(self.left_behind))}")
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
        path.write_text(f"{self.substitute(step.text)}\n", encoding="utf-8")

    def substitute(self, text: str) -> str:
        """Return a text of the guide with addresses and keys that exist."""
        for pattern, replacement in self.words.items():
            text = re.sub(pattern, replacement, text)
        return text

    def leave(self) -> None:
        """Close the other terminals."""
        for terminal in self.other_terminals:
            os.killpg(terminal.pid, signal.SIGTERM)
            terminal.communicate(timeout=PATIENCE)

    @staticmethod
    def _bash(script: str) -> list[str]:
        return ["bash", "-euo", "pipefail", "-c", script]


def without_comments(text: str) -> str:
    """Return the lines of a file that are neither blank nor comments."""
    return "\n".join(line for line in text.splitlines() if line.strip() and not line.startswith(("#", "---")))
