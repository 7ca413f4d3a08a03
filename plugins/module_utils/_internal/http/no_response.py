# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why there was no response. Loaded when an attempt ends without one."""

from __future__ import annotations

import contextlib
from typing import Union

from .response import Response

# Where requests is missing, transport.py says so to the user.
with contextlib.suppress(ImportError):
    from requests import exceptions

TLS = "no TLS connection could be made"
PROXY = "the proxy did not do its part"
TIMEOUT = "not in time"
CONNECTION = "no connection, or one that broke"
INVALID = "a request that cannot be made, or a response that cannot be read"


class NoResponse:
    """What comes of an attempt instead of a response. `sent` is false where surely nothing reached the console.

    `secrets` are the strings of the request that the cause may quote and no message may.
    """

    status = None

    def __init__(self, cause: Exception, sent: bool, secrets: tuple[str, ...] = ()) -> None:
        self.cause = cause
        self.sent = sent
        self.secrets = secrets
        self.kind = _kind_of(cause, sent)

    @property
    def is_permanent(self) -> bool:
        """Return whether a retry cannot help."""
        return self.kind in (TLS, INVALID)


Outcome = Union[Response, NoResponse]


def _kind_of(error: Exception, sent: bool) -> str:
    if isinstance(error, exceptions.SSLError) and not sent:
        return TLS
    if isinstance(error, exceptions.ProxyError) and not sent:
        return PROXY
    if isinstance(error, exceptions.Timeout):
        return TIMEOUT
    return CONNECTION if isinstance(error, exceptions.ConnectionError) else INVALID
