# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Opens pages in a browser, if there is one, with the scripts that they have."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import html5lib
import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no browser is at hand")


def browse(url: str, folder: Path) -> str:
    """Return a page as a browser has it after its scripts have run. The folder is for the browser's own files."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}", "--dump-dom"]
    command = [str(BROWSER), *options, url]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def ask(page: Path, expression: str, folder: Path) -> Any:
    """Return the value of an expression, evaluated in a page after its own scripts have run."""
    html = re.sub("<meta http-equiv.*?>", "", page.read_text(encoding="utf-8"))
    script = f"<script>document.body.textContent = JSON.stringify({expression})</script></body>"
    asking = folder / "asking.html"
    asking.write_text(html.replace("</body>", script), encoding="utf-8")
    answer = html5lib.parse(browse(asking.as_uri(), folder), namespaceHTMLElements=False).find("body")
    return json.loads("".join(answer.itertext()))
