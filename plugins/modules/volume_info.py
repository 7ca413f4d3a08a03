#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""List volumes."""

from __future__ import annotations

DOCUMENTATION = r"""
module: volume_info
short_description: List volumes of a managed file-system service
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Lists all volumes, or those that match the filters.
  - Can gather the exports and quotas of each volume.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.info
  - managedfs.console._many.info
  - managedfs.console._tokens
options:
  name:
    description: Only volumes with this name.
    type: str
  id:
    description: Only the volume with this identifier.
    type: int
  only:
    description:
      - Names of the volumes that the task is about, or patterns for them, with C(*), C(?) and C([...]).
      - Others are not listed, and nothing below them is read.
    type: list
    elements: raw
  consoles:
    description:
      - Addresses of the consoles that the task is for. If O(console_url) is another one, the task fails before the first request.
    type: list
    elements: str
  gather:
    description:
      - What else to list for each volume. Every entry costs one more request per volume.
      - The lists are added to the record of the volume as V(exports) and V(quotas).
      - V(all) stands for all lists. It was added in version 1.1.0.
    type: list
    elements: str
    choices: [exports, quotas, all]
    default: []
"""

EXAMPLES = r"""
- name: List all volumes
  managedfs.console.volume_info:
  register: all_volumes

- name: List one volume with its exports and quotas
  managedfs.console.volume_info:
    name: projects
    gather: [exports, quotas]
  register: projects

- name: Wait until the console lists a volume
  managedfs.console.volume_info:
    name: projects
  register: found
  until: found.volumes | length > 0
  retries: 10
  delay: 30

- name: Show how many there are
  ansible.builtin.debug:
    msg: "{{ all_volumes.volumes | length }} volumes, {{ projects.volumes | length }} of them named projects"
"""

RETURN = r"""
volumes:
  description:
    - The matching volumes. May be empty, and is empty after a failure, so that C(until) can ask for it while the console is away.
    - Names are in snake case. A field that is not described here is returned unchanged.
  returned: always
  type: list
  elements: dict
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
    exports:
      description: The exports of the volume.
      returned: if O(gather) contains V(exports) or V(all)
      type: list
      elements: dict
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
    quotas:
      description: The quotas of the volume.
      returned: if O(gather) contains V(quotas) or V(all)
      type: list
      elements: dict
      contains:
        id:
          description: Identifier that the console assigned to the quota.
          type: int
        path:
          description: Directory inside the volume.
          type: str
        size:
          description:
            - Size limit. V(0) or V(null) means no limit.
            - Its unit is not specified, and assumed to be bytes.
          type: int
        inodes:
          description:
            - Limit on the number of inodes. V(0) or V(null) means no limit.
            - What exactly is counted is not specified.
          type: int
  sample:
    - id: 7
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
      sample: GET
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
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import info_operation


def main() -> None:
    """Run the module."""
    run_module(info_operation(VOLUME))


if __name__ == "__main__":
    main()
