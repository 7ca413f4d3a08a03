# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lookup desired_state_files: paths as users give them, and files that are encrypted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible import constants
from ansible.errors import AnsibleLookupError
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.managedfs.console.plugins.lookup.desired_state_files import LookupModule

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
