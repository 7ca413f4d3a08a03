# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Volumes: finding the one that a list belongs to, and waiting until one can be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import ConsoleError, MissingError, RequestError
from ..http.client import Client
from ..http.policy import SUCCESS, backoff, is_answered
from ..model.fields import oddity
from ..model.records import Record, ambiguous, format_value
from ..model.resources import VOLUME, Resource
from .lists import Store

_PAUSE_BETWEEN_READINGS = 1.0
# Several volumes are awaited side by side, and read the same list: two readings in a row may both be old.
_READINGS = 4


def open_list(
    client: Client, resource: Resource, params: Mapping[str, Any], is_needed: bool, check_mode: bool
) -> Store | None:
    """Return the list that the options name, None if its volume does not exist; ConsoleError if that is needed.

    Without the volume, everything that should be gone is gone. Check mode assumes that the volume will exist in the
    real run.
    """
    if not resource.is_in_volume:
        return Store(client, resource)
    is_predictable = check_mode and params["volume_id"] is None
    if volume := find_volume(client, params, is_needed, is_predictable):
        return Store(client, resource, volume)
    end = ", so there is nothing to delete in it"
    if is_needed:
        end = " yet. This prediction assumes that it exists by the time of the real run, and is empty"
    client.warn(f"Volume {name_given(params)} does not exist{end}. Check that this is the one you mean.")
    return None


def volume_of(params: Mapping[str, Any], store: Store | None) -> Mapping[str, Any]:
    """Return the volume whose list a task works on, only its name if it does not exist; blank for volumes themselves."""
    return (store and store.volume) or {"name": params.get("volume")}


def find_volume(
    client: Client, params: Mapping[str, Any], is_needed: bool = True, is_predictable: bool = False
) -> Record | None:
    """Return the volume that the options name. If it does not exist, return None; ConsoleError if it must exist.

    The list is read even for an id: a wrong address must never seem like a volume that is gone.
    """
    name, identity = params["volume"] or "", params["volume_id"]
    if name.strip() and identity is not None:
        raise ConsoleError("volume and volume_id are mutually exclusive.")
    if not name.strip() and identity is None:
        raise ConsoleError("one of volume or volume_id is required.")
    volumes = Store(client, VOLUME).read()
    found = volumes.by_key(name) if identity is None else list(filter(None, [volumes.by_id(identity)]))
    if len(found) > 1:
        raise ambiguous(VOLUME, found, option="volume_id")
    if not found and is_needed and not is_predictable:
        given = "name" if identity is None else "id"
        other = volumes.by_id(name.strip()) if identity is None else None
        hint = f" {name.strip()} is the id of volume {format_value(other['name'])}: use its name." if other else ""
        hint += f" The name {odd}." if (odd := oddity(name)) else ""
        raise MissingError(
            f"volume {name_given(params)} does not exist. Check the {given}, or create the volume first.{hint}"
        )
    return found[0] if found else None


def name_given(params: Mapping[str, Any]) -> str:
    """Return the volume that the options name, as messages show it."""
    identity = params["volume_id"]
    return format_value(params["volume"]) if identity is None else f"(id {identity})"


def await_ready(store: Store, identity: Any, description: str, timeout: float) -> Record | None:
    """Wait until a record can be used, for `timeout` seconds; ConsoleError if it still cannot, or is gone.

    On a console without that route, records are ready at once. Return the record as it is in the end, None if there was
    nothing to wait for.
    """
    clock = store.client.clock
    deadline = clock.elapsed() + timeout
    if _is_ready(store, identity) is not False:
        return None
    for pause in backoff(0.2, 5.0):
        if clock.elapsed() >= deadline:
            break
        clock.sleep(pause)
        if (ready := _is_ready(store, identity)) is not False:
            record = _require(store, identity, description)
        if ready:
            return record
    _require(store, identity, description)
    raise ConsoleError(
        f"{description} exists, but was not ready within {timeout:g} s, as the console says. Run the task again to keep"
        " waiting, or set a longer wait_timeout (not in a role)."
    )


def _require(store: Store, identity: Any, description: str) -> Record:
    """Return the record. It is gone only if no reading shows it: a list may be older than the record."""
    for reading in range(_READINGS):
        if reading:
            store.client.clock.sleep(_PAUSE_BETWEEN_READINGS)
        if record := store.read().by_id(identity):
            return record
    raise ConsoleError(f"{description} disappeared while waiting for it to become ready. Run the task again.")


def _is_ready(store: Store, identity: Any) -> bool | None:
    """Return whether a record can be used; None if the console does not say: it need not have the route."""
    try:
        content = store.client.request("GET", f"{store.path}/{identity}/is_ready").json()
    except RequestError as error:
        if not is_answered(error.status) or error.status in SUCCESS:
            raise
        return None
    except ValueError:
        return None
    ready = content.get("is_ready") if isinstance(content, dict) else None
    return ready if isinstance(ready, bool) else None
