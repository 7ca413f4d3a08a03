# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the emulator is run: control routes, command line, files that last, TLS."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from emulator import Client, Dialect, Emulator, Fault
from emulator.__main__ import main, parser
from emulator.dialect import NAMED
from functional.emulator.conftest import BUCKET, Rig, until

TESTS = Path(__file__).parents[2]
CHANGE = {"action": "create", "resource": "volumes", "fields": {"name": "w"}}


@pytest.fixture
def client(rig: Rig) -> Client:
    return rig.client


@pytest.mark.parametrize(
    ("settings", "dialect"),
    [
        ({"name": "paged", "page_size": 9}, Dialect.named("paged", page_size=9)),
        ({"seed": 7}, Dialect.random(7)),
        ({"seed": 7, "broken": True, "put": "any"}, Dialect.of({**Dialect.random(7, True).settings(), "put": "any"})),
    ],
    ids=str,
)
def test_control_of_dialects(rig: Rig, client: Client, settings: dict[str, Any], dialect: Dialect) -> None:
    assert client.control("PUT", "dialect", settings) == dialect.settings() == client.control("GET", "state")["dialect"]
    assert rig.server.dialect == dialect
    client.control("POST", "reset", {"dialect": settings})
    assert (rig.server.dialect, rig.server.volumes()) == (dialect, [])


def test_control_of_faults_and_log(client: Client) -> None:
    aside: dict[str, Any] = {"kind": "meanwhile", "nth": 2, "times": None, "change": CHANGE}
    faults: list[dict[str, Any]] = [{"kind": "status", "status": 503}, aside]
    given = client.control("POST", "faults", faults)["faults"]
    assert client.control("GET", "state")["faults"] == given == [Fault(**fault).settings() for fault in faults]
    assert [client.send("POST", "/volumes?a=1", body=b"\xff").status for _time in range(2)] == [503, 400]
    assert [fault["kind"] for fault in client.control("GET", "state")["faults"]] == ["meanwhile"]
    client.control("DELETE", "faults")
    assert client.control("GET", "state")["faults"] == []
    first, _second = client.control("GET", "requests")
    assert (first["method"], first["path"], first["query"], first["fault"]) == ("POST", "/volumes", "a=1", "status")
    assert (first["json"], first["body"], client.control("GET", "state")["writes"]) == (None, "\ufffd", 2)
    client.control("DELETE", "requests")
    assert client.control("GET", "requests") == []


@pytest.mark.parametrize(
    ("route", "value", "message"),
    [
        ("PUT dialect", {"name": "klingon"}, "no dialect"),
        ("PUT dialect", [], "an object"),
        ("POST faults", {"kind": "flood"}, "none of refuse_next"),
        ("POST faults", {"kind": "slow", "path": "("}, "unterminated"),
        ("POST faults", 5, "400"),
        ("PUT latency", {}, "seconds"),
        ("PUT clock", {"offset": "soon"}, "soon"),
        ("POST quotas", {"volume_id": 5, "path": "/a"}, "no volume 5"),
        ("POST quotas", {"path": "/a"}, "volume_id"),
        ("POST volumes", {"id": 101}, "cannot be kept"),
        ("POST volumes", {"id": 10**30}, "cannot be kept"),
        ("POST reset", [1], "400"),
        ("POST state", None, "405"),
        ("GET nothing", None, "404.*GET /_emulator/state"),
    ],
)
def test_bad_control_requests(rig: Rig, client: Client, route: str, value: Any, message: str) -> None:
    method, name = route.split()
    with pytest.raises(ValueError, match=message):
        client.control(method, name, value)
    assert len(rig.server.volumes()) == 1


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_command_line(number: signal.Signals, tmp_path: Path) -> None:
    path, database, secret = tmp_path / "ready.json", tmp_path / "console", "it's secret"
    options = [
        "--port",
        "0",
        "--access-key",
        "access",
        "--clock-offset",
        "600",
        "--no-log",
        "--seed",
        "7",
        "--set",
        "page_size=7",
        "--latency",
        "0.01",
    ]
    files = ["--secret-key", secret, "--ready-file", str(path), "--database", str(database)]
    command = [sys.executable, "-W", "error", "-m", "emulator", *options, *files]
    environment, pipe = {**os.environ, "PYTHONPATH": str(TESTS)}, subprocess.PIPE
    with subprocess.Popen(command, env=environment, cwd=TESTS, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            until(path.exists)
            ready = json.loads(path.read_text())
            with Client(ready["url"], "access", secret, clock=lambda: time.time() + 600) as client:
                assert client.send("GET", "/volumes").status == 200
                state = client.control("GET", "state")
                assert client.control("GET", "requests") == []
            process.send_signal(number)
            out, err = process.communicate(timeout=10)
        finally:
            process.kill()
    assert ready == {"url": ready["url"], "access_key": "access", "secret_key": secret, "pid": process.pid}
    assert state["dialect"] == {**Dialect.random(7).settings(), "page_size": 7}
    assert (state["latency"], state["clock_offset"], state["requests"]) == (0.01, 600.0, 1)
    assert (process.returncode, err, database.exists(), path.stat().st_mode & 0o777) == (0, "", True, 0o600)
    values = {"CONSOLE_URL": ready["url"], "ACCESS_KEY": "access", "SECRET_KEY": "'it'\"'\"'s secret'"}
    assert out.splitlines()[-3:] == [f"export MANAGEDFS_{name}={value}" for name, value in values.items()]


@pytest.fixture
def _signals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the handlers of signals alone."""
    monkeypatch.setattr(signal, "signal", lambda *_handler: None)


@pytest.mark.usefixtures("_signals")
def test_a_life_ends_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--port", "0", "--dialect", "paged", "--life", "0.1"]) == 0
    assert 'It speaks a dialect: {"list_shape": "page", "page_size": 2}' in capsys.readouterr().out
    text = parser().format_help()
    assert [part for part in ("--ready-file", "/_emulator/state", *NAMED) if part not in text] == []


@pytest.mark.usefixtures("_signals")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dialect", "klingon"], "no dialect 'klingon'"),
        (["--set", "page_size=0"], "page_size: 0"),
        (["--set", "page_size"], "not setting=value"),
        (["--port", "70000"], "port must be"),
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
