# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options of modules that write a single record."""

from __future__ import annotations


class ModuleDocFragment:
    """Options of modules that write."""

    DOCUMENTATION = r"""
options:
  state:
    description: Whether the record should exist.
    type: str
    choices: [present, absent]
    default: present
  wait_timeout:
    description: Seconds within which a creation or deletion must show in the list.
    type: int
    default: 300
"""
