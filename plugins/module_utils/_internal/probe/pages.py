# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a page of a list says about further ones, also in ways that no module can follow. Pure."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from ..api.page import Page
from .observation import Reply

ABSOLUTE, RELATIVE, WRONG_SCHEME, OTHER_HOST, LOOP = "absolute", "relative", "wrong_scheme", "other_host", "loop"


def further_link(page: Page, reply: Reply) -> str | None:
    """Return the address of the next page that a page gives, in a header or in its body."""
    links = reply.value.get("links") if isinstance(reply.value, dict) else None
    link = page.following or (links.get("next") if isinstance(links, dict) else None)
    return link if isinstance(link, str) else None


def has_more(page: Page, reply: Reply, met: int) -> bool:
    """Return whether a page says that there are more records than were met, but has no link to them."""
    if further_link(page, reply) is not None:
        return False
    ranged = re.fullmatch(r".*/([0-9]{1,20})", reply.headers.get("Content-Range", ""))
    totals = page.totals | ({int(ranged.group(1))} if ranged else set())
    if isinstance(reply.value, dict) and "next" in reply.value:
        return False
    return any(total > met for total in totals) if totals else page.unknown_sign is not None


def link_style(link: str, origin: str) -> str:
    """Return how the address of a next page is written, compared with the console's own."""
    try:
        parts, own = urlsplit(link), urlsplit(origin)
        host = parts.hostname
    except ValueError:
        return OTHER_HOST
    if not parts.scheme and not host:
        return RELATIVE
    if host != own.hostname:
        return OTHER_HOST
    return ABSOLUTE if parts.scheme == own.scheme else WRONG_SCHEME
