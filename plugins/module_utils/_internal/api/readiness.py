# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting for a record that exists but may not be usable yet."""

from __future__ import annotations

from typing import Any

from ..errors import ConsoleError, RequestError
from ..http.response import SUCCESS
from ..http.retry import backoff, is_answered
from ..model.records import Record
from .store import Store

_PAUSE_BETWEEN_LOOKS = 1.0
# Other volumes are waited for side by side, and look at the same list: two looks in a row may both be old ones.
_MORE_LOOKS = 3


def await_ready(store: Store, identity: Any, description: str, timeout: float) -> Record | None:
    """Ask until the record can be used, for `timeout` seconds; ConsoleError where it still cannot, or is gone.

    A console without that route has its records ready at once. Return the record as it is in the end, or None where
    there was nothing to wait for.
    """
    clock = store.client.clock
    deadline = clock.elapsed() + timeout
    if _is_ready(store, identity) is not False:
        return None
    pauses = backoff(0.2, 5.0)
    while True:
        if clock.elapsed() >= deadline:
            _require(store, identity, description)
            raise ConsoleError(
                f"{description} exists, but was not ready within {timeout:g} s, as the console says. Run the task again"
                " to keep waiting, or set a longer wait_timeout."
            )
        clock.sleep(next(pauses))
        ready = _is_ready(store, identity)
        if ready is not False:
            record = _require(store, identity, description)
        if ready:
            return record


def _require(store: Store, identity: Any, description: str) -> Record:
    """Return the record, which is gone only if all looks agree: a list may be from before its creation."""
    record = store.read().by_id(identity)
    for _look in range(_MORE_LOOKS):
        if record is None:
            store.client.clock.sleep(_PAUSE_BETWEEN_LOOKS)
            record = store.read().by_id(identity)
    if record is None:
        raise ConsoleError(f"{description} disappeared while waiting for it to become ready.")
    return record


def _is_ready(store: Store, identity: Any) -> bool | None:
    """Return whether a record can be used; None where the console does not say, as it need not have the route."""
    try:
        response = store.client.request("GET", f"{store.path}/{identity}/is_ready")
    except RequestError as error:
        if not is_answered(error.status) or error.status in SUCCESS:
            raise
        return None
    try:
        content = response.json()
    except ValueError:
        return None
    ready = content.get("is_ready") if isinstance(content, dict) else None
    return ready if isinstance(ready, bool) else None
