# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator in a thread of its own, for tests and for the command line."""

from __future__ import annotations

import asyncio
import importlib
import secrets
import ssl
import threading
import time
from typing import TYPE_CHECKING, Any

from . import control
from .dialect import Dialect
from .paging import PREFIX
from .requestlog import WRITES, LoggedRequest
from .resources import EXPORTS, QUOTAS, VOLUMES, Record
from .service import Keys, Service
from .store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from types import TracebackType

    from typing_extensions import Self

    from .faults import Fault

LOG_LIMIT = 100_000


def tls_context(cert: str, key: str | None = None, client_ca: str | None = None) -> ssl.SSLContext:
    """Return what a server needs for TLS; with an authority for clients, they must show a certificate of it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    if client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_ca)
    return context


def _new_loop() -> asyncio.AbstractEventLoop:
    """Return the quicker event loop, where it is installed."""
    try:
        uvloop = importlib.import_module("uvloop")
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


class Emulator:
    """A console on a port of this machine; listens from ``start`` to ``stop``, or within ``with``."""

    def __init__(
        self,
        dialect: Dialect | None = None,
        clock: Callable[[], float] = time.time,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        database: str = ":memory:",
        access_key: str | None = None,
        secret_key: str | None = None,
        log: bool = True,
        log_limit: int = LOG_LIMIT,
        tls_cert: str | None = None,
        tls_key: str | None = None,
        client_ca: str | None = None,
    ) -> None:
        """Prepare; a database file remembers its keys, otherwise they are made at random."""
        self._host, self._port = host, port
        tls = tls_context(tls_cert, tls_key, client_ca) if tls_cert is not None else None
        store = Store(database)
        keys = Keys(
            access_key or store.remembered("access_key") or secrets.token_hex(10),
            secret_key or store.remembered("secret_key") or secrets.token_hex(32),
        )
        store.remember("access_key", keys.access_key)
        store.remember("secret_key", keys.secret_key)
        self._service = Service(store, keys, dialect or Dialect(), clock, log_limit=log_limit if log else 0, tls=tls)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def start(self) -> None:
        """Listen; raises OSError where the port is not free."""
        if self._thread is not None:
            raise RuntimeError("the emulator runs already")
        self._loop = _new_loop()
        self._thread = threading.Thread(target=self._run, args=(self._loop,), name="emulator", daemon=True)
        self._thread.start()
        try:
            self._call(self._service.start(self._host, self._port))
        except BaseException:
            self._end()
            raise

    def stop(self) -> None:
        """Stop listening, end all connections and close the database, for good."""
        if self._thread is not None:
            self._call(self._service.stop())
            self._end()

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        """Run the event loop in the thread of the server, and end its tasks when it stops."""
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            loop.close()

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the thread of the server, and wait for it."""
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def _end(self) -> None:
        """End the thread."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(30)
        self._loop = self._thread = None
        self._service.console.store.close()

    @property
    def url(self) -> str:
        """Return scheme, host and port."""
        return self._service.origin

    @property
    def api_url(self) -> str:
        """Return the address that all routes of the API are below."""
        return self._service.origin + PREFIX

    @property
    def access_key(self) -> str:
        """Return the access key that requests must be signed with."""
        return self._service.keys.access_key

    @property
    def secret_key(self) -> str:
        """Return the secret key that requests must be signed with."""
        return self._service.keys.secret_key

    @property
    def dialect(self) -> Dialect:
        """Return the dialect in force; can be set."""
        return self._service.console.dialect

    @dialect.setter
    def dialect(self, dialect: Dialect) -> None:
        with self._service.lock:
            self._service.console.dialect = dialect

    @property
    def clock_offset(self) -> float:
        """Return the seconds by which the console's clock is ahead."""
        return self._service.clock_offset

    @clock_offset.setter
    def clock_offset(self, seconds: float) -> None:
        self._service.clock_offset = seconds

    @property
    def latency(self) -> float:
        """Return the seconds that each request waits before it is processed."""
        return self._service.latency

    @latency.setter
    def latency(self, seconds: float) -> None:
        self._service.latency = seconds

    @property
    def age(self) -> str | None:
        """Return the Age header of all responses; None for none."""
        return self._service.age

    @age.setter
    def age(self, value: str | None) -> None:
        self._service.age = value

    @property
    def send_date(self) -> bool:
        """Return whether responses have a Date header."""
        return self._service.send_date

    @send_date.setter
    def send_date(self, value: bool) -> None:
        self._service.send_date = value

    @property
    def retry_delay(self) -> int | None:
        """Return the seconds that the dialect's Retry-After asks for; None for no such header."""
        return self._service.retry_delay

    @retry_delay.setter
    def retry_delay(self, seconds: int | None) -> None:
        self._service.retry_delay = seconds

    @property
    def requests(self) -> list[LoggedRequest]:
        """Return the requests so far, without those to the control routes."""
        with self._service.lock:
            return self._service.log.snapshot()

    @property
    def writes(self) -> list[LoggedRequest]:
        """Return the requests so far that could change something."""
        return [entry for entry in self.requests if entry.method in WRITES]

    def forget_requests(self) -> None:
        """Empty the log."""
        with self._service.lock:
            self._service.log.clear()

    def reset(self, dialect: Dialect | None = None) -> None:
        """Forget records, log, faults, latency and clock offset; speak this dialect, or the default one."""
        self._service.reset(dialect or Dialect())
        self.come_back()

    def inject(self, *faults: Fault) -> None:
        """Inject faults; the first that hits a request counts."""
        with self._service.lock:
            for fault in faults:
                self._service.faults.inject(fault)

    def clear_faults(self) -> None:
        """Forget all faults."""
        with self._service.lock:
            self._service.faults.clear()

    def refuse(self, seconds: float) -> None:
        """Be gone from now on: refuse connections and end idle ones, then listen again."""

        async def disconnect() -> None:
            """Refuse connections and end idle ones, in the server's thread."""
            self._service.disconnect(seconds)

        self._call(disconnect())

    def come_back(self) -> None:
        """Listen again, sooner than was meant."""
        if self._service.away:
            self._call(self._service.come_back())

    def add_volume(self, **fields: Any) -> int:
        """Add a volume that is visible and ready at once; no request, no checks. ``id`` may be given."""
        with self._service.lock:
            return control.seed(self._service, VOLUMES, 0, fields)

    def add_export(self, volume_id: int, **fields: Any) -> int:
        """Add an export; ``id`` and ``token`` may be given."""
        with self._service.lock:
            return control.seed(self._service, EXPORTS, volume_id, fields)

    def add_quota(self, volume_id: int, **fields: Any) -> int:
        """Add a quota."""
        with self._service.lock:
            return control.seed(self._service, QUOTAS, volume_id, fields)

    def add_quotas(self, volume_id: int, records: list[Record]) -> list[int]:
        """Add many quotas."""
        return [self.add_quota(volume_id, **record) for record in records]

    def volumes(self) -> list[Record]:
        """Return the volumes as they truly are."""
        with self._service.lock:
            return control.true_volumes(self._service)

    def exports(self, volume_id: int) -> list[Record]:
        """Return the exports of a volume as they truly are."""
        with self._service.lock:
            return control.true_children(self._service, EXPORTS, volume_id)

    def quotas(self, volume_id: int) -> list[Record]:
        """Return the quotas of a volume as they truly are."""
        with self._service.lock:
            return control.true_children(self._service, QUOTAS, volume_id)

    def tokens(self) -> list[str]:
        """Return the tokens of all exports that exist."""
        with self._service.lock:
            rules = self._service.console.store.rules()
            return [export.token for exports in rules.values() for export in exports]
