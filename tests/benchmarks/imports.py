# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task pays for importing our files, which Ansible ships as sources in an archive, and compiles each time."""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.bench import Bench, Row, at_most
from harness.places import CHECKOUT, INSIDE

OURS = "ansible_collections"
MODULE = "ansible_collections.managedfs.console.plugins.modules.volume_info"
STARTS = 15
# A line as `import time: self | cumulative | name`, in microseconds.
LINE = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s+(\S+)")


def rows(bench: Bench) -> Iterable[Row]:
    """Yield the import time of a read-only module against that of `requests` and all it imports."""
    archive = archived(bench.folder)
    ours, others = zip(*(milliseconds(archive) for _start in range(STARTS)), strict=True)
    yield at_most("ms to import volume_info, own files / requests", min(ours), statistics.median(others), 0.75)


def archived(folder: Path) -> Path:
    """Return an archive of the sources, as Ansible makes it of a module and what it imports."""
    tree = folder / "payload"
    shutil.copytree(CHECKOUT / "plugins", tree / INSIDE / "plugins", ignore=shutil.ignore_patterns("__pycache__"))
    return Path(shutil.make_archive(str(tree), "zip", tree))


def milliseconds(archive: Path) -> tuple[float, float]:
    """Return how long a fresh interpreter takes to import our own files, and `requests`."""
    program = f"import sys, ansible.module_utils.basic; sys.path.insert(0, {str(archive)!r}); import {MODULE}"
    command = [sys.executable, "-X", "importtime", "-B", "-c", program]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    found = [(int(own), int(all_in_all), name) for own, all_in_all, name in LINE.findall(output)]
    ours = sum(own for own, _all, name in found if name.startswith(OURS))
    (requests,) = (all_in_all for _own, all_in_all, name in found if name == "requests")
    return ours / 1000, requests / 1000
