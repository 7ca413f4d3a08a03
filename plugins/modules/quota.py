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
  - Creates, updates and deletes a quota of a directory in a volume. O(path) or O(id) identifies it.
  - What the console shows is compared with what is wanted by its meaning, and read back after each write. The task is C(ok) or
    C(changed), or it fails and says what was not accepted.
options:
  path:
    description:
      - Directory in the volume, such as V(/home/alice), which identifies the quota.
      - Repeated and trailing slashes are removed. With O(id), the quota is moved to this directory.
    type: str
  size:
    description:
      - Limit in bytes, or with a unit, such as V(10GiB). Units are powers of 1024, so V(10G), V(10GB) and V(10GiB) are equal.
        V(0) is no limit. That the console counts in bytes is assumed. A new quota needs this or O(inodes).
    type: str
  inodes:
    description: Limit on the number of inodes. V(0) is no limit. See O(create_only_changes).
    type: int
  id:
    description: Identifier that the console assigned to the quota.
    type: int
  extra_fields:
    description:
      - Further fields of a new quota, by their names in the API, sent as they are. A difference is treated as
        O(create_only_changes) says. Set C(no_log) if one is secret.
    type: dict
    default: {}
extends_documentation_fragment:
  - managedfs.console._in_volume
  - managedfs.console._writing
  - managedfs.console._in_volume.updates
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
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

- name: Use the answers of an AWX survey, of which a blank one leaves the option out and 0 is an answer
  managedfs.console.quota:
    volume: projects
    path: /data/web
    size: "{{ survey_size if (survey_size | default('') | string | trim) else omit }}"
    inodes: "{{ survey_inodes if (survey_inodes | default('') | string | trim) else omit }}"
  vars:
    survey_size: 0
    survey_inodes: ""

- name: Delete the quota
  managedfs.console.quota:
    volume: projects
    path: /data/web
    state: absent
"""

RETURN = r"""
quota:
  description:
    - The quota as the console shows it. In check mode the prediction, after a failure its last known state. V(null) after a
      deletion. A limit of V(0) or V(null) is none.
  returned: always
  type: dict
  sample:
    id: 5
    path: /data/web
    size: 10737418240
    inodes: 1048576
msg:
  description: What was done, or would be done in check mode. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "quota '/home/alice' of volume 'projects': updated"
diff:
  description: The fields that tasks set, before and after, secrets masked.
  returned: success
  type: dict
  sample:
    before_header: quota '/home/alice' of volume 'projects'
    before: {path: /home/alice, size: 10GiB, inodes: 0}
    after_header: quota '/home/alice' of volume 'projects'
    after: {path: /home/alice, size: 20GiB, inodes: 0}
unverified:
  description: Names of fields of which the console does not show whether they are as wanted.
  returned: if there are such fields
  type: list
  elements: str
  sample: [inodes]
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
    method: PUT
    path: /api/v1/volumes/7/quotas/5
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import record_operation


def main() -> None:
    """Run the module."""
    run_module(record_operation(QUOTA))


if __name__ == "__main__":
    main()
