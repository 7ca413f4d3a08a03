# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading state files: their allowed content, and a message with file and position for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.items import read_items
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.action import resolve_path
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files import yaml_text
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.reading import read_state
from functional.support.files import items_in

COLLECTION = Path(yaml_text.__file__).parents[4]


def read(folder: Path, **files: str | bytes) -> list[dict[str, object]]:
    """Return the items in files with these names, less the suffix."""
    for name, content in files.items():
        path = folder / f"{name}.yml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return items_in(folder, "desired", bytes)


def refuse(folder: Path, **files: str | bytes) -> str:
    """Return the message about the mistakes in files."""
    with pytest.raises(ConsoleError) as caught:
        read(folder, **files)
    return str(caught.value)


READ: dict[str, tuple[str | bytes, list[dict[str, object]]]] = {
    "one volume": ("name: a\n", [{"name": "a"}]),
    "a list of volumes": ("- name: b\n- {name: c, quotas: []}\n", [{"name": "b"}, {"name": "c", "quotas": []}]),
    "comments alone": ("# nothing yet\n---\n", []),
    "a date": ("name: a\nexports: [{desc: 2026-01-01}]", [{"name": "a", "exports": [{"desc": "2026-01-01"}]}]),
    "merged keys, the first counts": (
        "- &a {name: a, region: 1}\n- &b {name: b, region: 2}\n- {<<: [*a, *b], name: c}",
        [{"name": name, "region": region} for name, region in (("a", 1), ("b", 2), ("c", 1))],
    ),
    "merged keys": ("- &a {name: a, region: 1}\n- {<<: *a, name: b}", [{"name": n, "region": 1} for n in "ab"]),
    "anchors below keys that nothing reads": (
        "x-web: &web {desc: web, iprange: 10.0.0.0/8}\nname: a\nexports:\n  - *web\n  - {<<: *web, desc: b, x-why: moved}",
        [{"name": "a", "exports": [{"desc": desc, "iprange": "10.0.0.0/8"} for desc in ("web", "b")]}],
    ),
    "a byte order mark": (b"\xef\xbb\xbfname: a", [{"name": "a"}]),
    "numbers and booleans where they are meant": (
        "name: 2024\nregion: -1\ncompatible: true\nquotas: [{path: /x, size: 1024}]",
        [{"name": 2024, "region": -1, "compatible": True, "quotas": [{"path": "/x", "size": 1024}]}],
    ),
}


@pytest.mark.parametrize(("content", "items"), READ.values(), ids=READ)
def test_a_file_is_read(tmp_path: Path, content: str | bytes, items: list[dict[str, object]]) -> None:
    assert read(tmp_path, a=content) == items


def test_of_a_folder_and_its_subfolders_what_ends_in_yml_is_read_in_alphabetical_order(tmp_path: Path) -> None:
    names = {name: f"name: {name}" for name in ("z.yml", "a/y.yaml", "a/b/x.yml")}
    others = ("README.md", "notes.txt", "a.yml~", "a.yml.swp", ".hidden.yml", ".git/config.yml")
    for name, content in (names | dict.fromkeys(others, "}")).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert [item["name"] for item in read(tmp_path)] == list(names)
    (tmp_path / "state.json").write_text('{"name": "a"}', encoding="utf-8")
    assert items_in(tmp_path / "state.json", "state.json", bytes) == [{"name": "a"}]


ALIAS = "an alias contains itself, or repeats what is not above it, or what is below extra_fields."
UNCLOSED = {
    "a brace": ("exports:\n  - {desc: b, iprange: '*'\n  - {desc: c}\n", "3, column 5", "{", 4),
    "a brace at the end": ("exports:\n  - {desc: b\n", "3, column 5", "{", 4),
    "a bracket": ("exports: [{desc: b}\nquotas: []\n", "2, column 10", "[", 3),
    "a comma": ("exports:\n  - {desc: b,\n     iprange: '*'\n     readonly: true}\n", "3, column 5", "{", 5),
    "a quotation mark": ('bucket: "https://a\nexports: []\n', "2, column 9", '"', 4),
    "an apostrophe": ("bucket: 'https://a\nexports: []\n", "2, column 9", "'", 4),
}
WRONG: dict[str, tuple[str | bytes, str]] = {
    "an empty file": ("", "desired/a.yml: the file is empty"),
    "a tab": ("name: a\n\tregion: 1", "desired/a.yml, line 2: the line begins with a tab. YAML wants"),
    "a merge": (
        "name: a\n<<<<<<< HEAD\nregion: 1\n=======\nregion: 2\n>>>>>>> x",
        "a.yml, line 2: a merge of two versions was not",
    ),
    "a control character": ("ü: ö\nname: \x00", "desired/a.yml, line 2: the character '\\x00'"),
    "not UTF-8": (b"name: a\nregion: \xff", "desired/a.yml, line 2: the file is not UTF-8 text. Save it as UTF-8."),
    "a key twice": ("name: a\nregion: 1\nname: b", "line 3, column 1: the key name is a duplicate"),
    "a template": ("name: {{ x }}", "line 1, column 8: a key must be text. Templates such as"),
    "vault": ("name: !vault |\n  x", "the tag !vault is not supported in these files. Encrypt the whole"),
    "a tag for plain data": ("region: !!bool x", "line 1, column 9: the tag !!bool is not supported in these files."),
    "two documents": (
        "name: a\n---\nname: b",
        "line 2, column 1: a line --- begins another document here. Put it into",
    ),
    **{
        name: (
            f"name: a\n{rest}",
            f"a.yml, line {place}: this {sign} is not closed, or a comma is missing before line {end}.",
        )
        for name, (rest, place, sign, end) in UNCLOSED.items()
    },
    "deep nesting": ("[" * 50_000, "nested too deeply: more than 100"),
    "deep lists of lists": ("- " * 50_000, "desired/a.yml, line 1, column 201: nested too deeply"),
    "aliases of aliases": (
        "name: a\nextra_fields:\n  l0: &l0 [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 40)),
        "more than 3,000,000 values, with those of aliases.",
    ),
    "deep aliases": (
        f"name: a\nextra_fields: {{x: [&a0 [], {', '.join(f'&a{n} [*a{n - 1}]' for n in range(1, 100))}]}}",
        "desired/a.yml: nested too deeply",
    ),
    "what was free elsewhere": (
        "name: a\nextra_fields: {x: &x [{desc: 1.5}]}\nexports: *x",
        f"line 3, column 10: {ALIAS}",
    ),
    "repeated text": ("name: a\nextend: &x y\nextra_fields: {x: *x}\ncolour: *x", "there is no option colour"),
    "an alias of nothing": ("name: *a", f"line 1, column 7: {ALIAS}"),
    "text to be merged": ("name: a\n<<: b", "line 2, column 5: only dictionaries can be merged."),
    "a list as a name": ("name: [a]", "line 1, column 7: YAML reads this as a list. name is text: quote it."),
    "a fraction as a former name": (
        "{name: a, exports: [{desc: b, renamed_from: 1.10}]}",
        "column 45: YAML reads this as a number with a fraction. renamed_from is text: quote it.",
    ),
    "a list of text": ("[a]", "desired/a.yml, item 1: a volume must be a dictionary of options."),
    "infinity": ("name: a\nextra_fields: {x: 1.0e+999}", "line 2, column 19: this number is too large."),
    "a volume without a name": ("region: 1", "desired/a.yml, line 1: name or id is required"),
    "a playbook with names": ("- name: Site\n  hosts: all", "a.yml, line 2 ('Site'): there is no option hosts"),
    "variables": (
        "web_port: 80",
        "a.yml, line 1: name or id is required, to identify the volume. A file holds one volume, or a",
    ),
    "volumes below a key": ("volumes: [{name: v}]", "list of volumes. Keep other files outside of this folder"),
    "what belongs to console.yml": ("{name: a, console: [https://c]}", "there is no option console"),
    "the beginning of a merge": (
        "name: a\n<<<<<<< HEAD\nregion: 1\n",
        "line 2: a merge of two versions was not finished here.",
    ),
    "a merge above the document": ("<<<<<<< HEAD\n---\nname: a\n", "line 1: a merge of two versions was not finished"),
    "a merge between two documents": (
        "---\nname: a\n---\n=======\nname: b\n",
        "line 4: a merge of two versions was not finished",
    ),
    "a template in place of a number": ("{name: a, region: '{{ region }}'}", "not '{{ region }}'."),
    "a key with a character that nobody sees": (
        "name: a\nregion\u200b: 1",
        "line 2 ('a'): there is no option region\\u200b.",
    ),
    "a blank that is none": (
        "name:\u00a0a",
        "dictionary of options. The text contains NO-BREAK SPACE, which cannot be seen.",
    ),
    "a blank that is none on the line before": (
        "name:\u00a0a\nregion: 1",
        "line 2, column 7: mapping values are not allowed in this context. This line or the one above contains NO-BREAK",
    ),
    "a template in place of a size": (
        "{name: a, quotas: [{path: /a, size: '{{ size }}'}]}",
        "not '{{ size }}'.",
    ),
    "an unknown option of an export": (
        "{name: a, exports: [{desc: db, iprang: 1}]}",
        "('db'): there is no option iprang",
    ),
    "a bad path": ("- name: a\n- {name: b, quotas: [{path: a}]}", "a.yml, line 2 ('a'): path must"),
    "one volume twice": (
        "- name: v\n- name: v",
        "a.yml, line 2 ('v'): refers to the same record as desired/a.yml, line 1 ('v').",
    ),
}


@pytest.mark.parametrize(("content", "expected"), WRONG.values(), ids=WRONG)
def test_a_mistake_in_a_file_is_reported_with_its_position(tmp_path: Path, content: str | bytes, expected: str) -> None:
    assert expected in refuse(tmp_path, a=content)


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize("name", [name for name in WRONG if name.startswith("deep") or name in UNCLOSED])
def test_both_parsers_lead_to_the_same_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, loader: str
) -> None:
    # Since 6.0.4, the one in C has a limit. The other never had one.
    monkeypatch.setattr(yaml, "CSafeLoader", getattr(yaml, loader))
    content, expected = WRONG[name]
    assert expected in refuse(tmp_path, a=content)


def test_a_hundred_levels_are_read(tmp_path: Path) -> None:
    """The item, its extra fields, and 98 lists."""
    (item,) = read(tmp_path, a=f"name: a\nextra_fields: {{x: {'[' * 98}{']' * 98}}}")
    assert str(item["extra_fields"]).count("[") == 98
    message = refuse(tmp_path, a=f"name: a\nextra_fields: {{x: {'[' * 99}{']' * 99}}}")
    assert "line 2, column 117: nested too deeply: more than 100 lists and dictionaries." in message


def test_a_file_of_very_many_values_is_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_text, "_MAX_VALUES", 30)
    assert read(tmp_path, a=f"- name: a\n  extra_fields: {{x: [{'1, ' * 22}]}}")
    message = refuse(tmp_path, a=f"- name: a\n  extra_fields: {{x: [{'1, ' * 30}]}}")
    assert "desired/a.yml, line 2, column 88: more than 30 values" in message


YAML_1_1 = ["no", "on", "Yes", "y", "010", "12:30", "0x1F", "0o17", "1_000", "0b11", "+5", "1e3", ".inf", "1.2.3", "="]


@pytest.mark.parametrize("text", YAML_1_1)
def test_what_only_yaml_1_1_takes_for_something_else_is_text(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, a=f"name: {text}\nextra_fields: {{x: {text}}}") == [
        {"name": text, "extra_fields": {"x": text}}
    ]
    message = refuse(tmp_path, a=f"name: a\nregion: {text}")
    assert message.startswith("desired/a.yml, line 2 ('a'): region must be a whole number")


@pytest.mark.parametrize("value", ["false", "True", "true", "1.10", "1.5", ".5", "1.0e+3"])
@pytest.mark.parametrize("content", ["name: {}", "name: a\nbucket: {}", "name: a\nquotas:\n  - path: /x\n    size: {}"])
def test_text_that_yaml_reads_as_something_else_is_refused(tmp_path: Path, content: str, value: str) -> None:
    option = content.split()[-2]
    line, column = content.count("\n") + 1, len(content.splitlines()[-1]) - 1
    message = refuse(tmp_path, a=content.format(value))
    assert message.startswith(f"desired/a.yml, line {line}, column {column}: YAML reads this as ")
    assert message.endswith(f"{option[:-1]} is text: quote it.")


def test_the_mistakes_of_all_files_are_reported_at_once_and_of_very_many_some_are_counted_only(tmp_path: Path) -> None:
    message = refuse(tmp_path, a="", b="{name: b, x: 1, quotas: [{path: b}]}", c="name: c", d="}")
    assert [f"desired/{name}.yml" in message for name in "abcd"] == [True, True, False, True]
    first = "desired/a.yml, line 1: name or id is required, to identify the volume."
    message = refuse(tmp_path, a="- {region: 1}\n" * 50, b="name: b", d="name: d")
    assert message.startswith(first)
    assert message.endswith("And 30 more.")


# With an id in one of two files of one name, only the console shows whether they mean one volume.
SAME = [("name: v", "name: v"), ("{name: v, id: 5}", "{id: '5'}"), ("{name: v, id: 5}", "{name: w, id: 5}")]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_two_files_for_one_volume_are_both_named(tmp_path: Path, first: str, second: str) -> None:
    message = refuse(tmp_path, a=first, b=second)
    assert message.startswith("desired/b.yml, line 1")
    assert "refers to the same record as desired/a.yml, line 1 ('v')." in message


def test_volumes_with_one_name_are_distinguished_by_their_ids(tmp_path: Path) -> None:
    assert len(read(tmp_path, a="{name: v, id: 5}", b="{name: v, id: 6}", c="{name: V}", d="{id: 7}", e="{id: 8}")) == 5


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConsoleError, match=r"^desired: there is no such file or folder.*/nowhere\.$"):
        items_in(tmp_path / "nowhere", "desired", bytes)
    (tmp_path / "README.md").touch()
    none = "desired: this folder must have a file whose name ends in .yml or .yaml"
    assert f"{none}." in refuse(tmp_path)
    assert f"{none}, other than console.yml, which describes no volume." in refuse(tmp_path, console="name: a")
    (tmp_path / "console.yml").unlink()
    (tmp_path / "b.yml").symlink_to("nowhere")
    assert "desired/b.yml: it cannot be read: No such file or directory." in refuse(tmp_path, a="name: a")


IMPOSSIBLE = {"~nosuchuser/x": "Could not determine home directory", "x" * 300: "File name too long"}
IMPOSSIBLE |= {"x/" * 5000: "File name too long", "a\0b": "embedded null"}


def test_a_path_that_nothing_can_have_is_named_and_one_where_nothing_is_yet_is_fine(tmp_path: Path) -> None:
    for path, reason in IMPOSSIBLE.items():
        with pytest.raises(ConsoleError) as caught:
            resolve_path(path, {})
        message = str(caught.value)
        assert message.startswith(f"'{path[:80]}': correct this path: ".replace("\0", r"\x00"))
        assert reason in message
        assert len(message) < 160
    (tmp_path / "file").touch()
    for there in (tmp_path / "a" / "b", tmp_path / "file" / "b"):
        assert resolve_path(str(there), {}) == there


@pytest.mark.parametrize(
    ("playbooks", "base"), [("own", "own"), (COLLECTION / "playbooks", "."), (COLLECTION, COLLECTION)]
)
def test_a_relative_path_begins_at_the_playbook_unless_that_is_of_the_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, playbooks: str | Path, base: str | Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert resolve_path("desired", {"playbook_dir": str(tmp_path / playbooks)}) == tmp_path / base / "desired"


def test_messages_name_the_place_of_an_item_in_its_file(tmp_path: Path) -> None:
    read(tmp_path, a="- name: v\n- name: w\n  quotas: [{path: /a, size: 1}]", b="name: x")
    items = read_state(tmp_path, "desired", bytes).items
    goals, _problems = read_items(VOLUME, items)
    assert [goal.name for goal in goals] == [
        "desired/a.yml, line 1 ('v')",
        "desired/a.yml, line 2 ('w')",
        "desired/b.yml, line 1 ('x')",
    ]
    assert goals[1].children["quotas"][0].name == "desired/a.yml, line 2 ('w'), quotas item 1 ('/a')"
