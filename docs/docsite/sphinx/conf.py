# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of Sphinx for the documentation site, which `make docs` builds. The pages are completed by harness.pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

COLLECTION = yaml.safe_load(Path(__file__).parents[3].joinpath("galaxy.yml").read_text(encoding="utf-8"))

project = f"{COLLECTION['namespace']}.{COLLECTION['name']}"
project_copyright = f"{', '.join(COLLECTION['authors'])}, {', '.join(COLLECTION['license'])}"
release = COLLECTION["version"]

extensions = ["myst_parser", "sphinx.ext.intersphinx", "sphinx_antsibull_ext"]
myst_heading_anchors = 3
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


def setup(app: Sphinx) -> None:
    """Let Sphinx call what follows."""
    app.connect("doctree-read", drop_contents)


def drop_contents(_app: Sphinx, page: nodes.document) -> None:
    """Remove the list of a page's sections, since the theme shows one beside it."""
    for topic in list(page.findall(nodes.topic)):
        if "contents" in topic["classes"]:
            topic.parent.remove(topic)
    # They link back to the list.
    for title in page.findall(nodes.title):
        title.attributes.pop("refid", None)
