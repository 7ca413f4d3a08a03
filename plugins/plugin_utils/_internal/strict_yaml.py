# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""YAML of state files read strictly: errors name line and column, and nothing is dropped or guessed. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from typing import Any

import yaml

from ...module_utils._internal.errors import ConsoleError

_PREFIX = "tag:yaml.org,2002:"
_TAGS = {_PREFIX + name for name in ("null", "bool", "int", "float", "str", "seq", "map", "merge")}
_TIMESTAMP = f"{_PREFIX}timestamp"
_TEXT_TAGS = {f"{_PREFIX}str", f"{_PREFIX}merge"}
_INTEGER = f"{_PREFIX}int"
# What YAML 1.1 makes of no, 1.10 and their like.
_NO_TEXT_TAGS = {f"{_PREFIX}bool", f"{_PREFIX}float"}
# YAML 1.1 reads 010 as 8, 12:30 as 750 and 1_000 as 1000.
_DECIMAL = re.compile("0|-?[1-9][0-9]*")
# The option below which keys are those of a console, not ours.
_FREE = "extra_fields"
_MAX_DEPTH = 100
_MAX_EVENTS = 4_000_000
_MAX_REPEATED = 1_000_000


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """PyYAML's safe loader, in C where there is one, but a date is text: no option takes a date."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Return the value of a node; ConsoleError with its place, which Python's own errors lack, and without its text."""
        try:
            value = super().construct_object(node, deep)
        except (ValueError, KeyError):
            value = math.nan
        if isinstance(value, float) and not math.isfinite(value):
            tag = node.tag.replace(_PREFIX, "")
            raise _error_at(node.start_mark, f"what stands here is not valid as {tag}.")
        return value


def parse_yaml(text: str, text_keys: Collection[str] = ()) -> Any:
    """Return the value of a YAML document, None for one without content.

    ConsoleError, which begins with line and column, for what is not YAML, and for keys that stand twice or are no text,
    tags, several documents, aliases that contain themselves, and plain values that YAML takes for something else than
    what is written. `text_keys` are the keys whose values are text.
    """
    loader = None
    try:
        _check_extent(text)
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check_tag(node)
        # A single value is no state file, and may be a secret, which an error would repeat.
        if not isinstance(node, yaml.ScalarNode):
            _Check().check(node, (), text_keys)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise _error_at(error.problem_mark or error.context_mark, f"{error.problem or error.context}.") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, text.find(chr(error.character))) + 1
        raise ConsoleError(f"line {line}: the character {chr(error.character)!a} is not allowed in YAML.") from None
    finally:
        if loader is not None:
            loader.dispose()


def _check_extent(text: str) -> None:
    """Refuse deep nesting before the loader in C meets it, which would end the process without a message, and endless lists."""
    depth = 0
    events: Any = yaml.parse(text, Loader=_Loader)
    for count, event in enumerate(events):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _MAX_DEPTH:
                raise _error_at(event.start_mark, f"nested too deeply: more than {_MAX_DEPTH} lists and dictionaries.")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if count > _MAX_EVENTS:
            raise _error_at(event.start_mark, f"more than {_MAX_EVENTS:,} values. Use several files.")


class _Check:
    """Refuses what the safe loader would take, or whose error would not help."""

    def __init__(self) -> None:
        # How many nodes each has, itself included, with those of aliases counted wherever these stand.
        self._sizes: dict[tuple[yaml.Node, bool], int] = {}
        self._repeated = 0

    def check(self, node: yaml.Node, around: tuple[yaml.Node, ...], text_keys: Collection[str]) -> int:
        """Return the number of nodes, all of which are fine; `around` are the nodes that contain this."""
        if node in around:
            raise _error_at(node.start_mark, "an alias contains itself.")
        known = (node, bool(text_keys))
        if known in self._sizes:
            self._repeated += self._sizes[known]
            if self._repeated > _MAX_REPEATED:
                raise _error_at(
                    around[-1].start_mark, "its aliases expand to too much data. Use fewer, or several files."
                )
            return self._sizes[known]
        _check_tag(node)
        _check_number(node)
        size = 1
        if isinstance(node, yaml.SequenceNode):
            size += sum(self.check(inner, (*around, node), text_keys) for inner in node.value)
        elif isinstance(node, yaml.MappingNode):
            _check_keys(node)
            for key, inner in node.value:
                size += self.check(inner, (*around, node), () if key.value == _FREE else text_keys)
            _check_texts(node, text_keys)
        self._sizes[known] = size
        return size


def _check_texts(node: yaml.MappingNode, text_keys: Collection[str]) -> None:
    """Refuse values that are to be text and are not; a whole number is fine, for it is shown as it is written."""
    for key, value in node.value:
        if key.value not in text_keys:
            continue
        if not isinstance(value, yaml.ScalarNode):
            raise _error_at(value.start_mark, f"{key.value} must be text, not a list or dictionary.")
        if value.tag in _NO_TEXT_TAGS:
            what = "true or false" if value.tag.endswith("bool") else "a number with a fraction"
            raise _error_at(value.start_mark, f"YAML reads {value.value} as {what}. {key.value} is text: quote it.")


def _check_tag(node: yaml.Node) -> None:
    """Refuse tags but those of plain data."""
    if node.tag not in _TAGS:
        tag = node.tag.replace(_PREFIX, "!!")
        hint = " Encrypt the whole file with ansible-vault instead." if tag == "!vault" else ""
        raise _error_at(node.start_mark, f"the tag {tag} is not supported in these files.{hint}")


def _check_number(node: yaml.Node) -> None:
    """Refuse whole numbers that are not written as they are shown."""
    # Quotes are a style; C and Python have different ones for none.
    is_plain = isinstance(node, yaml.ScalarNode) and not node.style
    if node.tag == _INTEGER and is_plain and not _DECIMAL.fullmatch(node.value):
        hint = "Quote it if it is text, else write it in plain digits."
        raise _error_at(node.start_mark, f"YAML takes {node.value} for a whole number. {hint}")


def _check_keys(node: yaml.MappingNode) -> None:
    """Refuse a key that stands twice, of which the loader would drop one, and a key that is no text."""
    first: dict[str, yaml.Node] = {}
    for key, _value in node.value:
        if key.tag not in _TEXT_TAGS:
            is_template = isinstance(key, yaml.MappingNode)
            hint = " Templates such as {{ name }} are not supported in these files." if is_template else " Quote it."
            raise _error_at(key.start_mark, f"a key must be text.{hint}")
        if key.value in first:
            earlier = _place(first[key.value].start_mark)
            raise _error_at(key.start_mark, f"the key {key.value} is a duplicate of the one in {earlier}.")
        first[key.value] = key


def _error_at(mark: Any, message: str) -> ConsoleError:
    return ConsoleError(f"{_place(mark)}: {message}" if mark else message)


def _place(mark: yaml.Mark) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"
