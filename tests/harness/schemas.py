# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes the JSON Schemas of our files, made from options, field types and documentation. `make schema` runs it.

They are draft-07, which editors read. They allow whatever the reader takes, except for a blank choice, and for text in place
of a list or dictionary.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from ansible_collections.managedfs.console.plugins.module_utils._internal.model import fields as types
from ansible_collections.managedfs.console.plugins.module_utils._internal.model import resources
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME, Resource
from ansible_collections.managedfs.console.plugins.module_utils._internal.options import item_options
from ansible_collections.managedfs.console.plugins.modules import volumes
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import FOLDER

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
MADE = "Written by make schema of the collection managedfs.console, from its options and their documentation."
TEXT: Schema = {"type": ["string", "integer", "null"]}
# Dialects of regular expressions that Python and JavaScript share.
DIGITS = r"(0|[1-9][0-9]{0,39})(\.0{1,40})?"
ADDRESS = r"^\s*[Hh][Tt][Tt][Pp][Ss]?://[^\s\\?#@]+\s*$"
WITH_UNIT = r"(0|[1-9][0-9]{0,29})(\.[0-9]{1,30})?\s*([KMGTPEkmgtpe][iI]?[bB]?|[bB])"
WORDS = ("yes", "no", "on", "off", "true", "false", "y", "n", "t", "f", "1", "0")
ANY_CASE = "|".join("".join(f"[{one.upper()}{one}]" if one.isalpha() else one for one in word) for word in WORDS)
BYTE = "(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
PATH = r"^(\s*$|/(?!([\s\S]*/)?\.\.(/|$)))"
IPV4 = rf"{BYTE}(\.{BYTE}){{3}}(/0*([0-9]|[12][0-9]|3[0-2]))?"
IPV6 = r"[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%[^/%]+)?(/0*([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?"


def pattern(expression: str, message: str) -> Schema:
    """Return the schema of text with the message that editors show for any other."""
    return {"pattern": expression, "patternErrorMessage": message}


def written(kinds: str, expression: str, message: str, **more: Any) -> Schema:
    """Return the schema of a value of these kinds, or null; text of it may have white space around, or be blank."""
    return {"type": [*kinds.split(), "null"], **pattern(rf"^\s*({expression})?\s*$", message), **more}


MOST = types.MAX_INTEGER
WHOLE = written("integer string", f"-?{DIGITS}", "Must be a whole number.")
NO_LIMIT = "Must be a whole number from 0, which means no limit."
A_SIZE = "Must be a size such as 10GiB, or a number of bytes. 0 is no limit."
A_PATH = "Must start with / and not contain .. as the name of a directory."
A_NETWORK = "Must be a network in CIDR notation, an IP address or *."
BY_TYPE: Mapping[types.FieldType, Schema] = {
    types.INTEGER: {**WHOLE, "minimum": -MOST, "maximum": MOST},
    types.LIMIT: written("integer string", f"-0|{DIGITS}", NO_LIMIT, minimum=0, maximum=MOST),
    types.SIZE: written("string integer", f"-0|{DIGITS}|{WITH_UNIT}", A_SIZE, minimum=0, maximum=MOST),
    types.BOOLEAN: written("boolean string integer", ANY_CASE, "Must be true or false.", minimum=0, maximum=1),
    types.NETWORK: written("string", rf"\*|{IPV4}|{IPV6}", A_NETWORK),
    types.PATH: {"type": ["string", "null"], **pattern(PATH, A_PATH)},
}
BY_OPTION: Mapping[str, Schema] = {
    "str": TEXT,
    "int": WHOLE,
    "dict": {"type": ["object", "null"]},
    "list": {"type": ["array", "null"], "items": TEXT},
}
# Keys that begin with x- hold anchors, and nothing reads them.
ANCHORS: Schema = {"patternProperties": {"^x-": {}}, "additionalProperties": False}
DOCS = yaml.safe_load(volumes.DOCUMENTATION)["options"]


def plain(description: str | list[str]) -> str:
    """Return a description without Ansible's markup. An option below others keeps its name alone."""
    text = " ".join([description] if isinstance(description, str) else description)
    names = re.sub(r"\b(?:O|RV)\((?:[^()]*(?:\[\]\.|#module:))?([^()]*)\)", r"\1", text)
    return re.sub(r"\b[CVMPIB]\(((?:[^()]|\([^()]*\))*)\)", lambda match: match[1].partition("#")[0], names)


def documented(docs: Mapping[str, Any], schema: Schema) -> Schema:
    return {"description": plain(docs["description"]), **schema}


def of_item(resource: Resource, docs: Mapping[str, Any], children: Iterable[Resource] = ()) -> Schema:
    """Return the schema of an item of a list, whose options are documented in `docs`."""
    kinds = {field.name: field.type for field in resource.managed} | {"renamed_from": resource.key.type}
    properties = {}
    for name, option in item_options(resource, children).items():
        known = BY_TYPE.get(kinds[name]) if name in kinds else None
        known = {"enum": [*option["choices"], None]} if "choices" in option else known
        properties[name] = documented(docs[name], known or BY_OPTION[option["type"]])
        if option.get("default") is not None:
            properties[name]["default"] = option["default"]
        if name in resources.LISTS_BY_NAME:
            properties[name]["items"] = of_item(resources.LISTS_BY_NAME[name], docs[name]["suboptions"])
    identified = [{"required": [name]} for name in (resource.key.name, "id")]
    return {"type": "object", "properties": properties, **ANCHORS, "anyOf": identified}


def volume_file() -> Schema:
    """Return the schema of a file of the desired state: one volume, a list of volumes, or comments."""
    volume = of_item(VOLUME, DOCS[VOLUME.plural]["suboptions"], resources.LISTS_OF_VOLUME)
    # As one schema without alternatives, for which editors know what to offer. What a volume must have binds no list.
    alone = {"title": "managedfs.console: volumes", **volume, "type": ["object", "array", "null"]}
    return {**alone, "items": {"$ref": "#/definitions/volume"}, "definitions": {"volume": volume}}


def console_file() -> Schema:
    """Return the schema of `console.yml`."""
    address = {"type": "string", **pattern(ADDRESS, "Must be an address such as https://console.example.com.")}
    ignore = {}
    for resource in (VOLUME, *resources.LISTS_OF_VOLUME):
        key = {
            "type": "string",
            **(pattern(r"^[/*]", "Must begin with / or *.") if resource.key.type is types.PATH else {}),
        }
        docs = DOCS["ignore"]["suboptions"][resource.plural]
        ignore[resource.plural] = documented(docs, {"type": ["array", "null"], "items": key})
    properties = {
        "console": documented(DOCS["consoles"], {"type": "array", "minItems": 1, "items": address}),
        "ignore": documented(DOCS["ignore"], {"type": ["object", "null"], "properties": ignore, **ANCHORS}),
    }
    title = "managedfs.console: the console of a folder"
    return {"title": title, "type": "object", "properties": properties, **ANCHORS}


def texts() -> dict[str, str]:
    """Return the text of each schema by the name of its file."""
    made = {"volume.schema.json": volume_file(), "console.schema.json": console_file()}
    whole = {name: {"$schema": DRAFT, "$comment": MADE, **schema} for name, schema in made.items()}
    return {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in whole.items()}


def main() -> None:
    for name, text in texts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
