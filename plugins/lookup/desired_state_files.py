# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lookup that reads the desired state of a console from files."""

from __future__ import annotations

DOCUMENTATION = r"""
name: desired_state_files
short_description: Read the desired state of a console from files
version_added: 1.0.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Reads a file, or all files of a folder, and returns the items that M(managedfs.console.volumes) takes.
  - Items are checked as by that module. If anything is wrong, the lookup fails, and its message names every file, and the line or
    item in it.
  - A file holds one volume, a list of volumes, or comments only, which means no volume.
options:
  _terms:
    description:
      - One file, or one folder. All files in the folder and in its subfolders whose names end in C(.yml) or C(.yaml) are read, in
        alphabetical order. Files and folders whose names begin with a dot are skipped. Links to folders are not followed.
      - A link to a file must lead to one in the same folder or below it, or the lookup fails. This does not hold for the path that is
        given here.
      - A relative path begins at the folder of the playbook. With a playbook of this collection, such as
        C(managedfs.console.apply), it begins at the working directory.
    type: list
    elements: str
    required: true
  content:
    description:
      - What to return. With V(volumes), the items. With V(console), a dictionary of the options O(managedfs.console.volumes#module:consoles)
        and O(managedfs.console.volumes#module:ignore), as far as a file C(console.yml) gives them.
      - That file is read from the folder, from each of its subfolders, and from the folder of a single file. Two that differ are an error.
    type: str
    choices: [volumes, console]
    default: volumes
  with_source:
    description: Whether each item says in O(managedfs.console.volumes#module:volumes[].source) which file it is from.
    type: bool
    default: false
notes:
  - Use C(query), not C(lookup), which would return a single volume outside of a list.
  - Files are UTF-8 text. They are plain data, in which templates and tags such as C(!vault) are not supported. A file that is
    encrypted as a whole with C(ansible-vault) is decrypted. A duplicate key is an error.
  - Values are those of YAML 1.2, but for numbers such as C(1e3), C(0o17) and C(0x1F), which are text. C(true), C(false), C(null),
    whole numbers such as C(1024) and fractions such as C(1.5) are what they look like. Anything else is text as it is written, such
    as C(no), C(010), C(12:30), C(1_000) and dates. Where an option is text, a fraction, C(true) and C(false) must be quoted.
  - Files must be regular files of at most 16 MiB. Anything else is an error.
  - A volume that is described twice, by one name or by one C(id), is an error. Of several volumes with one name, each needs its C(id).
seealso:
  - plugin: managedfs.console.desired_state_files
    plugin_type: module
  - module: managedfs.console.volumes
"""

EXAMPLES = r"""
- name: Bring a console to its desired state
  managedfs.console.volumes:
    volumes: "{{ query('managedfs.console.desired_state_files', 'desired') }}"
"""

RETURN = r"""
_list:
  description: The volumes of all files, as M(managedfs.console.volumes) takes them.
  type: list
  elements: dict
"""

from collections.abc import Mapping
from typing import Any

from ansible.errors import AnsibleLookupError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.plugins.lookup import LookupBase

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import Options, read_given
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_files import (
    read_console,
    read_state,
    resolve_path,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.vault import decrypter
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.wrapped import unwrap

_OPTIONS: Options = {
    "content": {"type": "str", "choices": ["volumes", "console"], "default": "volumes"},
    "with_source": {"type": "bool", "default": False},
}


class LookupModule(LookupBase):
    """Reads files on the controller."""

    def run(self, terms: list[Any], variables: Mapping[str, Any] | None = None, **options: Any) -> list[dict[str, Any]]:
        """Return the items of all files, or the options of `volumes` that tell which console they are for."""
        # Loops of older versions of ansible-core pass wantlist to every lookup.
        options.pop("wantlist", None)
        # Ansible does not refuse what a lookup does not have.
        validated = ArgumentSpecValidator(_OPTIONS).validate(read_given(_OPTIONS, unwrap(options)))
        if validated.error_messages:
            raise AnsibleLookupError(f"wrong options: {' '.join(validated.error_messages)}")
        given = validated.validated_parameters
        try:
            path = _path_in(unwrap(terms))
            files = (resolve_path(path, variables or {}), path, decrypter(self._loader))
            if given["content"] == "console":
                return [read_console(*files).to_options()]
            return read_state(*files, given["with_source"])
        except ConsoleError as error:
            raise AnsibleLookupError(str(error)) from None


def _path_in(terms: list[Any]) -> str:
    if len(terms) != 1 or not isinstance(terms[0], str) or not terms[0].strip():
        raise ConsoleError("desired_state_files needs the path of one file or folder.")
    return terms[0]
