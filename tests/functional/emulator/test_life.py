# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the emulator is run: command line, files that last, TLS."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Dialect, Emulator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TESTS = Path(__file__).parents[2]


def test_a_file_outlives_the_emulator(tmp_path: Path) -> None:
    database = str(tmp_path / "console.sqlite")
    with Emulator(Dialect(vanish_after=60.0), database=database) as server, Client.of(server) as client:
        keys = server.access_key, server.secret_key
        volume = client.send("POST", "/volumes", {"name": "a", "bucket": "https://a.example.com"}).json["id"]
        export = client.send("POST", f"/volumes/{volume}/exports", {"desc": "web", "iprange": "*"}).json["id"]
        first = client.send("POST", f"/volumes/{volume}/quotas", {"path": "/a"}).json["id"]
        last = client.send("POST", f"/volumes/{volume}/quotas", {"path": "/b", "size": 5}).json["id"]
        client.send("DELETE", f"/volumes/{volume}/quotas/{last}")
        before = server.volumes(), server.exports(volume), server.quotas(volume)
    with Emulator(Dialect(vanish_after=60.0), database=database) as server, Client.of(server) as client:
        assert (server.access_key, server.secret_key) == keys
        assert (server.volumes(), server.exports(volume), server.quotas(volume)) == before
        assert [record["id"] for record in client.send("GET", f"/volumes/{volume}/exports").json] == [export]
        assert [record["id"] for record in client.send("GET", f"/volumes/{volume}/quotas").json] == [first]
        assert client.send("POST", f"/volumes/{volume}/quotas", {"path": "/c"}).json["id"] > last
    with Emulator(database=database, access_key="access", secret_key="secret") as server:
        assert (server.access_key, server.secret_key) == ("access", "secret")
        server.reset()
        assert server.add_volume(name="b") == volume


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database at all, but long enough to be recognized as none" * 20)
    with pytest.raises(sqlite3.DatabaseError):
        Emulator(database=str(path))


def test_keys_are_random_and_ports_are_free() -> None:
    with Emulator() as one, Emulator() as two:
        assert len({one.access_key, one.secret_key, two.access_key, two.secret_key}) == 4
        assert one.url != two.url
        assert one.api_url == one.url + "/api/v1"
        with pytest.raises(OSError, match="in use"):
            Emulator(port=int(urlsplit(one.url).port or 0)).start()


def test_ipv6() -> None:
    with Emulator(host="::1") as server, Client.of(server) as client:
        assert server.url.startswith("http://[::1]:")
        assert client.send("POST", "/volumes", {"name": "a", "bucket": "https://a.example.com"}).status == 201


def _openssl(*arguments: str, cwd: Path) -> None:
    """Run openssl."""
    subprocess.run(["openssl", *arguments], cwd=cwd, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make certificates")
def test_tls_and_client_certificates(tmp_path: Path) -> None:
    _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=emulator", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem",
             cwd=tmp_path)  # fmt: skip
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    with Emulator(tls_cert=cert, tls_key=key) as server:
        assert server.url.startswith("https://127.0.0.1:")
        with Client.of(server) as client, pytest.raises(ssl.SSLCertVerificationError):
            client.send("GET", "/volumes")
        trusting = ssl.create_default_context(cafile=cert)
        server.dialect = Dialect(list_shape="page", page_size=1, next_url="wrong_scheme")
        server.add_volume(name="a"), server.add_volume(name="b")
        with Client.of(server, tls=trusting) as client:
            assert client.send("GET", "/volumes").json["next"].startswith("http://127.0.0.1:")
            assert client.control("GET", "state")["url"] == server.url
    with Emulator(tls_cert=cert, tls_key=key, client_ca=cert) as server:
        with Client.of(server, tls=trusting) as client, pytest.raises(OSError, match=r"\w"):
            client.send("GET", "/volumes")
        trusting.load_cert_chain(cert, key)
        with Client.of(server, tls=trusting) as client:
            assert client.send("GET", "/volumes").status == 200


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Yield a function that starts the command line; whatever is still running at the end is stopped."""
    started: list[subprocess.Popen[str]] = []
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}

    def start(*arguments: str) -> subprocess.Popen[str]:
        """Start the emulator with these arguments."""
        command = [sys.executable, "-W", "error", "-m", "emulator", *arguments]
        process = subprocess.Popen(
            command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=TESTS
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def _ready(path: Path) -> dict[str, Any]:
    """Wait for the ready file and return what it says."""
    end = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_command_line(start: Any, tmp_path: Path, number: signal.Signals) -> None:
    ready_file = tmp_path / "ready.json"
    process = start("--port", "0", "--dialect", "paged", "--set", "page_size=7", "--ready-file", str(ready_file))
    ready = _ready(ready_file)
    assert set(ready) == {"url", "access_key", "secret_key", "pid"}
    assert ready["pid"] == process.pid
    assert ready_file.stat().st_mode & 0o777 == 0o600
    with Client(ready["url"], ready["access_key"], ready["secret_key"]) as client:
        assert client.send("GET", "/volumes").json["results"] == []
        assert client.control("GET", "state")["dialect"] == Dialect.named("paged", page_size=7).settings()
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (0, "")
    lines = out.splitlines()
    assert ready["url"] in lines[0]
    assert lines[-3:] == [
        f"export MANAGEDFS_CONSOLE_URL={ready['url']}",
        f"export MANAGEDFS_ACCESS_KEY={ready['access_key']}",
        f"export MANAGEDFS_SECRET_KEY={ready['secret_key']}",
    ]


def test_command_line_settings_and_life(start: Any, tmp_path: Path) -> None:
    arguments = [
        "--access-key",
        "access",
        "--secret-key",
        "it's secret",
        "--seed",
        "7",
        "--latency",
        "0.01",
        "--no-log",
    ]
    arguments += ["--clock-offset", "600", "--database", str(tmp_path / "console.sqlite"), "--life", "1.5"]
    before = time.monotonic()
    process = start("--port", "0", "--ready-file", str(tmp_path / "ready.json"), *arguments)
    ready = _ready(tmp_path / "ready.json")
    with Client(ready["url"], "access", "it's secret", clock=lambda: time.time() + 600) as client:
        assert client.send("GET", "/volumes").status == 200
        state = client.control("GET", "state")
        assert client.control("GET", "requests") == []
    assert state["dialect"] == Dialect.random(7).settings()
    assert (state["latency"], state["clock_offset"], state["requests"]) == (0.01, 600.0, 1)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (0, "")
    assert 1.5 <= time.monotonic() - before < 8
    assert "export MANAGEDFS_SECRET_KEY='it'\"'\"'s secret'" in out
    assert (tmp_path / "console.sqlite").exists()


def test_help(start: Any) -> None:
    out, err = start("--help").communicate(timeout=20)
    assert err == ""
    for part in ("examples:", "--dialect", "--ready-file", "/_emulator/state", *Dialect.names()):
        assert part in out
    assert max(len(line) for line in out.splitlines()) <= 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dialect", "klingon"], "no dialect 'klingon'"),
        (["--set", "page_size=0"], "page_size: 0"),
        (["--set", "page_size"], "not setting=value"),
        (["--port", "70000"], "--port"),
        (["--tls-key", "key.pem"], "--tls-cert"),
        (["--tls-cert", "missing.pem"], "No such file"),
        (["--host", "192.0.2.1"], "annot assign"),
        (["--database", "missing/console.sqlite"], "unable to open"),
    ],
)
def test_command_line_mistakes(start: Any, arguments: list[str], message: str) -> None:
    process = start("--port", "0", *arguments)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, "")
    assert re.search(message, err)
    assert "Traceback" not in err
    assert "Warning" not in err
