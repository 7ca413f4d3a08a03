# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A console of lists that know nothing of what they hold: for kinds of records that the emulator does not have."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from typing_extensions import Self

Record = dict[str, Any]
_BASE = "/api/v1/"


class ListServer:
    """Keeps records by the path of their list, as they are sent; `writes` are the requests that changed them."""

    def __init__(self, **lists: list[Record]) -> None:
        self.lists = lists
        self.writes: list[tuple[str, str, Any]] = []
        self._next_id = 1000
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                path = urlsplit(self.path).path.removeprefix(_BASE)
                status, value = outer._respond(self.command, path, json.loads(body) if body else None)
                content = b"" if value is None else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = do_any  # noqa: N815

            def log_message(self, *_arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def _respond(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if method != "GET":
            self.writes.append((method, path, body))
        if path in self.lists:
            return self._respond_with_list(method, self.lists[path], body)
        place, _slash, identity = path.rpartition("/")
        records = self.lists.get(place, [])
        found = next((record for record in records if str(record["id"]) == identity), None)
        if found is None:
            return 404, {"detail": "Not found."}
        if method == "DELETE":
            records.remove(found)
            return 204, None
        found.update(body or {})
        return 200, found

    def _respond_with_list(self, method: str, records: list[Record], body: Any) -> tuple[int, Any]:
        if method == "POST":
            self._next_id += 1
            records.append({"id": self._next_id, **body})
            return 201, records[-1]
        return 200, records

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
