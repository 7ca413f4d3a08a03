# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the attributes that modules have in common."""

from __future__ import annotations


class ModuleDocFragment:
    """Attributes."""

    DOCUMENTATION = r"""
attributes:
  action_group:
    description: C(group/managedfs.console.console) in C(module_defaults) sets the connection of all modules.
    support: full
    membership:
      - managedfs.console.console
  platform:
    description: Where modules run.
    support: full
    platforms: posix
"""

    COMPARING = r"""
attributes:
  check_mode:
    description: Writes nothing in check mode, and predicts the result.
    support: full
  diff_mode:
    description: Shows the fields that a task sets, before and after.
    support: full
  idempotent:
    description: Changes nothing when run again.
    support: full
"""

    INFO = r"""
attributes:
  check_mode:
    description: Only reads.
    support: full
  diff_mode:
    description: Changes nothing.
    support: N/A
  idempotent:
    description: Changes nothing.
    support: full
"""
