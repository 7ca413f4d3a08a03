# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module export_rotation, in the worker if Ansible would start it on this machine."""

from __future__ import annotations

from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation.task import ROTATION
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.worker import WorkerAction


class ActionModule(WorkerAction):
    """The action of the module."""

    OPERATION = ROTATION
