# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options by which a plan is approved before it is carried out."""

from __future__ import annotations


class ModuleDocFragment:
    """The option of all modules that write, and those of modules that take a list of items."""

    DOCUMENTATION = r"""
options:
  expected_plan:
    description:
      - The RV(plan_checksum) that a run in check mode returned, of the plan that was approved.
      - If the plan is another one by now, the task fails before it writes anything, and its result shows the plan as check mode does.
        A plan that does nothing is always right.
      - Blank text counts as not given.
    type: str
    version_added: 1.1.0
"""

    LISTS = r"""
options:
  max_deletions:
    description:
      - The most that may be deleted of a list, as a number, or as a share of what it holds, such as V(30%). A share allows at least three
        deletions. By default, there is no limit.
      - Above it, the task fails before it writes anything, in check mode too.
      - It holds for each list. What an item says is to be absent counts, and so does what goes with a volume that is deleted. A renamed
        record does not count, nor does an ignored one.
    type: str
    version_added: 1.1.0
  plan_file:
    description:
      - Absolute path of a file into which the plan is written as JSON before it is carried out, in check mode too. Nobody else can read
        the file.
      - The plan is a list of dictionaries, one for each record that is created, updated or deleted, also with its volume. Each has
        C(action) (V(create), V(update) or V(delete)), C(kind), C(key) and C(id), and in lists of a volume C(volume) and C(volume_id).
        C(before) holds the fields as the console shows them, C(request) those that are sent, both by the names of options, sizes in
        bytes, secrets masked.
    type: path
    version_added: 1.1.0
"""
