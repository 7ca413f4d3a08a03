# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The steps of roles as Ansible calls them: their messages, the files that they write and read, and their refusals."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible import constants
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.managedfs.console.plugins.action import role_step
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.action import decrypter
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.worker import _process
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.yaml_text import MARK
from emulator import Emulator, Fault
from functional.support.actions import act
from functional.support.files import items_in
from functional.support.inprocess import FakeClock, Run

A, B, C, D = ({"name": name} for name in "abcd")
CONSOLE = "https://c.example.com"


def capture(folder: Path, *volumes: dict[str, Any], dest: str = "d", **options: Any) -> dict[str, Any]:
    """Return the result of a capture of volumes."""
    return act(role_step, folder, do="write", dest=dest, volumes=list(volumes), **options)


def test_the_message_tells_what_became_of_the_files(tmp_path: Path) -> None:
    def write(*volumes: dict[str, Any], **options: Any) -> tuple[bool, str]:
        found = capture(tmp_path, *volumes, **options)
        assert (found["notes"], "diff" in found) == ([], "diff" in options)
        return found["changed"], found["msg"]

    created = (True, "3 volumes, 0 exports, 0 quotas. Files in d: 3 created, 2 schemas.")
    assert write(A, B, C, check=True, diff=True) == (True, f"{created[1]} In check mode, nothing is written.")
    assert not (tmp_path / "d").exists()
    assert write(A, B, C) == created
    unchanged = (False, "3 volumes, 0 exports, 0 quotas. Files in d: 3 unchanged.")
    assert write(A, B, C) == unchanged
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "d").iterdir()} == {0o644}
    assert write(A, B)[1].endswith(" 2 unchanged.")
    b = {**B, "region": 2, "exports": [{"desc": "web"}], "quotas": [{"path": "/a"}, {"path": "/b"}]}
    message = "3 volumes, 1 export, 2 quotas. Files in d: 1 created, 1 updated, 1 removed, 1 unchanged."
    assert write(A, b, D, remove=True) == (True, message)
    assert write(dest="none")[1] == "0 volumes, 0 exports, 0 quotas. Files in none: nothing to write."
    shown = capture(tmp_path, A, check=True, dest="d/a.yml")
    assert "a.yml must be a folder that can be written to. Nothing was written." in shown["msg"]
    assert not (tmp_path / "none").exists()


def test_of_a_console_the_volumes_that_are_named_are_captured(tmp_path: Path) -> None:
    assert capture(tmp_path, A, B, names=["b"])["msg"].startswith("1 volume, ")
    assert [path.name for path in (tmp_path / "d").glob("*.yml")] == ["b.yml"]
    message = "capture_volumes: correct c, d, which the console does not have."
    assert capture(tmp_path, A, names=["d", "a", "c"])["msg"] == message


SCHEMAS = ["console.schema.json", "volume.schema.json"]
LINE = "# yaml-language-server: $schema={}.schema.json"


def files_of(folder: Path) -> dict[str, list[str]]:
    """Return the lines of each file of a folder."""
    return {path.name: path.read_text(encoding="utf-8").splitlines() for path in sorted(folder.iterdir())}


def test_a_new_folder_brings_schemas_and_an_older_one_is_left_as_it_is(tmp_path: Path) -> None:
    def again(**more: Any) -> dict[str, Any]:
        return capture(tmp_path, {**A, "region": 1}, console=CONSOLE, **more)

    folder = tmp_path / "d"
    # Nobody wants to read those.
    assert len(again(check=True, diff=True)["diff"]) == 2
    assert again()["msg"].endswith(" 2 created, 2 schemas.")
    found = files_of(folder)
    assert found.keys() == {"a.yml", "console.yml", *SCHEMAS}
    assert found["a.yml"][0].startswith(f"{MARK}capture, ")
    assert found["a.yml"][1] == LINE.format("volume")
    assert found["console.yml"][1] == LINE.format("console")
    assert items_in(folder, "d", bytes) == [{"name": "a", "region": 1}]
    assert not again()["changed"]
    (folder / SCHEMAS[0]).write_text("{}", encoding="utf-8")
    assert again()["msg"].endswith(" 2 unchanged, 1 schema.")
    for name in SCHEMAS:
        (folder / name).unlink()
    # Nothing in the folder is made for an editor any more, but for comments that a person may want to keep.
    assert not again()["changed"]
    (folder / "a.yml").write_text(f"{MARK}\n---\nname: a\nregion: 1\n", encoding="utf-8")
    again()
    assert "yaml-language-server" not in str(files_of(folder)["a.yml"])
    assert list(files_of(folder)) == ["a.yml", "console.yml"]


@pytest.mark.parametrize("line", ["# yaml-language-server: $schema=../volume.schema.json", "#yaml-language-server :"])
@pytest.mark.parametrize("has_schemas", [True, False])
def test_a_comment_about_the_schema_that_a_person_changed_stays(tmp_path: Path, line: str, has_schemas: bool) -> None:
    (tmp_path / "a.yml").write_text(f"{line}\nname: a\nregion: 2\n", encoding="utf-8")
    (tmp_path / "console.yml").write_text(f"{line}\nignore: {{}}\n", encoding="utf-8")
    if has_schemas:
        (tmp_path / SCHEMAS[1]).touch()
    capture(tmp_path, A, dest=".", console=f" {CONSOLE}/")
    found = files_of(tmp_path)
    assert found.keys() == {"a.yml", "console.yml", *(SCHEMAS if has_schemas else [])}
    assert found["a.yml"][0].startswith(f"{MARK}capture, ")
    assert found["a.yml"][1] == line
    assert found["console.yml"] == [line, "ignore: {}", f"console: [{CONSOLE}]"]
    assert str(found["a.yml"] + found["console.yml"]).count("yaml-language-server") == 2


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "limit": ({"max_removals": "most"}, "max_removals must be a number, or a share"),
    "infinity": ({"volumes": [{"name": "a", "region": float("inf")}]}, "the input must have no infinity"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_reported_and_nothing_is_written(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    result = act(role_step, tmp_path, **{"do": "write", "dest": "d", **options})
    assert (result["failed"], result["changed"]) == (True, False)
    assert message in result["msg"]
    assert not (tmp_path / "d").exists()


V: dict[str, Any] = {"id": 1, "name": "v", "exports": [], "quotas": [{"id": 1, "path": "/a", "size": 4096}]}


def report(folder: Path, dest: str = ".", check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
    """Return the result of a report on a console with one volume."""
    given = {"do": "report", "volumes": [V], "console": CONSOLE, **options}
    return act(role_step, folder, check=check, diff=diff, dest=dest, **given)


def test_a_report_is_readable_and_a_second_run_leaves_it_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    planned = report(tmp_path, "new/report", check=True)
    assert (planned["changed"], "page" in planned) == (True, False)
    assert not folder.parent.exists()
    result = report(tmp_path, "new/report")
    assert result["page"] == str(folder / "report.html")
    assert (result["changed"], result["counts"]["volumes"]) == (True, 1)
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    names = ("report.html", "report.json", "report.prom")
    assert modes == dict.fromkeys(names, 0o644)
    (folder / "report.html").write_text("edited", encoding="utf-8")
    inode = (folder / "report.json").stat().st_ino
    assert report(tmp_path, "new/report")["changed"]
    assert (folder / "report.json").stat().st_ino == inode
    assert not report(tmp_path, "new/report")["changed"]


def test_a_link_is_replaced_and_what_it_leads_to_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("hunter2\n", encoding="utf-8")
    (tmp_path / "report.html").symlink_to("outside")
    result = report(tmp_path, diff=True)
    assert result["changed"]
    assert "hunter2" not in json.dumps(result["diff"])
    assert not (tmp_path / "report.html").is_symlink()
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "hunter2\n"


@pytest.mark.parametrize("check", [False, True])
def test_a_folder_in_place_of_one_file_of_a_report_is_found_before_any_is_written(tmp_path: Path, check: bool) -> None:
    (tmp_path / "report.json").mkdir()
    result = report(tmp_path, check=check)
    path = tmp_path / "report.json"
    assert result["msg"] == f"{path} is a folder. Nothing was written. Rename it: a file goes there."
    assert (result["failed"], result["changed"]) == (True, False)
    assert list(tmp_path.iterdir()) == [path]


def test_without_a_folder_a_report_is_a_summary(tmp_path: Path) -> None:
    result = report(tmp_path, " ")
    assert (result["changed"], result["summary"][0], "page" in result) == (False, "# `c.example.com`", False)
    assert not list(tmp_path.iterdir())


Read = Callable[..., list[dict[str, Any]]]


def secrets(*passwords: str) -> list[tuple[str, VaultSecret]]:
    """Return passwords as Ansible keeps them."""
    return [("default", VaultSecret(password.encode())) for password in passwords]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Return a function that reads files with the passwords of vaults, and asserts that it leaves no copies."""
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(copies))

    def read(source: str, passwords: tuple[str, ...] = ("tiger",)) -> list[dict[str, Any]]:
        loader: Any = DataLoader()
        loader.set_vault_secrets(secrets(*passwords))
        try:
            return items_in(tmp_path / source, source, decrypter(loader))
        finally:
            assert list(copies.iterdir()) == []

    return read


def encrypt(path: Path, content: bytes) -> None:
    """Write an encrypted file."""
    path.write_bytes(VaultLib(secrets("tiger")).encrypt(content))


def test_encrypted_files_are_read_and_no_copy_is_left(read: Read, tmp_path: Path) -> None:
    folder = tmp_path / "desired"
    folder.mkdir()
    encrypt(folder / "a.yml", "name: ä\n".encode())
    (folder / "b.yml").write_text("name: b\n", encoding="utf-8")
    assert read("desired") == [{"name": "ä"}, {"name": "b"}]
    encrypt(folder / "c.yml", b"name: hunter2\nname: hunter2\n")
    with pytest.raises(ConsoleError, match=r"desired/c\.yml, line 2, column 1: the key name is a duplicate"):
        read("desired")
    encrypt(tmp_path / "outside.yml", b"name: hunter2\n")
    (folder / "a.yml").unlink()
    (folder / "a.yml").symlink_to("../outside.yml")
    with pytest.raises(ConsoleError, match=r"desired/a\.yml: it is a link that leads out of the folder\."):
        read("desired")


@pytest.mark.parametrize("passwords", [(), ("lion",)])
def test_a_file_that_cannot_be_decrypted_is_named(read: Read, tmp_path: Path, passwords: tuple[str, ...]) -> None:
    encrypt(tmp_path / "a.yml", b"name: a\n")
    with pytest.raises(ConsoleError) as caught:
        read("a.yml", passwords=passwords)
    assert str(caught.value).startswith("a.yml: it cannot be decrypted. Give the right password of its vault.")
    assert str(tmp_path / "copies") not in str(caught.value)


@pytest.mark.promise("rotation-is-left-alone")
def test_what_belongs_to_a_rotation_is_not_captured(tmp_path: Path) -> None:
    exports = [{"desc": desc, "iprange": "::1"} for desc in ("web", "web (next)", "web (old)", "db (old)")]
    capture(tmp_path, {"name": "v", "exports": exports, "quotas": []}, {"name": "w", "exports": [], "quotas": []})
    text = (tmp_path / "d" / "v.yml").read_text(encoding="utf-8")
    assert [name for name in ("desc: web,", "(next)", "web (old)", "db (old)") if name in text] == [
        "desc: web,",
        "db (old)",
    ]


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_task_runs_in_the_folder_of_its_play_and_leaves_it_if_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_readable: bool
) -> None:
    open_file = os.open

    def refuse(path: Any, *arguments: Any, **options: Any) -> int:
        if path == "." and not is_readable:
            raise PermissionError
        return open_file(path, *arguments, **options)

    before, folder = tmp_path / "before", tmp_path / "play"
    before.mkdir()
    folder.mkdir()
    monkeypatch.chdir(before)
    monkeypatch.setattr(os, "open", refuse)
    variables = dict(os.environ)
    with _process({"MANAGEDFS_TIMEOUT": "7"}, str(folder)):
        assert Path.cwd() == Path(os.environ["PWD"]) == folder
        assert os.environ["MANAGEDFS_TIMEOUT"] == "7"
    assert Path.cwd() == (before if is_readable else folder)
    assert dict(os.environ) == variables


@pytest.mark.parametrize(("accepted", "shown"), [(0, "0 writes"), (1, "1 write"), (2, "2 writes")])
def test_an_interrupted_task_says_how_many_writes_there_were(
    run: Run, emulator: Emulator, clock: FakeClock, capsys: pytest.CaptureFixture[str], accepted: int, shown: str
) -> None:
    emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.inject(Fault("status", method="POST", status=429, nth=accepted + 1, times=None))
    items = [{"path": f"/{number}", "size": 4096} for number in range(4)]

    def interrupt() -> None:
        raise KeyboardInterrupt

    clock.on_sleep = interrupt
    with pytest.raises(KeyboardInterrupt):
        run("quotas", volume="v", quotas=items, concurrency=1)
    assert f"had accepted {shown} by then." in " ".join(capsys.readouterr().err.split())
