# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All that the page of a report says, to the letter: on a console with something of everything, and on one with little."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.facts import build_facts
from functional.plugins.test_report_page import ARCHIVE, BACKUP, DESIRED, Items, read_page, volume, words
from functional.support.actions import write_report

GIB = 1 << 30
RULES = [{"iprange": "*", "readonly": True}, {"iprange": "10.9.0.0/16", "readonly": False, "token": "of-no-export"}]
GONE = volume(3, "gone", [], [{"path": "/x", "size": 5}])
SHY = volume(4, "shy", [{"desc": "a"}, {"desc": "csi-1", "iprange": "*"}], [{"path": "/a"}])
EVERYTHING: Items = [ARCHIVE, BACKUP, GONE, {**SHY, "access_rules": RULES, "region": ["x"], "storage": "s3"}]
WANTED: Items = [
    *DESIRED,
    {"name": "gone", "state": "absent"},
    {
        "name": "shy",
        "exports": [{"desc": "new", "iprange": "*", "readonly": True}],
        "quotas": [{"path": "/a", "size": "1GiB"}, {"path": "x"}],
    },
]
ONE: Items = [volume(1, "v", [{"desc": "a", "iprange": "10.0.0.0/8", "readonly": True}], [{"path": "/a", "size": GIB}])]

EVERYTHING_SAID = """\
Console report, as of 2026-03-01 02:03 UTC
c.example.com
! 8 differences
2 unmanaged
! 2 open to write
7 exports
7 quotas
4 volumes
Volumes differ exports quotas
archive 2 5 3
archive-2 2 0 2
gone 1 0 1
new 1 0 0
shy 2 2 1
What differs
8 differences in 5 volumes, most of them in archive (2), archive-2 (2) and shy (2).
! 1 volume is to be deleted, with all that is in it: gone.
Cannot be applied 1
Nothing is applied until this is corrected. A list that the console shows without keys holds up itself alone.
Name | Problem
shy quotas 1
x | item 5 ('shy'), quotas item 2 ('x'): path must start with /, not 'x'.
To be deleted 1
Name | Fields
gone 1
the volume | bucket https://v.example.com; with all that is in it: 0 exports, 1 quota
To be updated 3
From what the console has to what is wanted.
Name | Fields
archive quotas 2
/home | size 10GiB → 20GiB
/data | size no limit → 5GiB
archive-2 quotas 1
/alice | size 160GiB → 1GiB
To be created 3
Name | Fields
archive-2 quotas 1
/new | size 1GiB
new 1
the volume | bucket https://v.example.com
shy exports 1
new | iprange *; apionly false; readonly true; appendonly false
Unmanaged 2
On the console, but not in the desired state, and left alone.
Name
archive-2 quotas 1
/b
shy exports 1
a
Not compared, since the console does not show all of it: size of 1 quota.
A rotation of tokens is under way, and left alone: archive: web (next).
Ignored, since others manage them: 1 export.
Who may use what
! Open to write 2
! Name | Addresses
! archive exports 2
! any | *, apionly
! append | 0.0.0.0/0, append only
Unknown 2
The console does not show who may do what here, or not in a way that can be read.
Name | Addresses
shy exports 2
a | unknown, unknown
csi-1 | *, unknown
Open to read 1
Name | Addresses
shy access rules 1
access rule | *
Some addresses can write 2
Name | Addresses
archive exports 1
Web | 192.168.0.0/16
shy access rules 1
access rule | 10.9.0.0/16
Some addresses can read 2
Name | Addresses
archive exports 2
web | 10.0.0.0/8
web (next) | 10.0.0.0/8
Limits
7 quotas, about 209.0GiB in all. 1 quota without a size limit.
A bar is the sum of the limits of a volume, and the first part of it the largest of them. The console does not tell how much of them is used.
archive-2 169GiB 2 quotas, up to 160GiB
Directory | Size |  | Inodes
/alice | 160GiB |  | not shown
/b | 9GiB |  | not shown
archive 40GiB 3 quotas, 1 without a limit, up to 30GiB
Directory | Size |  | Inodes
/data | no size limit |  | 5
/home/alice | 30GiB |  | not shown
/home | 10GiB |  | not shown
gone 5B 1 quota, up to 5B
Directory | Size |  | Inodes
/x | 5B |  | not shown
shy no sum 1 quota
Directory | Size |  | Inodes
/a | not shown |  | not shown
Volumes
What the console shows of them. Its specification gives no units.
archive
exports: 5
quotas: 3
id: 1
bucket: https://v.example.com
archive-2
exports: 0
quotas: 2
id: 2
bucket: https://v.example.com
gone
exports: 0
quotas: 1
id: 3
bucket: https://v.example.com
shy
exports: 2
quotas: 1
id: 4
bucket: https://v.example.com
region: ["x"]
storage: s3
"""
NOTHING_SAID = """\
Console report, as of 2026-03-01 02:03 UTC
c.example.com
\N{EN DASH} differences
0 open to write
0 exports
0 quotas
0 volumes
What differs
Not compared: no desired state is given.
Who may use what
There are no exports.
Limits
There are no quotas.
Volumes
There are no volumes.
"""
EQUAL_SAID = """\
Console report, as of 2026-03-01 02:03 UTC
c.example.com
0 differences
0 open to write
1 export
1 quota
1 volume
What differs
✓ The console matches the desired state.
Who may use what
✓ No address can write unless it is listed.
Some addresses can read 1
Name | Addresses
v exports 1
a | 10.0.0.0/8
Limits
1 quota, 1GiB in all.
A bar is the sum of the limits of a volume, and the first part of it the largest of them. The console does not tell how much of them is used.
v 1GiB 1 quota, up to 1GiB
Directory | Size |  | Inodes
/a | 1GiB |  | not shown
Volumes
What the console shows of them. Its specification gives no units.
v
exports: 1
quotas: 1
id: 1
bucket: https://v.example.com
"""

# The consoles, what is wanted of them, and what the page says.
PAGES: dict[str, tuple[Items, Items | None, str]] = {
    "everything": (EVERYTHING, WANTED, EVERYTHING_SAID),
    "nothing": ([], None, NOTHING_SAID),
    "no difference": (ONE, [{"name": "v"}], EQUAL_SAID),
}


def outline(element: Element) -> list[str]:
    """Return the text of a page as lines: one for each heading, paragraph, point and row. Those of an alert begin with `!`."""
    if element.tag in ("head", "script", "form"):
        return []
    if element.tag == "dl":
        lines = [": ".join(map(words, pair)) for pair in element]
    elif element.tag == "tr":
        lines = [" | ".join("; ".join(map(words, list(cell.iter("li")) or [cell])) for cell in element)]
    elif element.tag in ("h1", "h2", "h3", "p", "li", "summary"):
        lines = [words(element)]
    else:
        lines = [line for child in element for line in outline(child)]
    return [f"! {line}" for line in lines] if element.get("class") == "alert" else lines


@pytest.mark.parametrize(("volumes", "wanted", "said"), PAGES.values(), ids=PAGES)
def test_a_page_says_what_is_there_and_what_differs(
    tmp_path: Path, volumes: Items, wanted: Items | None, said: str
) -> None:
    ignore: dict[str, Any] = {"exports": ["csi-*"]}
    write_report(tmp_path, build_facts(volumes, wanted, console="https://c.example.com", ignore=ignore))
    assert outline(read_page(tmp_path)) == said.splitlines()
