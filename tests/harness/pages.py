# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Completes the pages that antsibull-docs makes to a site: a front page, the reference, and what forges show.

    python -m harness.pages FOLDER

docs/docsite/extra-docs.yml says which pages there are, so that other sites of Ansible collections have the same.
"""

from __future__ import annotations

import re
import sys
import zlib
from pathlib import Path

import yaml

from harness.places import CHECKOUT

DOCSITE = CHECKOUT / "docs" / "docsite"

# Files that forges know by their names, and their places on the site. The README becomes the front page.
KNOWN = {path.name: path.name.lower() for kind in ("md", "rst") for path in sorted(CHECKOUT.glob(f"[A-Z]*.{kind}"))}
KNOWN["README.md"] = "index.md"
LINK = re.compile(rf"\]\((?:docs/docsite/rst/(\w+\.rst)|({'|'.join(map(re.escape, KNOWN))}))(?=[)#])")

# What our pages refer to in Ansible's documentation: label, page, title.
ANSIBLE = """\
action_plugins std:label -1 plugins/action.html Action plugins
ansible_configuration_settings std:label -1 reference_appendices/config.html Ansible configuration settings
common_return_values std:label -1 reference_appendices/common_return_values.html Return values
"""
INVENTORY = "# Sphinx inventory version 2\n# Project: ansible\n# Version:\n# The remainder is compressed using zlib.\n"

# The last part of what antsibull-docs makes: all plugins and roles.
PLUGINS = ".. _plugin_index_for_managedfs.console:"
ENTRY = re.compile(r"^    (\w+)_(module|filter|lookup|role)$", re.MULTILINE)

REFERENCE = ["reference", "Release notes <changelog>"]


def main(name: str) -> None:
    """Complete the pages in a folder."""
    folder = Path(name)
    (folder / "ansible.inv").write_bytes(INVENTORY.encode() + zlib.compress(ANSIBLE.encode()))
    for source, target in KNOWN.items():
        text = (CHECKOUT / source).read_text(encoding="utf-8")
        (folder / target).write_text(with_links(text), encoding="utf-8")
    collection = folder / "index.rst"
    (folder / "reference.rst").write_text(reference(collection.read_text(encoding="utf-8")), encoding="utf-8")
    collection.unlink()
    # It knows only variables of Ansible's own configuration, of which there are none. Ours are in authentication.rst.
    (folder / "environment_variables.rst").unlink()
    (folder / "index.md").write_text(front_page(), encoding="utf-8")


def front_page() -> str:
    """Return the README, which leads to the pages, without the licence, which is below each page, and the navigation."""
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    sections = yaml.safe_load((DOCSITE / "extra-docs.yml").read_text(encoding="utf-8"))["sections"]
    trees = [(section["title"], [f"docsite/{page}" for page in section["toctree"]]) for section in sections]
    trees.insert(2, ("Reference", REFERENCE))
    trees[-1][1].extend(Path(page).stem for page in KNOWN.values() if page.endswith(".md") and page != "index.md")
    return "\n".join([with_links(readme.split("## Licence")[0]), *(toctree(*tree) for tree in trees)])


def toctree(title: str, pages: list[str]) -> str:
    """Return a part of the navigation."""
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])


def reference(collection: str) -> str:
    """Return the list of plugins and roles from the page of the collection, with short names in the navigation."""
    title = "Modules, plugins and roles"
    return f"{title}\n{'=' * len(title)}\n" + ENTRY.sub(_entry, collection.split(PLUGINS)[1])


def _entry(found: re.Match[str]) -> str:
    """Return an entry of the navigation; a name alone is that of a module."""
    name, kind = found.groups()
    title = name if kind == "module" else f"{name} {kind}"
    return f"    {title} <{name}_{kind}>"


def with_links(text: str) -> str:
    """Return a text whose links to files of the repository lead to their pages."""
    return LINK.sub(lambda found: f"](docsite/{found[1]}" if found[1] else f"]({KNOWN[found[2]]}", text)


if __name__ == "__main__":
    main(*sys.argv[1:])
