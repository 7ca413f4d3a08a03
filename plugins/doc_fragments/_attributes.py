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
    description: Use C(group/managedfs.console.console) in C(module_defaults) to set the connection options of all modules.
    support: full
    membership:
      - managedfs.console.console
  platform:
    description: Platforms that the module can run on.
    support: full
    platforms: posix
"""

    COMPARING = r"""
attributes:
  check_mode:
    description: Can run in check mode, where nothing is written and the result is a prediction.
    support: full
  diff_mode:
    description: Returns the managed fields before and after the change, under a header that names the record and its volume.
    support: full
  idempotent:
    description: When run again with the same options, and nothing else has changed, does nothing.
    support: full
"""

    INFO = r"""
attributes:
  check_mode:
    description: Can run in check mode.
    support: full
    details:
      - This module only reads.
  diff_mode:
    description: Returns details on what has changed.
    support: N/A
    details:
      - This module changes nothing.
  idempotent:
    description: When run again with the same options, and nothing else has changed, does nothing.
    support: full
    details:
      - This module changes nothing.
"""
