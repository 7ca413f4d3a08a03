#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Create, update and delete quotas."""

from __future__ import annotations

DOCUMENTATION = r"""
module: quota
short_description: Manage directory quotas of a volume
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Creates, updates and deletes quotas of directories inside a volume through the console's HTTP API.
  - A quota is identified by its O(path) within its volume, or by its O(id).
  - What the console shows is compared by meaning with what is wanted, and read back after each write. The task is C(ok) or
    C(changed), or it fails and says what was not accepted.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume
  - managedfs.console._writing
  - managedfs.console._tokens
options:
  path:
    description:
      - Directory inside the volume, by which the quota is identified. Required if O(id) is not set.
      - Must start with a slash and not contain C(..). Repeated and trailing slashes and C(.) are removed.
      - If O(id) is set as well, the quota is moved to this directory.
      - If several quotas of the volume have this path, the task fails and lists their ids.
    type: str
  id:
    description: Identifier that the console assigned to the quota.
    type: int
  size:
    description:
      - Size limit in bytes, or with a unit. Units are powers of 1024, so V(10G), V(10GB) and V(10GiB) are equal.
      - V(0) means no limit. Creating a quota requires this or O(inodes).
    type: str
  inodes:
    description:
      - Limit on the number of inodes. V(0) means no limit. See O(create_only_changes).
    type: int
"""

EXAMPLES = r"""
- name: Limit the data of the web servers to ten gibibytes
  managedfs.console.quota:
    volume: projects
    path: /data/web
    size: 10GiB

- name: Limit the number of inodes of the same directory as well
  managedfs.console.quota:
    volume: projects
    path: /data/web
    inodes: 1048576
    create_only_changes: update

- name: Delete the quota
  managedfs.console.quota:
    volume: projects
    path: /data/web
    state: absent
"""

RETURN = r"""
quota:
  description:
    - The quota as the console shows it, or V(null) after a deletion. Undocumented fields are returned unchanged.
    - In check mode, the prediction, without what the console assigns.
    - After a failure, its last known state, or V(null).
  returned: always
  type: dict
  sample:
    id: 5
    path: /data/web
    size: 10737418240
    inodes: 1048576
unverified:
  description: Names of options that could not be compared because the console does not show them for this record.
  returned: if there are such options
  type: list
  elements: str
  sample: [inodes]
failure:
  description: The request that made the task fail, as in RV(managedfs.console.volume#module:failure).
  returned: on failure, if a request was the cause
  type: dict
"""

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils.tasks.record import manage_record


def main() -> None:
    """Run the module."""
    manage_record(QUOTA)


if __name__ == "__main__":
    main()
