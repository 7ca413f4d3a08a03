# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each hint of a message to an option is true wherever it appears: in tasks of modules, for items of lists, and in roles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.action.volumes import ActionModule
from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    LISTS_OF_VOLUME,
    QUOTA,
    VOLUME,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from harness.places import CHECKOUT

ONE, LISTS, BELOW = ("export", "quota"), ("exports", "quotas"), ("export_info", "quota_info")
ROLES = sorted(path.name for path in (CHECKOUT / "roles").iterdir())
MODULES = ("volume", *ONE, *LISTS, "volumes", *BELOW, "volume_info", "export_rotation")
ITEMS = {
    "exports": item_options(EXPORT),
    "quotas": item_options(QUOTA),
    "volumes": {**item_options(VOLUME, LISTS_OF_VOLUME), **item_options(EXPORT), **item_options(QUOTA)},
}


def options_of(place: str) -> set[str]:
    """Return the options of a module and its items, or the variables of a role without its name."""
    if place not in ROLES:
        return {*ActionModule.OPERATIONS[place].argument_spec, *ITEMS.get(place, ())}
    specs = yaml.safe_load((CHECKOUT / "roles" / place / "meta" / "argument_specs.yml").read_text(encoding="utf-8"))
    variables = {name.removeprefix(f"{place}_") for name in specs["argument_specs"]["main"]["options"]}
    # A role gets the connection from its play, and the role apply is given items.
    return {*variables, *CONNECTION_OPTIONS, *(ITEMS["volumes"] if place == "apply" else ())}


OPTIONS = {place: options_of(place) for place in (*MODULES, *ROLES)}
ALL_OPTIONS = sorted({name for place in MODULES for name in OPTIONS[place]}, key=len, reverse=True)
# A word that leads to an option.
LEADING = "change|choose one with|correct|give|in|leave out|let|longer|set|to|try|use|with"
HINT = re.compile(rf"\b(?:{LEADING}) ({'|'.join(ALL_OPTIONS)})\b(?! <| that can)", re.IGNORECASE)

# Hints, as parts of texts, each with the option, and where the message appears. One that names an option appears only where
# that was given is left out.
APPLY = (*LISTS, "volumes", "apply")
HINTS: list[tuple[str, str, tuple[str, ...]]] = [
    ("set a longer wait_timeout", "wait_timeout", ("volume", "volumes", "apply")),
    ("leave out expected_plan", "expected_plan", APPLY),
    ("set max_deletions", "max_deletions", APPLY),
    ("of only matches", "only", ("volumes", "apply", "report")),
    ("leave out fail_on_plan_warnings", "fail_on_plan_warnings", APPLY),
    # In roles, console.yml.
    ("add its address to consoles, or to console.yml", "consoles", ("volumes", "volume_info")),
    ("name its certificate in ca_path", "ca_path", tuple(OPTIONS)),
    ("leave out renamed_from", "renamed_from", APPLY),
    ("correct renamed_from", "renamed_from", APPLY),
    # In roles, console.yml.
    ("change ignore", "ignore", (*LISTS, "volumes")),
    ("as iprange, or set readonly", "iprange", ("export", "exports", "volumes", "apply", "tenant")),
    ("as iprange, or set readonly", "readonly", ("export", "exports", "volumes", "apply", "tenant")),
    ("try create_only_changes", "create_only_changes", (*ONE, *APPLY, "report", "tenant")),
    (
        "Choose one with <>",
        "id",
        ("volume", *ONE, *APPLY, "tenant", "export_rotation"),
    ),
    ("Choose one with <>", "volume_id", (*ONE, *LISTS, *BELOW, "export_rotation", "tenant")),
    ("leave out id", "id", (*ONE, *APPLY, "export_rotation")),
    ("Give the values in fields", "fields", ("export_rotation",)),
    ("Finish that, with id, or rename", "id", ("export_rotation",)),
    ("abort that, with id", "id", ("export_rotation",)),
    ("run the task again, with id", "id", ("export_rotation",)),
    ("leave out token_file", "token_file", ("export", "export_rotation", "tenant")),
]


def texts_below(folder: str) -> Iterator[str]:
    """Yield the texts of the code but for docstrings, with <> for what an f-string inserts."""
    for path in sorted((CHECKOUT / "plugins" / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "<>" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
                yield node.value


MODULE_TEXTS = list(texts_below("module_utils"))
TEXTS = [*MODULE_TEXTS, *texts_below("plugin_utils")]


@pytest.mark.parametrize(
    ("hint", "option", "places"), HINTS, ids=[f"{hint}: {option}" for hint, option, _places in HINTS]
)
def test_an_option_exists_where_a_hint_to_it_appears(hint: str, option: str, places: tuple[str, ...]) -> None:
    texts = [text for text in TEXTS if hint in text]
    assert texts
    for place in places:
        excluded = ["if the task has that option", *(["(not in a role)"] if place in ROLES else [])]
        assert option in OPTIONS[place] or any(words in text for words in excluded for text in texts), place


def test_every_hint_to_an_option_is_in_the_table() -> None:
    found = [text for text in MODULE_TEXTS if HINT.search(text)]
    assert [text for text in found if not any(hint in text for hint, _option, _places in HINTS)] == []
    assert len(found) > 10
