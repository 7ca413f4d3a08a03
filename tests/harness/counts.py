# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Passed, failed and skipped, read from JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from junitparser import JUnitXml, TestCase, TestSuite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class Counts(NamedTuple):
    """How many cases ended how."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def ran(self) -> int:
        """How many were really tried."""
        return self.passed + self.failed

    def plus(self, other: Counts) -> Counts:
        """Add two counts up."""
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)


def read(files: Iterable[Path]) -> Counts:
    """Count the cases of some JUnit XML files."""
    total = Counts()
    for file in files:
        for case in cases(JUnitXml.fromfile(str(file))):
            total = total.plus(count(case))
    return total


def cases(element: Iterable[object]) -> Iterator[TestCase]:
    """Go through the cases of a file or a suite, and of the suites within."""
    for child in element:
        if isinstance(child, TestCase):
            yield child
        elif isinstance(child, TestSuite):
            yield from cases(child)


def count(case: TestCase) -> Counts:
    """Count one case."""
    if case.is_skipped:
        return Counts(skipped=1)
    return Counts(passed=1) if case.is_passed else Counts(failed=1)
