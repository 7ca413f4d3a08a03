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
  - managedfs.console._in_volume.updates
  - managedfs.console._writing
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
      - Size limit in bytes, or with one of the units V(B), V(KiB), V(MiB), V(GiB), V(TiB), V(PiB) and V(EiB).
      - Units are powers of 1024, so V(10G), V(10gb) and V(10GiB) are equal.
      - The specification of the API does not say in which unit it is. That the console counts in bytes is one of
        R(the assumptions,ansible_collections.managedfs.console.docsite.assumptions).
      - V(0) means no limit. Creating a quota requires this or O(inodes).
    type: str
  inodes:
    description:
      - Limit on the number of inodes. V(0) means no limit. See O(create_only_changes).
      - What exactly is counted is not specified.
    type: int
  extra_fields:
    description:
      - Additional fields for a new quota, under the names of the API, sent as given.
      - Where an existing quota shows such a field with another value, the task fails, as for any field that only a creation can set.
        See O(create_only_changes). A field that the console does not show is named in RV(unverified).
      - Must not contain fields that this module has an option for.
      - Set C(no_log) on the task if it contains a secret.
    type: dict
    default: {}
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
    - The quota as the console shows it, or V(null) after a deletion.
    - A field that the console does not show is missing. One that is not described here is returned unchanged.
    - In check mode, the prediction, without what the console assigns.
    - After a failure, its last known state, or V(null).
  returned: always
  type: dict
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
    id: 5
    path: /data/web
    size: 10737418240
    inodes: 1048576
msg:
  description:
    - What was done, or would be done in check mode, in one sentence. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "quota '/home/alice' of volume 'projects': updated"
diff:
  description:
    - The fields of the quota that tasks can set, before and after, secrets masked.
    - Sizes have a unit, such as V(10GiB), where that is exact.
  returned: success
  type: dict
  contains:
    before_header:
      description: Names the quota.
      type: str
    before:
      description: The fields before the task. Empty if the quota did not exist.
      type: dict
    after_header:
      description: Names the quota.
      type: str
    after:
      description: The fields after the task, or in check mode as predicted. Empty if the quota is gone.
      type: dict
unverified:
  description:
    - Names of fields for which the console does not show whether they are as wanted.
    - After an update, also hidden fields that it left out, since the console may have reset them.
  returned: if there are such fields
  type: list
  elements: str
  sample: [inodes]
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
      sample: PUT
    path:
      description: Path of the request.
      returned: always
      type: str
      sample: /api/v1/volumes/7/quotas/5
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import record_operation


def main() -> None:
    """Run the module."""
    run_module(record_operation(QUOTA))


if __name__ == "__main__":
    main()
