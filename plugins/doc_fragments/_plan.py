# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options by which a plan is approved before it is carried out."""

from __future__ import annotations


class ModuleDocFragment:
    """The option of modules that take an approval, and those of modules that take a list of items."""

    DOCUMENTATION = r"""
options:
  expected_plan:
    description:
      - The RV(plan_checksum) of the approved plan, as a run in check mode returned it.
      - If the plan has changed since, the task fails before it writes, and shows the new plan as check mode does. A plan that does nothing
        is always accepted.
      - Blank text counts as not given, so that any plan is carried out.
    type: str
"""

    LISTS = r"""
options:
  max_deletions:
    description:
      - How many records of each list may be deleted at most, as a number or as a share of those in it, such as V(30%). Any share but V(0%)
        allows three deletions. By default, there is no limit.
      - Above it, the task fails before it writes, in check mode too.
      - O(purge) removes all records that are in a list only if a number allows it, or with V(100%).
      - Records that an item declares absent count, and so do those that go with a volume. Renamed and ignored records do not.
    type: str
  fail_on_plan_warnings:
    description:
      - Whether a plan with RV(plan_warnings) is refused. Nothing is written then, and the result shows the plan.
    type: bool
    default: false
  plan_file:
    description:
      - Absolute path of a file for the plan, as JSON, written before it is carried out, in check mode too. Only its owner can read it.
      - The plan has a dictionary for each record that is created, updated or deleted, including those that go with their volume. Each has
        C(action) (V(create), V(update) or V(delete)), C(kind), C(key) and C(id), and for exports and quotas also C(volume) and C(volume_id).
        C(before) holds the fields as the console shows them, C(request) those that are sent, under the names of options, with sizes in
        bytes and secrets masked. Of a volume that goes, C(ignored) counts what is ignored in it, and C(unreadable) names lists that cannot be read.
    type: path
"""
