# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Actions and a lookup as Ansible calls them: their messages, the files that they write and read, and their refusals."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible import constants
from ansible.errors import AnsibleError, AnsibleLookupError
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.managedfs.console.plugins.action import check_variables, desired_state_files, report_files
from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from ansible_collections.managedfs.console.plugins.lookup.desired_state_files import LookupModule
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_files import read_state
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_yaml import MARK
from functional.support.actions import act

FACTS = report_facts([{"id": 1, "name": "v", "exports": [], "quotas": []}], console="console.example.com")


def test_the_result_names_the_files_by_what_became_of_them(tmp_path: Path) -> None:
    def write(*volumes: dict[str, Any], **options: Any) -> dict[str, Any]:
        found = act(desired_state_files, tmp_path, dest="desired", volumes=list(volumes), schema=False, **options)
        return {name: value for name, value in found.items() if name not in ("diff", "invocation")}

    a, b, c, d = ({"name": name} for name in "abcd")
    nothing: dict[str, Any] = {"created": [], "updated": [], "removed": [], "unchanged": 0}
    created = {**nothing, "changed": True, "created": ["a.yml", "b.yml", "c.yml"]}
    message = "files in desired: 3 created"
    assert write(a, b, c, check=True) == {**created, "msg": f"{message} (check mode: nothing was written)"}
    assert not (tmp_path / "desired").exists()
    for diff in (False, True):
        shown = act(desired_state_files, tmp_path, check=True, diff=diff, dest="desired", volumes=[a])
        assert ("diff" in shown) is diff
    assert write(a, b, c) == {**created, "msg": message}
    unchanged = {**nothing, "changed": False, "unchanged": 3, "msg": "files in desired: 3 unchanged"}
    assert write(a, b, c, check=True) == write(a, b, c) == unchanged
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "desired").iterdir()} == {0o644}
    assert write(a, b)["removed"] == []
    message = "files in desired: 1 created, 1 updated, 1 removed, 1 unchanged"
    done: dict[str, Any] = {"created": ["d.yml"], "updated": ["b.yml"], "removed": ["c.yml"], "unchanged": 1}
    assert write(a, {**b, "region": 2}, d, remove=True) == {**done, "changed": True, "msg": message}
    assert act(desired_state_files, tmp_path, dest="none", volumes=[])["msg"] == "files in none: nothing to write"
    shown = act(desired_state_files, tmp_path, check=True, dest="desired/a.yml", volumes=[a])
    assert "a.yml is not a folder that can be written to. Nothing was written." in shown["msg"]
    assert not (tmp_path / "none").exists()


SCHEMAS = ["console.schema.json", "volume.schema.json"]
LINE = "# yaml-language-server: $schema={}.schema.json"


def files_of(folder: Path) -> dict[str, list[str]]:
    """Return the lines of each file of a folder."""
    return {path.name: path.read_text(encoding="utf-8").splitlines() for path in sorted(folder.iterdir())}


def test_a_new_folder_brings_schemas_and_an_older_one_is_left_as_it_is(tmp_path: Path) -> None:
    def capture(schema: bool | None = None, **more: Any) -> dict[str, Any]:
        volumes = [{"name": "a", "region": 1}]
        return act(
            desired_state_files,
            tmp_path,
            dest="d",
            volumes=volumes,
            schema=schema,
            console="https://c.example.com",
            **more,
        )

    folder = tmp_path / "d"
    planned = capture(check=True, diff=True)
    assert planned["created"] == ["a.yml", "console.yml", *SCHEMAS[::-1]]
    # Nobody wants to read those.
    assert len(planned["diff"]) == 2
    assert capture()["created"] == planned["created"]
    found = files_of(folder)
    assert found.keys() == {"a.yml", "console.yml", *SCHEMAS}
    assert found["a.yml"][:2] == [MARK, LINE.format("volume")]
    assert found["console.yml"][1] == LINE.format("console")
    assert read_state(folder, "d", bytes) == [{"name": "a", "region": 1}]
    assert not capture()["changed"]
    assert not capture(schema=False)["changed"]
    (folder / SCHEMAS[0]).write_text("{}", encoding="utf-8")
    assert capture()["updated"] == SCHEMAS[:1]
    for name in SCHEMAS:
        (folder / name).unlink()
    # Nothing in the folder is made for an editor any more, but for comments that a person may want to keep.
    assert not capture()["changed"]
    (folder / "a.yml").write_text(f"{MARK}\n---\nname: a\nregion: 1\n", encoding="utf-8")
    capture()
    assert "yaml-language-server" not in str(files_of(folder)["a.yml"])
    assert capture(schema=True)["created"] == SCHEMAS[::-1]
    assert files_of(folder)["a.yml"][1] == LINE.format("volume")


@pytest.mark.parametrize("line", ["# yaml-language-server: $schema=../volume.schema.json", "#yaml-language-server :"])
@pytest.mark.parametrize("schema", [True, False])
def test_a_comment_about_the_schema_that_a_person_changed_stays(tmp_path: Path, line: str, schema: bool) -> None:
    (tmp_path / "a.yml").write_text(f"{line}\nname: a\nregion: 2\n", encoding="utf-8")
    (tmp_path / "console.yml").write_text(f"{line}\nignore: {{}}\n", encoding="utf-8")
    console = "https://c.example.com"
    act(desired_state_files, tmp_path, dest=".", volumes=[{"name": "a"}], schema=schema, console=console)
    found = files_of(tmp_path)
    assert found["a.yml"][:2] == [MARK, line]
    assert found["console.yml"] == [line, "ignore: {}", f"console: [{console}]"]
    assert str(found).count("yaml-language-server") == 2


def test_who_writes_files_by_hand_gets_schemas_for_the_asking(tmp_path: Path) -> None:
    assert not act(desired_state_files, tmp_path, dest="d", volumes=[])["changed"]
    assert act(desired_state_files, tmp_path, dest="d", volumes=[], schema=True)["created"] == SCHEMAS[::-1]


def test_a_link_in_place_of_a_schema_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "outside").write_text("hunter2", encoding="utf-8")
    (tmp_path / "d" / SCHEMAS[0]).symlink_to("../outside")
    result = act(desired_state_files, tmp_path, dest="d", volumes=[{"name": "a"}], diff=True)
    assert "it is a link that leads out of the folder. Nothing was written." in result["msg"]
    assert "hunter2" not in str(result)
    assert len(list((tmp_path / "d").iterdir())) == 1


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "limit": ({"max_removals": "most"}, "max_removals must be a number, or a share"),
    "infinity": ({"volumes": [{"name": "a", "region": float("inf")}]}, "the input contains infinity"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_reported_and_nothing_is_written(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    result = act(desired_state_files, tmp_path, **{"dest": "desired", "volumes": [], **options})
    assert (result["failed"], result["changed"]) == (True, False)
    assert message in result["msg"]
    assert not (tmp_path / "desired").exists()


OPTIONS: list[tuple[Any, str, dict[str, Any]]] = [
    (desired_state_files, "missing required arguments: dest", {"volumes": []}),
    (desired_state_files, "missing required arguments: dest", {"dest": " ", "volumes": []}),
    (desired_state_files, "missing required arguments: volumes", {"dest": "desired", "volumes": None}),
    (check_variables, "missing required arguments: role", {}),
    (desired_state_files, "colour", {"dest": "x", "volumes": [], "colour": "red"}),
    (report_files, "colour", {"dest": "x", "facts": {}, "colour": "red"}),
]


@pytest.mark.parametrize(("action", "message", "options"), OPTIONS)
def test_options_that_are_missing_or_unknown_are_named(
    tmp_path: Path, action: Any, message: str, options: dict[str, Any]
) -> None:
    with pytest.raises(AnsibleError, match=message):
        act(action, tmp_path, **options)


def test_a_report_is_readable_and_a_second_run_leaves_it_alone(tmp_path: Path) -> None:
    def write(**options: Any) -> dict[str, Any]:
        return act(report_files, tmp_path, facts=FACTS, dest="new/report", **options)

    folder = tmp_path / "new" / "report"
    assert write(check=True)["changed"]
    assert not folder.parent.exists()
    result = write()
    assert (result["changed"], result["counts"]) == (True, FACTS["counts"])
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    names = ("access.csv", "limits.csv", "report.html", "report.json", "report.md", "report.prom")
    assert modes == dict.fromkeys(names, 0o644)
    (folder / "report.md").write_text("edited", encoding="utf-8")
    inode = (folder / "report.json").stat().st_ino
    assert write()["changed"]
    assert (folder / "report.json").stat().st_ino == inode
    assert not write()["changed"]


def test_a_link_is_replaced_and_what_it_leads_to_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("hunter2\n", encoding="utf-8")
    (tmp_path / "report.md").symlink_to("outside")
    result = act(report_files, tmp_path, diff=True, facts=FACTS, dest=str(tmp_path))
    assert result["changed"]
    assert "hunter2" not in json.dumps(result["diff"])
    assert not (tmp_path / "report.md").is_symlink()
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "hunter2\n"


@pytest.mark.parametrize("check", [False, True])
def test_a_folder_in_place_of_one_file_of_a_report_is_found_before_any_is_written(tmp_path: Path, check: bool) -> None:
    (tmp_path / "report.json").mkdir()
    result = act(report_files, tmp_path, check=check, facts=FACTS, dest=str(tmp_path))
    path = tmp_path / "report.json"
    assert result["msg"] == f"{path} is a folder. Nothing was written. Rename it: a file is due there."
    assert (result["failed"], result["changed"], result["counts"]) == (True, False, FACTS["counts"])
    assert list(tmp_path.iterdir()) == [path]


def test_what_are_no_facts_is_refused(tmp_path: Path) -> None:
    wrong: list[dict[str, Any]] = [{"counts": {}}, {"access": 5}, {"limits": [{"volume": "v"}]}, {"drift": [1]}]
    for facts in ({}, *(FACTS | part for part in wrong)):
        result = act(report_files, tmp_path, facts=facts, dest=str(tmp_path))
        assert result["msg"] == "facts must be what the filter report_facts returns."
    assert not list(tmp_path.iterdir())
    # Without a folder, there is only a summary.
    result = act(report_files, tmp_path, facts=FACTS, dest=" ")
    assert (result["changed"], result["summary"][0]) == (False, "# `console.example.com`")
    assert not list(tmp_path.iterdir())


Lookup = Callable[..., list[dict[str, Any]]]


def secrets(*passwords: str) -> list[tuple[str, VaultSecret]]:
    """Return passwords as Ansible keeps them."""
    return [("default", VaultSecret(password.encode())) for password in passwords]


@pytest.fixture
def lookup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lookup:
    """Return a function that reads files with the passwords of vaults, and asserts that it leaves no copies."""
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(copies))

    def lookup(*terms: Any, passwords: tuple[str, ...] = ("tiger",), **options: Any) -> list[dict[str, Any]]:
        loader: Any = DataLoader()
        loader.set_vault_secrets(secrets(*passwords))
        try:
            return LookupModule(loader=loader).run(list(terms), {"playbook_dir": str(tmp_path)}, **options)
        finally:
            assert list(copies.iterdir()) == []

    return lookup


def encrypt(path: Path, content: bytes) -> None:
    """Write an encrypted file."""
    path.write_bytes(VaultLib(secrets("tiger")).encrypt(content))


def test_encrypted_files_are_read_and_no_copy_is_left(lookup: Lookup, tmp_path: Path) -> None:
    folder = tmp_path / "desired"
    folder.mkdir()
    encrypt(folder / "a.yml", "name: ä\n".encode())
    (folder / "b.yml").write_text("name: b\n", encoding="utf-8")
    assert lookup("desired") == [{"name": "ä"}, {"name": "b"}]
    encrypt(folder / "c.yml", b"name: hunter2\nname: hunter2\n")
    with pytest.raises(AnsibleLookupError, match=r"desired/c\.yml, line 2, column 1: the key name is a duplicate"):
        lookup("desired")
    encrypt(tmp_path / "outside.yml", b"name: hunter2\n")
    (folder / "a.yml").unlink()
    (folder / "a.yml").symlink_to("../outside.yml")
    with pytest.raises(AnsibleLookupError, match=r"desired/a\.yml: it is a link that leads out of the folder\."):
        lookup("desired")


@pytest.mark.parametrize("passwords", [(), ("lion",)])
def test_a_file_that_cannot_be_decrypted_is_named(lookup: Lookup, tmp_path: Path, passwords: tuple[str, ...]) -> None:
    encrypt(tmp_path / "a.yml", b"name: a\n")
    with pytest.raises(AnsibleLookupError) as caught:
        lookup("a.yml", passwords=passwords)
    assert str(caught.value).startswith("a.yml: it cannot be decrypted: the password of its vault is wrong or missing.")
    assert str(tmp_path / "copies") not in str(caught.value)


def test_one_path_is_needed(lookup: Lookup) -> None:
    for terms in ([""], [" "], [None], [5], [["a"]], [], ["a", "b"]):
        with pytest.raises(AnsibleLookupError, match="desired_state_files needs the path of one file or folder"):
            lookup(*terms)


def test_content_is_what_is_returned(lookup: Lookup, tmp_path: Path) -> None:
    (tmp_path / "desired").mkdir()
    (tmp_path / "desired" / "a.yml").write_text("name: a\n", encoding="utf-8")
    encrypt(tmp_path / "desired" / "console.yml", b"console: [https://console.example.com/]\n")
    assert lookup("desired", content="volumes") == lookup("desired") == [{"name": "a"}]
    assert lookup("desired", content="console") == [{"consoles": ["https://console.example.com"]}]


# Whatever becomes of it in a template or on a command line.
SOURCE: list[tuple[Any, bool]] = [(True, True), ("yes", True), ("no", False), (0, False), (None, False), (" ", False)]


@pytest.mark.parametrize(("value", "is_given"), SOURCE)
def test_with_source_is_true_or_false_as_elsewhere_in_ansible(
    lookup: Lookup, tmp_path: Path, value: Any, is_given: bool
) -> None:
    (tmp_path / "a.yml").write_text("name: a\n", encoding="utf-8")
    # Loops of older versions of ansible-core pass wantlist.
    (item,) = lookup("a.yml", with_source=value, wantlist=True)
    assert ("source" in item) is is_given


WRONG_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"content": "files"}, "wrong options: value of content must be one of: volumes, console, got: files"),
    ({"content": ["volumes"]}, "wrong options: value of content must be one of: volumes, console, got: "),
    (
        {"with_source": "maybe"},
        "wrong options: argument 'with_source' is of type str and we were unable to convert to bool",
    ),
    (
        {"with_sourc": True, "a": None},
        "wrong options: a, with_sourc. Supported parameters include: content, with_source.",
    ),
]


@pytest.mark.parametrize(("options", "message"), WRONG_OPTIONS)
def test_a_wrong_option_of_the_lookup_is_named(lookup: Lookup, options: dict[str, Any], message: str) -> None:
    with pytest.raises(AnsibleLookupError) as caught:
        lookup("desired", **options)
    assert str(caught.value).startswith(message)


def test_a_path_needs_no_playbook(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("name: a\n", encoding="utf-8")
    assert LookupModule(loader=DataLoader()).run([str(tmp_path / "a.yml")]) == [{"name": "a"}]


@pytest.mark.promise("rotation-is-left-alone")
def test_what_belongs_to_a_rotation_is_not_captured(tmp_path: Path) -> None:
    exports = [{"desc": desc, "iprange": "::1"} for desc in ("web", "web (next)", "web (old)", "db (old)")]
    volumes = [{"name": "v", "exports": exports, "quotas": []}, {"name": "w", "exports": [], "quotas": []}]
    act(desired_state_files, tmp_path, dest="desired", volumes=volumes)
    text = (tmp_path / "desired" / "v.yml").read_text(encoding="utf-8")
    assert [name for name in ("desc: web,", "(next)", "web (old)", "db (old)") if name in text] == [
        "desc: web,",
        "db (old)",
    ]


def test_a_portable_capture_says_what_it_does_not_carry_over(tmp_path: Path) -> None:
    exports = [{"desc": "web", "iprange": "::1", "apionly": False, "readonly": True}, {"id": 7, "desc": "twin"}]
    quota = {"path": "/a", "size": "1GiB", "inodes": 0}
    volume = {"name": "v", "bucket": "https://v.example.com", "region": 2, "exports": exports, "quotas": [quota]}
    volumes = [volume, {"id": 9, "name": "w", "exports": [], "quotas": []}]
    result = act(
        desired_state_files, tmp_path, dest="d", volumes=volumes, portable=True, console="https://c.example.com"
    )
    names = {path.name for path in (tmp_path / "d").iterdir()}
    assert names == {"v.yml", "volume.schema.json", "console.schema.json"}
    lines = (tmp_path / "d" / "v.yml").read_text(encoding="utf-8").splitlines()
    assert lines[5:] == [
        "name: v",
        "# bucket: https://v.example.com",
        "# region: 2",
        "create_with: [bucket, region]",
        "exports:",
        '  - {desc: web, iprange: "::1", apionly: false, readonly: true}',
        "quotas:",
        "  - {path: /a, size: 1GiB, inodes: 0}",
    ]
    assert result["not_carried"] == [
        "block_size, compress, compatible, extend of volume v, as the console does not show it",
        "appendonly of export v: web, as the console does not show it",
        "export v: twin, which its desc does not tell from others",
        "volume w, which its name does not tell from others",
    ]
