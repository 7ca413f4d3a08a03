# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The records of a list: sorted into those that tasks work with and those that patterns leave out, found, and compared. Pure."""

from __future__ import annotations

import fnmatch
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..values import first_of, mask
from .fields import LOOSE, PATH
from .resources import BLANK, IGNORED, RESOURCES, VOLUME, Field, Resource, is_blank

Record = dict[str, Any]

# Suffixes of desc while an export gets a new token: of the export that replaces it, and of the one to be deleted.
NEXT, OLD = " (next)", " (old)"
_MAX_IDS = 10


class Patterns:
    """Patterns for the natural keys of one resource, as `fnmatch.fnmatchcase` reads them."""

    def __init__(self, resource: Resource, patterns: Iterable[str] = ()) -> None:
        self._resource = resource
        self._matchers = {each: re.compile(fnmatch.translate(_normalize(resource, each))).match for each in patterns}
        self.patterns = tuple(self._matchers)

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def pattern_for(self, key: Any) -> str | None:
        """Return the pattern that a natural key matches. No key is matched as blank text."""
        text = self._text(key) if self._matchers else ""
        return next((pattern for pattern, match in self._matchers.items() if match(text)), None)

    def unmatched(self, keys: Iterable[Any]) -> str | None:
        """Return the first pattern that matches none of the natural keys, None if there is no such pattern."""
        known = list(map(self._text, keys))
        return next((pattern for pattern, match in self._matchers.items() if not any(map(match, known))), None)

    def matches(self, record: Mapping[str, Any]) -> bool:
        """Return whether the key of a record, as the console lists it, matches."""
        return self.pattern_for(self._resource.key_of(record)) is not None

    def split(self, records: Iterable[Record]) -> tuple[list[Record], list[Record]]:
        """Return the records that match no pattern, and those that match one."""
        parts: tuple[list[Record], list[Record]] = ([], [])
        for record in records:
            parts[self.matches(record)].append(record)
        return parts

    def _text(self, key: Any) -> str:
        normal = self._resource.normalize_key(key)
        return "" if normal is None else str(normal)


def read_patterns(resource: Resource, given: Any, option: str = "ignore") -> Patterns:
    """Return the patterns in the list of an option; ConsoleError for one that cannot be meant."""
    patterns = [] if given is None or is_blank(given) else given
    if not isinstance(patterns, (list, tuple)):
        raise ConsoleError(f"{option} must be a list of patterns, not {format_value(given)}.")
    for pattern in patterns:
        if problem := _problem(resource, pattern):
            raise ConsoleError(f"{option}: the pattern {format_value(pattern)} {problem}.")
    return Patterns(resource, patterns)


def read_only(options: Mapping[str, Any]) -> Patterns:
    """Return the patterns of the volumes to which a task is limited; none for all of them."""
    return read_patterns(VOLUME, options.get("only"), "only")


PatternsByKind = Mapping[str, Patterns]


def read_ignored(given: Any) -> PatternsByKind:
    """Return the patterns in the option `ignore` of volumes; ConsoleError for what cannot be meant."""
    patterns = {} if given is None else given
    if not isinstance(patterns, Mapping) or patterns.keys() - RESOURCES.keys():
        wrong = format_value(given)
        raise ConsoleError(f"ignore must be a dictionary of patterns for {', '.join(RESOURCES)}, not {wrong}.")
    return {kind: read_patterns(resource, patterns.get(kind), f"ignore.{kind}") for kind, resource in RESOURCES.items()}


def _problem(resource: Resource, pattern: Any) -> str:
    """Return the problem with a pattern, blank for none."""
    if not isinstance(pattern, str):
        return "must be text"
    if resource.key.type is PATH and not pattern.startswith(("/", "*")):
        return f"must begin with / or *, since each {resource.key.name} begins with /"
    try:
        Patterns(resource, [pattern])
    except (ValueError, re.error) as error:
        return f"cannot be used, correct it: {error}"
    return ""


def _normalize(resource: Resource, pattern: str) -> str:
    """Return a pattern in the form of the keys that it is matched with; ValueError if it has none."""
    if resource.key.type is not PATH:
        return pattern
    normal = str(PATH.normalize(pattern))
    return normal if pattern.startswith("/") else normal[1:]


class Records:
    """The records of one list, each with an id, indexed by id and natural key.

    `of_volume` names the volume of the list in messages: ` of volume 'projects'`, or blank. `ignored` are the records that are
    not ours. They are not among the others.
    """

    def __init__(
        self, resource: Resource, records: Iterable[Record] = (), of_volume: str = "", ignored: Sequence[Record] = ()
    ) -> None:
        self.resource = resource
        self.of_volume = of_volume
        self.ignored = ignored
        self._by_id = {str(record["id"]): record for record in records}
        # Built when first needed.
        self._by_key: dict[Any, list[Record]] | None = None
        self._by_value: dict[str, dict[Any, Record]] = {}

    def __iter__(self) -> Iterator[Record]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def where(self, is_kept: Callable[[Record], bool]) -> Records:
        """Return the records that a function chooses to keep."""
        kept, ignored = ([record for record in part if is_kept(record)] for part in (self, self.ignored))
        return Records(self.resource, kept, self.of_volume, ignored)

    def by_id(self, identity: Any) -> Record | None:
        """Return the record with an id, given as number or text."""
        return self._by_id.get(str(identity))

    def by_key(self, key: Any) -> list[Record]:
        """Return the records whose normalized natural key equals that of `key`; none for what cannot be a key."""
        if self._by_key is None:
            self._by_key = {}
            for record in self:
                self._by_key.setdefault(self.resource.normalize_key(self.resource.key_of(record)), []).append(record)
            self._by_key.pop(None, None)
        return self._by_key.get(self.resource.normalize_key(key), [])

    @cached_property
    def _others(self) -> Records:
        """Return the ignored records that have an id, to be found by id or key."""
        return Records(self.resource, [record for record in self.ignored if record.get("id") is not None])

    def listed(self, identity: Any) -> Record | None:
        """Return the record with an id, even if it is ignored."""
        return self.by_id(identity) or self._others.by_id(identity)

    def all_keys(self) -> list[Any]:
        """Return the natural keys of all records, those of ignored ones, too."""
        return list(map(self.resource.key_of, (*self, *self.ignored)))

    def since(self, before: Records) -> list[Record]:
        """Return the records that an earlier reading did not have, ignored ones without a key among them: one may be ours, shown without it."""
        without_key = (record for record in self._others if self.resource.key_of(record) is None)
        return [record for record in (*self, *without_key) if not before.listed(record["id"])]

    def is_rotating(self, record: Mapping[str, Any]) -> bool:
        """Return whether a record takes part in the unfinished rotation of another one, ignored or not."""
        key = self.resource.key_of(record)
        partners = rotation_partners(key) if self.resource.has_token else ()
        return any(self.by_key(partner) or self._others.by_key(partner) for partner in partners)

    def first_with(self, field: Field, value: Any) -> Record | None:
        """Return the first record whose field has a value of this meaning."""
        if field.name not in self._by_value:
            found = self._by_value[field.name] = {}
            for record in self:
                found.setdefault(field.type.normalize_or_none(record.get(field.in_api)), record)
        normal = field.type.normalize_or_none(value)
        return self._by_value[field.name].get(normal) if normal else None


def rotation_partners(key: Any) -> tuple[str, ...]:
    """Return the keys that the partners of an export in a rotation may have; none for a key without a suffix of rotations."""
    text = str(key)
    bases = [text.removesuffix(suffix) for suffix in (NEXT, OLD) if text.endswith(suffix)]
    return tuple(f"{base}{suffix}" for base in bases for suffix in ("", NEXT, OLD) if f"{base}{suffix}" != text)


class Difference(NamedTuple):
    """A field that is not as wanted, both values as results show them."""

    field: Field
    actual: Any
    wanted: Any

    def __str__(self) -> str:
        """Return the difference as messages show it."""
        return self.format("is {actual}, wanted {wanted}")

    def format(self, words: str) -> str:
        """Return the field with both values in these words, secrets masked. What is in an undocumented field may be one."""
        name = self.field.name
        if self.field.type is LOOSE:
            return f"{name} is not as wanted"
        actual, wanted = (format_value(mask({name: value})[name]) for value in self[1:])
        hint = " (the difference is in the masked part)" if actual == wanted else ""
        return f"{name} {words.format(actual=actual, wanted=wanted)}{hint}"


def compare(resource: Resource, record: Record, values: Mapping[str, Any]) -> tuple[list[Difference], list[str]]:
    """Return the differences of a record from the given values, and the names of the fields that it does not show."""
    differences, hidden = [], []
    for name, wanted in values.items():
        field = resource.managed_field(name)
        if (in_api := field.in_api) not in record:
            hidden.append(name)
        elif not field.type.equal(record[in_api], wanted):
            differences.append(difference(field, record[in_api], wanted))
    return differences, hidden


def difference(field: Field, actual: Any, wanted: Any) -> Difference:
    """Return the difference between two values of a field, given as the console has them."""
    return Difference(field, field.type.to_result(actual), field.type.to_result(wanted))


def format_differences(differences: Iterable[Difference]) -> str:
    """Return differences as one part of a message."""
    return "; ".join(map(str, differences))


def managed_fields(
    resource: Resource, record: Mapping[str, Any] | None, extra_fields: Iterable[str] = (), in_diff: bool = True
) -> dict[str, Any]:
    """Return the fields of a record that a user can set, as diffs show them, secrets masked; {} without a record."""
    known = resource.fields_for(extra_fields)
    fields = [(field, record[field.in_api]) for field in known if record and field.in_api in record]
    types = [(field.name, field.type.to_diff if in_diff else field.type.to_result, value) for field, value in fields]
    shown: dict[str, Any] = mask({name: show(value) for name, show, value in types})
    return shown


def describe(resource: Resource, record: Mapping[str, Any]) -> str:
    """Return a record as messages name it: `volume 'a' (id 7)`."""
    key = resource.key_of(record)
    noun = resource.noun if key is None else f"{resource.noun} {format_value(key)}"
    return f"{noun} (id {record['id']})" if "id" in record else noun


def format_value(value: Any) -> str:
    """Return a value as messages show it: text in single quotes, anything else as JSON, secrets masked."""
    masked = mask(value)
    return f"'{masked}'" if isinstance(masked, str) else json.dumps(masked, ensure_ascii=False)


def of_volume(volume: Mapping[str, Any] | None) -> str:
    """Return the phrase that says whose list this is: ` of volume 'projects'`, or blank if the volume is not known."""
    name = (volume or {}).get("name")
    return f" of volume {format_value(name)}" if name else ""


def ambiguous(resource: Resource, found: list[Record], option: str = "id") -> ConsoleError:
    """Return the error for several records with one natural key: their ids, and what to do."""
    ids = ", ".join(str(record["id"]) for record in found)
    key = format_value(resource.key_of(found[0]))
    return ConsoleError(
        f"there are several {resource.plural} with the {resource.key.name} {key}: ids {ids}."
        f" Choose one with {option}, if the task has that option, or remove the ones that should not exist. Tasks that ran"
        " at once may have made them: where several hosts run one task, set run_once, or throttle to 1."
    )


def sort_records(
    resource: Resource,
    listed: Sequence[Record],
    of_volume: str = "",
    patterns: Patterns | None = None,
    shown: Collection[str] = (),
) -> Records:
    """Return the records of a list, apart from those that are ignored.

    If others show their natural key, a quota without one is ignored, since it is that of a user or a group, and an export without
    one is given None: no item can have that. ConsoleError if none shows one, as the console may hide the keys, if
    a key has a wrong type, and if an id is unusable or that of two records: each could be the one wanted, so nothing can be
    decided. `shown` holds the ids of records that have shown their key before.
    """
    kept, ignored = patterns.split(listed) if patterns else (list(listed), [])
    _refuse(resource, "id", [record for record in kept if not is_id(record.get("id"))])
    _refuse_shared_ids(resource, listed)
    if resource.without_key is IGNORED and (shown or any(is_key(resource.key_of(record)) for record in listed)):
        others = {str(record["id"]) for record in kept if resource.key_of(record) is None} - {*shown}
        ignored += [record for record in kept if str(record["id"]) in others]
        kept = [record for record in kept if str(record["id"]) not in others]
    unusable = [record for record in kept if not is_key(resource.key_of(record))]
    if resource.without_key is BLANK and any(resource.key.in_api in record for record in listed):
        unusable = [record for record in unusable if resource.key_of(record) is not None]
        kept = [{resource.key.in_api: None, **record} for record in kept]
    _refuse(resource, resource.key.in_api, unusable)
    return Records(resource, kept, of_volume, ignored)


def _refuse_shared_ids(resource: Resource, listed: Iterable[Record]) -> None:
    """Refuse records that share their id: a request could name either."""
    uses = Counter(str(record["id"]) for record in listed if record.get("id") is not None)
    if shared := [identity for identity, count in uses.items() if count > 1]:
        what = f"different {resource.plural} with the same id (ids {first_of(shared, _MAX_IDS)})"
        raise ConsoleError(f"the console shows {what}: they cannot be identified. Correct them there")


def _refuse(resource: Resource, name: str, bad: Sequence[Record]) -> None:
    """Refuse records whose field of this name is unusable."""
    if bad:
        which = "" if name == "id" else f" (ids {first_of((str(each['id']) for each in bad), _MAX_IDS)})"
        what = f"{resource.plural} without a usable {name}{which}"
        raise ConsoleError(f"the console shows {what}: they cannot be identified. Correct them there")


def is_id(value: Any) -> bool:
    """Return whether a value is a number, or text that has no other meaning in a path."""
    if isinstance(value, str):
        return re.fullmatch("[A-Za-z0-9_-]{1,100}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def is_key(value: Any) -> bool:
    """Return whether a value can be a natural key; blank text is one, though no item can have it."""
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)
