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
  - What the console shows is compared by meaning with what is wanted, and read back after each write. The task is C(ok) or
    C(changed), or it fails and says what was not accepted.
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
      - Description of the export, by which it is identified. Required if O(id) is not set.
      - If O(id) is set as well, the export gets this description.
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
"""

EXAMPLES = r"""
- name: Let the web servers read
  managedfs.console.export:
    volume: projects
    desc: web
    iprange: 192.168.0.0/24
    readonly: true

- name: Get the token that clients need to mount the volume
  managedfs.console.export:
    volume: projects
    desc: web
    include_tokens: true
  register: web
  no_log: true

- name: Change the description of an export
  managedfs.console.export:
    volume: projects
    id: "{{ web.export.id }}"
    desc: web servers

- name: Delete an export
  managedfs.console.export:
    volume: projects
    desc: web servers
    state: absent
"""

RETURN = r"""
export:
  description:
    - The export as the console shows it, or V(null) after a deletion. Undocumented fields are returned unchanged.
    - In check mode, the prediction, without what the console assigns.
    - After a failure, its last known state, or V(null).
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
  description: Names of options that could not be compared because the console does not show them for this record.
  returned: if there are such options
  type: list
  elements: str
  sample: [readonly]
failure:
  description: The request that made the task fail, as in RV(managedfs.console.volume#module:failure).
  returned: on failure, if a request was the cause
  type: dict
"""

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils.tasks.record import manage_record


def main() -> None:
    """Run the module."""
    manage_record(EXPORT)


if __name__ == "__main__":
    main()
