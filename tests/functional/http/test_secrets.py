# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""No secret in any result, whatever the console echoes; the table of `values.py` has the ways to write an echo."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import task as glue
from ansible_collections.managedfs.console.plugins.module_utils._internal.api import lists
from ansible_collections.managedfs.console.plugins.module_utils._internal.http import client
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile import write_state
from emulator import Emulator, Fault
from functional.support.inprocess import Run
from functional.support.rawserver import StartServer, authorization_in, http_response, signature_in

TOKEN = "tokenOf/Web-0123456789+abcdef"
# What a console says, and a part of it that is not secret.
QUOTES: dict[str, tuple[Any, str]] = {
    "in a sentence": ({"detail": f"the token {TOKEN} is in use"}, "the token ******** is in use"),
    "below its name": ({"token": [f"{TOKEN} is in use"]}, "token: ******** is in use"),
    "in a URL": ({"detail": f"no {quote(TOKEN, safe='')} here"}, "no ******** here"),
    "cut short": ({"detail": f"{'x' * 480} {TOKEN}"}, f"{'x' * 480} ********"),
    "as text": (f"mount --source={TOKEN}", "mount --source=********"),
}


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize(("body", "shown"), QUOTES.values(), ids=QUOTES)
@pytest.mark.parametrize("module", ["export", "exports", "export_rotation"])
def test_a_refusal_that_quotes_a_token_does_not_show_it(
    run: Run, emulator: Emulator, module: str, body: Any, shown: str
) -> None:
    volume = emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.add_export(volume, desc="web", iprange="*", token=TOKEN)
    item = {"desc": "web", "iprange": "10.0.0.0/8"}
    options: dict[str, dict[str, Any]] = {
        "export": item,
        "exports": {"exports": [item]},
        "export_rotation": {"desc": "web", "state": "started"},
    }
    emulator.inject(*(Fault("wrong_json", method=method, status=400, value=body) for method in ("PUT", "POST")))
    result = run(module, volume="v", **options[module])
    assert result["failed"]
    assert shown in result["msg"]
    assert TOKEN[:12] not in json.dumps(result)


@pytest.mark.promise("no-secret-in-output")
def test_a_refusal_with_a_status_of_success_that_quotes_a_token_does_not_show_it(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.add_export(volume, desc="web", iprange="*", token=TOKEN)
    body, shown = QUOTES["in a sentence"]
    emulator.inject(Fault("wrong_json", method="PUT", times=None, status=200, value=body))
    assert f"The console said: {shown}" in run("export", volume="v", desc="web", iprange="10.0.0.0/8")["msg"]


@pytest.mark.promise("no-secret-in-output")
def test_a_page_that_quotes_a_password_in_place_of_a_list_does_not_show_it(run: Run, raw_server: StartServer) -> None:
    volume = {"id": 1, "name": "v", "bucket": f"https://me:{TOKEN}@b.example.com"}
    page = f"<html><title>No access with {TOKEN}</title></html>"
    server = raw_server(lambda request: http_response(page.encode() if b"/exports" in request else [volume]))
    result = run("export_info", console_url=server.url, volume="v", retries=0)
    assert "an HTML page, 'No access with ********" in result["msg"]
    assert TOKEN not in json.dumps(result)


# As it is, and as JSON and URLs write it.
FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in JSON": lambda text: text.replace("/", "\\/"),
    "in a URL": lambda text: quote(text, safe=""),
}


ECHOES: dict[str, Callable[[str], bytes]] = {
    "in text": lambda echo: http_response(echo.encode(), status=401),
    "in JSON": lambda echo: http_response(f'[{{"a": "{echo}"}}]'.encode()),
    "in a key of JSON": lambda echo: http_response(f'{{"{echo}": 1}}'.encode(), status=401),
    "in HTML": lambda echo: http_response(f"<html><title>{echo}</title></html>".encode(), status=401),
    "in Location": lambda echo: http_response(b"", f"Location: http://h/{echo.replace(' ', '/')}", status=302),
    "in Link": lambda echo: http_response([], f"Link: </{echo.split()[0]}>; rel=next"),
}


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
@pytest.mark.parametrize("encode", FORMS.values(), ids=FORMS)
def test_an_echo_of_the_request_is_masked(
    run: Run, raw_server: StartServer, echo: Callable[[str], bytes], encode: Callable[[str], str]
) -> None:
    def respond(request: bytes) -> bytes:
        token = authorization_in(request)
        return echo(f"{encode(token)} {encode(signature_in(token))}")

    server = raw_server(respond)
    for module, options in (("volume_info", {}), ("api_request", {"path": "volumes", "status_code": [200, 302, 401]})):
        shown = json.dumps(run(module, console_url=server.url, retries=0, **options)).lower()
        for token in map(authorization_in, server.received):
            for secret in (token.rstrip("="), signature_in(token)):
                assert secret.lower() not in shown
                assert json.dumps(encode(secret))[1:-1].lower() not in shown
        assert module == "volume_info" or "*" * 8 in shown


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("cut", [None, 40, 16], ids=str)
def test_no_request_of_the_task_is_repeated_in_whole_or_in_part(
    run: Run, raw_server: StartServer, cut: int | None
) -> None:
    # Each answer repeats secrets of the first request.
    def respond(request: bytes) -> bytes:
        token = authorization_in(server.received[0])
        echo = f"{token[:cut]} {signature_in(token)[:cut]}"
        if request.startswith(b"POST"):
            return http_response({"detail": f"no, {echo}"}, status=400)
        quotas = [{"id": 1, "path": f"/{echo}", "size": 1}]
        return http_response(quotas if b"/quotas " in request else [{"id": 7, "name": "v", "owner": echo}])

    server = raw_server(respond)
    given = {"volume": "v", "path": "/a", "size": 4096}
    tasks: list[tuple[str, dict[str, Any]]] = [("volume_info", {"gather": ["quotas"]}), ("quota", given)]
    tasks += [("quotas", {"volume": "v", "quotas": [], "purge": True, "max_deletions": "100%"})]
    for module, options in tasks:
        server.received.clear()
        shown = json.dumps(run(module, console_url=server.url, retries=0, **options, check=module == "quotas"))
        token = authorization_in(server.received[0])
        assert len(server.received) > 1
        assert [secret for secret in (token[:16], signature_in(token)[:16]) if secret in shown] == []
        assert "*" * 8 in shown


@pytest.mark.promise("no-secret-in-output")
def test_a_plan_file_repeats_no_request(run: Run, raw_server: StartServer, tmp_path: Path) -> None:
    def respond(request: bytes) -> bytes:
        quotas = [{"id": 1, "path": f"/{authorization_in(server.received[0])}", "size": 1}]
        return http_response(quotas if b"/quotas " in request else [{"id": 7, "name": "v"}])

    server = raw_server(respond)
    plan = tmp_path / "plan.json"
    options = {"volume": "v", "quotas": [], "purge": True, "max_deletions": "100%", "plan_file": str(plan)}
    assert run("quotas", console_url=server.url, check=True, **options)["changed"]
    assert "/********" in plan.read_text()
    assert authorization_in(server.received[0])[:16] not in plan.read_text()
    options = {"volume": "new", "quotas": [{"path": "/a", "size": "1G"}], "plan_file": str(plan)}
    assert run("quotas", console_url=server.url, check=True, **options)["changed"]
    assert '"path": "/a"' in plan.read_text()


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("is_writing", [False, True], ids=["reading", "writing"])
def test_an_error_that_nobody_expected_reveals_nothing(
    run: Run, emulator: Emulator, monkeypatch: pytest.MonkeyPatch, is_writing: bool
) -> None:
    emulator.add_volume(name="v")
    sent: list[str] = []

    def fail(*_arguments: Any) -> None:
        sent.extend(request.authorization or "" for request in emulator.requests)
        raise RuntimeError(f"no idea: {emulator.secret_key}, https://me:hunter2@h, {sent[0]}")

    monkeypatch.setattr(
        lists.Page if not is_writing else write_state.Write, "__init__" if not is_writing else "add_reading", fail
    )
    result = run("quota", volume="v", path="/a", size=4096)
    assert result["msg"].startswith("This is a mistake in this collection, please report it: RuntimeError: no idea: ")
    assert result["msg"].endswith("Something may have been changed: run the task again.") is is_writing
    assert result["changed"] is is_writing
    # Ansible shows it at high verbosity.
    assert "in fail" in result.get("exception", "in fail")
    shown = json.dumps(result)
    assert [secret for secret in (emulator.secret_key, "hunter2", *sent) if secret in shown] == []


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize(
    "key", ["sekret-KEY\n0123456789", "a'b\"c-0123456789", "\u00e9-0123456789-\u00e9", "short1"], ids=ascii
)
def test_a_key_that_has_many_spellings_is_in_no_text_of_an_error(
    run: Run, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    def fail(*_arguments: Any, **_options: Any) -> None:
        raise KeyError({"key": key, "quoted": quote(key), "json": json.dumps(key)})

    monkeypatch.setattr(client.Client, "request", fail)
    result = run("volume_info", secret_key=key)
    assert result["msg"] == "This is a mistake in this collection, please report it: KeyError."
    assert key[-5:] not in json.dumps(result)


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("items", [["/a"], 3, [None], "{", [{"path": {"a": 1}}]], ids=str)
def test_the_key_is_masked_where_a_list_is_none(run: Run, emulator: Emulator, items: Any) -> None:
    for module in ("exports", "quotas"):
        result = run(module, volume="v", **{module: items})
        assert result["failed"]
        assert emulator.secret_key not in json.dumps(result)


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the set of secrets that Ansible is told of, on an ansible-core that hides them."""
    hidden: set[str] = set()
    monkeypatch.setattr(glue, "register_secrets", hidden.update)
    monkeypatch.setattr(glue, "HIDES_SECRETS", True)
    return hidden


# A task, and the descriptions of the exports whose tokens it shows or needs
REVEALING: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "a list": ("export_info", {"include_tokens": True}, {"web", "db"}),
    "a list below volumes": ("volume_info", {"include_tokens": True, "gather": ["all"]}, {"web", "db"}),
    "an answer": ("api_request", {"path": "volumes/1/exports", "include_tokens": True}, {"web", "db"}),
    "a record": ("export", {"volume": "v", "desc": "web", "include_tokens": True}, {"web"}),
    "a file": ("export", {"volume": "v", "desc": "web", "token_file": "{folder}/token"}, {"web"}),
    "a rotation": ("export_rotation", {"volume": "v", "desc": "web", "state": "started"}, {"web", "web (next)"}),
}


@pytest.mark.parametrize(("module", "options", "descs"), REVEALING.values(), ids=REVEALING)
def test_ansible_is_told_of_the_key_and_of_tokens_that_a_task_shows_or_needs(
    run: Run,
    emulator: Emulator,
    hidden: set[str],
    tmp_path: Path,
    module: str,
    options: dict[str, Any],
    descs: set[str],
) -> None:
    volume = emulator.add_volume(id=1, name="v", bucket="https://v.example.com")
    for desc in ("web", "db"):
        emulator.add_export(volume, desc=desc, iprange="*")
    given = {k: v.format(folder=tmp_path) if isinstance(v, str) else v for k, v in options.items()}
    assert "failed" not in run(module, **given)
    tokens = {export["token"] for export in emulator.exports(volume) if export["desc"] in descs}
    assert hidden == {emulator.secret_key, *tokens}


def test_ansible_is_told_of_a_key_from_the_environment(
    run: Run, emulator: Emulator, hidden: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MANAGEDFS_SECRET_KEY", emulator.secret_key)
    assert "failed" not in run("volume_info", secret_key="")
    assert hidden == {emulator.secret_key}


def test_short_secrets_are_not_hidden(run: Run, emulator: Emulator, hidden: set[str]) -> None:
    emulator.add_export(
        emulator.add_volume(name="v", bucket="https://v.example.com"), desc="a", iprange="*", token="ok"
    )
    result = run("export_info", include_tokens=True)
    assert result["exports"][0]["token"] == "ok"
    assert (hidden, result["warnings"]) == ({emulator.secret_key}, [])
    hidden.clear()
    assert run("volume_info", secret_key="7 chars", retries=0)["warnings"] == []
    assert hidden == set()


TOKENS: dict[str, bytes] = {
    "in Latin-1": b'[{"id": 1, "desc": "caf\xe9", "token": "the-token"}]',
    "before no number": b'[{"id": 1, "size": NaN, "token": "the-token"}]',
    "after a byte order mark": b'\xef\xbb\xbf[{"id": 1, "token": "the-token"}]',
    "in lines": b'{"token": "the-token"}\n{"token": "the-token"}\n',
    "in a text in broken JSON": b'{"detail": "exists: {\\"token\\": \\"the-token\\"}", "size": NaN}',
    "in Python": b"{'token': 'the-token'}",
    "in a list in broken JSON": b'{"record": {"token": ["the-token"]}, "size": NaN}',
    "in HTML": b"<html><title>Error at token=the-token</title></html>",
    "in a form": b"token=the-token",
    "in a list": b'{"token": ["the-token"]}',
    "in a text": b"{\"detail\": \"exists: {'token': 'the-token'}\"}",
    "in a record of an error": b'{"errors": [{"record": {"secret": {"a": "the-token"}}}]}',
}


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("form", TOKENS)
@pytest.mark.parametrize("status", [200, 409])
def test_tokens_are_masked_in_responses_of_any_form(run: Run, raw_server: StartServer, form: str, status: int) -> None:
    # A text in the JSON of a success is data, which only api_request shows.
    status = 409 if form == "in a text" else status
    server = raw_server(http_response(TOKENS[form], status=status))
    for module, options in (("api_request", {"path": "volumes"}), ("volume_info", {})):
        assert "the-token" not in json.dumps(run(module, console_url=server.url, retries=0, **options))


REDIRECTS = ["https://me:pa/hunter2@h/x", "me:hunter2@h/x", "//me:hunter2@h/x?token=hunter2", "//h/x;token=hunter2"]


@pytest.mark.parametrize("location", REDIRECTS)
def test_the_password_of_a_redirect_is_masked(run: Run, emulator: Emulator, location: str) -> None:
    emulator.inject(Fault("redirect", location=location, times=None))
    result = run("volume_info", retries=0)
    assert "hunter2" not in json.dumps(result)
    assert "this one leads to h/x" in result["msg"]


def test_a_key_in_place_of_its_path_is_not_repeated_and_white_space_around_one_warned_of(
    run: Run, emulator: Emulator
) -> None:
    content = "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n"
    for name in ("ca_path", "client_cert", "client_key"):
        assert run("volume_info", **{name: content})["msg"] == f"{name} must be the path of a file, not its content."
    (warning,) = run("volume_info", secret_key=emulator.secret_key + "\n")["warnings"]
    assert warning == "secret_key contains the control character '\\n'. If the console refuses the key, remove that."
    (warning,) = run("volume_info", secret_key=emulator.secret_key + " ")["warnings"]
    assert warning.startswith("secret_key begins or ends with white space. ")
    (warning,) = run("volume_info", access_key=f'"{emulator.access_key}"')["warnings"]
    assert warning.startswith("access_key is in quotation marks, which are taken as part of it. ")


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_password_of_a_proxy_is_masked(
    run: Run, raw_server: StartServer, use_proxy: Callable[..., None], scheme: str
) -> None:
    def echo(request: bytes) -> bytes:
        found = re.search(rb"Proxy-Authorization: Basic (\S+)", request)
        assert found
        if request.startswith(b"CONNECT"):
            return b"HTTP/1.1 407 not %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" % found[1]
        return http_response(request, status=502)

    use_proxy(raw_server(echo).url.replace("//", "//me:hunter2hunter2@"))
    result = run("volume_info", console_url=f"{scheme}://console.invalid", retries=0)
    assert ("Tunnel connection failed: 407 not ********" in result["msg"]) is (scheme == "https")
    for secret in ("hunter2", base64.b64encode(b"me:hunter2hunter2").decode()):
        assert secret not in json.dumps(result)


PROXIES = ["http://me:hunter2@", "http://me:hunter2", "http://[hunter2", "socks9://me:hunter2@h"]


@pytest.mark.parametrize("proxy", [*PROXIES, "http://me:hunter2@:99999"])
def test_a_proxy_that_cannot_be_used_is_blamed_without_its_password(
    run: Run, use_proxy: Callable[..., None], proxy: str
) -> None:
    use_proxy(proxy)
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert "the address of the proxy of the environment is invalid" in result["msg"]
    assert "hunter2" not in json.dumps(result)
    options = {"console_url": "http://console.invalid", "method": "POST", "path": "volumes"}
    assert run("api_request", **options, retries=0)["changed"] is False
