# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The records of one resource on one console, as its list shows them (docs/docsite/rst/api.rst, "Lists")."""

from __future__ import annotations

import re
from typing import Any

from ..errors import RequestError
from ..http.client import Client
from ..http.response import Response
from ..model.records import Record, Records, format_value
from ..model.resources import VOLUME, Resource

# The headers that `page.py` looks at.
_SIGNS_OF_PAGES = ("Link", "Content-Range", "X-Total-Count", "X-Total")


class Store:
    """Reads the records of a resource, those of a volume where they belong to one.

    `place` says which volume that is, for messages and headers.
    """

    def __init__(self, client: Client, resource: Resource, volume: Record | None = None) -> None:
        self.client = client
        self.resource = resource
        self.of_volume = place_of(VOLUME.key_of(volume)) if volume else ""
        self.path = client.url_path(resource.path.format(volume_id=volume["id"] if volume else None))

    def list_records(self) -> list[Record]:
        """Return all records, as they come, each once."""
        content, response = self.client.get_json(self.path)
        if _is_documented(content, response):
            return list(content)
        # What the API does not document is loaded when a console has it: Ansible ships sources.
        from .pages import read_pages  # noqa: PLC0415

        return read_pages(self.client, self.path, content, response)

    def read(self) -> Records:
        """Return all records, each with an id and a natural key; RequestError where one has none.

        Such a record could be the one that is looked for, so nothing can be decided without it. Blank text is a key
        that nobody asks for: a console creates exports without a description.
        """
        records = self.list_records()
        self._check(records, "id", is_id)
        self._check(records, self.resource.key.in_api, _is_key)
        return Records(self.resource, records, self.of_volume)

    def _check(self, records: list[Record], name: str, is_usable: Any) -> None:
        bad = [record for record in records if not is_usable(record.get(name))]
        if bad:
            which = "" if name == "id" else f" (ids {', '.join(str(record['id']) for record in bad[:10])})"
            message = (
                f"the console shows {self.resource.plural} without a usable {name}{which}: they cannot be identified"
            )
            raise RequestError("GET", self.path, message, 200)


def _is_documented(content: Any, response: Response) -> bool:
    """Return whether a response is the array that the API documents: of records, each once, with no sign of others."""
    if not isinstance(content, list) or not all(isinstance(record, dict) for record in content):
        return False
    is_each_once = len({str(record.get("id")) for record in content}) == len(content)
    return is_each_once and response.status == 200 and not any(map(response.headers.get, _SIGNS_OF_PAGES))


def place_of(volume: Any) -> str:
    """Return where the records of a volume are, for messages: ` of volume 'projects'`."""
    return f" of volume {format_value(volume)}"


def is_id(value: Any) -> bool:
    """Return whether a value is a number, or text that can stand in a path and means nothing else there."""
    if isinstance(value, str):
        return re.fullmatch("[A-Za-z0-9_-]{1,100}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _is_key(value: Any) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)
