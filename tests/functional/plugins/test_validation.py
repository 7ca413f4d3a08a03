# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files that are checked without a console: each mistake with its place, likely mistakes, and what is not read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from ansible_collections.managedfs.console.plugins.action import role_step
from functional.support.actions import act
from harness.places import CHECKOUT, linked_tree


def check(folder: Path, files: dict[str, str], **options: Any) -> dict[str, Any]:
    """Return the result for files by their paths, and for those from before."""
    for name, text in files.items():
        (folder / "d" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "d" / name).write_text(text, encoding="utf-8")
    return run(folder, **options)


def run(folder: Path, source: str = "d", **options: Any) -> dict[str, Any]:
    return act(role_step, folder, do="validate", source=source, **options)


MISTAKES = {
    "a.yml": """\
name: a
regoin: 1
exports:
  - {desc: web, iprange: "*"}
  - desc: db
    iprange: office
    readonly: maybe
quotas:
  - path: home
    size: 10 gigs
    colour: red
  - {path: /x, size: 1GiB}
  - {path: /x/, size: 2GiB}
""",
    "alias.yml": "name: h\nexports:\n  - {desc: web, iprange: *}\n",
    "blank.yml": "name: i\nquotas:\n  - path: /a\n    size:5TiB\n    inodes: 1\n",
    "indented.yml": "name: j\nquotas:\n  - {path: /a, size: 1GiB}\n - {path: /b, size: 1GiB}\n",
    "deleted.yml": "name: l\nquotas:\n  - {path: /a, size: 1GiB}\n  - path: /b\nstate: absent\n",
    "kinds.yml": "name: k\nquotas: {/films: 5TiB}\nregion: many\nexports: [web]\n",
    "b.yml": "- name: b\n- name: c\n  state: gone\n- name: b\n",
    "c/c.yml": "name: d\nquotas:\n  - {path: /x, size: 1GiB}\n  - {path: /x/, size: 2GiB}\n",
    "console.yml": "console: [https://a]\nignore: {exports: [csi-*], quotas: [csi]}\n",
    "c/console.yml": "console: [https://a, nowhere]\n",
    "merge.yml": "name: e\n<<<<<<< ours\n",
    "site.yml": "- name: Site\n  hosts: all\n",
    "text.yml": "name:\u00a0e\n",
    "true.yml": "name: f\nexports:\n  - {desc: true}\n",
    "twice.yml": "name: g\nregion: 1\nregion: 2\n",
}
EXPECTED = [
    "d/a.yml, line 2 ('a'): there is no option regoin.",
    "d/a.yml, line 6 ('db'): iprange must be a network in CIDR notation, an IP address or *, not 'office'.",
    "d/a.yml, line 7 ('db'): readonly is of type ",
    "d/a.yml, line 9 ('home'): path must start with /, not 'home'.",
    "d/a.yml, line 10 ('home'): size must be a number of bytes",
    "d/a.yml, line 11 ('home'): there is no option colour.",
    "d/a.yml, line 13 ('/x/'): refers to the same record as d/a.yml, line 12 ('/x').",
    "d/alias.yml, line 3, column 27: did not find expected alphabetic or numeric character. Write an asterisk in quotation",
    "d/b.yml, line 3 ('c'): value of state must be one of: present, absent",
    "d/b.yml, line 4 ('b'): refers to the same record as d/b.yml, line 1 ('b').",
    "d/blank.yml, line 5, column 5: could not find expected ':'.",
    "d/c/c.yml, line 4 ('/x/'): refers to the same record as d/c/c.yml, line 3 ('/x').",
    "d/c/console.yml, line 1: console is not the address of a console",
    "d/console.yml, line 2: ignore.quotas: the pattern 'csi' must begin with",
    "d/deleted.yml, line 1 ('l'): the volume is to be deleted, and its item lists 2 quotas. If one of them is meant, indent",
    "d/indented.yml, line 4, column 2: did not find expected key. Indent the line like those above it",
    "d/kinds.yml, line 2 ('k'): quotas is of type ",
    "d/kinds.yml, line 3 ('k'): region must be a whole number, not 'many'.",
    "d/kinds.yml, line 4 ('k'): exports is of type ",
    "d/merge.yml, line 2: a merge of two versions was not finished here.",
    "d/site.yml, line 2 ('Site'): there is no option hosts.",
    "d/text.yml: a volume must be a dictionary of options. The text contains NO-BREAK SPACE",
    "d/true.yml, line 3, column 12: YAML reads this as true or false. desc is text: quote it.",
    "d/twice.yml, line 3, column 1: the key region is a duplicate of the one in line 2.",
]


def test_every_mistake_of_every_file_is_told_at_once_with_file_and_line(tmp_path: Path) -> None:
    result = check(tmp_path, MISTAKES)
    found = {expected: error for expected in EXPECTED for error in result["errors"] if error.startswith(expected)}
    assert list(found) == EXPECTED, result["errors"]
    assert sorted(found.values()) == sorted(result["errors"])
    assert (result["failed"], result["changed"]) == (True, False)
    assert result["msg"].startswith("d: 24 mistakes. Read: 13 files, 1 volume, 2 quotas. d/a.yml, line 2")
    assert result["msg"].endswith(" And 21 more.")


def test_a_record_that_the_folder_ignores_is_a_mistake(tmp_path: Path) -> None:
    files = {"console.yml": "ignore: {quotas: [/csi/*]}\n", "a.yml": "name: a\nquotas:\n  - {path: /csi/1}\n"}
    (error,) = check(tmp_path, files)["errors"]
    assert error.startswith("d/a.yml, line 3 ('/csi/1'): is ignored, by the pattern '/csi/*'.")


LIKELY_MISTAKES = {
    "a.yml": """\
name: a
bucket: https://b.example.com
quotas:
  - {path: /a, size: 10}
  - {path: /b, size: 1GiB}
  - {path: /b/c, size: 2GiB}
exports:
  - {desc: "'web'", iprange: "*"}
  - {desc: db, iprange: "*", readonly: true}
  - {desc: DB, iprange: 10.0.0.1}
  - {desc: "{{ x }}", state: absent}
""",
    "b.yml": "name: A\nbucket: https://B.example.com/\n",
    "c.yml": "name: c\nbucket: https://b.example.com\nstate: absent\n",
}
LIKELY = [
    "d/a.yml, line 8 (''web''): desc is in quotation marks, which are taken as part of it.",
    "d/a.yml, line 11 ('{{ x }}'): desc contains a template that was not evaluated.",
    "d/a.yml, line 4 ('/a'): size is less than 4096 bytes.",
    "d/b.yml, line 1 ('A'): the bucket is that of d/a.yml, line 1 ('a'), too: correct one of them.",
]


def test_likely_mistakes_that_need_no_console_are_listed_and_fail_where_that_is_wanted(tmp_path: Path) -> None:
    result = check(tmp_path, LIKELY_MISTAKES)
    assert [
        expected for expected, warning in zip(LIKELY, result["plan_warnings"], strict=True) if expected not in warning
    ] == []
    assert (result["failed"], "errors" in result) == (False, False)
    assert result["msg"] == "d: 4 likely mistakes. Read: 3 files, 3 volumes, 4 exports, 3 quotas."
    assert run(tmp_path, fail_on_plan_warnings=True)["failed"]


def test_files_that_look_meant_and_are_not_read_are_named(tmp_path: Path) -> None:
    meant = ["Volume.YML", "a.yml.txt", "b.json", "c/d.Yaml", "e.yml.j2"]
    others = ["README.md", "f.schema.json", "volume.schema.json", ".h.json", ".git/i.json", "j.yml~", "k.txt"]
    result = check(tmp_path, {"a.yml": "name: a\n", **dict.fromkeys([*meant, *others], "}")})
    (tmp_path / "d" / "link").symlink_to("c")
    result = run(tmp_path)
    unread = [text.partition(": ")[0] for text in result["not_read"]]
    assert sorted(unread) == sorted(f"d/{name}" for name in [*meant, "link"])
    assert not result["failed"]
    assert run(tmp_path, fail_on_plan_warnings=True)["failed"]


def test_a_folder_without_any_file_says_what_is_there(tmp_path: Path) -> None:
    result = check(tmp_path, {"a.YML": "name: a\n"})
    assert result["errors"] == ["d: this folder must have a file whose name ends in .yml or .yaml."]
    assert len(result["not_read"]) == 1
    result = run(tmp_path, "nowhere")
    assert "there is no such file or folder" in result["errors"][0]


def test_a_thousand_mistakes_are_a_result_that_awx_keeps(tmp_path: Path) -> None:
    quotas = "".join(f"  - {{path: ü{number}, size: 1}}\n" for number in range(20_000))
    result = check(tmp_path, {"a.yml": f"name: a\nquotas:\n{quotas}"})
    assert len(result["errors"]) == 500
    assert result["msg"].startswith("d: 20,000 mistakes.")
    assert len(json.dumps(result)) < 700_000


PROGRAM = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("requests", "urllib3"):
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
import ansible_collections.managedfs.console.plugins.action.role_step
"""


def test_the_package_requests_is_not_needed() -> None:
    environment = {"PYTHONPATH": str(linked_tree())}
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, env=environment, cwd=CHECKOUT)
