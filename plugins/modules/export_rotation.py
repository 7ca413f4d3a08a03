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
  - Gives an export a new token, with no gap in which clients have none. The console has no request for this, so there are two exports
    for a while, and each state is a task of its own.
  - First run V(started), which creates a second export with the same fields and the description O(desc) followed by C( (next)). Then
    give its token to the clients. Then run V(finished), which puts the second export in the place of the first.
  - At any time, there is an export with the rights of the old one and one of the two tokens. If a task is killed, the next one with the
    same options completes its work. Two tasks at once never delete both exports. If they conflict, one or both of them fail and say
    why, and what to do. Then run the one that you want again, with O(id) unless it is V(started).
  - While an export is listed, M(managedfs.console.exports) and M(managedfs.console.volumes) do not purge exports with its description
    followed by C( (next)) or C( (old)).
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._plan
  - managedfs.console._tokens
options:
  volume:
    description: Name of the volume, which must exist. Exactly one of this and O(volume_id) is required.
    type: str
  volume_id:
    description: Identifier of the volume, which must exist. Mutually exclusive with O(volume).
    type: int
  desc:
    description: Description of the export that is to get a new token.
    type: str
    required: true
  state:
    description:
      - With V(started), a second export is created, with the same fields and another token. If it exists already, nothing is done.
      - With V(finished), the first export is renamed to O(desc) followed by C( (old)), the second one to O(desc), and the first one is
        deleted.
      - With V(aborted), the second export is renamed to O(desc) followed by C( (old)), and deleted. The first one stays as it is. Once
        V(finished) has renamed that, the task fails.
    type: str
    choices: [started, finished, aborted]
    required: true
  id:
    description:
      - Identifier of the second export, as V(started) returned it in RV(export). For V(finished) and V(aborted).
      - Needed to complete such a task after it was killed or another one interfered, and to run it again, once no export has C( (next)) at
        its end any more. Otherwise it is only checked.
    type: int
  fields:
    description:
      - Values of fields that the second export must have and the console does not show, by the names of the API.
      - Also the values of fields that the console shows and the specification does not describe. V(null) leaves such a field out. Any
        other value is sent as given. Times at which an export was created or used need not be given.
      - With V(started), the task fails if any of these is missing, and names it. Nothing is guessed.
    type: dict
    default: {}
  token_file:
    description:
      - File for the token that clients are to use from then on, on the host that the module runs on. The path must
        be absolute, or begin with V(~).
      - It is written if its content or its mode differs, even if the export itself is as wanted. Its mode is V(0600). The token is
        written nowhere else, and not shown at any verbosity.
      - The folder must exist. It must belong to the user that the module runs as, or to root, and nobody else may write to it.
        The folders above it are not checked.
      - A file that holds something else than a token is not overwritten. It is an error.
      - If the console does not show the token, the task fails.
      - With V(started) and V(finished), this is the token of the second export. With V(aborted), it is that of the first one.
    type: path
  wait_timeout:
    description: Seconds to wait until a new export is listed, and a deleted one is no longer listed. An update is given three seconds to show.
    type: int
    default: 300
notes:
  - With R for the longest time of one request (see O(timeout)), a task takes at most 3 * ((3 * O(retries) + 9) * R + 3 * (O(retries) + 1)
    + O(wait_timeout)) seconds if lists have a single page; each further page counts as a request, up to three
    times.
  - If the console does not show the tokens, the task cannot tell whether they differ, and names the field in RV(unverified).
seealso:
  - module: managedfs.console.export
  - ref: Give an export a new token <ansible_collections.managedfs.console.docsite.guide_rotation>
    description: The guide, with the playbook that does the same.
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
    - The export that clients are to use from now on, as the console shows it. With V(started) and V(finished) this is the second one,
      with V(aborted) the first. V(null) if it is not known.
    - A field that the console does not show is missing. One that is not described here is returned unchanged.
    - In check mode, the prediction, without what the console assigns.
  returned: always
  type: dict
  contains:
    id:
      description: Identifier that the console assigned to the export.
      type: int
    desc:
      description: Description of the export.
      type: str
    iprange:
      description: Addresses that may use the export, as the console writes them; V(*) stands for any address.
      type: str
    apionly:
      description: Its meaning is not specified.
      type: bool
    readonly:
      description: Whether clients can only read.
      type: bool
    appendonly:
      description: Whether clients can only append.
      type: bool
    token:
      description:
        - Token that clients need to mount the volume, on consoles that show it with the export.
        - Masked unless O(include_tokens=true).
      type: str
  sample:
    id: 3
    desc: web (next)
    iprange: 192.168.0.0/24
    apionly: false
    readonly: true
    appendonly: false
    token: "********"
msg:
  description:
    - What was done, or would be done in check mode, in one sentence. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "export 'web' of volume 'projects': rotation started"
diff:
  description:
    - The exports that differ, with the fields that tasks can set, by their desc, secrets masked. Also O(token_file), if the
      file is written.
  returned: success
  type: dict
  contains:
    before_header:
      description: Names the export.
      type: str
    before:
      description: The exports before the task.
      type: dict
    after_header:
      description: Names the export.
      type: str
    after:
      description: The exports after the task, or in check mode as predicted.
      type: dict
unverified:
  description:
    - Names of fields for which the console does not show whether they are as wanted.
    - After an update, also hidden fields that it left out, since the console may have reset them.
  returned: if there are such fields
  type: list
  elements: str
  sample: [readonly]
plan_checksum:
  description:
    - A checksum of what the task does or would do, for O(expected_plan). V(nothing) if that is nothing. It is the same only
      for the same actions on the same records of the same console, secrets aside.
  returned: once everything is planned
  type: str
  sample: nothing
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
      sample: /api/v1/volumes/7/exports/3
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation.task import ROTATION


def main() -> None:
    """Run the module."""
    run_module(ROTATION)


if __name__ == "__main__":
    main()
