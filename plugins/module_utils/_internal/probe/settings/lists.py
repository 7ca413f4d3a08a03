# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The settings of the emulator that are about lists, and how a probe finds them, as data. Pure."""

from __future__ import annotations

from ..inference import lateness, lists
from ..inference.finding import OTHER, Setting

_NO_PAGES = "where no list is longer than a page: a probe makes at most six exports"
_PARTIAL = "Lists that are longer than a page cannot be read to their end: tasks fail and say so."

SETTINGS = (
    Setting(
        "list_shape",
        "the bodies and headers of the lists of exports and quotas",
        "a Link header, where no list is longer than a page, looks like an array",
        lists.list_shape,
        {
            "array": "A list comes whole, or at least short ones do.",
            "page": "Long lists take one request for each page.",
            "link": "Long lists take one request for each page.",
            "many_links": "Long lists take one request for each page.",
            "range": _PARTIAL,
            "total_header": _PARTIAL,
            "total": _PARTIAL,
            "next_page": _PARTIAL,
            "body_links": _PARTIAL,
        },
    ),
    Setting(
        "page_size",
        "how many records there are on the first page of a list that has several",
        _NO_PAGES,
        lists.page_size,
        {OTHER: "A list takes one request for every {value} records."},
    ),
    Setting(
        "next_url",
        "the addresses of next pages",
        "where lists have no such address, or " + _NO_PAGES.removeprefix("where "),
        lists.next_url,
        {
            "absolute": "Pages are followed.",
            "wrong_scheme": "Pages are followed, on the address of console_url.",
            "relative": "Pages are followed.",
            "other_host": "Tasks fail on a list with several pages: another host never gets a signature.",
            "loop": "Tasks fail, since the pages of a list never end.",
        },
    ),
    Setting(
        "page_overlap",
        "how many records a page repeats of those before it",
        _NO_PAGES,
        lists.page_overlap,
        {0: "Pages do not overlap.", OTHER: "Pages repeat up to {value} records, which tasks count once."},
    ),
    Setting(
        "count",
        "the count of each page, compared with the records that there are, over several readings",
        "where lists have no count",
        lists.count,
        {
            "right": "A record that is missed between two pages is noticed.",
            "wrong_once": "Lists are read twice at first.",
            "wrong": "Tasks fail: they cannot tell whether a record was missed.",
        },
    ),
    Setting(
        "appear_after",
        "since a creation, when the list shows the record: at once, after 0.5 s, 1, 2, 5, 10 and 20 s",
        "",
        lateness.appear_after,
        {0.0: "Tasks need not wait for new records.", OTHER: "Tasks wait up to {value:g} s for each new record."},
    ),
    Setting(
        "update_appear_after",
        "since an update, when the list shows it, at the same moments",
        "",
        lateness.update_appear_after,
        {
            0.0: "Tasks need not wait for updates.",
            OTHER: "Tasks wait up to {value:g} s for each update; above 3 s they fail, although it was accepted.",
        },
    ),
    Setting(
        "vanish_after",
        "since a deletion, when the list no longer shows the record, at the same moments",
        "",
        lateness.vanish_after,
        {0.0: "Tasks need not wait after deletions.", OTHER: "Tasks wait up to {value:g} s after each deletion."},
    ),
    Setting(
        "stale_every",
        "whether one of several readings in a row shows a list as it was before a write that had shown already",
        "where lists are as late as such readings, or all readings are such",
        lateness.stale_every,
        {
            0: "Lists do not go back in time.",
            OTHER: "Reading number {value} shows an older list: tasks read twice where it contradicts a write.",
        },
    ),
    Setting(
        "stale_for",
        "since a write, until when readings go back",
        "where no reading goes back",
        lateness.stale_for,
        {OTHER: "Leave {value:g} s between two playbooks about the same records."},
    ),
)
