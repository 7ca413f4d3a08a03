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
  - Lists the exports of one volume or of all volumes. Filters can limit the result.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.info
  - managedfs.console._many.info
  - managedfs.console._tokens
options:
  volume:
    description: Only exports of the volume with this name, which must exist. Without this and O(volume_id), those of all volumes.
    type: str
  volume_id:
    description: Only exports of the volume with this identifier, which must exist. Mutually exclusive with O(volume).
    type: int
  desc:
    description: Only exports with this description.
    type: str
  id:
    description: Only the export with this identifier.
    type: int
  address:
    description:
      - Only exports for this IP address, or for any address of this network in CIDR notation, including those for V(*). V(*) itself is
        not an address, and scope ids are refused.
      - V(0.0.0.0/0) covers IPv4 only. An IPv4-mapped IPv6 address, such as V(::ffff:10.1.2.3), counts as the IPv4 address.
      - An export whose addresses the console does not show, or not as one range, may be for any address. It is in the result, and marked.
      - Access rules of volumes that no export covers are in RV(access_rules), unless O(desc) or O(id) is set.
    type: str
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
  description:
    - The matching exports of one volume, or of all. May be empty, and is empty after a failure, so that C(until) can ask for it while the console is away.
    - A field that the console does not show is missing. One that is not described here is returned unchanged.
  returned: always
  type: list
  elements: dict
  contains:
    volume_id:
      description: Identifier of the volume that the export belongs to.
      type: int
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
    overlaps:
      description: V(yes), or V(unknown) where the console does not show a range that can be read.
      returned: with O(address)
      type: str
  sample:
    - volume_id: 7
      id: 3
      desc: web
      iprange: 192.168.0.0/24
      apionly: false
      readonly: true
      appendonly: false
      token: "********"
access_rules:
  description: The access rules of volumes that are for O(address) and allow what no export of the volume allows, as the console shows them.
  returned: success, with O(address)
  type: list
  elements: dict
  contains:
    volume_id:
      description: Identifier of the volume that the access rule belongs to.
      type: int
    iprange:
      description: Addresses that may use the volume.
      type: str
    readonly:
      description: Whether clients can only read.
      type: bool
    appendonly:
      description: Whether clients can only append.
      type: bool
    token:
      description: Token of the access rule. Masked unless O(include_tokens=true).
      type: str
    overlaps:
      description: As in RV(exports[].overlaps).
      type: str
  sample: []
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
      sample: /api/v1/volumes/7/exports
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import info_operation


def main() -> None:
    """Run the module."""
    run_module(info_operation(EXPORT))


if __name__ == "__main__":
    main()
