#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation of an action, which runs on the controller: plugins/action/check_variables.py."""

from __future__ import annotations

DOCUMENTATION = r"""
module: check_variables
short_description: Check the variables of a role of this collection
version_added: 1.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - The first task of each role of this collection. It checks the variables of the task against the options of the role.
  - Blank text counts as not set. V(0) and V(false) are values. Blanks around a text are removed, and one pair of quotation
    marks around it as well.
  - A variable that begins with the name of the role and is probably a misspelling of one of its options, such as
    C(tenant_read_only) for C(tenant_readonly), is an error. Any other unknown variable with that prefix is ignored, with a warning.
    The same holds for C(managedfs_), the prefix of the variables for the connection. A list or a dictionary is not taken for a
    misspelling of a text option.
  - A number, boolean or date is an error where the option is text, since it may have been something else when it was written.
    ansible-core 2.19 and later read the answers of a survey in AWX as YAML, so that V(010) arrives as the number 8, V(no) as false and
    V(1:30) as 90. In quotation marks, an answer stays as it was written.
  - What the variables must be together is checked as well, such as which of them exclude each other, and whether the files that the role
    writes can be written. Nothing is sent to a console.
  - For the roles C(apply) and C(report), the files of the desired state are read as well, for all tasks of the role. A mistake in them is the
    message of this task.
  - A size needs a unit, unless it is V(0), and a number must be written in plain digits, for the same reason.
attributes:
  check_mode:
    description: Can run in check mode, where it does the same.
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
    description: The role, or the playbook, whose variables to check. Their names begin with its name.
    type: str
    required: true
  options:
    description: The variables, as an argument spec has options. By default, they are those that the role documents.
    type: dict
"""

EXAMPLES = r"""
- name: Check the variables
  managedfs.console.check_variables:
    role: tenant
  register: checked
"""

RETURN = r"""
given:
  description:
    - The variables that are set or have a default, by name without the name of the role. Values have the types that the role documents.
    - Lists of dictionaries are checked and not repeated here.
  returned: success, and if nothing but a file is wrong
  type: dict
  contains: {}
  sample: {"name": "research", "volume": "projects", "state": "present", "size": "500GiB"}
once:
  description: Whether a task with C(run_once) runs once. With strategies that let hosts run ahead, such as C(free),
    each host runs it.
  returned: always
  type: bool
  sample: true
names:
  description: The keys of the records that the variables lead to.
  returned: success, for the role tenant
  type: dict
  contains:
    path:
      description: Path of the quota.
      type: str
    desc:
      description: Description of the export.
      type: str
  sample: {"path": "/research", "desc": "research"}
folder:
  description: The folder for the files of this host.
  returned: success, for the role capture, and for the role report if it writes files
  type: str
  sample: /srv/reports/oslo
subfolder:
  description: Its name in the folder of all reports. Blank for V(localhost).
  returned: success, for the role report if it writes files
  type: str
  sample: oslo
console:
  description: What the files say about their console, as the lookup P(managedfs.console.desired_state_files#lookup) returns it. Blank if
    there are none.
  returned: success, for the roles apply and report
  type: dict
  contains:
    consoles:
      description: The addresses that the files are for.
      type: list
      elements: str
    ignore:
      description: The patterns of what is left alone.
      type: dict
      contains: {}
  sample: {"consoles": ["https://console.example.com"]}
volumes_file:
  description: A file with the volumes of all files, as JSON. Only the user can read it, and Ansible removes it at the end of the run.
  returned: success, for the roles apply and report if they have a source
  type: str
  sample: /home/ansible/.ansible/tmp/ansible-local-1234/managedfs-0123456789abcdef.json
"""
