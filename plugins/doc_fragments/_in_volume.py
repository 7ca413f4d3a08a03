# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options of modules that manage records of a volume."""

from __future__ import annotations


class ModuleDocFragment:
    """Options that select the volume, and what is said about updates of its records."""

    DOCUMENTATION = r"""
options:
  volume:
    description:
      - Name of the volume. This or O(volume_id) is required.
      - If there is no such volume, its records count as absent, with a warning. Check mode takes it for a new, empty one.
    type: str
  volume_id:
    description: Identifier of the volume, instead of O(volume).
    type: int
"""

    UPDATES = r"""
options:
  create_only_changes:
    description:
      - What to do if a field differs that the documented update lacks. V(fail) writes nothing. V(update) sends it anyway, and
        fails if the console does not apply it.
    type: str
    choices: [fail, update]
    default: fail
"""
