# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folders that state files are in, as users name them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

_OWN_PLAYBOOKS = Path(__file__).resolve().parents[2] / "playbooks"


def resolve_path(path: str, variables: Mapping[str, Any]) -> Path:
    """Return the absolute path for one that a task gives.

    A relative one begins at the playbook's folder, as elsewhere in Ansible. The playbooks of this collection are not in
    the user's project, so with them it begins at the working directory.
    """
    folder = Path(str(variables.get("playbook_dir") or "."))
    base = Path.cwd() if folder.resolve() == _OWN_PLAYBOOKS else folder
    return (base / Path(path).expanduser()).absolute()
