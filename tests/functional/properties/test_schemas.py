# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The JSON Schema of volumes allows whatever the reader takes.

What it refuses is a table in tests/functional/repository/test_schemas.py.
"""

from __future__ import annotations

from typing import Any

from hypothesis import event, target
from hypothesis import given as drawn
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    LISTS_OF_VOLUME,
    QUOTA,
    VOLUME,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.items import read_items
from functional.properties.draws import IPRANGES, PATHS, SIZES, mostly
from functional.support.cases import cases
from functional.support.files import complaints

# Values that the reader takes for some option, as files write them. Text options of files refuse booleans and fractions.
TEXTS = st.sampled_from(["a", "", " ", "yes", "1.0", "a/../b", "..", "/", "*", 0, 7, 2**70]) | st.text(max_size=4)
NUMBERS = st.sampled_from([0, 1, -1, 5.0, "5", " 7 ", "5.0", "-3", "-0", "", None, 2**63 - 1, "007", 2**64])
FLAGS: st.SearchStrategy[Any] = st.sampled_from(
    [True, False, "yes", "No", "TRUE", " off ", "1", 0, 1, 1.0, "T", "", None]
)
ALL_SIZES = SIZES | NUMBERS.filter(lambda number: number.__class__ is not float)
ALL_SIZES |= st.from_regex(r"\A ?[0-9]{1,3}(\.[0-9]{1,2})? ?[KMGTPEkmgtpe]?[iI]?[bB]? ?\Z")
NETWORKS = (
    IPRANGES | st.ip_addresses().map(str) | st.sampled_from(["", " ", " * ", "::/0", "fe80::1%eth0", "10.0.0.1/08"])
)
NETWORKS |= st.ip_addresses(v=6).map("{}/64".format) | st.ip_addresses(v=4).map("{}/31".format)
ALL_PATHS = (
    PATHS
    | st.sampled_from(["", "/", "//", "/..a", "/a..", "/...", "/a/./b", " /a"])
    | st.text(max_size=4).map("/{}".format)
)
FREE = st.fixed_dictionaries({"colour": st.none() | st.booleans() | st.text(max_size=3)})
BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "iprange": NETWORKS,
    "path": ALL_PATHS,
    "size": ALL_SIZES,
    "state": st.sampled_from(["present", "absent", None]),
    "extra_fields": FREE | st.just({}) | st.none(),
}
BY_TYPE = {"str": TEXTS, "int": NUMBERS, "bool": FLAGS}


def items(resource: Any, below: dict[str, st.SearchStrategy[Any]] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Draw items of a list; most have a key, and a few options more."""
    options = item_options(resource, LISTS_OF_VOLUME if below else ())
    known = {name: BY_TYPE[option["type"]] for name, option in options.items() if option["type"] in BY_TYPE}
    fields = {**known, **{name: values for name, values in BY_NAME.items() if name in options}, **(below or {})}
    if not below:
        fields["renamed_from"] = fields[resource.key.name]
    optional = {name: values for name, values in fields.items() if name != resource.key.name}
    few = st.lists(st.sampled_from(sorted(optional)), max_size=4, unique=True)
    some = few.flatmap(lambda names: st.fixed_dictionaries({name: optional[name] for name in names}))
    key = fields[resource.key.name]
    keyed = st.tuples(some, key).map(lambda pair: {**pair[0], resource.key.name: pair[1]})
    return mostly(keyed, some)


LISTS = {
    "exports": st.none() | st.lists(items(EXPORT), max_size=2),
    "quotas": st.none() | st.lists(items(QUOTA), max_size=2),
}


@cases(2)
@drawn(volume=items(VOLUME, LISTS))
def test_what_the_reader_takes_is_valid(volume: dict[str, Any]) -> None:
    is_taken = not read_items(VOLUME, [volume]).problems
    event(f"taken: {is_taken}")
    target(len(str(volume)) if is_taken else 0)
    if is_taken:
        assert complaints("volume", volume) == complaints("volume", [volume]) == []
