# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What counts as the same value, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils.model import kinds
from ansible_collections.managedfs.console.plugins.module_utils.model.kinds import Kind

GIB = 1024**3


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (kinds.TEXT, "a", "a"),
        (kinds.TEXT, "", None),
        (kinds.TEXT, "a", " a\n"),
        (kinds.TEXT, "12", 12),
        (kinds.INTEGER, 4096, "4096"),
        (kinds.INTEGER, 4096, 4096.0),
        (kinds.INTEGER, -1, " -1 "),
        (kinds.BOOLEAN, True, "true"),
        (kinds.BOOLEAN, False, 0),
        (kinds.URL, "https://b.example.com", "https://b.example.com/"),
        (kinds.URL, "HTTPS://B.example.com/Path", "https://b.example.com/Path//"),
        (kinds.NETWORK, "192.168.0.1/24", "192.168.0.0/24"),
        (kinds.NETWORK, "10.0.0.1", "10.0.0.1/32"),
        (kinds.NETWORK, "2001:DB8::1", "2001:db8:0::1/128"),
        (kinds.NETWORK, "10.0.0.0/8", "10.0.0.0/255.0.0.0"),
        (kinds.NETWORK, "*", " * "),
        (kinds.PATH, "/a", "/a/"),
        (kinds.PATH, "/a/b", "//a/./b//"),
        (kinds.PATH, "/", "//"),
        (kinds.PATH, "/a", "a"),
        (kinds.LIMIT, 0, None),
        (kinds.LIMIT, "1048576", 1 << 20),
        (kinds.SIZE, "10GiB", "10737418240"),
        (kinds.SIZE, "10G", 10 * GIB),
        (kinds.SIZE, "10gB", "10 GiB"),
        (kinds.SIZE, "10B", 10),
        (kinds.SIZE, "lots", "lots"),
        (kinds.NETWORK, "nonsense", "nonsense"),
        (kinds.BOOLEAN, False, None),
        (kinds.PATH, "/", ""),
        (kinds.PATH, "/a b", "/a b "),
        (kinds.SIZE, "1.5T", 3 * GIB * 512),
        (kinds.SIZE, "0", None),
        (kinds.ANY, {"a": [1]}, {"a": [1]}),
    ],
)
def test_same(kind: Kind, one: Any, other: Any) -> None:
    assert kind.same(one, other)
    assert kind.same(other, one)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (kinds.TEXT, "a", "A"),
        (kinds.TEXT, "true", True),
        (kinds.INTEGER, 1, True),
        (kinds.INTEGER, 0, None),
        (kinds.INTEGER, 1, 1.5),
        (kinds.INTEGER, "x", "y"),
        (kinds.BOOLEAN, True, None),
        (kinds.BOOLEAN, False, ""),
        (kinds.BOOLEAN, True, 2),
        (kinds.URL, "https://b.example.com/a", "https://b.example.com/A"),
        (kinds.URL, "https://b.example.com", "http://b.example.com"),
        (kinds.NETWORK, "*", "0.0.0.0/0"),
        (kinds.NETWORK, "10.0.0.0/8", "10.0.0.0/9"),
        (kinds.NETWORK, "0.0.0.0/0", "::/0"),
        (kinds.NETWORK, "nonsense", "other nonsense"),
        (kinds.URL, "https://me:pw@b.example.com", "https://me:PW@b.example.com"),
        (kinds.PATH, "/a", "/A"),
        (kinds.PATH, "/a/../b", "/b"),
        (kinds.LIMIT, 1, None),
        (kinds.SIZE, "10G", "10g bits"),
        (kinds.SIZE, 10, "10K"),
    ],
)
def test_not_same(kind: Kind, one: Any, other: Any) -> None:
    assert not kind.same(one, other)
    assert not kind.same(other, one)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (kinds.TEXT, {}),
        (kinds.INTEGER, "1.5"),
        (kinds.BOOLEAN, "maybe"),
        (kinds.NETWORK, "10.0.0.0/33"),
        (kinds.NETWORK, "web"),
        (kinds.NETWORK, ""),
        (kinds.NETWORK, "10.0.0.0/255.0.0.0"),
        (kinds.PATH, ""),
        (kinds.PATH, "data"),
        (kinds.PATH, "/a/../b"),
        (kinds.LIMIT, -1),
        (kinds.SIZE, "-1G"),
        (kinds.SIZE, "10Gbit"),
        (kinds.SIZE, "ten"),
        (kinds.SIZE, "1.5"),
        (kinds.SIZE, "10Ki"),
        (kinds.SIZE, "10Gb"),
        (kinds.SIZE, "10b"),
        (kinds.SIZE, "10iB"),
        (kinds.SIZE, "0.0001K"),
    ],
)
def test_refused(kind: Kind, value: Any) -> None:
    with pytest.raises(ValueError, match="must"):
        kind.check(value)


@pytest.mark.parametrize(
    ("kind", "value", "sent"),
    [
        (kinds.TEXT, " a ", " a "),
        (kinds.NETWORK, "192.168.0.1/24", "192.168.0.1/24"),
        (kinds.PATH, "/data//a/", "/data/a"),
        (kinds.SIZE, "1.5K", 1536),
        (kinds.SIZE, "0", 0),
        (kinds.LIMIT, 0, 0),
    ],
)
def test_sent(kind: Kind, value: Any, sent: Any) -> None:
    assert kind.sent(value) == sent


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [
        (kinds.TEXT, None, None),
        (kinds.INTEGER, "7", 7),
        (kinds.INTEGER, "seven", "seven"),
        (kinds.BOOLEAN, "false", False),
        (kinds.LIMIT, None, None),
        (kinds.SIZE, "10737418240", 10 * GIB),
        (kinds.SIZE, [1], [1]),
        (kinds.ANY, [1], [1]),
    ],
)
def test_shown(kind: Kind, value: Any, shown: Any) -> None:
    assert kind.shown(value) == shown
