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
  - Lists the quotas of one volume or of all volumes. Filters can limit the result.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.info
  - managedfs.console._many.info
options:
  volume:
    description: Only quotas of the volume with this name, which must exist. Without this and O(volume_id), those of all volumes.
    type: str
  volume_id:
    description: Only quotas of the volume with this identifier, which must exist. Mutually exclusive with O(volume).
    type: int
  path:
    description: Only quotas with this path.
    type: str
  id:
    description: Only the quota with this identifier.
    type: int
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
  description:
    - The matching quotas of one volume, or of all. May be empty, and is empty after a failure, so that C(until) can ask for it while the console is away.
    - A field that the console does not show is missing. One that is not described here is returned unchanged.
  returned: always
  type: list
  elements: dict
  contains:
    volume_id:
      description: Identifier of the volume that the quota belongs to.
      type: int
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
    - volume_id: 7
      id: 5
      path: /data/web
      size: 10737418240
      inodes: 1048576
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
      sample: /api/v1/volumes/7/quotas
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import info_operation


def main() -> None:
    """Run the module."""
    run_module(info_operation(QUOTA))


if __name__ == "__main__":
    main()
