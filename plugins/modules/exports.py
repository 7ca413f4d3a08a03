#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Manage many exports in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: exports
short_description: Manage many exports of a volume in one task
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Manages a whole list of exports of one volume with one read, one plan, concurrent writes, and one read back. Thousands of
    exports take seconds, where a loop takes hours.
  - Each item is treated as by M(managedfs.console.export). Items that are invalid, ambiguous, or refer to the same export make the
    task fail before anything is written. One message names all of them.
  - If some items fail, the others are processed nevertheless. The task then fails and reports what was done and what was not,
    and the next run continues from there. Deletions come last.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume
  - managedfs.console._many
options:
  exports:
    description: The exports that should exist, or should not.
    type: list
    elements: dict
    required: true
    suboptions:
        desc:
          description:
            - Description of the export, by which it is identified. Required if O(exports[].id) is not set.
            - If O(exports[].id) is set as well, the export gets this description.
            - If several exports of the volume have this description, the task fails and lists their ids.
          type: str
        id:
          description: Identifier that the console assigned to the export.
          type: int
        iprange:
          description:
            - Addresses that may use the export, as a network in CIDR notation, a single address, or V(*) for any address.
            - Required to create an export. V(*) is never assumed.
            - Sent as written and compared as a network, so that V(192.168.0.1/24) and V(192.168.0.0/24) are equal.
              V(*) and V(0.0.0.0/0) are different values.
          type: str
        apionly:
          description: The console's field C(apionly). V(false) for new exports if not set. See O(create_only_changes).
          type: bool
        readonly:
          description: Whether clients can only read. V(false) for new exports if not set. See O(create_only_changes).
          type: bool
        appendonly:
          description: Whether clients can only append. V(false) for new exports if not set. See O(create_only_changes).
          type: bool
        state:
          description: Whether the export should exist.
          type: str
          choices: [present, absent]
          default: present
  purge:
    description:
      - Whether to delete every export of the volume that no item claims by its desc or id. Other volumes are not touched.
      - This includes exports that the console made itself, such as one without a description for a new volume.
      - Fails if no item has O(exports[].state=present).
    type: bool
    default: false
"""

EXAMPLES = r"""
- name: Manage several exports in one task
  managedfs.console.exports:
    volume: projects
    exports:
      - desc: web
        iprange: 192.168.0.0/24
        readonly: true
      - desc: backup
        iprange: 10.1.2.3
      - desc: old office
        state: absent

- name: Manage one export and delete all others
  managedfs.console.exports:
    volume: projects
    exports:
      - desc: web
        iprange: 192.168.0.0/24
    purge: true
"""

RETURN = r"""
created:
  description: The desc of each export that was created, or would be created in check mode.
  returned: always
  type: list
  elements: str
  sample: [web]
updated:
  description: The desc of each export that was updated.
  returned: always
  type: list
  elements: str
  sample: []
deleted:
  description: The desc of each export that was deleted, or C(id) and its identifier if it has none.
  returned: always
  type: list
  elements: str
  sample: []
unchanged:
  description: Number of items that needed no change.
  returned: always
  type: int
  sample: 1
errors:
  description: What failed.
  returned: always
  type: list
  elements: dict
  contains:
    key:
      description: The desc of the item.
      type: str
    msg:
      description: What went wrong.
      type: str
  sample: []
unverified:
  description: Names of options that could not be compared because the console does not show them for some exports.
  returned: if there are such options
  type: list
  elements: str
  sample: []
failure:
  description: The request that made the task fail, or the first of several, as in RV(managedfs.console.volume#module:failure).
  returned: on failure, if a request was the cause
  type: dict
"""

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils.tasks.record_list import manage_list


def main() -> None:
    """Run the module."""
    manage_list(EXPORT)


if __name__ == "__main__":
    main()
