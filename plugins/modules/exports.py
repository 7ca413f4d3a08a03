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
  - Brings a whole list of exports of one volume to what is wanted, with one read, one plan, the writes side by side, and one
    read back. Thousands take seconds, where a loop takes hours.
  - Each item is treated as M(managedfs.console.export) treats it. Two items for the same export, an ambiguous one or a bad one fail
    the task before anything is written, all of them named in one message.
  - What can be done is done. If some items fail the task fails, tells what was done and what was not, and the next run goes
    on from there. Deletions come last.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume
  - managedfs.console._many
options:
  exports:
    description: The exports that are wanted, or wanted gone.
    type: list
    elements: dict
    required: true
    suboptions:
        desc:
          description:
            - Description of the export, by which it is found. Required where O(exports[].id) is not given.
            - With O(exports[].id) as well, the export is given this description.
            - Where several exports of the volume bear it the task fails and lists their ids.
          type: str
        id:
          description: Identifier of the export, as the console assigned it.
          type: int
        iprange:
          description:
            - Addresses that may use the export, as a network in CIDR notation, an address, or V(*) for any address.
            - Required to create an export; V(*) has to be said, it is never assumed.
            - Sent as it is written and compared as a network, so that V(192.168.0.1/24) and V(192.168.0.0/24) are the same.
              V(*) and V(0.0.0.0/0) are two things.
          type: str
        apionly:
          description: The console's field C(apionly), V(false) if left out of a creation. See O(create_only_changes).
          type: bool
        readonly:
          description: Whether the export can only read, V(false) if left out of a creation. See O(create_only_changes).
          type: bool
        appendonly:
          description: Whether the export can only append, V(false) if left out of a creation. See O(create_only_changes).
          type: bool
        state:
          description: Whether the export is to be there.
          type: str
          choices: [present, absent]
          default: present
  purge:
    description:
      - Whether to delete every export of the volume that no item claims by its desc or id. Other volumes are not touched.
      - The console itself may have made exports, such as one without a description for a new volume. They are deleted too.
      - Refused where no item is to be present.
    type: bool
    default: false
"""

EXAMPLES = r"""
- name: The exports that are wanted, in one task
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

- name: These exports and no others
  managedfs.console.exports:
    volume: projects
    exports:
      - desc: web
        iprange: 192.168.0.0/24
    purge: true
"""

RETURN = r"""
created:
  description: The desc of each export that was created, or would be in check mode.
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
  description: The desc of each export that was deleted, or C(id) and its identifier where it has none.
  returned: always
  type: list
  elements: str
  sample: []
unchanged:
  description: How many items needed nothing.
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
  description: Names of options that the console does not show for some exports, so that they could not be compared.
  returned: when there are such options
  type: list
  elements: str
  sample: []
failure:
  description: The request that ended the task, or the first of several, as RV(managedfs.console.volume#module:failure).
  returned: on failure, where a request was the cause
  type: dict
"""

from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils.many import manage_many
from ansible_collections.managedfs.console.plugins.module_utils.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils.module import Task, run_module
from ansible_collections.managedfs.console.plugins.module_utils.options import (
    EXPORT_OPTIONS,
    ITEM_OPTIONS,
    list_options,
)

OPTIONS = list_options("exports")
ITEM = {**EXPORT_OPTIONS, **ITEM_OPTIONS}


def act(task: Task) -> dict[str, Any]:
    """Bring the exports to what the items want."""
    return manage_many(task, EXPORT, ITEM)


def main() -> None:
    """Entry point of the module."""
    run_module(OPTIONS, act)


if __name__ == "__main__":
    main()
