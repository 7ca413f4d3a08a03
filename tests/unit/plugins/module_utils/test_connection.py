# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connection options: valid ones, and refusals before any request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import connection
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.http.signature_vectors import EMPTY_HOSTS


def settings(**changes: Any) -> connection.Settings:
    files = dict.fromkeys(("ca_path", "client_cert", "client_key"))
    keys = {"access_key": "AK", "secret_key": "SK"}
    usual = {"console_url": "https://console.example.com", "validate_certs": True, "timeout": 30, "retries": 4}
    return connection.read_connection({**usual, **keys, **files, **changes})


ADDRESSES = {
    "https://console.example.com": ("https://console.example.com", ""),
    "https://console.example.com/": ("https://console.example.com", ""),
    "https://console.example.com/api/v1": ("https://console.example.com", ""),
    " HTTPS://Console.Example.COM:443/api/v1/ ": ("https://console.example.com", ""),
    "http://console.example.com:80": ("http://console.example.com", ""),
    "https://console.example.com:80/": ("https://console.example.com:80", ""),
    "http://127.0.0.1:8642/": ("http://127.0.0.1:8642", ""),
    "https://bücher.example": ("https://xn--bcher-kva.example", ""),
    "https://XN--Bcher-kva.example": ("https://xn--bcher-kva.example", ""),
    "https://[2001:DB8:0:0::1]:443": ("https://[2001:db8::1]", ""),
    "https://[2001:db8::0001]:8443/api/v1": ("https://[2001:db8::1]:8443", ""),
    "https://proxy.example.com/Console/": ("https://proxy.example.com", "/Console"),
    "https://proxy.example.com//console/api/v1": ("https://proxy.example.com", "/console"),
    "https://proxy.example.com/myapi/v1": ("https://proxy.example.com", "/myapi/v1"),
}


@pytest.mark.parametrize(("console_url", "origin", "prefix"), [(url, *row) for url, row in ADDRESSES.items()])
def test_one_console_has_one_address(console_url: str, origin: str, prefix: str) -> None:
    found = settings(console_url=console_url)
    assert (found.origin, found.base_path, found.address) == (origin, f"{prefix}/api/v1", origin + prefix)
    assert settings(console_url=found.address).address == found.address


@pytest.mark.parametrize("url", ["", *EMPTY_HOSTS])
def test_the_host_value_has_no_user_info_and_is_never_empty(url: str) -> None:
    assert connection.host_value("https://user:password@console.example.com/") == "console.example.com"
    with pytest.raises(ValueError, match="without a host"):
        connection.host_value(url)


# By the message about them.
REFUSED = {
    "http:// or https://": ["console.example.com", "ftp://console.example.com"],
    "@, ? or #": [
        *("https://me:hunter2@console.example.com", "https://@console.example.com", "https://console.example.com/#top"),
        *("https://console.example.com?x=1", "https://console.example.com/?", "https://console.example.com\\evil"),
    ],
    "host or port is invalid": [
        f"https://{host}"
        for host in ("", ":443", "h:99999", "h:port", "[::1", "ä" * 80 + ".example", "..", "a" * 70 + ".b", "ä." * 127)
    ],
    "white space": [f"https://console{char}.example.com" for char in (" ", "\n", "\0", "\u200b")],
    "stands in brackets": ["http://::1:8731", "https://2001:db8::1", "https://2001:db8::1/api/v1"],
    "quotation marks": ["'https://console.example.com'", '"https://console.example.com"'],
}


@pytest.mark.parametrize(("message", "console_url"), [(why, url) for why, urls in REFUSED.items() for url in urls])
def test_addresses_that_are_refused(message: str, console_url: str) -> None:
    with pytest.raises(ConsoleError, match="console_url is not the address of a console") as caught:
        settings(console_url=console_url)
    assert message in str(caught.value)
    assert "hunter2" not in str(caught.value)


UNUSABLE = [
    *((option, value, "must be from") for option, value in (("timeout", 0), ("timeout", 10**400), ("retries", -1))),
    ("ca_path", "/missing", "must be a readable file with a certificate in PEM format: /missing"),
    ("client_cert", "/missing", r"and client_key \(/missing, not set\) cannot be used: .* No such file"),
    *(
        (option, "$ANSIBLE_VAULT;1.1;AES256\n61", "is still encrypted. Put !vault")
        for option in ("access_key", "secret_key")
    ),
    *((option, "\udcff", "must be UTF-8 text") for option in ("access_key", "secret_key")),
]


@pytest.mark.parametrize(("option", "value", "message"), UNUSABLE)
def test_values_that_cannot_be_used(option: str, value: object, message: str) -> None:
    with pytest.raises(ConsoleError, match=f"{option} {message}"):
        settings(**{option: value})


def test_a_key_without_a_certificate_and_a_certificate_that_is_none_are_refused(tmp_path: Path) -> None:
    pem = tmp_path / "pem"
    pem.touch()
    with pytest.raises(ConsoleError, match="client_key needs client_cert"):
        settings(client_key=str(pem))
    with pytest.raises(ConsoleError, match=r"client_cert and client_key .* cannot be used"):
        settings(client_cert=str(pem))


def test_certificates_are_verified_unless_that_is_switched_off(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert [settings(ca_path=ca_path).verify for ca_path in (None, "", folder)] == [True, True, folder]
    assert settings(ca_path=folder, validate_certs=False).verify is False


def test_plain_http_over_a_network_is_known() -> None:
    unencrypted = {"http://console.example.com": True, "http://10.0.0.1": True, "https://console.example.com": False}
    unencrypted |= dict.fromkeys(("http://notlocalhost", "http://localhost.example.com"), True)
    local = dict.fromkeys(("http://127.0.0.2:8642", "http://localhost", "http://[::1]"), False)
    for console_url, expected in {**unencrypted, **local}.items():
        assert settings(console_url=console_url).is_unencrypted is expected, console_url
