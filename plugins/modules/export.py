#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Create, update and delete exports."""

from __future__ import annotations

DOCUMENTATION = r"""
module: export
short_description: Manage exports of a volume
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Creates, updates and deletes exports (access rules with a token) of a volume through the console's HTTP API.
  - An export is identified by its O(desc) within its volume, or by its O(id).
  - What the console shows is compared by meaning with what is wanted, and after each write it is read back.
    The task is C(ok), C(changed), or it fails and says what was not accepted.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume
  - managedfs.console._writing
  - managedfs.console._tokens
options:
  desc:
    description:
      - Description of the export, by which it is found. Required where O(id) is not given.
      - With O(id) as well, the export is given this description.
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
"""

EXAMPLES = r"""
- name: Web servers may read
  managedfs.console.export:
    volume: projects
    desc: web
    iprange: 192.168.0.0/24
    readonly: true

- name: Keep the token, for those who mount the volume
  managedfs.console.export:
    volume: projects
    desc: web
    include_tokens: true
  register: web
  no_log: true

- name: Another description for the same export
  managedfs.console.export:
    volume: projects
    id: "{{ web.export.id }}"
    desc: web servers

- name: No such export
  managedfs.console.export:
    volume: projects
    desc: web servers
    state: absent
"""

RETURN = r"""
export:
  description:
    - The export as the console shows it, V(null) after a deletion. Fields that are not documented come as they are.
    - In check mode the prediction, without what the console assigns.
    - After a failure what was last known of it, or V(null).
  returned: always
  type: dict
  sample:
    id: 3
    desc: web
    iprange: 192.168.0.0/24
    apionly: false
    readonly: true
    appendonly: false
    token: "********"
unverified:
  description: Names of options that the console does not show for this record, so that they could not be compared.
  returned: when there are such options
  type: list
  elements: str
  sample: [readonly]
failure:
  description: The request that ended the task, as RV(managedfs.console.volume#module:failure).
  returned: on failure, where a request was the cause
  type: dict
"""

from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils.module import Task, run_module
from ansible_collections.managedfs.console.plugins.module_utils.options import EXPORT_OPTIONS, IN_VOLUME_OPTIONS
from ansible_collections.managedfs.console.plugins.module_utils.single import manage_one

OPTIONS = {**EXPORT_OPTIONS, **IN_VOLUME_OPTIONS}


def act(task: Task) -> dict[str, Any]:
    """Bring the export to what the options want."""
    return manage_one(task, EXPORT)


def main() -> None:
    """Entry point of the module."""
    run_module(OPTIONS, act)


if __name__ == "__main__":
    main()
