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
  - Manages volumes with their exports and quotas as one document, which the role P(managedfs.console.apply#role) reads from files.
    Everything is read, then planned, and only then anything is written. Forty volumes with thousands of quotas take seconds.
  - Each item is treated as by M(managedfs.console.volume), its lists as by M(managedfs.console.exports) and
    M(managedfs.console.quotas). An item that is invalid, or means the same record as another one, makes the task fail before it
    writes.
  - Volumes are created first. Deletions come last. If something fails, the rest is done nevertheless, but for the lists of a volume
    that fails. The task fails and names it, and the next run goes on from there.
options:
  volumes:
    description: The volumes that should exist, or should not. Others are never deleted.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: Name of the volume, which identifies it.
        type: str
      exports:
        description: The exports that the volume should have, or should not. If left out, they are neither read nor changed.
        type: list
        elements: dict
        suboptions:
          desc:
            description:
              - Description of the export, which identifies it. With O(volumes[].exports[].id), the export gets this
                description.
            type: str
          iprange:
            description:
              - Network in CIDR notation, single address, or V(*) for any address. Required for a new export.
              - Compared as a network, so that V(192.168.0.1/24) and V(192.168.0.0/24) are equal.
            type: str
          readonly:
            description: Whether clients can only read. V(false) for a new export. See O(create_only_changes).
            type: bool
          appendonly:
            description: Whether clients can only append. V(false) for a new export. See O(create_only_changes).
            type: bool
          apionly:
            description:
              - The console's field C(apionly), of unspecified meaning. V(false) for a new export. See O(create_only_changes).
            type: bool
          state:
            description: Whether the export should exist.
            type: str
            choices: [present, absent]
            default: present
          renamed_from:
            description:
              - Former desc of an export that is to be renamed, which keeps its id and token. Once it is renamed, this does
                nothing, and can stay.
            type: str
          id:
            description: Identifier that the console assigned to the export.
            type: int
          extra_fields:
            description:
              - Further fields of a new export, by their names in the API, sent as they are. A difference is treated as
                O(create_only_changes) says. Set C(no_log) if one is secret.
            type: dict
            default: {}
      quotas:
        description: The quotas that the volume should have, or should not. If left out, they are neither read nor changed.
        type: list
        elements: dict
        suboptions:
          path:
            description:
              - Directory in the volume, such as V(/home/alice), which identifies the quota.
              - Repeated and trailing slashes are removed. With O(volumes[].quotas[].id), the quota is moved to this directory.
            type: str
          size:
            description:
              - Limit in bytes, or with a unit, such as V(10GiB). Units are powers of 1024, so V(10G), V(10GB) and V(10GiB) are
                equal. V(0) is no limit. That the console counts in bytes is assumed. A new quota needs this or
                O(volumes[].quotas[].inodes).
            type: str
          inodes:
            description: Limit on the number of inodes. V(0) is no limit. See O(create_only_changes).
            type: int
          state:
            description: Whether the quota should exist.
            type: str
            choices: [present, absent]
            default: present
          renamed_from:
            description:
              - Former path of a quota that is to be moved, which keeps its id. Once it is moved, this does nothing, and can
                stay.
            type: str
          id:
            description: Identifier that the console assigned to the quota.
            type: int
          extra_fields:
            description:
              - Further fields of a new quota, by their names in the API, sent as they are. A difference is treated as
                O(create_only_changes) says. Set C(no_log) if one is secret.
            type: dict
            default: {}
      bucket:
        description: URL of the object storage of a new volume. Some consoles require it.
        type: str
      region:
        description: Identifier of the region of a new volume. Some consoles require it.
        type: int
      block_size:
        description: The console's field C(blockSize) for a new volume, of unspecified unit.
        type: int
      compress:
        description: Name of the compression algorithm of a new volume.
        type: str
      compatible:
        description: The console's field C(compatible) for a new volume, of unspecified meaning.
        type: bool
      extend:
        description: The console's field C(extend) for a new volume, of unspecified meaning. Blank text is a value here.
        type: str
      state:
        description: Whether the volume should exist. Its exports and quotas are deleted with it.
        type: str
        choices: [present, absent]
        default: present
      id:
        description: Identifier that the console assigned to the volume.
        type: int
      extra_fields:
        description:
          - Further fields of a new volume, by their names in the API, sent as they are. An existing volume must show the same.
            Set C(no_log) if one is secret.
        type: dict
        default: {}
  purge:
    description:
      - Lists from which to delete all records that no item names, in volumes whose item has that list. Also exports that the
        console itself made with a volume.
    type: list
    elements: str
    choices: [exports, quotas]
    default: []
  ignore:
    description:
      - Case-sensitive shell patterns for the keys of records that others manage, which are only counted. They count for all volumes.
      - V(*) also matches C(/). An item that matches is an error. Deleting a volume also deletes what is ignored in it.
    type: dict
    suboptions:
      volumes:
        description: Patterns for names.
        type: list
        elements: raw
      exports:
        description: Patterns for descriptions. V("") is a blank one.
        type: list
        elements: raw
      quotas:
        description: Patterns for paths, which begin with C(/) or C(*).
        type: list
        elements: raw
  only:
    description: Names or patterns of the volumes that the task is limited to. One that matches no item and no volume is an error.
    type: list
    elements: raw
  consoles:
    description: Addresses of the consoles that the items are for. For another one, the task fails before the first request.
    type: list
    elements: str
  wait:
    description: Whether to wait until volumes can be used, on consoles that report this.
    type: bool
    default: true
extends_documentation_fragment:
  - managedfs.console._plan
  - managedfs.console._plan.lists
  - managedfs.console._in_volume.updates
  - managedfs.console._many
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
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
  description: What was done, or would be done in check mode. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "volumes: 1 created, 39 unchanged; quotas: 2 created, 4,998 unchanged"
volumes:
  description: Names of volumes that were created, updated and deleted, or would be in check mode, and the number of items that needed no change.
  returned: always
  type: dict
  sample: {created: [archive], updated: [], deleted: [], unchanged: 0}
exports:
  description: Volume and desc of exports that were created, updated and deleted, or would be in check mode, and the number of items that needed no change.
  returned: always
  type: dict
  sample: {created: ["projects: web"], updated: [], deleted: [], unchanged: 0}
quotas:
  description: Volume and path of quotas that were created, updated and deleted, or would be in check mode, and the number of items that needed no change.
  returned: always
  type: dict
  sample: {created: ["projects: /home/alice"], updated: [], deleted: [], unchanged: 0}
counts:
  description: Number of records by what became of them. Complete, also where lists are cut.
  returned: always
  type: dict
  sample:
    volumes: {created: 1, updated: 0, deleted: 0, unchanged: 39, failed: 0, ignored: 0, unmanaged: 0}
    exports: {created: 1, updated: 0, deleted: 0, unchanged: 80, failed: 0, ignored: 2, unmanaged: 0}
    quotas: {created: 2, updated: 0, deleted: 0, unchanged: 4998, failed: 0, ignored: 0, unmanaged: 1}
errors:
  description: What failed, each with its C(volume), C(kind) and C(key), and what to do in C(msg).
  returned: always
  type: list
  elements: dict
  sample: []
plan_warnings:
  description: Likely mistakes in what is changed, each with its C(volume), C(kind), C(key) and C(msg). Each is a warning, too.
  returned: always
  type: list
  elements: dict
  sample: []
changes:
  description:
    - What was done, or would be done in check mode or by a refused plan, with the fields that differ, secrets masked. C(lost) counts what goes with a
      volume, V(null) if that cannot be read.
  returned: always
  type: list
  elements: dict
  sample:
    - {volume: projects, kind: quotas, key: /home/alice, id: 5, action: update, fields: {size: {before: 10737418240, after: 1099511627776}}}
    - {volume: old, kind: volumes, key: old, id: 4, action: delete, fields: {}, lost: {exports: 1, quotas: 2}}
diff:
  description:
    - A line for each change, grouped by volume. C(+) creates, C(~) updates and C(-) deletes. Long diffs are cut, and say so.
  returned: in diff mode
  type: dict
  sample:
    prepared: |
      volume projects
        + export web: 192.168.0.0/24, read-only
        ~ quota /home/alice: size 10GiB → 1TiB
        - quota /home/bob: size 20GiB
not_listed:
  description: How many entries of each list are left out, since AWX keeps 700,000 bytes of a result.
  returned: if something was left out
  type: dict
  sample: {changes: 45000}
unmanaged:
  description: The first ten of each kind that stay although no item names them.
  returned: once everything is planned
  type: dict
  sample: {exports: ["projects: web"]}
unmanaged_open:
  description: Those exports among them that let any address in.
  returned: once everything is planned
  type: list
  elements: str
  sample: ["projects: web"]
unverified:
  description: Names of fields of which the console does not show whether they are as wanted, by kind.
  returned: if there are such fields
  type: dict
  sample: {quotas: [inodes]}
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
    path: /api/v1/volumes/7/quotas/5
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.bulk import list_operation


def main() -> None:
    """Run the module."""
    run_module(list_operation(VOLUME))


if __name__ == "__main__":
    main()
