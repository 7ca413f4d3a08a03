# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nothing secret in any result, whatever the console echoes."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import Run
from functional.support.rawserver import StartServer
from functional.support.tokens import authorization_in, signature_in

BUCKET = "https://me:hunter2@a.example.com"


def secrets_of(emulator: Emulator) -> set[str]:
    """Return the key, each token of a record, and each Authorization header with its signature."""
    sent = {request.authorization or "" for request in emulator.requests}
    signatures = set(map(signature_in, sent))
    return {emulator.secret_key, "hunter2", *emulator.tokens(), *sent, *signatures}


@pytest.mark.promise("no-secret-in-output")
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


@pytest.mark.promise("echoed-secrets-are-removed")
def test_a_console_that_echoes_the_request_is_not_repeated(run: Run, raw_server: StartServer) -> None:
    def echo(request: bytes) -> bytes:
        token = authorization_in(request).encode()
        signature = signature_in(token.decode()).encode()
        body = b'{"detail": "bad token ' + token + b" or signature " + signature + b'"}'
        return b"HTTP/1.1 401 No\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    server = raw_server(echo)
    result = run("volume_info", console_url=server.url)
    assert re.search(r"bad token \*{8}=* or signature \*{8}", result["msg"])
    (request,) = server.received
    token = authorization_in(request).encode()
    assert token.decode() not in json.dumps(result)


def in_json(text: str) -> str:
    """Return text with every character as JSON may write it."""
    return "".join(f"\\u{ord(char):04x}" for char in text)


def in_url(text: str) -> str:
    """Return text with every character as a URL may write it."""
    return "".join(f"%{ord(char):02x}" for char in text)


ENCODINGS: dict[str, Callable[[str], str]] = {
    "JSON, its end": lambda text: text.rstrip("=") + in_json("=" * text.count("=")),
    "JSON": in_json,
    "URL": in_url,
    "URL, twice": lambda text: in_url(in_url(text)),
    "HTML": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "HTML, twice": lambda text: "".join(f"&amp;#x{ord(char):x};" for char in text),
    "JSON of a URL": lambda text: in_json(in_url(text)),
    "mixed": lambda text: "".join((in_json, in_url, str)[number % 3](char) for number, char in enumerate(text)),
}


def decoded(text: str) -> str:
    """Return a text in which every escape of JSON, URLs and HTML is what it stands for."""
    for _round in range(4):
        text = re.sub(r"\\+u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), html.unescape(unquote(text)))
    return text


@pytest.mark.promise("echoed-secrets-are-removed")
@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("place", ["text", "JSON", "HTML", "Location", "Link"])
@pytest.mark.parametrize("status", [200, 302, 401])
def test_an_echo_in_another_encoding_is_not_repeated(
    run: Run, raw_server: StartServer, encode: Callable[[str], str], place: str, status: int
) -> None:
    def echo(request: bytes) -> bytes:
        token = authorization_in(request)
        both = f"{encode(token)} {encode(signature_in(token))}"
        bodies = {"text": both, "JSON": f'[{{"a": "{both}"}}]', "HTML": f"<html><title>{both}</title></html>"}
        link = f"</{encode(token)}>; rel=next" if place == "Link" else ""
        headers = f"Location: http://h/{both if place == 'Location' else ''}\r\n" + f"Link: {link}\r\n" * bool(link)
        body = bodies.get(place, "[]")
        return f"HTTP/1.1 {status} X\r\n{headers}Content-Length: {len(body)}\r\n\r\n{body}".encode()

    server = raw_server(echo)
    for module, options in (("volume_info", {}), ("api_request", {"path": "volumes", "status_code": [200, 302, 401]})):
        result = run(module, console_url=server.url, retries=0, **options)
        shown = decoded(json.dumps(result)).lower()
        for request in server.received:
            token = authorization_in(request)
            assert token.rstrip("=").lower() not in shown
            assert signature_in(token) not in shown


@pytest.mark.promise("echoed-secrets-are-removed")
def test_a_proxy_that_refuses_a_tunnel_with_its_password_is_not_repeated(
    run: Run, raw_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(request: bytes) -> bytes:
        found = re.search(rb"Proxy-Authorization: Basic (\S+)", request)
        assert found
        return b"HTTP/1.1 407 not %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" % found[1]

    server = raw_server(refuse)
    monkeypatch.setenv("https_proxy", server.url.replace("//", "//me:hunter2hunter2@"))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    result = run("volume_info", console_url="https://console.invalid", retries=0)
    assert "Tunnel connection failed: 407 not ********" in result["msg"]
    assert base64.b64encode(b"me:hunter2hunter2").decode() not in json.dumps(result)


@pytest.mark.promise("masking-is-by-place")
def test_a_short_secret_of_the_console_masks_nothing_else(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("wrong_json", times=None, value=[{"id": 1, "name": "banana", "token": "a"}]))
    (volume,) = run("volume_info")["volumes"]
    assert volume["name"] == "banana"
    assert volume["token"] == "********"


@pytest.mark.promise("invalid-options-reveal-nothing")
@pytest.mark.parametrize("items", [["/a", "/b"], 3, [3], [None], [["/a"]], "{", [{"path": {"a": 1}}], [{"state": []}]])
@pytest.mark.parametrize("module", ["exports", "quotas"])
def test_the_key_is_masked_where_a_list_is_none(run: Run, emulator: Emulator, module: str, items: Any) -> None:
    result = run(module, volume="v", **{module: items})
    assert result["failed"]
    assert emulator.secret_key not in json.dumps(result)


UNUSUAL_BODIES = [
    b'[{"id": 1, "desc": "caf\xe9", "token": "the-token"}]',
    b'[{"id": 1, "size": NaN, "token": "the-token"}]',
    b'\xef\xbb\xbf[{"id": 1, "token": "the-token"}]',
    b'{"token": "the-token"}\n{"token": "the-token"}\n',
    b'{"detail": "exists: {\\"token\\": \\"the-token\\"}", "size": NaN}',
    b"{'token': 'the-token'}",
    b'{"record": {"token": ["the-token"]}, "size": NaN}',
    b"<html><title>Error at token=the-token</title></html>",
    b"token=the-token",
]


@pytest.mark.promise("echoed-secrets-are-removed")
@pytest.mark.parametrize("body", UNUSUAL_BODIES, ids=range(len(UNUSUAL_BODIES)))
@pytest.mark.parametrize("status", [200, 409])
def test_tokens_are_masked_also_in_what_is_no_json(run: Run, raw_server: StartServer, body: bytes, status: int) -> None:
    head = b"HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % (status, len(body))
    server = raw_server(head + body)
    for module, options in (("api_request", {"path": "volumes"}), ("volume_info", {})):
        assert "the-token" not in json.dumps(run(module, console_url=server.url, retries=0, **options))


@pytest.mark.parametrize(
    "body",
    [
        {"token": ["the-token"]},
        {"detail": "exists: {'token': 'the-token'}"},
        {"detail": '{"token": "the-token"}'},
        {"errors": [{"record": {"secret": {"a": "the-token"}}}]},
    ],
)
def test_tokens_in_the_words_of_an_error_are_masked(run: Run, emulator: Emulator, body: Any) -> None:
    emulator.inject(Fault("wrong_json", status=409, value=body, times=None))
    assert "the-token" not in json.dumps(run("volume_info", retries=0))


@pytest.mark.parametrize("place", ["https://me:pa/hunter2@h/x", "me:hunter2@h/x", "//me:hunter2@h/x?token=hunter2"])
def test_the_password_of_a_redirect_is_not_told(run: Run, emulator: Emulator, place: str) -> None:
    emulator.inject(Fault("redirect", location=place, times=None))
    result = run("volume_info", retries=0)
    assert "hunter2" not in json.dumps(result)
    assert "this one leads to h/x" in result["msg"]


@pytest.mark.parametrize("name", ["ca_path", "client_cert", "client_key"])
def test_the_content_of_a_key_in_place_of_its_path_is_not_told(run: Run, emulator: Emulator, name: str) -> None:
    content = "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n"
    result = run("volume_info", **{name: content})
    assert result["msg"] == f"{name} must be the path of a file, not its content."
    assert emulator.requests == []


def test_the_password_of_a_proxy_is_not_told(
    run: Run, raw_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def echo(request: bytes) -> bytes:
        return b"HTTP/1.1 502 No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(request), request)

    server = raw_server(echo)
    monkeypatch.setenv("http_proxy", server.url.replace("//", "//me:hunter2hunter2@"))
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert b"Proxy-Authorization: Basic" in server.received[0]
    text = json.dumps(result)
    assert "hunter2" not in text
    assert base64.b64encode(b"me:hunter2hunter2").decode() not in text


@pytest.mark.parametrize(
    "proxy", ["http://me:hunter2@", "http://me:hunter2", "http://[hunter2", "socks9://me:hunter2@h"]
)
def test_a_proxy_that_cannot_be_used_is_told_as_one(run: Run, monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert result["failed"]
    assert "proxy" in result["msg"]
    assert "hunter2" not in json.dumps(result)


def test_white_space_around_a_key_is_warned_of(run: Run, emulator: Emulator) -> None:
    result = run("volume_info", secret_key=emulator.secret_key + "\n")
    assert result["failed"]
    assert any("secret_key begins or ends with white space" in warning for warning in result["warnings"])


def test_what_the_console_calls_a_record_cannot_order_the_terminal_about(run: Run, emulator: Emulator) -> None:
    emulator.add_volume(name="a", bucket="https://\x1b[31m.example.com")
    assert "\x1b" not in run("volume", name="a", bucket="https://b.example.com")["msg"]


def test_an_echo_of_the_request_in_an_answer_is_masked(run: Run, raw_server: StartServer) -> None:
    def echo(request: bytes) -> bytes:
        token = next(line for line in request.split(b"\r\n") if line.lower().startswith(b"authorization: "))[15:]
        body = b'{"you sent": "' + token + b'"}'
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    server = raw_server(echo)
    result = run("api_request", path="volumes", console_url=server.url)
    assert result["json"]["you sent"].strip("=") == "********"


def test_a_proxy_that_cannot_be_used_is_told_without_its_password(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://user:hunter2@:99999")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert result["failed"]
    assert "hunter2" not in str(result)
