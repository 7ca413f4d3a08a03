# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The JSON Schemas that a folder of state files brings for editors, and the line by which a file names its own."""

from __future__ import annotations

from pathlib import Path

# Beside the code, since an installed collection has no other place for data of plugins.
FOLDER = Path(__file__).with_name("schemas")
OF_VOLUMES, OF_CONSOLE = "volume.schema.json", "console.schema.json"
NAMES = (OF_VOLUMES, OF_CONSOLE)


def read_schema(name: str) -> str:
    """Return the text of a schema."""
    return (FOLDER / name).read_text(encoding="utf-8")


def line_for(name: str) -> str:
    """Return the comment by which editors find the schema of a file in the same folder."""
    return f"# yaml-language-server: $schema={name}"
