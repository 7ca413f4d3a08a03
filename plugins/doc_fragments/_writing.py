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
    description:
      - Seconds to wait until a new record is listed, a deleted one is not, and a volume can be used. An update is given three seconds to
        show.
    type: int
    default: 300
notes:
  - If somebody else creates or deletes the record at the same moment, the task is C(ok) if the result is as wanted. Otherwise it fails and
    says so.
  - The duration of a task is bounded. With R for the longest time of one request (see O(timeout)), it takes at most
    (3 * O(retries) + 9) * R + 3 * (O(retries) + 1) + 2 * O(wait_timeout) seconds if lists have a single page; each further page
    counts as a request, up to three times.
"""
