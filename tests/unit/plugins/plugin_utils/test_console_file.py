# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file console.yml, as tables: its content, refusals, and its treatment by a capture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.reading import read_state
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import (
    DEFAULT_MAX_REMOVALS,
    plan_files,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.yaml_text import MARK

A, B = "https://a.example.com", "https://b.example.com"
QUOTA = {"path": "/a", "size": "1GiB"}
PVC = {"path": "/pvc-1", "size": "1GiB"}


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that saves files by name, and returns their folder."""

    def save(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.with_suffix(".yml").write_text(text, encoding="utf-8")
        return tmp_path

    return save


def options(folder: Path) -> dict[str, Any]:
    return read_state(folder, "desired", bytes).about.to_options()


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"v": "name: v"}, {}),
        ({"console": f"console: [{A}/api/v1/, HTTPS://B.example.com:443]", "v": "name: v"}, {"consoles": [A, B]}),
        ({"console": "ignore: {quotas: [/x]}", "v": "name: v"}, {"ignore": {"quotas": ["/x"]}}),
        ({"console": f"console: [{A}]", "sub__v": "name: v"}, {"consoles": [A]}),
        (
            {
                "console": f"console: [{A}, {B}]\nignore: {{exports: [x, y]}}",
                "sub__console": f"console: [{B}, {A}]\nignore: {{exports: [y, x]}}",
                "v": "name: v",
            },
            {"consoles": [A, B], "ignore": {"exports": ["x", "y"]}},
        ),
    ],
)
def test_what_the_folder_is_for(save: Callable[..., Path], files: dict[str, str], found: dict[str, Any]) -> None:
    folder = save(**files)
    assert options(folder) == found
    assert [item["name"] for item in [entry.item for entry in read_state(folder, "desired", bytes).entries]] == ["v"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"console": "name: console"}, "desired/console.yml: this file must be a dictionary with console"),
        ({"console": "[a]"}, "desired/console.yml: this file must be a dictionary with console"),
        ({"console": "console: []"}, "desired/console.yml, line 1: console must be a list of at least one address"),
        ({"console": f"console: {A}"}, "desired/console.yml, line 1: console must be a list of at least one address"),
        ({"console": "console: [ftp://x]"}, "desired/console.yml, line 1: console is not the address of a console"),
        (
            {"console": "ignore: {quotas: [x]}"},
            "desired/console.yml, line 1: ignore.quotas: the pattern 'x' must begin with",
        ),
        (
            {"console": "ignore: {quota: [x]}"},
            "desired/console.yml, line 1: ignore must be a dictionary of patterns for",
        ),
        (
            {"console": f"console: [{A}]", "sub__console": f"console: [{B}]"},
            "desired/console.yml and desired/sub/console.yml name different consoles.",
        ),
    ],
)
def test_what_is_no_such_file(save: Callable[..., Path], files: dict[str, str], message: str) -> None:
    folder = save(**files, v="name: v")
    with pytest.raises(ConsoleError) as caught:
        options(folder)
    assert str(caught.value).startswith(message)


ABOVE = [
    ("ignore: {exports: [b]}", ["a", "b"]),
    (f"console: [{A}]", ["a"]),
    (f"console: [{B}]", "console.yml and desired/berlin/console.yml name different consoles."),
    ("ignore: x", "console.yml, line 1: ignore must be a dictionary"),
]


@pytest.mark.parametrize(("text", "expected"), ABOVE)
def test_what_the_folder_above_says_holds_below_for_reading_and_for_capture(
    save: Callable[..., Path], text: str, expected: list[str] | str
) -> None:
    own = f"console: [{A}]\nignore: {{exports: [a]}}"
    folder = save(console=text, berlin__console=own, berlin__v="name: v") / "berlin"
    if isinstance(expected, list):
        for source in (folder, folder / "v.yml"):
            assert options(source) == {"consoles": [A], "ignore": {"exports": expected}}
        exports = [{"desc": name, "iprange": "*"} for name in "abc"]
        (written,) = capture(folder, {"name": "v", "exports": exports}).values()
        assert [name for name in "abc" if f"desc: {name}" not in str(written)] == expected
        return
    with pytest.raises(ConsoleError, match=expected):
        read_state(folder, "desired/berlin", bytes)
    with pytest.raises(ConsoleError, match=r"Nothing was written\."):
        capture(folder, {"name": "v"})


def capture(folder: Path, *items: dict[str, Any], address: str = A) -> dict[str, str | None]:
    """Capture items into a folder, and return the new contents by the names of files, None for removed ones."""
    changes, _unchanged = plan_files(folder, list(items), True, DEFAULT_MAX_REMOVALS, address)
    for change in changes:
        if change.after is None:
            change.path.unlink()
        else:
            change.path.write_text(change.after, encoding="utf-8")
    return {change.path.name: change.after for change in changes}


def test_a_capture_names_the_console_and_refuses_another(tmp_path: Path) -> None:
    assert set(capture(tmp_path, {"name": "v"}, {"name": "console"})) == {
        "v.yml",
        "console.yml",
        "console~93d8874c8c86.yml",
    }
    assert options(tmp_path) == {"consoles": [A]}
    assert capture(tmp_path, {"name": "v"}, {"name": "console"}) == {}
    with pytest.raises(ConsoleError, match=f"holds the files of {A}, and this is {B}"):
        capture(tmp_path, {"name": "v"}, address=B)


def test_a_capture_leaves_the_file_as_a_person_wrote_it(save: Callable[..., Path]) -> None:
    text = f"# both\nconsole: [{B}, {A}]\nignore: {{quotas: [/pvc-*]}}\n"
    folder = save(console=text)
    capture(folder, {"name": "v", "quotas": [QUOTA, PVC]})
    assert (folder / "console.yml").read_text(encoding="utf-8") == text
    assert [entry.item for entry in read_state(folder, "desired", bytes).entries] == [{"name": "v", "quotas": [QUOTA]}]


def test_what_is_ignored_from_now_on_is_no_removal(save: Callable[..., Path], tmp_path: Path) -> None:
    names = [f"k8s-{number}" for number in range(9)]
    capture(tmp_path, {"name": "v"}, *({"name": name} for name in names))
    save(console=f"console: [{A}]\nignore: {{volumes: [k8s-*]}}")
    assert set(capture(tmp_path, {"name": "v"}, *({"name": name} for name in names))) == {
        f"{name}.yml" for name in names
    }


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"console": "ignore: {quota: [x]}"}, r"console\.yml, line 1: ignore must be a dictionary of patterns"),
        (
            {"console": "{ignore: {quotas: [/x]}}"},
            r"console\.yml: it does not name the console of its folder\. Add console:",
        ),
        (
            {"v": f"{MARK}\nname: v\nignore: {{quotas: [/x]}}"},
            r"its ignore counts no more: put it into console\.yml\.",
        ),
        (
            {"gone": f"{MARK}\nname: v\nignore: {{quotas: [/x]}}"},
            r"its ignore counts no more: put it into console\.yml\.",
        ),
        ({"v": f"{MARK}\nname: v\nignore: {{quotas: [/x]"}, r"line "),
    ],
)
def test_a_capture_does_not_overwrite_what_it_cannot_read(
    save: Callable[..., Path], files: dict[str, str], message: str
) -> None:
    with pytest.raises(ConsoleError, match=message):
        capture(save(**files), {"name": "v"})
