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
  - managedfs.console._in_volume.updates
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
    description:
      - The console's field C(apionly). Its meaning is not specified.
      - V(false) for new exports if not set. See O(create_only_changes).
    type: bool
  readonly:
    description: Whether clients can only read. V(false) for new exports if not set. See O(create_only_changes).
    type: bool
  appendonly:
    description: Whether clients can only append. V(false) for new exports if not set. See O(create_only_changes).
    type: bool
  extra_fields:
    description:
      - Additional fields for a new export, under the names of the API, sent as given.
      - Where an existing export shows such a field with another value, the task fails, as for any field that only a creation can set.
        See O(create_only_changes). A field that the console does not show is named in RV(unverified).
      - Must not contain fields that this module has an option for.
      - Set C(no_log) on the task if it contains a secret.
    type: dict
    default: {}
  token_file:
    description:
      - File for the token of the export, which clients need to mount the volume, on the host that the module runs on. The path must
        be absolute, or begin with V(~).
      - It is written if its content or its mode differs, even if the export itself is as wanted. Its mode is V(0600). The token is
        written nowhere else, and not shown at any verbosity.
      - The folder must exist. It must belong to the user that the module runs as, or to root, and nobody else may write to it.
        The folders above it are not checked.
      - A file that holds something else than a token is neither overwritten nor removed. It is an error.
      - If the console does not show the token, the task fails.
      - With O(state=absent), the file is removed with the export. If there was no export to delete, a warning names the file.
    type: path
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
    - The export as the console shows it, or V(null) after a deletion.
    - A field that the console does not show is missing. One that is not described here is returned unchanged.
    - In check mode, the prediction, without what the console assigns.
    - After a failure, its last known state, or V(null).
  returned: always
  type: dict
  contains:
    id:
      description: Identifier that the console assigned to the export.
      type: int
    desc:
      description: Description of the export.
      type: str
    iprange:
      description: Addresses that may use the export, as the console writes them; V(*) stands for any address.
      type: str
    apionly:
      description: Its meaning is not specified.
      type: bool
    readonly:
      description: Whether clients can only read.
      type: bool
    appendonly:
      description: Whether clients can only append.
      type: bool
    token:
      description:
        - Token that clients need to mount the volume, on consoles that show it with the export.
        - Masked unless O(include_tokens=true).
      type: str
  sample:
    id: 3
    desc: web
    iprange: 192.168.0.0/24
    apionly: false
    readonly: true
    appendonly: false
    token: "********"
msg:
  description:
    - What was done, or would be done in check mode, in one sentence. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "export 'web' of volume 'projects': created"
diff:
  description:
    - The fields of the export that tasks can set, before and after, secrets masked. Also O(token_file), if the
      file is written or removed.
  returned: success
  type: dict
  contains:
    before_header:
      description: Names the export.
      type: str
    before:
      description: The fields before the task. Empty if the export did not exist.
      type: dict
    after_header:
      description: Names the export.
      type: str
    after:
      description: The fields after the task, or in check mode as predicted. Empty if the export is gone.
      type: dict
unverified:
  description:
    - Names of fields for which the console does not show whether they are as wanted.
    - After an update, also hidden fields that it left out, since the console may have reset them.
  returned: if there are such fields
  type: list
  elements: str
  sample: [readonly]
console:
  description: The canonical address of the console that the task worked on, however O(console_url) is written.
  returned: always, unless Ansible refuses the options, or those of the connection are invalid
  type: str
  sample: https://console.example.com
failure:
  description: The request that made the task fail.
  returned: on failure, if a request was the cause
  type: dict
  contains:
    status:
      description: Status code of the response, or V(null) if there was none.
      returned: always
      type: int
      sample: 403
    method:
      description: Method of the request.
      returned: always
      type: str
      sample: PUT
    path:
      description: Path of the request.
      returned: always
      type: str
      sample: /api/v1/volumes/7/exports/3
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import record_operation
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.token_file import open_token_file


def main() -> None:
    """Run the module."""
    run_module(record_operation(EXPORT, open_token_file))


if __name__ == "__main__":
    main()
