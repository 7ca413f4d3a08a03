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
      - Name of the volume. Exactly one of this and O(volume_id) is required.
      - If the volume does not exist, its records count as absent, with a warning. Check mode assumes that it exists, and is empty, when
        the real run starts, and predicts its records as created, with a warning.
    type: str
  volume_id:
    description:
      - Identifier of the volume. Mutually exclusive with O(volume).
      - If the volume does not exist, its records count as absent, with a warning. Creating them fails, in check mode too.
    type: int
"""

    UPDATES = r"""
options:
  create_only_changes:
    description:
      - What to do if a field differs that the documented update request does not include.
      - With V(fail), the task fails before anything is written, in check mode too.
      - With V(update), the field is sent with the update anyway, and the task fails if the console did not apply it.
    type: str
    choices: [fail, update]
    default: fail
notes:
  - Some consoles reset the fields that an update leaves out. The task restores them with one more request and a warning, or fails and names
    them. Fields that the console does not show cannot be checked; after an update, C(unverified) names them.
  - An export without C(desc), or with C(null) for it, has a blank one. A quota without C(path) is ignored, since it is that of a user or
    a group. Both hold where others of the list show theirs; otherwise, the task fails.
"""
