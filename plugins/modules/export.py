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
  - Creates, updates and deletes an export of a volume, which is an access rule with a token. O(desc) or O(id) identifies it.
  - What the console shows is compared with what is wanted by its meaning, and read back after each write. The task is C(ok) or
    C(changed), or it fails and says what was not accepted.
options:
  desc:
    description: Description of the export, which identifies it. With O(id), the export gets this description.
    type: str
  iprange:
    description:
      - Network in CIDR notation, single address, or V(*) for any address. Required for a new export.
      - Compared as a network, so that V(192.168.0.1/24) and V(192.168.0.0/24) are equal.
    type: str
  readonly:
    description: Whether clients can only read. V(false) for a new export. See O(create_only_changes).
    type: bool
  appendonly:
    description: Whether clients can only append. V(false) for a new export. See O(create_only_changes).
    type: bool
  apionly:
    description: The console's field C(apionly), of unspecified meaning. V(false) for a new export. See O(create_only_changes).
    type: bool
  token_file:
    description:
      - File for the token that clients mount the volume with, on the host that the module runs on. Its mode is V(0600).
      - Its folder must be yours or root's, and nobody but your own group may write to it. A file that does not hold a token is an
        error.
      - With O(state=absent), it is removed with the export.
    type: path
  id:
    description: Identifier that the console assigned to the export.
    type: int
  extra_fields:
    description:
      - Further fields of a new export, by their names in the API, sent as they are. A difference is treated as
        O(create_only_changes) says. Set C(no_log) if one is secret.
    type: dict
    default: {}
extends_documentation_fragment:
  - managedfs.console._in_volume
  - managedfs.console._writing
  - managedfs.console._tokens
  - managedfs.console._in_volume.updates
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
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

- name: Hand the token to those who mount the volume
  managedfs.console.export:
    volume: projects
    desc: web
    token_file: ~/web.token

- name: Change the description of an export
  managedfs.console.export:
    volume: projects
    id: "{{ web.export.id }}"
    desc: web servers
  # In check mode, an export that does not exist yet has no id.
  when: web.export.id is defined

- name: Delete an export
  managedfs.console.export:
    volume: projects
    desc: web servers
    state: absent
"""

RETURN = r"""
export:
  description:
    - The export as the console shows it. In check mode the prediction, after a failure its last known state. V(null) after a
      deletion. The token is masked unless O(include_tokens=true).
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
msg:
  description: What was done, or would be done in check mode. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "export 'web' of volume 'projects': created"
diff:
  description: The fields that tasks set, before and after, secrets masked. Also O(token_file), if the file is written or removed.
  returned: success
  type: dict
  sample:
    before_header: export 'web' of volume 'projects'
    before: {}
    after_header: export 'web' of volume 'projects'
    after: {desc: web, iprange: 192.168.0.0/24, apionly: false, readonly: true, appendonly: false}
unverified:
  description: Names of fields of which the console does not show whether they are as wanted.
  returned: if there are such fields
  type: list
  elements: str
  sample: [readonly]
console:
  description: Address of the console.
  returned: always, unless options are invalid
  type: str
  sample: https://console.example.com
failure:
  description: The request that made the task fail. Its status is V(null) if there was no response.
  returned: on failure, if a request was the cause
  type: dict
  sample:
    status: 403
    method: PUT
    path: /api/v1/volumes/7/exports/3
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import record_operation


def main() -> None:
    """Run the module."""
    run_module(record_operation(EXPORT))


if __name__ == "__main__":
    main()
