# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever text a console sends: what Ansible prints of a task cannot give commands to a terminal, nor deceive its reader.

Hypothesis draws it; `CASES=5000` in the environment draws as many cases as that, at random.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import note
from hypothesis import strategies as st

from emulator import Dialect
from functional.support.cases import cases
from functional.support.inprocess import SharedConsole, connection_to, run_module
from functional.support.rawserver import RawServer

# Commands to a terminal in either form, marks that turn the direction of text, characters that do not show, and such of
# which only some versions of Python know that they do.
COMMANDS = ["\x1b[31m", "\x1b]0;x\x07", "\x9b2J", "\x08", "\x7f", "\r", "\n", "\u202e", "\u2066", "\u200f", "\ufeff"]
COMMANDS += ["\xad", "\u2028", "\U000e0041", "\u200b"]
TEXTS = st.lists(
    st.sampled_from(COMMANDS)
    | st.text("ab/.:é", max_size=3)
    | st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Co"]),
    min_size=1,
    max_size=5,
).map("".join)
# Ansible refuses NUL before it reaches a module, and the emulator keeps no blank name.
NAMES = TEXTS.filter(lambda text: "\0" not in text).map(lambda text: f"n{text}n")
# What a header can hold, as bytes of UTF-8 or of Latin-1.
HEADERS = TEXTS.map(lambda text: text.replace("\r", "").replace("\n", "").replace("\0", "").encode())


def texts_in(value: Any) -> Iterator[str]:
    """Yield each text in a value, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def assert_printable(result: dict[str, Any]) -> None:
    """Assert that what Ansible prints of a result, as it stands there, shows and shows only itself."""
    note(str(result.get("msg")))
    printed = [result.get(name) for name in ("msg", "failure", "errors", "warnings")]
    headers = [text for name, text in result.get("diff", {}).items() if name.endswith("_header")]
    assert [text for text in texts_in([*printed, headers]) if not text.isprintable()] == []


def response(status: int, body: bytes, **headers: bytes) -> bytes:
    """Return a response with further headers."""
    lines = [b"HTTP/1.1 %d X" % status, b"Content-Length: %d" % len(body), b"Connection: close"]
    lines += [name.replace("_", "-").encode() + b": " + value for name, value in headers.items()]
    return b"\r\n".join([*lines, b"", b""]) + body


def in_json(value: Any) -> bytes:
    """Return a value in JSON, without escapes where there need not be any."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


ERRORS = st.sampled_from([400, 401, 403, 404, 409, 418, 500, 503])
ERROR_BODIES = st.one_of(
    TEXTS.map(lambda text: text.encode("utf-8", "replace")),
    TEXTS.map(lambda text: in_json({"detail": text})),
    TEXTS.map(lambda text: in_json({text: [f"{text} is bad"]})),
    TEXTS.map(lambda text: f"<html><title>{text}</title>".encode("utf-8", "replace")),
)
RESPONSES = st.one_of(
    st.builds(response, ERRORS, ERROR_BODIES),
    st.builds(lambda place: response(302, b"", Location=b"http://h/" + place), HEADERS),
    st.builds(lambda link: response(200, in_json({"results": [], "next": link})), TEXTS),
    st.builds(lambda name: response(200, in_json({"results": [], "next": f"http://{name}/"})), TEXTS),
    st.builds(lambda path: response(200, in_json({"results": [], "next": f"/{path}?a=1"})), TEXTS),
    st.builds(lambda sign: response(200, in_json({"results": [], f"next{sign}": sign})), TEXTS),
    st.builds(lambda link: response(200, b"[]", Link=b"</" + link + b">; rel=next"), HEADERS),
    st.builds(lambda span: response(200, b"[]", Content_Range=span), HEADERS),
    st.builds(lambda name: response(200, in_json([{"id": 1, "name": name}, {"id": name, "name": name}])), TEXTS),
    st.builds(lambda name: response(200, in_json([{"id": 1, "name": {name: name}}])), TEXTS),
)
TASKS: list[tuple[str, dict[str, Any]]] = [
    ("volume_info", {"gather": ["exports", "quotas"]}),
    ("volume", {"name": "v", "bucket": "https://v.example.com"}),
    ("exports", {"volume_id": 1, "exports": [{"desc": "web", "iprange": "*"}]}),
    ("volumes", {"volumes": [{"name": "v", "quotas": [{"path": "/a", "size": 1}]}]}),
    ("api_request", {"path": "volumes"}),
]


@pytest.mark.promise("messages-are-printable")
@cases()
@drawn(task=st.sampled_from(TASKS), responses=st.lists(RESPONSES, min_size=1, max_size=3))
def test_of_any_response_only_what_is_printable_is_told(
    shared_console: SharedConsole,
    responding: tuple[RawServer, list[bytes]],
    task: tuple[str, dict[str, Any]],
    responses: list[bytes],
) -> None:
    emulator, clock = shared_console
    server, queue = responding
    queue[:] = responses
    module, options = task
    connection = {**connection_to(emulator), "console_url": server.url, "retries": 1, "timeout": 2}
    assert_printable(run_module(module, {**connection, **options}, clock))


@pytest.fixture(scope="module")
def responding() -> Iterator[tuple[RawServer, list[bytes]]]:
    """Yield a server, and the list of its next responses, of which the last one stays."""
    queue = [b""]
    with RawServer(lambda _request: queue.pop(0) if len(queue) > 1 else queue[0]) as server:
        yield server, queue


def tasks_about(name: str, key: str, other: str) -> list[tuple[str, dict[str, Any]]]:
    """Return tasks in whose results the texts of a console and of the user occur."""
    exports = [{"desc": key, "iprange": "*", "readonly": False}, {"desc": other, "iprange": other}]
    return [
        ("volume", {"name": name, "bucket": "https://another/"}),
        ("volume", {"name": f"{name} "}),
        ("volume", {"name": f"{other}2", "bucket": "https://h/"}),
        ("volume", {"name": f"{name}3", "bucket": f"https://h/{other}"}),
        ("export", {"volume": name, "desc": key, "iprange": "::/0"}),
        ("export", {"volume": name, "desc": key, "readonly": False}),
        ("export", {"volume": f"{name}4", "desc": key, "state": "absent"}),
        ("exports", {"volume": name, "exports": exports}),
        ("exports", {"volume": name, "exports": exports[:1]}),
        ("quota", {"volume": name, "path": f"/{key}", "size": 5}),
        ("quotas", {"volume": name, "quotas": [{"path": f"/{other}", "size": 5}], "purge": True}),
        ("volumes", {"volumes": [{"name": name, "bucket": "https://h/", "exports": exports}]}),
    ]


@pytest.mark.promise("messages-are-printable")
@cases()
@drawn(
    number=st.integers(0, len(tasks_about("", "", "")) - 1),
    names=st.tuples(NAMES, NAMES, NAMES),
    check=st.booleans(),
    hides=st.booleans(),
)
def test_of_any_record_only_what_is_printable_is_told(
    shared_console: SharedConsole, number: int, names: tuple[str, str, str], check: bool, hides: bool
) -> None:
    emulator, clock = shared_console
    name, key, other = names
    emulator.reset(Dialect(record_fields="some" if hides else "all"))
    volume = emulator.add_volume(name=name, bucket=f"https://h/{other}")
    for _twice in range(2):
        emulator.add_volume(name=f"{other}2", bucket="https://h/")
    emulator.add_export(volume, desc=key, iprange="10.0.0.0/8", readonly=True)
    emulator.add_quota(volume, path=f"/{key}", size=1)
    clock.now += 60
    module, options = tasks_about(*names)[number]
    assert_printable(run_module(module, {**connection_to(emulator), "retries": 0, **options}, clock, check=check))
