# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The types of fields: how a value is compared by meaning, sent, and shown (docs/docsite/rst/api.rst, "Fields"). Pure.

A console may return a value in another form than it was sent: the API documents neither units nor normal forms.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import unicodedata
from functools import cache
from typing import Any
from urllib.parse import urlsplit

# The largest integer that consoles, and the databases behind them, can hold.
MAX_INTEGER = 2**63 - 1
# No quota is smaller than a block: a smaller number was probably meant in another unit.
_SMALL = 4096
# No host is longer.
_MAX_CHECKED = 4096
# Not 010, which YAML reads as 8.
_WHOLE = re.compile(r"\s*(-?(?:0|[1-9][0-9]{0,39}))(?:\.0{1,40})?\s*")
_UNITS = " KMGTPE"
_WITH_UNIT = re.compile(r"\s*(0|[1-9][0-9]{0,29})(?:\.([0-9]{1,30}))?\s*(?:([KMGTPEkmgtpe])[iI]?[bB]?|[bB])\s*")


# Control and format characters, and spaces other than a blank and that of East Asian writing.
_HIDDEN = ("Cc", "Cf", "Zs", "Zl", "Zp")
# Persian, Hindi and other languages join letters with them, as do families of emoji.
_JOINERS = " \u3000\u200c\u200d"


class FieldType:
    """A value that is compared, sent and shown as it is. The base of the others.

    `option` is the type of the Ansible option for such a field. With `is_shown_normalized`, results show the normal form.
    """

    option = "raw"
    is_shown_normalized = False

    def normalize(self, value: Any) -> Any:
        """Return the normal form that equal values share; ValueError, worded for the user, for another type."""
        return value

    def normalize_or_none(self, value: Any) -> Any:
        """Return the normal form of a value, None for another type."""
        try:
            return self.normalize(value)
        except ValueError:
            return None

    def to_request(self, value: Any) -> Any:
        """Return the value to send for what the user wrote; ValueError, worded for the user, if it is invalid."""
        self.normalize(value)
        return value

    def plan_warning(self, value: Any) -> str:  # noqa: ARG002
        """Return the reason why a valid value is probably not what the user means; blank for none."""
        return ""

    def to_result(self, value: Any) -> Any:
        """Return the value for results, in the documented type if the console's value can be read as that."""
        normal = self.normalize_or_none(value) if self.is_shown_normalized and value is not None else None
        return value if normal is None else normal

    def to_diff(self, value: Any) -> Any:
        """Return the value for diffs."""
        return self.to_result(value)

    def equal(self, one: Any, other: Any) -> bool:
        """Return whether two values mean the same. An unreadable one equals only itself."""
        if one.__class__ is other.__class__ and one == other:
            return True
        try:
            return bool(self.normalize(one) == self.normalize(other))
        except ValueError:
            return False


class Text(FieldType):
    """Text. `null` is no text. White space at the ends is not sent: servers strip it, so what a console holds has none."""

    option = "str"
    # The text that Ansible makes of a boolean, and what YAML reads as that boolean.
    _BOOLEANS = {"True": ("yes", "on", "true"), "False": ("no", "off", "false")}

    def normalize(self, value: Any) -> Any:
        return _text(value)

    def to_request(self, value: Any) -> Any:
        text = _text(value).strip()
        if not is_kept(text):
            raise ValueError(f"must be text without control characters, not {value!r}")
        self.normalize(text)
        return text

    def plan_warning(self, value: Any) -> str:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return "is a number, which YAML may have read from 1.10 or 010: quote it, or use the filter string"
        words = " or ".join(self._BOOLEANS.get(str(value), ()))
        return f"is '{value}', which Ansible makes of {words} without quotation marks: quote the text" if words else ""


class Name(Text):
    """Text that identifies something, exactly as it is written."""

    def to_request(self, value: Any) -> Any:
        return FieldType.to_request(self, value)

    def plan_warning(self, value: Any) -> str:
        return oddity(str(value)) or super().plan_warning(value)


class Integer(FieldType):
    """A whole number, also as text, and with the final `.0` that a division leaves in templates."""

    option = "int"
    is_shown_normalized = True

    def normalize(self, value: Any) -> Any:
        if value is None or value.__class__ is int:
            return value
        written = _WHOLE.fullmatch(value) if isinstance(value, str) else None
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not (written or is_number or (isinstance(value, float) and value.is_integer())):
            raise ValueError(f"must be a whole number, not {value!r}")
        return int(written[1] if written else value)

    def to_request(self, value: Any) -> Any:
        number = self.normalize(value)
        if abs(number or 0) > MAX_INTEGER:
            raise ValueError(f"must be at most {MAX_INTEGER}")
        return number


class Boolean(FieldType):
    """True or false, also as text or number. `null` is false."""

    option = "bool"
    is_shown_normalized = True
    _VALUES = {"true": True, "false": False, "1": True, "0": False}

    def normalize(self, value: Any) -> Any:
        if value is None:
            return False
        if (known := self._VALUES.get(str(value).strip().lower())) is None:
            raise ValueError(f"must be true or false, not {value!r}")
        return known


class Url(Text):
    """A URL. The case of scheme and host, final slashes, and an empty query or fragment do not count."""

    # Scheme, user, host, and the rest, which stays as it is: joining the parts of a URL again can change its end.
    _PARTS = re.compile(r"(?ais)\A([a-z][a-z0-9+.-]*:)?(?:(//(?:[^/?#]*@)?)([^/?#]*))?(.*)")
    # All but what does not count at the end. A search for that end takes time with the square of its length.
    _KEPT = re.compile(r"\A(?:.*[^/?#])?", re.DOTALL)

    def normalize(self, value: Any) -> Any:
        text = super().normalize(value)
        try:
            # The check of a host in Unicode takes such time, too.
            urlsplit(text[:_MAX_CHECKED])
        except ValueError:
            raise ValueError("must be a valid URL") from None
        (kept,) = self._KEPT.findall(text)
        ((scheme, user, host, rest),) = self._PARTS.findall(kept)
        return f"{scheme.lower()}{user}{host.lower()}{rest}"


class Network(Text):
    """An IP range: a network in CIDR notation, a bare address, or `*`, which equals nothing else."""

    _EXPECTED = "must be a network in CIDR notation, an IP address or *"

    def normalize(self, value: Any) -> Any:
        text = super().normalize(value)
        try:
            return _network(text) if text not in ("*", "") else text
        except ValueError:
            raise ValueError(f"{self._EXPECTED}, not {value!r}{self.advice(text)}") from None

    def to_request(self, value: Any) -> Any:
        text = super().to_request(value)
        # A netmask can be read, but the API documents a prefix length.
        if not re.fullmatch("[^/]+(/[0-9]+)?", text):
            raise ValueError(f"{self._EXPECTED}, not {value!r}{self.advice(text)}")
        return text

    def advice(self, text: str) -> str:
        """Return advice if something else was meant that makes sense."""
        if text.lower() in ("any", "all"):
            return ". Any address is *"
        octets = re.findall("[0-9]+", text) if re.fullmatch(r"([0-9]{1,3}\.){1,3}[*](\.[*])*", text) else []
        # A pattern, brackets, blanks or a netmask.
        meant = f"{'.'.join([*octets, *'000'][:4])}/{8 * len(octets)}" if octets else re.sub(r"[\[\]\s]", "", text)
        with contextlib.suppress(ValueError):
            return f". Write {_network(meant)}"
        if re.fullmatch(r"[0-9.]+\s*-\s*[0-9.]+", text):
            return ". Write networks, such as 10.0.0.0/28, with an export for each"
        if re.search(r"[,;\s\[]", text):
            return ". It is one range: for several, make an export for each"
        return ". Use the address of that host" if re.fullmatch(r"[A-Za-z][\w.-]*", text) else ""

    def plan_warning(self, value: Any) -> str:
        text = str(value).strip()
        if "%" in text:
            return "has a scope id, behind %, which means something on one machine alone"
        network, address = self.normalize_or_none(text), text.partition("/")[0]
        # Links between two routers have such small networks.
        if getattr(network, "num_addresses", 0) <= 2 or ipaddress.ip_address(address) == network.network_address:
            return ""
        return f"is {text}, which means all of {network}: write that, or {address} for that address alone"


class Path(Name):
    """A directory inside a volume. Repeated and outer slashes, and `.`, do not count. The root may be blank."""

    def normalize(self, value: Any) -> Any:
        return _normal_path(_text(value))

    def to_request(self, value: Any) -> Any:
        text = _text(value)
        if not text.startswith("/"):
            raise ValueError(f"must start with /, not {value!r}")
        return _normal_path(text)


class Loose(FieldType):
    """A value of an undocumented field. A number may be written as text."""

    def normalize(self, value: Any) -> Any:
        return str(value).lower() if isinstance(value, (int, float, bool)) else value


class Limit(Integer):
    """A limit that is a plain number, such as inodes. No limit is 0 or `null`."""

    def normalize(self, value: Any) -> Any:
        number = super().normalize(value) or 0
        if number < 0:
            raise ValueError("must be 0 or more, and 0 is no limit")
        return number


class Size(Limit):
    """A limit in bytes, also with a unit in powers of 1024: `10GiB`, `10Gi`, `10gb` and `10G` are equal."""

    option = "str"

    def normalize(self, value: Any) -> Any:
        return _bytes(value) if isinstance(value, str) else super().normalize(value)

    def plan_warning(self, value: Any) -> str:
        number = value if not isinstance(value, str) else self.normalize(value) if _WHOLE.fullmatch(value) else 0
        is_small = 0 < (number or 0) < _SMALL
        return f"is less than {_SMALL} bytes. Write a unit, as in 10GiB, or 10B if bytes are meant" if is_small else ""

    def to_diff(self, value: Any) -> Any:
        """Return the size in the largest unit that makes it a whole number, as users write it."""
        number = self.to_result(value)
        if not isinstance(number, int) or not number:
            return number
        power = next(power for power in range(6, -1, -1) if number % 1024**power == 0)
        return f"{number // 1024**power}{_UNITS[power]}iB" if power else number


def is_kept(text: str) -> bool:
    """Return whether a text has neither white space at its ends nor control characters, which some servers remove."""
    return text == text.strip() and not any(unicodedata.category(each) == "Cc" for each in text)


def oddity(text: str) -> str:
    """Return a phrase on what is probably unintended in typed or pasted text; blank for nothing."""
    if text.isprintable() and "{" not in text and text[:1] not in ("'", '"'):
        return ""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1]:
        return "is in quotation marks, which are taken as part of it"
    return "contains a template that was not evaluated" if "{{" in text else hidden_in(text)


def hidden_in(text: str) -> str:
    """Return a phrase on the first character of a text that cannot be seen; blank for none."""
    hidden = next((each for each in text if unicodedata.category(each) in _HIDDEN and each not in _JOINERS), "")
    if not hidden:
        return ""
    name = unicodedata.name(hidden, "")
    return f"contains {name}, which cannot be seen" if name else f"contains the control character {hidden!r}"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list, bool)):
        raise ValueError(f"must be text, not {value!r}")
    return "" if value is None else str(value)


@cache
def _network(text: str) -> Any:
    # The network of an address with a scope id lacks that.
    return ipaddress.ip_interface(text) if "%" in text else ipaddress.ip_network(text, strict=False)


@cache
def _normal_path(text: str) -> str:
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ValueError(f"must be a path without .., not {text!r}")
    return "/" + "/".join(parts)


@cache
def _bytes(text: str) -> int:
    """Return the bytes that a text means, with or without a unit. Cached: thousands of quotas share a few sizes."""
    if (match := _WITH_UNIT.fullmatch(text)) is None:
        try:
            return int(LIMIT.normalize(text))
        except ValueError as error:
            if _WHOLE.fullmatch(text):
                raise
            expected = "a number of bytes, or a number with one of the units KiB, MiB, GiB, TiB, PiB and EiB"
            raise ValueError(f"must be {expected} (0 is no limit), not {text!r}") from error
    whole, decimals, unit = match.group(1), match.group(2) or "", match.group(3) or ""
    scale = 1024 ** _UNITS.index(unit.upper() or " ")
    number: int = int(whole + decimals) * scale // 10 ** len(decimals)
    if not number and int(whole + decimals):
        raise ValueError(f"must be at least one byte, or 0, not {text!r}")
    return number


ANY = FieldType()
LOOSE = Loose()
TEXT = Text()
NAME = Name()
INTEGER = Integer()
BOOLEAN = Boolean()
URL = Url()
NETWORK = Network()
PATH = Path()
LIMIT = Limit()
SIZE = Size()
