#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Create and delete volumes."""

from __future__ import annotations

DOCUMENTATION = r"""
module: volume
short_description: Manage volumes of a managed file-system service
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Creates and deletes a volume, which is a file system. O(name) or O(id) identifies it. Its exports and quotas are deleted
    with it.
  - The console cannot change a volume. If an option that is given differs, the task fails before it writes, in check mode too.
  - What the console shows is compared with what is wanted by its meaning, and read back after each write. The task is C(ok) or
    C(changed), or it fails and says what was not accepted.
options:
  name:
    description: Name of the volume.
    type: str
  bucket:
    description: URL of the object storage of a new volume. Some consoles require it.
    type: str
  region:
    description: Identifier of the region of a new volume. Some consoles require it.
    type: int
  block_size:
    description: The console's field C(blockSize) for a new volume, of unspecified unit.
    type: int
  compress:
    description: Name of the compression algorithm of a new volume.
    type: str
  compatible:
    description: The console's field C(compatible) for a new volume, of unspecified meaning.
    type: bool
  extend:
    description: The console's field C(extend) for a new volume, of unspecified meaning. Blank text is a value here.
    type: str
  id:
    description: Identifier that the console assigned to the volume. With O(name), both must belong to the same one.
    type: int
  extra_fields:
    description:
      - Further fields of a new volume, by their names in the API, sent as they are. An existing volume must show the same. Set
        C(no_log) if one is secret.
    type: dict
    default: {}
  wait:
    description: Whether to wait until a volume can be used, on consoles that report this.
    type: bool
    default: true
extends_documentation_fragment:
  - managedfs.console._writing
  - managedfs.console._tokens
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
"""

EXAMPLES = r"""
- name: Create a volume, with the connection from the MANAGEDFS_* environment variables
  managedfs.console.volume:
    name: projects
    bucket: https://projects.s3.example.com

- name: Create a volume with everything that can be set
  managedfs.console.volume:
    console_url: https://console.example.com
    access_key: "{{ console_access_key }}"
    secret_key: "{{ console_secret_key }}"
    name: archive
    bucket: https://archive.s3.example.com
    region: 1
    block_size: 4096
    compress: lz4
    compatible: false
    extra_fields:
      trashtime: 7

- name: Delete a volume
  managedfs.console.volume:
    name: projects
    state: absent
"""

RETURN = r"""
volume:
  description:
    - The volume as the console shows it. In check mode the prediction, after a failure its last known state. V(null) after a
      deletion. Names are in snake case.
  returned: always
  type: dict
  sample:
    id: 7
    name: projects
    region: 1
    bucket: https://projects.s3.example.com
    block_size: 4096
    compress: lz4
    compatible: false
    access_rules:
      - {iprange: "*", token: "********", readonly: false, appendonly: false}
    owner: 1
    size: 0
    inodes: 0
    created: "2026-01-01T00:00:00.000000Z"
    extend: ""
    storage: null
msg:
  description: What was done, or would be done in check mode. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "volume 'projects': created"
diff:
  description:
    - The fields that tasks set, before and after, secrets masked. A deletion counts the exports and quotas that go with the
      volume.
  returned: success
  type: dict
  sample:
    before_header: volume 'scratch'
    before: {name: scratch, region: 1, exports: 1, quotas: 2}
    after_header: volume 'scratch'
    after: {}
unverified:
  description: Names of fields of which the console does not show whether they are as wanted.
  returned: if there are such fields
  type: list
  elements: str
  sample: [compress]
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
    method: POST
    path: /api/v1/volumes
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import record_operation


def main() -> None:
    """Run the module."""
    run_module(record_operation(VOLUME))


if __name__ == "__main__":
    main()
