# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Our files are imported from the archive in which Ansible ships a module, and each is compiled once."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils import _internal

COLLECTION = "ansible_collections/managedfs/console"
OURS = f"{COLLECTION}/plugins/module_utils/_internal/"
PLUGINS = Path(str(_internal.__file__)).parents[2]
PROGRAM = f"""
import collections, json, sys
import ansible.module_utils.basic
compiled = collections.Counter()
sys.addaudithook(lambda event, args: compiled.update([str(args[1])]) if event == "compile" else None)
sys.path.insert(0, sys.argv[1])
import {COLLECTION.replace("/", ".")}.plugins.modules.volumes
ours = [module for name, module in sys.modules.items() if name.startswith({OURS.replace("/", ".")!r})]
folders = [module.__file__ for module in ours if hasattr(module, "__path__")]
print(json.dumps({{"compiled": compiled, "files": [module.__file__ for module in ours], "folders": folders}}))
"""


@pytest.fixture(scope="module", name="archive")
def shipped_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive like the one that Ansible makes: sources, and a package in each folder."""
    path = tmp_path_factory.mktemp("shipped") / "payload.zip"
    files = {f"{COLLECTION}/plugins/{file.relative_to(PLUGINS)}": file for file in PLUGINS.rglob("*.py")}
    folders = {str(folder) for name in files for folder in Path(name).parents if str(folder) != "."}
    with zipfile.ZipFile(path, "w") as archive:
        for folder in sorted(folders):
            if f"{folder}/__init__.py" not in files:
                archive.writestr(f"{folder}/__init__.py", "")
        for name, file in files.items():
            archive.write(file, name)
    return path


def imported(place: Path) -> Any:
    """Return what the import of a module from an archive or a folder compiled, and where our files were found."""
    command = [sys.executable, "-B", "-c", PROGRAM, str(place)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def test_each_file_is_compiled_once_and_has_the_name_under_which_it_was_compiled(archive: Path) -> None:
    found = imported(archive)
    ours = {name: count for name, count in found["compiled"].items() if name.startswith(f"{archive}/{OURS}")}
    first = f"{archive}/{OURS}__init__.py"
    assert len(ours) > 30
    assert {name for name, count in ours.items() if count > 1} <= {first}
    assert set(found["files"]) == ours.keys() - {first}
    assert f"{archive}/{OURS}model/__init__.py" in found["folders"]


@pytest.mark.parametrize("path", ["/usr/lib", b"/usr/lib", Path("/usr/lib")])
def test_other_paths_are_left_to_others(path: object) -> None:
    with pytest.raises(ImportError):
        _internal._importer_of(path)


def test_the_import_from_a_folder_is_left_alone() -> None:
    program = (
        f"import sys; n = len(sys.path_hooks); import {OURS.replace('/', '.')}errors; print(len(sys.path_hooks) - n)"
    )
    root = PLUGINS.parents[3]
    command = [sys.executable, "-B", "-c", f"import sys; sys.path.insert(0, {str(root)!r}); {program}"]
    assert subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout == "0\n"
