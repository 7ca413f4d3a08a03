# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where connection options come from, and what of the environment counts."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.version import COLLECTION_VERSION
from emulator import CHOICES, Dialect, Emulator
from emulator.answers import STYLES
from functional.support.inprocess import FakeClock, Run, connection_to, run_module
from functional.support.rawserver import StartServer

CONNECTION = ("console_url", "access_key", "secret_key")


@pytest.fixture
def in_environment(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Emulator:
    """Return the emulator, with its connection in the environment."""
    for name, value in connection_to(emulator).items():
        monkeypatch.setenv(f"MANAGEDFS_{name.upper()}", value)
    return emulator


@pytest.mark.parametrize("given", [{}, dict.fromkeys(CONNECTION, ""), dict.fromkeys(CONNECTION, "  ")])
def test_missing_and_blank_options_come_from_the_environment(
    in_environment: Emulator, clock: FakeClock, given: dict[str, str]
) -> None:
    result = run_module("volume_info", given, clock)
    assert result["volumes"] == []
    assert in_environment.secret_key not in str(result)


def test_the_task_wins_over_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in CONNECTION:
        monkeypatch.setenv(f"MANAGEDFS_{name.upper()}", "wrong")
    assert run("volume_info")["volumes"] == []


@pytest.mark.parametrize("name", CONNECTION)
@pytest.mark.parametrize("value", [None, "", " "])
@pytest.mark.parametrize("blank_variable", [False, True])
def test_a_required_option_that_is_nowhere_is_one_message(
    emulator: Emulator,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str | None,
    blank_variable: bool,
) -> None:
    if blank_variable:
        monkeypatch.setenv(f"MANAGEDFS_{name.upper()}", " ")
    given = {**connection_to(emulator), name: value}
    if value is None:
        del given[name]
    result = run_module("volume_info", given, clock)
    assert result["msg"] == (
        f"{name} is required: set in the task, in module_defaults, or as MANAGEDFS_{name.upper()} in the environment of"
        f" {platform.node()}, the host on which the module runs."
    )


def test_all_missing_options_are_named_at_once(clock: FakeClock) -> None:
    message = run_module("volume_info", {}, clock)["msg"]
    assert message.startswith("console_url, access_key, secret_key are required")
    assert "MANAGEDFS_CONSOLE_URL, MANAGEDFS_ACCESS_KEY, MANAGEDFS_SECRET_KEY" in message


def test_blank_variables_of_optional_options_count_as_unset(
    in_environment: Emulator, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VALIDATE_CERTS", "CA_PATH", "CLIENT_CERT", "CLIENT_KEY", "TIMEOUT", "RETRIES"):
        monkeypatch.setenv(f"MANAGEDFS_{name}", "")
    result = run_module("volume_info", {"ca_path": "", "client_cert": " "}, clock)
    assert result["volumes"] == []
    assert result["invocation"]["module_args"]["timeout"] == 30
    assert len(in_environment.requests) == 1


@pytest.mark.usefixtures("in_environment")
def test_optional_options_come_from_the_environment(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MANAGEDFS_TIMEOUT", "7")
    monkeypatch.setenv("MANAGEDFS_RETRIES", "0")
    monkeypatch.setenv("MANAGEDFS_VALIDATE_CERTS", "no")
    monkeypatch.setenv("MANAGEDFS_CA_PATH", str(tmp_path / "missing"))
    result = run_module("volume_info", {}, clock)
    assert "ca_path names a file that does not exist" in result["msg"]
    assert result["invocation"]["module_args"]["timeout"] == 7
    assert result["invocation"]["module_args"]["retries"] == 0
    assert result["invocation"]["module_args"]["validate_certs"] is False


def test_a_path_from_the_environment_is_expanded_in_place_of_a_blank(
    in_environment: Emulator, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOME_FOLDER", str(tmp_path))
    monkeypatch.setenv("MANAGEDFS_CA_PATH", "$SOME_FOLDER/missing")
    assert str(tmp_path / "missing") in run_module("volume_info", {"ca_path": ""}, clock)["msg"]
    assert in_environment.requests == []


@pytest.mark.parametrize(("option", "value"), [("timeout", ""), ("retries", ""), ("validate_certs", "")])
def test_a_blank_number_or_boolean_in_a_task_is_a_clean_error(
    run: Run, emulator: Emulator, option: str, value: str
) -> None:
    result = run("volume_info", **{option: value})
    assert result["failed"]
    assert option in result["msg"]
    assert emulator.requests == []


def test_headers_and_user_agent(run: Run, emulator: Emulator) -> None:
    run("volume", name="a", bucket="https://a.example.com")
    get, post = emulator.requests[:2]
    assert get.user_agent == f"managedfs.console/{COLLECTION_VERSION} (Ansible collection)"
    assert get.content_type is None
    assert get.body == b""
    assert post.content_type == "application/json"
    assert emulator.url.endswith(get.host or "missing")


@pytest.mark.promise("environment-is-ignored")
def test_netrc_changes_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password hunter2\n", encoding="utf-8")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    assert run("volume_info")["volumes"] == []


@pytest.mark.promise("plain-http-is-warned-of")
def test_plain_http_over_a_network_is_warned_of_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    (warning,) = run("volume_info", console_url="http://console.invalid", retries=2)["warnings"]
    assert "tokens and all other data can be read in transit. Use https." in warning


@pytest.mark.promise("environment-is-ignored")
def test_no_cookie_is_kept(run: Run, raw_server: StartServer) -> None:
    response = (
        b"HTTP/1.1 200 OK\r\nSet-Cookie: session=abc; Path=/\r\nContent-Type: application/json\r\n"
        b"Content-Length: 36\r\n\r\n" + b'{"results":[],"next":"?page=2"      }'[:36]
    )
    server = raw_server(response)
    run("volume_info", console_url=server.url, retries=0)
    assert len(server.received) >= 1
    assert not any(b"cookie" in request.lower() for request in server.received)


def test_requests_missing_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from ansible_collections.managedfs.console.plugins.module_utils._internal import module

    monkeypatch.setattr(module, "REQUESTS_IMPORT_ERROR", "Traceback: no module named requests")
    result = run("volume_info")
    assert result["failed"]
    assert "requests" in result["msg"]
    assert "Failed to import" in result["msg"]


@pytest.mark.parametrize("answers", CHOICES["answers"])
def test_wrong_credentials_are_refused_in_the_consoles_words(run: Run, emulator: Emulator, answers: str) -> None:
    emulator.reset(Dialect(answers=answers))
    for wrong in ({"secret_key": "wrong-secret"}, {"access_key": "wrong-access"}):
        result = run("volume", name="a", bucket="https://a.example.com", **wrong)
        assert result["failed"]
        assert result["failure"]["status"] == STYLES[answers].unsigned
        assert result["failure"]["message"]
        assert "<" not in result["msg"]
    assert emulator.writes == []
