# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One page of a list, and every sign in it that there are more (docs/docsite/rst/api.rst, "Lists")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..http.response import Response

_TOTALS = ("count", "total", "total_count")
_TOTAL_HEADERS = ("X-Total-Count", "X-Total")
_KNOWN = ("results", "next", "previous", *_TOTALS)
_PARTIAL_CONTENT = 206
# The parts of a Link header, compiled when there is one.
_TARGET = r"[\s,]*<([^<>]*)>"
_PARAMETER = r"\s*;\s*([^\s=;,\"]+)\s*(?:=\s*(\"(?:\\.|[^\"\\])*\"|[^\s;,\"]*))?"
_END = r"\s*(,|$)"


class Page:
    """What a response of a list says.

    `records` is unchecked, `following` the link to the next page, `totals` how many records the whole list has,
    `unknown_sign` a sign of more records that nobody knows how to get, `size` the length of the response in bytes.
    """

    def __init__(self, content: Any, response: Response) -> None:
        self.records = content
        self.size = len(response.content)
        self.following, is_readable = _next_link(response.headers.get("Link", ""))
        extra: Mapping[str, Any] = {}
        if isinstance(content, dict) and isinstance(content.get("results"), list):
            self.records = content["results"]
            self.following = content.get("next") or self.following
            extra = content
        given = [extra.get(name) for name in _TOTALS] + [response.headers.get(name) for name in _TOTAL_HEADERS]
        self.totals = {int(str(total)) for total in given if re.fullmatch("[0-9]{1,20}", str(total))}
        self.unknown_sign = next(_unknown_signs(extra, response, self.records), None)
        if not is_readable and not self.following and "next" in response.headers.get("Link", "").lower():
            self.unknown_sign = "its Link header"


def _next_link(header: str) -> tuple[str | None, bool]:
    """Return the target of `rel="next"` in a Link header (RFC 8288), and whether the header could be read."""
    target_at, parameter_at, end_at = (re.compile(part).match for part in (_TARGET, _PARAMETER, _END))
    following = None
    position = 0
    header = header.rstrip(" ,\t")
    while position < len(header):
        target = target_at(header, position)
        if target is None:
            return following, False
        position = target.end()
        relations = None
        while parameter := parameter_at(header, position):
            position = parameter.end()
            if parameter.group(1).lower() == "rel" and relations is None:
                relations = (parameter.group(2) or "").strip('"').lower().split()
        if "next" in (relations or []) and following is None:
            following = target.group(1)
        if not end_at(header, position):
            return following, False
    return following, True


def _unknown_signs(extra: Mapping[str, Any], response: Response, records: Any) -> Iterator[str]:
    whole = ""
    if isinstance(records, list):
        whole = f"0-{len(records) - 1}/{len(records)}" if records else "*/0"
    content_range = response.headers.get("Content-Range", "")
    if content_range and content_range.rpartition(" ")[2] != whole:
        yield "its Content-Range"
    elif response.status == _PARTIAL_CONTENT and not content_range:
        yield "its status 206"
    for name, value in extra.items():
        links = value if isinstance(value, dict) else {name: value}
        for link, target in links.items():
            is_sign = "next" in link.lower() or link.lower() in ("has_more", "hasmore", "cursor", "more")
            if is_sign and target and name not in _KNOWN:
                yield f"its {name}" if name == link else f"its {name}.{link}"
