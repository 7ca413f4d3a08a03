#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""List quotas."""

from __future__ import annotations

DOCUMENTATION = r"""
module: quota_info
short_description: List directory quotas of volumes
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Lists the quotas of one volume or of all, or those that match.
options:
  volume:
    description: Only quotas of the volume with this name, which must exist. By default those of all volumes.
    type: str
  volume_id:
    description: Identifier of the volume, instead of O(volume).
    type: int
  path:
    description: Only quotas with this path.
    type: str
  id:
    description: Only the quota with this identifier.
    type: int
extends_documentation_fragment:
  - managedfs.console._many.info
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.info
"""

EXAMPLES = r"""
- name: List all quotas of a volume
  managedfs.console.quota_info:
    volume: projects
  register: of_projects

- name: Find a quota in all volumes
  managedfs.console.quota_info:
    path: /data/web
  register: everywhere
"""

RETURN = r"""
quotas:
  description: The quotas that match. A limit of V(0) or V(null) is none. Empty after a failure, so that C(until) can ask for them.
  returned: always
  type: list
  elements: dict
  sample:
    - volume_id: 7
      id: 5
      path: /data/web
      size: 10737418240
      inodes: 1048576
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
    path: /api/v1/volumes/7/quotas
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import info_operation


def main() -> None:
    """Run the module."""
    run_module(info_operation(QUOTA))


if __name__ == "__main__":
    main()
