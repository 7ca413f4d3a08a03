# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which test holds which promise of the page on guarantees.

The page has an identifier before each statement, in a comment that users do not see: `.. promise: success-is-true`. A
test that holds the statement is marked with it: `@pytest.mark.promise("success-is-true")`. To print the page with the
tests, for maintainers: `PYTHONPATH=tests python -m functional.repository.promises`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from harness.places import CHECKOUT

PAGE = CHECKOUT / "docs/docsite/rst/guarantees.rst"
TESTS = CHECKOUT / "tests/functional"

# What the page lists as not promised.
NOT_PROMISED = {"name-lookup-is-not-bounded", "what-you-write-is-yours"}

_STATEMENT = re.compile(r"(?:^\.\. promise: (\S+)\n\n)?^- (.+(?:\n  .+)*)", re.MULTILINE)


def statements(page: str) -> list[tuple[str, str]]:
    """Return identifier and text of each statement of the page; the identifier is empty where there is none."""
    return [(found[1] or "", " ".join(found[2].split())) for found in _STATEMENT.finditer(page)]


def holders() -> dict[str, list[str]]:
    """Return the tests that hold each promise, by its identifier."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for promise, test in marks(path):
            found.setdefault(promise, []).append(f"{path.relative_to(CHECKOUT)}::{test}")
    return found


def marks(path: Path) -> Iterator[tuple[str, str]]:
    """Yield promise and name of each test of a file that is marked."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for mark in getattr(node, "decorator_list", []):
            if isinstance(node, ast.FunctionDef) and ast.unparse(mark).startswith("pytest.mark.promise("):
                yield from ((ast.literal_eval(argument), node.name) for argument in mark.args)


def main() -> None:
    """Print each statement with the tests that hold it."""
    tests = holders()
    for promise, text in statements(PAGE.read_text(encoding="utf-8")):
        print(f"{promise}: {text}", *(f"  {test}" for test in tests.get(promise, [])), "", sep="\n")


if __name__ == "__main__":
    main()
