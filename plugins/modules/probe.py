#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Find out what a console does where its specification says nothing."""

from __future__ import annotations

DOCUMENTATION = r"""
module: probe
short_description: Find out what a managed file-system console does where its specification says nothing
version_added: 1.0.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Makes a volume of its own, tries on it what the specification of the API leaves open, and deletes it again. The result is a
    profile of the console, with which the emulator in the repository of the collection can play it.
  - The profile contains no name, no key, no token and no address, so that it can be posted.
  - See R(Try your own console,ansible_collections.managedfs.console.docsite.guide_probe) for what to expect, and
    R(What a probe can see,ansible_collections.managedfs.console.docsite.probe) for the settings.
notes:
  - A probe sends at most 120 requests, one at a time, and usually about 60. It takes from some seconds to a few minutes, and at most
    120 * (O(timeout) + 60) + 8 * O(wait_timeout) + 600 seconds. A request is repeated twice at most, whatever O(retries) says.
  - Where volumes are charged for, so is the scratch volume, for as long as it exists.
  - Do not run two probes at once with the same O(volume) or O(volume_id). Each would remove what the other one makes.
  - If the task is killed, run it again with the same options. It recognizes what it has made by its name, and removes it first.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
attributes:
  check_mode:
    description: Can run in check mode.
    support: partial
    details:
      - Only reads, and names in RV(left_out) what it did not try.
  diff_mode:
    description: Returns details on what has changed.
    support: none
  idempotent:
    description: When run again with the same options, and nothing else has changed, does nothing.
    support: partial
    details:
      - What is made is removed again, which does not count as a change. The task is C(changed) if it has removed what an earlier
        run left behind, or could not remove what it made.
options:
  volume:
    description:
      - Name of a scratch volume, which must not exist yet. The volume is made under this name with a suffix that is different in
        each run, such as V(scratch-probe-3f9a1c07b2d45e68), and is deleted in the end.
      - Volumes with such a suffix that an earlier run left behind are deleted first. The suffix contains a checksum, so that no other
        volume is taken for one of them.
    type: str
  volume_id:
    description:
      - Identifier of a volume of yours that is used instead, if no scratch volume can be made. Needs O(use_existing=true).
      - It must have no exports and no quotas. Only exports and quotas with a name of the run's own are made in it, and deleted again.
      - Fewer settings are found than with a scratch volume.
    type: int
  use_existing:
    description: Whether you agree that the volume with the id O(volume_id) is used.
    type: bool
    default: false
  bucket:
    description: Object-storage URL of the scratch volume. Some consoles require it.
    type: str
  region:
    description: Identifier of the region of the scratch volume. Some consoles require it.
    type: int
  extra_fields:
    description:
      - Additional fields for the scratch volume, under the names of the API, sent as given.
      - Set C(no_log) on the task if it contains a secret.
    type: dict
    default: {}
  wait_timeout:
    description: Seconds to wait until the scratch volume is listed, can be used, and is no longer listed.
    type: int
    default: 300
seealso:
  - module: managedfs.console.volume
"""

EXAMPLES = r"""
- name: Find out what the console does, on a scratch volume
  managedfs.console.probe:
    volume: scratch
    bucket: https://scratch.s3.example.com
  register: probed

- name: Find out what can be seen without making anything
  managedfs.console.probe:
    volume: scratch
  check_mode: true

- name: Find out what the console does, in an empty volume that exists
  managedfs.console.probe:
    volume_id: 7
    use_existing: true
"""

RETURN = r"""
profile:
  description:
    - What the console does. There is an entry for each setting of the emulator, under its name, such as C(create_status).
    - After a failure, what was found until then.
  returned: if the console was reached
  type: dict
  contains:
    SETTING:
      description: The entry of one setting, under the name of the setting.
      type: dict
      contains:
        value:
          description: The value, or V(null) if it was not found.
          type: raw
          sample: documented
        meaning:
          description: What this means for playbooks, in one sentence.
          type: str
          sample: "create_only_changes: update fails: the console ignores such a field."
        reason:
          description: Why the value was not found.
          returned: if it was not found
          type: str
          sample: only reading was allowed (check mode)
        evidence:
          description: The response that shows it, or V(null). Its fields are V(null) if many responses show it together.
          type: dict
          contains:
            method:
              description: Method of the request.
              type: str
              sample: PUT
            path:
              description: Path of the request below V(/api/v1), with ids replaced.
              type: str
              sample: /volumes/{volume_id}/quotas/{quota_id}
            status:
              description: Status code of the response.
              type: int
              sample: 200
            excerpt:
              description: The form of the response, without its texts and numbers, and what was noticed.
              type: str
              sample: "{id: <number>, path: \"…\", size: 10001, inodes: 7}; keeps inodes; ignores inodes"
unknown:
  description: What the console does and no setting of the emulator describes, in sentences.
  returned: if the console was reached
  type: list
  elements: str
  sample: ["The case of a desc is changed."]
left_out:
  description: Names of the steps that were not taken.
  returned: if the console was reached
  type: list
  elements: str
  sample: [create_volume]
left_behind:
  description: What was made and could not be removed. If there is anything, the task fails.
  returned: if the console was reached
  type: list
  elements: str
  sample: ["volume scratch-probe-3f9a1c07b2d45e68 (id 7)"]
requests:
  description: How many requests were sent.
  returned: if the console was reached
  type: int
  sample: 52
msg:
  description: How much was found, in one sentence. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: 32 of 39 settings found with 52 requests.
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
      sample: GET
    path:
      description: Path of the request.
      returned: always
      type: str
      sample: /api/v1/volumes
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.probe import probe_console


def main() -> None:
    """Run the module."""
    probe_console()


if __name__ == "__main__":
    main()
