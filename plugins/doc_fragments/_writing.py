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
      - Seconds to wait until a new record is in the list, a deleted one is not, and a volume can be used. What an update
        changed is looked for three seconds.
    type: int
    default: 300
notes:
  - A task ends. With R for the longest time of one request (see O(timeout)) it takes at most
    (3 * O(retries) + 9) * R + 3 * (O(retries) + 1) + 2 * O(wait_timeout) seconds, where lists come in one page; each further
    page counts as a request.
"""
