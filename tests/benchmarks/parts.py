# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What single parts take: the emulator, and lists that grow."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import socket
import subprocess
import sys
import time
from collections.abc import Iterable

from benchmarks.bench import Bench, Row, at_least, at_most

from emulator.signature import sign_headers
from harness.places import linked_tree

REQUESTS, CONNECTIONS = 6000, 4
SIZES = (1_000, 10_000, 100_000)
# One process for each size: the peak of its memory is its own.
MEASURE = """
import io, json, resource, sys, time, contextlib
from ansible.module_utils import basic
from ansible_collections.managedfs.console.plugins.modules import quotas
items = json.load(open(sys.argv[1], encoding="utf-8"))
basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": {"volume": "v", "quotas": items}}).encode()
basic._ANSIBLE_PROFILE = "legacy"
started = time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    quotas.main()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([time.perf_counter() - started, peak]))
"""


def load(bench: Bench) -> Iterable[Row]:
    """Measure how many signed creations the emulator handles, to show that it is not the bottleneck of what is measured."""
    bench.reset()
    emulator = bench.emulator
    url = f"{emulator.api_url}/volumes/{emulator.volumes()[0]['id']}/quotas"
    requests = []
    for number in range(REQUESTS):
        body = b'{"path":"/load/%d","size":1024}' % number
        headers = sign_headers(emulator.access_key, emulator.secret_key, int(time.time()), "POST", url, body=body)
        headers["Content-Length"] = str(len(body))
        lines = [f"POST {url.removeprefix(emulator.url)} HTTP/1.1", *map(": ".join, headers.items()), "", ""]
        requests.append("\r\n".join(lines).encode() + body)
    host, port = emulator.url.removeprefix("http://").rsplit(":", 1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        rate = REQUESTS / pool.apply(send, (host, int(port), requests))
    yield at_least("emulator: signed creations a second / 1500", rate, 1500, 1)


def send(host: str, port: int, requests: list[bytes]) -> float:
    """Send all requests, one after another on each of a few connections, and return the seconds it took."""
    connections = [socket.create_connection((host, port)) for _number in range(CONNECTIONS)]
    started = time.perf_counter()
    for batch in zip(*[iter(requests)] * CONNECTIONS, strict=True):
        for connection, request in zip(connections, batch, strict=True):
            connection.sendall(request)
        for connection in connections:
            response = connection.recv(65536)
            if not response.startswith(b"HTTP/1.1 201 "):
                raise RuntimeError(response.decode("utf-8", "replace"))
    return time.perf_counter() - started


def growth(bench: Bench) -> Iterable[Row]:
    """Measure seconds and mebibytes, each against a list a tenth as long: linear is 10; a fixed part makes it less."""
    measured = {size: measure(bench, size) for size in SIZES}
    for smaller, larger in itertools.pairwise(SIZES):
        for name, unit in ((0, "seconds"), (1, "MiB")):
            ours, other = measured[larger][name], measured[smaller][name]
            yield at_most(f"{larger} quotas against {smaller}: {unit}", ours, other, 13)


def measure(bench: Bench, size: int) -> list[float]:
    """Return the seconds and peak mebibytes of a run of the module without Ansible around it."""
    items = bench.items(size)
    bench.reset()
    bench.emulator.add_quotas(bench.emulator.volumes()[0]["id"], json.loads(items.read_text(encoding="utf-8")))
    env = bench.environment() | {"PYTHONPATH": str(linked_tree())}
    measured: list[float] = json.loads(subprocess.check_output([sys.executable, "-c", MEASURE, items], env=env))
    return measured
