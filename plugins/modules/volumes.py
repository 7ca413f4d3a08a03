#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Manage volumes with their exports and quotas in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: volumes
short_description: Manage many volumes with their exports and quotas in one task
version_added: 1.0.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Manages volumes, and the exports and quotas in them, as one document, which the role P(managedfs.console.apply#role) reads from files.
    Everything is read, then everything is planned, and only
    then anything is written. Forty volumes with thousands of quotas take seconds.
  - Each volume is treated as by M(managedfs.console.volume), its lists as by M(managedfs.console.exports) and
    M(managedfs.console.quotas). Items that are invalid, ambiguous, or refer to the same record make the task fail before anything
    is written. One message names them by their position, counted from 1.
  - Volumes are created first and waited for, then exports and quotas of all volumes are written side by side. Deletions come last,
    those of volumes last of all.
  - If something fails, the rest is processed nevertheless. The task then fails and reports what was done and what was not, and
    the next run continues from there. The lists of a volume that fails are skipped.
notes:
  - A volume is deleted only if an item has O(volumes[].state=absent). Volumes are never purged.
  - The console cannot change a volume. If an option differs from an existing volume, the task fails before anything is written.
  - In check mode, the lists of a volume that does not exist yet are predicted as created from nothing, and no volume is waited for.
  - A task with volumes to create and to delete can take three times as long as the note on its duration says, plus
    O(wait_timeout) and four requests for each volume that is waited for.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume.updates
  - managedfs.console._many
  - managedfs.console._plan
  - managedfs.console._plan.lists
seealso:
  - plugin: managedfs.console.to_desired_state
    plugin_type: filter
    description: Makes this document of what exists.
options:
  volumes:
    description: The volumes that should exist, or should not.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description:
          - Name of the volume. Required if O(volumes[].id) is not set.
          - If several volumes have this name, the task fails and lists their ids.
        type: str
      id:
        description:
          - Identifier that the console assigned to the volume.
          - If O(volumes[].name) is set as well, both must belong to the same volume.
          - With O(volumes[].state=absent), an id that there is not counts as absent, whatever the name is.
        type: int
      bucket:
        description:
          - Object-storage URL of a new volume. Some consoles require it.
          - A trailing slash is ignored in comparisons.
        type: str
      region:
        description: Identifier of the region of a new volume. Some consoles require it.
        type: int
      block_size:
        description:
          - The console's field C(blockSize) for a new volume.
          - Its meaning and unit are not specified.
        type: int
      compress:
        description:
          - Name of the compression algorithm of a new volume. The names are not specified.
        type: str
      compatible:
        description:
          - The console's field C(compatible) for a new volume. Its meaning is not specified.
        type: bool
      extend:
        description:
          - The console's field C(extend) for a new volume. Its meaning is not specified.
          - An empty string is a value, unlike for other text options.
        type: str
      extra_fields:
        description:
          - Additional fields for a new volume, under the names of the API, sent as given.
          - Compared and reported as by M(managedfs.console.volume).
          - Set C(no_log) on the task if it contains a secret.
        type: dict
        default: {}
      state:
        description: Whether the volume should exist. Deleting a volume deletes its exports and quotas as well.
        type: str
        choices: [present, absent]
        default: present
      exports:
        description:
          - The exports that the volume should have, or should not.
          - If left out, the exports of the volume are neither read nor changed, whatever O(purge) says.
          - Ignored with O(volumes[].state=absent).
        type: list
        elements: dict
        suboptions:
          desc:
            description:
              - Description of the export, by which it is identified. Required if O(volumes[].exports[].id) is not set.
              - If O(volumes[].exports[].id) is set as well, the export gets this description.
              - Compared as by M(managedfs.console.exports).
            type: str
          renamed_from:
            description:
              - The desc that the export has before it gets O(volumes[].exports[].desc). See O(managedfs.console.exports#module:exports[].renamed_from).
            type: str
          id:
            description: Identifier that the console assigned to the export.
            type: int
          iprange:
            description:
              - Addresses that may use the export, as a network in CIDR notation, a single address, or V(*) for any address.
              - Required to create an export. V(*) is never assumed.
              - Sent as written and compared as a network, so that V(192.168.0.1/24) and V(192.168.0.0/24) are equal.
            type: str
          apionly:
            description:
              - The console's field C(apionly). Its meaning is not specified.
              - V(false) for new exports if not set. See O(create_only_changes).
            type: bool
          readonly:
            description: Whether clients can only read. V(false) for new exports if not set. See O(create_only_changes).
            type: bool
          appendonly:
            description: Whether clients can only append. V(false) for new exports if not set. See O(create_only_changes).
            type: bool
          extra_fields:
            description:
              - Additional fields for a new export, under the names of the API, sent as given.
              - Compared and reported as by M(managedfs.console.export).
              - Set C(no_log) on the task if it contains a secret.
            type: dict
            default: {}
          state:
            description: Whether the export should exist.
            type: str
            choices: [present, absent]
            default: present
      quotas:
        description:
          - The quotas that the volume should have, or should not.
          - If left out, the quotas of the volume are neither read nor changed, whatever O(purge) says.
          - Ignored with O(volumes[].state=absent).
        type: list
        elements: dict
        suboptions:
          path:
            description:
              - Directory inside the volume, by which the quota is identified. Required if O(volumes[].quotas[].id) is not set.
              - Must start with a slash and not contain C(..). Repeated and trailing slashes and C(.) are removed.
              - If O(volumes[].quotas[].id) is set as well, the quota is moved to this directory.
            type: str
          renamed_from:
            description:
              - The path that the quota has before it gets O(volumes[].quotas[].path). See O(managedfs.console.quotas#module:quotas[].renamed_from).
            type: str
          id:
            description: Identifier that the console assigned to the quota.
            type: int
          size:
            description:
              - Size limit in bytes, or with one of the units V(B), V(KiB), V(MiB), V(GiB), V(TiB), V(PiB) and V(EiB).
              - Units are powers of 1024, so V(10G), V(10gb) and V(10GiB) are equal.
              - V(0) means no limit. Creating a quota requires this or O(volumes[].quotas[].inodes).
            type: str
          inodes:
            description:
              - Limit on the number of inodes. V(0) means no limit. See O(create_only_changes).
              - What exactly is counted is not specified.
            type: int
          extra_fields:
            description:
              - Additional fields for a new quota, under the names of the API, sent as given.
              - Compared and reported as by M(managedfs.console.quota).
              - Set C(no_log) on the task if it contains a secret.
            type: dict
            default: {}
          state:
            description: Whether the quota should exist.
            type: str
            choices: [present, absent]
            default: present
  ignore:
    description:
      - Patterns for the keys of records that are somebody else's, in all volumes. What matches is neither compared nor changed nor purged,
        and is counted as ignored. Deleting a volume also deletes what is ignored in it.
      - Patterns are case-sensitive shell patterns in which V(*) also matches C(/). Those of quotas begin with C(/) or C(*). A record
        without a key is matched as blank text, and so is one whose key holds a secret.
      - An item with a key that matches is an error. White space at the ends of a key does not matter.
    type: dict
    suboptions:
      volumes:
        description: Patterns for the name of volumes.
        type: list
        elements: raw
      exports:
        description: Patterns for the desc of exports.
        type: list
        elements: raw
      quotas:
        description: Patterns for the path of quotas.
        type: list
        elements: raw
  only:
    description:
      - Names of the volumes that the task is about, or patterns for them, with C(*), C(?) and C([...]) as in O(ignore).
      - Everything else is left alone. It is neither read below, nor planned, purged or counted. A pattern that matches no item and no volume
        is an error.
    type: list
    elements: raw
  consoles:
    description:
      - Addresses of the consoles that the items are for. If O(console_url) is another one, the task fails before the first request.
      - Different spellings of the same address count as equal. Host names are not resolved.
    type: list
    elements: str
  purge:
    description:
      - Lists from which to delete every record that no item claims by its key or id, in volumes whose item has that list.
      - With V(exports), this includes exports that the console made itself, such as one without a description for a new volume.
      - Fails if it would leave none of the records in a list that are not ignored, unless O(max_deletions) allows that.
    type: list
    elements: str
    choices: [exports, quotas]
    default: []
  wait:
    description:
      - Whether to wait until volumes can be used, on consoles that report this.
      - A volume is not checked if all records in one of its lists are as wanted, since it must already be usable.
    type: bool
    default: true
"""

EXAMPLES = r"""
- name: Bring two volumes to what is wanted, and remove quotas that are not in the list
  managedfs.console.volumes:
    volumes:
      - name: projects
        bucket: https://projects.s3.example.com
        exports:
          - {desc: web, iprange: 192.168.0.0/24, readonly: true}
        quotas:
          - {path: /home/alice, size: 10GiB}
          - {path: /home/bob, size: 20GiB}
      - name: scratch
        state: absent
    purge: [quotas]
"""

RETURN = r"""
msg:
  description:
    - What was done, or would be done in check mode, in one sentence. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "volumes: 1 created, 39 unchanged; quotas: 2 created, 4,998 unchanged"
volumes:
  description: What was done to volumes, or would be done in check mode. See RV(not_listed).
  returned: always
  type: dict
  contains:
    created:
      description: The name of each that was created.
      type: list
      elements: str
    updated:
      description: The name of each that was updated. Always empty, since a console cannot change a volume.
      type: list
      elements: str
    deleted:
      description: The name of each that was deleted.
      type: list
      elements: str
    unchanged:
      description: Number of items that needed no change.
      type: int
  sample:
    created: [archive]
    updated: []
    deleted: []
    unchanged: 0
exports:
  description: What was done to exports of all volumes, or would be done in check mode. See RV(not_listed).
  returned: always
  type: dict
  contains:
    created:
      description: Volume and description of each that was created.
      type: list
      elements: str
    updated:
      description: Volume and description of each that was updated.
      type: list
      elements: str
    deleted:
      description: Volume and description of each that was deleted.
      type: list
      elements: str
    unchanged:
      description: Number of items that needed no change.
      type: int
  sample:
    created: ["projects: web"]
    updated: []
    deleted: []
    unchanged: 0
quotas:
  description: What was done to quotas of all volumes, or would be done in check mode. See RV(not_listed).
  returned: always
  type: dict
  contains:
    created:
      description: Volume and path of each that was created.
      type: list
      elements: str
    updated:
      description: Volume and path of each that was updated.
      type: list
      elements: str
    deleted:
      description: Volume and path of each that was deleted.
      type: list
      elements: str
    unchanged:
      description: Number of items that needed no change.
      type: int
  sample:
    created: ["projects: /home/alice"]
    updated: []
    deleted: []
    unchanged: 0
counts:
  description: How many records there are of each kind. Complete, also where the lists are cut.
  returned: always
  type: dict
  contains:
    volumes:
      description: Counts of volumes.
      type: dict
      contains: &counts
        created:
          description: How many were created.
          type: int
        updated:
          description: How many were updated.
          type: int
        deleted:
          description: How many were deleted.
          type: int
        unchanged:
          description: How many items needed no change.
          type: int
        failed:
          description: How many failed.
          type: int
        ignored:
          description: How many are somebody else's. See O(ignore).
          type: int
        unmanaged:
          description:
            - How many stay although no item names them. Volumes, and the records of lists that items give. Those of a rotation in
              progress are left out.
          type: int
    exports:
      description: Counts of exports.
      type: dict
      contains: *counts
    quotas:
      description: Counts of quotas.
      type: dict
      contains: *counts
errors:
  description: What failed. See RV(not_listed).
  returned: always
  type: list
  elements: dict
  contains:
    volume:
      description: Name of the volume, or the position of its item if it has none.
      returned: always
      type: str
    kind:
      description: Which list failed, C(volumes), C(exports) or C(quotas).
      returned: always
      type: str
    key:
      description: The key of the record, as in the lists of what was done.
      returned: always
      type: str
    msg:
      description: What went wrong, and what to do. An invalid item is named by its position, counted from 1.
      returned: always
      type: str
  sample: []
plan_warnings:
  description:
    - Reasons why changes are valid but probably not meant, such as a tiny size without a unit, or an export that lets any address write.
      Records that stay as they are have none. Each is a warning, too. See O(fail_on_plan_warnings).
    - See RV(not_listed) for those beyond the size of a result.
  returned: always
  type: list
  elements: dict
  contains:
    volume:
      description: Name of the volume.
      returned: always
      type: str
    kind:
      description: The list, C(volumes), C(exports) or C(quotas).
      returned: always
      type: str
    key:
      description: The key of the record, as in the lists of what was done.
      returned: always
      type: str
    msg:
      description: What is likely a mistake, and what was probably meant.
      returned: always
      type: str
  sample: []
changes:
  description:
    - What was done, or would be done in check mode, with one entry for each record, grouped by volume. See RV(not_listed).
    - Values are as in the results of the info modules, secrets masked.
  returned: always
  type: list
  elements: dict
  contains:
    volume:
      description: Name of the volume, with its identifier if several have the name.
      returned: always
      type: str
    kind:
      description: The list, C(volumes), C(exports) or C(quotas).
      returned: always
      type: str
    key:
      description: The name, description or path of the record, or C(id) and its identifier if it has none.
      returned: always
      type: str
    id:
      description: Identifier of the record, V(null) if it is still to be created.
      returned: always
      type: int
    action:
      description: What is done, V(create), V(update) or V(delete).
      returned: always
      type: str
    fields:
      description: The fields that differ, by name.
      returned: always
      type: dict
      contains:
        size:
          description: The limit of a quota in bytes, if it differs. Other fields likewise.
          type: dict
          contains:
            before:
              description: The value before the task, V(null) if there was none.
              type: int
            after:
              description: The value after it, V(null) if there is none.
              type: int
    lost:
      description: How much goes with a deleted volume.
      returned: if a volume is deleted
      type: dict
      contains:
        exports:
          description: Number of its exports, V(null) if they cannot be read.
          type: int
        quotas:
          description: Number of its quotas, V(null) if they cannot be read.
          type: int
        ignored:
          description: How many of both O(ignore) matches.
          returned: if there are any
          type: int
  sample:
    - {volume: projects, kind: quotas, key: /home/alice, id: 5, action: update, fields: {size: {before: 10737418240, after: 1099511627776}}}
not_listed:
  description:
    - How many entries are counted in RV(counts) but left out of the lists.
    - The lists are bounded, so that AWX keeps the whole result.
  returned: if something was left out
  type: dict
  contains:
    volumes:
      description: How many entries of RV(volumes) are left out.
      returned: if there are any
      type: dict
      contains: &left_out
        created:
          description: How many created ones.
          returned: if there are any
          type: int
        updated:
          description: How many updated ones.
          returned: if there are any
          type: int
        deleted:
          description: How many deleted ones.
          returned: if there are any
          type: int
    exports:
      description: How many entries of RV(exports) are left out.
      returned: if there are any
      type: dict
      contains: *left_out
    quotas:
      description: How many entries of RV(quotas) are left out.
      returned: if there are any
      type: dict
      contains: *left_out
    errors:
      description: How many entries of RV(errors) are left out.
      returned: if there are any
      type: int
    plan_warnings:
      description: How many entries of RV(plan_warnings) are left out.
      returned: if there are any
      type: int
    changes:
      description: How many entries of RV(changes) are left out.
      returned: if there are any
      type: int
  sample:
    quotas: {created: 45000}
diff:
  description:
    - The changes as text, one line for each, grouped by volume. C(+) creates, C(~) updates and C(-) deletes. Secrets are masked, and
      sizes have a unit where that is exact.
    - Long diffs are cut. The last line says how much is not shown, by volume.
  returned: in diff mode
  type: dict
  contains:
    prepared:
      description: The text.
      type: str
  sample:
    prepared: |
      volume projects
        + export web: 192.168.0.0/24, read-only
        ~ quota /home/alice: size 10GiB → 1TiB
        - quota /home/bob: size 20GiB
unverified:
  description:
    - Names of fields for which the console does not show whether they are as wanted, for some records, by C(volumes), C(exports)
      and C(quotas).
    - After an update, also hidden fields that it left out, since the console may have reset them.
  returned: if there are such fields
  type: dict
  contains:
    volumes:
      description: Fields of volumes.
      returned: if there are any
      type: list
      elements: str
    exports:
      description: Fields of exports.
      returned: if there are any
      type: list
      elements: str
    quotas:
      description: Fields of quotas.
      returned: if there are any
      type: list
      elements: str
  sample:
    quotas: [inodes]
unmanaged:
  description: The first ten keys of records that no item names and that stay, by kind.
  returned: once everything is planned
  type: dict
  contains:
    volumes:
      description: Keys of volumes.
      returned: if there are any
      type: list
      elements: str
    exports:
      description: Keys of exports.
      returned: if there are any
      type: list
      elements: str
    quotas:
      description: Keys of quotas.
      returned: if there are any
      type: list
      elements: str
  sample: {exports: ["projects: web"]}
unmanaged_open:
  description: The keys of exports that no item names and that let any address in. If they are many or long, the first of them.
  returned: once everything is planned
  type: list
  elements: str
  sample: ["projects: web"]
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
  description: The request that made the task fail, or the first of several.
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
      sample: /api/v1/volumes/7/quotas/5
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.bulk import list_operation


def main() -> None:
    """Run the module."""
    run_module(list_operation(VOLUME))


if __name__ == "__main__":
    main()
