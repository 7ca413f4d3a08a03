# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets that are named in text without a structure to go by. Pure."""

from __future__ import annotations

import re

from .masking import MASK, is_secret_name, mask

# A name and what is assigned to it, as in `token=abc`, "token": "abc" or token: [abc].
_ASSIGNMENT = (
    r"(?<![\w-])([A-Za-z_][\w-]*)(\\*[\"']?\s*[:=]\s*)"
    r"(\\*\"[^\"]*\"?|\\*'[^']*'?|\[[^\[\]]*\]?|[^\s,;&(){}\[\]<>\"']+)"
)


def mask_text(text: str) -> str:
    """Return free text without user info in URLs, and without what it assigns to secret names, as in `token=abc`."""

    def hide(match: re.Match[str]) -> str:
        name, separator, assigned = match.groups()
        # As in "token: expired", which says what is wrong.
        is_word = assigned.isalpha() and "=" not in separator
        return f"{name}{separator}{MASK}" if is_secret_name(name) and not is_word else match.group()

    return re.sub(_ASSIGNMENT, hide, str(mask(text)))


def may_hide_secret(text: str) -> bool:
    """Return whether text that is almost JSON may hold a secret that `mask_text` does not find.

    Its name may be written with escapes, its value may be a structure, and the text may be in an encoding of its own.
    """
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), text)
    names = r"([A-Za-z_][\w-]*)" if plain.lstrip()[:1] in ("{", "[") else r"([A-Za-z_][\w-]*)\\*[\"']?\s*:\s*[\[{]"
    return "\0" in text or any(is_secret_name(name) for name in re.findall(names, plain))
