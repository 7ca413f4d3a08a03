# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A stand-in for the gateway of the Automation Platform: it answers below /api/controller/v2/ alone, for the AWX behind it."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import requests

PREFIX = "/api/controller/"


@contextmanager
def gateway(awx: str) -> Iterator[str]:
    """Yield the address of a gateway before an AWX. To the AWX, paths have no prefix; to clients, all have."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if not self.path.startswith(f"{PREFIX}v2/"):
                self.send_error(404)
                return
            headers = {name: value for name, value in self.headers.items() if name in ("Authorization", "Content-Type")}
            url = f"{awx.rstrip('/')}/api/{self.path.removeprefix(PREFIX)}"
            answer = requests.request(self.command, url, data=body, headers=headers, timeout=120, allow_redirects=False)
            content = answer.content.replace(b'"/api/v2/', f'"{PREFIX}v2/'.encode())
            self.send_response(answer.status_code)
            self.send_header("Content-Type", answer.headers.get("Content-Type", "text/plain"))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    for method in ("GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"):
        setattr(Handler, f"do_{method}", Handler.forward)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
