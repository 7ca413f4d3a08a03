# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action that renders the facts of a report on the controller: as a page, Markdown, JSON, tables, metrics and a summary."""

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

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.files import read_text
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.access import span_of
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import ControllerAction, FileChange
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.markdown import to_code
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_facts import format_size, host_of
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_metrics import (
    TIME,
    to_metrics,
    to_unread,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_order import (
    group,
    list_volumes,
    rank_limits,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_tables import to_tables
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_files import resolve_path

_MODE = 0o644
# Where a file says when a console was read, by its suffix: that alone is no change.
_TIMES = {".html": re.compile('(?<=<time datetime=")[^"]*">[^<]*'), ".prom": TIME}
_METRICS = "report.prom"
# What code and templates raise for facts of another form.
_UNUSABLE = (jinja2.TemplateError, AttributeError, LookupError, TypeError, ValueError)
_TEMPLATES = Path(__file__).resolve().parents[2] / "roles" / "report" / "templates"


class ActionModule(ControllerAction):
    """Renders with plain Jinja, since Ansible would be slow with many records and would evaluate templates in them."""

    OPTIONS = {
        "facts": {"type": "dict", "default": {}},
        "unread": {"type": "str", "default": ""},
        "dest": {"type": "str", "default": ""},
    }

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the summary and the files that were written."""
        facts, has_folder = options["facts"], bool(options["dest"].strip())
        if options["unread"]:
            return self._write_unread(options, variables) if has_folder else {"changed": False}
        try:
            texts = _render(facts, _now())
            result = {"summary": texts.pop("summary.md").splitlines(), "counts": dict(facts["counts"])}
        except _UNUSABLE:
            raise ConsoleError("facts must be what the filter report_facts returns.") from None
        if not has_folder:
            return {**result, "changed": False}
        try:
            return {**result, **self._write(options["dest"], variables, texts)}
        except ConsoleError as error:
            error.details.update(result)
            raise

    def _write_unread(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Write the metrics of a console that could not be read. The rest of its report stays as it was."""
        unread = options["unread"]
        before = _read(resolve_path(options["dest"], variables) / _METRICS) or ""
        return self._write(options["dest"], variables, {_METRICS: to_unread(host_of(unread) or unread, before)})

    def _write(self, dest: str, variables: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
        """Write the texts that differ to files of a folder, by name. One that differs only in its time is written, and no change."""
        folder = resolve_path(dest, variables)
        changes = [change for name, text in texts.items() if (change := _compare(folder / name, text))]
        renewed = [change for change in changes if _differs_in_time_only(change)]
        changed = [change for change in changes if change not in renewed]
        return {**self.write(folder, changed, _MODE, renewed), "changed": bool(changed)}


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _render(facts: Mapping[str, Any], read: str) -> dict[str, str]:
    """Return the texts of a report, by file name. Only the page and the metrics tell when the console was read."""
    names = ("report.html", "report.md", "summary.md")
    texts = {name: _ENVIRONMENT.get_template(f"{name}.j2").render(facts=facts, read=read) for name in names}
    texts["report.json"] = json.dumps(facts, ensure_ascii=False, indent=4, sort_keys=True) + "\n"
    # The alerts are about the whole console. A part of it must not silence them.
    metrics = {} if facts.get("only") else {_METRICS: to_metrics(facts, read)}
    return {**texts, **to_tables(facts), **metrics}


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _to_digest(name: str) -> str:
    """Return the digest of the only script that browsers may run on the page."""
    return f"sha256-{base64.b64encode(hashlib.sha256((_TEMPLATES / name).read_bytes()).digest()).decode()}"


def _compare(path: Path, text: str) -> FileChange | None:
    """Return the change of a file, None if it is up to date. The target of a link is neither compared nor shown."""
    before = _read(path)
    return None if before == text else FileChange(path, before, text)


def _read(path: Path) -> str | None:
    try:
        return read_text(path, errors="replace")
    except OSError:
        return None


def _differs_in_time_only(change: FileChange) -> bool:
    pattern = _TIMES.get(change.path.suffix)
    before, after = (pattern.sub("", text or "") if pattern else text for text in (change.before, change.after))
    return before == after


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(  # noqa: S701 - most of it is no HTML; a test holds that the page escapes all.
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(json=_to_json, code=to_code, size=format_size, span=span_of, digest=_to_digest)
    environment.filters.update(group=group, list_volumes=list_volumes, rank_limits=rank_limits)
    for name in environment.list_templates(extensions=["j2", "css", "js"]):
        environment.get_template(name)
    return environment


# Compiled where this is loaded, and not in each process that has one report to make.
_ENVIRONMENT = _environment()
