# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of how the values that are sent are stored."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Client, Emulator
from functional.emulator.dialects.support import Speak

BUCKET = "https://archive.example.com"


def keys(server: Emulator) -> list[str]:
    """Return the natural keys there are."""
    quotas, exports = server.quotas(101), server.exports(101)
    return [
        *(volume["name"] for volume in server.volumes()),
        *(quota["path"] for quota in quotas),
        *(export["desc"] for export in exports),
    ]


@pytest.mark.parametrize(
    ("trim", "kept"),
    [
        (False, ["archive", " v\t", "/a ", "/b ", " web ", ""]),
        (True, ["archive", "v", "/a", "/b", "web", ""]),
    ],
)
def test_trim_keys(speak: Speak, server: Emulator, client: Client, trim: bool, kept: list[str]) -> None:
    speak(trim_keys=trim)
    assert client.send("POST", "/volumes", {"name": " v\t", "bucket": BUCKET}).status == 201
    quotas, exports = "/volumes/101/quotas", "/volumes/101/exports"
    client.send("POST", quotas, {"path": "/a "})
    quota = client.send("POST", quotas, {"path": "/c"}).json["id"]
    client.send("PUT", f"{quotas}/{quota}", {"path": "/b "})
    for desc in (" web ", "" if not trim else " "):
        client.send("POST", exports, {"desc": desc, "iprange": "*"})
    assert keys(server) == kept
    assert client.send("POST", "/volumes", {"name": " ", "bucket": BUCKET}).status == 400
    assert client.send("POST", quotas, {"path": " /d"}).status == (201 if trim else 400)


def test_trimmed_keys_can_be_unique(speak: Speak, client: Client) -> None:
    for trim, status in ((True, 400), (False, 201)):
        speak(trim_keys=trim, unique_keys=True)
        client.send("POST", "/volumes/101/quotas", {"path": "/a"})
        assert client.send("POST", "/volumes/101/quotas", {"path": "/a "}).status == status


@pytest.mark.parametrize(
    ("how", "sizes", "iprange"),
    [
        ("nothing", [5000, 4096, 0, 3 << 30], "10.1.0.0/8"),
        ("rounds_up", [8192, 4096, 0, 3 << 30], "10.1.0.0/8"),
        ("caps", [5000, 4096, 0, 1 << 30], "10.1.0.0/8"),
        ("rewrites", [5000, 4096, 0, 3 << 30], "10.0.0.0/16"),
    ],
)
def test_put_alters(speak: Speak, server: Emulator, client: Client, how: str, sizes: list[int], iprange: str) -> None:
    volume = speak(put_alters=how)
    quotas, exports = f"/volumes/{volume}/quotas", f"/volumes/{volume}/exports"
    quota = client.send("POST", quotas, {"path": "/a", "size": 5001}).json
    assert quota["size"] == 5001
    kept = []
    for size in (5000, 4096, 0, 3 << 30):
        shown = client.send("PUT", f"{quotas}/{quota['id']}", {"path": "/a", "size": size}).json
        kept.append(server.quotas(volume)[0]["size"])
        assert shown["size"] == kept[-1]
    assert kept == sizes
    export = client.send("POST", exports, {"desc": "web", "iprange": "10.0.0.0/8"}).json
    assert export["iprange"] == "10.0.0.0/8"
    client.send("PUT", f"{exports}/{export['id']}", {"desc": "web", "iprange": "10.1.0.0/8"})
    assert server.exports(volume)[0]["iprange"] == iprange


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("*", "0.0.0.0/0"),
        ("10.1.2.0/24", "10.1.2.0/24"),
        ("10.1.2.3", "10.1.2.3/32"),
        ("2001:db8::/32", "2001:db8::/48"),
    ],
)
def test_put_alters_networks(speak: Speak, server: Emulator, client: Client, sent: str, kept: str) -> None:
    volume = speak(put_alters="rewrites")
    export = server.add_export(volume, desc="web", iprange="::1")
    client.send("PUT", f"/volumes/{volume}/exports/{export}", {"desc": "web", "iprange": sent})
    assert server.exports(volume)[0]["iprange"] == kept


def test_an_echo_is_not_altered(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(put_alters="rounds_up")
    quota = server.add_quota(volume, path="/a", size=5)
    client.send("PUT", f"/volumes/{volume}/quotas/{quota}", {"path": "/b", "size": 5})
    assert server.quotas(volume) == [{"id": quota, "path": "/b", "size": 5, "inodes": 0}]


@pytest.mark.parametrize("fields", ["some", "sent"])
def test_put_resets_what_is_not_shown(speak: Speak, server: Emulator, client: Client, fields: str) -> None:
    volume = speak(put="reset", record_fields=fields)
    path = f"/volumes/{volume}/exports"
    export = server.add_export(volume, desc="web", iprange="10.0.0.0/8", readonly=True)

    def shown() -> Any:
        """Return the export as the list shows it."""
        return client.send("GET", path).json[0]

    assert ("readonly" in shown()) is (fields == "sent")
    client.send("PUT", f"{path}/{export}", {"desc": "web", "iprange": "10.0.0.0/16"})
    assert server.exports(volume)[0]["readonly"] is False
    assert shown().get("readonly") is (False if fields == "sent" else None)


@pytest.mark.parametrize(("how", "count"), [("token", 1), ("vanish", 0), ("replace", 1)])
def test_put_alters_what_nobody_can_restore(
    speak: Speak, server: Emulator, client: Client, how: str, count: int
) -> None:
    volume = speak(put_alters=how)
    export = server.add_export(volume, desc="web", iprange="*", token="first")
    reply = client.send("PUT", f"/volumes/{volume}/exports/{export}", {"desc": "www", "iprange": "*"})
    assert reply.status == 200
    left = server.exports(volume)
    assert [record["desc"] for record in left] == ["www"] * count
    assert all(record["token"] != "first" for record in left)
    assert [record["id"] == export for record in left] == [how == "token"] * count
