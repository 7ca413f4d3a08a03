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
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

import yaml

from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.model.fields import hidden_in
from ....module_utils._internal.model.resources import LISTS_BY_NAME, VOLUME, Resource
from ....module_utils._internal.options import item_options
from ....module_utils._internal.values import MAX_DEPTH, is_too_deep, printable

MARK = "# Written by managedfs.console."
_HEADER = (
    "# Written by managedfs.console.capture, which overwrites it: edits that have not been applied, and comments, are lost then.",
    "# The role managedfs.console.apply brings a console to what this file says.",
    "---",
)
# The marks of a conflict in Git. Nothing else in these files begins a line like this.
_MERGE = re.compile(r"^([<>|]{7}(?= )|={7}$|[<>|]{7}$)", re.MULTILINE)
_TAB = re.compile(r"^ *\t", re.MULTILINE)
# Scalars that are not text without quotes: the types of JSON, in the spellings of YAML. YAML 1.1 has more of them.
_NO_TEXT = re.compile(
    "(?:~|null|Null|NULL)?|(?P<bool>true|True|TRUE|false|False|FALSE)"
    r"|(?P<number>0|-?[1-9][0-9]*|[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?)"
)
# Text that YAML reads as itself in any position, unless its version 1.1 knows it as a number, a boolean or a date.
_CHARACTER = r"(?:[\w/.@+-]|:(?=[\w/]))"
# Numbers to YAML 1.2 alone. We read them as the text that they are meant to be.
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|0o[0-7]+)\Z"
_PLAIN = re.compile(rf"(?!{_NUMBER})[\w/]{_CHARACTER}*(?: {_CHARACTER}+)*")
_RESOLVER: Any = yaml.resolver.Resolver()
_TEXT_OPTIONS = {
    name
    for resource in (VOLUME, *LISTS_BY_NAME.values())
    for name, option in item_options(resource).items()
    if option["type"] == "str" and "choices" not in option
}
# Values that are not as they were written. A whole number is.
_NO_TEXTS = {bool: "true or false", float: "a number with a fraction", list: "a list", dict: "a dictionary"}
# The keys below this option are a console's, not ours.
_EXTRA_FIELDS = "extra_fields"
# Keys that begin so hold what anchors repeat elsewhere, and are read by nothing.
_UNREAD = "x-"
# What the parser's words mean for who writes a file by hand, in those of both parsers of PyYAML.
_INDENT = "Indent the line like those above it, and begin each entry of a list with a dash."
_HINTS = (
    ("alphabetic", "Write an asterisk in quotation marks, as text."),
    ("indicator|end>|key$", _INDENT),
    ("mapping values", _INDENT + " Quote text in which a blank follows a colon."),
    ("expected ':'", "Put a blank between the colon and the value."),
)
# Where a parser was when it found that something is not closed.
_ENCLOSED = re.compile("flow|quoted")
_MAX_VALUES = 3_000_000
_TOO_DEEP = f"nested too deeply: more than {MAX_DEPTH} lists and dictionaries."


# By the identity of each dictionary in a value: the line of each of its keys, and of its beginning.
Lines = dict[int, dict[str, int]]
BEGINNING = ""


def parse_yaml(text: str, lines: Lines | None = None) -> Any:
    """Return the value of a YAML document, None for one without content. The lines of its dictionaries are added to `lines`.

    ConsoleError, which begins with line and column, for invalid YAML, keys that are duplicates or not text, tags, several
    documents, and more than any console needs. Text options refuse what would not be shown as written.
    """
    if unfinished := _MERGE.search(text):
        raise _error_in_line(
            text, unfinished.start(), "a merge of two versions was not finished here. Choose one, and remove the marks."
        )
    try:
        value = _Reader(text, lines).read()
    except yaml.MarkedYAMLError as error:
        if tab := _TAB.search(text):
            raise _error_in_line(text, tab.start(), "the line begins with a tab. YAML wants blanks.") from None
        raise _explain(text, error) from None
    except yaml.reader.ReaderError as error:
        character = chr(error.character)
        reason = f"the character {character!a} is not allowed in YAML."
        raise _error_in_line(text, text.find(character), reason) from None
    # Aliases of aliases may nest deeper than the text.
    if is_too_deep(value):
        raise ConsoleError(_TOO_DEEP)
    return value


def _explain(text: str, error: Any) -> ConsoleError:
    """Return what the parser says, and what it means for who writes a file by hand."""
    reason, mark, opened = str(error.problem), error.problem_mark, error.context_mark
    # PyYAML has its own limit since 6.0.4.
    if "maximum nesting depth" in reason:
        return _error_at(mark, _TOO_DEEP)
    if _ENCLOSED.search(error.context or "") and opened.line < mark.line:
        sign = text[opened.index]
        return _error_at(
            opened, f"this {sign} is not closed, or a comma is missing before line {mark.line + 1}. Add it."
        )
    # A character that only looks like a blank joins a line with the next one.
    line = mark.line
    hidden = hidden_in("".join(text.splitlines()[max(line - 1, 0) : line + 1]))
    hints = (hint for words, hint in _HINTS if re.search(words, reason))
    hint = f"This line or the one above {hidden}." if hidden else next(hints, "")
    return _error_at(mark, f"{reason}. {hint}".rstrip())


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
                        event.start_mark,
                        "a line --- begins another document here. Put it into a file of its own, or make a list of both.",
                    )
                values.append(self._value(next(self._events), 0, in_extra_fields=False))
        return values[0] if values else None

    def _value(self, event: Any, depth: int, in_extra_fields: bool) -> Any:
        """Return the value that begins with an event; `in_extra_fields` means that its keys are a console's."""
        before = self._count
        self._count += 1
        if getattr(event, "tag", None) not in (None, "!"):
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            hint = " Encrypt the whole file with ansible-vault instead." if tag == "!vault" else ""
            raise _error_at(event.start_mark, f"the tag {tag} is not supported in these files.{hint}")
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
            value = self._mapping(event, depth + 1, in_extra_fields)
        else:
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
        lines: dict[str, int] = {}
        for event in self._until(yaml.MappingEndEvent):
            key = self._value(event, depth, in_extra_fields)
            if not isinstance(key, str):
                template = "Templates such as {{ name }} are not supported in these files."
                hint = template if isinstance(key, dict) else "Quote it."
                raise _error_at(event.start_mark, f"a key must be text. {hint}")
            if key in lines:
                raise _error_at(event.start_mark, f"the key {key} is a duplicate of the one in line {lines[key]}.")
            lines[key] = event.start_mark.line + 1
            inner = next(self._events)
            value = self._value(inner, depth, in_extra_fields or key == _EXTRA_FIELDS)
            if key == "<<" and isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
                merged = value if isinstance(value, list) else [value]
                if not all(isinstance(source, dict) for source in merged):
                    raise _error_at(inner.start_mark, "only dictionaries can be merged.")
                continue
            if key.startswith(_UNREAD) and not in_extra_fields:
                continue
            if key in _TEXT_OPTIONS and type(value) in _NO_TEXTS and not in_extra_fields:
                read = _NO_TEXTS[type(value)]
                raise _error_at(inner.start_mark, f"YAML reads this as {read}. {key} is text: quote it.")
            entries[key] = value
        for source in merged:
            entries = {**source, **entries}
        if self._lines is not None and not in_extra_fields:
            self._lines[id(entries)] = {**lines, BEGINNING: start.start_mark.line + 1}
        return entries


def _scalar(event: Any) -> Any:
    """Return the value of a scalar: a plain one by its form, else text."""
    match = _NO_TEXT.fullmatch(event.value) if event.implicit[0] else None
    if not match:
        return event.value
    if match["number"] is None:
        return match["bool"].lower() == "true" if match["bool"] else None
    try:
        number = float(event.value) if "." in event.value else int(event.value)
        if math.isfinite(number):
            return number
    except (ValueError, OverflowError):
        pass
    raise _error_at(event.start_mark, "this number is too large.")


def _error_at(mark: Any, message: str) -> ConsoleError:
    return ConsoleError(f"line {mark.line + 1}, column {mark.column + 1}: {message}")


def _error_in_line(text: str, position: int, message: str) -> ConsoleError:
    line = text.count("\n", 0, position) + 1
    return ConsoleError(f"line {line}: {message}")


def to_yaml(item: Mapping[str, Any]) -> str:
    """Return the file for an item of `volumes`."""
    lines = [*_HEADER]
    for name, value in _ordered(VOLUME, item).items():
        if value and name in LISTS_BY_NAME and isinstance(value, list):
            lines += [f"{name}:", *(f"  - {to_flow(_ordered(LISTS_BY_NAME[name], entry))}" for entry in value)]
        else:
            lines.append(f"{to_flow(name)}: {to_flow(value)}")
    return "\n".join([*lines, ""])


def _ordered(resource: Resource, item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item's options: the natural key first, the id, the other fields, anything else, and lists of records."""
    key, *others = (field.name for field in resource.managed)
    order = [key, "id", *others]
    names = [*order, *sorted(item.keys() - {*order, *LISTS_BY_NAME}), *LISTS_BY_NAME]
    return {name: item[name] for name in names if name in item}


def to_flow(value: Any) -> str:
    """Return a value in YAML's flow style, on one line; mappings keep their order.

    Text is plain if all versions of YAML read it as that text, else quoted, with unprintable characters escaped.
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{to_flow(str(name))}: {to_flow(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(to_flow, value)) + "]"
    if isinstance(value, str):
        is_text = _RESOLVER.resolve(yaml.ScalarNode, value, (True, False)) == "tag:yaml.org,2002:str"
        return value if is_text and _PLAIN.fullmatch(value) else printable(json.dumps(value, ensure_ascii=False))
    number = json.dumps(value)
    # YAML reads a number with an exponent and no dot as text.
    return number.replace("e", ".0e", 1) if isinstance(value, float) and "." not in number else number
