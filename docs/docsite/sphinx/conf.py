# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of Sphinx for the documentation site, which `make docs` builds.

antsibull-docs makes the pages; they get a front page, a reference, and what forges show. extra-docs.yml says which pages there
are, so that other sites of Ansible collections have the same.
"""

from __future__ import annotations

import re
import shutil
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCSITE = Path(__file__).resolve().parents[1]
ROOT = DOCSITE.parents[1]
SECTIONS = yaml.safe_load((DOCSITE / "extra-docs.yml").read_text(encoding="utf-8"))["sections"]
COLLECTION = yaml.safe_load((ROOT / "galaxy.yml").read_text(encoding="utf-8"))

project = f"{COLLECTION['namespace']}.{COLLECTION['name']}"
project_copyright = f"{', '.join(COLLECTION['authors'])}, {', '.join(COLLECTION['license'])}"
release = COLLECTION["version"]

extensions = ["myst_parser", "sphinx.ext.intersphinx", "sphinx_antsibull_ext", "sphinx_copybutton"]
myst_heading_anchors = 3
# What is copied has no prompt, and no output below it.
copybutton_prompt_text = "$ "
highlight_language = "YAML+Jinja"

# The few pages of Ansible's documentation that ours refer to, so that nothing has to be downloaded.
intersphinx_mapping = {"ansible": ("https://docs.ansible.com/ansible/latest/", "ansible.inv")}

html_theme = "furo"
html_title = f"{project} {release}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
pygments_style = "friendly"
pygments_dark_style = "monokai"

# Files that forges know by their names, and their places on the site. The README becomes the front page.
KNOWN = {path.name: path.name.lower() for kind in ("md", "rst") for path in sorted(ROOT.glob(f"[A-Z]*.{kind}"))}
KNOWN["README.md"] = "index.md"
LINK = re.compile(rf"\]\((?:docs/docsite/rst/([\w/]+\.rst)|({'|'.join(map(re.escape, KNOWN))}))(?=[)#])")

# What our pages refer to in Ansible's documentation: label, page, title.
ANSIBLE = """\
action_plugins std:label -1 plugins/action.html Action plugins
ansible_configuration_settings std:label -1 reference_appendices/config.html Ansible configuration settings
common_return_values std:label -1 reference_appendices/common_return_values.html Return values
"""
INVENTORY = "# Sphinx inventory version 2\n# Project: ansible\n# Version:\n# The remainder is compressed using zlib.\n"

# The last part of the page that antsibull-docs makes of the collection: all plugins and roles.
PLUGINS = ".. _plugin_index_for_managedfs.console:"


def setup(app: Sphinx) -> None:
    """Let Sphinx call what follows."""
    complete(Path(app.srcdir))
    # Before the theme lists the sections of a page beside it.
    app.connect("doctree-read", drop_contents, priority=400)
    app.connect("doctree-read", show_examples_first, priority=400)


def drop_contents(_app: Sphinx, page: nodes.document) -> None:
    """Remove the list of a page's sections, since the theme shows one beside it."""
    for topic in list(page.findall(nodes.topic)):
        if "contents" in topic["classes"]:
            topic.parent.remove(topic)
    # They link back to the list.
    for title in page.findall(nodes.title):
        title.attributes.pop("refid", None)


def show_examples_first(_app: Sphinx, page: nodes.document) -> None:
    """Move the examples of a module, filter, lookup or role above its options, which they are read for."""
    sections = {section["names"][0]: section for section in page.findall(nodes.section) if section["names"]}
    if "examples" in sections and "parameters" in sections:
        examples, parameters = sections["examples"], sections["parameters"]
        examples.parent.remove(examples)
        parameters.parent.insert(parameters.parent.index(parameters), examples)


def complete(pages: Path) -> None:
    """Complete the pages in a folder."""
    shutil.copytree(DOCSITE / "rst" / "pictures", pages / "docsite" / "pictures")
    (pages / "ansible.inv").write_bytes(INVENTORY.encode() + zlib.compress(ANSIBLE.encode()))
    for source, target in KNOWN.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        # The release notes have the words of every question, and answer none.
        unsearched = ":nosearch:\n\n" if source == "CHANGELOG.rst" else ""
        (pages / target).write_text(unsearched + with_links(text), encoding="utf-8")
    (pages / "index.md").write_text(front_page(), encoding="utf-8")
    with (pages / "contributing.md").open("a", encoding="utf-8") as contributing:
        contributing.write("\n" + toctree(SECTIONS[-1]["title"], pages_for_contributors()))
    title = "Modules, plugins and roles"
    listed = (pages / "index.rst").read_text(encoding="utf-8").split(PLUGINS)[1]
    # Short names in the navigation; a name alone is that of a module.
    listed = re.sub(r"^    (\w+)_module$", r"    \1 <\1_module>", listed, flags=re.MULTILINE)
    listed = re.sub(r"^    (\w+)_(filter|lookup|role)$", r"    \1 \2 <\1_\2>", listed, flags=re.MULTILINE)
    (pages / "reference.rst").write_text(f"{title}\n{'=' * len(title)}\n{listed}", encoding="utf-8")
    (pages / "index.rst").unlink()
    # It knows only variables of Ansible's own configuration, of which there are none. Ours are in authentication.rst.
    (pages / "environment_variables.rst").unlink()


def front_page() -> str:
    """Return the README, which leads to the pages, without the licence, which is below each page, and the navigation."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    trees = [(section["title"], [f"docsite/{page}" for page in section["toctree"]]) for section in SECTIONS]
    trees.insert(2, ("Reference", ["reference", "Release notes <changelog>"]))
    # What only contributors read is below a page of its own.
    trees[-1] = (trees[-1][0], ["contributing"])
    return "\n".join([with_links(readme.split("## Licence")[0]), *(toctree(*tree) for tree in trees)])


def pages_for_contributors() -> list[str]:
    """Return the pages that are below CONTRIBUTING: the last ones of extra-docs.yml, and those that forges know."""
    known = [Path(page).stem for page in KNOWN.values() if page.endswith(".md")]
    return [*(f"docsite/{page}" for page in SECTIONS[-1]["toctree"]), *sorted({*known} - {"index", "contributing"})]


def toctree(title: str, pages: list[str]) -> str:
    """Return a part of the navigation."""
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])


def with_links(text: str) -> str:
    """Return a text whose links to files of the repository lead to their pages."""
    return LINK.sub(lambda found: f"](docsite/{found[1]}" if found[1] else f"]({KNOWN[found[2]]}", text)
