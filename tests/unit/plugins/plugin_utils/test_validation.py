# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is said of the files of a desired state, how much of it, and what is no doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.validation import (
    Validation,
    describe,
    shorten_lists,
    validate,
)

NOTHING = Validation([], [], [], {"files": 0, "volumes": 0, "exports": 0, "quotas": 0, "open_to_write": 0})
DESCRIBED = [
    (NOTHING, "d: nothing is wrong. Read: nothing."),
    (
        NOTHING._replace(counts={"files": 1, "volumes": 1200, "exports": 0, "quotas": 2, "open_to_write": 3}),
        "d: nothing is wrong. Read: 1 file, 1,200 volumes, 2 quotas.",
    ),
    (NOTHING._replace(doubts=["a"]), "d: 1 doubt. Read: nothing."),
    (NOTHING._replace(not_read=["a", "b"]), "d: 2 not read. Read: nothing."),
    (NOTHING._replace(errors=["a.", "b."]), "d: 2 mistakes. Read: nothing. a. b."),
]


@pytest.mark.parametrize(("found", "said"), DESCRIBED)
def test_a_sentence_says_what_was_found(found: Validation, said: str) -> None:
    assert describe(found, "d") == said


# The lengths of a mistake, of what is not read, and of a doubt, and which of them are kept.
LENGTHS = [
    ((0, 0, 629_996), (0, 0, 629_996)),
    ((0, 0, 629_997), (0, 0, 0)),
    ((400_000, 0, 229_992), (400_000, 0, 229_992)),
    ((400_000, 0, 229_993), (400_000, 0, 0)),
    ((400_000, 400_000, 100_000), (400_000, 0, 0)),
]


@pytest.mark.parametrize(("given", "kept"), LENGTHS)
def test_mistakes_come_first_where_there_is_not_room_for_all(
    given: tuple[int, int, int], kept: tuple[int, int, int]
) -> None:
    errors, not_read, doubts = (["x" * length] * bool(length) for length in given)
    found = shorten_lists(Validation(errors, doubts, not_read, {}))
    assert tuple(len("".join(texts)) for texts in (found.errors, found.not_read, found.doubts)) == kept


def check(folder: Path, text: str) -> Validation:
    """Return what is found in a folder with one file."""
    (folder / "a.yml").write_text(text, encoding="utf-8")
    return validate(folder, "d", bytes)


EXPORTS = """name: v
exports:
  - {desc: a, iprange: "*", readonly: false}
  - {desc: b, iprange: "*"}
  - {desc: c, iprange: "*", readonly: true}
  - {desc: d, iprange: "*", readonly: false, state: absent}
"""


def test_only_what_is_to_exist_lets_anybody_write(tmp_path: Path) -> None:
    assert check(tmp_path, EXPORTS).counts == {"files": 1, "volumes": 1, "exports": 4, "quotas": 0, "open_to_write": 2}
    assert validate(tmp_path / "nowhere", "d", bytes).counts == NOTHING.counts


NO_DOUBT = [
    "- {name: v, region: 1, bucket: https://v.test}\n- {name: w, region: 1, bucket: https://w.test}",
    "- {name: v, bucket: https://v.test}\n- {name: w, bucket: https://v.test, state: absent}",
    "{name: v, exports: [{id: 1, iprange: 10.0.0.1}, {id: 2, iprange: 10.0.0.2}]}",
]


@pytest.mark.parametrize("text", NO_DOUBT)
def test_what_is_no_doubt(tmp_path: Path, text: str) -> None:
    assert check(tmp_path, text)[:2] == ([], [])


DOUBT = [
    ("- {name: v, bucket: https://v.test}\n- {name: w, bucket: https://v.test/}", "the bucket is that of"),
]


@pytest.mark.parametrize(("text", "doubt"), DOUBT)
def test_what_is_a_doubt(tmp_path: Path, text: str, doubt: str) -> None:
    errors, (found,), _not_read, _counts = check(tmp_path, text)
    assert errors == []
    assert doubt in found
