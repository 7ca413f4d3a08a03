# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The README shows lines that `make demo` prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from harness import demo
from harness.places import CHECKOUT


class Session:
    """Runs programs of this environment, as nox does."""

    def run(self, program: str, *arguments: str, env: dict[str, str], **_options: Any) -> str:
        command = [str(Path(sys.executable).with_name(program)), *arguments]
        return subprocess.run(
            command, cwd=CHECKOUT, env=os.environ | env, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def error(self, message: str) -> NoReturn:
        raise AssertionError(message)


def test_the_readme_shows_what_the_demo_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "stage_folder", lambda _name: tmp_path)
    demo.run(Session())  # type: ignore[arg-type]
    printed = iter(capsys.readouterr().out.splitlines())
    (block,) = re.findall(r"```text\n(===.*?)```", (CHECKOUT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    # In this order, and with others in between.
    assert [line for line in block.splitlines() if line not in printed] == []
