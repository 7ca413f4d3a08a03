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
  - Creates and deletes volumes (file systems) through the console's HTTP API.
  - A volume is identified by its O(name), or by its O(id).
  - What the console shows is compared with what is wanted, and read back after each write. The task is C(ok) or C(changed), or
    it fails and says what was not accepted.
notes:
  - The console cannot change a volume. If an option differs from the existing volume, the task fails before anything is
    written, in check mode too. A volume is never deleted and created again.
  - Options that are left out are neither compared nor sent.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._writing
  - managedfs.console._tokens
options:
  name:
    description:
      - Name of the volume. Required if O(id) is not set.
      - If several volumes have this name, the task fails and lists their ids.
    type: str
  id:
    description:
      - Identifier that the console assigned to the volume.
      - If O(name) is set as well, both must belong to the same volume.
    type: int
  bucket:
    description:
      - Object-storage URL of a new volume. Some consoles require it.
      - A trailing slash is ignored in comparisons.
    type: str
  region:
    description: Identifier of the region of a new volume. Some consoles require it.
    type: int
  block_size:
    description: Block size of a new volume, the console's field C(blockSize).
    type: int
  compress:
    description: Name of the compression algorithm of a new volume.
    type: str
  compatible:
    description: The console's field C(compatible) for a new volume.
    type: bool
  extend:
    description: The console's field C(extend) for a new volume. An empty string is a value.
    type: str
  extra_fields:
    description:
      - Additional fields for a new volume, sent as given and never compared.
      - Must not contain fields that this module has an option for.
      - Set C(no_log) on the task if it contains a secret.
    type: dict
    default: {}
  wait:
    description: Whether to wait until the volume can be used, on consoles that report this.
    type: bool
    default: true
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
    - The volume as the console shows it, or V(null) after a deletion. Names are in snake case; undocumented fields are returned
      unchanged.
    - In check mode, the prediction, without what the console assigns.
    - After a failure, its last known state, or V(null).
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
      - iprange: "*"
        token: "********"
        readonly: false
        appendonly: false
    owner: 1
    size: 0
    inodes: 0
    created: "2026-01-01T00:00:00.000000Z"
    extend: ""
    storage: null
unverified:
  description: Names of options that could not be compared because the console does not show them for this volume.
  returned: if there are such options
  type: list
  elements: str
  sample: [compress]
failure:
  description: The request that made the task fail.
  returned: on failure, if a request was the cause
  type: dict
  contains:
    status:
      description: Status code of the response, or V(null) if there was none.
      type: int
    method:
      description: Method of the request.
      type: str
    path:
      description: Path of the request.
      type: str
    message:
      description: The console's message, or the reason why there was no response.
      type: str
"""

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils.tasks.record import manage_record


def main() -> None:
    """Run the module."""
    manage_record(VOLUME)


if __name__ == "__main__":
    main()
