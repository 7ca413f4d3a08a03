# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values that are valid, and probably not what is meant: done as they are, with a warning that says so first."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run

BUCKET = "https://v.example.com"
ON = "is 'True', which Ansible makes of yes or on or true without quotation marks: quote the text."
OFF = "is 'False', which Ansible makes of no or off or false without quotation marks: quote the text."
SMALL = "size is less than 4096 bytes. Write a unit, as in 10GiB, or 10B if bytes are meant."


@pytest.mark.parametrize(
    ("module", "options", "warnings"),
    [
        ("volume", {"name": "True", "bucket": "https://new.example.com"}, [f"name {ON}"]),
        ("volume_info", {"name": "True"}, [f"name {ON}"]),
        ("export", {"volume": "True", "desc": "a", "iprange": "*"}, [f"volume {ON}"]),
        ("export", {"volume": "v", "desc": "False", "iprange": "*"}, [f"desc {OFF}"]),
        ("export", {"volume": "v", "desc": "true", "iprange": "*"}, []),
        ("quota", {"volume": "v", "path": "/a", "size": "10"}, [SMALL]),
        ("quota", {"volume": "v", "path": "/a", "size": "4095"}, [SMALL]),
        ("quota", {"volume": "v", "path": "/a", "size": "4096"}, []),
        ("quota", {"volume": "v", "path": "/a", "size": "0"}, []),
        ("quota", {"volume": "v", "path": "/a", "size": "10B"}, []),
        ("quota", {"volume": "v", "path": "/a", "size": "10GiB"}, []),
    ],
    ids=str,
)
@pytest.mark.usefixtures("volume")
def test_a_doubtful_value_comes_with_a_warning(
    run: Run, module: str, options: dict[str, Any], warnings: list[str]
) -> None:
    told = run(module, **options, check=True).get("warnings", [])
    assert [text for text in told if "does not exist yet" not in text] == warnings


@pytest.mark.usefixtures("volume")
def test_equal_doubts_about_items_are_one_warning(run: Run) -> None:
    items = [{"path": f"/{number}", "size": number + 1} for number in range(3000)]
    result = run("quotas", volume="v", quotas=items, check=True)
    assert result["warnings"] == [f"3,000 items (item 1 ('/0'); item 2 ('/1'); item 3 ('/2'); ...): {SMALL}"]
    document = [{"name": True, "bucket": BUCKET, "quotas": [{"path": "/a", "size": 5}]}]
    result = run("volumes", volumes=document, check=True)
    assert result["warnings"][:2] == [
        f"item 1 ('True'): name {ON}",
        f"item 1 ('True'), quotas item 1 ('/a'): {SMALL}",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "0777"}, "size must not begin with 0, which YAML reads as an octal number, not '0777'"),
        ({"size": "010GiB"}, "size must not begin with 0"),
        ({"size": "1:30"}, "size must be a number of bytes, or a number with one of the units"),
        ({"size": str(2**63)}, f"size must be at most {2**63 - 1}"),
        ({"size": "8EiB"}, f"size must be at most {2**63 - 1}"),
        ({"inodes": 2**63}, f"inodes must be at most {2**63 - 1}"),
    ],
    ids=str,
)
def test_numbers_that_cannot_be_meant_are_refused(
    run: Run, emulator: Emulator, options: dict[str, Any], message: str
) -> None:
    result = run("quota", volume="v", path="/a", **options)
    assert message in result["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", ["volume", "volumes"])
def test_a_second_volume_on_a_bucket_comes_with_a_warning(
    run: Run, emulator: Emulator, volume: int, module: str, check: bool
) -> None:
    item = {"name": "renamed", "bucket": f"{BUCKET}/"}
    result = run(module, check=check, **(item if module == "volume" else {"volumes": [item]}))
    (warning,) = result["warnings"]
    assert warning.startswith(f"volume 'renamed' is new, but volume 'v' (id {volume}) has the same bucket. ")
    assert warning.endswith("If it was meant to be renamed: a volume cannot be, and keeps its name.")
    again = run(module, name="v", bucket=BUCKET) if module == "volume" else run(module, volumes=[{"name": "v"}])
    assert again.get("warnings", []) == []
    assert len(emulator.volumes()) == 2 - check


def test_many_volumes_on_one_bucket_are_counted(run: Run, emulator: Emulator) -> None:
    emulator.add_volume(name="v", bucket=BUCKET)
    result = run("volumes", volumes=[{"name": f"v{number}", "bucket": BUCKET} for number in range(9)], check=True)
    assert result["warnings"][3:] == ["The same holds for 6 more of some volumes."]
