# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The README shows lines that `make demo` prints."""

from __future__ import annotations

import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from harness import demo
from harness.places import CHECKOUT


def test_the_readme_shows_what_the_demo_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "session_folder", lambda *_names: tmp_path)
    with patch.dict(os.environ):
        demo.main()
    output = capfd.readouterr().out
    (block,) = re.findall(r"```text\n(===.*?)```", (CHECKOUT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    # In this order, and with others in between.
    printed = iter(output.splitlines())
    assert [line for line in block.splitlines() if line not in printed] == []
    # The playbook twice, capture, report, apply twice
    assert re.findall(r"changed=(\d+) .* failed=0 ", output) == ["3", "0", "1", "1", "1", "0"]
