# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a probe sends, step by step, as data. Pure.

The order matters: while a list is watched for how late it is, it holds one record only, so that it has one page. Where
records are made in a volume of the user's, no second one is made before the first could be deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

APPEARS, VANISHES = "it appears", "it vanishes"
GiB = 1 << 30

# Networks for documentation and benchmarks, so that an export is of use to nobody.
NETWORK_WITH_HOST_BITS = "192.0.2.1/24"
BARE_ADDRESS = "192.0.2.7"
WIDE_NETWORK = "198.18.0.0/15"
NETWORK, OTHER_NETWORK, THIRD_NETWORK = "203.0.113.0/24", "198.51.100.0/24", "198.51.100.128/25"
ODD_SIZE, SIZE, OTHER_SIZE = 2 * GiB + 1, 5000, 10001
INODES, OTHER_INODES = 7, 9


class Step(NamedTuple):
    """One request. `{mark}` in its body stands for the mark of the run.

    `list` is the list that shows the effect, and `record` what the steps call the record concerned. `shows` tells by
    what the effect is known: the record appears, vanishes, or has another value in this field. `is_further` marks a
    step that makes a second record of a list. After one that `measures_staleness`, the list is watched a little longer.
    """

    name: str
    method: str
    path: str
    body: Mapping[str, Any] | None = None
    list: str = ""
    record: str = ""
    shows: str = ""
    is_further: bool = False
    measures_staleness: bool = False


READS = (
    Step("unknown_route", "GET", "managedfs-probe"),
    Step("regions", "GET", "regions"),
    Step("clouds", "GET", "clouds"),
)

READS_OF_VOLUME = (
    Step("is_ready", "GET", "volumes/{volume_id}/is_ready", record="volume"),
    Step("one_volume", "GET", "volumes/{volume_id}", record="volume"),
)

# Two fields are wrong for sure, so that whoever names both of them names all that is wrong.
INCOMPLETE_VOLUME = Step(
    "incomplete_volume", "POST", "volumes", {"compress": 5, "compatible": "maybe"}, "volumes", "volume"
)
CREATE_VOLUME = Step("create_volume", "POST", "volumes", {}, "volumes", "volume", APPEARS)
DELETE_VOLUME = Step("delete_volume", "DELETE", "volumes/{volume_id}", None, "volumes", "volume", VANISHES)

_FLAGS = {"apionly": True, "readonly": True, "appendonly": False}
_WHOLE = {"iprange": NETWORK, **_FLAGS}
_OTHER_FLAGS = {"apionly": False, "readonly": False, "appendonly": True}


def _export(name: str, method: str, record: str, body: Mapping[str, Any] | None, shows: str = "", **more: bool) -> Step:
    path = "volumes/{volume_id}/exports" + ("" if method == "POST" else "/{export_id}")
    return Step(name, method, path, body, "exports", record, shows, **more)


def _quota(name: str, method: str, record: str, body: Mapping[str, Any] | None, shows: str = "", **more: bool) -> Step:
    path = "volumes/{volume_id}/quotas" + ("" if method == "POST" else "/{quota_id}")
    return Step(name, method, path, body, "quotas", record, shows, **more)


EXPORTS = (
    _export(
        "create_export",
        "POST",
        "first export",
        {"desc": "{mark}-a", "iprange": NETWORK_WITH_HOST_BITS, **_FLAGS},
        APPEARS,
        measures_staleness=True,
    ),
    _export(
        "update_export",
        "PUT",
        "first export",
        {"desc": "{mark}-a", "iprange": WIDE_NETWORK},
        "iprange",
        measures_staleness=True,
    ),
    _export("update_flags", "PUT", "first export", {"desc": "{mark}-a", "iprange": NETWORK, **_OTHER_FLAGS}, "iprange"),
    _export("rename_export", "PUT", "first export", {"desc": "{mark}-a2"}, "desc"),
    _export("delete_export", "DELETE", "first export", None, VANISHES, measures_staleness=True),
)

QUOTAS = (
    _quota("create_quota", "POST", "first quota", {"path": "/{mark}-a/", "size": SIZE, "inodes": INODES}, APPEARS),
    _quota("update_quota", "PUT", "first quota", {"path": "/{mark}-a/", "size": ODD_SIZE}, "size"),
    _quota(
        "update_inodes",
        "PUT",
        "first quota",
        {"path": "/{mark}-a/", "size": OTHER_SIZE, "inodes": OTHER_INODES},
        "size",
    ),
    _quota("rename_quota", "PUT", "first quota", {"path": "/{mark}-a2"}, "path"),
    _quota("delete_quota", "DELETE", "first quota", None, VANISHES),
)

FURTHER_EXPORTS = (
    _export(
        "create_plain_export", "POST", "plain export", {"desc": "{mark}-b", "iprange": BARE_ADDRESS}, is_further=True
    ),
    _export("create_other_export", "POST", "other export", {"desc": "{mark}-c", **_WHOLE}, is_further=True),
    _export("create_same_export", "POST", "same export", {"desc": "{mark}-c", **_WHOLE}, is_further=True),
    _export(
        "create_export_in_capitals",
        "POST",
        "capital export",
        {"desc": "{mark}-C", **_WHOLE},
        is_further=True,
    ),
    _export("create_bad_export", "POST", "bad export", {"desc": "{mark}-x", "iprange": "none"}, is_further=True),
    _export(
        "create_spaced_export",
        "POST",
        "spaced export",
        {"desc": " {mark}-D ", "iprange": OTHER_NETWORK, **_OTHER_FLAGS},
        APPEARS,
        is_further=True,
    ),
    _export(
        "update_spaced_export",
        "PUT",
        "spaced export",
        {"desc": " {mark}-D ", "iprange": THIRD_NETWORK},
        "iprange",
        is_further=True,
    ),
)

FURTHER_QUOTAS = (
    _quota(
        "create_unlimited_quota",
        "POST",
        "unlimited quota",
        {"path": "/{mark}-b", "size": 0, "inodes": 0},
        APPEARS,
        is_further=True,
    ),
    _quota(
        "create_same_quota",
        "POST",
        "same quota",
        {"path": "/{mark}-b", "size": SIZE, "inodes": INODES},
        is_further=True,
    ),
)

WRITES = (*EXPORTS, *FURTHER_EXPORTS, *QUOTAS, *FURTHER_QUOTAS)
ALL = (*READS, *READS_OF_VOLUME, INCOMPLETE_VOLUME, CREATE_VOLUME, *WRITES, DELETE_VOLUME)
