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
from functional.support.files import complaints, schema
from harness import schemas
from harness.places import CHECKOUT, tracked_files

RECORDS = "name: a\nexports:\n  - {{desc: web, iprange: '*', {}}}"
QUOTAS = "name: a\nquotas:\n  - {{path: /a, {}}}"

OF_VOLUMES = {
    "an unknown key": ("name: a\ncolour: red", "'colour' does not match"),
    "an unknown key of a record": (RECORDS.format("read_only: true"), "'read_only' does not match"),
    "an unknown key of a volume in a list": ("- {name: a, qoutas: []}", "'qoutas' does not match"),
    "no name": ("region: 1", "is not valid under any of the given schemas"),
    "no name in a list": ("- region: 1", "is not valid under any of the given schemas"),
    "no path": ("name: a\nquotas: [{size: 1}]", "is not valid under any of the given schemas"),
    "text for a volume": ("projects", "is not of type 'object', 'array', 'null'"),
    "text in a list of volumes": ("[projects]", "is not of type 'object'"),
    "text for a list": ("name: a\nexports: web", "is not of type 'array', 'null'"),
    "text for a record": ("name: a\nexports: [web]", "is not of type 'object'"),
    "a list for text": ("name: [a]", "is not of type 'string', 'integer', 'null'"),
    "true for text": ("name: true", "is not of type 'string', 'integer', 'null'"),
    "a fraction for text": ("name: 1.5", "is not of type 'string', 'integer', 'null'"),
    "true for the name before": (RECORDS.format("renamed_from: true"), "is not of type 'string', 'integer', 'null'"),
    "words for a number": ("name: a\nregion: eu", "does not match"),
    "true for an id": (RECORDS.format("id: true"), "is not of type 'integer', 'string', 'null'"),
    "octal digits": ("name: a\nregion: '010'", "does not match"),
    "a number for a flag": (RECORDS.format("readonly: 2"), "is greater than the maximum of 1"),
    "words for a flag": (RECORDS.format("readonly: maybe"), "does not match"),
    "a choice": ("name: a\nstate: gone", "is not one of ['present', 'absent', None]"),
    "a choice in a record": (RECORDS.format("state: deleted"), "is not one of ['present', 'absent', None]"),
    "a size": (QUOTAS.format("size: 10 gigs"), "does not match"),
    "a size with a comma": (QUOTAS.format("size: '1,5GiB'"), "does not match"),
    "a size below zero": (QUOTAS.format("size: -1"), "is less than the minimum of 0"),
    "a size beyond any console": (QUOTAS.format(f"size: {2**63}"), "is greater than the maximum"),
    "a size with a fraction of a byte": (QUOTAS.format("size: 1.5"), "is not of type 'string', 'integer', 'null'"),
    "inodes below zero": (QUOTAS.format("inodes: -5"), "is less than the minimum of 0"),
    "inodes with a unit": (QUOTAS.format("inodes: 5k"), "does not match"),
    "a relative path": ("name: a\nquotas: [{path: home, size: 1}]", "does not match"),
    "a path that leads out": ("name: a\nquotas: [{path: /a/../b, size: 1}]", "does not match"),
    "a path that ends above": ("name: a\nquotas: [{path: /.., size: 1}]", "does not match"),
    "the path before": (QUOTAS.format("renamed_from: b"), "does not match"),
    "no range": ("name: a\nexports: [{desc: w, iprange: office}]", "does not match"),
    "a number for a range": ("name: a\nexports: [{desc: w, iprange: 10}]", "is not of type 'string', 'null'"),
    "two ranges": ("name: a\nexports: [{desc: w, iprange: '10.0.0.1, 10.0.0.2'}]", "does not match"),
    "a prefix length": ("name: a\nexports: [{desc: w, iprange: 10.0.0.0/33}]", "does not match"),
    "a prefix length of IPv6": ("name: a\nexports: [{desc: w, iprange: '2001:db8::/129'}]", "does not match"),
    "text for fields": ("name: a\nextra_fields: [a]", "is not of type 'object', 'null'"),
    "what was an option": ("name: a\nignore: {quotas: [/b]}", "'ignore' does not match"),
}

OF_CONSOLE = {
    "an unknown key": ("consoles: [https://a]", "'consoles' does not match"),
    "text for a list": ("console: https://a", "is not of type 'array'"),
    "no address": ("console: []", "[] should be non-empty"),
    "no scheme": ("console: [a.example.com]", "does not match"),
    "a password": ("console: ['https://me:hunter2@a']", "does not match"),
    "a query": ("console: ['https://a?b']", "does not match"),
    "a list of patterns": ("ignore: [csi-*]", "is not of type 'object', 'null'"),
    "an unknown kind": ("ignore: {volume: [a]}", "'volume' does not match"),
    "a pattern of no path": ("ignore: {quotas: [csi]}", "does not match"),
    "a pattern that is a number": ("ignore: {exports: [5]}", "is not of type 'string'"),
    "a list": ("[]", "is not of type 'object'"),
}


def test_the_schemas_are_made_from_options_and_documentation() -> None:
    """`make schema` writes them."""
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == schemas.texts()


@pytest.mark.parametrize("name", ["volume", "console"])
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
