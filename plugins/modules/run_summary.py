#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation of an action, which runs on the controller: plugins/action/run_summary.py."""

from __future__ import annotations

DOCUMENTATION = r"""
module: run_summary
short_description: Sum up what a role of this collection did
version_added: 1.2.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - The last task of each role of this collection. It reads the results of the tasks before it, and hands on to a workflow what
    C(ansible.builtin.set_stats) would.
  - For P(managedfs.console.apply#role), P(managedfs.console.capture#role) and P(managedfs.console.report#role), it is about all hosts
    that the role has come to so far, and needs to run once for all of them. Those that failed are a part of the summary.
  - For P(managedfs.console.tenant#role), it is about its own host, and shows what was done.
attributes:
  check_mode:
    description: Can run in check mode, where it says what would be done.
    support: full
  diff_mode:
    description: Returns what has changed. This one changes nothing.
    support: none
  idempotent:
    description: When run again with the same options, and nothing else has changed, does nothing.
    support: full
  action:
    description: Runs on the controller, whatever host the task is for.
    support: full
  platform:
    description: Platforms that the controller can run on.
    support: full
    platforms: posix
options:
  role:
    description: The role whose results to read.
    type: str
    required: true
    choices: [apply, capture, report, tenant]
seealso:
  - module: managedfs.console.check_variables
"""

EXAMPLES = r"""
- name: Sum up what was done on all consoles
  managedfs.console.run_summary:
    role: apply
  run_once: true
  register: summary
"""

RETURN = r"""
msg:
  description:
    - The summary. Of several consoles, it begins with how many there are and what became of them, then names those that failed, and
      those with changes.
    - Lines, or for the role P(managedfs.console.tenant#role) a text.
  returned: success
  type: raw
  sample: ["3 consoles: 1 differs, 1 away, 1 as desired", "", "- oslo: away: GET /api/v1/volumes: no usable response", "- lisbon: differs"]
failures:
  description: The consoles that are to fail after the summary, by host, each with its message.
  returned: for the roles apply, capture and report
  type: dict
  contains: {}
  sample: {"lisbon": "https://lisbon.example.com differs from the desired state: quotas: 1 to update."}
totals:
  description: How many tenants there were so far on this host, and how often what became of their exports and quotas.
  returned: for the role tenant
  type: dict
  contains: {}
  sample: {"tenants": 2, "created": 3, "updated": 0, "removed": 0, "unchanged": 1, "not found": 0}
not_found:
  description: The message for what was to be removed and did not exist. Blank if it did, or need not.
  returned: for the role tenant, if something was to be removed
  type: str
  sample: ""
"""
