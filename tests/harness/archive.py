# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Builds the archive of the collection, lets galaxy-importer read it as a Galaxy server does, and tries it alone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from emulator import Emulator
from harness import demo
from harness.places import CHECKOUT, INSIDE, stage_folder, tracked_files

if TYPE_CHECKING:
    import nox

    from harness.cores import Core

# galaxy-importer only prints its findings: its exit code is 0 all the same.
FINDING = re.compile(r"^(?:WARNING|ERROR|CRITICAL)\b.*", re.MULTILINE)
# The examples import playbooks of the collection, which ansible-lint does not find where galaxy-importer runs it. The
# stage ansible-lint checks the same files where it does.
HARMLESS = re.compile(r"^WARNING: ERROR +Failed to find managedfs\.console\.\w+ playbook\.$", re.MULTILINE)
COMPLETED = "Importer processing completed successfully"

# Made by the build itself.
MADE = {Path("MANIFEST.json"), Path("FILES.json")}

# Folders of plugins that ansible-doc does not show.
INTERNAL = {"action", "doc_fragments", "module_utils", "plugin_utils"}


def check(session: nox.Session, source: Path, **rules: str) -> Path:
    """Build the archive, look at what is in it, have it imported under these settings, and return it."""
    folder = stage_folder(session.name) / "archive"
    shutil.rmtree(folder, ignore_errors=True)
    session.run("ansible-galaxy", "collection", "build", "--output-path", str(folder), str(source))
    archive = next(folder.glob("*.tar.gz"))
    if foreign := foreign_files(archive):
        session.error(f"git does not know these files of the archive: {', '.join(foreign)}")
    with session.chdir(folder):
        output = str(session.run("python", "-m", "galaxy_importer.main", archive.name, env=rules, silent=True))
    if FINDING.search(HARMLESS.sub("", output)) or COMPLETED not in output:
        session.error(f"galaxy-importer is not content:\n{output}")
    return archive


def foreign_files(archive: Path) -> list[str]:
    """Return the files of an archive that do not come from the checkout."""
    with tarfile.open(archive) as opened:
        inside = {Path(member.name) for member in opened if not member.isdir()}
    return sorted(map(str, inside - tracked_files() - MADE))


def documented(root: Path) -> dict[str, list[Path]]:
    """Return what ansible-doc shows of a collection, by type: plugins, and the argument specs of roles."""
    plugins = [path for path in root.glob("plugins/*/*.py") if path.parent.name not in INTERNAL]
    kinds: dict[str, list[Path]] = {"role": sorted(root.glob("roles/*/meta/argument_specs.yml"))}
    for path in sorted(plugins):
        kind = "module" if path.parent.name == "modules" else path.parent.name
        kinds.setdefault(kind, []).append(path)
    return kinds


def try_alone(session: nox.Session, archive: Path, core: Core) -> None:
    """Install the archive where there is nothing else; run the demo's playbook and ansible-doc with it."""
    folder = stage_folder(session.name) / "alone"
    shutil.rmtree(folder, ignore_errors=True)
    home, programs = folder / "home", folder / "venv" / "bin"
    home.mkdir(parents=True)
    session.run(f"python{core.python}", "-m", "venv", str(programs.parent), external=True)
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet"]
    session.run(*pip, core.requirement, external=True)
    with Emulator() as emulator, session.chdir(home):
        env = demo.environment(emulator) | {"HOME": str(home)}
        install = ["collection", "install", "--offline", str(archive)]
        session.run(str(programs / "ansible-galaxy"), *install, env=env, external=True)
        installed = home / ".ansible" / "collections" / INSIDE
        requirements = load(installed / "meta" / "execution-environment.yml")["dependencies"]["python"]
        session.run(*pip, "--requirement", str(installed / requirements), external=True)
        program = str(programs / "ansible-playbook")
        titles = [f"{run} run of {{0}} from the archive, on ansible-core {core.minor}" for run in ("First", "Second")]
        first, second = (demo.play(session, env, title, "managedfs.console.demo", program=program) for title in titles)
        if not first or second:
            session.error("the first run must change something, and the second nothing")
        for kind, paths in documented(CHECKOUT).items():
            names = {f"managedfs.console.{path.parents[1].name if kind == 'role' else path.stem}" for path in paths}
            command = [str(programs / "ansible-doc"), "--json", "--type", kind, *sorted(names)]
            shown = session.run(*command, env=env, silent=True, stderr=subprocess.DEVNULL, external=True)
            if missing := names - json.loads(str(shown)).keys():
                session.error(f"ansible-doc does not show {', '.join(sorted(missing))}")


def load(path: Path) -> Any:
    """Load a YAML file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))
