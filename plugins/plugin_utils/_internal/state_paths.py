# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folders that state files are in, as users name them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.records import format_value

_MAX_SHOWN = 80
_OWN_PLAYBOOKS = Path(__file__).resolve().parents[3] / "playbooks"


def resolve_path(path: str, variables: Mapping[str, Any]) -> Path:
    """Return the absolute path for one that a task gives; ConsoleError for one that nothing can have or be read at.

    A relative one begins at the playbook's folder, as elsewhere in Ansible. The playbooks of this collection are not in
    the user's project, so with them it begins at the working directory.
    """
    folder = Path(str(variables.get("playbook_dir") or "."))
    base = Path.cwd() if folder.resolve() == _OWN_PLAYBOOKS else folder
    try:
        resolved = (base / Path(path).expanduser()).absolute()
        resolved.stat()
    except (FileNotFoundError, NotADirectoryError):
        # Whoever uses the path knows whether that is an error.
        return resolved
    except (OSError, RuntimeError, ValueError) as error:
        # Errors of the system repeat the path, which may be what is too long.
        reason = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
        raise ConsoleError(f"{format_value(path[:_MAX_SHOWN])}: this path cannot be used: {reason}.") from None
    return resolved
