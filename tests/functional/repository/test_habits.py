# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files for forges and editors, which must ask for what `make test` runs and agree with its tools."""

from __future__ import annotations

import configparser
import re
from typing import Any

import pytest
import yaml

from harness import cores
from harness.places import CHECKOUT

STAGES = ("units", "sanity", "integration")


def load(name: str) -> Any:
    """Load a YAML file of the checkout."""
    return yaml.safe_load((CHECKOUT / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def ci_job() -> Any:
    """Return the job of the workflow that runs `make test`."""
    return load(".github/workflows/ci.yml")["jobs"]["test"]


def stages_of(minors: list[str]) -> list[str]:
    """Return the sessions of `make test` for these versions of ansible-core."""
    return [" ".join(f"{stage}-{minor}" for stage in STAGES) for minor in minors]


def test_ci_runs_everything_and_each_ansible_core_that_make_test_leaves_out(ci_job: Any) -> None:
    _oldest, *between, _newest = [minor for minor in cores.SUPPORTED if minor not in cores.PRE_RELEASES]
    assert ci_job["strategy"]["matrix"]["sessions"] == ["", *stages_of(between)]
    assert [step["run"] for step in ci_job["steps"] if "run" in step] == ["make test"]


def test_ci_tries_pre_releases_and_goes_on_where_they_fail(ci_job: Any) -> None:
    tried = [{"sessions": sessions, "pre-release": True} for sessions in stages_of(list(cores.PRE_RELEASES))]
    assert ci_job["strategy"]["matrix"]["include"] == tried


def test_ci_has_every_python_that_is_supported(ci_job: Any) -> None:
    (listed,) = [step["with"]["python-version"] for step in ci_job["steps"] if "setup-python" in step.get("uses", "")]
    assert sorted(listed.split()) == sorted(f"3.{minor}" for minor in cores.MINORS)


def test_hooks_call_sessions_that_exist() -> None:
    (repository,) = load(".pre-commit-config.yaml")["repos"]
    entries = " ".join(hook["entry"] for hook in repository["hooks"])
    sessions = [name for names in re.findall(r'--session ([^"]+)"', entries) for name in names.split()]
    noxfile = (CHECKOUT / "noxfile.py").read_text(encoding="utf-8")
    assert sessions
    for session in sessions:
        assert f"def {session.replace('-', '_')}(session: nox.Session)" in noxfile


def test_editors_have_the_line_lengths_of_the_linters() -> None:
    settings = configparser.ConfigParser()
    settings.read_string(f"[root]\n{(CHECKOUT / '.editorconfig').read_text(encoding='utf-8')}")
    ruff = re.search(r"^line-length = (\d+)$", (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert ruff
    assert settings["*"]["max_line_length"] == ruff[1]
    assert settings["*.{yml,yaml}"].getint("max_line_length") == load(".yamllint")["rules"]["line-length"]["max"]
