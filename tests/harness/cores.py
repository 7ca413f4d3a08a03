# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which ansible-core runs on which Python, and which of them are at hand."""

from __future__ import annotations

from typing import NamedTuple

from harness.places import WORK

# By minor version of ansible-core: the oldest and newest Python 3 that it runs on, and that its modules run on.
# The README has the same table.
SUPPORTED = {
    "2.16": ((10, 12), (9, 12)),
    "2.17": ((10, 12), (9, 12)),
    "2.18": ((11, 13), (9, 13)),
    "2.19": ((11, 13), (9, 13)),
    "2.20": ((12, 14), (9, 14)),
    "2.21": ((12, 14), (9, 14)),
    "2.22": ((13, 15), (9, 15)),
}
# Minor versions of which there is only a pre-release. Their sessions run by name only.
PRE_RELEASES = {"2.22": "2.22.0rc1"}
ENDS = [end for both in SUPPORTED.values() for ends in both for end in ends]
MINORS = range(min(ENDS), max(ENDS) + 1)


class Core(NamedTuple):
    minor: str
    # Those at hand that it runs on, and that its modules run on
    pythons: list[str]
    module_pythons: list[str]

    @property
    def requirement(self) -> str:
        """Return the requirement for its latest patch release, or for its pre-release until there is one."""
        return f"ansible-core ~= {PRE_RELEASES.get(self.minor, f'{self.minor}.0')}"

    @property
    def python(self) -> str:
        """Return the newest at hand, or else the range of all, which nox then reports as missing."""
        return self.pythons[-1] if self.pythons else "3.{}-3.{}".format(*SUPPORTED[self.minor][0])


def at_hand(ends: tuple[int, int]) -> list[str]:
    """Return the minor versions of Python 3 in a range that tests/bootstrap.py has found, by the ends of the range."""
    versions = (f"3.{minor}" for minor in range(ends[0], ends[1] + 1))
    return [version for version in versions if (WORK / "pythons" / f"python{version}").exists()]


def supported() -> list[Core]:
    """Return every ansible-core that is supported, the oldest first."""
    return [Core(minor, *map(at_hand, both)) for minor, both in SUPPORTED.items()]


def newest() -> Core:
    """Return the newest released ansible-core that a Python at hand can run, or else the newest of all."""
    cores = [core for core in supported() if core.minor not in PRE_RELEASES]
    return next((core for core in reversed(cores) if core.pythons), cores[-1])
