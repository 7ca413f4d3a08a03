# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The step of the role report that writes what is on a console: as a page, JSON, metrics and a summary."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import jinja2

from ....module_utils._internal.model.access import network_of
from ....module_utils._internal.values import to_code
from ..controller.action import ControllerAction, FileChange, resolve_path
from .facts import Facts, build_facts, format_size, group, host_of, list_volumes

_MODE = 0o644
_METRICS = "report.prom"
# What the page and the metrics say of the time when a console was read. That alone is no change.
_TIME = re.compile(
    '(?<=<time datetime=")[^"]*">[^<]*|(?<=\nmanagedfs_console_last_read_timestamp_seconds\\{).* [0-9]+$', re.MULTILINE
)
_TEMPLATES = Path(__file__).resolve().parents[4] / "roles" / "report" / "templates"


OPTIONS: dict[str, dict[str, Any]] = {
    "desired": {"type": "list", "elements": "dict"},
    "purge": {"type": "list", "elements": "str", "default": []},
    "ignore": {"type": "dict"},
    "only": {"type": "list", "elements": "str", "default": []},
    "unread": {"type": "str", "default": ""},
}


def report(action: ControllerAction, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a console and its counts, and write the files about it if there is a folder for them.

    If a console is `unread`, the metrics say so, and the rest of its report stays as it was.
    """
    folder = resolve_path(options["dest"], variables) if options["dest"].strip() else None
    if unread := options["unread"]:
        console = host_of(unread)
        read = _TIME.search((folder and _read(folder / _METRICS)) or "")
        seconds = read and read[0].rpartition(" ")[2]
        return _write(action, folder, {_METRICS: _fill(_METRICS, console=console, seconds=seconds, facts=None)})
    given = (options[name] for name in ("volumes", "desired", "purge", "console", "ignore", "only"))
    return write_facts(action, folder, build_facts(*given), datetime.now(timezone.utc))


def write_facts(action: ControllerAction, folder: Path | None, facts: Facts, read: datetime) -> dict[str, Any]:
    """Write the files about facts that were read at a time, and return the summary and the counts."""
    texts = _render(facts, read)
    result = {"summary": texts.pop("summary.md").splitlines(), "counts": dict(facts["counts"])}
    page = {"page": str(folder / "report.html")} if folder and not action.check_mode else {}
    return {**result, **page, **_write(action, folder, texts)}


def _write(action: ControllerAction, folder: Path | None, texts: Mapping[str, str]) -> dict[str, Any]:
    """Write the texts that differ to files of a folder, by name. One that differs only in its time is written, and no change."""
    if folder is None:
        return {"changed": False}
    found = [FileChange(folder / name, _read(folder / name), text) for name, text in texts.items()]
    due = [change for change in found if change.before != change.after]
    changes = [change for change in due if _TIME.sub("", change.before or "") != _TIME.sub("", change.after or "")]
    renewed = [change for change in due if change not in changes]
    return {**action.write(folder, changes, _MODE, renewed), "changed": bool(changes)}


def _render(facts: Mapping[str, Any], read: datetime) -> dict[str, str]:
    """Return the texts of a report, by file name. Only the page and the metrics tell when the console was read."""
    texts = {
        "report.html": _fill("report.html", facts=facts, read=read),
        "report.json": json.dumps(facts, ensure_ascii=False, indent=4, sort_keys=True) + "\n",
        "summary.md": _fill("summary.md", facts=facts),
    }
    # The alerts are about the whole console. A part of it must not silence them.
    if not facts["only"]:
        texts[_METRICS] = _fill(_METRICS, console=facts["console"], seconds=int(read.timestamp()), facts=facts)
    return texts


def _fill(name: str, **values: Any) -> str:
    return _ENVIRONMENT.get_template(f"{name}.j2").render(values)


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _to_digest(name: str) -> str:
    """Return the digest of the only script that browsers may run on the page."""
    return f"sha256-{base64.b64encode(hashlib.sha256((_TEMPLATES / name).read_bytes()).digest()).decode()}"


def _read(path: Path) -> str | None:
    """Return the text of a file, None if there is none. A link is none, so that its target is not shown."""
    try:
        return path.read_bytes().decode(errors="replace") if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(  # noqa: S701 - most of it is no HTML; a test holds that the page escapes all.
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(json=_to_json, code=to_code, size=format_size, span=network_of, digest=_to_digest)
    environment.filters.update(group=group, list_volumes=list_volumes)
    for name in environment.list_templates(extensions=["j2", "css", "js"]):
        environment.get_template(name)
    return environment


# Compiled where this is loaded, and not in each process that has one report to make.
_ENVIRONMENT = _environment()
