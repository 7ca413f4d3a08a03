# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What messages add to the console's own words: which console it was, and what may be wrong with the connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trustme

from emulator import Emulator, Fault
from functional.support.inprocess import Run


@pytest.mark.promise("errors-name-the-console")
@pytest.mark.parametrize("module", ["volume_info", "export_info", "volume", "quotas"])
def test_the_console_is_named_where_a_request_failed(run: Run, emulator: Emulator, module: str) -> None:
    emulator.inject(Fault("reset_before", times=None))
    options: dict[str, dict[str, Any]] = {"volume": {"name": "a"}, "quotas": {"volume": "v", "quotas": []}}
    result = run(module, retries=0, **options.get(module, {}))
    assert result["msg"].endswith(f"Console: {emulator.url.removesuffix('/api/v1')}")
    assert "GET /api/v1/volumes" in result["msg"]


@pytest.mark.parametrize("path", ["/login", "/api/v2"])
def test_an_address_below_the_console_is_hinted_at(run: Run, emulator: Emulator, path: str) -> None:
    base = emulator.url.removesuffix("/api/v1")
    for module, options in (("volume_info", {}), ("api_request", {"path": "volumes"})):
        result = run(module, console_url=base + path, **options)
        assert "there is no console API at this address: check console_url" in result["msg"]


def test_another_route_that_is_not_there_is_no_fault_of_the_address(run: Run) -> None:
    result = run("api_request", path="no/such/route")
    assert result["failure"]["status"] == 404
    assert "console_url" not in result["msg"]


def test_https_to_a_port_that_speaks_http(run: Run, emulator: Emulator) -> None:
    result = run("volume_info", console_url=emulator.url.replace("http:", "https:"), retries=0)
    assert "should console_url begin with http?" in result["msg"]
    assert "ca_path" not in result["msg"]


def test_http_to_a_port_that_speaks_https(run: Run, raw_server: Any) -> None:
    alert = bytes.fromhex("15030100020246")
    server = raw_server(alert)
    result = run("volume_info", console_url=server.url, retries=0)
    assert "should console_url begin with https?" in result["msg"]


def test_a_ca_path_that_is_no_certificate(run: Run, emulator: Emulator, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a certificate", encoding="utf-8")
    result = run("volume_info", ca_path=str(tmp_path / "notes.txt"))
    assert "ca_path names a file without a certificate in PEM format" in result["msg"]
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    assert run("volume_info", ca_path=str(tmp_path / "ca.pem"))["volumes"] == emulator.volumes()
