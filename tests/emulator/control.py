# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes under ``/_emulator/``: the emulator's own, unsigned, and for loopback only.

They let a playbook seed records, choose dialects, inject faults and read what truly happened.
"""

from __future__ import annotations

import ipaddress
import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from .answers import Answer, json_answer
from .dialect import Dialect
from .faults import Fault
from .resources import EXPORTS, QUOTAS, VOLUMES, Record, Resource

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from .emulator import Emulator

PREFIX = "/_emulator/"


def is_local(transport: asyncio.BaseTransport | None) -> bool:
    """Return whether the other end is on this machine."""
    peer = transport.get_extra_info("peername") if transport is not None else None
    if not peer:
        return False
    address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or (mapped is not None and mapped.is_loopback)


def answer(emulator: Emulator, method: str, path: str, body: bytes) -> Answer:
    name = path.removeprefix(PREFIX)
    action = _ROUTES.get((method, name))
    if action is None:
        allowed = ", ".join(f"{verb} {PREFIX}{route}" for verb, route in _ROUTES)
        return json_answer(405 if name in {entry[1] for entry in _ROUTES} else 404, {"error": f"there is {allowed}"})
    try:
        settings = json.loads(body) if body else {}
        with emulator.lock:
            return json_answer(200, action(emulator, settings))
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError, re.error) as error:
        return json_answer(400, {"error": str(error)})


def _dialect_from(settings: Any) -> Dialect:
    """Return a dialect from a name or a seed, and single settings."""
    if not isinstance(settings, dict):
        raise ValueError("a dialect is an object: name or seed, and settings by name")
    changes = dict(settings)
    name, seed, broken = changes.pop("name", None), changes.pop("seed", None), changes.pop("broken", False)
    if seed is not None:
        changes = {**Dialect.random(int(seed), bool(broken)).settings(), **changes}
    return Dialect.named("default" if name is None else str(name), **changes)


def _state(emulator: Emulator, _settings: Any) -> Record:
    """Return the whole state, except for the secret key."""
    volumes = emulator.volumes()
    for volume in volumes:
        volume |= {"exports": emulator.exports(volume["id"]), "quotas": emulator.quotas(volume["id"])}
    return {
        "url": emulator.url,
        "access_key": emulator.access_key,
        "dialect": emulator.dialect.settings(),
        "faults": [fault.settings() for fault in emulator.faults.pending()],
        "clock_offset": emulator.clock_offset,
        "latency": emulator.latency,
        "requests": emulator.count,
        "writes": len(emulator.writes),
        "volumes": volumes,
    }


def _set_dialect(emulator: Emulator, settings: Any) -> Record:
    emulator.dialect = _dialect_from(settings)
    return emulator.dialect.settings()


def _inject(emulator: Emulator, settings: Any) -> Record:
    faults = [Fault(**entry) for entry in (settings if isinstance(settings, list) else [settings])]
    emulator.inject(*faults)
    return {"faults": [fault.settings() for fault in faults]}


def _reset(emulator: Emulator, settings: Any) -> Record:
    """Start over, in the given or the default dialect."""
    emulator.reset(_dialect_from(settings.get("dialect") or {}))
    return {"dialect": emulator.dialect.settings()}


def _set_clock(emulator: Emulator, settings: Any) -> Record:
    """Shift the clock, and choose which headers reveal it to clients."""
    offset = float(settings.get("offset", emulator.clock_offset))
    age = settings.get("age", emulator.age)
    emulator.clock_offset, emulator.age = offset, None if age is None else str(age)
    emulator.send_date = bool(settings.get("send_date", emulator.send_date))
    return {"offset": emulator.clock_offset, "age": emulator.age, "send_date": emulator.send_date}


def _set_latency(emulator: Emulator, settings: Any) -> Record:
    emulator.latency = float(settings["seconds"])
    return {"seconds": emulator.latency}


def _seed(resource: Resource, emulator: Emulator, settings: Any) -> Any:
    """Add a record that is visible at once, without checks; or a list of them."""
    if isinstance(settings, list):
        return [_seed(resource, emulator, entry) for entry in settings]
    fields = dict(settings)
    volume = 0 if resource is VOLUMES else int(fields.pop("volume_id"))
    if volume and not emulator.console.store.has_volume(volume):
        raise ValueError(f"there is no volume {volume}")
    return {"id": emulator.console.make(resource, volume, fields)}


_ROUTES: dict[tuple[str, str], Callable[[Emulator, Any], Any]] = {
    ("GET", "state"): _state,
    ("GET", "requests"): lambda emulator, _settings: [entry.public() for entry in emulator.requests],
    ("DELETE", "requests"): lambda emulator, _settings: emulator.forget_requests(),
    ("PUT", "dialect"): _set_dialect,
    ("POST", "faults"): _inject,
    ("DELETE", "faults"): lambda emulator, _settings: emulator.clear_faults(),
    ("POST", "reset"): _reset,
    ("PUT", "clock"): _set_clock,
    ("PUT", "latency"): _set_latency,
    **{("POST", resource.plural): partial(_seed, resource) for resource in (VOLUMES, EXPORTS, QUOTAS)},
}
