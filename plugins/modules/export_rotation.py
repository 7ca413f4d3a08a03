#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Give exports new tokens."""

from __future__ import annotations

DOCUMENTATION = r"""
module: export_rotation
short_description: Give an export a new token
version_added: 1.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Gives an export a new token, with no moment in which clients have none. The console has no request for this, so there are two
    exports for a while. First run V(started), which makes a second export. Give its token to the clients, then run V(finished).
  - If a task is killed, the next one with the same options, and after V(started) with O(id), completes its work.
    Two tasks at once never delete both exports.
options:
  volume:
    description: Name of the volume, which must exist. This or O(volume_id) is required.
    type: str
  volume_id:
    description: Identifier of the volume, instead of O(volume).
    type: int
  desc:
    description: Description of the export that is to get a new token.
    type: str
    required: true
  state:
    description:
      - V(started) creates a second export with the same fields, and the description O(desc) followed by C( (next)).
      - V(finished) renames the first one to O(desc) followed by C( (old)), the second one to O(desc), and deletes the first.
      - V(aborted) deletes the second one. Once V(finished) has renamed the first one, that fails.
    type: str
    choices: [started, finished, aborted]
    required: true
  token_file:
    description:
      - File for the token that clients mount the volume with, on the host that the module runs on. Its mode is V(0600).
      - Its folder must be yours or root's, and nobody but your own group may write to it. A file that does not hold a token is an
        error.
      - V(aborted) writes the token of the first export, the other states that of the second.
    type: path
  id:
    description:
      - Identifier of the second export, as V(started) returned it. V(finished) and V(aborted) need it to complete what was
        interrupted.
    type: int
  fields:
    description:
      - Values of fields of the second export that the console does not show, or that the specification does not describe, by
        their names in the API. V(null) leaves out one of the latter. The task names what is missing, and guesses nothing.
    type: dict
    default: {}
  wait_timeout:
    description: Seconds within which a creation or deletion must show in the list.
    type: int
    default: 300
seealso:
  - module: managedfs.console.export
  - ref: Give an export a new token <ansible_collections.managedfs.console.docsite.guide_shared_console.token>
    description: The guide, with the playbook that does the same.
extends_documentation_fragment:
  - managedfs.console._tokens
  - managedfs.console._plan
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
"""

EXAMPLES = r"""
- name: Make a second export, with a new token for the clients
  managedfs.console.export_rotation:
    volume: projects
    desc: web
    state: started
    token_file: ~/web.token
  register: rotation

- name: Let it take the place of the first, once the clients use the new token
  managedfs.console.export_rotation:
    volume: projects
    desc: web
    state: finished
    id: "{{ rotation.export.id }}"
"""

RETURN = r"""
export:
  description:
    - The export that clients are to use from now on, V(null) if it is not known. The token is masked unless O(include_tokens=true).
  returned: always
  type: dict
  sample:
    id: 3
    desc: web (next)
    iprange: 192.168.0.0/24
    apionly: false
    readonly: true
    appendonly: false
    token: "********"
msg:
  description: What was done, or would be done in check mode. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "export 'web' of volume 'projects': rotation started"
diff:
  description: The exports that differ, by their desc, before and after. Also O(token_file), if the file is written.
  returned: success
  type: dict
  sample:
    before_header: export 'web' of volume 'projects'
    before: {}
    after_header: export 'web' of volume 'projects'
    after: {"web (next)": {desc: web (next), iprange: 192.168.0.0/24, apionly: false, readonly: true, appendonly: false}}
unverified:
  description: Names of fields of which the console does not show whether they are as wanted.
  returned: if there are such fields
  type: list
  elements: str
  sample: [readonly]
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
    path: /api/v1/volumes/7/exports/3
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation.task import ROTATION


def main() -> None:
    """Run the module."""
    run_module(ROTATION)


if __name__ == "__main__":
    main()
