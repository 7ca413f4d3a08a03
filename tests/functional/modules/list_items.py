# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Items of quotas, and what is there of them."""

from __future__ import annotations

from typing import Any

from emulator import Emulator


def quota_items(count: int, **options: Any) -> list[dict[str, Any]]:
    """Return that many items for quotas."""
    return [{"path": f"/home/u{number}", "size": 1024, **options} for number in range(count)]


def paths(emulator: Emulator, volume: int) -> dict[str, Any]:
    """Return the sizes of the quotas that are truly there, by path."""
    return {quota["path"]: quota["size"] for quota in emulator.quotas(volume)}
