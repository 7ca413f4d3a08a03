# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All modules that use a console, in the worker if Ansible would start them on this machine. The others have this action, too."""

from __future__ import annotations

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA, VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.rotation.task import ROTATION
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.api_request import API_REQUEST
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.bulk import list_operation
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.info import info_operation
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.record import record_operation
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.worker import WorkerAction


class ActionModule(WorkerAction):
    """The action of each of these modules."""

    OPERATIONS = {
        "api_request": API_REQUEST,
        "export": record_operation(EXPORT),
        "export_info": info_operation(EXPORT),
        "export_rotation": ROTATION,
        "exports": list_operation(EXPORT),
        "quota": record_operation(QUOTA),
        "quota_info": info_operation(QUOTA),
        "quotas": list_operation(QUOTA),
        "volume": record_operation(VOLUME),
        "volume_info": info_operation(VOLUME),
        "volumes": list_operation(VOLUME),
    }
