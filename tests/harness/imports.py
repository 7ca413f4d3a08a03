# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the files of the collection import."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import grimp

from harness.places import CHECKOUT

PLUGINS = CHECKOUT / "plugins"
OURS = "ansible_collections.managedfs.console.plugins"


@cache
def graph() -> grimp.ImportGraph:
    """Return what imports what, without what only a type checker reads. The tree of collections is in PYTHONPATH."""
    return grimp.build_graph(OURS, include_external_packages=True, exclude_type_checking_imports=True, cache_dir=None)


def imports(path: Path) -> set[str]:
    """Return the packages that a file imports, and the modules of the collection as paths below `plugins`."""
    module = ".".join([OURS, *path.relative_to(PLUGINS).with_suffix("").parts])
    found = graph().find_modules_directly_imported_by(module)
    return {name.removeprefix(f"{OURS}.").replace(".", "/") for name in found}
