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
      - The RV(plan_checksum) of a run in check mode that was approved.
      - If the plan has changed since, the task fails before it writes, and shows it. A plan that does nothing is always accepted.
    type: str
"""

    LISTS = r"""
options:
  max_deletions:
    description:
      - How many records of each list may be deleted at most, as a number or a share such as V(30%), which allows at least
        three unless it is V(0%). Otherwise, the task fails before it writes.
      - C(purge) empties a list only if a number allows it, or V(100%).
    type: str
  fail_on_plan_warnings:
    description: Whether to write nothing, and fail, if the plan has RV(plan_warnings).
    type: bool
    default: false
  plan_file:
    description:
      - Absolute path of a file into which the plan is written as JSON, in check mode too, for
        R(policies,ansible_collections.managedfs.console.docsite.guide_shared_console.policies).
    type: path
"""
