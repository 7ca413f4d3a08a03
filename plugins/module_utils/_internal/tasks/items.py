# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads and checks the items of a list. Every invalid item is found, not only the first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.errors import UnsupportedError

from ..errors import ConsoleError, Problem
from ..model.goals import Goal, read_goal
from ..model.plan import find_duplicates
from ..model.records import Patterns, PatternsByKind, format_value
from ..model.resources import LISTS_OF_VOLUME, Resource, read_values
from ..options import Options, item_options, read_given, why_no_integer
from ..values import counted, mask, most_like

if TYPE_CHECKING:
    from typing import TypeGuard

# For each type of an option: its own type, and others whose values Ansible converts to that and nothing else.
_PLAIN: Mapping[str, tuple[type, ...]] = {"str": (str, int), "int": (int,), "bool": (bool,)}
# The key under which an item from a file has its name for messages: `desired/a.yml, line 3 ('v')`. It is no option.
NAME = "_name"
# What version 1.2.0 had in items, and what to write instead.
_MOVED = {"was": "write renamed_from.", "ignore": "move it to console.yml or the task, which count for all volumes."}
_MOVED |= {"create_with": "remove it.", "source": "remove it."}
# What Ansible puts before the name of an option of another type.
_BEFORE_NAME = re.compile(r"^(?:argument|Elements value for option) '(\w+)' is")


class Items(NamedTuple):
    """The goals of the items that are valid, and the problems of the others."""

    goals: list[Goal]
    problems: list[Problem]


def read_items(
    resource: Resource,
    items: Iterable[Mapping[str, Any]],
    update_create_only: bool = False,
    patterns: PatternsByKind | None = None,
    locate: Callable[[Mapping[str, Any]], str] | None = None,
) -> Items:
    """Return the goals and problems of the items of a list. Goals of volumes hold the goals of the lists below.

    `patterns` are those of what the whole task ignores, by the names of lists. `locate` returns the place of an item where
    messages are to name that instead of its position.
    """
    children = () if resource.is_in_volume else LISTS_OF_VOLUME
    return _Reader(resource, children, update_create_only, locate).read(items, patterns or {})


def find_problems(resource: Resource, items: Items) -> list[Problem]:
    """Return the problems of items that do not depend on the console.

    Duplicates are included only if there are others, or if an item is renamed. Otherwise planning reports them, with the
    problems that only the console shows.
    """
    problems = [*items.problems]
    below = chain.from_iterable(goals for goal in items.goals for goals in goal.children.values())
    if not problems and all(goal.renamed_from is None for goal in chain(items.goals, below)):
        return []
    for problem in find_duplicates(items.goals):
        where = {} if resource.is_in_volume else {"volume": problem.key, "kind": resource.plural}
        problems.append(problem._replace(where=where))
    for goal in items.goals:
        problems += duplicates_below(goal.children, goal.label())
    return problems


def duplicates_below(lists: Mapping[str, list[Goal]], volume: str) -> Iterator[Problem]:
    """Yield the problem of each item in the lists of a volume that means the same record as an earlier one."""
    for kind, goals in lists.items():
        for problem in find_duplicates(goals):
            yield problem._replace(where={"volume": volume, "kind": kind})


class _Reader:
    """Reads items of one resource, which may hold lists of others."""

    def __init__(
        self,
        resource: Resource,
        children: Sequence[Resource],
        update_create_only: bool,
        locate: Callable[[Mapping[str, Any]], str] | None,
    ) -> None:
        self._resource = resource
        self._update_create_only = update_create_only
        self._locate = locate
        self._children = {child.plural: _Reader(child, (), update_create_only, locate) for child in children}
        self._validator = _Validator(item_options(resource, children))

    def read(self, items: Iterable[Mapping[str, Any]], patterns: PatternsByKind, prefix: str = "") -> Items:
        """Return the goals and problems of a list. `prefix` precedes the positions of its items in messages."""
        found = Items([], [])
        for number, given in enumerate(items, start=1):
            item = {option: given[option] for option in given if option != NAME} if NAME in given else given
            options, reasons = self._validator.validate(self._own(item) if self._children else item)
            position = self._locate(given) if self._locate else f"{prefix}item {number}"
            name = given.get(NAME) or self._name(options, position)
            below, wrong = self._read_below(options, item, patterns, number, name)
            try:
                if reasons:
                    # Ansible's check stops before ours: whatever else is wrong is told, too, so that one message has everything.
                    raise ConsoleError(*self._wrong_texts(item), *reasons)  # noqa: TRY301 - its reasons are listed below.
                goal = read_goal(self._resource, options, self._update_create_only, name, item)
                _refuse_ignored(goal, patterns.get(self._resource.plural))
                _refuse_contradiction(goal, below)
                found.goals.append(goal._replace(children=below))
            except ConsoleError as error:
                label = self._label(options, number)
                where = {"volume": label, "kind": self._resource.plural} if self._children else {}
                found.problems.extend(Problem(label, name, str(mask(reason)), where) for reason in error.reasons)
                found.problems.extend(duplicates_below(below, label))
            found.problems.extend(wrong)
        return found

    def _own(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return an item without its lists, whose items are checked by themselves. Ansible's check would copy each of them."""
        return {name: value for name, value in item.items() if name not in self._children or not _are_items(value)}

    def _read_below(
        self, options: Mapping[str, Any], item: Mapping[str, Any], patterns: PatternsByKind, number: int, name: str
    ) -> tuple[dict[str, list[Goal]], list[Problem]]:
        """Return the goals of the lists in an item of a volume by their names, and the problems in all of them."""
        goals: dict[str, list[Goal]] = {}
        problems: list[Problem] = []
        for kind, reader in self._children.items():
            below = item.get(kind) if _are_items(item.get(kind)) else options.get(kind)
            if _are_items(below):
                found = reader.read(below, patterns, f"{name}, {kind} ")
                goals[kind] = found.goals
                where = {"volume": self._label(options, number), "kind": kind}
                problems += [problem._replace(where=where) for problem in found.problems]
        return goals, problems

    def _wrong_texts(self, item: Mapping[str, Any]) -> list[str]:
        """Return what is wrong with the texts among an item's values, which Ansible takes as they are."""
        fields = [field for field in self._resource.managed if field.type.option == "str"]
        try:
            read_values((field for field in fields if isinstance(item.get(field.name), str)), item)
        except ConsoleError as error:
            return error.reasons
        return []

    def _name(self, options: Mapping[str, Any], position: str) -> str:
        """Return the name of an item in messages: its position, and its key as the user wrote it."""
        return f"{position} ({format_value(key)})" if (key := options.get(self._resource.key.name)) else position

    def _label(self, options: Mapping[str, Any], number: int) -> str:
        return str(mask(str(options.get(self._resource.key.name) or f"item {number}")))


def _are_items(given: Any) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(given, list) and all(isinstance(item, dict) for item in given)


def _refuse_contradiction(goal: Goal, lists: Mapping[str, list[Goal]]) -> None:
    """Refuse to delete a volume whose item wants records present: the state may be meant for the last of them."""
    listed = [counted(count, kind) for kind, goals in lists.items() if (count := sum(each.present for each in goals))]
    if listed and not goal.present:
        raise ConsoleError(
            f"the volume is to be deleted, and its item lists {' and '.join(listed)}. If one of them is meant, indent state. If the"
            " volume is meant, remove its lists."
        )


def _refuse_ignored(goal: Goal, ignored: Patterns | None) -> None:
    """Refuse a goal whose key the task ignores, since the record is not ours."""
    if ignored and goal.key is not None and (pattern := ignored.pattern_for(goal.key)) is not None:
        raise ConsoleError(f"is ignored, by the pattern {format_value(pattern)}. Leave out the item or the pattern.")


def _wording(error: Any, known: Options) -> str:
    """Return what Ansible found wrong with an item, beginning with the option, and what may be meant by one that there is not."""
    if not isinstance(error, UnsupportedError):
        return _BEFORE_NAME.sub(r"\1 is", error.msg)
    names, _period, supported = error.msg.partition(". ")
    near = " or ".join(filter(None, (most_like(name, known) for name in names.split(", "))))
    moved = "".join(f" {name}: {_MOVED[name]}" for name in names.split(", ") if name in _MOVED)
    return f"there is no option {names}.{moved}{f' Did you mean {near}?' if near else ''} {supported}"


class _Validator:
    """Validates items as Ansible validates the options of a module, but saves that cost if an item is plainly valid."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._defaults = {name: option.get("default") for name, option in options.items()}
        self._plain = {name: _PLAIN.get(option["type"], ()) for name, option in options.items()}
        self._choices = {name: option["choices"] for name, option in options.items() if "choices" in option}
        self._integers = [name for name, option in options.items() if option["type"] == "int"]
        self._validator = ArgumentSpecValidator(options)

    def validate(self, item: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
        """Return all options of an item, and no problem; or the item as it is, and everything that is wrong with it."""
        if (plain := self._read_plain(item)) is not None:
            return plain, []
        given = read_given(self._options, item)
        misread = {name: why for name in self._integers if (why := why_no_integer(given.get(name)))}
        result = self._validator.validate({**given, **dict.fromkeys(misread)})
        problems = [f"{name} {why}" for name, why in misread.items()]
        problems += [_wording(error, self._options) for error in result.errors.errors]
        return item if problems else result.validated_parameters, [f"{problem.rstrip('.')}." for problem in problems]

    def _read_plain(self, item: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the options of an item whose values are plainly valid, as those from JSON usually are; None for others."""
        options = dict(self._defaults)
        for name, value in item.items():
            types = self._plain.get(name, ())
            if value.__class__ not in types or value not in self._choices.get(name, (value,)):
                return None
            # Blank text is read as unset later.
            options[name] = types[0](value)
        return options
