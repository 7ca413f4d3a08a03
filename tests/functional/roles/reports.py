# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the role report as users do, and reads what it wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib

from emulator import Emulator
from functional.support.outofprocess import run_command

FILES = ("report.html", "report.json", "report.md")
PLAY = """
- hosts: all
  gather_facts: false
  vars: {ansible_python_interpreter: "{{ ansible_playbook_python }}"}
  module_defaults: {group/managedfs.console.console: {console_url: "{{ managedfs_console_url | default('') }}", retries: 0}}
  roles: [managedfs.console.report]
"""


def run_report(
    emulator: Emulator, folder: Path, *options: str, consoles: dict[str, str] | None = None, **variables: Any
) -> str:
    """Run the role on localhost, or on a host for each console, by its URL; return the output and the statistics."""
    urls = consoles or {"localhost": emulator.url}
    hosts = {name: {"ansible_connection": "local", "managedfs_console_url": url} for name, url in urls.items()}
    (folder / "inventory.json").write_text(json.dumps({"all": {"hosts": hosts}}), encoding="utf-8")
    (folder / "play.yml").write_text(PLAY, encoding="utf-8")
    (folder / "variables.json").write_text(json.dumps(variables), encoding="utf-8")
    (folder / "ansible.cfg").write_text("[defaults]\nshow_custom_stats = true\n", encoding="utf-8")
    arguments = ["-i", "inventory.json", "play.yml", "-e", "@variables.json", *options]
    output = run_command(emulator, folder, "ansible-playbook", *arguments)
    print(output[-4000:])
    return output


def unsafe(value: Any) -> Any:
    """Return a JSON value with its texts as Ansible reads what is not a template."""
    if isinstance(value, dict):
        return {name: unsafe(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [unsafe(inner) for inner in value]
    return {"__ansible_unsafe": value} if isinstance(value, str) else value


def statistics(output: str) -> Any:
    """Return what a workflow would get."""
    return json.loads(output.split("CUSTOM STATS", 1)[1].split("RUN:", 1)[1])["managedfs_report"]


def summary(output: str) -> list[str]:
    """Return the lines that the role printed."""
    task = output.split("TASK [managedfs.console.report : Show the summary]", 1)[1].split("\nTASK", 1)[0]
    lines: list[str] = json.loads(task[task.index("=> ") + 3 :])["msg"]
    return lines


def parse_page(path: Path) -> Element:
    """Return the page; an error where it is not valid HTML."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root: Element = parser.parse(path.read_text(encoding="utf-8"))
    return root


def facts_in(folder: Path) -> Any:
    """Return the facts of a report."""
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def texts(value: Any) -> set[str]:
    """Return the texts that stand in the facts as values."""
    if isinstance(value, dict):
        return set().union(*(texts(inner) for name, inner in value.items() if name not in ("kind", "bytes")))
    if isinstance(value, list):
        return set().union(*map(texts, value))
    return {value} if isinstance(value, str) else set()
