# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Correct signatures, as literals: the client must produce exactly these.

They were made with a second implementation, written from the specification alone, and computed once more
with ``openssl dgst`` and ``base64``. Compare tokens decoded: the specification does not fix the order of
the fields in their JSON text, nor its spaces.
"""

from __future__ import annotations

import base64
import json
from typing import Any

KEYS = {"access_key": "AKEXAMPLE7Q2M5X9", "secret_key": "example+secret/key=0123456789~abcdef"}


# By name, method and URL: the string to sign, the signature, and perhaps a body.
_VECTORS: dict[tuple[str, str, str], tuple[Any, ...]] = {
    ("http_default_port_left_out", "GET", "http://console.example.com/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    ),
    ("http_default_port_written", "GET", "http://console.example.com:80/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    ),
    ("https_default_port_written", "GET", "https://console.example.com:443/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    ),
    ("other_port", "GET", "http://console.example.com:8080/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com:8080\n\n",
        "6a25e21bb299a04812247351bf2d48a1b3a24469f737a727338c6fc618e0db12",
    ),
    ("port_80_on_https", "GET", "https://console.example.com:80/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com:80\n\n",
        "739412a18eb4ab928619327d9a54e1e298cd1f57ae7be74872f6943a7d764c72",
    ),
    ("port_443_on_http", "GET", "http://console.example.com:443/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com:443\n\n",
        "3fc0f17c91ee7a4bd80d67142130a6ca43affe5e471b9bd2b402b3a84de85883",
    ),
    ("ipv6_host_with_port", "GET", "http://[2001:db8::1]:8080/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:[2001:db8::1]:8080\n\n",
        "ddf6802ba3e3eed3938aece276dff51ef1159eeb59c619710866aaa3ed42e7f2",
    ),
    ("ipv6_host_with_default_port", "GET", "https://[2001:db8::1]:443/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:[2001:db8::1]\n\n",
        "896de0e04b19f68976c0ffd935808a94ff6c6ffe1abd80fea4009216712d01a6",
    ),
    ("upper_case_host", "GET", "https://CONSOLE.Example.COM/api/v1/volumes"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
    ),
    ("names_sorted", "GET", "https://console.example.com/api/v1/volumes?page_size=100&page=2&Page=1"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nPage=1&page=2&page_size=100\n",
        "f8d2ed6e89cdb4470aaf4dac600b1777aac12372a85c539e22c060d180fb76ec",
    ),
    ("values_of_a_repeated_name_sorted", "GET", "https://console.example.com/api/v1/volumes?b=2&a=3&b=10&a=20&b=1"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=20&a=3&b=1&b=10&b=2\n",
        "8597dfd4b6ccfa421ba91e4ab75a7baf8def8d2bd32acb6778b55cde73b0ff22",
    ),
    ("same_value_twice", "GET", "https://console.example.com/api/v1/volumes?a=1&a=1"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=1&a=1\n",
        "ce0a78ee1fa0616d03a35e3e8e5b9a6a7f27e91b448377160086b62dc130bcdb",
    ),
    ("blank_values", "GET", "https://console.example.com/api/v1/volumes?b=&a=x&a="): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=&a=x&b=\n",
        "5be3da883f570ca24381fdaee19cef40563af01a12b783d07083df3973deaed7",
    ),
    ("name_without_equals_sign", "GET", "https://console.example.com/api/v1/volumes?flag&a=1"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=1&flag=\n",
        "6aa91399e2d94c8e83aaca6bc52773aabb84e471e7c3c15e6a357ea86f430e2c",
    ),
    ("equals_sign_in_a_value", "GET", "https://console.example.com/api/v1/volumes?a=b=c"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=b%3Dc\n",
        "e28ca413c22786c25b2a3245676556f7acfcd89dfc29b24975642a851f3881b5",
    ),
    ("space_percent_encoded", "GET", "https://console.example.com/api/v1/volumes?name=my%20files"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nname=my+files\n",
        "87b0faeeee4ee4b636a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad",
    ),
    ("plus_is_a_space", "GET", "https://console.example.com/api/v1/volumes?name=my+files"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nname=my+files\n",
        "87b0faeeee4ee4b636a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad",
    ),
    ("plus_percent_encoded", "GET", "https://console.example.com/api/v1/volumes?name=a%2Bb"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nname=a%2Bb\n",
        "98817eca111af9a5a281f194dca3715420ec5f88bb3af927ad4202e42605ca1e",
    ),
    ("sorted_before_encoding", "GET", "https://console.example.com/api/v1/volumes?a=x%21&a=x+y&a=%C3%A9&a=~"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=x+y&a=x%21&a=~&a=%C3%A9\n",
        "6e59045a8cedb2a5f1cfcd0ae57d7df9c8080a5529f1b893c73accb9584daf71",
    ),
    ("sorted_by_code_point", "GET", "https://console.example.com/api/v1/volumes?a=%F0%9F%98%80&a=%EF%BD%9E&a=z"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=z&a=%EF%BD%9E&a=%F0%9F%98%80\n",
        "28a8cf5940086350d1e98d32358dd1cc46da531f0b0dc03ba00483fa9c448420",
    ),
    ("non_ascii_query", "GET", "https://console.example.com/api/v1/volumes?n%C3%A4me=%e6%96%87%e4%bb%b6"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nn%C3%A4me=%E6%96%87%E4%BB%B6\n",
        "4bece30527b22aaae2f9bdfd9c933f708c1ee55b9d8f1b18c21b9ed673cc9254",
    ),
    (
        "reserved_characters",
        "GET",
        "https://console.example.com/api/v1/volumes?q=%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D",
    ): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nq=%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D\n",
        "70a434fdd07be9a8c5c3c7860f334e1ddc86e0677b97bde9d0a3c9f7cf374b6b",
    ),
    ("reserved_characters_unencoded", "GET", "https://console.example.com/api/v1/volumes?q=:/?@!$'(),;"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nq=%3A%2F%3F%40%21%24%27%28%29%2C%3B\n",
        "afb4189ad5159a1b8b794541b415afa795c3203580a26d8c0ae825b652b7c5c1",
    ),
    ("unreserved_characters_and_star", "GET", "https://console.example.com/api/v1/volumes?q=~*-_.&r=%7E%2A%2D%5F%2E"): (
        "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nq=~%2A-_.&r=~%2A-_.\n",
        "02c0297d8149ac76708549b164d14821d388c3f7a30d73f5ae20ad9f424310e9",
    ),
    ("percent_encoded_path", "GET", "https://console.example.com/api/v1/files/caf%C3%A9%20menu"): (
        "1767225600\nGET\n/api/v1/files/caf%C3%A9%20menu\nhost:console.example.com\n\n",
        "a43c2a98311c18ddc0b26122208dfd0171be079a5d37edd58655b56fd879b83e",
    ),
    ("json_body", "POST", "https://console.example.com/api/v1/volumes"): (
        "1767225600\nPOST\n/api/v1/volumes\nhost:console.example.com\n\n51bd4c938459c75f0bb434157602c9d42911ea55b7994a99b7d1348e1795b887",
        "ac9eb0b0b70322804c400a4e1aedb9ff31b0fe309c45f32386a1b68a9ae20bcf",
        b'{"name": "archive", "bucket": "https://archive.example.com"}',
    ),
    ("non_ascii_body", "POST", "https://console.example.com/api/v1/volumes/101/exports"): (
        "1767225600\nPOST\n/api/v1/volumes/101/exports\nhost:console.example.com\n\nd4794db32fa3a297c92dd2eeac5c54abedfd14fd5f0e05a529d46438e07cb688",
        "9e96af64f912abb1a629298237f431b7ddff871133037ed6a5a52318636217c8",
        b'{"desc": "B\xc3\xbcro \xe6\x96\x87\xe4\xbb\xb6", "iprange": "*"}',
    ),
    ("empty_object_is_a_body", "POST", "https://console.example.com/api/v1/volumes"): (
        "1767225600\nPOST\n/api/v1/volumes\nhost:console.example.com\n\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        "14be390016c8ab72fd900f28955f67c44c87c0403859bf2ee4e9221ce8891e31",
        b"{}",
    ),
    ("no_body", "POST", "https://console.example.com/api/v1/trash/empty"): (
        "1767225600\nPOST\n/api/v1/trash/empty\nhost:console.example.com\n\n",
        "5309e5be948c60f6e99537f1494c267846288678edebef6271eabb9d57d154f9",
    ),
    ("empty_body", "POST", "https://console.example.com/api/v1/trash/empty"): (
        "1767225600\nPOST\n/api/v1/trash/empty\nhost:console.example.com\n\n",
        "5309e5be948c60f6e99537f1494c267846288678edebef6271eabb9d57d154f9",
        b"",
    ),
    ("method_put", "PUT", "https://console.example.com/api/v1/volumes/101/quotas/30001"): (
        "1767225600\nPUT\n/api/v1/volumes/101/quotas/30001\nhost:console.example.com\n\n69dfbf9c88fd6fef2e4f3b1265f40afd8d54347486b06663cd40b13dfa28e2ab",
        "6ed8b1a5447e96438fc4e5417db0387404d1f3bf9c05b5b62840e736f682ac27",
        b'{"path":"/home","size":10737418240}',
    ),
    ("method_given_in_lower_case", "delete", "https://console.example.com/api/v1/volumes/101"): (
        "1767225600\nDELETE\n/api/v1/volumes/101\nhost:console.example.com\n\n",
        "b9708a83a24f600f300a5ec0a1439890fee3a6e40f50fddbd7292389ee1ad116",
    ),
    ("body_and_query", "POST", "https://console.example.com/api/v1/volumes/101/files?path=%2Fa+b&path=%2Fa"): (
        (
            "1767225599\nPOST\n/api/v1/volumes/101/files\nhost:console.example.com\npath=%2Fa&path=%2Fa+b\n"
            "d09b1905b30c7064af888865185f19cbd77a3bfcd8d34359bfdc69c069d57919"
        ),
        "902488443d8e9f72be9715430e7d3b7b43aac88ff03f26d9d45d33541f131474",
        b"[1,\n 2]",
    ),
}


def _vector(name: str, method: str, url: str, string_to_sign: str, signature: str, body: Any = None) -> dict[str, Any]:
    """Return a vector with all that follows from its string to sign and its signature."""
    timestamp, _method, path, host, query, body_hash = string_to_sign.split("\n")
    token = {"access_key": KEYS["access_key"], "timestamp": int(timestamp), "signature": signature, "version": 1}
    return {
        **KEYS,
        "name": name,
        "timestamp": int(timestamp),
        "method": method,
        "url": url,
        "host": host.partition(":")[2],
        "body": body,
        "path": path,
        "query": query,
        "body_hash": body_hash,
        "string_to_sign": string_to_sign,
        "signature": signature,
        "token_json": json.dumps(token),
        "token": base64.b64encode(json.dumps(token).encode()).decode(),
    }


VECTORS = [_vector(*request, *signed) for request, signed in _VECTORS.items()]

# No signature may be made for these.
EMPTY_HOSTS = [
    "http:///api/v1/volumes",
    "http://:8080/api/v1/volumes",
    "https://:443/api/v1/volumes",
    "/api/v1/volumes",
]
