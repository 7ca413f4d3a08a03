# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The mutations of a source: Python by its syntax tree, Jinja and YAML by their text."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import shorten
from typing import Any

import yaml

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.In: ast.NotIn, ast.Is: ast.IsNot,
    ast.NotEq: ast.Eq, ast.LtE: ast.Lt, ast.GtE: ast.Gt, ast.NotIn: ast.In, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Add: ast.Sub, ast.Mult: ast.FloorDiv, ast.BitAnd: ast.BitOr,
    ast.Or: ast.And, ast.Sub: ast.Add, ast.FloorDiv: ast.Mult,
}  # fmt: skip
_WORDS = {"and": "or", "or": "and", "==": "!=", "!=": "==", "true": "false", "false": "true"}
_WORDS |= {">": ">=", ">=": ">", "<": "<=", "<=": "<"}

# The patterns in a Jinja expression, and their replacements.
_JINJA: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"(?<=if )(?!not )\S.*?(?=\selse\s|\s*-?[%}]\})", lambda found: f"not ({found[0]})"),
    (r"\b(?:and|or|true|false)\b|[=!]=|(?<!-)[<>]=?", lambda found: _WORDS[found[0]]),
    (r"\bnot ", lambda _found: ""),
    (r"\s*\| *[\w.]+(?:\([^()]*\))?", lambda _found: ""),
    (r"\b\d+\b", lambda found: str(int(found[0]) + 1)),
)
_EXPRESSION = r"(?s:\{\{.*?\}\}|\{%-? (?!from|import|macro).*?%\})|(?:(?<=when: )|(?<=that: )).+"
_KEYWORD = r"(?m)^ +(?:when|failed_when|changed_when|no_log|check_mode|diff|become|delegate_to): .+\n"
_CONDITION = r"(?<=when: )(?!not ).+"


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A change of a file."""

    path: str
    lines: range
    text: str
    """The first of the lines."""
    start: int
    end: int
    new: str
    """The replacement of the text from start to end."""
    change: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the identity of the mutant, which stays the same when other lines come and go."""
        return self.path, self.text, self.change

    def __str__(self) -> str:
        return f"{self.path}:{self.lines[0]}  {self.change}"


def mutants_of(checkout: Path, path: str) -> list[Mutant]:
    """Return the mutants of a file, in source order. The second of two that look alike, and so on, has a number."""
    source = (checkout / path).read_text(encoding="utf-8")
    mutants = []
    for start, end, new in _in_python(source) if path.endswith(".py") else _in_text(source, path):
        first, last = (source.count("\n", 0, offset) for offset in (start, end))
        change = " → ".join(shorten(text, 70, placeholder=" …") or "nothing" for text in (source[start:end], new))
        text = source.splitlines()[first].strip()
        mutants.append(Mutant(path, range(first + 1, last + 2), text, start, end, new, change))
    numbers: Counter[tuple[str, str, str]] = Counter()
    numbered = []
    for mutant in sorted(mutants, key=lambda mutant: (mutant.start, mutant.end, mutant.new)):
        numbers[mutant.key] += 1
        number = numbers[mutant.key]
        numbered.append(dataclasses.replace(mutant, change=f"{mutant.change} [{number}]") if number > 1 else mutant)
    return numbered


def _in_python(source: str) -> Iterator[tuple[int, int, str]]:
    lines = source.splitlines(keepends=True)

    def offset_of(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    for parent in ast.walk(ast.parse(source)):
        for field, value in ast.iter_fields(parent):
            for node in value if isinstance(value, list) else [value]:
                if isinstance(node, (ast.expr, ast.stmt)):
                    start = offset_of(node.lineno, node.col_offset)
                    end = offset_of(node.end_lineno or 0, node.end_col_offset or 0)
                    for text in map(ast.unparse, _changes(node, field, parent)):
                        yield start, end, text if isinstance(node, ast.stmt) else f"({text})"


def _changes(node: Any, field: str, parent: ast.AST) -> Iterator[ast.AST]:
    """Yield the replacements of a node."""
    yield from _with_other_operators(node)
    match node:
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
        case ast.Break() | ast.Continue():
            yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()
        case ast.Raise() | ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield ast.Pass()
    if field in {"test", "ifs"} and ast.unparse(node) != "TYPE_CHECKING":
        yield ast.Constant(False)
        if not isinstance(parent, ast.While):
            yield ast.Constant(True)


def _with_other_operators(node: Any) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=operators):
            for at, old in enumerate(operators):
                yield _with(node, ops=[*operators[:at], _OPERATORS[type(old)](), *operators[at + 1 :]])
        case ast.BoolOp(values=values):
            yield _with(node, op=_OPERATORS[type(node.op)]())
            yield from (_with(node, values=[*values[:at], *values[at + 1 :]]) for at in range(len(values)))
        # Literals are skipped: texts and lists have one operator only.
        case ast.BinOp(left=ast.Name() | ast.Attribute() | ast.Call()) if type(node.op) in _OPERATORS:
            yield _with(node, op=_OPERATORS[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand


def _with(node: Any, **fields: Any) -> Any:
    """Return a copy of a node with other fields."""
    return type(node)(**{name: getattr(node, name) for name in node._fields} | fields)


def _in_text(source: str, path: str) -> Iterator[tuple[int, int, str]]:
    for part in re.finditer(_EXPRESSION, source):
        for pattern, replace in _JINJA:
            yield from ((*found.span(), replace(found)) for found in re.compile(pattern).finditer(source, *part.span()))
    if path.endswith(".yml"):
        yield from ((*found.span(), "") for found in re.finditer(_KEYWORD, source))
        yield from ((*found.span(), f"not ({found[0]})") for found in re.finditer(_CONDITION, source))
        yield from ((start, end, "") for start, end in _tasks(yaml.compose(source)))


def _tasks(node: Any) -> Iterator[tuple[int, int]]:
    """Yield the spans of tasks, except one that is alone in its list."""
    if isinstance(node, yaml.SequenceNode) and len(node.value) > 1 and isinstance(node.value[0], yaml.MappingNode):
        marks = ((task.start_mark, task.end_mark) for task in node.value)
        yield from ((start.index - len("- "), end.index - end.column) for start, end in marks)
    for child in node.value if isinstance(node, yaml.CollectionNode) else ():
        for part in child if isinstance(child, tuple) else (child,):
            yield from _tasks(part)
