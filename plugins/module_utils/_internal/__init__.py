# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the files of this package are imported from the archive in which Ansible ships them: compiled once, not twice."""

from __future__ import annotations

import sys
import zipimport


class _Importer(zipimport.zipimporter):
    """Tells the path of a file without compiling it. The base class compiles a file to tell its path, and again to run it."""

    def get_filename(self, fullname: str) -> str:
        """Return the path of a module's file; ZipImportError if there is no such module."""
        path = f"{self.archive}/{self.prefix}{fullname.rpartition('.')[2]}"
        return f"{path}/__init__.py" if self.is_package(fullname) else f"{path}.py"


def _importer_of(path: object) -> _Importer:
    """Return the importer for this folder and those below. As a path hook it is asked for any path, and refuses others."""
    if not isinstance(path, str) or not path.startswith(__path__[0]):
        raise ImportError(path)
    return _Importer(path)


# Most of what our files cost a task is compiling them.
if isinstance(getattr(__spec__, "loader", None), zipimport.zipimporter):
    sys.path_hooks.insert(0, _importer_of)
