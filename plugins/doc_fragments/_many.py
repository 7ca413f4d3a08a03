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
    description:
      - Number of concurrent requests, each over its own connection. From 1 to 32.
      - If the console asks for a pause, all of them wait.
    type: int
    default: 4
  wait_timeout:
    description:
      - Seconds to wait until new records are listed and deleted ones are not. Updates are given three seconds to show.
    type: int
    default: 300
notes:
  - The result lists keys instead of records, and no more of them than keep it below 700,000 bytes. The invocation omits the items.
    The counts are always complete.
  - One update is read back before anything else is sent. If the console resets the fields that it leaves out, or accepts it and does not
    show it, the other updates carry the whole record. If it is refused or its effect is unknown, another one is tried, of another volume
    first. After five that are unknown, or one of each list, the others are skipped.
  - If responses to creations are lost, the list is watched for three seconds before these are repeated. Once several consecutive requests
    were not answered, the remaining ones are skipped.
  - The duration of a task is bounded. With R for the longest time of one request (see O(timeout)), it takes at most
    (3 * O(retries) + 9) * R + 3 * (O(retries) + 1) + 2 * O(wait_timeout) seconds if lists have a single page, plus 2 * R + 3 for each
    item that has to be written. It usually takes a small fraction of that.
"""

    INFO = r"""
options:
  concurrency:
    description:
      - Number of lists that are read at a time, each over its own connection. From 1 to 32.
      - If the console asks for a pause, all of them wait.
    type: int
    default: 4
"""
