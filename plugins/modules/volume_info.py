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
  - Lists all volumes or those that match, with their exports and quotas if wanted.
options:
  name:
    description: Only volumes with this name.
    type: str
  gather:
    description: What else to list, as V(exports) and V(quotas) of each volume. Each is one more request for each volume.
    type: list
    elements: str
    choices: [exports, quotas, all]
    default: []
  only:
    description: Only volumes with one of these names, or that match one of these shell patterns.
    type: list
    elements: raw
  id:
    description: Only the volume with this identifier.
    type: int
  consoles:
    description: Addresses of the consoles that the task is for. For another one, the task fails before the first request.
    type: list
    elements: str
extends_documentation_fragment:
  - managedfs.console._many.info
  - managedfs.console._tokens
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.info
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
  description: The volumes that match. Empty after a failure, so that C(until) can ask for them.
  returned: always
  type: list
  elements: dict
  sample:
    - id: 7
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
      exports:
        - id: 3
          desc: web
          iprange: 192.168.0.0/24
          apionly: false
          readonly: true
          appendonly: false
          token: "********"
      quotas:
        - {id: 5, path: /data/web, size: 10737418240, inodes: 1048576}
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
    method: GET
    path: /api/v1/volumes
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import info_operation


def main() -> None:
    """Run the module."""
    run_module(info_operation(VOLUME))


if __name__ == "__main__":
    main()
