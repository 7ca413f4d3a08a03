# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that turns what a console has into what `volumes`, `exports` and `quotas` take."""

from __future__ import annotations

DOCUMENTATION = r"""
name: to_desired_state
short_description: Turn listed records into items that describe them
version_added: 1.0.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Turns the records that M(managedfs.console.volume_info), M(managedfs.console.export_info) and M(managedfs.console.quota_info)
    return into the items that M(managedfs.console.volumes), M(managedfs.console.exports) and M(managedfs.console.quotas) take.
  - Applied to the console that the records are from, the items change nothing.
  - Items are sorted by name, description or path. Sizes are written as V(10GiB) where that is exact. What the console assigns,
    such as identifiers, tokens and times, is left out, and so are fields that the modules do not manage.
  - A record whose name, description or path does not identify it, since it is blank or used more than once, keeps its C(id).
    So does one whose name differs from another only in white space at its ends, or contains a password.
  - A quota without a path, where others of the list have one, is left out, since it is that of a user or a group.
  - A field that the console does not show is left out, and so is one whose value no option can give, or that holds a secret.
options:
  _input:
    description:
      - Records of one kind, such as RV(managedfs.console.volume_info#module:volumes).
      - Exports and quotas must be those of one volume. Those of many volumes are converted with their volumes, as
        M(managedfs.console.volume_info) gathers them.
    type: list
    elements: dict
    required: true
  kind:
    description:
      - What the records are.
      - By default, their fields tell. V(volumes) have a C(name), V(exports) a C(desc) and V(quotas) a C(path). If records have none
        of them or several, the filter fails.
    type: str
    choices: [volumes, exports, quotas]
seealso:
  - module: managedfs.console.volumes
"""

EXAMPLES = r"""
- name: List all volumes with their exports and quotas
  managedfs.console.volume_info:
    gather: [exports, quotas]
  register: console

- name: Give another console the same volumes
  managedfs.console.volumes:
    console_url: https://other.example.com
    volumes: "{{ console.volumes | managedfs.console.to_desired_state }}"

- name: List the quotas of one volume
  managedfs.console.quota_info:
    volume: projects
  register: projects

- name: Give another volume the same quotas
  managedfs.console.quotas:
    volume: archive
    quotas: "{{ projects.quotas | managedfs.console.to_desired_state(kind='quotas') }}"
"""

RETURN = r"""
_value:
  description: The items. Empty if there are no records.
  type: list
  elements: dict
  sample:
    - name: projects
      bucket: https://projects.s3.example.com
      region: 1
      exports:
        - desc: web
          iprange: 192.168.0.0/24
          apionly: false
          readonly: true
          appendonly: false
      quotas:
        - path: /home/alice
          size: 10GiB
          inodes: 0
"""

from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.action import unwrap
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files import capture as desired_state


def to_desired_state(records: Any, kind: str | None = None) -> list[dict[str, Any]]:
    """Return the items that describe records as they are."""
    # Of what is undefined, older versions of ansible-core do not tell by themselves.
    bool(records)
    try:
        return desired_state.to_desired_state(unwrap(records), unwrap(kind))
    except ConsoleError as error:
        raise AnsibleFilterError(f"to_desired_state: {error}") from None


class FilterModule:
    """The filter, under its name."""

    def filters(self) -> dict[str, Callable[..., Any]]:
        """Return the filters of this file."""
        return {"to_desired_state": to_desired_state}
