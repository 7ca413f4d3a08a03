# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turn the records of a console into the facts of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ansible.errors import AnsibleFilterError

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    LISTS_OF_VOLUME,
    is_blank,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_facts import Facts, build_facts
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.wrapped import unwrap

DOCUMENTATION = r"""
name: report_facts
short_description: Turn the records of a console into the facts of a report
version_added: 1.0.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Tells how a console differs from a desired state, who may use its volumes, and which limits there are.
  - The module M(managedfs.console.report_files), and with it the role P(managedfs.console.report#role), writes these facts as a page,
    as Markdown and as JSON. Use the filter to build a report of your own, or to decide by what it counts.
  - Nothing is requested and nothing is changed. What differs is what the module M(managedfs.console.volumes) would report in
    check mode.
  - Secrets are masked, also in records that were read with O(managedfs.console.volume_info#module:include_tokens). What a
    mask hides is not compared.
  - Characters that do not show, such as control characters, are written as escapes.
options:
  _input:
    description: The records that M(managedfs.console.volume_info) returns if it gathers V(exports) and V(quotas).
    type: list
    elements: dict
    required: true
  desired:
    description:
      - The desired state, as the option O(managedfs.console.volumes#module:volumes) takes it.
      - Without it, nothing is compared. Blank text counts as not given. An empty list is a desired state that says nothing.
    type: list
    elements: dict
  purge:
    description: The option O(managedfs.console.volumes#module:purge) that goes with the desired state.
    type: list
    elements: str
    choices: [exports, quotas]
    default: []
  console:
    description: Address of the console. Only its host and port become part of the facts.
    type: str
    default: ''
  ignore:
    description: The option O(managedfs.console.volumes#module:ignore) that goes with the desired state.
    type: dict
  only:
    description: The option O(managedfs.console.volumes#module:only) that goes with the desired state.
    type: list
    elements: str
"""

EXAMPLES = r"""
- name: List everything
  managedfs.console.volume_info:
    gather: [exports, quotas]
  register: listed

- name: Fail where anybody can write
  ansible.builtin.assert:
    that: (listed.volumes | managedfs.console.report_facts).counts.open_to_write == 0
    fail_msg: Some exports can be written to from any address.

- name: Show what differs from the desired state
  ansible.builtin.debug:
    msg: "{{ (listed.volumes | managedfs.console.report_facts(desired=desired, purge=['exports'])).drift }}"
  vars:
    desired:
      - name: projects
        exports:
          - {desc: web, iprange: 192.168.0.0/24, readonly: true}
"""

RETURN = r"""
_value:
  description: The facts of the report.
  type: dict
  contains:
    console:
      description: Host and port of the console.
      type: str
      sample: console.example.com
    only:
      description: The names and patterns of O(only), if the facts are about these volumes alone. Empty if they are about the whole console.
      type: list
      elements: str
      sample: []
    counts:
      description: How much there is of everything. All values are numbers.
      type: dict
      contains:
        consoles:
          description: Always 1, so that the sum over several consoles is their number.
          type: int
        consoles_compared:
          description: 1 if there is a desired state, otherwise 0.
          type: int
        volumes:
          description: Number of volumes.
          type: int
        exports:
          description: Number of exports.
          type: int
        quotas:
          description: Number of quotas.
          type: int
        quota_bytes:
          description: Sum of the sizes of the quotas, in bytes. One without a limit, or whose size is not shown, counts as 0.
          type: int
        open_to_write:
          description: Number of exports and access rules that let any address write.
          type: int
        unknown_access:
          description: Number of exports and access rules of which the console does not show who may do what.
          type: int
        cannot_be_applied:
          description: Number of problems that keep the desired state from being applied.
          type: int
        to_create:
          description: Number of records to be created.
          type: int
        to_update:
          description: Number of records to be updated.
          type: int
        to_delete:
          description: Number of records to be deleted.
          type: int
        not_in_desired_state:
          description: Number of records that exist, that no item claims, and that would be left alone.
          type: int
        not_compared:
          description: Number of fields that the console does not show, or not completely, so that they were not compared.
          type: int
    drift:
      description: What differs from the desired state, V(null) if there is none.
      type: dict
      contains:
        cannot_be_applied:
          description:
            - What is wrong with the desired state. Nothing can be applied until it is corrected.
            - And the lists that no task can work with, since the console shows their records without a usable description or path.
          type: list
          elements: dict
          contains: &place
            kind:
              description: V(volumes), V(exports) or V(quotas).
              type: str
            volume:
              description: Name of the volume, or its id.
              type: str
            key:
              description: What identifies the export or the quota in its volume. Volumes have none, nor has a list as a whole.
              type: str
            message:
              description: What is wrong, and what to do.
              returned: in RV(_value.drift.cannot_be_applied)
              type: str
            exports:
              description: Number of exports that go with the volume.
              returned: in RV(_value.drift.to_delete), if RV(_value.drift.to_delete[].kind) is V(volumes)
              type: int
            quotas:
              description: Number of quotas that go with the volume.
              returned: in RV(_value.drift.to_delete), if RV(_value.drift.to_delete[].kind) is V(volumes)
              type: int
            fields:
              description: What changes.
              returned: in RV(_value.drift.to_create), RV(_value.drift.to_update) and RV(_value.drift.to_delete)
              type: list
              elements: dict
              contains:
                field:
                  description: Name of the option. The key of a new or deleted record is not repeated.
                  type: str
                actual:
                  description: The value that the record has. A new one has none.
                  type: raw
                wanted:
                  description: The value that the record is to have. One to be deleted has none.
                  type: raw
        to_create:
          description: Records that would be created.
          type: list
          elements: dict
          contains: *place
        to_update:
          description: Records that would be updated.
          type: list
          elements: dict
          contains: *place
        to_delete:
          description: Records that would be deleted.
          type: list
          elements: dict
          contains: *place
        not_in_desired_state:
          description: Records that no item claims, and that would be left alone. A list that an item leaves out is not compared.
          type: list
          elements: dict
          contains: *place
        not_compared:
          description: Fields that the desired state gives and that could not be compared.
          type: list
          elements: dict
          contains:
            kind:
              description: V(volumes), V(exports) or V(quotas).
              type: str
            field:
              description: Name of the option.
              type: str
            count:
              description: Number of records.
              type: int
    ignored:
      description: How many records were not compared, since they are somebody else's. They are in the other parts nevertheless.
      type: list
      elements: dict
      contains:
        kind:
          description: V(volumes), V(exports) or V(quotas).
          type: str
        count:
          description: Number of records.
          type: int
    rotating:
      description: Exports of a rotation that is in progress. Those that no item claims are left alone, and count nowhere in RV(_value.drift).
      type: list
      elements: dict
      contains:
        kind:
          description: Always V(exports).
          type: str
        volume:
          description: Name of the volume, or its id.
          type: str
        key:
          description: Description of the export, or its id.
          type: str
    access:
      description:
        - Exports, in groups, and with them the access rules of volumes that match no export of the volume.
        - Any address means V(*), or networks that contain all addresses.
      type: dict
      contains:
        open_to_write:
          description: Any address can write, or append.
          type: list
          elements: dict
          contains: &access
            kind:
              description: V(exports) or V(access_rules).
              type: str
            volume:
              description: Name of the volume, or its id.
              type: str
            key:
              description: Description of the export, or its id. Access rules have none.
              type: str
            iprange:
              description: Range of addresses as the console shows it.
              type: str
            from:
              description: V(any address), V(some addresses) or V(unknown).
              type: str
            access:
              description: V(write), V(append), V(read) or V(unknown).
              type: str
            apionly:
              description: The field as the console shows it, V(null) if it does not.
              type: bool
        unknown_access:
          description: The console does not show the range or the permission, or not in a way that can be read.
          type: list
          elements: dict
          contains: *access
        open_to_read:
          description: Any address can read.
          type: list
          elements: dict
          contains: *access
        limited_to_write:
          description: Some addresses can write, or append.
          type: list
          elements: dict
          contains: *access
        limited_to_read:
          description: Some addresses can read.
          type: list
          elements: dict
          contains: *access
    limits:
      description: The quotas of each volume that has any.
      type: list
      elements: dict
      contains:
        volume:
          description: Name of the volume, or its id.
          type: str
        largest:
          description: The largest size limit in words, V(null) if there is none.
          type: str
        quotas:
          description: The quotas, those without a size limit first, then by their size limits.
          type: list
          elements: dict
          contains:
            path:
              description: Directory inside the volume.
              type: str
            bytes:
              description: Size limit, V(0) for none, V(null) where the console does not show it.
              type: int
            size:
              description: Size limit in words, such as V(10GiB).
              type: str
            percent:
              description: Proportion to the largest size limit of the volume. V(null) without a limit.
              type: int
            inodes:
              description: Limit on the number of inodes in words.
              type: str
    volumes:
      description: The volumes as the console shows them.
      type: list
      elements: dict
      contains:
        volume:
          description: Name of the volume, or its id.
          type: str
        exports:
          description: Number of exports.
          type: int
        quotas:
          description: Number of quotas.
          type: int
        fields:
          description: The documented fields that the console shows, as M(managedfs.console.volume_info) returns them.
          type: dict
"""

_KINDS = [resource.plural for resource in LISTS_OF_VOLUME]


def report_facts(
    volumes: Any, desired: Any = None, purge: Any = (), console: str = "", ignore: Any = None, only: Any = None
) -> Facts:
    """Return the facts of a report on a console."""
    volumes, desired, purge, console, ignore, only = map(unwrap, (volumes, desired, purge, console, ignore, only))
    wanted = None if desired is None or is_blank(desired) else _dictionaries("desired", desired)
    if not isinstance(purge, (list, tuple)) or not all(kind in _KINDS for kind in purge):
        raise AnsibleFilterError(f"report_facts: purge must be a list of some of {', '.join(_KINDS)}.")
    if not isinstance(console, str):
        raise AnsibleFilterError("report_facts: console must be the address of a console, as text.")
    try:
        return build_facts(_dictionaries("the input", volumes), wanted, purge, console, ignore or None, only or None)
    except ConsoleError as error:
        raise AnsibleFilterError(f"report_facts: {error}") from None


def _dictionaries(name: str, value: Any) -> list[Mapping[str, Any]]:
    """Return a list of dictionaries; AnsibleFilterError for anything else."""
    if isinstance(value, list) and all(isinstance(entry, Mapping) for entry in value):
        return [dict(entry) for entry in value]
    raise AnsibleFilterError(f"report_facts: {name} must be a list of dictionaries.")


class FilterModule:
    """The filters of this file."""

    def filters(self) -> dict[str, Callable[..., Facts]]:
        """Return them by name."""
        return {"report_facts": report_facts}
