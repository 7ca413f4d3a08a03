# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a probe sends, step by step, as data.

The order matters: while a list is watched it holds one record, so one page; and in a volume of the user's nothing more is
made before the console has shown that it deletes such records. The networks are those for documentation and benchmarks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

MOMENTS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""When a list is looked at after a write, in seconds."""
MARGIN = 0.125
"""How much later, since clocks and networks are not exact. As a sum of powers of two, it leaves times exact."""
READINGS = 3
"""How often at each moment, so that one of three readings that goes back in time shows."""
KEYS = {"volumes": "name", "exports": "desc", "quotas": "path"}
OPTIONAL = ("bucket", "region")
"""The fields of a new volume that are sent only if the console refuses to do without."""
UPDATED = ("desc", "path", "iprange", "size")
"""The fields that the API documents for updates, those first by which a record is found."""
LARGE_SIZE = (2 << 30) + 1
WIDE_NETWORK = "198.18.0.0/15"


class Step(NamedTuple):
    """A write, and the readings of the list after it: at all moments if `is_watched`, else once, when all has settled.

    `record` is the name of the record in steps. `@` in a body stands for the mark of the run.
    """

    name: str
    method: str
    list: str
    record: str
    body: Mapping[str, Any] = {}
    is_watched: bool = False


_FLAGS = {"apionly": True, "readonly": True, "appendonly": False}
_OTHER_FLAGS = {"apionly": False, "readonly": False, "appendonly": True}

STEPS = (
    Step("create_export", "POST", "exports", "export", {"desc": "@-a", "iprange": "192.0.2.1/24", **_FLAGS}, True),
    Step("update_export", "PUT", "exports", "export", {"desc": "@-b", "iprange": WIDE_NETWORK}, True),
    Step("update_flags", "PUT", "exports", "export", {"desc": "@-c", "iprange": "203.0.113.0/24", **_OTHER_FLAGS}),
    Step("rename_export", "PUT", "exports", "export", {"desc": "@-d"}),
    Step("delete_export", "DELETE", "exports", "export", {}, True),
    Step("create_quota", "POST", "quotas", "quota", {"path": "/@-a/", "size": 5000, "inodes": 0}),
    Step("update_quota", "PUT", "quotas", "quota", {"path": "/@-a/", "size": LARGE_SIZE}),
    Step("update_inodes", "PUT", "quotas", "quota", {"path": "/@-a/", "size": 10001, "inodes": 9}),
    Step("delete_quota", "DELETE", "quotas", "quota"),
    Step("create_plain_export", "POST", "exports", "plain", {"desc": "@-e", "iprange": "192.0.2.7"}),
    Step("create_same_export", "POST", "exports", "same", {"desc": "@-e", "iprange": "192.0.2.7"}),
    # For lists of several pages.
    Step("create_third_export", "POST", "exports", "third", {"desc": "@-f", "iprange": "192.0.2.8"}),
    Step("create_fourth_export", "POST", "exports", "fourth", {"desc": "@-g", "iprange": "192.0.2.9"}),
)
