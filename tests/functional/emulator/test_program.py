# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the emulator is run: control routes, command line, files that last, TLS."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Dialect, Emulator, Fault
from emulator.cli import main, parser
from emulator.control import is_local
from functional.emulator.conftest import BUCKET

TESTS = Path(__file__).parents[2]


def test_control_of_records(server: Emulator, client: Client) -> None:
    client.control("POST", "volumes", [{"name": "a", "id": 7, "access_rules": [{"token": "odd"}]}])
    assert client.control("POST", "exports", {"volume_id": 7, "desc": "web", "iprange": "*"}) == {"id": 2001}
    quotas = [{"volume_id": 7, "path": "/a"}, {"volume_id": 7, "path": "/b"}]
    assert client.control("POST", "quotas", quotas) == [{"id": 30001}, {"id": 30002}]
    shown = client.control("GET", "state")["volumes"]
    assert [volume["name"] for volume in shown] == ["a", "archive"]
    assert (shown[0]["exports"], shown[0]["quotas"]) == (server.exports(7), server.quotas(7))
    assert client.send("GET", "/volumes").json[0]["access_rules"] == [{"token": "odd"}]


@pytest.mark.parametrize(
    ("settings", "dialect"),
    [
        ({"name": "paged", "page_size": 9}, Dialect.named("paged", page_size=9)),
        ({"put": "any"}, Dialect(put="any")),
        ({"seed": 7}, Dialect.random(7)),
        ({"seed": 7, "broken": True}, Dialect.random(7, broken=True)),
    ],
    ids=str,
)
def test_control_of_dialects(server: Emulator, client: Client, settings: dict[str, Any], dialect: Dialect) -> None:
    assert client.control("PUT", "dialect", settings) == dialect.settings() == client.control("GET", "state")["dialect"]
    assert server.dialect == dialect
    client.control("POST", "reset", {"dialect": settings})
    assert (server.dialect, server.volumes()) == (dialect, [])


def test_control_of_faults_and_log(client: Client) -> None:
    change = {"action": "create", "resource": "volumes", "fields": {"name": "w"}}
    faults = [{"kind": "status", "status": 503}, {"kind": "meanwhile", "nth": 2, "times": None, "change": change}]
    given = client.control("POST", "faults", faults)["faults"]
    assert client.control("GET", "state")["faults"] == given == [Fault.of(fault).settings() for fault in faults]
    assert [client.send("POST", "/volumes?a=1", body=b"\xff").status for _time in range(2)] == [503, 400]
    assert [fault["kind"] for fault in client.control("GET", "state")["faults"]] == ["meanwhile"]
    client.control("DELETE", "faults")
    assert client.control("GET", "state")["faults"] == []
    first, _second = client.control("GET", "requests")
    assert (first["method"], first["path"], first["query"], first["fault"]) == ("POST", "/volumes", "a=1", "status")
    assert (first["json"], first["body"], client.control("GET", "state")["writes"]) == (None, "\ufffd", 2)
    client.control("DELETE", "requests")
    assert client.control("GET", "requests") == []


def test_control_of_clock_and_latency(server: Emulator, client: Client) -> None:
    shifted = {"offset": 600.0, "age": "5", "send_date": False}
    assert client.control("PUT", "clock", {"offset": 600, "age": 5, "send_date": False}) == shifted
    assert client.control("PUT", "clock", {"send_date": True}) == {**shifted, "send_date": True}
    assert client.control("PUT", "latency", {"seconds": 0.5}) == {"seconds": 0.5}
    assert (server.clock_offset, server.age, server.send_date, server.latency) == (600.0, "5", True, 0.5)
    client.control("POST", "reset")
    assert (server.clock_offset, server.age, server.latency, server.volumes()) == (0.0, None, 0.0, [])


@pytest.mark.parametrize(
    ("route", "value", "message"),
    [
        ("PUT dialect", {"name": "klingon"}, "no dialect"),
        ("PUT dialect", {"colour": "red"}, "no setting"),
        ("PUT dialect", [], "an object"),
        ("POST faults", {"kind": "flood"}, "no fault"),
        ("POST faults", 5, "400"),
        ("PUT latency", {"seconds": -1}, "from 0"),
        ("PUT latency", {}, "seconds"),
        ("PUT clock", {"offset": "soon"}, "soon"),
        ("POST quotas", {"volume_id": 5, "path": "/a"}, "no volume 5"),
        ("POST quotas", {"path": "/a"}, "volume_id"),
        ("POST volumes", {"id": 101}, "cannot be kept"),
        ("POST volumes", {"id": 10**30}, "cannot be kept"),
        ("POST volumes", 5, "400"),
        ("POST reset", [1], "400"),
        ("POST reset", {"dialect": [1]}, "an object"),
        ("POST state", None, "405"),
        ("GET nothing", None, "404.*GET /_emulator/state"),
    ],
)
def test_bad_control_requests(server: Emulator, client: Client, route: str, value: Any, message: str) -> None:
    method, name = route.split()
    with pytest.raises(ValueError, match=message):
        client.control(method, name, value)
    assert len(server.volumes()) == 1


@pytest.mark.parametrize(
    ("peer", "local"),
    [
        (("127.1.2.3", 5), True),
        (("::1", 5, 0, 0), True),
        (("::ffff:127.0.0.1", 5, 0, 0), True),
        (("192.0.2.1", 5), False),
        (("::ffff:192.0.2.1", 5, 0, 0), False),
        (("fe80::1%eth0", 5, 0, 2), False),
        (None, False),
        ("", False),
    ],
)
def test_control_is_for_this_machine(peer: Any, *, local: bool) -> None:
    class Transport:
        def get_extra_info(self, _name: str) -> Any:
            return peer

    assert is_local(Transport()) is local  # type: ignore[arg-type]


def test_control_is_not_shown_to_others(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emulator.control.is_local", lambda _transport: False)
    with pytest.raises(ValueError, match=r"404: .*Not Found"):
        client.control("GET", "state")


def test_a_file_outlives_the_emulator(tmp_path: Path) -> None:
    options: dict[str, Any] = {"dialect": Dialect(vanish_after=60.0), "database": str(tmp_path / "console")}
    with Emulator(**options) as server, Client.of(server) as client:
        keys = server.access_key, server.secret_key
        volume, gone = (server.add_volume(name=name, bucket=BUCKET) for name in ("a", "b"))
        client.send("POST", f"/volumes/{volume}/exports", {"desc": "web", "iprange": "*"})
        first = client.send("POST", f"/volumes/{volume}/quotas", {"path": "/a"}).json["id"]
        client.send("PUT", f"/volumes/{volume}/quotas/{first}", {"path": "/b", "size": 5})
        last = client.send("POST", f"/volumes/{volume}/quotas", {"path": "/c"}).json["id"]
        client.send("DELETE", f"/volumes/{volume}/quotas/{last}")
        client.send("DELETE", f"/volumes/{gone}")
        before = server.volumes(), server.exports(volume), server.quotas(volume)
    with Emulator(**options) as server, Client.of(server) as client:
        assert (server.access_key, server.secret_key) == keys
        assert (server.volumes(), server.exports(volume), server.quotas(volume)) == before
        assert client.send("GET", f"/volumes/{volume}/quotas").json == before[2]
        assert client.send("POST", f"/volumes/{volume}/quotas", {"path": "/d"}).json["id"] == last + 1
        server.reset()
        assert server.add_volume(name="c") == volume
    with Emulator(**options, access_key="access", secret_key="secret") as server:
        assert (server.access_key, server.secret_key, len(server.volumes())) == ("access", "secret", 1)


def test_keys_are_random_and_ports_are_free() -> None:
    with Emulator() as one, Emulator(host="::1") as two, Client.of(two) as client:
        assert len({one.access_key, one.secret_key, two.access_key, two.secret_key}) == 4
        assert (two.url[:13], client.send("GET", "/volumes").status) == ("http://[::1]:", 200)
        with pytest.raises(OSError, match="in use"):
            Emulator(port=int(urlsplit(one.url).port or 0)).start()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make certificates")
def test_tls_and_client_certificates(tmp_path: Path) -> None:
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=emulator"
    files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command.split(), *files], cwd=tmp_path, check=True, capture_output=True)
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    trusting = ssl.create_default_context(cafile=cert)
    with Emulator(Dialect(list_shape="page", page_size=1), tls_cert=cert, tls_key=key) as server:
        assert (server.add_volume(name="a"), server.add_volume(name="b")) == (101, 102)
        with Client.of(server) as client, pytest.raises(ssl.SSLCertVerificationError):
            client.send("GET", "/volumes")
        with Client.of(server, tls=trusting) as client:
            assert client.send("GET", "/volumes").json["next"].startswith("https://127.0.0.1:")
            assert client.control("GET", "state")["url"] == server.url
    with Emulator(tls_cert=cert, tls_key=key, client_ca=cert) as server:
        with Client.of(server, tls=trusting) as client, pytest.raises(OSError, match=r"\w"):
            client.send("GET", "/volumes")
        trusting.load_cert_chain(cert, key)
        with Client.of(server, tls=trusting) as client:
            assert client.send("GET", "/volumes").status == 200


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], dict[str, Any]]]]:
    """Yield a function that starts the command line, and returns it with its ready file."""
    started: list[subprocess.Popen[str]] = []
    path = tmp_path / "ready.json"

    def start(*arguments: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        command = [
            sys.executable,
            "-W",
            "error",
            "-m",
            "emulator",
            "--port",
            "0",
            "--ready-file",
            str(path),
            *arguments,
        ]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}
        started.append(subprocess.Popen(command, env=environment, cwd=TESTS, **pipes))
        end = time.monotonic() + 20
        while not path.exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        assert path.stat().st_mode & 0o777 == 0o600
        return started[-1], json.loads(path.read_text())

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_command_line(start: Callable[..., Any], number: signal.Signals, tmp_path: Path) -> None:
    keys = ["--access-key", "access", "--secret-key", "it's secret", "--clock-offset", "600", "--no-log"]
    database = tmp_path / "console"
    process, ready = start(
        *keys, "--seed", "7", "--set", "page_size=7", "--latency", "0.01", "--database", str(database)
    )
    assert ready == {"url": ready["url"], "access_key": "access", "secret_key": "it's secret", "pid": process.pid}
    with Client(ready["url"], "access", "it's secret", clock=lambda: time.time() + 600) as client:
        assert client.send("GET", "/volumes").status == 200
        state = client.control("GET", "state")
        assert client.control("GET", "requests") == []
    assert state["dialect"] == {**Dialect.random(7).settings(), "page_size": 7}
    assert (state["latency"], state["clock_offset"], state["requests"]) == (0.01, 600.0, 1)
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, err, database.exists()) == (0, "", True)
    assert out.splitlines()[-3:] == [
        f"export MANAGEDFS_CONSOLE_URL={ready['url']}",
        "export MANAGEDFS_ACCESS_KEY=access",
        "export MANAGEDFS_SECRET_KEY='it'\"'\"'s secret'",
    ]


@pytest.fixture
def _signals() -> Iterator[None]:
    """Put the handlers of signals back that the command line replaces."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("_signals")
def test_a_life_ends_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--port", "0", "--dialect", "paged", "--life", "0.1"]) == 0
    assert 'It speaks a dialect: {"list_shape": "page", "page_size": 2}' in capsys.readouterr().out


def test_help() -> None:
    text = parser().format_help()
    assert [part for part in ("--ready-file", "/_emulator/state", *Dialect.names()) if part not in text] == []
    assert max(map(len, text.partition("examples:")[2].splitlines())) <= 100


@pytest.mark.usefixtures("_signals")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dialect", "klingon"], "no dialect 'klingon'"),
        (["--set", "page_size=0"], "page_size: 0"),
        (["--set", "page_size"], "not setting=value"),
        (["--port", "70000"], "--port"),
        (["--latency", "-1"], "--latency"),
        (["--life", "0"], "--life"),
        (["--tls-key", "key.pem"], "--tls-cert"),
        (["--tls-cert", "missing.pem"], "No such file"),
        (["--host", "192.0.2.1"], "annot assign"),
        (["--database", "missing/console"], "No such file"),
        (["--database", __file__], "test_program.py is not a file of the emulator"),
    ],
)
def test_command_line_mistakes(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["--port", "0", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, re.search(message, err) is not None) == ("", True)
