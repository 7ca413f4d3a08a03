# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connection options: valid ones, and refusals before any request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.errors import AnsibleFallbackNotFound

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
    # The longest name in DNS
    f"https://{'a' * 49}{'.example' * 25}.com": (f"https://{'a' * 49}{'.example' * 25}.com", ""),
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
    "no host": ["https://", "https://:443"],
    "user name or password": [
        "https://me:hunter2@console.example.com",
        "https://@console.example.com",
        "https://me:hunter2@console.example.com:8443",
    ],
    "query": ["https://console.example.com?x=1", "https://console.example.com/?"],
    "fragment": ["https://console.example.com/#top"],
    "invalid": [
        f"https://{host}"
        for host in (
            "h:99999",
            "h:port",
            "[::1",
            "ä" * 80 + ".example",
            "..",
            "a" * 70 + ".b",
            "ä." * 127,
            "a" * 50 + ".example" * 25 + ".com",
        )
    ],
    "port is 0": ["https://console.example.com:0"],
    "white space": ["https://con sole.example.com", "https://console.example.com/a\nb"],
    "unprintable": ["https://console\x00.example.com"],
    "stands in brackets": ["http://::1", "http://::1:8731", "https://2001:db8::1", "https://2001:db8::1/api/v1"],
    "in quotation marks": ["'https://console.example.com'", '"https://console.example.com"'],
    "backslash": ["https://console.example.com\\@evil.example"],
}


@pytest.mark.parametrize(("message", "console_url"), [(why, url) for why, urls in REFUSED.items() for url in urls])
def test_addresses_that_are_refused(message: str, console_url: str) -> None:
    with pytest.raises(ConsoleError, match="console_url is not the address of a console") as caught:
        settings(console_url=console_url)
    assert message in str(caught.value)
    assert "hunter2" not in str(caught.value)


UNUSABLE = [
    *((option, value, "must be from") for option, value in (("timeout", 0), ("timeout", 10**400), ("retries", -1))),
    *((option, "/missing", "names a file that does not exist") for option in ("ca_path", "client_cert", "client_key")),
    *((option, "/", "names a file that does not exist") for option in ("client_cert", "client_key")),
    ("ca_path", "\0", "names a file that does not exist"),
    *(("ca_path", text, "must be the path of a file") for text in ("-----BEGIN CERTIFICATE-----", "/missing\n")),
    *((option, "\udcff", "contains bytes that are not UTF-8") for option in ("access_key", "secret_key")),
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
    with pytest.raises(ConsoleError, match="client_cert and client_key cannot be used"):
        settings(client_cert=str(pem))
    with pytest.raises(ConsoleError, match="ca_path names a file without a certificate"):
        settings(ca_path=str(pem))


def test_certificates_are_verified_unless_that_is_switched_off(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert [settings(ca_path=ca_path).verify for ca_path in (None, "", folder)] == [True, True, folder]
    assert settings(ca_path=folder, validate_certs=False).verify is False


def test_client_certificate(tmp_path: Path) -> None:
    both, cert, key = (str(tmp_path / name) for name in ("both", "cert", "key"))
    plain = settings()
    assert plain.cert is None
    assert plain._replace(client_cert=both).cert == both
    assert plain._replace(client_cert=cert, client_key=key).cert == (cert, key)


def test_plain_http_over_a_network_is_known() -> None:
    unencrypted = {"http://console.example.com": True, "http://10.0.0.1": True, "https://console.example.com": False}
    local = dict.fromkeys(("http://127.0.0.2:8642", "http://localhost", "http://[::1]"), False)
    for console_url, expected in {**unencrypted, **local}.items():
        assert settings(console_url=console_url).is_unencrypted is expected, console_url
    assert settings(console_url="http://one.localhost").is_unencrypted is False


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what the environment says about connections."""
    for name in (*(f"MANAGEDFS_{name.upper()}" for name in connection.CONNECTION_OPTIONS), *PROXY_VARIABLES):
        monkeypatch.delenv(name, raising=False)


PROXY_VARIABLES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")


def test_settings_and_options_have_the_same_documented_defaults() -> None:
    options = {name: option.get("default") for name, option in connection.CONNECTION_OPTIONS.items()}
    found = settings(**{name: value for name, value in options.items() if value is not None})
    assert found == connection.Settings("https://console.example.com", "/api/v1", "AK", "SK")
    assert (found.validate_certs, found.timeout, found.retries) == (True, 30, 4)


def test_of_the_keys_only_the_secret_one_is_hidden() -> None:
    hidden = {name: option["no_log"] for name, option in connection.CONNECTION_OPTIONS.items() if "no_log" in option}
    assert hidden == {"access_key": False, "secret_key": True}


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        (
            ["console_url"],
            "console_url is required: set in the task, in module_defaults, or as MANAGEDFS_CONSOLE_URL in",
        ),
        (["access_key"], "access_key is required: "),
        (["access_key", "secret_key"], "access_key, secret_key are required: "),
    ],
)
def test_what_is_required_is_asked_for_at_once(missing: list[str], words: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        settings(**dict.fromkeys(missing, " "))
    assert str(caught.value).startswith(words)
    assert " in the environment where the module runs." in str(caught.value)


@pytest.mark.parametrize(
    ("name", "variable", "value"),
    [
        ("timeout", "7", 7),
        ("timeout", "7.0", 7),
        ("timeout", "7 s", "7 s"),
        ("validate_certs", "no", "no"),
        ("ca_path", "/ca", "/ca"),
        ("ca_path", " ", None),
        ("ca_path", None, None),
    ],
)
def test_the_environment_has_the_options_that_are_not_in_the_task(
    monkeypatch: pytest.MonkeyPatch, name: str, variable: str | None, value: object
) -> None:
    if variable is not None:
        monkeypatch.setenv(f"MANAGEDFS_{name.upper()}", variable)
    find, arguments = connection.CONNECTION_OPTIONS[name]["fallback"]
    if value is None:
        with pytest.raises(AnsibleFallbackNotFound):
            find(*arguments)
    else:
        assert find(*arguments) == value


def test_a_required_option_that_is_nowhere_is_blank() -> None:
    for name in ("console_url", "access_key", "secret_key"):
        find, arguments = connection.CONNECTION_OPTIONS[name]["fallback"]
        assert find(*arguments) == ""


def test_blank_text_in_the_task_leaves_it_to_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FOLDER", str(tmp_path))
    monkeypatch.setenv("MANAGEDFS_CA_PATH", "$FOLDER")
    monkeypatch.setenv("MANAGEDFS_ACCESS_KEY", "$FOLDER")
    monkeypatch.setenv("MANAGEDFS_SECRET_KEY", "other")
    found = settings(ca_path=" ", access_key="")
    assert (found.ca_path, found.access_key, found.secret_key) == (str(tmp_path), "$FOLDER", "SK")
    monkeypatch.setenv("MANAGEDFS_CA_PATH", " ")
    assert settings(ca_path="").ca_path is None


@pytest.mark.parametrize(
    ("message", "variable", "is_named"),
    [
        ("argument 'timeout' is of type str", "7 s", True),
        ("argument 'timeout' is of type str", "8 s", False),
        ("argument 'timeout' is of type str", None, False),
        ("argument 'size' is of type str", "7 s", False),
        ("missing required arguments: timeout", "7 s", False),
    ],
)
def test_the_variable_of_an_option_of_the_wrong_type_is_named(
    monkeypatch: pytest.MonkeyPatch, message: str, variable: str | None, is_named: bool
) -> None:
    if variable is not None:
        for name in ("MANAGEDFS_TIMEOUT", "MANAGEDFS_SIZE"):
            monkeypatch.setenv(name, variable)
    named = connection.name_variable(message, {"timeout": "7 s", "size": "7 s"})
    assert named == message + " (MANAGEDFS_TIMEOUT in the environment)" * is_named


@pytest.mark.parametrize(
    ("url", "named"),
    [
        (None, ""),
        ("http://p.example:3128", "the proxy p.example:3128 of the environment"),
        ("p.example", "the proxy p.example of the environment"),
        ("http://me:hunter2@p.example", "the proxy p.example of the environment"),
        ("http://p.example:port", "the proxy of the environment"),
        ("http://", "the proxy of the environment"),
    ],
)
def test_a_proxy_is_named_by_host_and_port_alone(url: str | None, named: str) -> None:
    assert connection.name_proxy(url) == named


def test_a_task_for_another_console_is_refused() -> None:
    here = settings()
    connection.check_console(here, None)
    connection.check_console(here, ["https://other.example", "https://CONSOLE.example.com:443/api/v1/"])
    with pytest.raises(
        ConsoleError, match=r"this is for https://a\.example or https://b\.example/c, and console_url is "
    ):
        connection.check_console(here, ["https://a.example", "https://b.example/c/api/v1"])


@pytest.mark.parametrize(
    "given", [[], (), "https://a.example", {"https://a.example": 1}, 7, [7], ["https://a.example", None]]
)
def test_addresses_that_are_no_list_of_texts_are_refused(given: object) -> None:
    with pytest.raises(ConsoleError, match="consoles must be a list of at least one address of a console"):
        connection.read_addresses("consoles", given)
