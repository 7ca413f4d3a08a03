# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Actions and a lookup, as Ansible calls them: what they say, which files they write and read, and what they refuse."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ansible import constants
from ansible.errors import AnsibleError, AnsibleLookupError
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret
from ansible.playbook.task import Task

from ansible_collections.managedfs.console.plugins.action import desired_state_files, report_files
from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from ansible_collections.managedfs.console.plugins.lookup.desired_state_files import LookupModule

FACTS = report_facts([{"id": 1, "name": "v", "exports": [], "quotas": []}], console="console.example.com")


def act(action: Any, folder: Path, *, check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
    """Return the result of an action in a playbook of a folder."""
    task = Task()
    task.args, task.check_mode, task.diff, task.async_val = options, check, diff, 0
    loader: Any = DataLoader()
    plugin = action.ActionModule(task, mock.Mock(), mock.Mock(), loader, mock.Mock(), mock.Mock())
    result: dict[str, Any] = plugin.run(task_vars={"playbook_dir": str(folder)})
    return result


def test_the_result_names_the_files_by_what_became_of_them(tmp_path: Path) -> None:
    def write(*volumes: dict[str, Any], **options: Any) -> dict[str, Any]:
        found = act(desired_state_files, tmp_path, dest="desired", volumes=list(volumes), **options)
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
    message = "files in desired: 1 created, 1 updated, 1 removed, 1 unchanged"
    done: dict[str, Any] = {"created": ["d.yml"], "updated": ["b.yml"], "removed": ["c.yml"], "unchanged": 1}
    assert write(a, {**b, "region": 2}, d, remove=True) == {**done, "changed": True, "msg": message}
    assert act(desired_state_files, tmp_path, dest="none", volumes=[])["msg"] == "files in none: nothing to write"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "blank folder": ({"dest": " "}, "dest must be the path of a folder."),
    "limit": ({"max_removals": "most"}, "max_removals must be a number of removals, or a share"),
    "infinity": ({"volumes": [{"name": "a", "region": float("inf")}]}, "region must be a whole number, not 'inf'"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_and_nothing_is_written(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    result = act(desired_state_files, tmp_path, **{"dest": "desired", "volumes": [], **options})
    assert (result["failed"], result["changed"]) == (True, False)
    assert message in result["msg"]
    assert not (tmp_path / "desired").exists()


@pytest.mark.parametrize("action", [desired_state_files, report_files])
def test_an_option_that_there_is_not_is_named(tmp_path: Path, action: Any) -> None:
    with pytest.raises(AnsibleError, match="colour"):
        act(action, tmp_path, dest="x", volumes=[], facts={}, colour="red")


def test_a_report_is_readable_and_a_second_run_leaves_it_alone(tmp_path: Path) -> None:
    def write(**options: Any) -> dict[str, Any]:
        return act(report_files, tmp_path, facts=FACTS, dest="new/report", **options)

    folder = tmp_path / "new" / "report"
    assert write(check=True)["changed"]
    assert not folder.parent.exists()
    result = write()
    assert (result["changed"], result["counts"]) == (True, FACTS["counts"])
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == dict.fromkeys(("report.html", "report.json", "report.md"), 0o644)
    (folder / "report.md").write_text("edited", encoding="utf-8")
    inode = (folder / "report.html").stat().st_ino
    assert write()["changed"]
    assert (folder / "report.html").stat().st_ino == inode
    assert not write()["changed"]


@pytest.mark.parametrize(("count", "more"), [(10, 0), (11, 3)])
def test_a_summary_has_ten_of_each_part(tmp_path: Path, count: int, more: int) -> None:
    exports = [{"id": number, "desc": f"e{number}", "iprange": "*", "readonly": False} for number in range(count)]
    quotas = [{"path": f"/{number}", "size": 5} for number in range(count)]
    wanted = [{"name": "v", "exports": [], "quotas": quotas}]
    facts = report_facts([{"id": 1, "name": "v", "exports": exports, "quotas": []}], wanted, console="console")
    result = act(report_files, tmp_path, facts=facts, dest=" ")
    summary = result["summary"]
    # Without a folder there is no more than that.
    assert (result["changed"], summary[0], list(tmp_path.iterdir())) == (False, "# `console`", [])
    assert summary.count("  - and 1 more") == more
    assert len([line for line in summary if line.startswith("  - ")]) == 30 + more


def test_a_link_is_replaced_and_what_it_leads_to_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("hunter2\n", encoding="utf-8")
    (tmp_path / "report.md").symlink_to("outside")
    result = act(report_files, tmp_path, diff=True, facts=FACTS, dest=str(tmp_path))
    assert result["changed"]
    assert "hunter2" not in json.dumps(result["diff"])
    assert not (tmp_path / "report.md").is_symlink()
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "hunter2\n"


def test_what_cannot_be_written_is_told_beside_the_summary(tmp_path: Path) -> None:
    (tmp_path / "report.md" / "x").mkdir(parents=True)
    result = act(report_files, tmp_path, facts=FACTS, dest=str(tmp_path))
    assert result["failed"]
    assert "report.md cannot be written: Is a directory" in result["msg"]
    assert result["summary"]


def test_what_are_no_facts_is_refused(tmp_path: Path) -> None:
    for facts in ({}, {**FACTS, "counts": {}}, {**FACTS, "access": 5}, {**FACTS, "limits": [{"volume": "v"}]}):
        result = act(report_files, tmp_path, facts=facts, dest=str(tmp_path))
        assert result["msg"] == "facts must be what the filter report_facts returns."
    assert not list(tmp_path.iterdir())


Look = Callable[..., list[dict[str, Any]]]


def secrets(*passwords: str) -> list[tuple[str, VaultSecret]]:
    """Return passwords as Ansible keeps them."""
    return [("default", VaultSecret(password.encode())) for password in passwords]


@pytest.fixture
def look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Look:
    """Return a function that reads files with the passwords of vaults; it holds that it leaves no copies."""
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(copies))

    def look(*terms: Any, passwords: tuple[str, ...] = ("tiger",)) -> list[dict[str, Any]]:
        loader: Any = DataLoader()
        loader.set_vault_secrets(secrets(*passwords))
        try:
            return LookupModule(loader=loader).run(list(terms), {"playbook_dir": str(tmp_path)})
        finally:
            assert list(copies.iterdir()) == []

    return look


def encrypt(path: Path, content: bytes) -> None:
    """Write an encrypted file."""
    path.write_bytes(VaultLib(secrets("tiger")).encrypt(content))


def test_encrypted_files_are_read_and_no_copy_is_left(look: Look, tmp_path: Path) -> None:
    folder = tmp_path / "desired"
    folder.mkdir()
    encrypt(folder / "a.yml", "name: ä\n".encode())
    (folder / "b.yml").write_text("name: b\n", encoding="utf-8")
    assert look("desired") == [{"name": "ä"}, {"name": "b"}]
    encrypt(folder / "c.yml", b"name: hunter2\nname: hunter2\n")
    with pytest.raises(AnsibleLookupError, match=r"desired/c\.yml, line 2, column 1: the key name is a duplicate"):
        look("desired")
    encrypt(tmp_path / "outside.yml", b"name: hunter2\n")
    (folder / "a.yml").unlink()
    (folder / "a.yml").symlink_to("../outside.yml")
    with pytest.raises(AnsibleLookupError, match=r"desired/a\.yml: it is a link that leads out of the folder\."):
        look("desired")


@pytest.mark.parametrize("passwords", [(), ("lion",)])
def test_a_file_that_cannot_be_decrypted_is_named(look: Look, tmp_path: Path, passwords: tuple[str, ...]) -> None:
    encrypt(tmp_path / "a.yml", b"name: a\n")
    with pytest.raises(AnsibleLookupError) as caught:
        look("a.yml", passwords=passwords)
    assert str(caught.value).startswith("a.yml: it cannot be decrypted: the password of its vault is wrong or missing.")
    assert str(tmp_path / "copies") not in str(caught.value)


def test_a_term_must_be_a_path(look: Look) -> None:
    for term in ("", " ", None, 5, ["a"]):
        with pytest.raises(AnsibleLookupError, match="desired_state_files needs the path of a file or folder"):
            look(term)


def test_a_path_needs_no_playbook(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("name: a\n", encoding="utf-8")
    assert LookupModule(loader=DataLoader()).run([str(tmp_path / "a.yml")]) == [{"name": "a"}]
