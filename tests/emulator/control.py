# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes under ``/_emulator/``: the emulator's own, unsigned, and for loopback only.

They let a playbook seed records, choose dialects, inject faults and read what truly happened.
"""

from __future__ import annotations

import ipaddress
import json
import sqlite3
from typing import TYPE_CHECKING, Any

from .answers import Answer, json_answer
from .dialect import Dialect
from .faults import Fault
from .requestlog import WRITES
from .resources import EXPORTS, QUOTAS, VOLUMES, Record, Resource

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from .service import Service
    from .store import Stored

PREFIX = "/_emulator/"


class ControlError(ValueError):
    """A control request that makes no sense."""


def is_local(transport: asyncio.BaseTransport | None) -> bool:
    """Return whether the other end is on this machine."""
    peer = transport.get_extra_info("peername") if transport is not None else None
    if not peer:
        return False
    address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or (mapped is not None and mapped.is_loopback)


def answer(service: Service, method: str, path: str, body: bytes) -> Answer:
    """Answer a control request."""
    name = path.removeprefix(PREFIX)
    routes = {entry[1] for entry in _ROUTES}
    action = _ROUTES.get((method, name))
    if action is None:
        allowed = ", ".join(f"{verb} {PREFIX}{route}" for verb, route in _ROUTES)
        return json_answer(405 if name in routes else 404, {"error": f"there is {allowed}"})
    try:
        settings = json.loads(body) if body else {}
        with service.lock:
            return json_answer(200, action(service, settings))
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        return json_answer(400, {"error": str(error)})


def dialect_from(settings: Any) -> Dialect:
    """Return a dialect from a name or a seed, and single settings."""
    if not isinstance(settings, dict):
        raise ControlError("a dialect is an object: name or seed, and settings by name")
    changes = dict(settings)
    name, seed, broken = changes.pop("name", None), changes.pop("seed", None), changes.pop("broken", False)
    if seed is not None:
        changes = {**Dialect.random(int(seed), bool(broken)).settings(), **changes}
    return Dialect.named("default" if name is None else str(name), **changes)


def true_record(stored: Stored, exports: list[Stored] | None = None) -> Record:
    """Return a record as it is kept, of a volume with its access rules."""
    record = stored.full()
    if exports is not None and "access_rules" not in record:
        names = ("iprange", "readonly", "appendonly")
        record["access_rules"] = [
            {**{name: export.body.get(name) for name in names}, "token": export.token} for export in exports
        ]
    return record


def true_volumes(service: Service) -> list[Record]:
    """Return all volumes."""
    service.console.catch_up()
    rules = service.console.store.rules()
    return [true_record(stored, rules.get(stored.id, [])) for stored in service.console.store.records(VOLUMES, 0)]


def true_children(service: Service, resource: Resource, volume: int) -> list[Record]:
    """Return all exports or quotas of a volume."""
    service.console.catch_up()
    return [true_record(stored) for stored in service.console.store.records(resource, volume)]


def seed(service: Service, resource: Resource, volume: int, fields: Record) -> int:
    """Add a record that is visible at once, without a request and without checks."""
    if resource is not VOLUMES and not service.console.store.has_volume(volume):
        raise ControlError(f"there is no volume {volume}")
    try:
        return service.console.keep(resource, volume, fields)
    except (sqlite3.Error, OverflowError) as error:
        raise ControlError(f"the record cannot be kept: {error}") from None


def _state(service: Service, _settings: Any) -> Record:
    """Return everything there is, except for the secret key."""
    volumes = true_volumes(service)
    for volume in volumes:
        for child in (EXPORTS, QUOTAS):
            volume[child.plural] = true_children(service, child, volume["id"])
    log = service.log.snapshot()
    return {
        "url": service.origin,
        "access_key": service.keys.access_key,
        "dialect": service.console.dialect.settings(),
        "faults": [fault.settings() for fault in service.faults.pending()],
        "clock_offset": service.clock_offset,
        "latency": service.latency,
        "requests": service.log.count,
        "writes": sum(entry.method in WRITES for entry in log),
        "volumes": volumes,
    }


def _requests(service: Service, _settings: Any) -> list[Record]:
    """Return the log."""
    return [entry.public() for entry in service.log.snapshot()]


def _forget(service: Service, _settings: Any) -> Record:
    """Empty the log."""
    service.log.clear()
    return {}


def _set_dialect(service: Service, settings: Any) -> Record:
    """Speak another dialect."""
    service.console.dialect = dialect_from(settings)
    return service.console.dialect.settings()


def _inject(service: Service, settings: Any) -> Record:
    """Inject a fault, or a list of them."""
    faults = [Fault.of(entry) for entry in (settings if isinstance(settings, list) else [settings])]
    for fault in faults:
        service.faults.inject(fault)
    return {"faults": [fault.settings() for fault in faults]}


def _clear_faults(service: Service, _settings: Any) -> Record:
    """Forget all faults."""
    service.faults.clear()
    return {}


def _reset(service: Service, settings: Any) -> Record:
    """Begin again, in the default dialect or in the one given."""
    service.reset(dialect_from(settings.get("dialect") or {}))
    if service.away:
        service.come_back_soon()
    return {"dialect": service.console.dialect.settings()}


def _set_clock(service: Service, settings: Any) -> Record:
    """Shift the clock, and choose which headers reveal it to clients."""
    offset = float(settings.get("offset", service.clock_offset))
    age = settings.get("age", service.age)
    service.clock_offset = offset
    service.age = None if age is None else str(age)
    service.send_date = bool(settings.get("send_date", service.send_date))
    return {"offset": service.clock_offset, "age": service.age, "send_date": service.send_date}


def _set_latency(service: Service, settings: Any) -> Record:
    """Be slow."""
    latency = float(settings["seconds"])
    if not 0 <= latency <= 3600:
        raise ControlError("seconds is from 0 to 3600")
    service.latency = latency
    return {"seconds": latency}


def _seeder(resource: Resource) -> Callable[[Service, Any], Any]:
    """Return what adds records of a kind: one, or a list of them."""

    def one(service: Service, fields: Any) -> Record:
        """Add one record."""
        given = dict(fields)
        volume = 0 if resource is VOLUMES else int(given.pop("volume_id"))
        return {"id": seed(service, resource, volume, given)}

    def action(service: Service, settings: Any) -> Any:
        """Add what is given."""
        if isinstance(settings, list):
            return [one(service, entry) for entry in settings]
        return one(service, settings)

    return action


_ROUTES: dict[tuple[str, str], Callable[[Service, Any], Any]] = {
    ("GET", "state"): _state,
    ("GET", "requests"): _requests,
    ("DELETE", "requests"): _forget,
    ("PUT", "dialect"): _set_dialect,
    ("POST", "faults"): _inject,
    ("DELETE", "faults"): _clear_faults,
    ("POST", "reset"): _reset,
    ("PUT", "clock"): _set_clock,
    ("PUT", "latency"): _set_latency,
    ("POST", "volumes"): _seeder(VOLUMES),
    ("POST", "exports"): _seeder(EXPORTS),
    ("POST", "quotas"): _seeder(QUOTAS),
}
