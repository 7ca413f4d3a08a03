# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bare script, as somebody in a hurry would write it without the collection, to measure its speed against.

`bare.py FILE CONNECTIONS` creates the volumes of a JSON file and what is below them. It signs and sends with `requests`
over this many connections and does nothing else: no retries, no reading back, no check.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

URL = os.environ["MANAGEDFS_CONSOLE_URL"]
ACCESS_KEY = os.environ["MANAGEDFS_ACCESS_KEY"]
SECRET_KEY = os.environ["MANAGEDFS_SECRET_KEY"].encode()
HOST = urlsplit(URL).netloc


class Thread(threading.local):
    """What each thread has for itself: a session, and with it a connection."""

    def __init__(self) -> None:
        self.session = requests.Session()


THREAD = Thread()


def call(method: str, path: str, body: Any = None) -> Any:
    now = int(time.time())
    raw = None if body is None else json.dumps(body).encode()
    digest = "" if raw is None else hashlib.sha256(raw).hexdigest()
    text = f"{now}\n{method}\n/api/v1{path}\nhost:{HOST}\n\n{digest}"
    signature = hmac.new(SECRET_KEY, text.encode(), hashlib.sha256).hexdigest()
    token = {"access_key": ACCESS_KEY, "timestamp": now, "signature": signature, "version": 1}
    headers = {"Authorization": base64.b64encode(json.dumps(token).encode()).decode()}
    if raw is not None:
        headers["Content-Type"] = "application/json"
    response = THREAD.session.request(method, f"{URL}/api/v1{path}", data=raw, headers=headers, timeout=30)
    response.raise_for_status()
    return response.json() if method == "GET" else None


def create(items: Any, connections: int) -> None:
    """Create volumes, if they are not there, and what is below them."""
    there = {volume["name"] for volume in call("GET", "/volumes")}
    new = [{"name": item["name"], "bucket": item["bucket"]} for item in items if item["name"] not in there]
    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(lambda volume: call("POST", "/volumes", volume), new))
        ids = {volume["name"]: volume["id"] for volume in call("GET", "/volumes")}
        below = [
            (f"/volumes/{ids[item['name']]}/{kind}", record)
            for item in items
            for kind in ("exports", "quotas")
            for record in item.get(kind, ())
        ]
        list(pool.map(lambda made: call("POST", *made), below))


if __name__ == "__main__":
    create(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), int(sys.argv[2]))
