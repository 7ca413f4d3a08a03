# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""TLS: who is trusted, and what of the environment counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from emulator import Emulator
from functional.support.inprocess import FakeClock, connection_to, run_module


class Certificates:
    """An authority of our own, and what it signed, as files."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.authority = str(folder / "ca.pem")
        authority.cert_pem.write_to_path(self.authority)
        self.server_cert, self.server_key = self._files(folder, "server", authority.issue_cert("127.0.0.1"))
        self.client_cert, self.client_key = self._files(folder, "client", authority.issue_cert("client@example.com"))
        self.client_both = str(folder / "both.pem")
        both = Path(self.client_key).read_bytes() + Path(self.client_cert).read_bytes()
        Path(self.client_both).write_bytes(both)

    @staticmethod
    def _files(folder: Path, name: str, issued: trustme.LeafCert) -> tuple[str, str]:
        cert, key = folder / f"{name}.pem", folder / f"{name}.key"
        issued.cert_chain_pems[0].write_to_path(str(cert))
        issued.private_key_pem.write_to_path(str(key))
        return str(cert), str(key)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Return certificates of an authority that nobody else knows."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def console(certificates: Certificates) -> Iterator[Emulator]:
    """Yield a console that speaks TLS."""
    with Emulator(tls_cert=certificates.server_cert, tls_key=certificates.server_key) as emulator:
        yield emulator


@pytest.fixture(scope="module")
def strict_console(certificates: Certificates) -> Iterator[Emulator]:
    """Yield a console that also requires a client certificate."""
    with Emulator(
        tls_cert=certificates.server_cert, tls_key=certificates.server_key, client_ca=certificates.authority
    ) as emulator:
        yield emulator


def info(emulator: Emulator, **options: Any) -> dict[str, Any]:
    """Return the result of volume_info on a console."""
    return run_module("volume_info", {**connection_to(emulator), "retries": 0, **options}, FakeClock())


@pytest.mark.promise("certificates-are-verified", "blank-ca-path-still-verifies")
@pytest.mark.parametrize("options", [{}, {"ca_path": ""}, {"retries": 4}])
def test_an_unknown_authority_is_refused_and_what_to_do_is_said(console: Emulator, options: dict[str, Any]) -> None:
    console.forget_requests()
    result = info(console, **options)
    assert "no TLS connection" in result["msg"]
    assert "certificate" in result["msg"]
    assert "ca_path" in result["msg"]
    assert console.requests == []


@pytest.mark.promise("certificates-are-verified")
@pytest.mark.parametrize("options", [{}, {"retries": 4}])
def test_an_authority_in_ca_path_is_trusted(
    console: Emulator, certificates: Certificates, options: dict[str, Any]
) -> None:
    result = info(console, ca_path=certificates.authority, **options)
    assert result["volumes"] == []
    assert result["warnings"] == []


@pytest.mark.promise("certificates-are-verified", "unverified-is-warned-of")
def test_validate_certs_false_accepts_any(console: Emulator, capfd: pytest.CaptureFixture[str]) -> None:
    result = info(console, validate_certs=False)
    assert result["volumes"] == []
    assert capfd.readouterr().err == ""
    (warning,) = result["warnings"]
    assert "validate_certs is false: whoever answers is taken for the console" in warning


@pytest.mark.promise("skew-needs-evidence")
def test_without_verification_the_time_is_not_believed(console: Emulator, certificates: Certificates) -> None:
    console.reset()
    console.clock_offset = 600
    try:
        result = info(console, validate_certs=False)
        assert len(console.requests) == 1
        assert info(console, ca_path=certificates.authority)["volumes"] == []
    finally:
        console.reset()
    assert "ahead of this machine's, as its Date header tells" in result["msg"]
    assert "validate_certs is false, so that anybody could have sent it. Synchronize the clocks." in result["msg"]


@pytest.mark.promise("certificates-are-verified")
def test_a_name_that_is_not_in_the_certificate_is_refused(console: Emulator, certificates: Certificates) -> None:
    url = console.url.replace("127.0.0.1", "localhost")
    assert "no TLS connection" in info(console, console_url=url, ca_path=certificates.authority)["msg"]


@pytest.mark.promise("environment-is-ignored")
@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_authorities_of_the_environment_do_not_count(
    console: Emulator, certificates: Certificates, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, certificates.authority)
    assert "no TLS connection" in info(console)["msg"]
    monkeypatch.setenv(name, "/no/such/file")
    assert info(console, ca_path=certificates.authority)["volumes"] == []


def test_the_variable_of_the_collection_counts(
    console: Emulator, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MANAGEDFS_CA_PATH", certificates.authority)
    assert info(console)["volumes"] == []
    assert info(console, ca_path="")["volumes"] == []


@pytest.mark.promise("client-certificates")
def test_client_certificates(strict_console: Emulator, certificates: Certificates) -> None:
    trusted = {"ca_path": certificates.authority}
    assert info(strict_console, **trusted)["failed"]
    both = info(strict_console, client_cert=certificates.client_both, **trusted)
    assert both["volumes"] == []
    pair = {"client_cert": certificates.client_cert, "client_key": certificates.client_key}
    assert info(strict_console, **pair, **trusted)["volumes"] == []


def test_a_client_certificate_that_is_none_is_told(strict_console: Emulator, certificates: Certificates) -> None:
    result = info(strict_console, client_cert=certificates.authority, ca_path=certificates.authority)
    assert result["failed"]
    assert "client_cert" in result["msg"]


def test_a_bundle_that_is_none_is_told(console: Emulator, tmp_path: Path) -> None:
    bundle = tmp_path / "ca.pem"
    bundle.write_text("no certificate", encoding="utf-8")
    result = info(console, ca_path=str(bundle))
    assert result["failed"]
    assert "ca_path" in result["msg"]


def test_a_key_with_a_password_is_refused_and_not_asked_for(certificates: Certificates, tmp_path: Path) -> None:
    key = load_pem_private_key(Path(certificates.client_key).read_bytes(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hunter2"))
    both = tmp_path / "both.pem"
    both.write_bytes(Path(certificates.client_cert).read_bytes() + locked)
    options = {"console_url": "https://127.0.0.1:1", "access_key": "a", "secret_key": "b", "client_cert": str(both)}
    result = run_module("volume_info", options, FakeClock())
    assert result["failed"]
    assert "the key must not have a password" in result["msg"]
