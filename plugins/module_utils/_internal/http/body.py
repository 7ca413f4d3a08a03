# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The body of a response: read in pieces and decoded here, so that it takes no more memory than the limit.

No compression is asked for. Where a console compresses all the same, a few kilobytes can stand for gigabytes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

MAX_MIB = 256
_MAX_SIZE = MAX_MIB * 2**20
_PIECE = 2**16
_COMPRESSED = ("gzip", "x-gzip", "deflate")
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class TooLargeError(Exception):
    """A body that is larger than the limit."""


def read_body(raw: Any, max_size: int = _MAX_SIZE) -> bytes:
    """Return the whole body of a response of urllib3, decoded.

    TooLargeError beyond `max_size` bytes; EOFError, zlib.error or what urllib3 raises where it broke off.
    """
    pieces: list[bytes] = []
    size = 0
    encoding = raw.headers.get("Content-Encoding", "").strip().lower()
    received = _receive(raw)
    for piece in _inflate(received) if encoding in _COMPRESSED else received:
        size += len(piece)
        if size > max_size:
            raise TooLargeError
        pieces.append(piece)
    return b"".join(pieces)


def _receive(raw: Any) -> Iterator[bytes]:
    """Yield the body as it comes; EOFError where it is shorter than announced, which older urllib3 does not notice."""
    announced = raw.headers.get("Content-Length", "")
    received = 0
    for piece in raw.stream(_PIECE, decode_content=False):
        received += len(piece)
        yield piece
    if re.fullmatch("[0-9]{1,20}", announced) and received < int(announced):
        raise EOFError


def _inflate(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what compressed pieces stand for, no more than a piece at a time; no body at all is compressed, too."""
    inflater = zlib.decompressobj(_GZIP_OR_ZLIB)
    is_empty = True
    for piece in pieces:
        is_empty = False
        rest = piece
        while rest:
            yield inflater.decompress(rest, _PIECE)
            rest = inflater.unconsumed_tail
        if inflater.unused_data:
            raise zlib.error("something follows the end")
    yield inflater.flush()
    if not (inflater.eof or is_empty):
        raise EOFError
