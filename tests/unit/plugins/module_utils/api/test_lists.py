# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists as tables: the reading of one page, and of a list whose responses are all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from requests.structures import CaseInsensitiveDict

from ansible_collections.managedfs.console.plugins.module_utils._internal.api.lists import Page, Store
from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA, VOLUME

A, B = {"id": 1, "name": "a"}, {"id": 2, "name": "b"}


def page(content: Any, headers: Mapping[str, str] | None = None, status: int = 200) -> Page:
    return Page(content, Response(status, CaseInsensitiveDict(headers or {}), b""))


def test_records() -> None:
    pages: list[Any] = [[A, B], {"results": [A, B]}, {"results": []}]
    assert [page(content).records for content in pages] == [[A, B], [A, B], []]
    no_pages: list[Any] = [{"results": A}, {"items": [A]}, None, "x"]
    assert [page(content).records for content in no_pages] == no_pages


@pytest.mark.parametrize(
    ("header", "following"),
    [
        pytest.param("", None, id="no link"),
        pytest.param('</l?page=2>; rel="next"', "/l?page=2", id="quoted"),
        pytest.param("</l?page=2>; rel=next", "/l?page=2", id="not quoted"),
        pytest.param("</l?page=2>;rel=next", "/l?page=2", id="without spaces"),
        pytest.param('</l?page=2> ;  rel  =  "next"', "/l?page=2", id="with more spaces"),
        pytest.param('</l?page=2>; REL="Next"', "/l?page=2", id="in another case"),
        pytest.param('</l?page=2>; rel="last next"', "/l?page=2", id="one of several relations"),
        pytest.param('</l?page=1>; rel="prev"', None, id="another relation"),
        pytest.param('</l?page=1>; rel="nextish"', None, id="a relation that is alike"),
        pytest.param("</l?page=1>", None, id="no relation"),
        pytest.param("</l?page=1>; rel", None, id="a relation without a value"),
        pytest.param('</l?page=1>; rel=""', None, id="an empty relation"),
        pytest.param('</1>; rel="prev", </3>; rel="next"', "/3", id="the last of several links"),
        pytest.param('</3>; rel="next", </1>; rel="prev"', "/3", id="the first of several links"),
        pytest.param('</1>; rel="prev",</2>,</3>;rel=next,</9>; rel="last"', "/3", id="between others"),
        pytest.param('</1>; rel="prev"; title="a, b", </3>; rel="next"', "/3", id="a comma in a title"),
        pytest.param('</3>; title="a, b; c=d"; rel="next"', "/3", id="a comma and a semicolon before the relation"),
        pytest.param('</3>; title="<x>"; rel="next"', "/3", id="a link in a title"),
        pytest.param('</l?a=1,2;b=3>; rel="next"', "/l?a=1,2;b=3", id="a comma and a semicolon in the target"),
        pytest.param('</3>; type="a/b"; rel="next"; hreflang=en', "/3", id="among other parameters"),
        pytest.param('</3>; nofollow; rel="next"', "/3", id="after a parameter without a value"),
        pytest.param('</3>; rel="prev"; rel="next"', None, id="the first relation counts"),
        pytest.param('</3>; myrel="next"', None, id="the end of another parameter"),
        pytest.param("<https://other.example.com/3>; rel=next", "https://other.example.com/3", id="an absolute target"),
        pytest.param('</3>; title="a; rel=prev"; rel=next', "/3", id="a semicolon and a relation in a title"),
        pytest.param('</1>; title="a; rel=next;"; rel=prev', None, id="a next relation in a title"),
        pytest.param('</3>; title="a \\"b\\""; rel="next"', "/3", id="a quotation mark in a title"),
        pytest.param("<>; rel=next", "", id="an empty target"),
        pytest.param("/3; rel=next", None, id="not a link"),
    ],
)
def test_link(header: str, following: str | None) -> None:
    assert page([A], {"Link": header}).following == following


@pytest.mark.parametrize(
    ("content", "header", "following"),
    [
        pytest.param({"results": [A], "next": "/l?page=2"}, "", "/l?page=2", id="in the body"),
        pytest.param({"results": [A], "next": "/l?page=2"}, "</x>; rel=next", "/l?page=2", id="in both"),
        pytest.param({"results": [A], "next": None}, "</x>; rel=next", "/x", id="in the header, null in the body"),
        pytest.param({"results": [A]}, "</x>; rel=next", "/x", id="in the header, not in the body"),
        pytest.param({"results": [A], "next": None}, "", None, id="in neither"),
        pytest.param({"results": [A], "next": ""}, "", None, id="empty"),
        pytest.param({"results": [A], "next": 7}, "", 7, id="no text, to be refused by who follows it"),
        pytest.param({"next": "/l?page=2"}, "", None, id="in what is no page"),
    ],
)
def test_following(content: Any, header: str, following: Any) -> None:
    assert (page(content, {"Link": header}).following or None) == following


@pytest.mark.parametrize(
    ("content", "headers", "totals"),
    [
        pytest.param([A], {}, set(), id="none"),
        pytest.param({"results": [A], "count": 5}, {}, {5}, id="count"),
        pytest.param({"results": [A], "total": 5}, {}, {5}, id="total"),
        pytest.param({"results": [A], "total_count": "5"}, {}, {5}, id="total_count, as text"),
        pytest.param({"results": [A], "count": 0}, {}, {0}, id="nought"),
        pytest.param([A], {"X-Total-Count": "5"}, {5}, id="X-Total-Count"),
        pytest.param([A], {"x-total": "5"}, {5}, id="X-Total, in another case"),
        pytest.param({"results": [A], "count": 5, "total": 6}, {"X-Total-Count": "7"}, {5, 6, 7}, id="that differ"),
        pytest.param({"results": [A], "count": 5}, {"X-Total-Count": "5"}, {5}, id="that agree"),
        pytest.param({"results": [A], "count": None, "total": "many"}, {"X-Total": ""}, set(), id="no numbers"),
        pytest.param({"results": [A], "count": -1, "total": 1.5, "total_count": True}, {}, set(), id="unusual numbers"),
        pytest.param({"results": [A], "count": "1" * 21}, {}, set(), id="too long"),
        pytest.param({"count": 5}, {}, set(), id="in what is no page"),
    ],
)
def test_totals(content: Any, headers: dict[str, str], totals: set[int]) -> None:
    assert page(content, headers).totals == totals


SIGNS_IN_THE_HEAD: dict[str, tuple[Any, ...]] = {
    "none": ([A, B], 200, {}, None),
    "206": ([A, B], 206, {}, "its status 206"),
    "206, and all": ([A, B], 206, {"Content-Range": "items 0-1/2"}, None),
    "all": ([A, B], 200, {"Content-Range": "items 0-1/2"}, None),
    "206, and some": ([A, B], 206, {"Content-Range": "items 0-1/5"}, "its Content-Range"),
    "some": ([A, B], 200, {"Content-Range": "items 0-1/5"}, "its Content-Range"),
    "the rest": ([A, B], 200, {"Content-Range": "items 2-3/4"}, "its Content-Range"),
    "more than there are": ([A, B], 200, {"Content-Range": "items 0-4/5"}, "its Content-Range"),
    "the first of two signs": ({"results": [A], "next_page": 2}, 206, {}, "its status 206"),
    "separators after the last link": ([A], 200, {"Link": '</x>; rel="nextish" ,\t, '}, None),
    "a link to a next page that is not readable": ([A], 200, {"Link": "/x; rel=next"}, "its Link header"),
    "a link to another that is not readable": ([A], 200, {"Link": "/x; rel=prev"}, None),
    "links not readable after the first": ([A], 200, {"Link": '</x>; rel="prev" /y; rel=next'}, "its Link header"),
}


@pytest.mark.parametrize(("content", "status", "headers", "sign"), SIGNS_IN_THE_HEAD.values(), ids=SIGNS_IN_THE_HEAD)
def test_signs_in_the_head(content: Any, status: int, headers: dict[str, str], sign: str | None) -> None:
    assert page(content, headers, status).unknown_sign == sign


SIGNS_IN_THE_BODY: dict[str, tuple[Any, ...]] = {
    "none": ({}, None),
    "what is known": ({"count": 1, "next": "/x", "previous": "/y", "total": 1, "total_count": 1}, None),
    "next_page": ({"next_page": 2}, "its next_page"),
    "next in another case": ({"NEXT": "x"}, "its NEXT"),
    "has_more": ({"has_more": True}, "its has_more"),
    "hasMore": ({"hasMore": True}, "its hasMore"),
    "cursor": ({"cursor": "x"}, "its cursor"),
    "links.next": ({"links": {"next": "/x"}}, "its links.next"),
    "meta.has_more": ({"meta": {"has_more": True}}, "its meta.has_more"),
    "no more": ({"next_page": None, "has_more": False, "cursor": "", "links": {"next": None}}, None),
    "something else": ({"links": {"self": "/x", "prev": "/y"}, "page": 1, "moreover": 1}, None),
}


@pytest.mark.parametrize(("extra", "sign"), SIGNS_IN_THE_BODY.values(), ids=SIGNS_IN_THE_BODY)
def test_signs_in_the_body(extra: dict[str, Any], sign: str | None) -> None:
    assert page({"results": [A], **extra}).unknown_sign == sign
    assert page([{"id": 1, **extra}]).unknown_sign is None


class ScriptedClient:
    settings = Settings("https://console.example.com", "/api/v1", "AK", "SK")

    def __init__(self, content: Any, headers: Mapping[str, str], status: int) -> None:
        self._answer = content, Response(status, CaseInsensitiveDict(headers), b"")
        self.requests = 0

    def url_path(self, path: str) -> str:
        return f"/api/v1/{path}"

    def hold(self, _path: str, _records: list[Any], number: int) -> int:
        return number

    def get_json(self, _path: str, _query: str = "", **_options: bool) -> tuple[Any, Response]:
        self.requests += 1
        return self._answer


def client(content: Any, headers: Mapping[str, str] | None = None, status: int = 200) -> ScriptedClient:
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
        pytest.param(client([A], {"X-Total-Count": "2"}), "announces a length of 2", id="a total"),
        pytest.param(client([A], {"X-Total": "2"}), "announces a length of 2", id="a total by another name"),
        pytest.param(client([A], {"Content-Range": "items 0-0/2"}), "as its Content-Range shows", id="a range"),
        pytest.param(client([A], {"Link": '</x>; rel="next'}), "as its Link header shows", id="a link nobody can read"),
        pytest.param(client([A], status=206), "as its status 206 shows", id="a status"),
        pytest.param(client([A], {"Link": "<//b.example>; rel=next"}), "is on another host", id="a link"),
        pytest.param(
            client({"results": [A], "next": "//an.console.example.com"}), "is on another host", id="a host below ours"
        ),
        pytest.param(client([A, 1]), "expected a list of records", id="an array of something else"),
        pytest.param(client("a"), "expected a list of records", id="no array"),
        pytest.param(
            client([A, B, {**B, "id": "1"}]), r"shows different volumes with the same id \(id 1\)", id="an id of two"
        ),
        pytest.param(client({"results": [A, {**A, "x": 1}]}), "volumes with the same id", id="an id of two on a page"),
    ],
)
def test_a_list_that_may_not_be_everything_is_an_error(scripted: ScriptedClient, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        Store(scripted, VOLUME).list_records()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        pytest.param([A, {"name": "b"}], "volumes without a usable id: they cannot be identified", id="no id"),
        pytest.param([A, {"id": True, "name": "b"}], "volumes without a usable id:", id="a boolean for an id"),
        pytest.param([A, {"id": [1], "name": "b"}], "volumes without a usable id:", id="a list for an id"),
        pytest.param([A, {"id": 2}, {"id": "x"}], r"volumes without a usable name \(ids 2, x\):", id="no key"),
        pytest.param(
            [{"id": n} for n in range(12)], r"\(ids 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, \.\.\.\):", id="many of them"
        ),
    ],
)
def test_records_that_nobody_can_identify(records: list[Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        Store(client(records), VOLUME).read()  # type: ignore[arg-type]


ROOT, USERS = {"id": 1, "path": "/"}, {"id": 7, "uid": 1000}


class ChangingClient(ScriptedClient):
    """Returns different records at each reading."""

    def __init__(self, *lists: Any) -> None:
        super().__init__(None, {}, 200)
        self._lists = iter(lists)

    def get_json(self, _path: str, _query: str = "", **_options: bool) -> tuple[Any, Response]:
        return next(self._lists), self._answer[1]


def test_quotas_of_users_stay_what_they_are_when_nothing_else_is_left() -> None:
    store = Store(ChangingClient([USERS, ROOT], [USERS]), QUOTA, A)  # type: ignore[arg-type]
    assert [(list(records), records.ignored) for records in (store.read(), store.read())] == [
        ([ROOT], [USERS]),
        ([], [USERS]),
    ]


@pytest.mark.parametrize("between", [[], [[{"id": 2, "path": "/b"}]]], ids=["at once", "after a reading without it"])
def test_a_quota_that_has_shown_its_path_is_not_taken_for_one_of_a_user(between: list[Any]) -> None:
    other = {"id": 2, "path": "/b"}
    store = Store(ChangingClient([ROOT, other], *between, [{"id": "1"}, other]), QUOTA, A)  # type: ignore[arg-type]
    for _reading in range(1 + len(between)):
        store.read()
    with pytest.raises(RequestError, match=r"quotas without a usable path \(ids 1\): they cannot be identified"):
        store.read()


def test_a_quota_of_a_user_on_another_page_does_not_take_the_place_of_ours() -> None:
    first = {"count": 2, "next": "?page=2", "results": [ROOT]}
    last = {"count": 2, "next": None, "results": [{"id": 1, "uid": 1000}]}
    with pytest.raises(RequestError, match=r"different quotas with the same id \(ids 1\): they cannot be identified"):
        Store(ChangingClient(*[first, last] * 3), QUOTA, A).read()  # type: ignore[arg-type]
