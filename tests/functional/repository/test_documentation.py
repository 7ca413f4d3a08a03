# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Statements of the documentation that no tool of Ansible compares with the code."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils.model.resources import EXPORT, QUOTA
from ansible_collections.managedfs.console.plugins.module_utils.options import item_options
from functional.support.inprocess import PLUGINS


@pytest.mark.parametrize("name", ["exports", "quotas"])
def test_the_options_of_an_item_are_those_documented(name: str) -> None:
    module = importlib.import_module(f"{PLUGINS}.modules.{name}")
    documented: dict[str, Any] = yaml.safe_load(module.DOCUMENTATION)["options"][name]["suboptions"]
    described = {
        option: {key: value for key, value in details.items() if key != "description"}
        for option, details in documented.items()
    }
    resource = {"exports": EXPORT, "quotas": QUOTA}[name]
    assert described == item_options(resource)
