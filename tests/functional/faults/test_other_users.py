# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Other users who change the same records meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from emulator.client import Client
from functional.support.inprocess import FakeClock, Run

BUCKET = "https://v.example.com"


def meanwhile(emulator: Emulator, clock: FakeClock, volume: int, **fields: Any) -> None:
    """Let another user change the export when the task waits for the first time: after its read, before its write."""
    emulator.inject(Fault("status", method="PUT", status=429, retry_after=1))
    (export,) = emulator.exports(volume)

    def change() -> None:
        body = {"desc": export["desc"], "iprange": export["iprange"], **fields}
        with Client.of(emulator, clock=clock.time) as other:
            assert other.send("PUT", f"/volumes/{volume}/exports/{export['id']}", body).status == 200
        emulator.inject(*later)

    later = [Fault("status", method="PUT", status=400, times=None)]
    clock.on_next_sleep(change)


@pytest.mark.promise("refused-update-leaves-others-alone")
@pytest.mark.parametrize("module", ["export", "exports"])
@pytest.mark.parametrize("fields", [{"readonly": True}, {"iprange": "172.16.0.0/12"}])
def test_after_a_refused_update_what_others_changed_is_left_alone(
    run: Run, emulator: Emulator, clock: FakeClock, module: str, fields: dict[str, Any]
) -> None:
    emulator.reset(Dialect(put="any"))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    meanwhile(emulator, clock, volume, **fields)
    item = {"desc": "web", "iprange": "192.168.0.0/16"}
    result = run(module, volume="v", **(item if module == "export" else {"exports": [item]}))
    assert result["failed"]
    assert result["changed"] is False
    assert result["failure"]["status"] == 400
    (export,) = emulator.exports(volume)
    assert {**export, **fields} == export
    ours = [request for request in emulator.writes if b"192.168" in request.body]
    assert len(ours) == 2
    assert b"readonly" not in b"".join(request.body for request in ours)
