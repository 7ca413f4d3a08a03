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
  - Manages a whole list of quotas of one volume with one read, one plan, concurrent writes, and one read back. Thousands of
    quotas take seconds, where a loop takes hours.
  - Each item is treated as by M(managedfs.console.quota). Items that are invalid, ambiguous, or refer to the same quota make the
    task fail before anything is written. One message names all of them.
  - If some items fail, the others are processed nevertheless. The task then fails and reports what was done and what was not,
    and the next run continues from there. Deletions come last.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume
  - managedfs.console._many
options:
  quotas:
    description: The quotas that should exist, or should not.
    type: list
    elements: dict
    required: true
    suboptions:
        path:
          description:
            - Directory inside the volume, by which the quota is identified. Required if O(quotas[].id) is not set.
            - Must start with a slash and not contain C(..). Repeated and trailing slashes and C(.) are removed.
            - If O(quotas[].id) is set as well, the quota is moved to this directory.
            - If several quotas of the volume have this path, the task fails and lists their ids.
          type: str
        id:
          description: Identifier that the console assigned to the quota.
          type: int
        size:
          description:
            - Size limit in bytes, or with a unit. Units are powers of 1024, so V(10G), V(10GB) and V(10GiB) are equal.
            - V(0) means no limit. Creating a quota requires this or O(quotas[].inodes).
          type: str
        inodes:
          description:
            - Limit on the number of inodes. V(0) means no limit. See O(create_only_changes).
          type: int
        state:
          description: Whether the quota should exist.
          type: str
          choices: [present, absent]
          default: present
  purge:
    description:
      - Whether to delete every quota of the volume that no item claims by its path or id. Other volumes are not touched.
      - Fails if no item has O(quotas[].state=present).
    type: bool
    default: false
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
created:
  description: The path of each quota that was created, or would be created in check mode.
  returned: always
  type: list
  elements: str
  sample: [/home/alice]
updated:
  description: The path of each quota that was updated.
  returned: always
  type: list
  elements: str
  sample: []
deleted:
  description: The path of each quota that was deleted, or C(id) and its identifier if it has none.
  returned: always
  type: list
  elements: str
  sample: []
unchanged:
  description: Number of items that needed no change.
  returned: always
  type: int
  sample: 1
errors:
  description: What failed.
  returned: always
  type: list
  elements: dict
  contains:
    key:
      description: The path of the item.
      type: str
    msg:
      description: What went wrong.
      type: str
  sample: []
unverified:
  description: Names of options that could not be compared because the console does not show them for some quotas.
  returned: if there are such options
  type: list
  elements: str
  sample: []
failure:
  description: The request that made the task fail, or the first of several, as in RV(managedfs.console.volume#module:failure).
  returned: on failure, if a request was the cause
  type: dict
"""

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils.tasks.record_list import manage_list


def main() -> None:
    """Run the module."""
    manage_list(QUOTA)


if __name__ == "__main__":
    main()
