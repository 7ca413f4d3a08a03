# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of what all modules of the collection support."""

from __future__ import annotations


class ModuleDocFragment:
    """Attributes."""

    DOCUMENTATION = r"""
attributes:
  action_group:
    description: Use C(group/managedfs.console.console) in C(module_defaults) to set the connection options of all modules.
    support: full
    membership:
      - managedfs.console.console
  platform:
    description: What the module can run on.
    support: full
    platforms: posix
"""

    COMPARING = r"""
attributes:
  check_mode:
    description: Can run in check mode, where nothing is written and the result is the prediction of what would be.
    support: full
  diff_mode:
    description: Returns the managed fields as they are and as they will be.
    support: full
  idempotent:
    description: Run again with the same options and nothing else changed, does nothing.
    support: full
"""

    INFO = r"""
attributes:
  check_mode:
    description: Can run in check mode.
    support: full
    details:
      - This module only reads, in check mode too.
  diff_mode:
    description: Returns what changes.
    support: N/A
    details:
      - This module changes nothing.
  idempotent:
    description: Run again with the same options and nothing else changed, does nothing.
    support: full
    details:
      - This module changes nothing.
"""
