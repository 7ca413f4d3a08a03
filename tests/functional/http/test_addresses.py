# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The address of the console: its forms, and where it leads."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from emulator import CHOICES, Dialect, Emulator, Fault
from functional.support.inprocess import Run


@pytest.mark.parametrize("form", ["{}", "{}/", "{}/api/v1", "{}/api/v1/"])
def test_the_address_in_any_form(run: Run, emulator: Emulator, form: str) -> None:
    assert run("volume_info", console_url=form.format(emulator.url))["volumes"] == []
    assert emulator.requests[0].path == "/volumes"


def test_slashes_in_front_of_the_path_are_signed_as_they_are_sent(run: Run, emulator: Emulator) -> None:
    assert run("volume_info", console_url=emulator.url + "//api/v1")["volumes"] == []
    assert emulator.requests[0].authenticated


@pytest.mark.parametrize(
    "value",
    ["not a url", "https://", "https://me:pw@console.example.com", "ftp://console.example.com", "https://h:port"],
)
def test_an_address_that_is_none_is_refused(run: Run, emulator: Emulator, value: str) -> None:
    result = run("volume_info", console_url=value)
    assert "console_url is not the address of a console" in result["msg"]
    assert emulator.requests == []


EVERY_MODULE: dict[str, dict[str, Any]] = {
    "volume": {"name": "v", "bucket": "https://v.example.com"},
    "export": {"volume": "v", "desc": "web", "iprange": "*"},
    "quota": {"volume": "v", "path": "/a", "size": 8192},
    "exports": {"volume": "v", "exports": [{"desc": "web", "iprange": "*"}]},
    "quotas": {"volume": "v", "quotas": [{"path": "/a", "size": 8192}]},
    "volumes": {"volumes": [{"name": "v", "bucket": "https://v.example.com"}]},
    "volume_info": {},
    "export_info": {"volume": "v"},
    "quota_info": {"volume": "v"},
    "api_request": {"path": "volumes"},
}


@pytest.mark.parametrize(("module", "options"), EVERY_MODULE.items(), ids=EVERY_MODULE)
def test_every_result_names_the_console(run: Run, emulator: Emulator, module: str, options: dict[str, Any]) -> None:
    emulator.add_volume(name="v", bucket="https://v.example.com")
    url = emulator.url.replace("http://", "HTTP://") + "/api/v1/"
    succeeded = run(module, console_url=url, **options)
    assert "failed" not in succeeded
    emulator.inject(Fault("reset_before", times=None))
    failed = run(module, console_url=url, retries=0, **options)
    assert "failure" in failed
    assert succeeded["console"] == failed["console"] == emulator.url.removesuffix("/api/v1")


def test_a_failure_before_the_first_request_names_the_console_unless_its_address_is_invalid(
    run: Run, emulator: Emulator
) -> None:
    result = run("quota", volume="v", path="not absolute")
    assert result["failed"]
    assert result["console"] == emulator.url.removesuffix("/api/v1")
    assert emulator.requests == []
    assert "console" not in run("volume_info", console_url="not a url")


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.mark.parametrize("module", ["volume_info", "volume"])
def test_a_port_on_which_nobody_listens_is_a_clean_failure(run: Run, module: str) -> None:
    options = {} if module == "volume_info" else {"name": "a", "bucket": "https://a.example.com"}
    result = run(module, console_url=f"http://127.0.0.1:{free_port()}", **options)
    assert result["failed"]
    assert result["changed"] is False
    assert "Connection refused" in result["msg"]
    assert "GET /api/v1/volumes" in result["msg"]
    assert result["failure"]["status"] is None


def test_a_host_that_has_no_address_is_a_clean_failure(run: Run) -> None:
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert result["failed"]
    assert result["failure"]["status"] is None


@pytest.mark.promise("wrong-address-is-never-ok")
@pytest.mark.parametrize("answers", CHOICES["answers"])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_wrong_address_is_never_ok(run: Run, emulator: Emulator, answers: str, state: str) -> None:
    emulator.reset(Dialect(answers=answers))
    result = run("volume", name="a", state=state, console_url=emulator.url + "/elsewhere")
    assert result["failed"]
    assert result["changed"] is False
    assert emulator.writes == []
