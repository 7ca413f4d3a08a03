# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the documentation says and no tool of Ansible compares with the code."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest
import yaml

from functional.support.inprocess import PLUGINS
from harness.places import CHECKOUT


@pytest.mark.parametrize("name", ["exports", "quotas"])
def test_the_options_of_an_item_are_those_documented(name: str) -> None:
    module = importlib.import_module(f"{PLUGINS}.modules.{name}")
    documented: dict[str, Any] = yaml.safe_load(module.DOCUMENTATION)["options"][name]["suboptions"]
    described = {
        option: {key: value for key, value in details.items() if key != "description"}
        for option, details in documented.items()
    }
    assert described == module.ITEM


def test_each_guarantee_names_the_tests_that_hold_it() -> None:
    sources = [path.read_text(encoding="utf-8") for path in CHECKOUT.glob("tests/**/test_*.py")]
    there = {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE)}
    page = (CHECKOUT / "docs/docsite/rst/guarantees.rst").read_text(encoding="utf-8")
    statements = re.findall(r"^- .*?(?=^- |^\w|\Z)", page, re.MULTILINE | re.DOTALL)
    named = [set(re.findall(r"``(test_\w+)``", statement)) for statement in statements]
    assert [name for names in named for name in names - there] == []
    # Two say what is not promised.
    assert sum(not names for names in named) == 2
    assert len(named) > 35
