# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a capture writes of a console's volumes: the names of files, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_writer import (
    drop_rotating,
    file_name,
    make_portable,
)

NAMES: list[tuple[dict[str, Any], str]] = [
    ({"name": "projects"}, "projects.yml"),
    ({"name": "a.b_c-1"}, "a.b_c-1.yml"),
    ({"name": "x" * 100}, f"{'x' * 100}.yml"),
    ({"name": "x" * 101}, f"{'x' * 60}~"),
    # Blanks at the end of what is kept are left out.
    ({"name": "a " * 50}, f"{'a-' * 29}a~"),
    ({"name": "b " * 4096}, f"{'b-' * 29}b~"),
    ({"name": " " * 4096 + "x"}, "volume~"),
    ({"name": " " * 4095 + "x"}, "x~"),
    ({"name": "-É-"}, "e~"),
    ({"name": "con"}, "con~"),
    ({"name": "lpt1.x"}, "lpt1-x~"),
    ({"name": "console"}, "console~"),
    ({"name": "web", "id": 7}, "web~id7.yml"),
    ({"id": 7}, "volume~id7.yml"),
]


@pytest.mark.parametrize(("item", "name"), NAMES)
def test_a_file_is_named_by_its_volume(item: dict[str, Any], name: str) -> None:
    found = file_name(item)
    assert found == name or (name.endswith("~") and len(found) == len(name) + len("93d8874c8c86.yml"))
    assert found.startswith(name)


def test_exports_of_rotations_are_left_out_and_named() -> None:
    names = ["web", "web (next)", "db (old)", "db", "a (next)"]
    exports: list[Any] = ["text", {"desc": None}, *({"desc": name} for name in names)]
    items: list[dict[str, Any]] = [{"name": "v", "exports": exports}, {"name": "w"}, {"name": "x", "exports": "text"}]
    kept, left_out = drop_rotating(items)
    assert left_out == ["v: web (next)", "v: db (old)"]
    assert kept == [{"name": "v", "exports": [*exports[:3], *exports[5:]]}, *items[1:]]


def test_what_another_console_cannot_take_is_left_out_and_named() -> None:
    full = {
        "name": "v",
        "block_size": 1,
        "compress": "a",
        "compatible": True,
        "extend": "x",
        "bucket": "b",
        "region": 1,
    }
    export = {"desc": "web", "iprange": "*", "readonly": True, "appendonly": False, "apionly": False}
    quota = {"path": "/a", "size": 1, "inodes": 2}
    items: list[dict[str, Any]] = [
        {**full, "exports": [{**export, "id": 5}, export], "quotas": [{**quota, "id": 6}, quota]},
        {"name": "w", "id": 7},
        {"name": "x", "bucket": "b", "exports": [{"desc": "db", "iprange": "*"}]},
    ]
    kept, lost = make_portable(items)
    assert kept == [
        {**full, "exports": [export], "quotas": [quota]},
        {"name": "x", "bucket": "b", "exports": [{"desc": "db", "iprange": "*"}], "quotas": []},
    ]
    assert lost == [
        "export v: web, which its desc does not tell from others",
        "quota v: /a, which its path does not tell from others",
        "volume w, which its name does not tell from others",
        "block_size, compress, compatible, extend of volume x, as the console does not show it",
        "apionly, readonly, appendonly of export x: db, as the console does not show it",
    ]
