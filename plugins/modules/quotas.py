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
  - Brings a whole list of quotas of one volume to what is wanted, with one read, one plan, the writes side by side, and one
    read back. Thousands take seconds, where a loop takes hours.
  - Each item is treated as M(managedfs.console.quota) treats it. Two items for the same quota, an ambiguous one or a bad one fail
    the task before anything is written, all of them named in one message.
  - What can be done is done. If some items fail the task fails, tells what was done and what was not, and the next run goes
    on from there. Deletions come last.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume
  - managedfs.console._many
options:
  quotas:
    description: The quotas that are wanted, or wanted gone.
    type: list
    elements: dict
    required: true
    suboptions:
        path:
          description:
            - Directory inside the volume, by which the quota is found. Required where O(quotas[].id) is not given.
            - Starts with a slash and has no C(..). Slashes that are repeated or at the end, and C(.), are removed.
            - With O(quotas[].id) as well, the quota is moved to this directory.
            - Where several quotas of the volume have the path the task fails and lists their ids.
          type: str
        id:
          description: Identifier of the quota, as the console assigned it.
          type: int
        size:
          description:
            - Limit of the size in bytes, or with a unit in powers of 1024, so that V(10G), V(10GB) and V(10GiB) are the same.
            - V(0) is no limit. Creating a quota needs this or O(quotas[].inodes).
          type: str
        inodes:
          description:
            - Limit of the number of inodes. V(0) is no limit. See O(create_only_changes).
          type: int
        state:
          description: Whether the quota is to be there.
          type: str
          choices: [present, absent]
          default: present
  purge:
    description:
      - Whether to delete every quota of the volume that no item claims by its path or id. Other volumes are not touched.
      - Refused where no item is to be present.
    type: bool
    default: false
"""

EXAMPLES = r"""
- name: Quotas of two users, in one task
  managedfs.console.quotas:
    volume: projects
    quotas:
      - path: /home/alice
        size: 10GiB
      - path: /home/bob
        size: 20GiB
        inodes: 1000000

- name: The quotas of a file with thousands of them, and no others
  managedfs.console.quotas:
    volume: projects
    quotas: "{{ lookup('ansible.builtin.file', 'quotas.json') | from_json }}"
    purge: true
    concurrency: 8
"""

RETURN = r"""
created:
  description: The path of each quota that was created, or would be in check mode.
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
  description: The path of each quota that was deleted, or C(id) and its identifier where it has none.
  returned: always
  type: list
  elements: str
  sample: []
unchanged:
  description: How many items needed nothing.
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
  description: Names of options that the console does not show for some quotas, so that they could not be compared.
  returned: when there are such options
  type: list
  elements: str
  sample: []
failure:
  description: The request that ended the task, or the first of several, as RV(managedfs.console.volume#module:failure).
  returned: on failure, where a request was the cause
  type: dict
"""

from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils.many import manage_many
from ansible_collections.managedfs.console.plugins.module_utils.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils.module import Task, run_module
from ansible_collections.managedfs.console.plugins.module_utils.options import (
    ITEM_OPTIONS,
    QUOTA_OPTIONS,
    list_options,
)

OPTIONS = list_options("quotas")
ITEM = {**QUOTA_OPTIONS, **ITEM_OPTIONS}


def act(task: Task) -> dict[str, Any]:
    """Bring the quotas to what the items want."""
    return manage_many(task, QUOTA, ITEM)


def main() -> None:
    """Entry point of the module."""
    run_module(OPTIONS, act)


if __name__ == "__main__":
    main()
