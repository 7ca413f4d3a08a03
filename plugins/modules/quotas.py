#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Manage many quotas in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: quotas
short_description: Manage many directory quotas of a volume in one task
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Manages a list of quotas of one volume in one task. Thousands take seconds, where a loop takes minutes.
  - Each item is treated as by M(managedfs.console.quota). An item that is invalid, or means the same quota as another one, makes
    the task fail before it writes.
  - If some items fail, the others are done nevertheless. The task fails and names them, and the next run goes on from there.
options:
  quotas:
    description: The quotas that should exist, or should not.
    type: list
    elements: dict
    required: true
    suboptions:
      path:
        description:
          - Directory in the volume, such as V(/home/alice), which identifies the quota.
          - Repeated and trailing slashes are removed. With O(quotas[].id), the quota is moved to this directory.
        type: str
      size:
        description:
          - Limit in bytes, or with a unit, such as V(10GiB). Units are powers of 1024, so V(10G), V(10GB) and V(10GiB) are
            equal. V(0) is no limit. That the console counts in bytes is assumed. A new quota needs this or O(quotas[].inodes).
        type: str
      inodes:
        description: Limit on the number of inodes. V(0) is no limit. See O(create_only_changes).
        type: int
      state:
        description: Whether the quota should exist.
        type: str
        choices: [present, absent]
        default: present
      renamed_from:
        description:
          - Former path of a quota that is to be moved, which keeps its id. Once it is moved, this does nothing, and can stay.
        type: str
      id:
        description: Identifier that the console assigned to the quota.
        type: int
      extra_fields:
        description:
          - Further fields of a new quota, by their names in the API, sent as they are. A difference is treated as
            O(create_only_changes) says. Set C(no_log) if one is secret.
        type: dict
        default: {}
  purge:
    description: Whether to delete all quotas of the volume that no item names by path or id.
    type: bool
    default: false
  ignore:
    description:
      - Case-sensitive shell patterns for the path of quotas that others manage, which are only counted. A pattern begins with
        C(/) or C(*).
      - V(*) also matches C(/). An item that matches is an error.
    type: list
    elements: raw
extends_documentation_fragment:
  - managedfs.console._in_volume
  - managedfs.console._plan
  - managedfs.console._plan.lists
  - managedfs.console._in_volume.updates
  - managedfs.console._many
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
"""

EXAMPLES = r"""
- name: Set quotas for two users in one task
  managedfs.console.quotas:
    volume: projects
    quotas:
      - path: /home/alice
        size: 10GiB
      - path: /home/bob
        size: 20GiB
        inodes: 1000000

- name: Apply the thousands of quotas in a file and delete all others
  managedfs.console.quotas:
    volume: projects
    quotas: "{{ lookup('ansible.builtin.file', 'quotas.json') | from_json }}"
    purge: true
    concurrency: 8
"""

RETURN = r"""
msg:
  description: What was done, or would be done in check mode. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "quotas of volume 'projects': 1 created, 1 unchanged"
created:
  description: Path of each quota that was created, or would be in check mode.
  returned: always
  type: list
  elements: str
  sample: [/home/alice]
updated:
  description: Path of each quota that was updated.
  returned: always
  type: list
  elements: str
  sample: []
deleted:
  description: Path of each quota that was deleted, or C(id) and its id.
  returned: always
  type: list
  elements: str
  sample: []
unchanged:
  description: Number of items that needed no change.
  returned: always
  type: int
  sample: 1
counts:
  description: Number of quotas by what became of them. Complete, also where lists are cut.
  returned: always
  type: dict
  sample:
    created: 1
    updated: 0
    deleted: 0
    unchanged: 1
    failed: 0
    ignored: 0
    unmanaged: 0
errors:
  description: What failed, each with its C(key), and what to do in C(msg).
  returned: always
  type: list
  elements: dict
  sample: []
plan_warnings:
  description: Likely mistakes in what is changed, each with its C(key) and C(msg). Each is a warning, too.
  returned: always
  type: list
  elements: dict
  sample: []
changes:
  description: What was done, or would be done in check mode or by a refused plan, with the fields that differ, secrets masked.
  returned: always
  type: list
  elements: dict
  sample:
    - {volume: projects, kind: quotas, key: /home/alice, id: 5, action: update, fields: {size: {before: 10737418240, after: 1099511627776}}}
diff:
  description:
    - A line for each change, grouped by volume. C(+) creates, C(~) updates and C(-) deletes. Long diffs are cut, and say so.
  returned: in diff mode
  type: dict
  sample:
    prepared: |
      volume projects
        + quota /home/carol: size 10GiB
        ~ quota /home/alice: size 10GiB → 1TiB
        - quota /home/bob: size 20GiB
not_listed:
  description: How many entries of each list are left out, since AWX keeps 700,000 bytes of a result.
  returned: if something was left out
  type: dict
  sample: {changes: 45000}
unmanaged:
  description: The first ten quotas that stay although no item names them.
  returned: once everything is planned
  type: dict
  sample: {quotas: [/home/carol]}
unverified:
  description: Names of fields of which the console does not show whether they are as wanted.
  returned: if there are such fields
  type: list
  elements: str
  sample: [inodes]
plan_checksum:
  description: The checksum of the plan, for O(expected_plan). V(nothing) if nothing is to be done.
  returned: once everything is planned
  type: str
  sample: nothing
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
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.bulk import list_operation


def main() -> None:
    """Run the module."""
    run_module(list_operation(QUOTA))


if __name__ == "__main__":
    main()
