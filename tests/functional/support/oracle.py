# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The expected effect of a task and the true content of a console, judged without the code under test."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Mapping
from typing import Any

from emulator import Emulator

KEYS = {"volume": "name", "export": "desc", "quota": "path"}
_UNITS = {"K": 1024, "M": 1024**2, "G": 1024**3}
Record = dict[str, Any]
State = dict[str, dict[int, Record]]


def meaning(name: str, value: Any) -> Any:
    """Return the normal form of a value, however it is written."""
    if name == "iprange":
        return value if value == "*" else ipaddress.ip_network(value, strict=False)
    if name == "path":
        return "/" + "/".join(part for part in str(value).split("/") if part)
    if name in ("size", "inodes"):
        text = str(value or 0).upper().removesuffix("IB")
        return int(float(text[:-1]) * _UNITS[text[-1]]) if text[-1] in _UNITS else int(text)
    if name == "bucket":
        return str(value).rstrip("/")
    return "" if value is None else value


def snapshot(emulator: Emulator, volume: int) -> State:
    """Return all true records, by noun and id."""
    lists = {"volume": emulator.volumes(), "export": emulator.exports(volume), "quota": emulator.quotas(volume)}
    return {noun: {int(record["id"]): record for record in records} for noun, records in lists.items()}


def with_key(records: Mapping[int, Record], noun: str, key: Any) -> list[Record]:
    name = KEYS[noun]
    return [record for record in records.values() if meaning(name, record[name]) == meaning(name, key)]


def target(state: State, noun: str, options: Mapping[str, Any]) -> list[Record]:
    """Return the records that the options refer to."""
    if options.get("id") is not None:
        return [record for identity, record in state[noun].items() if identity == options["id"]]
    return with_key(state[noun], noun, options[KEYS[noun]])


def wrong_fields(record: Record, noun: str, options: Mapping[str, Any]) -> list[str]:
    """Return the given fields whose values differ from the record's true ones."""
    names = {"volume": ("name", "bucket", "region"), "export": ("desc", "iprange", "apionly", "readonly", "appendonly")}
    given = [name for name in names.get(noun, ("path", "size", "inodes")) if name in options]
    return [name for name in given if meaning(name, record[name]) != meaning(name, options[name])]


def is_satisfied(state: State, noun: str, options: Mapping[str, Any], unverified: Iterable[str] = ()) -> bool:
    """Return whether the state is what the options ask for, apart from fields that could not be verified."""
    found = target(state, noun, options)
    if options["state"] == "absent":
        return not found
    return len(found) == 1 and not set(wrong_fields(found[0], noun, options)) - set(unverified)


def managed(state: State) -> dict[str, dict[int, Record]]:
    """Return the fields of a state that users manage, normalized, so that any change can be detected."""
    fields = {"name", "bucket", "desc", "iprange", "apionly", "readonly", "appendonly", "path", "size", "inodes"}
    return {
        noun: {
            identity: {name: meaning(name, value) for name, value in record.items() if name in fields}
            for identity, record in records.items()
        }
        for noun, records in state.items()
    }


def secrets_in(result: Mapping[str, Any], emulator: Emulator) -> list[str]:
    text = json.dumps(result)
    sent = {request.authorization or "" for request in emulator.requests} - {""}
    return [secret for secret in {emulator.secret_key, *emulator.tokens(), *sent} if secret in text]
