# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options that the modules for whole lists have in common."""

from __future__ import annotations


class ModuleDocFragment:
    """Options of modules that take a list of items."""

    DOCUMENTATION = r"""
options:
  concurrency:
    description:
      - How many requests are made at a time, each over a connection of its own. From 1 to 32.
      - Where the console asks to be left alone for a while, all wait.
    type: int
    default: 4
  wait_timeout:
    description:
      - Seconds to wait until new records are in the list, and deleted ones are not. What updates changed is looked for three
        seconds.
    type: int
    default: 300
notes:
  - The result holds keys and no records, so that it stays small; the items are left out of the invocation.
  - A request that creates something and whose answer was lost is repeated together with the others that were, after the list
    was watched for three seconds. Once several requests in a row got no answer the rest is not tried.
  - A task ends. With R for the longest time of one request (see O(timeout)) it takes at most
    (3 * O(retries) + 9) * R + 3 * (O(retries) + 1) + 2 * O(wait_timeout) seconds, where lists come in one page, and 2 * R for
    each item that has to be written. Mostly it takes a small part of that.
"""
