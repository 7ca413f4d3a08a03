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
  - A volume is identified by its O(name), or by its O(id). Names are compared exactly, white space at their ends included.
  - What the console shows is compared with what is wanted, and read back after each write. The task is C(ok) or C(changed), or
    it fails and says what was not accepted.
notes:
  - The console cannot change a volume. If an option differs from the existing volume, the task fails before anything is
    written, in check mode too. A volume is never deleted and created again.
  - Options that are left out are neither compared nor sent.
  - Deleting a volume deletes its exports and quotas as well. In diff mode, they are named.
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
      - If O(name) is set as well, both must belong to the same volume. With O(state=absent), an id that there is not counts as absent.
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
    description:
      - The console's field C(blockSize) for a new volume.
      - Its meaning and unit are not specified.
    type: int
  compress:
    description: Name of the compression algorithm of a new volume. The names are not specified.
    type: str
  compatible:
    description: The console's field C(compatible) for a new volume. Its meaning is not specified.
    type: bool
  extend:
    description:
      - The console's field C(extend) for a new volume. Its meaning is not specified.
      - An empty string is a value, unlike for other text options.
    type: str
  extra_fields:
    description:
      - Additional fields for a new volume, under the names of the API, sent as given.
      - Where an existing volume shows such a field with another value, the task fails, as for any field that only a creation can
        set. A field that the console does not show is named in RV(unverified).
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
    - The volume as the console shows it, or V(null) after a deletion.
    - Names are in snake case. A field that is not described here is returned unchanged.
    - In check mode, the prediction, without what the console assigns.
    - After a failure, its last known state, or V(null).
  returned: always
  type: dict
  contains:
    id:
      description: Identifier that the console assigned to the volume.
      type: int
    name:
      description: Name of the volume.
      type: str
    region:
      description: Identifier of the region.
      type: int
    bucket:
      description: Object-storage URL.
      type: str
    block_size:
      description:
        - The console's field C(blockSize).
        - Its meaning and unit are not specified.
      type: int
    compress:
      description: Name of the compression algorithm. The names are not specified.
      type: str
    compatible:
      description: Its meaning is not specified.
      type: bool
    access_rules:
      description: Who may use the volume. The specification of the API does not say how these rules relate to exports.
      type: list
      elements: dict
      contains:
        iprange:
          description: Range of addresses, or V(*) for any address.
          type: str
        token:
          description: Token of the rule. Masked unless O(include_tokens=true).
          type: str
        readonly:
          description: Whether clients can only read.
          type: bool
        appendonly:
          description: Whether clients can only append.
          type: bool
    owner:
      description: Identifier of the user who owns the volume.
      type: int
    size:
      description: Its meaning and unit are not specified.
      type: int
    inodes:
      description: Its meaning is not specified.
      type: int
    created:
      description: Time of creation in UTC, in ISO 8601 with fractions of a second and a trailing C(Z).
      type: str
    extend:
      description: Its meaning is not specified. May be empty.
      type: str
    storage:
      description: The specification of the API does not say what it contains. May be V(null).
      type: raw
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
msg:
  description:
    - What was done, or would be done in check mode, in one sentence. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "volume 'projects': created"
diff:
  description:
    - The fields of the volume that tasks can set, before and after, secrets masked.
    - In diff mode, before a deletion also C(exports) and C(quotas), which name what is deleted along with the volume.
  returned: success
  type: dict
  contains:
    before_header:
      description: Names the volume.
      type: str
    before:
      description: The fields before the task. Empty if the volume did not exist.
      type: dict
    after_header:
      description: Names the volume.
      type: str
    after:
      description: The fields after the task, or in check mode as predicted. Empty if the volume is gone.
      type: dict
unverified:
  description:
    - Names of fields for which the console does not show whether they are as wanted.
    - This includes fields of O(extra_fields) that the console does not show.
  returned: if there are such fields
  type: list
  elements: str
  sample: [compress]
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
      sample: POST
    path:
      description: Path of the request.
      returned: always
      type: str
      sample: /api/v1/volumes
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import record_operation


def main() -> None:
    """Run the module."""
    run_module(record_operation(VOLUME))


if __name__ == "__main__":
    main()
