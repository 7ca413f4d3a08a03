# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options that every writing module has."""

from __future__ import annotations


class ModuleDocFragment:
    """Options of modules that write."""

    DOCUMENTATION = r"""
options:
  state:
    description: Whether the record is to be there.
    type: str
    choices: [present, absent]
    default: present
  wait_timeout:
    description:
      - Seconds to wait until what was written shows, such as a new record in the list, or a deleted one no longer.
    type: int
    default: 300
"""
