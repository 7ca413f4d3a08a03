# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tasks that are tried in pairs, the records before them, and the kinds of consoles."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import (
    CONNECTION_OPTIONS,
    Settings,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.client import Client
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Clock
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import resources
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import (
    list_options,
    record_options,
    rotation_options,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation import task as rotation
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks import bulk, record
from emulator import Dialect
from emulator.faults import Change
from emulator.resources import EXPORTS, QUOTAS, VOLUMES

if TYPE_CHECKING:
    from emulator.console import Console
    from interleavings.turns import Actor

SETTINGS = Settings("https://console.invalid", "/api/v1", "key", "secret")
VOLUME, A, B = 7, 81, 82
Item = Mapping[str, Any]
_WAIT = 5
# Clients of an export that gets a new token can use any export with these rights and one of these names.
RIGHTS = {"iprange": "10.0.0.0/8", "readonly": True}
ROTATED, NEXT, OLD = NAMES = ("web", "web (next)", "web (old)")
WEB, SECOND = 71, 72
_EXPORT = {"id": WEB, "desc": ROTATED, **RIGHTS, "token": "token-of-web"}
_SECOND = {"id": SECOND, "desc": NEXT, **RIGHTS, "token": "token-of-next"}
_QUOTAS = ({"id": A, "path": "/a", "size": 5, "inodes": 7}, {"id": B, "path": "/b", "size": 5, "inodes": 7})
# Modules for one record, and the key of it in their results.
SINGLE = {"export": "export", "quota": "quota", "export_rotation": "export"}
_KINDS: dict[str, tuple[resources.Resource, Any]] = {
    "export": (resources.EXPORT, record._manage),
    "quota": (resources.QUOTA, record._manage),
    "exports": (resources.EXPORT, bulk._manage),
    "quotas": (resources.QUOTA, bulk._manage),
    "volumes": (resources.VOLUME, bulk._manage),
    "export_rotation": (resources.EXPORT, lambda task, _resource: rotation._Rotate(task).run()),
}


def seed(console: Console, jobs: Iterable[Job]) -> None:
    """Add records that exist long before both tasks: a volume with two quotas and an export, or two if a rotation started."""
    console.make(
        VOLUMES, 0, {"id": VOLUME, "name": "v", "bucket": "https://v.example.com", "uuid": "the same in each run"}
    )
    console.make(EXPORTS, VOLUME, _EXPORT)
    if any(job.is_started for job in jobs):
        console.make(EXPORTS, VOLUME, _SECOND)
    for fields in _QUOTAS:
        console.make(QUOTAS, VOLUME, fields)


class Job(NamedTuple):
    """A task: its module, the options, and the items that it wants. If it `purges`, all others must be gone.

    Or another user, who makes a `change` in one turn without reading first. With `is_started`, a second export exists
    before, as a rotation makes it. `again` is the task to run afterwards, if it is not the same.
    """

    name: str
    module: str = ""
    options: Mapping[str, Any] = {}
    items: tuple[Item, ...] = ()
    purges: bool = False
    change: Change | None = None
    is_started: bool = False
    again: Job | None = None

    @property
    def rotates(self) -> bool:
        """Whether clients must be able to use the export at any moment, whatever this task does."""
        return self.module == "export_rotation"

    def act(self, actor: Actor) -> dict[str, Any]:
        """Run the task as an actor, and return the result."""
        if self.change:
            actor.interleaving.apply(actor, self.change)
            return {"changed": True}
        resource, manage = _KINDS[self.module]
        client = Client(SETTINGS, cast(Clock, actor), actor.warn)
        task = SimpleNamespace(params=_checked(self), check_mode=False, diff_mode=False, client=client, warn=actor.warn)
        result: dict[str, Any] = manage(task, resource)
        return result


@functools.cache
def _validator(module: str) -> ArgumentSpecValidator:
    if module == "export_rotation":
        return ArgumentSpecValidator({**CONNECTION_OPTIONS, **rotation_options()})
    options = record_options if module in SINGLE else list_options
    return ArgumentSpecValidator({**CONNECTION_OPTIONS, **options(_KINDS[module][0])})


_PARAMS: dict[str, Mapping[str, Any]] = {}


def _checked(job: Job) -> Mapping[str, Any]:
    """Return the options as Ansible hands them to a module."""
    if job.name not in _PARAMS:
        _PARAMS[job.name] = _validator(job.module).validate(job.options).validated_parameters
    return _PARAMS[job.name]


def _one(name: str, **item: Any) -> Job:
    options = {"volume": "v", "wait_timeout": _WAIT, **item}
    return Job(name, "export" if "desc" in item else "quota", options, (item,))


def _list(name: str, *items: Item, purge: bool = False) -> Job:
    module = "exports" if "desc" in items[0] else "quotas"
    options = {"volume": "v", "wait_timeout": _WAIT, "concurrency": 1, module: [*items], "purge": purge}
    options |= {"max_deletions": "100%"} if purge else {}
    return Job(name, module, options, items, purge)


def _document(name: str, *items: Item) -> Job:
    volume = {"name": "v", "quotas": [*items]}
    options = {"wait_timeout": _WAIT, "concurrency": 1, "volumes": [volume], "purge": ["quotas"]}
    return Job(name, "volumes", options, items, purges=True)


def _hand(name: str, action: str, resource: str = "quotas", **settings: Any) -> Job:
    return Job(f"another hand: {name}", change=Change(action, resource, VOLUME, **settings))


def _rotation(state: str, *items: Item, again: Job | None = None, **options: Any) -> Job:
    fields = {"apionly": False, "readonly": True, "appendonly": False, "volume": None, "mount": None}
    options = {"volume": "v", "wait_timeout": _WAIT, "desc": ROTATED, "state": state, "fields": fields, **options}
    name = f"{state} by id" if "id" in options else state
    return Job(name, "export_rotation", options, items, is_started=state != "started", again=again)


# A task that is to join the others is a line here, or among those of exports.
TASKS = (
    _one("create", path="/n", size=6),
    _one("create with another size", path="/n", size=8),
    _one("update", path="/a", size=6),
    _one("update or create", path="/a", size=8),
    _one("update another field", path="/a", inodes=9, create_only_changes="update"),
    _one("rename", id=A, path="/n"),
    _one("rename another", id=B, path="/n"),
    _list("rename by renamed_from", {"path": "/n", "renamed_from": "/a"}),
    _one("delete", path="/a", state="absent"),
    _one("delete by id", id=A, state="absent"),
    _list("purge", {"path": "/b", "size": 5}, purge=True),
    _list("list", {"path": "/a", "size": 6}, {"path": "/n", "size": 6}),
    _document("document", {"path": "/a", "size": 8}, {"path": "/n", "size": 8}),
)
HANDS = (
    _hand("create", "create", fields={"path": "/n", "size": 9}),
    _hand("create a second", "create", fields={"path": "/a", "size": 9}),
    _hand("update", "update", key="/a", fields={"size": 9}),
    _hand("update another field", "update", key="/a", fields={"inodes": 9}),
    _hand("rename", "update", key="/a", fields={"path": "/m"}),
    _hand("rename and update", "update", key="/a", fields={"path": "/m", "size": 6}),
    _hand("delete", "delete", key="/a"),
)
OF_EXPORTS = (
    _one("create export", desc="new", iprange="*"),
    _one("update export", desc="web", iprange="*"),
    _one("rename export", id=71, desc="new"),
    _one("delete export", desc="web", state="absent"),
    _list("rename export by renamed_from", {"desc": "new", "renamed_from": "web", "iprange": "10.0.0.0/8"}),
    _list("purge exports", {"desc": "new", "iprange": "10.0.0.1"}, purge=True),
)
_KEPT = {"desc": ROTATED, **RIGHTS}
# The export to be deleted gets this name first.
_GONE = {"desc": OLD, "state": "absent"}
_FINISHED = _rotation("finished", {**_KEPT, "id": SECOND}, _GONE, id=SECOND)
_ABORTED = _rotation("aborted", {"desc": ROTATED}, {**_GONE, "id": SECOND}, id=SECOND)
ROTATIONS = (
    _rotation("started", {"desc": ROTATED}, {"desc": NEXT, "readonly": True}),
    # Without its id, an export that replaced another, or was to, cannot be recognized.
    _rotation("finished", _KEPT, _GONE, again=_FINISHED),
    _FINISHED,
    _rotation("aborted", {"desc": ROTATED}, _GONE, again=_ABORTED),
    _ABORTED,
)
BESIDE_ROTATIONS = (
    *OF_EXPORTS,
    _list("purge other exports", _KEPT, purge=True),
    _hand("create a second export", "create", "exports", fields={"desc": NEXT, **RIGHTS}),
    _hand("update export", "update", "exports", key=ROTATED, fields={"iprange": "*"}),
    _hand("update second export", "update", "exports", key=NEXT, fields={"iprange": "*"}),
    _hand("rename export", "update", "exports", key=ROTATED, fields={"desc": "api"}),
    _hand("rename second export", "update", "exports", key=NEXT, fields={"desc": "api"}),
    _hand("delete export", "delete", "exports", key=ROTATED),
    _hand("delete second export", "delete", "exports", key=NEXT),
    _hand("delete left export", "delete", "exports", key=OLD),
)
PAIRS = (
    *combinations_with_replacement(TASKS, 2),
    *product(TASKS, HANDS),
    *combinations_with_replacement(OF_EXPORTS, 2),
    *combinations_with_replacement(ROTATIONS, 2),
    *product(ROTATIONS, BESIDE_ROTATIONS),
)
# Behaviours that can decide which task wins. A lag lasts one pause: a longer one only adds more of the same turns.
_LAG = 0.1
CONSOLES = {
    "default": Dialect(),
    "unique keys": Dialect(unique_keys=True),
    "terse": Dialect.named("terse"),
    "takes any field": Dialect(put="any"),
    "resetting": Dialect.named("resetting"),
    "losing": Dialect(put="lose"),
    "late": Dialect(answers="odd", create_body="id", appear_after=_LAG, vanish_after=_LAG),
    "quotas of users": Dialect(user_quotas="absent"),
    "lagging": Dialect(update_appear_after=_LAG, vanish_after=_LAG),
}
