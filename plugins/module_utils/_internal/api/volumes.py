# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The volume that exports and quotas belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import ConsoleError
from ..http.client import Client
from ..model.records import Record, ambiguous, format_value, lookalike
from ..model.resources import VOLUME, Resource
from .readiness import await_ready
from .store import Store, place_of


def find_volume(client: Client, params: Mapping[str, Any], required: bool = True) -> Record | None:
    """Return the volume that the options name; where it does not exist, None, or ConsoleError if it is required.

    The list is read in any case, also for an id: a wrong address must never look like a volume that is gone.
    """
    name, identity = params["volume"] or "", params["volume_id"]
    if name.strip() and identity is not None:
        raise ConsoleError("volume and volume_id are mutually exclusive.")
    if not name.strip() and identity is None:
        raise ConsoleError("one of volume or volume_id is required.")
    if doubt := VOLUME.key.type.doubt(name):
        client.warn(f"volume {doubt}.")
    volumes = Store(client, VOLUME).read()
    found = volumes.by_key(name) if identity is None else list(filter(None, [volumes.by_id(identity)]))
    if len(found) > 1:
        raise ambiguous(VOLUME, found, option="volume_id")
    if not found and identity is None and volumes.lookalikes(name):
        raise lookalike(VOLUME, volumes.lookalikes(name)[0], name)
    if not found and required:
        given = "name" if identity is None else "id"
        raise ConsoleError(
            f"volume {name_given(params)} does not exist. Check the {given}, or create the volume first."
        )
    return found[0] if found else None


def open_list(
    client: Client, resource: Resource, params: Mapping[str, Any], is_needed: bool, check_mode: bool
) -> Store | None:
    """Return the list that the options name.

    None where its volume does not exist: then everything is gone that should be, and in check mode the volume is taken
    as created by then. ConsoleError where it is needed.
    """
    if not resource.is_in_volume:
        return Store(client, resource)
    is_predictable = check_mode and params["volume_id"] is None
    volume = find_volume(client, params, required=is_needed and not is_predictable)
    if volume:
        return Store(client, resource, volume)
    name = name_given(params)
    if is_needed:
        client.warn(f"Volume {name} does not exist yet. This prediction takes it as created by then, and as empty.")
    else:
        client.warn(
            f"Volume {name} does not exist, so there is nothing to delete in it. Check that this is the one you mean."
        )
    return None


def of_volume(params: Mapping[str, Any], store: Store | None) -> str:
    """Return which volume the list of a task belongs to, for messages and headers, also where it does not exist."""
    name = params.get("volume")
    return store.of_volume if store else (place_of(name) if name else "")


def name_given(params: Mapping[str, Any]) -> str:
    """Return the volume that the options name, as messages show it."""
    identity = params["volume_id"]
    return format_value(params["volume"]) if identity is None else f"(id {identity})"
