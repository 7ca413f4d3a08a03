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
  - Lists the volumes that the console shows, all of them or those that match.
  - Can gather the exports and quotas of each.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.info
  - managedfs.console._tokens
options:
  name:
    description: Only volumes of this name.
    type: str
  id:
    description: Only the volume with this identifier.
    type: int
  gather:
    description:
      - What to list of each volume as well, at the cost of one more request each per volume.
      - The lists are in the volume's record, under V(exports) and V(quotas).
    type: list
    elements: str
    choices: [exports, quotas]
    default: []
"""

EXAMPLES = r"""
- name: All volumes
  managedfs.console.volume_info:
  register: all_volumes

- name: One volume with its exports and quotas
  managedfs.console.volume_info:
    name: projects
    gather: [exports, quotas]
  register: projects

- name: Say how many there are
  ansible.builtin.debug:
    msg: "{{ all_volumes.volumes | length }} volumes, {{ projects.volumes | length }} of them named projects"
"""

RETURN = r"""
volumes:
  description: The volumes that match, each as RV(managedfs.console.volume#module:volume) shows it. May be empty.
  returned: success
  type: list
  elements: dict
  contains:
    exports:
      description: The exports of the volume.
      returned: when gathered
      type: list
      elements: dict
    quotas:
      description: The quotas of the volume.
      returned: when gathered
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
  description: The request that ended the task, as RV(managedfs.console.volume#module:failure).
  returned: on failure, where a request was the cause
  type: dict
"""

from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils.info import list_volumes
from ansible_collections.managedfs.console.plugins.module_utils.module import Task, run_module
from ansible_collections.managedfs.console.plugins.module_utils.options import TOKEN_OPTIONS

OPTIONS = {
    "name": {"type": "str"},
    "id": {"type": "int"},
    "gather": {"type": "list", "elements": "str", "choices": ["exports", "quotas"], "default": []},
    **TOKEN_OPTIONS,
}


def act(task: Task) -> dict[str, Any]:
    """List the volumes that match."""
    return list_volumes(task)


def main() -> None:
    """Entry point of the module."""
    run_module(OPTIONS, act)


if __name__ == "__main__":
    main()
