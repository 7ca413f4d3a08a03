# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The list of a resource, as a table: the documented array, and whatever looks like it and is something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from requests.structures import CaseInsensitiveDict

from ansible_collections.managedfs.console.plugins.module_utils._internal.api.store import Store
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.response import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.settings import Settings
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME

A, B = {"id": 1, "name": "a"}, {"id": 2, "name": "b"}


class ScriptedClient:
    """A client with one response for every request."""

    settings = Settings("https://console.example.com", "/api/v1", "AK", "SK")

    def __init__(self, content: Any, headers: Mapping[str, str], status: int) -> None:
        self._answer = content, Response(status, CaseInsensitiveDict(headers), b"")
        self.requests = 0

    def url_path(self, path: str) -> str:
        return f"/api/v1/{path}"

    def get_json(self, _path: str, _query: str = "") -> tuple[Any, Response]:
        self.requests += 1
        return self._answer


def client(content: Any, headers: Mapping[str, str] | None = None, status: int = 200) -> ScriptedClient:
    """Return a client whose console answers with one response."""
    return ScriptedClient(content, headers or {}, status)


@pytest.mark.parametrize(
    ("scripted", "records"),
    [
        pytest.param(client([A, B]), [A, B], id="the documented array"),
        pytest.param(client([]), [], id="no record"),
        pytest.param(client([A, B, A]), [A, B], id="a record that is repeated"),
        pytest.param(client([A, {**A, "id": "1"}]), [{**A, "id": "1"}], id="an id as number and text"),
        pytest.param(client([{"name": "a"}]), [{"name": "a"}], id="a record without an id"),
        pytest.param(client([{}, {}]), [{}, {}], id="two records without an id"),
        pytest.param(client([A], {"X-Total-Count": "1"}), [A], id="the right total"),
        pytest.param(client([A], {"Content-Range": "items 0-0/1"}, 206), [A], id="a range that is everything"),
        pytest.param(client([A], status=203), [A], id="another success"),
        pytest.param(client({"results": [A], "count": 1}), [A], id="a page"),
    ],
)
def test_a_list_is_read_with_one_request(scripted: ScriptedClient, records: list[Any]) -> None:
    assert Store(scripted, VOLUME).list_records() == records  # type: ignore[arg-type]
    assert scripted.requests == 1


@pytest.mark.parametrize(
    ("scripted", "message"),
    [
        pytest.param(client([A], {"X-Total-Count": "2"}), "announces 2 records", id="a total"),
        pytest.param(client([A], {"X-Total": "2"}), "announces 2 records", id="a total by another name"),
        pytest.param(client([A], {"Content-Range": "items 0-0/2"}), "as its Content-Range shows", id="a range"),
        pytest.param(client([A], {"Link": '</x>; rel="next'}), "as its Link header shows", id="a link nobody can read"),
        pytest.param(client([A], status=206), "as its status 206 shows", id="a status"),
        pytest.param(client([A], {"Link": "<//b.example>; rel=next"}), "is on another host", id="a link"),
        pytest.param(client([A, 1]), "expected a list of records", id="an array of something else"),
        pytest.param(client("a"), "expected a list of records", id="no array"),
    ],
)
def test_a_list_that_may_not_be_everything_is_an_error(scripted: ScriptedClient, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        Store(scripted, VOLUME).list_records()  # type: ignore[arg-type]
