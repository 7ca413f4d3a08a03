# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The JSON Schemas that a folder of state files brings for editors, and the comment by which a file names its own."""

from __future__ import annotations

import re
from pathlib import Path

# Beside the code, since an installed collection has no other place for data of plugins.
FOLDER = Path(__file__).with_name("schemas")
FOR_VOLUMES, FOR_CONSOLE = "volume.schema.json", "console.schema.json"
SCHEMA_FILES = (FOR_VOLUMES, FOR_CONSOLE)
# As yaml-language-server finds it.
_LINE = re.compile(r"^# *yaml-language-server *:[^\r\n]*", re.MULTILINE)


def are_wanted(folder: Path) -> bool:
    """Return whether a folder is to have schemas: if it has some already, or holds no YAML yet."""
    return any((folder / name).exists() for name in SCHEMA_FILES) or not any(folder.glob("*.y*ml"))


def read_schemas() -> dict[str, str]:
    """Return the text of each schema that a folder is to have, by the name of its file."""
    return {name: (FOLDER / name).read_text(encoding="utf-8") for name in SCHEMA_FILES}


def with_line(text: str, before: str | None, schema: str, is_wanted: bool) -> str:
    """Return the new text of a file with the comment about its schema: the one in its present text, else ours if wanted."""
    found = _LINE.search(before or "")
    line = found[0] if found else f"# yaml-language-server: $schema={schema}" if is_wanted else ""
    if not line or line in text.splitlines():
        return text
    # After the line by which a capture knows its own files.
    first, rest = text.split("\n", 1) if text.startswith("#") else ("", text)
    return "\n".join(filter(None, (first, line, rest)))
