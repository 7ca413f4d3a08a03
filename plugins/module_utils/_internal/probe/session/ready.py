# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting until the scratch volume can be used, and for how long that takes."""

from __future__ import annotations

import contextlib

from ...errors import ConsoleError
from ..observation import Look
from ..steps import READS_OF_VOLUME
from ..timing import next_moment
from .runner import VOLUME, Runner
from .watching import Watch


def await_ready(runner: Runner, created_at: float, wait_timeout: float) -> None:
    """Where the console says that the new volume cannot be used yet, wait until it can."""
    step = READS_OF_VOLUME[0]
    asked = runner.seen.step(step.name)
    if asked is None or asked.reply is None or not isinstance(asked.reply.value, dict):
        return
    wire = runner.wire
    path = f"volumes/{runner.own.ids[VOLUME]}/is_ready"

    def look() -> tuple[float, bool]:
        reply = wire.ask(step.method, path, step.path)
        return wire.sent_at, isinstance(reply.value, dict) and reply.value.get("is_ready") is True

    first = Look(0.0, wire.sent_at - created_at, asked.reply.value.get("is_ready") is not False)
    watch = Watch(wire.clock, created_at, look)
    watch.looks.append(first)
    if not first.shown:
        with contextlib.suppress(ConsoleError):
            watch.until_shown(next_moment(first.elapsed), wait_timeout)
    runner.seen.steps[step.name] = asked._replace(looks=tuple(watch.looks))
