# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The YAML of state files. Pure.

Reading follows YAML 1.2: `no`, `010`, `12:30`, `1_000` and dates are the text that was written. Writing quotes what
YAML 1.1 would read as something else, so that other tools read the same. The text is made here instead of by PyYAML, so
that a diff shows one record per line.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile
from typing import Any

import yaml

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.json_values import MAX_DEPTH, is_too_deep, printable
from ...module_utils._internal.model.fields import hidden_in
from ...module_utils._internal.model.resources import LISTS_BY_NAME, VOLUME, Resource
from ...module_utils._internal.options import item_options

MARK = "# Written by managedfs.console.desired_state_files."
_HEADER = (
    MARK,
    "# The role managedfs.console.apply brings a console to what this file says. The next capture overwrites the file:",
    "# edits that have not been applied, and comments, are lost then.",
    "---",
)
_PREFIX = "tag:yaml.org,2002:"
# The marks of a conflict in Git. Nothing else in these files begins a line like this.
_MERGE = re.compile(r"^([<>|]{7}(?= )|={7}$|[<>|]{7}$)", re.MULTILINE)
# Scalars that are not text without quotes: the types of JSON, in the spellings of YAML. YAML 1.1 has more of them.
_NO_TEXT = re.compile(
    "(?P<null>(?:~|null|Null|NULL)?)|(?P<bool>true|True|TRUE|false|False|FALSE)|(?P<int>0|-?[1-9][0-9]*)"
    r"|(?P<float>[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?)"
)
_READERS: Mapping[str, Any] = {
    "null": lambda _text: None,
    "bool": lambda text: text.lower() == "true",
    "int": int,
    "float": float,
}
# Text that YAML reads as itself in any position, unless its version 1.1 knows it as a number, a boolean or a date.
_CHARACTER = r"(?:[\w/.@+-]|:(?=[\w/]))"
# Numbers to YAML 1.2 alone. We read them as the text that they are meant to be.
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|0o[0-7]+)\Z"
_PLAIN = re.compile(rf"(?!{_NUMBER})[\w/]{_CHARACTER}*(?: {_CHARACTER}+)*")
_RESOLVER: Any = yaml.resolver.Resolver()
_RESOURCES = (VOLUME, *LISTS_BY_NAME.values())
_TEXT_OPTIONS = {
    name
    for resource in _RESOURCES
    for name, option in item_options(resource).items()
    if option["type"] == "str" and "choices" not in option
}
# The keys below this option are a console's, not ours.
_EXTRA_FIELDS = "extra_fields"
# What the parser's words mean for who writes a file by hand, in those of both parsers of PyYAML.
_INDENT = "Indent the line like those above it, and begin each entry of a list with a dash."
_HINTS = (
    ("alphabetic", "Write an asterisk in quotation marks, as text."),
    ("indicator|end>|key$", _INDENT),
    ("mapping values", _INDENT + " Quote text in which a blank follows a colon."),
    ("expected ':'", "Put a blank between the colon and the value."),
)
_MAX_VALUES = 3_000_000
_TOO_DEEP = f"nested too deeply: more than {MAX_DEPTH} lists and dictionaries."


Lines = dict[int, dict[str, int]]
"""By the identity of each dictionary in a value: the line of each of its keys, and of its beginning."""
BEGINNING = ""


def parse_yaml(text: str, lines: Lines | None = None) -> Any:
    """Return the value of a YAML document, None for one without content. The lines of its dictionaries are added to `lines`.

    ConsoleError, which begins with line and column, for invalid YAML, keys that are duplicates or not text, tags other
    than those of plain data, several documents, and more than any console needs. Text options refuse true, false, and
    fractions, which would not be shown as written.
    """
    if unfinished := _MERGE.search(text):
        line = text.count("\n", 0, unfinished.start()) + 1
        raise ConsoleError(
            f"line {line}: a merge of two versions was not finished here. Choose one, and remove the marks."
        )
    try:
        value = _Reader(text, lines).read()
    except yaml.MarkedYAMLError as error:
        _raise_obvious(text, error.problem_mark or error.context_mark)
        reason = str(error.problem or error.context)
        hint = next((f" {hint}" for words, hint in _HINTS if re.search(words, reason)), "")
        # PyYAML has its own limit since 6.0.4.
        is_too_deep_for_it = "maximum nesting depth" in reason
        message = _TOO_DEEP if is_too_deep_for_it else f"{reason}.{hint}"
        raise _error_at(error.problem_mark or error.context_mark, message) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, text.find(chr(error.character))) + 1
        raise ConsoleError(f"line {line}: the character {chr(error.character)!a} is not allowed in YAML.") from None
    # Aliases of aliases may nest deeper than the text.
    if is_too_deep(value):
        raise ConsoleError(_TOO_DEEP)
    return value


def _raise_obvious(text: str, mark: yaml.Mark | None) -> None:
    """Raise a clear error for a common mistake that the parser describes badly, and finds at a mark."""
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if re.match(r" *\t", line):
            raise ConsoleError(f"line {number}: the line begins with a tab. YAML wants blanks.")
    # A character that only looks like a blank joins a line with the next one.
    for number in (mark.line, mark.line + 1) if mark else ():
        if hidden := hidden_in("".join(lines[max(number - 1, 0) : number])):
            raise ConsoleError(f"line {number}: the line {hidden}.")


class _Reader:
    """Builds a value from the events of PyYAML's parser.

    PyYAML's loader crashes the process on deep nesting, and takes a gigabyte for a file of the allowed size.
    """

    def __init__(self, text: str, lines: Lines | None = None) -> None:
        self._lines = lines
        self._events: Iterator[Any] = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        # By name: the value, the number of values in it, with itself, and whether it is below extra_fields.
        self._anchors: dict[str, tuple[Any, int, bool]] = {}
        # The number of values, with those that aliases repeat.
        self._count = 0

    def read(self) -> Any:
        """Return the value of the only document."""
        values: list[Any] = []
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if values:
                    raise _error_at(
                        event.start_mark, "a line --- begins a second document here. A file has one: remove the line."
                    )
                values.append(self._value(next(self._events), 0, in_extra_fields=False))
        return values[0] if values else None

    def _value(self, event: Any, depth: int, in_extra_fields: bool) -> Any:
        """Return the value that begins with an event; `in_extra_fields` means that its keys are a console's."""
        before = self._count
        self._count += 1
        if isinstance(event, yaml.AliasEvent):
            value, count, was_in_extra_fields = self._anchors.get(str(event.anchor), (None, 0, True))
            if not count or (was_in_extra_fields and not in_extra_fields):
                reason = f"an alias contains itself, or repeats what is not above it, or what is below {_EXTRA_FIELDS}."
                raise _error_at(event.start_mark, reason)
            self._count = before + count
        elif isinstance(event, yaml.ScalarEvent):
            value = _scalar(event)
        elif depth == MAX_DEPTH:
            raise _error_at(event.start_mark, _TOO_DEEP)
        elif isinstance(event, yaml.MappingStartEvent):
            _check_tag(event, "map")
            value = self._mapping(event, depth + 1, in_extra_fields)
        else:
            _check_tag(event, "seq")
            value = [self._value(inner, depth + 1, in_extra_fields) for inner in self._until(yaml.SequenceEndEvent)]
        if self._count > _MAX_VALUES:
            reason = f"more than {_MAX_VALUES:,} values, with those of aliases. Use several files."
            raise _error_at(event.start_mark, reason)
        if event.anchor and not isinstance(event, yaml.AliasEvent):
            self._anchors[event.anchor] = (value, self._count - before, in_extra_fields)
        return value

    def _until(self, end: type[yaml.Event]) -> Iterator[Any]:
        return takewhile(lambda event: not isinstance(event, end), self._events)

    def _mapping(self, start: Any, depth: int, in_extra_fields: bool) -> dict[str, Any]:
        """Return a dictionary, with those that it merges; duplicate keys are refused, since one would be dropped."""
        entries: dict[str, Any] = {}
        merged: list[Any] = []
        marks: dict[str, yaml.Mark] = {}
        for event in self._until(yaml.MappingEndEvent):
            key = self._value(event, depth, in_extra_fields)
            if not isinstance(key, str):
                template = "Templates such as {{ name }} are not supported in these files."
                hint = template if isinstance(key, dict) else "Quote it."
                raise _error_at(event.start_mark, f"a key must be text. {hint}")
            if key in marks:
                earlier = _position(marks[key])
                raise _error_at(event.start_mark, f"the key {key} is a duplicate of the one in {earlier}.")
            marks[key] = event.start_mark
            inner = next(self._events)
            value = self._value(inner, depth, in_extra_fields or key == _EXTRA_FIELDS)
            if key == "<<" and isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
                merged = value if isinstance(value, list) else [value]
                if not all(isinstance(source, dict) for source in merged):
                    raise _error_at(inner.start_mark, "only dictionaries can be merged.")
                continue
            if key in _TEXT_OPTIONS and not in_extra_fields:
                _check_text(key, value, inner)
            entries[key] = value
        for source in merged:
            entries = {**source, **entries}
        if self._lines is not None and not in_extra_fields:
            self._lines[id(entries)] = {key: mark.line + 1 for key, mark in marks.items()}
            self._lines[id(entries)][BEGINNING] = start.start_mark.line + 1
        return entries


def _check_tag(event: Any, kind: str) -> None:
    """Refuse any tag but that of a kind of plain data."""
    if event.tag not in (None, "!", _PREFIX + kind):
        tag = event.tag.replace(_PREFIX, "!!")
        hint = " Encrypt the whole file with ansible-vault instead." if tag == "!vault" else ""
        raise _error_at(event.start_mark, f"the tag {tag} is not supported in these files.{hint}")


def _scalar(event: yaml.ScalarEvent) -> Any:
    """Return the value of a scalar: a plain one by its form, a tagged one by its tag, else text."""
    match = _NO_TEXT.fullmatch(event.value)
    seems = match.lastgroup if match else None
    kind = seems if event.implicit[0] else str(event.tag).removeprefix(_PREFIX)
    if not kind or kind not in _READERS:
        _check_tag(event, "str")
        return event.value
    try:
        value = _READERS[kind](event.value) if kind == seems else math.nan
    except ValueError:
        value = math.nan
    if isinstance(value, float) and not math.isfinite(value):
        # Do not quote the text, which may be a secret.
        raise _error_at(event.start_mark, f"what stands here is not valid as {kind}.")
    return value


def _check_text(key: str, value: Any, event: Any) -> None:
    """Refuse a value that should be text and is not. A whole number is fine: it is shown as written."""
    if isinstance(value, (list, dict)):
        raise _error_at(event.start_mark, f"{key} must be text, not a list or dictionary.")
    if isinstance(value, (bool, float)):
        what = "true or false" if isinstance(value, bool) else "a number with a fraction"
        written = getattr(event, "value", value)
        raise _error_at(event.start_mark, f"YAML reads {written} as {what}. {key} is text: quote it.")


def _error_at(mark: Any, message: str) -> ConsoleError:
    return ConsoleError(f"{_position(mark)}: {message}" if mark else message)


def _position(mark: yaml.Mark) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


def to_yaml(item: Mapping[str, Any], commented: Collection[str] = ()) -> str:
    """Return the file for an item of `volumes`. Options in `commented` become comments, and a creation then needs them."""
    lines = [*_HEADER]
    needed = [name for name in commented if name in item]
    for name, value in _ordered(VOLUME, {**item, **({"create_with": needed} if needed else {})}).items():
        if name in needed:
            lines.append(f"# {_flow(name)}: {_flow(value)}")
        elif value and name in LISTS_BY_NAME and isinstance(value, list):
            lines += [f"{name}:", *(f"  - {_flow(_ordered(LISTS_BY_NAME[name], entry))}" for entry in value)]
        else:
            lines.append(f"{_flow(name)}: {_flow(value)}")
    return "\n".join([*lines, ""])


def _ordered(resource: Resource, item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item's options: the natural key first, the id, the other fields, anything else, and lists of records."""
    key, *others = (field.name for field in resource.managed)
    order = [key, "id", *others]
    names = [*order, *sorted(item.keys() - {*order, *LISTS_BY_NAME}), *LISTS_BY_NAME]
    return {name: item[name] for name in names if name in item}


def quote(text: str) -> str:
    """Return text as YAML, quoted if it would mean something else without."""
    return _flow(text)


def _flow(value: Any) -> str:
    """Return a value in YAML's flow style, on one line; mappings keep their order.

    Text is plain if all versions of YAML read it as that text, else quoted, with unprintable characters escaped.
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(str(name))}: {_flow(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str):
        is_text = _RESOLVER.resolve(yaml.ScalarNode, value, (True, False)) == f"{_PREFIX}str"
        return value if is_text and _PLAIN.fullmatch(value) else printable(json.dumps(value, ensure_ascii=False))
    number = json.dumps(value)
    # YAML reads a number with an exponent and no dot as text.
    return number.replace("e", ".0e", 1) if isinstance(value, float) and "." not in number else number
