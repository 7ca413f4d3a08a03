# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What files of a desired state hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.reading import read_state


def items_in(source: Path, shown: str, decrypt: Callable[[bytes], bytes]) -> list[dict[str, Any]]:
    """Return the items in the files at a path, as they are written there."""
    return [entry.item for entry in read_state(source, shown, decrypt).entries]
