# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The settings of a probe as data: they are those of the emulator, and the documentation lists them as they are.

`WRITE=1` in the environment writes the table into the documentation.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.probe import steps
from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.inference.finding import OTHER, Setting
from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.profile import SETTINGS
from emulator import CHOICES
from emulator.profile import OFFSET
from harness.places import CHECKOUT

PAGE = CHECKOUT / "docs" / "docsite" / "rst" / "probe.rst"
BEGIN, END = ".. settings: begin\n", ".. settings: end\n"
# Settings for which the emulator takes other numbers than those to choose from.
MEASURES = {name for name, values in CHOICES.items() if type(values[0]) in (int, float)} - {
    "create_status",
    "delete_status",
    "auth_status",
}
WIDTH = 120
# Values that a probe does not tell.
NOT_TOLD = {"put": {"lose"}, "put_alters": {"token", "vanish", "replace"}}


def test_the_settings_are_those_of_the_emulator() -> None:
    assert {setting.name for setting in SETTINGS} == {*CHOICES, OFFSET} - {"put_hides"}
    assert len(SETTINGS) == len(CHOICES)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_value_has_a_meaning(setting: Setting) -> None:
    values = [value for value in CHOICES.get(setting.name, (0, 300)) if value not in NOT_TOLD.get(setting.name, ())]
    for value in values:
        assert setting.meaning(value).endswith("."), value
    if setting.name not in MEASURES and setting.name != OFFSET:
        assert {(type(value), value) for value in values} == {(type(value), value) for value in setting.meanings}


def test_a_meaning_tells_the_number() -> None:
    (setting,) = [setting for setting in SETTINGS if setting.name == "page_size"]
    assert setting.meaning(25) == "A list takes one request for every 25 records."


def test_steps_have_names_of_their_own_and_mark_what_they_make() -> None:
    names = [step.name for step in steps.ALL]
    assert len(names) == len(set(names))
    for step in steps.WRITES:
        key = {"exports": "desc", "quotas": "path"}[step.list]
        assert step.body is None or "{mark}" in step.body[key], step.name


def test_the_documentation_lists_the_settings() -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _table, after = rest.split(END)
    current = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if os.environ.get("WRITE"):
        PAGE.write_text(current, encoding="utf-8")
    assert text == current


def table() -> str:
    """Return the settings as a table in reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 18 30 22 30", ""]
    lines += row("Setting", ["Sent or looked at"], ["Cannot be seen"], ["Value: what it means for playbooks"])
    for setting in sorted(SETTINGS):
        lines += row(f"``{setting.name}``", [setting.looked_at], [setting.unseen or "—"], meanings(setting))
    return "\n".join(lines) + "\n"


def row(*cells: str | list[str]) -> list[str]:
    """Return a row of the table: each cell is a text, or the paragraphs of one."""
    lines = []
    for number, cell in enumerate(cells):
        paragraphs = [cell] if isinstance(cell, str) else cell
        for place, paragraph in enumerate(paragraphs):
            first = f"   {'*' if number == 0 else ' '} - " if place == 0 else "       "
            lines += ([""] if place else []) + [first + paragraph]
    return lines


def meanings(setting: Setting) -> list[str]:
    """Return the values of a setting, those with one meaning together."""
    by_text: dict[str, list[str]] = {}
    for value, text in setting.meanings.items():
        by_text.setdefault(text, []).append(written(value))
    return [f"{', '.join(values)}: {plain(text)}" for text, values in by_text.items()]


def written(value: Any) -> str:
    """Return a value as a profile has it."""
    return value if value == OTHER else f"``{json.dumps(value)}``"


def plain(text: str) -> str:
    """Return a meaning with a letter for the number in it."""
    return text.replace("{value:g}", "*n*").replace("{value}", "*n*")
