# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bare script, as somebody would write it without the collection, to measure its speed against.

It signs and sends with `requests` over one connection and does nothing else: no retries, no reading back, no
check. `bare.py create FILE` creates the records of a JSON file one after the other, `bare.py compare FILE` reads and
compares them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

URL = os.environ["MANAGEDFS_CONSOLE_URL"]
ACCESS_KEY = os.environ["MANAGEDFS_ACCESS_KEY"]
SECRET_KEY = os.environ["MANAGEDFS_SECRET_KEY"].encode()
HOST = urlsplit(URL).netloc
SESSION = requests.Session()


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
    response = SESSION.request(method, f"{URL}/api/v1{path}", data=raw, headers=headers, timeout=30)
    response.raise_for_status()
    return response.json() if method == "GET" else None


def create(items: Any) -> None:
    """Create volumes, if they are not there, and what is below them."""
    there = {volume["name"] for volume in call("GET", "/volumes")}
    for item in items:
        if item["name"] not in there:
            call("POST", "/volumes", {"name": item["name"], "bucket": item["bucket"]})
    ids = {volume["name"]: volume["id"] for volume in call("GET", "/volumes")}
    for item in items:
        for kind in ("exports", "quotas"):
            for record in item[kind]:
                call("POST", f"/volumes/{ids[item['name']]}/{kind}", record)


def compare(items: Any) -> int:
    """Compare volumes and what is below them, and return how many records differ."""
    ids = {volume["name"]: volume["id"] for volume in call("GET", "/volumes")}
    different = 0
    for item in items:
        for kind, key in (("exports", "desc"), ("quotas", "path")):
            if item[kind]:
                there = {record[key]: record for record in call("GET", f"/volumes/{ids[item['name']]}/{kind}")}
                different += sum(not record.items() <= there.get(record[key], {}).items() for record in item[kind])
    return different


def document(items: Any) -> Any:
    """Return volumes with what is below them; a list of quotas is that of the volume named v."""
    return [{"name": "v", "exports": [], "quotas": items}] if "path" in items[0] else items


if __name__ == "__main__":
    action = {"create": create, "compare": compare}[sys.argv[1]]
    print(action(document(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")))))
