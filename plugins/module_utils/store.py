# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The records of one resource on one console: the list, and the writes that the specification documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .errors import RequestError
from .http.client import SUCCESS, Client, Tries
from .http.pages import parse_json, read_list
from .http.transport import Answer
from .model.records import Record, Records
from .model.resources import Resource


class Store:
    """Reads and writes the records of a resource; `volume_id` for those that belong to a volume."""

    def __init__(self, client: Client, resource: Resource, volume_id: Any = None) -> None:
        self.client = client
        self.resource = resource
        self.path = client.url_path(resource.path.format(volume_id=volume_id))

    def records(self) -> list[Record]:
        """All records, as they come."""
        return read_list(self.client, self.path)

    def read(self) -> Records:
        """All records, each with an id and a natural key. RequestError where one has none.

        Such a record could be the one that is looked for, so nothing is decided without it. Blank text is a key
        that nobody asks for: a console makes exports without a description.
        """
        records = self.records()
        for name, is_usable in (("id", _is_id), (self.resource.key.wire, _is_key)):
            bad = [record for record in records if name not in record or not is_usable(record[name])]
            if bad:
                ids = ", ".join(str(record["id"]) for record in bad[:10] if name != "id")
                message = f"the console shows {self.resource.plural} without a usable {name}, so none can be told from another"
                raise RequestError("GET", self.path, f"{message} (ids: {ids})" if ids else message, 200)
        return Records(self.resource, records)

    def create(self, body: Mapping[str, Any], tries: Tries) -> Answer:
        """Send the POST that creates a record. Its answer tells nothing but its status."""
        return self.client.request("POST", self.path, body=dict(body), tries=tries)

    def update(self, identity: Any, body: Mapping[str, Any]) -> Answer:
        """Send the PUT that updates a record."""
        return self.client.request("PUT", f"{self.path}/{identity}", body=dict(body))

    def delete(self, identity: Any) -> Answer:
        """Send the DELETE of a record."""
        return self.client.request("DELETE", f"{self.path}/{identity}")

    def is_ready(self, identity: Any) -> bool | None:
        """Whether a record can be used; None where the console does not say (it need not have the question)."""
        path = f"{self.path}/{identity}/is_ready"
        try:
            answer = self.client.request("GET", path)
        except RequestError as error:
            if error.status is None or error.status in (429, *SUCCESS) or (error.status >= 500 and error.status != 501):
                raise
            return None
        try:
            content = parse_json(path, answer)
        except RequestError:
            return None
        ready = content.get("is_ready") if isinstance(content, dict) else None
        return ready if isinstance(ready, bool) else None


def _is_id(value: Any) -> bool:
    """A number, or text that can stand in a path and means nothing else there."""
    if isinstance(value, str):
        return re.fullmatch("[A-Za-z0-9_-]{1,100}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _is_key(value: Any) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)
