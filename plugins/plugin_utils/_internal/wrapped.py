# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values in the wrappings of Ansible: text that is still encrypted is none to the rest of the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...module_utils._internal.json_values import is_too_deep

try:
    from ansible.parsing.vault import EncryptedString as VaultedText
except ImportError:  # before ansible-core 2.19
    from ansible.parsing.yaml.objects import AnsibleVaultEncryptedUnicode as VaultedText  # type: ignore[no-redef]

__all__ = ["VaultedText", "unwrap"]


def unwrap(value: Any) -> Any:
    """Return a copy of a value with all text decrypted; one that is nested too deeply as it is."""
    return value if is_too_deep(value) else _unwrap(value)


def _unwrap(value: Any) -> Any:
    if isinstance(value, VaultedText):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _unwrap(inner) for name, inner in value.items()}
    return [_unwrap(inner) for inner in value] if isinstance(value, (list, tuple)) else value
