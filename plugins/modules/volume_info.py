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
  - managedfs.console._tokens
options:
  name:
    description: Only volumes with this name.
    type: str
  id:
    description: Only the volume with this identifier.
    type: int
  gather:
    description:
      - What else to list for each volume. Every entry costs one more request per volume.
      - The lists are added to the record of the volume as V(exports) and V(quotas).
    type: list
    elements: str
    choices: [exports, quotas]
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

- name: Show how many there are
  ansible.builtin.debug:
    msg: "{{ all_volumes.volumes | length }} volumes, {{ projects.volumes | length }} of them named projects"
"""

RETURN = r"""
volumes:
  description: The matching volumes, each in the form of RV(managedfs.console.volume#module:volume). May be empty.
  returned: success
  type: list
  elements: dict
  contains:
    exports:
      description: The exports of the volume.
      returned: if gathered
      type: list
      elements: dict
    quotas:
      description: The quotas of the volume.
      returned: if gathered
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
      access_rules: []
      owner: 1
      size: 0
      inodes: 0
      created: "2026-01-01T00:00:00.000000Z"
      extend: ""
      storage: null
failure:
  description: The request that made the task fail, as in RV(managedfs.console.volume#module:failure).
  returned: on failure, if a request was the cause
  type: dict
"""

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils.tasks.info import list_records


def main() -> None:
    """Run the module."""
    list_records(VOLUME)


if __name__ == "__main__":
    main()
