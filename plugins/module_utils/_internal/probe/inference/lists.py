# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What lists tell: their shape and their pages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..observation import Listing, Reply, Seen, is_among
from ..pages import LOOP
from .finding import Finding, agreed, nothing

_SHAPES_BY_KEY = {"count": "page", "total": "total", "next_page": "next_page", "links": "body_links"}
_CHILDREN = ("exports", "quotas")
_NOT_READ = "no list of exports or quotas could be read"


def list_shape(seen: Seen) -> Finding:
    """Return the shape of the lists of exports and quotas; that of volumes is documented."""
    listings = seen.readings(*_CHILDREN)
    shapes: dict[str, dict[str, Reply]] = {}
    for listing in listings or seen.readings("volumes"):
        for page in listing.pages:
            shapes.setdefault(listing.name, {})[_shape(page)] = page
    values = [(name, *_most_telling(found)) for name, found in shapes.items()]
    # A list that fits on one page may look like an array.
    values = [entry for entry in values if entry[1] != "array"] or values
    finding = agreed(values, _SHAPES, _NOT_READ, "The shape of lists")
    names = sorted(
        {_most_telling({_shape(page): page})[0] for entry in seen.readings("volumes") for page in entry.pages}
    )
    if finding.value and listings and names and finding.value not in names and names != ["array"]:
        return finding._replace(unknown=(*finding.unknown, f"The list of volumes has another shape: {names[0]}."))
    return finding


_SHAPES = ("array", "page", "link", "many_links", "range", "total_header", *_SHAPES_BY_KEY.values())


def _most_telling(found: dict[str, Reply]) -> tuple[str, Reply]:
    """Return the shape of a list that not all pages show; a bare array may be one, too."""
    shape = next((name for name in found if name != "array"), "array")
    return shape, found[shape]


def _shape(page: Reply) -> str:
    """Return the shape that one page of a list shows."""
    if isinstance(page.value, dict):
        keys = [key for key in _SHAPES_BY_KEY if key in page.value]
        return _SHAPES_BY_KEY[keys[0]] if keys else "results without a total"
    if "Content-Range" in page.headers:
        return "range"
    if "X-Total-Count" in page.headers:
        return "total_header"
    relations = re.findall(r'rel="?([^";,]+)', page.headers.get("Link", ""), re.IGNORECASE)
    if not relations:
        return "array"
    return "link" if [relation.lower().strip() for relation in relations] == ["next"] else "many_links"


def _paged(seen: Seen) -> list[Listing]:
    """Return the readings that had several pages, each with something new."""
    several = [listing for listing in seen.listings if len(listing.groups) > 1 and listing.groups[0]]
    return [listing for listing in several if _repeats(listing)[0] < len(listing.groups[1])]


def _longest(seen: Seen) -> int:
    return max((len(listing.records) for listing in seen.listings), default=0)


def page_size(seen: Seen) -> Finding:
    """Return how many records the first of several pages has."""
    found = _paged(seen)
    if not found:
        return nothing(f"no list had a second page; the longest had {_longest(seen)} records")
    values = [(listing.name, len(listing.groups[0]), listing.pages[0]) for listing in found]
    return agreed(values, range(1, 1 << 30), "", "The length of a page")


def _repeats(listing: Listing) -> list[int]:
    """Return how many records of each page but the first had been on pages before."""
    counts = []
    for place, group in enumerate(listing.groups[1:], start=1):
        before = [record for earlier in listing.groups[:place] for record in earlier]
        counts.append(sum(is_among(record, before) for record in group))
    return counts


def page_overlap(seen: Seen) -> Finding:
    """Return how many records a page repeats of those before it."""
    found = _paged(seen)
    if not found:
        return nothing(f"no list had a second page; the longest had {_longest(seen)} records")
    most = max(found, key=lambda listing: max(_repeats_within(listing)))
    return Finding(max(_repeats_within(most)), most.pages[1])


def _repeats_within(listing: Listing) -> list[int]:
    """Return the repeats of pages that also had something new: one that has not leads back to the beginning."""
    groups = listing.groups[1:]
    return [count for count, group in zip(_repeats(listing), groups) if count < len(group)]


def next_url(seen: Seen) -> Finding:
    """Return what the address of a next page looks like."""
    for listing in seen.listings:
        if LOOP in listing.link_styles:
            return Finding(LOOP, listing.pages[-1])
    values = [
        (listing.name, style, listing.pages[0])
        for listing in seen.listings
        for style in dict.fromkeys(listing.link_styles)
    ]
    choices = ("absolute", "wrong_scheme", "relative", "other_host", LOOP)
    return agreed(values, choices, "no link to a next page was seen", "The address of a next page")


def count(seen: Seen) -> Finding:
    """Return whether the count of a page is that of the list, at the first reading and later."""
    first, later = [], []
    for name in dict.fromkeys(listing.name for listing in seen.listings):
        wrong = list(_wrong_counts(seen.readings(name)))
        first += wrong[:1]
        later += wrong[1:]
    pages = [page for listing in seen.listings for page in listing.pages if _shape(page) == "page"]
    if not first or not later:
        return nothing("lists carry no count, or were read only once")
    if not any(later):
        return Finding("wrong_once" if any(first) else "right", pages[0])
    if all(later) and all(first):
        return Finding("wrong", pages[0])
    return nothing("it was wrong now and then", "The count of a list is wrong now and then.")


def _wrong_counts(listings: list[Listing]) -> Iterator[bool]:
    """Yield for each reading of a list whether its count was wrong."""
    for listing in listings:
        first: Any = listing.pages[0].value
        if isinstance(first, dict) and re.fullmatch("[0-9]+", str(first.get("count"))) and listing.is_complete:
            yield int(str(first["count"])) != len(listing.records)
