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
  - Manages a whole list of exports of one volume with one read, one plan, concurrent writes, and one read back. Thousands of
    exports take seconds, where a loop takes minutes.
  - Each item is treated as by M(managedfs.console.export). Items that are invalid, ambiguous, or refer to the same export make
    the task fail before anything is written. One message names them by their position in the list, counted from 1.
  - If some items fail, the others are processed nevertheless. The task then fails and reports what was done and what was not,
    and the next run continues from there. Deletions come last.
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._attributes.comparing
  - managedfs.console._in_volume
  - managedfs.console._in_volume.updates
  - managedfs.console._many
  - managedfs.console._plan
  - managedfs.console._plan.lists
options:
  exports:
    description: The exports that should exist, or should not.
    type: list
    elements: dict
    required: true
    suboptions:
      desc:
        description:
          - Description of the export, by which it is identified. Required if O(exports[].id) is not set.
          - If O(exports[].id) is set as well, the export gets this description.
          - If several exports of the volume have this description, the task fails and lists their ids.
        type: str
      renamed_from:
        description:
          - The former desc of an export that is to be renamed to O(exports[].desc). The export keeps its id, and with it its token.
          - If the export has its new desc already, this does nothing and can be removed. If neither exists, the export is created. If
            both exist, the task fails.
          - Must not be the desc of another item. Mutually exclusive with O(exports[].id) and O(exports[].state=absent).
        type: str
      id:
        description: Identifier that the console assigned to the export.
        type: int
      iprange:
        description:
          - Addresses that may use the export, as a network in CIDR notation, a single address, or V(*) for any address.
          - Required to create an export. V(*) is never assumed.
          - Sent as written and compared as a network, so that V(192.168.0.1/24) and V(192.168.0.0/24) are equal.
            V(*) and V(0.0.0.0/0) are different values.
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
  ignore:
    description:
      - Patterns for the desc of exports that are somebody else's. They are neither compared nor changed nor purged, and are counted as ignored.
      - Patterns are case-sensitive shell patterns in which V(*) also matches C(/). An export without a desc is matched as blank text.
      - An item with a desc that matches is an error. White space at the ends of a desc does not matter.
    type: list
    elements: raw
  purge:
    description:
      - Whether to delete every export of the volume that no item claims by its desc or id. Other volumes are not touched.
      - To delete one of two exports with the same desc, claim the other by its O(exports[].id).
      - This includes exports that the console made itself, such as one without a description for a new volume.
      - Fails if it would leave none of the exports that are not ignored, unless O(max_deletions) allows that.
    type: bool
    default: false
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
  description:
    - What was done, or would be done in check mode, in one sentence. After a failure, what went wrong and what to do.
  returned: always
  type: str
  sample: "exports of volume 'projects': 1 created, 1 unchanged"
created:
  description: The desc of each export that was created, or would be created in check mode. See RV(not_listed).
  returned: always
  type: list
  elements: str
  sample: [web]
updated:
  description: The desc of each export that was updated. See RV(not_listed).
  returned: always
  type: list
  elements: str
  sample: []
deleted:
  description: The desc of each export that was deleted, or C(id) and its identifier if it has none. See RV(not_listed).
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
  description: How many exports there are of each kind. Complete, also where the lists are cut.
  returned: always
  type: dict
  contains:
    created:
      description: Number of exports that were created.
      type: int
    updated:
      description: Number of exports that were updated.
      type: int
    deleted:
      description: Number of exports that were deleted.
      type: int
    unchanged:
      description: Number of items that needed no change.
      type: int
    failed:
      description: Number of items that failed, and of exports that could not be purged.
      type: int
    ignored:
      description: Number of exports that O(ignore) matches.
      type: int
    unmanaged:
      description: Number of exports that stay although no item names them. Those of a rotation in progress are left out.
      type: int
  sample:
    created: 1
    updated: 0
    deleted: 0
    unchanged: 1
    failed: 0
    ignored: 0
    unmanaged: 0
errors:
  description: What failed. See RV(not_listed).
  returned: always
  type: list
  elements: dict
  contains:
    key:
      description: The desc of the item, or its position if it has none.
      returned: always
      type: str
    msg:
      description:
        - What went wrong, and what to do.
        - An invalid item is named by its position in the list, counted from 1, and by its desc as the task spells it.
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
      description: Name of the volume.
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
        iprange:
          description: The range of addresses, if it differs. Other fields likewise.
          type: dict
          contains:
            before:
              description: The value before the task, V(null) if there was none.
              type: str
            after:
              description: The value after it, V(null) if there is none.
              type: str
  sample:
    - {volume: projects, kind: exports, key: web, id: 5, action: update, fields: {iprange: {before: "*", after: 192.168.0.0/24}}}
not_listed:
  description:
    - How many entries are counted in RV(counts) but left out of the lists, by the name of the list.
    - The lists are bounded, so that AWX keeps the whole result.
  returned: if something was left out
  type: dict
  contains:
    created:
      description: How many entries of RV(created) are left out.
      returned: if there are any
      type: int
    updated:
      description: How many entries of RV(updated) are left out.
      returned: if there are any
      type: int
    deleted:
      description: How many entries of RV(deleted) are left out.
      returned: if there are any
      type: int
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
    updated: 45000
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
        + export backup: 192.168.0.0/24, read-only
        ~ export web: iprange * → 192.168.0.0/24
        - export old: *
unverified:
  description:
    - Names of fields for which the console does not show whether they are as wanted, for some exports.
    - After an update, also hidden fields that it left out, since the console may have reset them.
  returned: if there are such fields
  type: list
  elements: str
  sample: [readonly]
unmanaged:
  description: The first ten keys of records that no item names and that stay, by kind.
  returned: once everything is planned
  type: dict
  contains:
    exports:
      description: Keys of exports.
      returned: if there are any
      type: list
      elements: str
  sample: {exports: [web]}
unmanaged_open:
  description: The keys of exports that no item names and that let any address in. If they are many or long, the first of them.
  returned: once everything is planned
  type: list
  elements: str
  sample: ["web"]
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
      sample: /api/v1/volumes/7/exports/3
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.bulk import list_operation


def main() -> None:
    """Run the module."""
    run_module(list_operation(EXPORT))


if __name__ == "__main__":
    main()
