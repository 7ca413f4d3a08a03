# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Correct signatures, as literals: the client must produce exactly these.

They were computed with a second implementation, written from the specification alone, and once more with ``openssl dgst``
and ``base64``. Compare tokens decoded: the specification fixes neither the order of the fields in their JSON text, nor its
spaces.
"""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import urlsplit

KEYS = {"access_key": "AKEXAMPLE7Q2M5X9", "secret_key": "example+secret/key=0123456789~abcdef"}


# By name: the address of a GET of volumes, and the host that is signed.
_HOSTS = {
    "http_default_port_left_out": ("http://console.example.com", "console.example.com"),
    "http_default_port_written": ("http://console.example.com:80", "console.example.com"),
    "https_default_port_written": ("https://console.example.com:443", "console.example.com"),
    "other_port": ("http://console.example.com:8080", "console.example.com:8080"),
    "port_80_on_https": ("https://console.example.com:80", "console.example.com:80"),
    "port_443_on_http": ("http://console.example.com:443", "console.example.com:443"),
    "ipv6_host_with_port": ("http://[2001:db8::1]:8080", "[2001:db8::1]:8080"),
    "ipv6_host_with_default_port": ("https://[2001:db8::1]:443", "[2001:db8::1]"),
    "upper_case_host": ("https://CONSOLE.Example.COM", "console.example.com"),
}
_RESERVED = "q=%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"
# By name: the query of such a GET, and the query that is signed.
_QUERIES = {
    "names_sorted": ("page_size=100&page=2&Page=1", "Page=1&page=2&page_size=100"),
    "values_of_a_repeated_name_sorted": ("b=2&a=3&b=10&a=20&b=1", "a=20&a=3&b=1&b=10&b=2"),
    "same_value_twice": ("a=1&a=1", "a=1&a=1"),
    "blank_values": ("b=&a=x&a=", "a=&a=x&b="),
    "name_without_equals_sign": ("flag&a=1", "a=1&flag="),
    "equals_sign_in_a_value": ("a=b=c", "a=b%3Dc"),
    "space_percent_encoded": ("name=my%20files", "name=my+files"),
    "plus_is_a_space": ("name=my+files", "name=my+files"),
    "plus_percent_encoded": ("name=a%2Bb", "name=a%2Bb"),
    "sorted_before_encoding": ("a=x%21&a=x+y&a=%C3%A9&a=~", "a=x+y&a=x%21&a=~&a=%C3%A9"),
    "sorted_by_code_point": ("a=%F0%9F%98%80&a=%EF%BD%9E&a=z", "a=z&a=%EF%BD%9E&a=%F0%9F%98%80"),
    "non_ascii_query": ("n%C3%A4me=%e6%96%87%e4%bb%b6", "n%C3%A4me=%E6%96%87%E4%BB%B6"),
    "reserved_characters": (_RESERVED, _RESERVED),
    "reserved_characters_unencoded": ("q=:/?@!$'(),;", "q=%3A%2F%3F%40%21%24%27%28%29%2C%3B"),
    "unreserved_characters_and_star": ("q=~*-_.&r=%7E%2A%2D%5F%2E", "q=~%2A-_.&r=~%2A-_."),
}
# By name: method, path, the body, and the query that is signed.
_OTHERS: dict[str, tuple[str, str, bytes | None, str]] = {
    "percent_encoded_path": ("GET", "/api/v1/files/caf%C3%A9%20menu", None, ""),
    "json_body": ("POST", "/api/v1/volumes", b'{"name": "archive", "bucket": "https://archive.example.com"}', ""),
    "non_ascii_body": ("POST", "/api/v1/volumes/101/exports", '{"desc": "Büro 文件", "iprange": "*"}'.encode(), ""),
    "empty_object_is_a_body": ("POST", "/api/v1/volumes", b"{}", ""),
    "no_body": ("POST", "/api/v1/trash/empty", None, ""),
    "empty_body": ("POST", "/api/v1/trash/empty", b"", ""),
    "method_put": ("PUT", "/api/v1/volumes/101/quotas/30001", b'{"path":"/home","size":10737418240}', ""),
    "method_given_in_lower_case": ("delete", "/api/v1/volumes/101", None, ""),
    "body_and_query": ("POST", "/api/v1/volumes/101/files?path=%2Fa+b&path=%2Fa", b"[1,\n 2]", "path=%2Fa&path=%2Fa+b"),
}
_BODY_HASHES = {
    "json_body": "51bd4c938459c75f0bb434157602c9d42911ea55b7994a99b7d1348e1795b887",
    "non_ascii_body": "d4794db32fa3a297c92dd2eeac5c54abedfd14fd5f0e05a529d46438e07cb688",
    "empty_object_is_a_body": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "method_put": "69dfbf9c88fd6fef2e4f3b1265f40afd8d54347486b06663cd40b13dfa28e2ab",
    "body_and_query": "d09b1905b30c7064af888865185f19cbd77a3bfcd8d34359bfdc69c069d57919",
}
_SIGNATURES = {
    "http_default_port_left_out": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    "http_default_port_written": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    "https_default_port_written": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    "other_port": "6a25e21bb299a04812247351bf2d48a1b3a24469f737a727338c6fc618e0db12",
    "port_80_on_https": "739412a18eb4ab928619327d9a54e1e298cd1f57ae7be74872f6943a7d764c72",
    "port_443_on_http": "3fc0f17c91ee7a4bd80d67142130a6ca43affe5e471b9bd2b402b3a84de85883",
    "ipv6_host_with_port": "ddf6802ba3e3eed3938aece276dff51ef1159eeb59c619710866aaa3ed42e7f2",
    "ipv6_host_with_default_port": "896de0e04b19f68976c0ffd935808a94ff6c6ffe1abd80fea4009216712d01a6",
    "upper_case_host": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    "names_sorted": "f8d2ed6e89cdb4470aaf4dac600b1777aac12372a85c539e22c060d180fb76ec",
    "values_of_a_repeated_name_sorted": "8597dfd4b6ccfa421ba91e4ab75a7baf8def8d2bd32acb6778b55cde73b0ff22",
    "same_value_twice": "ce0a78ee1fa0616d03a35e3e8e5b9a6a7f27e91b448377160086b62dc130bcdb",
    "blank_values": "5be3da883f570ca24381fdaee19cef40563af01a12b783d07083df3973deaed7",
    "name_without_equals_sign": "6aa91399e2d94c8e83aaca6bc52773aabb84e471e7c3c15e6a357ea86f430e2c",
    "equals_sign_in_a_value": "e28ca413c22786c25b2a3245676556f7acfcd89dfc29b24975642a851f3881b5",
    "space_percent_encoded": "87b0faeeee4ee4b636a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad",
    "plus_is_a_space": "87b0faeeee4ee4b636a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad",
    "plus_percent_encoded": "98817eca111af9a5a281f194dca3715420ec5f88bb3af927ad4202e42605ca1e",
    "sorted_before_encoding": "6e59045a8cedb2a5f1cfcd0ae57d7df9c8080a5529f1b893c73accb9584daf71",
    "sorted_by_code_point": "28a8cf5940086350d1e98d32358dd1cc46da531f0b0dc03ba00483fa9c448420",
    "non_ascii_query": "4bece30527b22aaae2f9bdfd9c933f708c1ee55b9d8f1b18c21b9ed673cc9254",
    "reserved_characters": "70a434fdd07be9a8c5c3c7860f334e1ddc86e0677b97bde9d0a3c9f7cf374b6b",
    "reserved_characters_unencoded": "afb4189ad5159a1b8b794541b415afa795c3203580a26d8c0ae825b652b7c5c1",
    "unreserved_characters_and_star": "02c0297d8149ac76708549b164d14821d388c3f7a30d73f5ae20ad9f424310e9",
    "percent_encoded_path": "a43c2a98311c18ddc0b26122208dfd0171be079a5d37edd58655b56fd879b83e",
    "json_body": "ac9eb0b0b70322804c400a4e1aedb9ff31b0fe309c45f32386a1b68a9ae20bcf",
    "non_ascii_body": "9e96af64f912abb1a629298237f431b7ddff871133037ed6a5a52318636217c8",
    "empty_object_is_a_body": "14be390016c8ab72fd900f28955f67c44c87c0403859bf2ee4e9221ce8891e31",
    "no_body": "5309e5be948c60f6e99537f1494c267846288678edebef6271eabb9d57d154f9",
    "empty_body": "5309e5be948c60f6e99537f1494c267846288678edebef6271eabb9d57d154f9",
    "method_put": "6ed8b1a5447e96438fc4e5417db0387404d1f3bf9c05b5b62840e736f682ac27",
    "method_given_in_lower_case": "b9708a83a24f600f300a5ec0a1439890fee3a6e40f50fddbd7292389ee1ad116",
    "body_and_query": "902488443d8e9f72be9715430e7d3b7b43aac88ff03f26d9d45d33541f131474",
}


def _vector(name: str, method: str, url: str, body: bytes | None, host: str, query: str) -> dict[str, Any]:
    """Return a vector with all derived values, and its signature."""
    path, body_hash, signature = urlsplit(url).path, _BODY_HASHES.get(name, ""), _SIGNATURES[name]
    timestamp = 1767225599 if name == "body_and_query" else 1767225600
    token = {"access_key": KEYS["access_key"], "timestamp": timestamp, "signature": signature, "version": 1}
    return {
        **KEYS,
        "name": name,
        "timestamp": timestamp,
        "method": method,
        "url": url,
        "host": host,
        "body": body,
        "path": path,
        "query": query,
        "body_hash": body_hash,
        "string_to_sign": f"{timestamp}\n{method.upper()}\n{path}\nhost:{host}\n{query}\n{body_hash}",
        "signature": signature,
        "token_json": json.dumps(token),
        "token": base64.b64encode(json.dumps(token).encode()).decode(),
    }


_HOST = "console.example.com"
VECTORS = [_vector(name, "GET", f"{url}/api/v1/volumes", None, host, "") for name, (url, host) in _HOSTS.items()]
_OTHERS.update({name: ("GET", f"/api/v1/volumes?{row[0]}", None, row[1]) for name, row in _QUERIES.items()})
VECTORS += [_vector(name, row[0], f"https://{_HOST}{row[1]}", row[2], _HOST, row[3]) for name, row in _OTHERS.items()]

# Requests that must not be signed.
EMPTY_HOSTS = [f"{start}/api/v1/volumes" for start in ("http://", "http://:8080", "https://:443", "")]
