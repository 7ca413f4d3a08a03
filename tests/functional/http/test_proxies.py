# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The proxies that the environment names."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from emulator import Emulator
from functional.support.inprocess import Run
from functional.support.rawserver import RawServer, StartServer


@pytest.mark.promise("environment-is-ignored")
def test_proxies_of_the_environment_are_used(run: Run, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, emulator.url)
    result = run("volume_info", console_url="http://console.invalid")
    assert result["volumes"] == []
    assert emulator.requests[0].host == "console.invalid"
    (warning,) = result["warnings"]
    assert "can be read in transit" in warning
    assert "through the proxy that the environment names" in warning


@pytest.mark.promise("plain-http-is-warned-of")
@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy", "https_proxy"])
def test_a_proxy_for_plain_http_is_warned_of_also_on_this_machine(
    run: Run, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, emulator.url)
    warnings = run("volume_info", retries=2)["warnings"]
    assert len(warnings) == (variable != "https_proxy")
    assert all("through the proxy that the environment names" in warning for warning in warnings)


@pytest.mark.promise("environment-is-ignored")
def test_no_proxy_is_heeded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    assert run("volume_info")["volumes"] == []


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch, raw_server: StartServer) -> Callable[[bytes], RawServer]:
    """Return a function that starts a proxy for all requests, which responds with the given bytes."""

    def start(response: bytes) -> RawServer:
        server: RawServer = raw_server(response)
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, server.url)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        return server

    return start


def test_a_tunnel_that_is_refused_has_sent_nothing(run: Run, proxied: Callable[[bytes], RawServer]) -> None:
    server = proxied(b"HTTP/1.1 502 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    result = run("api_request", console_url="https://console.invalid", method="POST", path="volumes", retries=1)
    assert [request.split()[0] for request in server.received] == [b"CONNECT"] * 2
    assert result["failed"]
    assert result["changed"] is False
    assert "the proxy that the environment names" in result["msg"]


# urllib3 leaves the connection of such a response to the garbage collector, which warns about it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_odd_answer_is_not_blamed_on_the_proxy(run: Run, proxied: Callable[[bytes], RawServer]) -> None:
    proxied(b"HTTP/1.1 200 X\r\nConnection: close\r\nContent-Length: 1,2\r\n\r\n[]")
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert result["failed"]
    assert "proxy" not in result["msg"]
    gc.collect()
