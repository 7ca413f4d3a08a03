#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation of an action, which runs on the controller: plugins/action/role_step.py."""

from __future__ import annotations

DOCUMENTATION = r"""
module: role_step
short_description: Do a step of a role of this collection
version_added: 2.0.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - What the roles and playbooks of this collection are made of, beside its modules.
  - It is internal, so its options, results and steps may change in any version.
  - It runs on the controller, whatever host the task is for, and sends nothing to a console.
options:
  do:
    description: The step.
    type: str
    choices: [check, write, report, summary, show, validate]
    required: true
"""

EXAMPLES = r"""
# See the roles of this collection.
"""

RETURN = r"""
msg:
  description: What was done.
  returned: always
  type: raw
"""
