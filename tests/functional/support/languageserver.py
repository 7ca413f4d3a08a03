# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Speaks to yaml-language-server, which editors ask what a YAML file may hold."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from pathlib import Path
from typing import IO, Any

from harness.places import WORK

PROGRAM = WORK / "languageserver" / "node_modules" / ".bin" / "yaml-language-server"


def find_program() -> str | None:
    """Return the path of the server: that in the work folder, or one that is installed elsewhere."""
    return str(PROGRAM) if PROGRAM.exists() else shutil.which("yaml-language-server")


class LanguageServer:
    """A server, which is asked about one file at a time."""

    def __init__(self, program: str, folder: Path) -> None:
        command = [program, "--stdio"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._numbers = itertools.count(1)
        self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities={})
        self.tell("initialized")

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def problems(self, path: Path) -> list[tuple[int, str]]:
        """Open a file, and return line and message of each problem with it."""
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": path.read_text(encoding="utf-8")}
        self.tell("textDocument/didOpen", textDocument=document)
        while (message := self._receive()).get("method") != "textDocument/publishDiagnostics":
            self._answer(message)
        found = message["params"]["diagnostics"]
        return sorted((each["range"]["start"]["line"] + 1, each["message"]) for each in found)

    def offered(self, path: Path, line: int, column: int) -> list[str]:
        """Return what the server would complete with at a place of a file that is open."""
        result = self.ask("textDocument/completion", **_place(path, line, column))
        return [each["label"] for each in result["items"]]

    def explained(self, path: Path, line: int, column: int) -> str:
        """Return the text that is shown for a place of a file that is open."""
        result = self.ask("textDocument/hover", **_place(path, line, column))
        return str(result["contents"]["value"]) if result else ""

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._send({"id": number, "method": method, "params": params})
        while (message := self._receive()).get("id") != number or "method" in message:
            self._answer(message)
        return message["result"]

    def _answer(self, message: dict[str, Any]) -> None:
        """Answer a question of the server, which asks for settings and is to take its own."""
        if "id" in message and "method" in message:
            items = message.get("params", {}).get("items", [])
            self._send({"id": message["id"], "result": [{} for _item in items]})

    def _send(self, message: dict[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        pipe = _open(self._process.stdin)
        pipe.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        pipe.flush()

    def _receive(self) -> dict[str, Any]:
        pipe = _open(self._process.stdout)
        length = 0
        while (line := pipe.readline().strip()) or not length:
            name, _colon, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
            assert line, "the server ended"
        message: dict[str, Any] = json.loads(pipe.read(length))
        return message


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe
    return pipe


def _place(path: Path, line: int, column: int) -> dict[str, Any]:
    position = {"line": line - 1, "character": column - 1}
    return {"textDocument": {"uri": path.as_uri()}, "position": position}
