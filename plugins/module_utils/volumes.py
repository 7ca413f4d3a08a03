# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The volume that exports and quotas belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import ConsoleError
from .http.client import Client
from .model.records import Record, ambiguity, label
from .model.resources import VOLUME
from .store import Store


def check_volume_options(params: Mapping[str, Any]) -> None:
    """Refuse options that name no volume, or perhaps two. A blank name is none."""
    named = bool((params["volume"] or "").strip())
    if named == (params["volume_id"] is not None):
        problem = "exclude each other" if named else "are both missing"
        raise ConsoleError(f"volume and volume_id {problem}: one of them tells which volume is meant.")


def find_volume(client: Client, params: Mapping[str, Any]) -> Record | None:
    """The volume that the options name, or None.

    The list is read in any case, also for an id: a wrong address must never look like a volume that is gone.
    """
    volumes = Store(client, VOLUME).read()
    if params["volume_id"] is not None:
        return volumes.of_id(params["volume_id"])
    found = volumes.of_key(params["volume"])
    if len(found) > 1:
        raise ambiguity(VOLUME, params["volume"], found, option="volume_id")
    return found[0] if found else None


def no_such_volume(params: Mapping[str, Any]) -> ConsoleError:
    """The error for a volume that is not there."""
    name = None if params["volume_id"] is not None else params["volume"]
    return ConsoleError(f"there is no {label(VOLUME, name, params['volume_id'])}.")
