# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Publishes the example project and the collection's archive, as a user's Git server would."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import yaml

from harness.places import CHECKOUT

IDENTITY = ["-c", "user.name=Example", "-c", "user.email=example@example.com", "-c", "commit.gpgsign=false"]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Project:
    """A Git repository with a copy of the example project, served over HTTP together with the collection."""

    def __init__(self, folder: Path, address: str) -> None:
        """Build the archive of the collection, publish the first revision, and serve both at the address."""
        self._public, self.folder = folder / "public", folder / "project"
        shutil.copytree(CHECKOUT / "examples" / "awx-project", self.folder)
        galaxy = Path(sys.executable).with_name("ansible-galaxy")
        build = [str(galaxy), "collection", "build", "--output-path", str(self._public), str(CHECKOUT)]
        subprocess.run(build, check=True, capture_output=True)
        handler = functools.partial(_Quiet, directory=str(self._public))
        self._server = http.server.ThreadingHTTPServer((address, 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        base = f"http://{address}:{self._server.server_port}"
        self.url = f"{base}/project.git"
        archive = next(self._public.glob("*.tar.gz"))
        requirements = {"collections": [{"name": f"{base}/{archive.name}", "type": "url"}]}
        self._write("collections/requirements.yml", requirements)
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", self.folder], check=True)
        self.publish([])

    def publish(self, volumes: list[dict[str, Any]]) -> None:
        """Make a desired state the next revision."""
        shutil.rmtree(self.folder / "desired", ignore_errors=True)
        self._write("desired/volumes.yml", volumes)
        bare = self._public / "project.git"
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "--message", "Another desired state")
        shutil.rmtree(bare, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", "--bare", self.folder, bare], check=True)
        subprocess.run(["git", "-C", bare, "update-server-info"], check=True)

    def stop(self) -> None:
        """Serve no more."""
        self._server.shutdown()
        self._server.server_close()

    def _write(self, name: str, content: Any) -> None:
        """Write a file of the project."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(content), encoding="utf-8")

    def _git(self, *arguments: str) -> None:
        """Run Git in the project."""
        subprocess.run(["git", "-C", self.folder, *IDENTITY, *arguments], check=True, env=os.environ)
