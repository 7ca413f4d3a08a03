#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation of an action, which runs on the controller: plugins/action/desired_state_files.py."""

from __future__ import annotations

DOCUMENTATION = r"""
module: desired_state_files
short_description: Write the desired state of a console to files
version_added: 1.0.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Writes one YAML file for each volume into a folder on the controller, for people to read, to review and to keep in Git.
  - Only files that differ are written, each as a whole or not at all. If one of them cannot be written, none is.
  - Where a file is to be written, there must be nothing, or a regular file of the folder of at most 16 MiB.
  - Each file has one record per line, in an order that does not depend on the console, so that C(git diff) shows what differs.
  - The lookup P(managedfs.console.desired_state_files#lookup) reads the files.
attributes:
  check_mode:
    description: Can run in check mode, where nothing is written and the result is a prediction.
    support: full
  diff_mode:
    description: Returns the difference of each file. Long ones are cut, so that all of them together stay below 150 kB.
    support: full
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
  dest:
    description:
      - The folder to write into. It is created if it does not exist.
      - A relative path begins at the folder of the playbook. With a playbook of this collection, such as
        C(managedfs.console.capture), it begins at the working directory.
    type: str
    required: true
  volumes:
    description:
      - Volumes as M(managedfs.console.volumes) takes them. The filter P(managedfs.console.to_desired_state#filter) makes them from
        records.
      - A file is named after its volume. A name of up to 100 lower-case letters, digits, dots, hyphens and underscores that begins
        with a letter or digit gives V(NAME.yml). Any other gives the readable part of the name and a hash. A volume that is
        identified by its C(id) has that in its file name. Thus no two volumes share a file, even where file names are not
        case-sensitive.
    type: list
    elements: dict
    required: true
  remove:
    description:
      - Whether to remove files of volumes that are not in O(volumes).
      - Only files that this module wrote are removed, which it recognises by their first line.
      - Files that it wrote for other volumes with the name of one in O(volumes) are always removed. Volumes that share a name have their
        C(id) in the file name, so an earlier file without it would describe one of them twice. Give all volumes that share a name
        together.
    type: bool
    default: false
  max_removals:
    description:
      - How many of the files that this task writes or removes may be removed at most, and how many of all exports and of all quotas in
        them. A number, or a share of what there was, such as V(30%). Any share but V(0%) allows three to go. None but V(100%) allows all
        to go.
      - Above this limit, the task fails before it writes anything, in check mode too. What the access key cannot see looks as if it
        were gone. If it really is gone, set this option to the number in the message.
      - A different file for the same volume does not count as a removal, nor does dropping an item with C(state=absent). Without
        O(remove), only files of volumes with the names of those in O(volumes) count.
      - A file that would be replaced or removed, and that does not describe one volume any more, fails the task.
      - If O(volumes) is empty, and O(remove) would remove files, the task always fails.
    type: str
    default: 50%
  console:
    description:
      - Address of the console that the volumes are from, such as the RV(managedfs.console.volume_info#module:console) of a result.
      - It is written to a file C(console.yml) in the folder, unless there is one. If that file names other consoles only, the task
        fails, so that nobody applies files of one console to another.
      - Records that match C(ignore) in that file, or in the file of a volume, are not written. C(ignore) itself stays in the file.
    type: str
    default: ''
  portable:
    description:
      - Whether the files are for another console. Then C(bucket) and C(region) are written as comments, and a volume that does not exist
        there is not created until somebody gives the values for that console.
      - The files have no identifiers, and there is no C(console.yml). What cannot be carried over without them is in RV(not_carried).
    type: bool
    default: false
  names:
    description: Names of the volumes to write, all if there are none. A name that no volume has is an error.
    type: list
    elements: str
    default: []
  folders:
    description:
      - The folders that the hosts of a play write into, links resolved, one for each host. The task fails if several of them are O(dest).
    type: list
    elements: str
    default: []
  schema:
    description:
      - Whether editors are to know the files. The folder then has C(volume.schema.json) and C(console.schema.json), whose differences are
        not shown, and each file that this module writes names its schema in a comment, as yaml-language-server reads it.
      - If not set, a folder without such files yet gets them, and any other one does only if it has one of these schemas.
      - With V(true) and no O(volumes), only the schemas are written, for files that are written by hand.
      - A comment about the schema that a file has stays as it is. A C(console.yml) that names its console does, too.
    type: bool
seealso:
  - plugin: managedfs.console.desired_state_files
    plugin_type: lookup
  - plugin: managedfs.console.to_desired_state
    plugin_type: filter
  - module: managedfs.console.volume_info
"""

EXAMPLES = r"""
- name: List all volumes with their exports and quotas
  managedfs.console.volume_info:
    gather: [exports, quotas]
  register: console

- name: Write them to files
  managedfs.console.desired_state_files:
    dest: desired
    volumes: "{{ console.volumes | managedfs.console.to_desired_state(kind='volumes') }}"
    remove: true
"""

RETURN = r"""
msg:
  description: What was done, or would be done in check mode, in one sentence. After a failure, what went wrong.
  returned: always
  type: str
  sample: "files in desired: 1 created, 39 unchanged"
created:
  description: Names of the files that were created.
  returned: success
  type: list
  elements: str
  sample: [projects.yml]
updated:
  description: Names of the files that were updated.
  returned: success
  type: list
  elements: str
  sample: []
removed:
  description: Names of the files that were removed.
  returned: success
  type: list
  elements: str
  sample: []
unchanged:
  description: Number of files that needed no change.
  returned: success
  type: int
  sample: 39
not_carried:
  description: What the files do not carry over to another console, and why. Records that only an identifier tells from others, and fields that
    the console does not show.
  returned: success, with O(portable)
  type: list
  elements: str
  sample: []
diff:
  description: The difference of each file, as texts before and after, or as lines that differ where the file is long.
  returned: in diff mode
  type: list
  elements: dict
  contains:
    before_header:
      description: Path of the file.
      type: str
    before:
      description: Content before the task.
      type: str
    after_header:
      description: Path of the file.
      type: str
    after:
      description: Content after the task.
      type: str
    prepared:
      description: The lines that differ, as C(diff -u) shows them.
      returned: instead of the others if they are long
      type: str
"""
