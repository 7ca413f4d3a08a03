# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which ansible-core runs on which Python, and which of them are tested here."""

from __future__ import annotations

import shutil
from typing import NamedTuple

# For each minor version of ansible-core: the Pythons it runs on, and those its ansible-test runs modules on.
CONTROLLERS = {
    "2.16": ("3.10", "3.11", "3.12"),
    "2.17": ("3.10", "3.11", "3.12"),
    "2.18": ("3.11", "3.12", "3.13"),
    "2.19": ("3.11", "3.12", "3.13"),
    "2.20": ("3.12", "3.13", "3.14"),
    "2.21": ("3.12", "3.13", "3.14"),
}
MODULES = {
    "2.16": ("3.9", "3.10", "3.11", "3.12"),
    "2.17": ("3.9", "3.10", "3.11", "3.12"),
    "2.18": ("3.9", "3.10", "3.11", "3.12", "3.13"),
    "2.19": ("3.9", "3.10", "3.11", "3.12", "3.13"),
    "2.20": ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14"),
    "2.21": ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14"),
}
OLDEST = "2.16"


class Core(NamedTuple):
    """A minor version of ansible-core and the Pythons at hand for it."""

    minor: str
    python: str | None
    """The newest Python at hand that it runs on, if there is one."""

    @property
    def requirement(self) -> str:
        """The latest patch release of this minor version."""
        return f"ansible-core ~= {self.minor}.0"

    @property
    def module_pythons(self) -> tuple[str, ...]:
        """The Pythons at hand that modules are tested on."""
        return tuple(python for python in MODULES[self.minor] if at_hand(python))

    @property
    def missing_pythons(self) -> tuple[str, ...]:
        """Those that are not at hand."""
        return tuple(python for python in MODULES[self.minor] if not at_hand(python))


def at_hand(python: str) -> bool:
    """Tell whether an interpreter of this version is in PATH."""
    return shutil.which(f"python{python}") is not None


def core(minor: str) -> Core:
    """Return a minor version with the newest Python at hand that it runs on."""
    pythons = [python for python in CONTROLLERS[minor] if at_hand(python)]
    return Core(minor, pythons[-1] if pythons else None)


def newest() -> Core:
    """Return the newest ansible-core that a Python at hand can run."""
    runnable = [core(minor) for minor in CONTROLLERS if core(minor).python]
    return runnable[-1] if runnable else core(list(CONTROLLERS)[-1])


def tested() -> tuple[Core, ...]:
    """Return the newest and the oldest supported ansible-core, once where they are the same."""
    return tuple(dict.fromkeys([newest(), core(OLDEST)]))
