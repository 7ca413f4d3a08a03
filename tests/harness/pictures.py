# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Draws the pictures of the documentation: graphs, a plan, and the report that `make demo` writes."""

from __future__ import annotations

import hashlib
import html
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from emulator import Emulator
from harness.demo import environment
from harness.imports import PLUGINS, imports
from harness.places import CHECKOUT, linked_tree, stage_folder

FOLDER = CHECKOUT / "docs" / "docsite" / "rst" / "pictures"
STYLE = FOLDER / "style.css"
LAYERS = "The layers of the code"

# For Graphviz: positions and sizes, which the style cannot set. Text of 14 pixels is legible in a window of 400 if a graph is not wider.
MAX_WIDTH = 470
ARGUMENTS = """-Nfontname=Helvetica -Efontname=Helvetica -Gfontname=Helvetica -Nfontsize=14 -Efontsize=14 -Gfontsize=14
 -Nshape=box -Nstyle=rounded -Gstyle=rounded -Nmargin=0.1,0.08 -Gnodesep=0.15 -Granksep=0.3 -Gpad=0.15 -Earrowsize=0.7"""

COLUMNS = 50


def layers_source() -> str:
    """Return the graph of what imports what."""
    edges = set()
    for path in PLUGINS.rglob("*.py"):
        mine = layer(path.relative_to(PLUGINS).with_suffix("").as_posix())
        edges |= {(mine, layer(module)) for module in imports(path) if "/" in module}
    lines = "".join(f'  "{mine}" -> "{other}"\n' for mine, other in sorted(edges) if mine != other)
    return f'// Written by make pictures, from the imports.\ndigraph "{LAYERS}" {{\n{lines}}}\n'


def layer(path: str) -> str:
    """Return the folder, or the file at the root, that a path below `plugins` belongs to."""
    name, *below = path.removeprefix("module_utils/_internal/").split("/")
    return f"{name}/" if below else f"{name}.py"


def checksum(source: Path) -> str:
    """Return what tells whether a picture was drawn from a source as it is, with the style as it is."""
    return hashlib.sha256(source.read_bytes() + STYLE.read_bytes()).hexdigest()


def draw_graph(source: Path) -> str:
    """Return a graph as SVG whose colours and fonts are those of the style."""
    import pygraphviz

    graph = pygraphviz.AGraph(filename=str(source))
    if graph.name == LAYERS:
        # A layer that is reached through another one needs no arrow of its own.
        graph.tred()
    svg: str = graph.draw(format="svg", prog="dot", args=" ".join(ARGUMENTS.split())).decode()
    # Names of parts would pop up, and the style has the colours and fonts.
    svg = re.sub(r"<title>.*?</title>\n|<!--.*?-->\n", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r' (?:fill|stroke|font-family|xmlns:xlink)="[^"]*"', "", svg)
    svg = re.sub(r'width="(\d+)pt" height="(\d+)pt"\s*', r'role="img" width="\1" height="\2" ', svg)
    title, style = html.escape(graph.name), STYLE.read_text(encoding="utf-8")
    head = f"<!-- {checksum(source)} -->\n<title>{title}</title>\n<style>\n{style}</style>\n"
    return svg.replace("<g ", f"{head}<g ", 1)


def printed_plan(playbook: Path) -> str:
    """Return the lines of the plan that the last task of a playbook prints, with its warnings."""
    with Emulator() as emulator:
        env = os.environ | environment(emulator) | {"ANSIBLE_COLLECTIONS_PATH": str(linked_tree())}
        command = [Path(sys.executable).with_name("ansible-playbook"), playbook]
        output = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
    return output.rpartition("TASK ")[2].partition("\n")[2].partition("changed:")[0]


def draw_plan(source: Path) -> str:
    """Return the plan that a playbook makes, in a terminal, as SVG."""
    head = f"<!-- {checksum(source)} -->\n"
    command = "ansible-playbook managedfs.console.apply -e apply_source=desired --check --diff"
    return head + draw_terminal("a plan (in part)", command, printed_plan(source))


def draw_terminal(title: str, command: str, printed: str) -> str:
    """Return a command and its coloured output as SVG."""
    from rich.console import CONSOLE_SVG_FORMAT, Console
    from rich.text import Text

    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(f"$ {command}", highlight=False)
    for line in map(Text.from_ansi, printed.splitlines()):
        console.print(line)
    # A picture loads no fonts. It is as wide as the graphs, and has a name for those who hear it.
    form = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace("Fira Code", "ui-monospace").replace("<svg ", '<svg role="img" width="460" ', 1)
    return str(console.export_svg(title=title, code_format=form, unique_id="terminal"))


def photograph(page: Path, picture: Path) -> None:
    """Write a page as PNG, as it looks in a narrow window."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        sys.exit(f"{picture.name} stays as it was, since none of these browsers is installed: {', '.join(names)}")
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=2"]
    options += ["--window-size=500,920", f"--screenshot={picture}"]
    subprocess.run([browser, *options, page.as_uri()], check=True, stderr=subprocess.DEVNULL)


def main() -> None:
    (FOLDER / "layers.dot").write_text(layers_source(), encoding="utf-8")
    for source in sorted(FOLDER.glob("*.dot")):
        source.with_suffix(".svg").write_text(draw_graph(source), encoding="utf-8")
    demo = stage_folder("demo")
    plan = FOLDER / "plan.yml"
    plan.with_suffix(".svg").write_text(draw_plan(plan), encoding="utf-8")
    photograph(demo / "report" / "report.html", FOLDER / "report.png")
    print(f"The pictures are in {FOLDER}")


if __name__ == "__main__":
    main()
