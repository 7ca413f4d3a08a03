# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values as messages and results have them: texts, JSON, Markdown, and what of them is secret. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any
from urllib.parse import quote

# Ansible walks results recursively, and Python limits the recursion.
MAX_DEPTH = 100
# A list of 50,000 records has 550,000. Each takes a few bytes of JSON, and a hundred in memory.
MAX_VALUES = 2_000_000
# A task that reads the lists of many volumes holds them all.
MAX_VALUES_OF_TASK = 4_000_000
_CONTAINERS = (dict, list, tuple)
# Whole numbers up to 308 digits fit into a float, which calculations with a result may need.
_LONG_NUMBER = b"0" * 309
_UNUSABLE_NUMBER = "infinity, NaN or a number of more than 308 digits"
_ANY_DIGIT_TO_0 = bytes.maketrans(b"123456789", b"000000000")
MASK = "********"
NOT_SHOWN = "(not shown: it is not valid JSON, and contains the name of a secret)"
_MAX_NAME = 1_000
_MAX_ADDRESSES = 100_000
# An address ends with what a sentence, JSON or HTML may put behind it. A single quotation mark within a word is part of it.
_AFTER_SCHEME = re.compile(r"(?<=://)(?:(?!://)(?:[^\s\"'<>]|'(?=\w)))+")
# A text that begins with a user and a password, and not with a host and a port, is one address: its password may have blanks.
_HAS_PASSWORD = re.compile(r"[A-Za-z][\w+.-]*://[^\s:/?#@\[]*:(?![/\s]|[0-9]+(?:[/\s]|\Z))")
_TO_THE_END = re.compile("(?<=://).+", re.DOTALL)
_AUTHORITY_END = re.compile("[/?#]")
# A word begins with a capital, even after an acronym: accessToken, APIToken.
_CAMEL = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# A name and what is assigned to it, as in `token=abc`, "token": "abc" or token: [abc].
_ASSIGNMENT = (
    r"(?<![\w-])(-*[A-Za-z_][\w-]*)(\\*[\"']?\s*[:=]\s*)"
    r"(\\*\"[^\"]*\"?|\\*'[^']*'?|\[[^\[\]]*\]?|[^\s,;&(){}\[\]<>\"']+)"
)
# A shorter beginning could occur by chance.
_LENGTH = 12
_WORD = r"[^\s\"'<>(),]*"
# Each Authorization header of ours begins with the base64 of `{"access_key`. A signature has this form, if it is cut short, too.
_HEADER = re.compile(f"eyJhY2Nlc3Nfa2V5{_WORD}")
_SIGNATURE = re.compile(f"[0-9a-f]{{{_LENGTH},}}", re.IGNORECASE)


def shorten(text: str, most: int) -> str:
    """Return a text of at most so many characters; what was cut off shows as `...`."""
    return text if len(text) <= most else f"{text[:most]}..."


def first_of(names: Iterable[str], most: int, separator: str = ", ") -> str:
    """Return the first of some names, and `...` for further ones."""
    found = list(names)
    return separator.join(found[:most] + ["..."] * (len(found) > most))


def first_sentences(texts: Iterable[str], most: int) -> str:
    """Return the first of some sentences, and how many more there are."""
    found = list(texts)
    more = f" And {len(found) - most} more." if len(found) > most else ""
    return " ".join(found[:most]) + more


def counted(count: int, plural: str) -> str:
    """Return a number with its noun: `1 quota`, `1,200 quotas`."""
    return f"{count:,} {plural if count != 1 else plural.removesuffix('s')}"


def most_like(name: str, known: Iterable[str]) -> str:
    """Return the known name that another one may be meant for, blank if none is much like it."""
    return next(iter(get_close_matches(name, list(known), 1)), "")


class UnusableJsonError(ValueError):
    """JSON that no result could hold; the message tells users what it contains."""


def parse_json(content: bytes) -> Any:
    """Return the value of a JSON text; ValueError for anything else, UnusableJsonError for what no result could hold."""
    if count_values(content) > MAX_VALUES:
        raise UnusableJsonError(f"more than {MAX_VALUES:,} values")
    return read_json(content)


def read_json(content: bytes) -> Any:
    """Return the value of a JSON text of any length, with the same errors."""
    # Ten times as a regular expression. A text of so many digits is refused as well.
    if _LONG_NUMBER in content.translate(_ANY_DIGIT_TO_0):
        raise UnusableJsonError(_UNUSABLE_NUMBER)
    try:
        # Nothing holds the decoded text afterwards, which may take four times the memory.
        value = json.loads(content.decode(), parse_constant=_read_float, parse_float=_read_float)
    except RecursionError:
        raise UnusableJsonError("values nested too deeply") from None
    if is_too_deep(value):
        raise UnusableJsonError("values nested too deeply")
    # A lone surrogate cannot be printed, nor can a result that holds one.
    has_surrogates = b"\\ud" in content.lower()
    return map_text(value, lambda text: re.sub("[\ud800-\udfff]", "\ufffd", text)) if has_surrogates else value


def count_values(content: bytes) -> int:
    """Return an upper bound on the number of values in a JSON text: commas in strings count, too."""
    return content.count(b",") + content.count(b"{") + content.count(b"[") + 1


def is_too_deep(value: Any) -> bool:
    """Return whether a value is nested deeper than a result can be."""
    containers: list[Any] = [[value]]
    for _depth in range(MAX_DEPTH + 1):
        if not containers:
            return False
        containers = [
            inner
            for container in containers
            for inner in (container.values() if isinstance(container, dict) else container)
            if isinstance(inner, _CONTAINERS)
        ]
    return bool(containers)


def map_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a copy with `change` applied to each text, names included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {map_text(name, change): map_text(inner, change) for name, inner in value.items()}
    return [map_text(inner, change) for inner in value] if isinstance(value, list) else value


def printable(text: str) -> str:
    r"""Return text with each unprintable character written as an escape such as `\u202e`.

    Text must neither deceive its reader at a terminal, nor give the terminal commands.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def _read_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise UnusableJsonError(_UNUSABLE_NUMBER)
    return number


def mask(value: Any) -> Any:
    """Return a copy of a JSON value with its secrets masked, at any depth.

    Secrets are the values of `token`, `*_token`, `secret*`, `*_secret`, `password` and `*_key` (but not `access_key`), and
    the user info of URLs. Masking goes by position, so that a short secret does not blot out other text.
    """
    # The most frequent types come first: there are hundreds of thousands of texts and numbers.
    if isinstance(value, str):
        if "://" not in value or "@" not in value:
            return value
        # Nobody writes more addresses into one text, and each would take memory.
        is_text = value.count("://") <= _MAX_ADDRESSES
        return _pattern_for(value).sub(_without_user_info, value) if is_text else MASK
    if value is None or isinstance(value, (int, float)):
        return value
    if isinstance(value, dict):
        return {
            name: MASK if is_secret_name(name) and inner not in (None, "") else mask(inner)
            for name, inner in value.items()
        }
    return [mask(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def secrets_in(value: Any, is_secret: bool = False) -> Iterator[str]:
    """Yield the secrets of a JSON value that `mask` would mask; of the user info of a URL, the password if it has one.

    If the value `is_secret`, so are all texts and numbers in it.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from secrets_in(inner, is_secret or is_secret_name(name))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from secrets_in(inner, is_secret)
    elif is_secret and value is not None and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, str) and "@" in value:
        for part in _pattern_for(value).finditer(value):
            if user_info := _user_info(part.group()):
                yield user_info.partition(":")[2] or user_info


def has_secret(text: Any) -> bool:
    """Return whether text holds a secret, or the mask of one."""
    return isinstance(text, str) and MASK in mask(text)


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Return whether a field of this name holds a secret; an overlong name counts as one.

    Names are in snake or camel case, or those of headers and of options of commands.
    """
    if len(name) > _MAX_NAME:
        return True
    word = _CAMEL.sub("_", name).lower().replace("-", "_").lstrip("_")
    is_key = word.endswith("_key") and word != "access_key"
    return is_key or word in ("token", "password") or word.endswith(("_token", "_secret")) or word.startswith("secret")


def mask_text(text: str) -> str:
    """Return free text with user info of URLs masked, and what it assigns to secret names, as in `token=abc`."""

    def hide(match: re.Match[str]) -> str:
        name, separator, assigned = match.groups()
        # "token: expired" says what is wrong.
        is_word = assigned.isalpha() and "=" not in separator
        return f"{name}{separator}{MASK}" if is_secret_name(name) and not is_word else match.group()

    return re.sub(_ASSIGNMENT, hide, str(mask(text)))


def secrets_in_text(text: str) -> Iterator[str]:
    """Yield the secrets that `mask_text` would mask."""
    yield from secrets_in(text)
    for match in re.finditer(_ASSIGNMENT, text):
        if is_secret_name(match[1]):
            yield match[3].strip("\\\"'[]")


def may_hide_secret(text: str) -> bool:
    """Return whether unparsable text names a secret, or is in an encoding that would hide one."""
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), text)
    return "\0" in text or any(is_secret_name(found.group()) for found in re.finditer(r"[A-Za-z_][\w-]*", plain))


def _pattern_for(text: str) -> re.Pattern[str]:
    return _TO_THE_END if _HAS_PASSWORD.match(text) and text.count("://") == 1 else _AFTER_SCHEME


def _without_user_info(after_scheme: re.Match[str]) -> str:
    """Return the part of a URL after its scheme, with user info masked."""
    part = after_scheme.group()
    length = len(_user_info(part))
    return MASK + part[length:] if part[length : length + 1] == "@" else part


def _user_info(part: str) -> str:
    """Return the user info at the beginning of the part of a URL after its scheme, even if its password has a slash; or blank."""
    authority = _AUTHORITY_END.split(part, maxsplit=1)[0]
    host = authority.rpartition("@")[2]
    _name, colon, port = host.rpartition(":")
    # Text after a colon that is not a port begins a password.
    is_password = colon and not host.startswith("[") and not port.isdigit()
    return (part if is_password else authority).rpartition("@")[0]


def to_code(text: str, most: int | None = None) -> str:
    """Return a code span that nothing in the text can end, with at most so many characters of it.

    A span must never be cut itself: without its end, it is none. Blanks beside the fence are not part of it.
    """
    shown = text if most is None else shorten(text, most)
    fence = "`" * (_longest_run(shown) + 1)
    blank = " " if shown[:1] in "` " or shown[-1:] in "` " else ""
    return f"{fence}{blank}{shown}{blank}{fence}"


def to_block(lines: Iterable[str]) -> list[str]:
    """Return lines as a code block, whatever is in them."""
    text = [" ".join(line.splitlines()) if "\n" in line else line for line in lines]
    fence = "`" * max(3, max(map(_longest_run, text), default=0) + 1)
    return [f"{fence}text", *text, fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


class Echoes:
    """The secrets in a task's requests; removes their echoes from its result."""

    def __init__(self) -> None:
        self._signatures: set[str] = set()
        self._others: set[str] = set()

    def add(self, *secrets: str) -> None:
        """Remember the secrets of a request about to be sent."""
        for secret in secrets:
            if _SIGNATURE.fullmatch(secret):
                self._signatures.add(secret[:_LENGTH])
            elif not _HEADER.match(secret):
                self._others |= _beginnings([secret])

    def clean(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return a result without echoes."""
        # Hardly any result has one, and to look into each text takes longer.
        whole = "" if self._others else json.dumps(result)
        is_clean = whole and self._clean_text(whole) == whole
        return dict(result) if is_clean else dict(map_text(result, self._clean_text))

    def _clean_text(self, text: str) -> str:
        for beginning in self._others:
            text = _remove(beginning, text)
        text = _HEADER.sub(MASK, text)
        return _SIGNATURE.sub(lambda found: MASK if found[0][:_LENGTH].lower() in self._signatures else found[0], text)


class Shown:
    """The secrets in the lists that a console has shown; removes them from its messages, which may quote the token of an export."""

    def __init__(self) -> None:
        self._lists: dict[str, Any] = {}
        self._beginnings: dict[str, set[str]] = {}

    def add(self, path: str, records: list[Any]) -> None:
        """Remember the records of the list at a path, instead of earlier ones."""
        self._lists[path] = records
        self._beginnings.pop(path, None)

    def clean(self, message: str) -> str:
        """Return a message with the mask for each secret."""
        found = {message[start : start + _LENGTH] for start in range(len(message))}
        for path, records in list(self._lists.items()):
            # Few tasks see a failure, and those that do may see thousands.
            if path not in self._beginnings:
                self._beginnings[path] = _beginnings(secrets_in(records))
            for beginning in found & self._beginnings[path]:
                message = _remove(beginning, message)
        return message


def _beginnings(secrets: Iterable[str]) -> set[str]:
    """Return the first characters of secrets in each form, without those that are short."""
    forms = (
        form
        for secret in secrets
        for form in (secret, json.dumps(secret)[1:-1], secret.replace("/", "\\/"), quote(secret, safe=""))
        if len(secret) >= _LENGTH
    )
    return {form[:_LENGTH] for form in forms}


def _remove(beginning: str, text: str) -> str:
    return re.sub(f"{re.escape(beginning)}{_WORD}", MASK, text) if beginning in text else text
