# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connection options: their sources, the console that they lead to, trust, and what else in the environment counts."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import trustme
from cryptography.hazmat.primitives import serialization as pem

from ansible_collections.managedfs.console.plugins.module_utils._internal import task as glue
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import COLLECTION_VERSION
from emulator import CHOICES, Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run, connection_to, run_module
from functional.support.rawserver import StartServer, http_response

CONNECTION = ("console_url", "access_key", "secret_key")


@pytest.mark.parametrize("given", [{}, dict.fromkeys(CONNECTION, ""), dict.fromkeys(CONNECTION, "  ")])
def test_missing_and_blank_options_come_from_the_environment_and_no_others(
    run: Run, emulator: Emulator, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, given: dict[str, str]
) -> None:
    for name, value in connection_to(emulator).items():
        monkeypatch.setenv(f"MANAGEDFS_{name.upper()}", value)
    assert "failed" not in run_module("volume_info", given, clock)
    for name in CONNECTION:
        monkeypatch.setenv(f"MANAGEDFS_{name.upper()}", "wrong")
    assert "failed" not in run("volume_info")


@pytest.mark.parametrize("names", [*([name] for name in CONNECTION), CONNECTION], ids=", ".join)
@pytest.mark.parametrize(("value", "variable"), [(None, ""), ("", ""), (" ", " ")])
def test_required_options_that_are_nowhere_are_one_message(
    run: Run, monkeypatch: pytest.MonkeyPatch, names: Sequence[str], value: str | None, variable: str
) -> None:
    variables = [f"MANAGEDFS_{name.upper()}" for name in names]
    for name in variables:
        monkeypatch.setenv(name, variable)
    assert run("volume_info", **dict.fromkeys(names, value))["msg"] == (
        f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} required: set in the task, in module_defaults, or as"
        f" {', '.join(variables)} in the environment where the module runs."
    )


def test_optional_options_come_from_the_environment_unless_it_is_blank(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for blank in ("", " "):
        for name in ("VALIDATE_CERTS", "CA_PATH", "CLIENT_CERT", "CLIENT_KEY", "TIMEOUT", "RETRIES"):
            monkeypatch.setenv(f"MANAGEDFS_{name}", blank)
        result = run("volume_info", ca_path="", client_cert=" ")
        assert (result["volumes"], result["invocation"]["module_args"]["timeout"]) == ([], 30)
    given = {"TIMEOUT": "7", "RETRIES": "0", "VALIDATE_CERTS": "no", "CA_PATH": "$FOLDER/missing"}
    for name, value in given.items():
        monkeypatch.setenv(f"MANAGEDFS_{name}", value)
    monkeypatch.setenv("FOLDER", str(tmp_path))
    result = run("volume_info", ca_path="")
    assert f"ca_path must be a readable file with a certificate in PEM format: {tmp_path / 'missing'}" in result["msg"]
    read = result["invocation"]["module_args"]
    assert (read["timeout"], read["retries"], read["validate_certs"]) == (7, 0, False)
    monkeypatch.setenv("MANAGEDFS_TIMEOUT", "7 s")
    message = run("volume_info")["msg"]
    assert "'timeout'" in message
    for name in given:
        monkeypatch.delenv(f"MANAGEDFS_{name}")
    assert "\\x1f" in run("volume_info", validate_certs="x\x1fx")["msg"]


def test_headers_and_the_message_if_requests_is_missing(
    run: Run, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("volume", name="a", bucket="https://v.example.com")
    get, post = emulator.requests[:2]
    assert get.headers["user-agent"] == f"managedfs.console/{COLLECTION_VERSION} (Ansible collection)"
    assert (get.headers.get("content-type"), get.body, post.headers["content-type"]) == (None, b"", "application/json")
    assert emulator.url.endswith(get.headers["host"] or "missing")
    monkeypatch.setattr(glue, "REQUESTS_IMPORT_ERROR", "Traceback: no module named requests")
    assert "Failed to import the required Python library (requests)" in run("volume_info")["msg"]


@pytest.mark.promise("environment-is-ignored")
def test_netrc_changes_nothing_and_no_cookie_is_kept(
    run: Run, raw_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password hunter2\n", encoding="utf-8")
    netrc.chmod(0o600)
    for name, value in {"HOME": tmp_path, "NETRC": netrc}.items():
        monkeypatch.setenv(name, str(value))
    assert "failed" not in run("volume_info")
    page = {"results": [], "next": "?page=2"}
    server = raw_server(lambda _request: http_response(page, "Set-Cookie: session=abc; Path=/"))
    run("volume_info", console_url=server.url, retries=0)
    assert len(server.received) == 2
    assert not any(b"cookie" in request.lower() for request in server.received)


NAMED: dict[str, dict[str, Any]] = {"volume": {"name": "v"}, "quotas": {"volume": "v", "quotas": []}}
NAMED |= {"export_info": {"volume": "v"}, "api_request": {"path": "volumes"}}


@pytest.mark.usefixtures("volume")
def test_every_result_names_the_console(run: Run, emulator: Emulator) -> None:
    origin = emulator.url.removesuffix("/api/v1")
    url = origin.replace("http://", "HTTP://") + "/api/v1/"
    for suffix in ("", "/", "/api/v1/", "//api/v1"):
        assert run("volume_info", console_url=origin + suffix)["console"] == origin
    assert all(request.authenticated for request in emulator.requests)
    for module, options in NAMED.items():
        succeeded = run(module, console_url=url, **options)
        emulator.inject(Fault("reset_before", times=None))
        failed = run(module, retries=0, console_url=url, **options)
        emulator.clear_faults()
        assert "failed" not in succeeded
        assert succeeded["console"] == failed["console"] == origin
        assert "GET /api/v1/volumes" in failed["msg"]
        assert failed["msg"].endswith(f"Console: {origin}")
    emulator.forget_requests()
    early = run("quota", volume="v", path="not absolute")
    assert (early["console"], "Console: " in early["msg"]) == (origin, False)
    invalid = run("volume_info", console_url="not a url")
    assert "console_url is not the address of a console" in invalid["msg"]
    assert "console" not in invalid
    assert emulator.requests == []


@pytest.mark.promise("wrong-address-is-never-ok")
@pytest.mark.parametrize("answers", CHOICES["answers"])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_wrong_address_is_never_ok(run: Run, emulator: Emulator, answers: str, state: str) -> None:
    emulator.reset(Dialect(answers=answers))
    for path in ("/elsewhere", "/api/v2"):
        url = emulator.url.removesuffix("/api/v1") + path
        result = run("volume", name="a", state=state, console_url=url)
        assert (result["failed"], result["changed"]) == (True, False)
        assert "check console_url" in result["msg"].lower()
    assert emulator.writes == []


def test_a_port_that_speaks_another_protocol_is_hinted_at(
    run: Run, emulator: Emulator, raw_server: StartServer
) -> None:
    secure = run("volume_info", console_url=emulator.url.replace("http:", "https:"), retries=0)
    assert "should console_url begin with http?" in secure["msg"]
    assert "ca_path" not in secure["msg"]
    alert = bytes.fromhex("15030100020246")
    plain = run("volume_info", console_url=raw_server(alert).url, retries=0)
    assert "should console_url begin with https?" in plain["msg"]


@pytest.mark.promise("environment-is-ignored", "certificates-are-verified")
@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "all_proxy", "https_proxy"])
def test_a_proxy_of_the_environment_is_used_and_plain_http_warned_of(
    run: Run, emulator: Emulator, use_proxy: Callable[..., None], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    is_used = variable != "https_proxy"
    use_proxy(emulator.url, variable)
    result = run("volume_info", console_url="http://console.invalid", retries=2)
    assert (not result.get("failed")) is is_used
    assert [request.headers["host"] for request in emulator.requests] == ["console.invalid"] * is_used
    (warning,) = result["warnings"]
    assert "tokens and all other data can be read in transit" in warning
    # On the way to this machine itself, only a proxy can read anything.
    assert len(run("volume_info")["warnings"]) == is_used
    use_proxy("http://127.0.0.1:9", variable)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert "failed" not in run("volume_info")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with certificates of an authority that nobody else knows."""
    folder = tmp_path_factory.mktemp("certificates")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    for name, identity in (("server", "127.0.0.1"), ("client", "client@example.com")):
        issued = authority.issue_cert(identity)
        issued.cert_chain_pems[0].write_to_path(str(folder / f"{name}.pem"))
        issued.private_key_pem.write_to_path(str(folder / f"{name}.key"))
        issued.private_key_and_cert_chain_pem.write_to_path(str(folder / f"{name}-both.pem"))
    key = pem.load_pem_private_key((folder / "client.key").read_bytes(), None)
    locked = key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.BestAvailableEncryption(b"hunter2"))
    (folder / "locked.pem").write_bytes((folder / "client.pem").read_bytes() + locked)
    (folder / "notes.txt").write_text("no certificate", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def consoles(folder: Path) -> Iterator[dict[str, Emulator]]:
    """Yield two consoles that speak TLS: one of them requires a client certificate."""
    files: dict[str, Any] = {"tls_cert": str(folder / "server.pem"), "tls_key": str(folder / "server.key")}
    with Emulator(**files) as lenient, Emulator(**files, client_ca=str(folder / "ca.pem")) as strict:
        yield {"lenient": lenient, "strict": strict}


def info(emulator: Emulator, **options: Any) -> dict[str, Any]:
    """Return the result of volume_info on a console."""
    return run_module("volume_info", {**connection_to(emulator), "retries": 0, **options}, FakeClock())


UNKNOWN = "if the console has a private certificate authority, name its certificate in ca_path"
CA = {"ca_path": "ca.pem"}
PAIR = {"client_cert": "client.pem", "client_key": "client.key"}
OF_LIBRARIES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
# The console, variables of the environment, options, and the message, unless it is a success. Names of files stand for
# those in the folder of certificates.
TRUST: dict[str, tuple[str, dict[str, str], dict[str, Any], str]] = {
    "an unknown authority": ("lenient", {}, {}, UNKNOWN),
    "a known authority": ("lenient", {}, CA, ""),
    "a known authority, another host": ("lenient", {}, {**CA, "console_url": "localhost"}, UNKNOWN),
    "the collection's variable": ("lenient", {"MANAGEDFS_CA_PATH": "ca.pem"}, {}, ""),
    "the collection's variable and a blank": ("lenient", {"MANAGEDFS_CA_PATH": "ca.pem"}, {"ca_path": ""}, ""),
    **{name: ("lenient", {name: "ca.pem"}, {}, UNKNOWN) for name in OF_LIBRARIES},
    **{f"{name}, missing": ("lenient", {name: "missing.pem"}, CA, "") for name in OF_LIBRARIES},
    "no certificate in ca_path": ("lenient", {}, {"ca_path": "notes.txt"}, "a readable file with a certificate"),
    "no client certificate": ("strict", {}, CA, "GET /api/v1/volumes"),
    "a client certificate and its key in one file": ("strict", {}, {**CA, "client_cert": "client-both.pem"}, ""),
    "a client certificate and its key": ("strict", {}, {**CA, **PAIR}, ""),
    "a client certificate without its key": ("strict", {}, {**CA, "client_cert": "ca.pem"}, "client_cert"),
    "a key with a password": ("strict", {}, {**CA, "client_cert": "locked.pem"}, "the key must not have a password"),
}


@pytest.mark.promise("certificates-are-verified", "environment-is-ignored")
@pytest.mark.parametrize("case", TRUST)
def test_certificates(consoles: dict[str, Emulator], folder: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    console, variables, options, message = TRUST[case]
    emulator = consoles[console]
    emulator.forget_requests()
    for name in OF_LIBRARIES:
        monkeypatch.delenv(name, raising=False)
    for name, file in variables.items():
        monkeypatch.setenv(name, str(folder / file))
    given = {name: str(folder / value) if "." in str(value) else value for name, value in options.items()}
    if "console_url" in given:
        given["console_url"] = emulator.url.replace("127.0.0.1", given["console_url"])
    result = info(emulator, **given)
    assert message in result.get("msg", "")
    assert len(emulator.requests) == (not message)
    assert (not result.get("failed")) is (not message)
    assert result["warnings"] == []


@pytest.mark.promise("certificates-are-verified", "skew-is-corrected")
def test_without_verification_any_certificate_is_accepted_and_no_time_believed(
    consoles: dict[str, Emulator], folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    console = consoles["lenient"]
    result = info(console, validate_certs=False)
    assert "failed" not in result
    assert capfd.readouterr().err == ""
    (warning,) = result["warnings"]
    assert "validate_certs is false: whoever answers is taken for the console" in warning
    console.clock_offset = 600
    message = info(console, validate_certs=False)["msg"]
    assert "validate_certs is false, so that anybody could have sent it. Synchronize the clocks." in message
    assert "failed" not in info(console, ca_path=str(folder / "ca.pem"))
    console.reset()


def open_files() -> int:
    return sum(1 for _file in Path("/proc/self/fd").iterdir())


def closed_down_to(number: int) -> bool:
    """Return whether no more files are open; servers in this process need a moment to close their side."""
    ends = time.monotonic() + 10
    while open_files() > number and time.monotonic() < ends:
        time.sleep(0.05)
    return open_files() <= number


def test_a_task_leaves_no_connection_open(run: Run) -> None:
    run("volume_info")
    before = open_files()
    gc.disable()
    try:
        for _item in range(20):
            run("volume_info")
        assert closed_down_to(before + 2)
    finally:
        gc.enable()
