# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Any value for an option, and any response: always a clean result, never a traceback.

Hypothesis draws it; `CASES=5000` in the environment draws as many cases as that, at random.
"""

from __future__ import annotations

import gc
import importlib
import json
import string
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given as drawn
from hypothesis import note
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from emulator import Emulator, Fault
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


def documented_options(name: str) -> dict[str, Any]:
    """Return the documented options of a module, without those of the connection."""
    module = importlib.import_module(f"{PLUGINS}.modules.{name}")
    options: dict[str, Any] = yaml.safe_load(module.DOCUMENTATION)["options"]
    return options


def options_of(name: str) -> list[str]:
    """Return the names of all options of a module, including those of the connection except the address."""
    general = ["state", "wait_timeout", "include_tokens", "concurrency", "volume", "volume_id", "create_only_changes"]
    found = set(documented_options(name)) | (set() if name == "api_request" else set(general))
    return sorted(found | CONNECTION_OPTIONS.keys() - {"console_url"})


def suboptions_of(name: str) -> list[str]:
    """Return the names of the options of an item, for a module that takes a list."""
    return sorted(documented_options(name).get(name, {}).get("suboptions", {}))


def unusual_items(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a list of items with unusual values, for a module that takes one."""
    item = st.dictionaries(st.sampled_from(suboptions_of(name)), ANYTHING, max_size=4)
    return st.lists(item, max_size=3).map(lambda items: {name: items})


def unusual_options(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a few options of a module, or of its items, with unusual values."""
    values = st.dictionaries(st.sampled_from(options_of(name)), ANYTHING, min_size=1, max_size=3)
    return values | unusual_items(name) if suboptions_of(name) else values


TASKS = st.sampled_from(sorted(PLAUSIBLE)).flatmap(lambda name: st.tuples(st.just(name), unusual_options(name)))
ADDRESSES = st.one_of(
    ANYTHING.filter(lambda value: not str(value).strip().lower().startswith("http")),
    TEXTS.map(lambda text: f"http://{text}".replace("//", "//user:pass@", 1)),
    TEXTS.map(lambda text: f"http://127.0.0.1:1/{text}"),
)

NAMES = ["id", "name", "desc", "path", "iprange", "readonly", "size", "inodes", "bucket", "blockSize", "access_rules"]
RECORDS = st.lists(
    st.dictionaries(
        st.sampled_from([*NAMES, "token"]) | UNUSUAL_TEXTS, ANY_RESPONSE | st.sampled_from(["v", "web", "/a", 101])
    ),
    max_size=3,
)
PAGES = st.fixed_dictionaries(
    {"results": RECORDS | ANY_RESPONSE},
    optional={"next": ANY_RESPONSE | st.just("/api/v1/volumes?page=2"), "count": ANY_RESPONSE},
)
RESPONSES = st.one_of(ANY_RESPONSE, RECORDS, PAGES)
FAULTS = st.builds(
    Fault,
    kind=st.just("wrong_json"),
    value=RESPONSES,
    nth=st.integers(1, 4),
    times=st.sampled_from([1, 2, None]),
    status=st.sampled_from([200, 200, 200, 201, 204, 299, 301, 400, 401, 404, 409, 418, 422, 429, 500, 503, 599]),
    effect=st.booleans(),
)

HEADER_NAMES = ["Retry-After", "Location", "Date", "Age", "Content-Type", "Content-Length", "Content-Encoding"]
HEADER_NAMES += ["Transfer-Encoding", "Set-Cookie"]
HEADER_VALUES = ["chunked", "gzip", "deflate", "Fri, 31 Dec 9999 23:59:59 GMT", "http://[", "text/html; charset=x"]
HEADERS = st.dictionaries(
    st.sampled_from(HEADER_NAMES),
    st.text(alphabet=string.printable.strip() + " é", max_size=30)
    | st.integers().map(str)
    | st.sampled_from(HEADER_VALUES),
    max_size=4,
)
BODIES = st.binary(max_size=50) | RESPONSES.map(lambda value: json.dumps(value).replace("Infinity", "1e999").encode())


def assert_clean(result: dict[str, Any], emulator: Emulator) -> None:
    """Assert that a user gets a result or a message, without a traceback or any secret."""
    note(str(result.get("msg")))
    text = json.dumps(result)
    assert result["msg"].strip() if result.get("failed") else isinstance(result["changed"], bool)
    assert "Traceback" not in text
    assert "object at 0x" not in text
    assert not oracle.secrets_in(result, emulator)


def seed(emulator: Emulator) -> dict[str, Any]:
    """Reset the console to a little of everything, and return the options to connect to it."""
    emulator.reset()
    volume = emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    emulator.add_quota(volume, path="/a", size=1024)
    return connection_to(emulator)


@pytest.fixture
def _garbage_collected() -> Iterator[None]:
    """Collect what a test leaves to the garbage collector before the next one starts."""
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
@drawn(address=ADDRESSES)
def test_any_address(shared_console: SharedConsole, address: Any) -> None:
    emulator, clock = shared_console
    options = {**seed(emulator), "console_url": address, "retries": 0}
    result = run_module("volume_info", options, clock)
    assert_clean(result, emulator)
    assert result["failed"]
    assert "user:pass" not in json.dumps(result)


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
    """Yield a server, and the list whose last entry is its response."""
    responses = [b""]
    with RawServer(lambda _request: responses[-1]) as server:
        yield server, responses


# Where the headers of a response make no sense, urllib3 leaves its connection to the garbage collector, which warns.
@pytest.mark.promise("never-a-traceback")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("_garbage_collected")
@cases()
@drawn(
    name=st.sampled_from(sorted(PLAUSIBLE)),
    status=st.sampled_from([100, 199, 200, 204, 206, 301, 304, 400, 401, 407, 429, 500, 503, 999])
    | st.integers(0, 9999),
    headers=HEADERS,
    body=BODIES,
)
def test_any_bytes(
    shared_console: SharedConsole,
    responding: tuple[RawServer, list[bytes]],
    name: str,
    status: int,
    headers: dict[str, str],
    body: bytes,
) -> None:
    emulator, clock = shared_console
    server, responses = responding
    lines = [f"HTTP/1.1 {status} X", *(f"{header}: {value}" for header, value in headers.items()), "", ""]
    responses.append("\r\n".join(lines).encode("latin-1") + body)
    options = {**seed(emulator), **PLAUSIBLE[name], "console_url": server.url, "retries": 0, "timeout": 2}
    result = run_module(name, options, clock)
    assert_clean(result, emulator)
    json.dumps(result, allow_nan=False)
