# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The JSON Schemas that the collection ships: up to date, valid, and as the reader where a file has a mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.reading import (
    read_console_file,
    read_state,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import FOLDER
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.yaml_text import parse_yaml
from functional.support.mistakes import OF_CONSOLE, OF_VOLUMES
from functional.support.schemas import complaints, schema
from harness import schemas
from harness.places import CHECKOUT, tracked_files


def test_the_schemas_are_made_from_options_and_documentation() -> None:
    """`make schema` writes them."""
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == schemas.texts()


@pytest.mark.parametrize("name", schemas.SCHEMAS)
def test_a_schema_is_valid_and_shows_no_markup_of_ansible(name: str) -> None:
    content = schema(name).schema
    Draft7Validator.check_schema(content)
    assert re.findall(r"\b(?:O|RV|[CVMPIB])\(.*?\)", str(content)) == []


@pytest.mark.parametrize(("text", "expected"), OF_VOLUMES.values(), ids=OF_VOLUMES)
def test_an_editor_sees_the_mistakes_that_the_reader_refuses(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "a.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConsoleError):
        read_state(path, "a.yml", bytes)
    # As editors read it: text options refuse true and fractions only in our reader.
    value = yaml.safe_load(text)
    assert any(expected in message for message in complaints("volume", value)), complaints("volume", value)


@pytest.mark.parametrize(("text", "expected"), OF_CONSOLE.values(), ids=OF_CONSOLE)
def test_an_editor_sees_the_mistakes_in_console_yml(text: str, expected: str) -> None:
    with pytest.raises(ConsoleError):
        read_console_file(text)
    assert any(expected in message for message in complaints("console", parse_yaml(text)))


VALID = {
    "console: [https://a.example.com, ' HTTP://[2001:db8::1]:8443/api/v1/ ']": "console",
    "ignore: {volumes: ['*'], exports: [csi-*], quotas: [/csi/*, '*']}": "console",
    "console: [https://a]\nignore:": "console",
    "# nothing yet": "volume",
    "x-web: &web {desc: b}\nname: a\nexports: [*web]": "volume",
    "- {name: a, x-why: moved, quotas: [{path: /a, x-b: {}}]}": "volume",
    "x-common: [csi-*]\nconsole: [https://a]": "console",
}


@pytest.mark.parametrize(("text", "name"), VALID.items())
def test_what_the_reader_takes_is_valid(text: str, name: str) -> None:
    """A property test holds it for drawn volumes."""
    if name == "console":
        read_console_file(text)
    assert complaints(name, parse_yaml(text)) == []


SHIPPED = sorted(path for path in tracked_files() if path.match("desired/*.yml"))


@pytest.mark.parametrize("path", SHIPPED, ids=str)
def test_the_files_that_we_ship_are_valid(path: Path) -> None:
    name = "console" if path.name == "console.yml" else "volume"
    assert complaints(name, parse_yaml((CHECKOUT / path).read_text(encoding="utf-8"))) == []
