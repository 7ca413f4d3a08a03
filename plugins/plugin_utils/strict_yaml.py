# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""YAML of state files read strictly: errors name line and column, and nothing is dropped or guessed. Pure."""

from __future__ import annotations

from typing import Any

import yaml

from ..module_utils.errors import ConsoleError

_PREFIX = "tag:yaml.org,2002:"
_TAGS = {_PREFIX + name for name in ("null", "bool", "int", "float", "str", "seq", "map", "merge")}
_TIMESTAMP = f"{_PREFIX}timestamp"
_TEXT_TAGS = {f"{_PREFIX}str", f"{_PREFIX}merge"}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """PyYAML's safe loader, in C where there is one, but a date is text: no option takes a date."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def parse_yaml(text: str) -> Any:
    """Return the value of a YAML document, None for one without content.

    ConsoleError, which begins with line and column, for what is not YAML, and for keys that stand twice or are no text,
    tags, several documents, and aliases that contain themselves.
    """
    loader = None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, ())
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise _error_at(error.problem_mark or error.context_mark, f"{error.problem or error.context}.") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, text.find(chr(error.character))) + 1
        raise ConsoleError(f"line {line}: the character {chr(error.character)!a} is not allowed in YAML.") from None
    except (ValueError, KeyError) as error:
        raise ConsoleError(f"not valid YAML: {error}.") from None
    except RecursionError:
        raise ConsoleError("nested too deeply.") from None
    finally:
        if loader is not None:
            loader.dispose()


def _check(node: yaml.Node, around: tuple[yaml.Node, ...]) -> None:
    """Refuse what the safe loader would take, or whose error would not help; `around` are the nodes that contain this."""
    if node in around:
        raise _error_at(node.start_mark, "an alias contains itself.")
    if node.tag not in _TAGS:
        tag = node.tag.replace(_PREFIX, "!!")
        hint = " Encrypt the whole file with ansible-vault instead." if tag == "!vault" else ""
        raise _error_at(node.start_mark, f"the tag {tag} is not supported in these files.{hint}")
    if isinstance(node, yaml.SequenceNode):
        for inner in node.value:
            _check(inner, (*around, node))
    elif isinstance(node, yaml.MappingNode):
        _check_keys(node)
        for _key, inner in node.value:
            _check(inner, (*around, node))


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


def _error_at(mark: yaml.Mark | None, message: str) -> ConsoleError:
    return ConsoleError(f"{_place(mark)}: {message}" if mark else message)


def _place(mark: yaml.Mark) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"
