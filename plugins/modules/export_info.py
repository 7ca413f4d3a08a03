#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""List exports."""

from __future__ import annotations

DOCUMENTATION = r"""
module: export_info
short_description: List exports of volumes
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Lists the exports of one volume or of all, or those that match.
options:
  volume:
    description: Only exports of the volume with this name, which must exist. By default those of all volumes.
    type: str
  volume_id:
    description: Identifier of the volume, instead of O(volume).
    type: int
  desc:
    description: Only exports with this description.
    type: str
  address:
    description:
      - Only exports that let in this IP address, or any address of this network in CIDR notation, and those whose range is not
        shown or cannot be read.
      - RV(access_rules) has the access rules of volumes that let it in, and that no export covers.
    type: str
  id:
    description: Only the export with this identifier.
    type: int
extends_documentation_fragment:
  - managedfs.console._many.info
  - managedfs.console._tokens
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.info
"""

EXAMPLES = r"""
- name: List all exports of a volume
  managedfs.console.export_info:
    volume: projects
  register: of_projects

- name: Find an export in all volumes
  managedfs.console.export_info:
    desc: web
  register: everywhere

- name: Find out who lets an address in
  managedfs.console.export_info:
    address: 192.168.0.17
  register: open_to_it
"""

RETURN = r"""
exports:
  description: The exports that match. With O(address), C(overlaps) is V(yes) or V(unknown). Empty after a failure, so that C(until) can ask for them.
  returned: always
  type: list
  elements: dict
  sample:
    - volume_id: 7
      id: 3
      desc: web
      iprange: 192.168.0.0/24
      apionly: false
      readonly: true
      appendonly: false
      token: "********"
      overlaps: "yes"
access_rules:
  description: The access rules of volumes that let O(address) in, and that no export covers.
  returned: success, with O(address)
  type: list
  elements: dict
  sample:
    - {volume_id: 7, iprange: "*", readonly: false, appendonly: false, token: "********", overlaps: "yes"}
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
    path: /api/v1/volumes/7/exports
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import info_operation


def main() -> None:
    """Run the module."""
    run_module(info_operation(EXPORT))


if __name__ == "__main__":
    main()
