# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The names by which a probe recognizes what it has made."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.marks import (
    is_marked,
    is_scratch_name,
    make_mark,
    scratch_name,
)

MARK = make_mark("0a1b2c3d")
WRONG = MARK[:-1] + ("0" if MARK[-1] != "0" else "1")


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (f"{MARK}-a", True),
        (f" {MARK}-D ", True),
        (f"/{MARK}-a/", True),
        (f"{MARK}-b".upper(), True),
        (MARK, True),
        (f"{WRONG}-a", False),
        (f"my {MARK}", False),
        (f"/home/{MARK}", False),
        ("probe-1", False),
        ("", False),
        (None, False),
        (7, False),
    ],
)
def test_keys(key: object, expected: bool) -> None:
    assert is_marked(key) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (scratch_name("scratch", MARK), True),
        (f" Scratch-{MARK} ", True),
        (f"scratch-{WRONG}", False),
        (f"scratch-{MARK}-2", False),
        (f"other-{MARK}", False),
        (f"scratch{MARK}", False),
        (MARK, False),
        ("scratch", False),
        (None, False),
    ],
)
def test_names_of_volumes(name: object, expected: bool) -> None:
    assert is_scratch_name(name, "scratch") is expected
