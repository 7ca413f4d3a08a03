#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Manage many exports in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: exports
short_description: Manage many exports of a volume in one task
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Manages a list of exports of one volume in one task. Thousands take seconds, where a loop takes minutes.
  - Each item is treated as by M(managedfs.console.export). An item that is invalid, or means the same export as another one, makes
    the task fail before it writes.
  - If some items fail, the others are done nevertheless. The task fails and names them, and the next run goes on from there.
options:
  exports:
    description: The exports that should exist, or should not.
    type: list
    elements: dict
    required: true
    suboptions:
      desc:
        description: Description of the export, which identifies it. With O(exports[].id), the export gets this description.
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
        description: The console's field C(apionly), of unspecified meaning. V(false) for a new export. See O(create_only_changes).
        type: bool
      state:
        description: Whether the export should exist.
        type: str
        choices: [present, absent]
        default: present
      renamed_from:
        description:
          - Former desc of an export that is to be renamed, which keeps its id and token. Once it is renamed, this does nothing,
            and can stay.
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
  purge:
    description:
      - Whether to delete all exports of the volume that no item names by desc or id. Also those that the console itself made
        with the volume.
    type: bool
    default: false
  ignore:
    description:
      - Case-sensitive shell patterns for the desc of exports that others manage, which are only counted. V("") is a blank desc.
      - V(*) also matches C(/). An item that matches is an error.
    type: list
    elements: raw
extends_documentation_fragment:
  - managedfs.console._in_volume
  - managedfs.console._plan
  - managedfs.console._plan.lists
  - managedfs.console._in_volume.updates
  - managedfs.console._many
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
"""

EXAMPLES = r"""
- name: Manage several exports in one task
  managedfs.console.exports:
    volume: projects
    exports:
      - desc: web
        iprange: 192.168.0.0/24
        readonly: true
      - desc: backup
        iprange: 10.1.2.3
      - desc: old office
        state: absent

- name: Manage one export and delete all others
  managedfs.console.exports:
    volume: projects
    exports:
      - desc: web
        iprange: 192.168.0.0/24
    purge: true
"""

RETURN = r"""
msg:
  description: What was done, or would be done in check mode. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "exports of volume 'projects': 1 created, 1 unchanged"
created:
  description: Desc of each export that was created, or would be in check mode.
  returned: always
  type: list
  elements: str
  sample: [web]
updated:
  description: Desc of each export that was updated.
  returned: always
  type: list
  elements: str
  sample: []
deleted:
  description: Desc of each export that was deleted, or C(id) and its id.
  returned: always
  type: list
  elements: str
  sample: []
unchanged:
  description: Number of items that needed no change.
  returned: always
  type: int
  sample: 1
counts:
  description: Number of exports by what became of them. Complete, also where lists are cut.
  returned: always
  type: dict
  sample:
    created: 1
    updated: 0
    deleted: 0
    unchanged: 1
    failed: 0
    ignored: 0
    unmanaged: 0
errors:
  description: What failed, each with its C(key), and what to do in C(msg).
  returned: always
  type: list
  elements: dict
  sample: []
plan_warnings:
  description: Likely mistakes in what is changed, each with its C(key) and C(msg). Each is a warning, too.
  returned: always
  type: list
  elements: dict
  sample: []
changes:
  description: What was done, or would be done in check mode or by a refused plan, with the fields that differ, secrets masked.
  returned: always
  type: list
  elements: dict
  sample:
    - {volume: projects, kind: exports, key: web, id: 5, action: update, fields: {iprange: {before: "*", after: 192.168.0.0/24}}}
diff:
  description:
    - A line for each change, grouped by volume. C(+) creates, C(~) updates and C(-) deletes. Long diffs are cut, and say so.
  returned: in diff mode
  type: dict
  sample:
    prepared: |
      volume projects
        + export backup: 192.168.0.0/24, read-only
        ~ export web: iprange * → 192.168.0.0/24
        - export old: *
not_listed:
  description: How many entries of each list are left out, since AWX keeps 700,000 bytes of a result.
  returned: if something was left out
  type: dict
  sample: {changes: 45000}
unmanaged:
  description: The first ten exports that stay although no item names them.
  returned: once everything is planned
  type: dict
  sample: {exports: [web]}
unmanaged_open:
  description: Those exports among them that let any address in.
  returned: once everything is planned
  type: list
  elements: str
  sample: [web]
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

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.bulk import list_operation


def main() -> None:
    """Run the module."""
    run_module(list_operation(EXPORT))


if __name__ == "__main__":
    main()
