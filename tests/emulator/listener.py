# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The socket that listens, which can go away for a while and come back on the same port."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl

    from aiohttp import web

_BACKLOG = 1024


class Listener:
    """Listens for connections of a server."""

    def __init__(self, server: web.Server, host: str, port: int, tls: ssl.SSLContext | None) -> None:
        """Keep what is needed to listen, again and again."""
        self._server = server
        self._tls = tls
        self._family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._host = host
        self._placeholder: socket.socket | None = self._socket(port)
        """Never listens; keeps the port ours while we are away."""
        self.port: int = self._placeholder.getsockname()[1]
        self._listening: asyncio.AbstractServer | None = None
        self._one_at_a_time = asyncio.Lock()

    def _socket(self, port: int) -> socket.socket:
        """Return a socket bound to the port."""
        bound = socket.socket(self._family, socket.SOCK_STREAM)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((self._host, port))
        except OSError:
            bound.close()
            raise
        bound.setblocking(False)
        return bound

    async def listen(self) -> None:
        """Take connections."""
        async with self._one_at_a_time:
            if self._listening is None:
                loop = asyncio.get_running_loop()
                bound = self._bound()
                self._listening = await loop.create_server(self._server, sock=bound, ssl=self._tls, backlog=_BACKLOG)

    def _bound(self) -> socket.socket:
        """Return the socket to listen on; where a system binds no two sockets to a port, the placeholder yields."""
        if self._placeholder is not None:
            try:
                return self._socket(self.port)
            except OSError:
                self._release()
        return self._socket(self.port)

    def _release(self) -> None:
        """Give up the placeholder."""
        if self._placeholder is not None:
            self._placeholder.close()
            self._placeholder = None

    def stop_listening(self) -> None:
        """Stop listening: whoever connects is refused. Connections that are open stay open."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def close(self) -> None:
        """Stop listening for good."""
        self.stop_listening()
        self._release()
