# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of the module: Ansible loads it by this name before it forks its workers."""

from __future__ import annotations

# pylint: disable-next=unused-import
from ansible_collections.managedfs.console.plugins.action.volumes import ActionModule  # noqa: F401
