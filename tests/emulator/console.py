# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The console itself: what each route does. No network and no authentication in here."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .answers import JSON, STYLES, Answer, ConsoleError, Request, error_answer, html_answer, json_answer, reason_of
from .lists import Lists, access_rules, shown_record, timestamp
from .resources import CHILDREN, EXPORTS, RESOURCES, VOLUMES, Record, Resource, accepted, altered, missing, normal_path
from .store import Store, Stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .dialect import Dialect
    from .faults import Change

_LISTS = "|".join(child.plural for child in CHILDREN)
_ROUTE = re.compile(rf"/volumes(?:/([0-9]{{1,18}})(?:/(?:(is_ready)|({_LISTS})(?:/([0-9]{{1,18}}))?))?)?\Z")


def _not_a_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_decode = json.JSONDecoder(parse_constant=_not_a_number).decode


class Console:
    """Answers requests of the API from a store, in a dialect."""

    def __init__(self, store: Store, clock: Callable[[], float], dialect: Dialect) -> None:
        self.store = store
        self.clock = clock
        self._postponed: list[tuple[float, Request]] = []
        self.speak(dialect)

    def speak(self, dialect: Dialect) -> None:
        """Change the dialect. Lists are counted anew, and show all earlier writes."""
        self.dialect, self.style = dialect, STYLES[dialect.answers]
        self._lists = Lists(self.store, self.clock, dialect)

    def reset(self, dialect: Dialect) -> None:
        self._postponed.clear()
        self.store.clear()
        self.speak(dialect)

    def answer(self, request: Request) -> Answer:
        """Answer a request; refusals have the dialect's shape, too."""
        self.catch_up()
        return self._answer(request)

    def postpone(self, request: Request, seconds: float) -> None:
        self._postponed.append((self.clock() + seconds, request))
        self._postponed.sort(key=lambda entry: entry[0])

    def catch_up(self) -> None:
        """Carry out postponed requests whose time has come."""
        while self._postponed and self._postponed[0][0] <= self.clock():
            self._answer(self._postponed.pop(0)[1])

    @property
    def state(self) -> str:
        """Everything that determines the answers to requests at a time, as text."""
        return f"{self.store.state} {self._postponed}"

    def _answer(self, request: Request) -> Answer:
        try:
            return self._route(request)
        except ConsoleError as refusal:
            return error_answer(self.style.error, refusal.status, refusal.message, refusal.fields)

    def truth(self, resource: Resource, volume: int) -> list[Record]:
        """Return a list as it truly is, volumes with their access rules."""
        self.catch_up()
        found = []
        for stored in self.store.records(resource, volume):
            record = stored.full
            if resource is VOLUMES:
                record.setdefault("access_rules", access_rules(self.store.records(EXPORTS, stored.id)))
            found.append(record)
        return found

    def _route(self, request: Request) -> Answer:
        found = _ROUTE.match(request.path)
        if found is None:
            return self.unknown()
        volume, ready, plural, child = found.groups()
        if volume is None:
            return self._collection(request, VOLUMES, 0)
        if plural is None:
            return self._ready(request, int(volume)) if ready else self._volume(request, int(volume))
        resource = RESOURCES[plural]
        if not self.store.has_volume(int(volume)):
            raise ConsoleError(404, "Not found.")
        if child is None:
            return self._collection(request, resource, int(volume))
        return self._child(request, resource, int(volume), int(child))

    def unknown(self) -> Answer:
        status = self.style.unknown
        return error_answer(self.style.error, status, f"{reason_of(status)}.")

    def _refuse_others(self, request: Request, *methods: str) -> None:
        if request.method not in methods:
            raise ConsoleError(405, f'Method "{request.method}" not allowed.')

    def _collection(self, request: Request, resource: Resource, volume: int) -> Answer:
        self._refuse_others(request, "GET", "HEAD", "POST")
        if request.method == "POST":
            return self._create(request, resource, volume)
        return self._lists.answer(request, resource, volume)

    def _volume(self, request: Request, id_: int) -> Answer:
        self._refuse_others(request, "DELETE")
        return self._delete(VOLUMES, 0, id_)

    def _ready(self, request: Request, id_: int) -> Answer:
        ready_after = self.dialect.ready_after
        if isinstance(ready_after, str):
            return self.unknown()
        self._refuse_others(request, "GET", "HEAD")
        return json_answer(200, {"is_ready": self.clock() >= self._found(VOLUMES, 0, id_).made + ready_after})

    def _child(self, request: Request, resource: Resource, volume: int, id_: int) -> Answer:
        self._refuse_others(request, "PUT", "DELETE")
        if request.method == "PUT":
            return self._update(request, resource, volume, id_)
        if self.dialect.delete_children != "yes":
            raise ConsoleError(int(self.dialect.delete_children), 'Method "DELETE" not allowed.')
        return self._delete(resource, volume, id_)

    def _found(self, resource: Resource, volume: int, id_: int) -> Stored:
        stored = self.store.get(resource, volume, id_)
        if stored is None:
            raise ConsoleError(404, "Not found.")
        return stored

    def _json(self, request: Request) -> Record:
        if request.body and request.content_type.partition(";")[0].strip().lower() != JSON:
            raise ConsoleError(415, "The body must be application/json.")
        try:
            body = _decode(request.body.decode("utf-8"))
        except (ValueError, RecursionError):
            raise ConsoleError(400, "The body is not JSON.") from None
        if not isinstance(body, dict):
            raise ConsoleError(400, "The body is not a JSON object.")
        return body

    def _create(self, request: Request, resource: Resource, volume: int) -> Answer:
        values, errors = accepted(resource, self._json(request), self.dialect)
        lacking = missing(resource, values, self.dialect)
        if lacking or errors:
            raise ConsoleError(400, fields={**lacking, **errors})
        self._check_unique(resource, volume, values.get(resource.key))
        id_ = self.make(resource, volume, values, self.clock())
        return self._written(request, resource, volume, id_, self.style.created)

    def make(self, resource: Resource, volume: int, values: Record, at: float | None = None) -> int:
        """Store a new record with its defaults. Without a time, it is visible and ready at once."""
        given, made = dict(values), at or 0.0
        id_, token = given.pop("id", None) or 0, ""
        body = resource.defaults
        if resource is VOLUMES:
            body.update(owner=1, size=0, inodes=0, created=timestamp(made), uuid=str(uuid.uuid4()))
            body["bucket"] = f"https://{given.get('name', 'volume')}.bucket.invalid"
        elif resource is EXPORTS:
            token = given.pop("token", None) or secrets.token_hex(20)
        return self.store.add(resource, Stored(id_, volume, body | given, tuple(given), token, made), at)

    def _change(self, resource: Resource, stored: Stored, body: Record, sent: Iterable[str]) -> None:
        """Replace the fields of a record; these were sent."""
        names = dict.fromkeys([*stored.sent, *(name for name in sent if name in resource.by_name)])
        self.store.update(resource, stored, replace(stored, body=body, sent=tuple(names)), self.clock())

    def apply(self, change: Change) -> None:
        """Create, update or delete a record as another user, without checks; skip what cannot be done."""
        resource = RESOURCES[change.resource]
        volume = 0 if resource is VOLUMES else change.volume_id
        if change.action == "create":
            if resource is VOLUMES or self.store.has_volume(volume):
                with contextlib.suppress(ValueError):
                    self.make(resource, volume, dict(change.fields), self.clock())
            return
        for stored in self.store.records(resource, volume):
            if change.id not in (None, stored.id) or (change.id is None and stored.body[resource.key] != change.key):
                continue
            if change.action == "delete":
                self.store.delete(resource, stored, self.clock())
            else:
                self._change(resource, stored, {**stored.body, **change.fields}, change.fields)

    def _written(self, request: Request, resource: Resource, volume: int, id_: int, status: int) -> Answer:
        how = self.dialect.create_body
        if how == "empty" or status == 204:
            return Answer(status)
        if how == "html":
            return html_answer(status, "Console")
        if how == "page":
            path = request.path if request.method == "POST" else request.path.rpartition("/")[0]
            listed = Request("GET", path, origin=request.origin)
            return self._lists.first_page(listed, resource, volume, status)
        if how == "id":
            return json_answer(status, {"id": str(id_) if self.dialect.numbers == "string" else id_})
        stored = self.store.get(resource, volume, id_)
        return Answer(status) if stored is None else json_answer(status, self._shown(resource, stored))

    def _shown(self, resource: Resource, stored: Stored) -> Record:
        rules = self.store.records(EXPORTS, stored.id) if resource is VOLUMES else []
        return shown_record(resource, stored, self.dialect, rules)

    def _check_unique(self, resource: Resource, volume: int, key: str | None, but: int | None = None) -> None:
        if not self.dialect.unique_keys or not key:
            return
        loosely = resource.key == "path" and self.dialect.normalise != "no"
        for stored in self.store.records(resource, volume):
            other = stored.body[resource.key]
            if stored.id != but and (other == key or (loosely and normal_path(str(other)) == normal_path(key))):
                raise ConsoleError(400, fields={resource.key: [f"A record with this {resource.key} already exists."]})

    def _update(self, request: Request, resource: Resource, volume: int, id_: int) -> Answer:
        stored = self._found(resource, volume, id_)
        sent = self._json(request)
        how = self.dialect.put
        unknown = [name for name in sent if name not in resource.updated]
        if unknown and how == "reject":
            raise ConsoleError(400, fields={name: ["This field cannot be changed."] for name in unknown})
        if how in ("documented", "lose"):
            sent = {name: value for name, value in sent.items() if name in resource.updated}
        body = self._changed(resource, stored, sent)
        if body.get(resource.key) != stored.body.get(resource.key):
            self._check_unique(resource, volume, body.get(resource.key), id_)
        self._change(resource, stored, body, sent)
        self._lists.hide(resource, id_, sent)
        self._damage(resource, volume, id_)
        return self._written(request, resource, volume, id_, 204 if self.style.created == 204 else 200)

    def _damage(self, resource: Resource, volume: int, id_: int) -> None:
        """Apply the side effects of the dialect to an updated record, which no client can put right."""
        how, stored = self.dialect.put_alters, self._found(resource, volume, id_)
        if how == "token" and stored.token:
            self.store.update(resource, stored, replace(stored, token=secrets.token_hex(20)), self.clock())
        if how in ("vanish", "replace"):
            self.store.delete(resource, stored, self.clock())
        if how == "replace":
            self.make(resource, volume, dict(stored.body), self.clock())

    def _changed(self, resource: Resource, stored: Stored, sent: Record) -> Record:
        """Return a record's fields after an update; a value echoed as shown stays unchanged."""
        shown = self._shown(resource, stored)
        news = {
            name: value
            for name, value in sent.items()
            if name not in shown or type(shown[name]) is not type(value) or shown[name] != value
        }
        values, errors = accepted(resource, news, self.dialect)
        if errors:
            raise ConsoleError(400, fields=errors)
        body = {**stored.body, **altered(resource, values, self.dialect)}
        if self.dialect.put in ("reset", "lose"):
            for field in resource.fields:
                if field.name not in sent:
                    body[field.name] = field.default
        return body

    def _delete(self, resource: Resource, volume: int, id_: int) -> Answer:
        self.store.delete(resource, self._found(resource, volume, id_), self.clock())
        status = self.style.deleted
        if status == 204:
            return Answer(status)
        return html_answer(status, "Deleted") if status == 200 else json_answer(status, {"detail": "Deleted."})
