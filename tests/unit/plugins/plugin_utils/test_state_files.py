# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Unit tests of the pure parts of state files: names of files, YAML that is written, YAML that is read."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_writer import file_name
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_yaml import parse_yaml, to_yaml

# fmt: off
TEXTS = [
    "plain", "two words", "a-b", "-a", "/home/alice", "192.168.0.0/24", "2001:db8::/64", "*", "https://a.b/", "10GiB",
    "", " ", "a ", " a", "a  b", "on", "Yes", "null", "~", "12", "1.0", "0x1f", "1_000", "1:30", "2026-01-01", "=",
    "<<", "{{ 1/0 }}", "{% x %}", "{a}", "[a]", "a: b", "a #b", "#a", "&a", "!a", "%a", "@a", "`a`", "'a'", '"a"',
    "\\", "a,b", "\n", "a\nb", "\r\n", "\t", "\x00", "\x1b[31m", "\x7f", "\x85", "\u2028", "\ufeff", "\u202e", "ü",
    "日本", "😀", "---", "...", "a:", ":a", "-", "yes", "10:20", "2001:db8::1",
]
# fmt: on


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"name": "projects"}, "projects.yml"),
        ({"name": "a.b_c-1"}, "a.b_c-1.yml"),
        ({"name": "a" * 100}, "a" * 100 + ".yml"),
        ({"name": "a" * 101}, "a" * 60 + "~9d0793397991.yml"),
        ({"name": "Projects"}, "projects~04e2a9728af7.yml"),
        ({"name": "nul"}, "nul~99e624275901.yml"),
        ({"name": "com1.txt"}, "com1-txt~b707e3c635c2.yml"),
        ({"name": "../../etc/passwd"}, "etc-passwd~3754d6cb3a38.yml"),
        ({"name": "..."}, "volume~ab5df625bc76.yml"),
        ({"name": "Jürgen's"}, "jurgen-s~fb59b6d6ee6c.yml"),
        ({"name": "projects", "id": 7}, "projects~id7.yml"),
        ({"id": 7}, "volume~id7.yml"),
    ],
)
def test_file_names(item: dict[str, Any], expected: str) -> None:
    assert file_name(item) == expected


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    item = {"name": text, "extra_fields": {text: [text]}, "quotas": [{"path": text}]}
    written = to_yaml(item)
    assert parse_yaml(written) == item
    # Other tools read it in the same way.
    assert yaml.safe_load(written) == item
    assert len(written.splitlines()) == 8
    assert "\x1b" not in written


@pytest.mark.parametrize("value", [True, False, None, 0, -5, 10**30, 1.5, 1e22, 1.5e22, [], {}, {"a": [{"b": None}]}])
def test_any_value_is_read_as_it_was_written(value: Any) -> None:
    assert parse_yaml(to_yaml({"name": "v", "extra_fields": {"x": value}}))["extra_fields"] == {"x": value}


def test_the_order_is_that_of_the_resource_with_the_key_first() -> None:
    quota = {"state": "present", "inodes": 1, "size": 2, "id": 3, "path": "/a"}
    item = {"quotas": [quota], "state": "present", "exports": [], "extend": "", "region": 1, "id": 5, "name": "v"}
    assert to_yaml(item).split("---\n")[1].splitlines() == [
        "name: v",
        "id: 5",
        "region: 1",
        'extend: ""',
        "state: present",
        "exports: []",
        "quotas:",
        "  - {path: /a, id: 3, size: 2, inodes: 1, state: present}",
    ]


def test_plain_text_is_not_quoted() -> None:
    text = to_yaml({"bucket": "https://v.example.com", "name": "projects"})
    assert "name: projects\nbucket: https://v.example.com\n" in text


@pytest.mark.parametrize("text", ["", "# nothing", "---\n", "--- # nothing\n...\n", "~"])
def test_a_document_without_content_is_none(text: str) -> None:
    assert parse_yaml(text) is None
