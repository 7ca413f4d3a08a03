#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation of an action, which runs on the controller: plugins/action/validate_files.py."""

from __future__ import annotations

DOCUMENTATION = r"""
module: validate_files
short_description: Check the files of a desired state without a console
version_added: 1.2.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Reads a file, or all files of a folder, as P(managedfs.console.desired_state_files#lookup) does, and names every mistake in all of them, with
    file and line. Neither a console nor a key is needed.
  - What only a console can show, such as whether a record exists, is checked by M(managedfs.console.volumes) in check mode.
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
  source:
    description:
      - A file or a folder.
      - A relative path begins at the folder of the playbook. With a playbook of this collection, such as
        C(managedfs.console.validate), it begins at the working directory.
    type: str
    required: true
  fail_on_doubts:
    description: Whether the task fails because of RV(doubts), and of files that are RV(not_read), as it does because of RV(errors).
    type: bool
    default: false
seealso:
  - plugin: managedfs.console.desired_state_files
    plugin_type: lookup
  - module: managedfs.console.desired_state_files
"""

EXAMPLES = r"""
- name: Check the files of a desired state
  managedfs.console.validate_files:
    source: desired
"""

RETURN = r"""
msg:
  description: How much was found, and how much is wrong, in a few words.
  returned: always
  type: str
  sample: "desired: nothing is wrong. There are 2 files with 2 volumes, 3 exports, 5 quotas."
errors:
  description: The first 500 mistakes, with file and line.
  returned: always
  type: list
  elements: str
  sample: []
doubts:
  description:
    - What is valid and probably not meant, such as a size without a unit, and two volumes with one bucket.
  returned: always
  type: list
  elements: str
  sample: []
not_read:
  description:
    - Files that look as if they were meant, and that are not read because of their names, such as C(a.YML), C(a.yml.txt) and C(a.json). Links
      to folders, too. JSON Schemas of editors are left out.
  returned: always
  type: list
  elements: str
  sample: []
counts:
  description: How much there is in the files that could be read.
  returned: always
  type: dict
  contains:
    files:
      description: Number of files, but for those with the name C(console.yml).
      type: int
    volumes:
      description: Number of volumes.
      type: int
    exports:
      description: Number of exports in them.
      type: int
    quotas:
      description: Number of quotas in them.
      type: int
  sample: {files: 2, volumes: 2, exports: 3, quotas: 5}
"""
