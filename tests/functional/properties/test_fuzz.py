# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Any value for an option, any response and any record: a clean result, without traceback and commands to a terminal.

Hypothesis draws it; `CASES=5000` in the environment draws as many cases as that, and `SEED=random` others each time.
"""

from __future__ import annotations

import gc
import importlib
import json
import re
import string
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

import pytest
import yaml
from hypothesis import given as drawn
from hypothesis import note
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from emulator import Dialect, Emulator, Fault
from functional.support import oracle
from functional.support.cases import cases
from functional.support.inprocess import PLUGINS, SharedConsole, connection_to, run_module
from functional.support.rawserver import RawServer

# Options with which each module does something.
PLAUSIBLE: dict[str, dict[str, Any]] = {
    "volume": {"name": "v", "bucket": "https://v.example.com"},
    "volume_info": {"gather": ["exports", "quotas"]},
    "export": {"volume": "v", "desc": "new", "iprange": "*"},
    "exports": {"volume": "v", "exports": [{"desc": "web", "iprange": "::1"}, {"desc": "new", "iprange": "*"}]},
    "export_info": {"volume": "v"},
    "quota": {"volume": "v", "path": "/a", "size": "2K"},
    "quotas": {"volume": "v", "quotas": [{"path": "/new", "size": 1}, {"path": "/a", "state": "absent"}]},
    "quota_info": {},
    "api_request": {"path": "volumes"},
}


def nested(value: Any, depth: int) -> Any:
    """Return a value deep within dictionaries and lists."""
    return nested({"inner": [value]}, depth - 1) if depth else value


NUMBERS = st.integers() | st.sampled_from([-1, 10**30, -(10**400), 2**63, 10**4000]) | st.floats()
TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="/.:%?#@\\ \r\n\t*-0189afGKib", max_size=12),
    st.sampled_from(["", " ", "\r\nX-Header: x", "0" * 5000, "\u0661", "/" * 3000, "1e400", "NaN", "\x7f\x1b[31m"]),
    # Ansible itself refuses NUL, and half a surrogate pair before they reach a module; a response may have them.
).filter(lambda text: "\0" not in text)
UNUSUAL_TEXTS = TEXTS | st.sampled_from(["\0", "\ud800", "a\udcff", "\x00/a"])


def anything(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Draw any value that JSON can hold, and some that only Python's JSON can."""
    scalars = st.none() | st.booleans() | NUMBERS | texts
    some = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))
    return some | scalars.map(lambda value: nested(value, 60))


ANYTHING, ANY_RESPONSE = anything(TEXTS), anything(UNUSUAL_TEXTS)


def options_of(name: str) -> dict[str, Any]:
    """Return the documented options of a module, without those of the connection."""
    options: dict[str, Any] = yaml.safe_load(importlib.import_module(f"{PLUGINS}.modules.{name}").DOCUMENTATION)[
        "options"
    ]
    shared = () if name == "api_request" else GENERAL
    return {**{option: {} for option in shared}, **options}


def is_handled(value: Any) -> bool:
    """Return whether ansible-core finds out if this is a number: it gives lists to Decimal, where a huge number overflows."""
    try:
        Decimal(value)
    except OverflowError:
        return False
    except (TypeError, ValueError, InvalidOperation):
        pass
    return True


UNUSUAL = ANYTHING.filter(is_handled)


def unusual_options(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a few options of a module, or of its items, with unusual values."""
    options = options_of(name)
    names = sorted(options.keys() | CONNECTION_OPTIONS.keys() - {"console_url"})
    values = st.dictionaries(st.sampled_from(names), UNUSUAL, min_size=1, max_size=3)
    of_items = sorted(options.get(name, {}).get("suboptions", {}))
    if not of_items:
        return values
    items = st.lists(st.dictionaries(st.sampled_from(of_items), UNUSUAL, max_size=4), max_size=3)
    return values | items.map(lambda given: {name: given})


GENERAL = ("state", "wait_timeout", "include_tokens", "concurrency", "volume", "volume_id", "create_only_changes")
TASKS = st.sampled_from(sorted(PLAUSIBLE)).flatmap(lambda name: st.tuples(st.just(name), unusual_options(name)))

NAMES = ["id", "name", "desc", "path", "iprange", "readonly", "size", "inodes", "bucket", "blockSize", "access_rules"]
FIELDS = st.sampled_from([*NAMES, "token"]) | UNUSUAL_TEXTS
RECORDS = st.lists(st.dictionaries(FIELDS, ANY_RESPONSE | st.sampled_from(["v", "web", "/a", 101])), max_size=3)
NEXT = ANY_RESPONSE | st.just("/api/v1/volumes?page=2")
PAGES = st.fixed_dictionaries({"results": RECORDS | ANY_RESPONSE}, optional={"next": NEXT, "count": ANY_RESPONSE})
RESPONSES = st.one_of(ANY_RESPONSE, RECORDS, PAGES)
ANSWERS = st.sampled_from([200, 200, 200, 201, 204, 299, 301, 400, 401, 404, 409, 418, 422, 429, 500, 503, 599])
POSITIONS = {"nth": st.integers(1, 4), "times": st.sampled_from([1, 2, None])}
FAULTS = st.builds(
    Fault, kind=st.just("wrong_json"), value=RESPONSES, status=ANSWERS, effect=st.booleans(), **POSITIONS
)

# Commands to a terminal in either form, marks that turn the direction of text, characters that do not show, and such of
# which only some versions of Python know that they do.
COMMANDS = ["\x1b[31m", "\x1b]0;x\x07", "\x9b2J", "\x08", "\x7f", "\r", "\n", "\u202e", "\u2066", "\u200f", "\ufeff"]
COMMANDS += ["\xad", "\u2028", "\U000e0041", "\u200b"]
UNPRINTABLE = st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Co"])
PIECES = st.sampled_from(COMMANDS) | st.text("ab/.:é", max_size=3) | UNPRINTABLE
MARKS = st.lists(PIECES, min_size=1, max_size=5).map("".join)


def response(body: bytes, status: int = 200, **headers: str) -> bytes:
    """Return a response, which need not make sense and ends with its connection."""
    lines = [f"HTTP/1.1 {status} X", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def in_json(value: Any) -> bytes:
    """Return a value in JSON, with as few escapes as possible."""
    return json.dumps(value, ensure_ascii=False).replace("Infinity", "1e999").encode("utf-8", "replace")


def in_header(text: str) -> str:
    """Return the part of a text that a header can hold, as bytes of UTF-8."""
    return re.sub(r"[\r\n\0]", "", text).encode().decode("latin-1")


def page(**fields: Any) -> bytes:
    """Return an empty page with further fields."""
    return response(in_json({"results": [], **fields}))


MARKED: list[Callable[[str], bytes]] = [
    lambda text: response(text.encode("utf-8", "replace"), 401),
    lambda text: response(in_json({"detail": text}), 400),
    lambda text: response(in_json({text: [f"{text} is bad"]}), 404),
    lambda text: response(f"<html><title>{text}</title>".encode("utf-8", "replace"), 503),
    lambda text: response(b"", 302, Location=f"http://h/{in_header(text)}"),
    lambda text: page(next=text),
    lambda text: page(next=f"http://{text}/"),
    lambda text: page(next=f"/{text}?a=1"),
    lambda text: page(**{f"next{text}": text}),
    lambda text: response(b"[]", Link=f"</{in_header(text)}>; rel=next"),
    lambda text: response(b"[]", Content_Range=in_header(text)),
    lambda text: response(in_json([{"id": 1, "name": text}, {"id": text, "name": text}])),
    lambda text: response(in_json([{"id": 1, "name": {text: text}}])),
]
MARKED_RESPONSES = st.builds(lambda make, text: make(text), st.sampled_from(MARKED), MARKS)

HEADER_NAMES = ["Retry-After", "Location", "Date", "Age", "Content-Type", "Content-Length", "Content-Encoding"]
HEADER_NAMES += ["Transfer-Encoding", "Set-Cookie"]
HEADER_VALUES = ["chunked", "gzip", "deflate", "Fri, 31 Dec 9999 23:59:59 GMT", "http://[", "text/html; charset=x"]
HEADER_TEXTS = st.text(string.printable.strip() + " é", max_size=30)
ANY_HEADER = HEADER_TEXTS | st.integers().map(str) | st.sampled_from(HEADER_VALUES)
HEADERS = st.dictionaries(st.sampled_from(HEADER_NAMES), ANY_HEADER, max_size=4)
STATUSES = st.sampled_from([100, 199, 200, 204, 206, 301, 304, 400, 401, 407, 429, 500, 503, 999])
BODIES = st.binary(max_size=50) | RESPONSES.map(lambda value: json.dumps(value).replace("Infinity", "1e999").encode())
STATUSES |= st.integers(0, 9999)
ANY_BYTES = st.builds(lambda body, status, headers: response(body, status, **headers), BODIES, STATUSES, HEADERS)


def texts_in(value: Any) -> Iterator[str]:
    """Yield each text in a value, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from texts_in(inner)


def assert_clean(result: dict[str, Any], emulator: Emulator) -> None:
    """Assert that a user gets a result or a message, without a traceback, secrets, or commands to a terminal."""
    note(str(result.get("msg")))
    text = json.dumps(result)
    assert result["msg"].strip() if result.get("failed") else isinstance(result["changed"], bool)
    assert "Traceback" not in text
    assert "object at 0x" not in text
    assert not oracle.secrets_in(result, emulator)
    printed = [result.get(name) for name in ("msg", "failure", "errors", "warnings")]
    headers = [text for name, text in result.get("diff", {}).items() if name.endswith("_header")]
    assert [text for text in texts_in([*printed, headers]) if not text.isprintable()] == []


def seed(emulator: Emulator) -> dict[str, Any]:
    """Reset the console to a little of everything, and return the options to connect to it."""
    emulator.reset()
    volume = emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    emulator.add_quota(volume, path="/a", size=1024)
    return connection_to(emulator)


@pytest.fixture
def _garbage_collected() -> Iterator[None]:
    """Collect the garbage of a test before the next one starts."""
    yield
    gc.collect()


@pytest.mark.promise("never-a-traceback")
@cases()
@drawn(task=TASKS, check=st.booleans())
def test_any_options(shared_console: SharedConsole, task: tuple[str, dict[str, Any]], check: bool) -> None:
    emulator, clock = shared_console
    name, values = task
    options = {**seed(emulator), "wait_timeout": 5, **PLAUSIBLE[name], **values}
    if "wait_timeout" not in options_of(name):
        del options["wait_timeout"]
    assert_clean(run_module(name, options, clock, check=check), emulator)


@pytest.mark.promise("never-a-traceback")
@cases()
@drawn(name=st.sampled_from(sorted(PLAUSIBLE)), faults=st.lists(FAULTS, min_size=1, max_size=3))
def test_any_answer_in_json(shared_console: SharedConsole, name: str, faults: list[Fault]) -> None:
    emulator, clock = shared_console
    options = {**seed(emulator), **PLAUSIBLE[name], "retries": 1}
    emulator.inject(*faults)
    assert_clean(run_module(name, options, clock), emulator)


@pytest.fixture(scope="module")
def responding() -> Iterator[tuple[RawServer, list[bytes]]]:
    """Yield a server, and the list of its next responses, of which the last one stays."""
    queue = [b""]
    with RawServer(lambda _request: queue.pop(0) if len(queue) > 1 else queue[0]) as server:
        yield server, queue


# If the headers of a response are invalid, urllib3 leaves its connection to the garbage collector, which warns.
@pytest.mark.promise("never-a-traceback")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("_garbage_collected")
@cases(2)
@drawn(
    name=st.sampled_from(sorted(PLAUSIBLE)),
    responses=st.lists(ANY_BYTES, min_size=1, max_size=1) | st.lists(MARKED_RESPONSES, min_size=1, max_size=3),
)
def test_any_response(
    shared_console: SharedConsole, responding: tuple[RawServer, list[bytes]], name: str, responses: list[bytes]
) -> None:
    emulator, clock = shared_console
    server, queue = responding
    queue[:] = responses
    connection = {**seed(emulator), "console_url": server.url, "retries": len(responses) - 1, "timeout": 2}
    options = {**connection, **PLAUSIBLE[name]}
    result = run_module(name, options, clock)
    assert_clean(result, emulator)
    json.dumps(result, allow_nan=False)


def tasks_about(name: str, key: str, other: str) -> list[tuple[str, dict[str, Any]]]:
    """Return tasks with results that contain texts of a console and of the user."""
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


# Ansible refuses NUL before it reaches a module, and the emulator keeps no blank name.
MARKED_NAMES = MARKS.filter(lambda text: "\0" not in text).map(lambda text: f"n{text}n")


@pytest.mark.promise("never-a-traceback")
@cases()
@drawn(number=st.integers(0, 11), names=st.tuples(*[MARKED_NAMES] * 3), check=st.booleans(), hides=st.booleans())
def test_any_record(
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
    assert_clean(run_module(module, {**connection_to(emulator), "retries": 0, **options}, clock, check=check), emulator)
