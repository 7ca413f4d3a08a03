# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options of modules that write what belongs to a volume."""

from __future__ import annotations


class ModuleDocFragment:
    """Options that tell the volume, and what to do about fields that cannot be changed."""

    DOCUMENTATION = r"""
options:
  volume:
    description:
      - Name of the volume. Either this or O(volume_id) is required.
      - What is to be absent is so, too, where the volume is not there.
    type: str
  volume_id:
    description: Identifier of the volume. Excludes O(volume).
    type: int
  create_only_changes:
    description:
      - What to do about a difference in a field that the console's documented update does not carry.
      - With V(fail) the task fails before anything is written, in check mode too.
      - With V(update) the field is sent with the update all the same, and the task fails if the console did not take it.
    type: str
    choices: [fail, update]
    default: fail
notes:
  - Some consoles reset the fields that an update leaves out. What moves without being asked for is put back with one more
    request and a warning; where it cannot be put back, the task fails and names it.
"""
