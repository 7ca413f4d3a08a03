# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What editors do with a captured folder: a real language server completes, explains, and finds mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.action import desired_state_files
from functional.support.actions import act
from functional.support.languageserver import LanguageServer, find_program
from functional.support.mistakes import OF_CONSOLE, OF_VOLUMES

PROGRAM = find_program()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="yaml-language-server is not installed")

VOLUME: dict[str, Any] = {
    "name": "projects",
    "bucket": "https://projects.s3.example.com",
    "region": 1,
    "compatible": False,
    "extend": "",
    "exports": [{"desc": "web", "iprange": "2001:db8::/32", "readonly": True}, {"desc": "2026-01-01", "iprange": "*"}],
    "quotas": [{"path": "/home/alice", "size": "10GiB", "inodes": 0}, {"id": 7, "path": "/x: y", "size": 1537}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder as a capture writes it."""
    written = act(desired_state_files, tmp_path, dest=".", volumes=[VOLUME], console="https://console.example.com")
    assert len(written["created"]) == 4
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[LanguageServer]:
    """Yield a server for that folder."""
    server = LanguageServer(str(PROGRAM), folder)
    yield server
    server.close()


def edit(folder: Path, name: str, text: str) -> Path:
    """Write a file that names its schema, in two lines before the text."""
    path = folder / name
    schema = "console" if name == "console.yml" else "volume"
    path.write_text(f"# yaml-language-server: $schema={schema}.schema.json\n---\n{text}", encoding="utf-8")
    return path


def test_what_was_captured_has_no_problem(folder: Path, server: LanguageServer) -> None:
    for name in ("projects.yml", "console.yml"):
        assert server.problems(folder / name) == [], name


def test_keys_and_values_are_offered(folder: Path, server: LanguageServer) -> None:
    path = edit(folder, "a.yml", "name: a\n\nstate: \nexports:\n  - desc: b\n    \n    readonly: \nquotas:\n  - \n")
    server.problems(path)
    assert {"bucket", "region", "ignore"} <= set(server.offered(path, 4, 1))
    assert server.offered(path, 5, 8)[:2] == ["present", "absent"]
    assert {"iprange", "appendonly", "was"} <= set(server.offered(path, 8, 5))
    assert server.offered(path, 9, 15)[:2] == ["true", "false"]
    assert {"path", "size"} <= set(server.offered(path, 11, 5))
    path = edit(folder, "console.yml", "console: [https://a]\nignore:\n  \n")
    server.problems(path)
    assert set(server.offered(path, 5, 3)) == {"volumes", "exports", "quotas"}
    path = edit(folder, "list.yml", "- name: a\n- name: b\n  \n")
    server.problems(path)
    assert "bucket" in server.offered(path, 5, 3)


def test_an_option_is_explained_in_the_words_of_its_documentation(folder: Path, server: LanguageServer) -> None:
    path = edit(folder, "a.yml", "name: a\nexports:\n  - {desc: b, iprange: '*'}\n")
    server.problems(path)
    shown = server.explained(path, 5, 15)
    assert "Addresses that may use the export, as a network in CIDR notation, a single address, or" in shown
    assert "Required to create an export." in shown


def test_a_typo_is_shown_where_it_is(folder: Path, server: LanguageServer) -> None:
    path = edit(folder, "a.yml", "name: a\nqoutas: []\nexports:\n  - {desc: b, iprange: office, read_only: true}\n")
    assert server.problems(path) == [
        (4, "Property qoutas is not allowed."),
        (6, "Must be a network in CIDR notation, an IP address or *."),
        (6, "Property read_only is not allowed."),
    ]


def test_every_mistake_that_a_schema_can_find_is_found(folder: Path, server: LanguageServer) -> None:
    found = {
        text: server.problems(edit(folder, f"{n}.yml", text)) for n, (text, _mistakes) in enumerate(OF_VOLUMES.values())
    }
    for n, (text, _expected) in enumerate(OF_CONSOLE.values()):
        (folder / str(n)).mkdir()
        (folder / str(n) / "console.schema.json").write_bytes((folder / "console.schema.json").read_bytes())
        found[text] = server.problems(edit(folder / str(n), "console.yml", text))
    # A language server counts in floating point: the largest number of a console is its neighbour there.
    assert [text for text, problems in found.items() if not problems] == [OF_VOLUMES["a size beyond any console"][0]]
