# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options that list modules have in common."""

from __future__ import annotations


class ModuleDocFragment:
    """Options of modules that take a list of items, and of those that read several lists."""

    DOCUMENTATION = r"""
options:
  concurrency:
    description: Number of requests at a time, from 1 to 32.
    type: int
    default: 4
  wait_timeout:
    description: Seconds within which creations and deletions must show in the lists.
    type: int
    default: 300
"""

    INFO = r"""
options:
  concurrency:
    description: Number of lists that are read at a time, from 1 to 32.
    type: int
    default: 4
"""
