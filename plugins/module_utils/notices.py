# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Warnings that the modules for one record and those for a list have in common."""

from __future__ import annotations

from collections.abc import Iterable


def not_shown(names: Iterable[str], whose: str) -> str:
    """Fields that were given, and that the console does not show."""
    return f"The console does not show {', '.join(names)} of {whose}; whether it is as wanted is not known."


def was_put_back(names: Iterable[str], whose: str) -> str:
    """Fields that the console changed without being asked."""
    return (
        f"With the update of {whose} the console changed {', '.join(names)} too, without being asked. It was put back."
    )
