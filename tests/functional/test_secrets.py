# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nothing secret in any result, whatever the console echoes."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

from emulator import Emulator, Fault

from .conftest import Run

BUCKET = "https://me:hunter2@a.example.com"


def secrets_of(emulator: Emulator) -> set[str]:
    """The key, each token of a record, and each Authorization header with its signature."""
    sent = {request.authorization or "" for request in emulator.requests}
    signatures = {json.loads(base64.b64decode(token))["signature"] for token in sent}
    return {emulator.secret_key, "hunter2", *emulator.tokens(), *sent, *signatures}


@pytest.mark.parametrize(
    "fault",
    [
        None,
        Fault("status", times=None),
        Fault("status", method="POST", status=400, times=None),
        Fault("html", times=None),
        Fault("redirect", location="https://me:hunter2@elsewhere.invalid/?token=hunter2", times=None),
        Fault("reset_after", method="POST"),
        Fault("status", method="DELETE", status=403, times=None),
    ],
    ids=lambda fault: "none" if fault is None else f"{fault.kind}-{fault.method}",
)
@pytest.mark.parametrize(
    "options",
    [
        {"name": "a", "bucket": BUCKET},
        {"name": "a", "bucket": "https://other.example.com"},
        {"name": "new", "bucket": BUCKET},
        {"name": "a", "state": "absent"},
    ],
    ids=str,
)
def test_no_secret_in_a_result(run: Run, emulator: Emulator, fault: Fault | None, options: dict[str, Any]) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="*")
    before = emulator.tokens()
    if fault:
        emulator.inject(fault)
    shown = json.dumps([run("volume", check=True, **options), run("volume", **options), run("volume_info")])
    for secret in secrets_of(emulator) | set(before):
        assert secret not in shown


def test_a_console_that_echoes_the_request_is_not_repeated(run: Run, raw_server: Any) -> None:
    def echo(request: bytes) -> bytes:
        token = next(line for line in request.split(b"\r\n") if line.lower().startswith(b"authorization: "))[15:]
        signature = json.loads(base64.b64decode(token))["signature"].encode()
        body = b'{"detail": "bad token ' + token + b" or signature " + signature + b'"}'
        return b"HTTP/1.1 401 No\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    server = raw_server(echo)
    result = run("volume_info", console_url=server.url)
    assert re.search(r"bad token \*{8}=* or signature \*{8}", result["msg"])
    (request,) = server.received
    token = next(line for line in request.split(b"\r\n") if line.lower().startswith(b"authorization: "))[15:]
    assert token.decode() not in json.dumps(result)


def test_a_short_secret_of_the_console_masks_nothing_else(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("wrong_json", times=None, value=[{"id": 1, "name": "banana", "token": "a"}]))
    (volume,) = run("volume_info")["volumes"]
    assert volume["name"] == "banana"
    assert volume["token"] == "********"


@pytest.mark.parametrize("items", [["/a", "/b"], 3, [3], [None], [["/a"]], "{", [{"path": {"a": 1}}], [{"state": []}]])
@pytest.mark.parametrize("module", ["exports", "quotas"])
def test_the_key_is_masked_where_a_list_is_none(run: Run, emulator: Emulator, module: str, items: Any) -> None:
    result = run(module, volume="v", **{module: items})
    assert result["failed"]
    assert emulator.secret_key not in json.dumps(result)
