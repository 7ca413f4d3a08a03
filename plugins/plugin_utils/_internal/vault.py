# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Decrypts files that are encrypted as a whole with ansible-vault."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleError
from ansible.parsing.vault import is_encrypted

from ...module_utils._internal.errors import ConsoleError


def decrypter(loader: Any) -> Callable[[bytes], bytes]:
    """Return a function that decrypts the content of a file where it is a vault; ConsoleError where it cannot be."""

    def decrypt(content: bytes) -> bytes:
        if not is_encrypted(content):
            return content
        # The loader decrypts files only. In one of our own, it finds what was read, whatever has become of the source.
        with tempfile.NamedTemporaryFile() as encrypted:
            encrypted.write(content)
            encrypted.flush()
            try:
                decrypted = loader.get_real_file(encrypted.name)
            except AnsibleError:
                raise ConsoleError("it cannot be decrypted: the password of its vault is wrong or missing.") from None
            try:
                return Path(decrypted).read_bytes()
            finally:
                loader.cleanup_tmp_file(decrypted)

    return decrypt
