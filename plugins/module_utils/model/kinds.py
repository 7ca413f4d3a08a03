# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kinds of values: how each is compared by meaning, sent, and shown. Pure.

The specification gives types but no units and no normal forms, so a console may give a value back in another
shape than it got: a number as text, a network without its host bits, a URL with a slash more.
"""

from __future__ import annotations

import ipaddress
import re
from functools import cache
from typing import Any
from urllib.parse import urlsplit


class Kind:
    """A kind of value that is compared, sent and shown as it is. The base of the others."""

    def meaning(self, value: Any) -> Any:
        """What two equal values have in common. ValueError, worded for the user, where it is not of this kind."""
        return value

    def check(self, value: Any) -> None:
        """ValueError, worded for the user, where they must not write this."""
        self.meaning(value)

    def sent(self, value: Any) -> Any:
        """The value that a request carries for what the user wrote."""
        return value

    def shown(self, value: Any) -> Any:
        """The value in a result, in its documented type where the console's can be read as such."""
        return value

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values mean the same. One that cannot be read is like no other, but like itself."""
        if repr(one) == repr(other):
            return True
        try:
            return bool(self.meaning(one) == self.meaning(other))
        except ValueError:
            return False


class _Parsed(Kind):
    """A kind whose values are shown, too, by their meaning."""

    def shown(self, value: Any) -> Any:
        try:
            return self.meaning(value)
        except ValueError:
            return value


class Text(Kind):
    """Text. No text and `null` are the same; white space around it does not count, as servers strip it."""

    def meaning(self, value: Any) -> str:
        if value is None:
            return ""
        if isinstance(value, (dict, list, bool)):
            raise ValueError(f"must be text, not {value!r}")
        return str(value).strip()


class Integer(_Parsed):
    """A whole number, also written as text."""

    def meaning(self, value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, bool):
            raise ValueError(f"must be a whole number, not {value!r}")
        if (isinstance(value, float) and value.is_integer()) or isinstance(value, int):
            return int(value)
        if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,40}\s*", value):
            return int(value)
        raise ValueError(f"must be a whole number, not {value!r}")


class Boolean(_Parsed):
    """True or false, also written as text or number. `null` is false."""

    _READINGS = {"true": True, "false": False, "1": True, "0": False}

    def meaning(self, value: Any) -> Any:
        if value is None:
            return False
        reading = self._READINGS.get(str(value).strip().lower()) if isinstance(value, (bool, int, str)) else None
        if reading is None:
            raise ValueError(f"must be true or false, not {value!r}")
        return reading

    def shown(self, value: Any) -> Any:
        return None if value is None else super().shown(value)


class Url(Text):
    """A URL. Scheme and host in either case, with or without slashes at the end."""

    def meaning(self, value: Any) -> str:
        text = super().meaning(value)
        try:
            parts = urlsplit(text)
        except ValueError:
            raise ValueError("must be the address of a bucket, which this is not") from None
        user_info, at, host = parts.netloc.rpartition("@")
        return parts._replace(netloc=user_info + at + host.lower()).geturl().rstrip("/")


# In a long list the same networks and paths are compared again and again.
@cache
def _network(text: str) -> Any:
    return ipaddress.ip_network(text, strict=False)


@cache
def _normal_path(text: str) -> str:
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ValueError(f"must be a path without .., not {text!r}")
    return "/" + "/".join(parts)


class Network(Text):
    """An IP range: a network in CIDR notation, a bare address, or `*`, which is a thing of its own."""

    def meaning(self, value: Any) -> Any:
        text = super().meaning(value)
        try:
            return text if text in ("*", "") else _network(text)
        except ValueError:
            raise self._refusal(text) from None

    def check(self, value: Any) -> None:
        # A mask instead of the length of a prefix can be read, but is not what the specification shows.
        if not self.meaning(value) or not re.fullmatch(r"[^/]+(/[0-9]+)?", str(value).strip()):
            raise self._refusal(value)

    @staticmethod
    def _refusal(value: Any) -> ValueError:
        return ValueError(f"must be a network in CIDR notation, an address or *, not {value!r}")


class Path(Text):
    """A directory inside a volume; repeated slashes, those at either end, and `.` do not count.

    A console that strips the slash at the end shows the root as no text at all.
    """

    def meaning(self, value: Any) -> str:
        return _normal_path(super().meaning(value))

    def check(self, value: Any) -> None:
        if not str(value).startswith("/"):
            raise ValueError(f"must start with /, not be {value!r}")
        self.meaning(value)

    def sent(self, value: Any) -> str:
        return self.meaning(value)


class Limit(_Parsed):
    """A limit in units of its own, such as inodes. No limit is 0 or `null`."""

    def meaning(self, value: Any) -> int:
        number = INTEGER.meaning(value) or 0
        if number < 0:
            raise ValueError(f"must not be negative, as {number} is")
        return int(number)

    def sent(self, value: Any) -> int:
        return self.meaning(value)

    def shown(self, value: Any) -> Any:
        return None if value is None else super().shown(value)


class Size(Limit):
    """A limit in bytes, also with a unit in powers of 1024: `10GiB`, `10GB` and `10G` are the same.

    A lower-case b would be bits and is refused.
    """

    _WITH_UNIT = re.compile(r"\s*([0-9]{1,30}(?:\.[0-9]{1,30})?)\s*(?:([KMGTPEkmgtpe])(?:i?B)?|B)\s*")
    _POWERS = {unit: 1024**power for power, unit in enumerate(("", "K", "M", "G", "T", "P", "E"))}

    def meaning(self, value: Any) -> int:
        match = self._WITH_UNIT.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            return super().meaning(value)
        whole, _point, decimals = match.group(1).partition(".")
        scale: int = self._POWERS[(match.group(2) or "").upper()]
        number = int(whole) * scale + int(decimals or 0) * scale // int("1" + "0" * len(decimals))
        if not number and match.group(1).strip("0."):
            raise ValueError(f"must be at least one byte, or 0, not {value!r}")
        return number


TEXT = Text()
INTEGER = Integer()
BOOLEAN = Boolean()
URL = Url()
NETWORK = Network()
PATH = Path()
LIMIT = Limit()
SIZE = Size()
ANY = Kind()
