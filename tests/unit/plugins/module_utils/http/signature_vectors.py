# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Correct signatures, as literals: the client must produce exactly these.

They were made with a second implementation, written from the specification alone, and computed once more
with ``openssl dgst`` and ``base64``. Compare tokens decoded: the specification does not fix the order of
the fields in their JSON text, nor its spaces.
"""

from __future__ import annotations

from typing import Any

VECTORS: list[dict[str, Any]] = [
    {
        "name": "http_default_port_left_out",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "http://console.example.com/api/v1/volumes",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "signature": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "e12447b7c41f50d2'
            '782640e1c129c5cdfa9aded8c18edb19f990939de0f68489", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJlMTI0NDdiN2M0MWY1MGQyNzgyNjQwZTFjMTI5YzVjZGZhOWFkZWQ4YzE4ZWRiMTlmOTkwOTM5ZGUwZjY4"
            "NDg5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "http_default_port_written",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "http://console.example.com:80/api/v1/volumes",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "signature": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "e12447b7c41f50d2'
            '782640e1c129c5cdfa9aded8c18edb19f990939de0f68489", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJlMTI0NDdiN2M0MWY1MGQyNzgyNjQwZTFjMTI5YzVjZGZhOWFkZWQ4YzE4ZWRiMTlmOTkwOTM5ZGUwZjY4"
            "NDg5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "https_default_port_written",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com:443/api/v1/volumes",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "signature": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "e12447b7c41f50d2'
            '782640e1c129c5cdfa9aded8c18edb19f990939de0f68489", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJlMTI0NDdiN2M0MWY1MGQyNzgyNjQwZTFjMTI5YzVjZGZhOWFkZWQ4YzE4ZWRiMTlmOTkwOTM5ZGUwZjY4"
            "NDg5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "other_port",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "http://console.example.com:8080/api/v1/volumes",
        "host": "console.example.com:8080",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com:8080\n\n",
        "signature": "6a25e21bb299a04812247351bf2d48a1b3a24469f737a727338c6fc618e0db12",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "6a25e21bb299a048'
            '12247351bf2d48a1b3a24469f737a727338c6fc618e0db12", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI2YTI1ZTIxYmIyOTlhMDQ4MTIyNDczNTFiZjJkNDhhMWIzYTI0NDY5ZjczN2E3MjczMzhjNmZjNjE4ZTBk"
            "YjEyIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "port_80_on_https",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com:80/api/v1/volumes",
        "host": "console.example.com:80",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com:80\n\n",
        "signature": "739412a18eb4ab928619327d9a54e1e298cd1f57ae7be74872f6943a7d764c72",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "739412a18eb4ab92'
            '8619327d9a54e1e298cd1f57ae7be74872f6943a7d764c72", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI3Mzk0MTJhMThlYjRhYjkyODYxOTMyN2Q5YTU0ZTFlMjk4Y2QxZjU3YWU3YmU3NDg3MmY2OTQzYTdkNzY0"
            "YzcyIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "port_443_on_http",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "http://console.example.com:443/api/v1/volumes",
        "host": "console.example.com:443",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com:443\n\n",
        "signature": "3fc0f17c91ee7a4bd80d67142130a6ca43affe5e471b9bd2b402b3a84de85883",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "3fc0f17c91ee7a4b'
            'd80d67142130a6ca43affe5e471b9bd2b402b3a84de85883", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICIzZmMwZjE3YzkxZWU3YTRiZDgwZDY3MTQyMTMwYTZjYTQzYWZmZTVlNDcxYjliZDJiNDAyYjNhODRkZTg1"
            "ODgzIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "ipv6_host_without_port",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "http://[2001:db8::1]/api/v1/volumes",
        "host": "[2001:db8::1]",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:[2001:db8::1]\n\n",
        "signature": "896de0e04b19f68976c0ffd935808a94ff6c6ffe1abd80fea4009216712d01a6",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "896de0e04b19f689'
            '76c0ffd935808a94ff6c6ffe1abd80fea4009216712d01a6", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI4OTZkZTBlMDRiMTlmNjg5NzZjMGZmZDkzNTgwOGE5NGZmNmM2ZmZlMWFiZDgwZmVhNDAwOTIxNjcxMmQw"
            "MWE2IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "ipv6_host_with_port",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "http://[2001:db8::1]:8080/api/v1/volumes",
        "host": "[2001:db8::1]:8080",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:[2001:db8::1]:8080\n\n",
        "signature": "ddf6802ba3e3eed3938aece276dff51ef1159eeb59c619710866aaa3ed42e7f2",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "ddf6802ba3e3eed3'
            '938aece276dff51ef1159eeb59c619710866aaa3ed42e7f2", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJkZGY2ODAyYmEzZTNlZWQzOTM4YWVjZTI3NmRmZjUxZWYxMTU5ZWViNTljNjE5NzEwODY2YWFhM2VkNDJl"
            "N2YyIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "ipv6_host_with_default_port",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://[2001:db8::1]:443/api/v1/volumes",
        "host": "[2001:db8::1]",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:[2001:db8::1]\n\n",
        "signature": "896de0e04b19f68976c0ffd935808a94ff6c6ffe1abd80fea4009216712d01a6",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "896de0e04b19f689'
            '76c0ffd935808a94ff6c6ffe1abd80fea4009216712d01a6", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI4OTZkZTBlMDRiMTlmNjg5NzZjMGZmZDkzNTgwOGE5NGZmNmM2ZmZlMWFiZDgwZmVhNDAwOTIxNjcxMmQw"
            "MWE2IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "upper_case_host",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://CONSOLE.Example.COM/api/v1/volumes",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\n\n",
        "signature": "e12447b7c41f50d2782640e1c129c5cdfa9aded8c18edb19f990939de0f68489",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "e12447b7c41f50d2'
            '782640e1c129c5cdfa9aded8c18edb19f990939de0f68489", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJlMTI0NDdiN2M0MWY1MGQyNzgyNjQwZTFjMTI5YzVjZGZhOWFkZWQ4YzE4ZWRiMTlmOTkwOTM5ZGUwZjY4"
            "NDg5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "no_query",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225601,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes/101/exports",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes/101/exports",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225601\nGET\n/api/v1/volumes/101/exports\nhost:console.example.com\n\n",
        "signature": "89fd57e9fe9f33d1258f3641af370bc3ea42fdd1ea4a34b2192da9748ec7f3a9",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225601, "signature": "89fd57e9fe9f33d1'
            '258f3641af370bc3ea42fdd1ea4a34b2192da9748ec7f3a9", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMSwgInNpZ25hdH"
            "VyZSI6ICI4OWZkNTdlOWZlOWYzM2QxMjU4ZjM2NDFhZjM3MGJjM2VhNDJmZGQxZWE0YTM0YjIxOTJkYTk3NDhlYzdm"
            "M2E5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "names_sorted",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?page_size=100&page=2&Page=1",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "Page=1&page=2&page_size=100",
        "body_hash": "",
        "string_to_sign": ("1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nPage=1&page=2&page_size=100\n"),
        "signature": "f8d2ed6e89cdb4470aaf4dac600b1777aac12372a85c539e22c060d180fb76ec",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "f8d2ed6e89cdb447'
            '0aaf4dac600b1777aac12372a85c539e22c060d180fb76ec", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJmOGQyZWQ2ZTg5Y2RiNDQ3MGFhZjRkYWM2MDBiMTc3N2FhYzEyMzcyYTg1YzUzOWUyMmMwNjBkMTgwZmI3"
            "NmVjIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "values_of_a_repeated_name_sorted",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?b=2&a=3&b=10&a=20&b=1",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "a=20&a=3&b=1&b=10&b=2",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=20&a=3&b=1&b=10&b=2\n",
        "signature": "8597dfd4b6ccfa421ba91e4ab75a7baf8def8d2bd32acb6778b55cde73b0ff22",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "8597dfd4b6ccfa42'
            '1ba91e4ab75a7baf8def8d2bd32acb6778b55cde73b0ff22", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI4NTk3ZGZkNGI2Y2NmYTQyMWJhOTFlNGFiNzVhN2JhZjhkZWY4ZDJiZDMyYWNiNjc3OGI1NWNkZTczYjBm"
            "ZjIyIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "same_value_twice",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?a=1&a=1",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "a=1&a=1",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=1&a=1\n",
        "signature": "ce0a78ee1fa0616d03a35e3e8e5b9a6a7f27e91b448377160086b62dc130bcdb",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "ce0a78ee1fa0616d'
            '03a35e3e8e5b9a6a7f27e91b448377160086b62dc130bcdb", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJjZTBhNzhlZTFmYTA2MTZkMDNhMzVlM2U4ZTViOWE2YTdmMjdlOTFiNDQ4Mzc3MTYwMDg2YjYyZGMxMzBi"
            "Y2RiIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "blank_values",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?b=&a=x&a=",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "a=&a=x&b=",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=&a=x&b=\n",
        "signature": "5be3da883f570ca24381fdaee19cef40563af01a12b783d07083df3973deaed7",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "5be3da883f570ca2'
            '4381fdaee19cef40563af01a12b783d07083df3973deaed7", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI1YmUzZGE4ODNmNTcwY2EyNDM4MWZkYWVlMTljZWY0MDU2M2FmMDFhMTJiNzgzZDA3MDgzZGYzOTczZGVh"
            "ZWQ3IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "name_without_equals_sign",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?flag&a=1",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "a=1&flag=",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=1&flag=\n",
        "signature": "6aa91399e2d94c8e83aaca6bc52773aabb84e471e7c3c15e6a357ea86f430e2c",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "6aa91399e2d94c8e'
            '83aaca6bc52773aabb84e471e7c3c15e6a357ea86f430e2c", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI2YWE5MTM5OWUyZDk0YzhlODNhYWNhNmJjNTI3NzNhYWJiODRlNDcxZTdjM2MxNWU2YTM1N2VhODZmNDMw"
            "ZTJjIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "equals_sign_in_a_value",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?a=b=c",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "a=b%3Dc",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=b%3Dc\n",
        "signature": "e28ca413c22786c25b2a3245676556f7acfcd89dfc29b24975642a851f3881b5",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "e28ca413c22786c2'
            '5b2a3245676556f7acfcd89dfc29b24975642a851f3881b5", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJlMjhjYTQxM2MyMjc4NmMyNWIyYTMyNDU2NzY1NTZmN2FjZmNkODlkZmMyOWIyNDk3NTY0MmE4NTFmMzg4"
            "MWI1IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "space_percent_encoded",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?name=my%20files",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "name=my+files",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nname=my+files\n",
        "signature": "87b0faeeee4ee4b636a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "87b0faeeee4ee4b6'
            '36a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI4N2IwZmFlZWVlNGVlNGI2MzZhMjAzNThmZWE3ZjA5ZTRlYzA0NjdmOGJiYzhmYjBjYzM4ZjFkMTAwN2E0"
            "ZGFkIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "plus_is_a_space",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?name=my+files",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "name=my+files",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nname=my+files\n",
        "signature": "87b0faeeee4ee4b636a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "87b0faeeee4ee4b6'
            '36a20358fea7f09e4ec0467f8bbc8fb0cc38f1d1007a4dad", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI4N2IwZmFlZWVlNGVlNGI2MzZhMjAzNThmZWE3ZjA5ZTRlYzA0NjdmOGJiYzhmYjBjYzM4ZjFkMTAwN2E0"
            "ZGFkIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "plus_percent_encoded",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?name=a%2Bb",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "name=a%2Bb",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nname=a%2Bb\n",
        "signature": "98817eca111af9a5a281f194dca3715420ec5f88bb3af927ad4202e42605ca1e",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "98817eca111af9a5'
            'a281f194dca3715420ec5f88bb3af927ad4202e42605ca1e", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI5ODgxN2VjYTExMWFmOWE1YTI4MWYxOTRkY2EzNzE1NDIwZWM1Zjg4YmIzYWY5MjdhZDQyMDJlNDI2MDVj"
            "YTFlIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "sorted_before_encoding",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?a=x%21&a=x+y&a=%C3%A9&a=~",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "a=x+y&a=x%21&a=~&a=%C3%A9",
        "body_hash": "",
        "string_to_sign": ("1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=x+y&a=x%21&a=~&a=%C3%A9\n"),
        "signature": "6e59045a8cedb2a5f1cfcd0ae57d7df9c8080a5529f1b893c73accb9584daf71",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "6e59045a8cedb2a5'
            'f1cfcd0ae57d7df9c8080a5529f1b893c73accb9584daf71", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI2ZTU5MDQ1YThjZWRiMmE1ZjFjZmNkMGFlNTdkN2RmOWM4MDgwYTU1MjlmMWI4OTNjNzNhY2NiOTU4NGRh"
            "ZjcxIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "sorted_by_code_point",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?a=%F0%9F%98%80&a=%EF%BD%9E&a=z",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "a=z&a=%EF%BD%9E&a=%F0%9F%98%80",
        "body_hash": "",
        "string_to_sign": (
            "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\na=z&a=%EF%BD%9E&a=%F0%9F%98%80\n"
        ),
        "signature": "28a8cf5940086350d1e98d32358dd1cc46da531f0b0dc03ba00483fa9c448420",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "28a8cf5940086350'
            'd1e98d32358dd1cc46da531f0b0dc03ba00483fa9c448420", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICIyOGE4Y2Y1OTQwMDg2MzUwZDFlOThkMzIzNThkZDFjYzQ2ZGE1MzFmMGIwZGMwM2JhMDA0ODNmYTljNDQ4"
            "NDIwIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "non_ascii_query",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?n%C3%A4me=%e6%96%87%e4%bb%b6",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "n%C3%A4me=%E6%96%87%E4%BB%B6",
        "body_hash": "",
        "string_to_sign": (
            "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nn%C3%A4me=%E6%96%87%E4%BB%B6\n"
        ),
        "signature": "4bece30527b22aaae2f9bdfd9c933f708c1ee55b9d8f1b18c21b9ed673cc9254",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "4bece30527b22aaa'
            'e2f9bdfd9c933f708c1ee55b9d8f1b18c21b9ed673cc9254", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI0YmVjZTMwNTI3YjIyYWFhZTJmOWJkZmQ5YzkzM2Y3MDhjMWVlNTViOWQ4ZjFiMThjMjFiOWVkNjczY2M5"
            "MjU0IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "reserved_characters",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": ("https://console.example.com/api/v1/volumes?q=%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "q=%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D",
        "body_hash": "",
        "string_to_sign": (
            "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nq=%3A%2F%3F%23%5B%5D%40%21%24%26%2"
            "7%28%29%2A%2B%2C%3B%3D\n"
        ),
        "signature": "70a434fdd07be9a8c5c3c7860f334e1ddc86e0677b97bde9d0a3c9f7cf374b6b",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "70a434fdd07be9a8'
            'c5c3c7860f334e1ddc86e0677b97bde9d0a3c9f7cf374b6b", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI3MGE0MzRmZGQwN2JlOWE4YzVjM2M3ODYwZjMzNGUxZGRjODZlMDY3N2I5N2JkZTlkMGEzYzlmN2NmMzc0"
            "YjZiIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "reserved_characters_unencoded",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?q=:/?@!$'(),;",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "q=%3A%2F%3F%40%21%24%27%28%29%2C%3B",
        "body_hash": "",
        "string_to_sign": (
            "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nq=%3A%2F%3F%40%21%24%27%28%29%2C%3B\n"
        ),
        "signature": "afb4189ad5159a1b8b794541b415afa795c3203580a26d8c0ae825b652b7c5c1",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "afb4189ad5159a1b'
            '8b794541b415afa795c3203580a26d8c0ae825b652b7c5c1", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJhZmI0MTg5YWQ1MTU5YTFiOGI3OTQ1NDFiNDE1YWZhNzk1YzMyMDM1ODBhMjZkOGMwYWU4MjViNjUyYjdj"
            "NWMxIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "unreserved_characters_and_star",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/volumes?q=~*-_.&r=%7E%2A%2D%5F%2E",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes",
        "query": "q=~%2A-_.&r=~%2A-_.",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/volumes\nhost:console.example.com\nq=~%2A-_.&r=~%2A-_.\n",
        "signature": "02c0297d8149ac76708549b164d14821d388c3f7a30d73f5ae20ad9f424310e9",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "02c0297d8149ac76'
            '708549b164d14821d388c3f7a30d73f5ae20ad9f424310e9", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICIwMmMwMjk3ZDgxNDlhYzc2NzA4NTQ5YjE2NGQxNDgyMWQzODhjM2Y3YTMwZDczZjVhZTIwYWQ5ZjQyNDMx"
            "MGU5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "percent_encoded_path",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "GET",
        "url": "https://console.example.com/api/v1/files/caf%C3%A9%20menu",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/files/caf%C3%A9%20menu",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nGET\n/api/v1/files/caf%C3%A9%20menu\nhost:console.example.com\n\n",
        "signature": "a43c2a98311c18ddc0b26122208dfd0171be079a5d37edd58655b56fd879b83e",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "a43c2a98311c18dd'
            'c0b26122208dfd0171be079a5d37edd58655b56fd879b83e", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJhNDNjMmE5ODMxMWMxOGRkYzBiMjYxMjIyMDhkZmQwMTcxYmUwNzlhNWQzN2VkZDU4NjU1YjU2ZmQ4Nzli"
            "ODNlIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "json_body",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "POST",
        "url": "https://console.example.com/api/v1/volumes",
        "host": "console.example.com",
        "body": b'{"name": "archive", "bucket": "https://archive.example.com"}',
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "51bd4c938459c75f0bb434157602c9d42911ea55b7994a99b7d1348e1795b887",
        "string_to_sign": (
            "1767225600\nPOST\n/api/v1/volumes\nhost:console.example.com\n\n51bd4c938459c75f0bb434157602c9d4"
            "2911ea55b7994a99b7d1348e1795b887"
        ),
        "signature": "ac9eb0b0b70322804c400a4e1aedb9ff31b0fe309c45f32386a1b68a9ae20bcf",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "ac9eb0b0b7032280'
            '4c400a4e1aedb9ff31b0fe309c45f32386a1b68a9ae20bcf", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJhYzllYjBiMGI3MDMyMjgwNGM0MDBhNGUxYWVkYjlmZjMxYjBmZTMwOWM0NWYzMjM4NmExYjY4YTlhZTIw"
            "YmNmIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "non_ascii_body",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "POST",
        "url": "https://console.example.com/api/v1/volumes/101/exports",
        "host": "console.example.com",
        "body": b'{"desc": "B\xc3\xbcro \xe6\x96\x87\xe4\xbb\xb6", "iprange": "*"}',
        "path": "/api/v1/volumes/101/exports",
        "query": "",
        "body_hash": "d4794db32fa3a297c92dd2eeac5c54abedfd14fd5f0e05a529d46438e07cb688",
        "string_to_sign": (
            "1767225600\nPOST\n/api/v1/volumes/101/exports\nhost:console.example.com\n\nd4794db32fa3a297c92d"
            "d2eeac5c54abedfd14fd5f0e05a529d46438e07cb688"
        ),
        "signature": "9e96af64f912abb1a629298237f431b7ddff871133037ed6a5a52318636217c8",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "9e96af64f912abb1'
            'a629298237f431b7ddff871133037ed6a5a52318636217c8", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI5ZTk2YWY2NGY5MTJhYmIxYTYyOTI5ODIzN2Y0MzFiN2RkZmY4NzExMzMwMzdlZDZhNWE1MjMxODYzNjIx"
            "N2M4IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "empty_object_is_a_body",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "POST",
        "url": "https://console.example.com/api/v1/volumes",
        "host": "console.example.com",
        "body": b"{}",
        "path": "/api/v1/volumes",
        "query": "",
        "body_hash": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        "string_to_sign": (
            "1767225600\nPOST\n/api/v1/volumes\nhost:console.example.com\n\n44136fa355b3678a1146ad16f7e8649e"
            "94fb4fc21fe77e8310c060f61caaff8a"
        ),
        "signature": "14be390016c8ab72fd900f28955f67c44c87c0403859bf2ee4e9221ce8891e31",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "14be390016c8ab72'
            'fd900f28955f67c44c87c0403859bf2ee4e9221ce8891e31", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICIxNGJlMzkwMDE2YzhhYjcyZmQ5MDBmMjg5NTVmNjdjNDRjODdjMDQwMzg1OWJmMmVlNGU5MjIxY2U4ODkx"
            "ZTMxIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "no_body",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "POST",
        "url": "https://console.example.com/api/v1/trash/empty",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/trash/empty",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nPOST\n/api/v1/trash/empty\nhost:console.example.com\n\n",
        "signature": "5309e5be948c60f6e99537f1494c267846288678edebef6271eabb9d57d154f9",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "5309e5be948c60f6'
            'e99537f1494c267846288678edebef6271eabb9d57d154f9", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI1MzA5ZTViZTk0OGM2MGY2ZTk5NTM3ZjE0OTRjMjY3ODQ2Mjg4Njc4ZWRlYmVmNjI3MWVhYmI5ZDU3ZDE1"
            "NGY5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "empty_body",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "POST",
        "url": "https://console.example.com/api/v1/trash/empty",
        "host": "console.example.com",
        "body": b"",
        "path": "/api/v1/trash/empty",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nPOST\n/api/v1/trash/empty\nhost:console.example.com\n\n",
        "signature": "5309e5be948c60f6e99537f1494c267846288678edebef6271eabb9d57d154f9",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "5309e5be948c60f6'
            'e99537f1494c267846288678edebef6271eabb9d57d154f9", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI1MzA5ZTViZTk0OGM2MGY2ZTk5NTM3ZjE0OTRjMjY3ODQ2Mjg4Njc4ZWRlYmVmNjI3MWVhYmI5ZDU3ZDE1"
            "NGY5IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "method_put",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "PUT",
        "url": "https://console.example.com/api/v1/volumes/101/quotas/30001",
        "host": "console.example.com",
        "body": b'{"path":"/home","size":10737418240}',
        "path": "/api/v1/volumes/101/quotas/30001",
        "query": "",
        "body_hash": "69dfbf9c88fd6fef2e4f3b1265f40afd8d54347486b06663cd40b13dfa28e2ab",
        "string_to_sign": (
            "1767225600\nPUT\n/api/v1/volumes/101/quotas/30001\nhost:console.example.com\n\n69dfbf9c88fd6fef"
            "2e4f3b1265f40afd8d54347486b06663cd40b13dfa28e2ab"
        ),
        "signature": "6ed8b1a5447e96438fc4e5417db0387404d1f3bf9c05b5b62840e736f682ac27",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "6ed8b1a5447e9643'
            '8fc4e5417db0387404d1f3bf9c05b5b62840e736f682ac27", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICI2ZWQ4YjFhNTQ0N2U5NjQzOGZjNGU1NDE3ZGIwMzg3NDA0ZDFmM2JmOWMwNWI1YjYyODQwZTczNmY2ODJh"
            "YzI3IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "method_patch",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "PATCH",
        "url": "https://console.example.com/api/v1/volumes/101",
        "host": "console.example.com",
        "body": b'{"extend":""}',
        "path": "/api/v1/volumes/101",
        "query": "",
        "body_hash": "8de951e6ff327913b706cbf408c3fabd395f0f8f31223e8809f01e34490563dd",
        "string_to_sign": (
            "1767225600\nPATCH\n/api/v1/volumes/101\nhost:console.example.com\n\n8de951e6ff327913b706cbf408c"
            "3fabd395f0f8f31223e8809f01e34490563dd"
        ),
        "signature": "3e656b5e9baad9aca82c511816978c4d0cbf3be743224af5e4776604f1a735db",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "3e656b5e9baad9ac'
            'a82c511816978c4d0cbf3be743224af5e4776604f1a735db", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICIzZTY1NmI1ZTliYWFkOWFjYTgyYzUxMTgxNjk3OGM0ZDBjYmYzYmU3NDMyMjRhZjVlNDc3NjYwNGYxYTcz"
            "NWRiIiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "method_delete",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "DELETE",
        "url": "https://console.example.com/api/v1/volumes/101",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes/101",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nDELETE\n/api/v1/volumes/101\nhost:console.example.com\n\n",
        "signature": "b9708a83a24f600f300a5ec0a1439890fee3a6e40f50fddbd7292389ee1ad116",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "b9708a83a24f600f'
            '300a5ec0a1439890fee3a6e40f50fddbd7292389ee1ad116", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJiOTcwOGE4M2EyNGY2MDBmMzAwYTVlYzBhMTQzOTg5MGZlZTNhNmU0MGY1MGZkZGJkNzI5MjM4OWVlMWFk"
            "MTE2IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "method_given_in_lower_case",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225600,
        "method": "delete",
        "url": "https://console.example.com/api/v1/volumes/101",
        "host": "console.example.com",
        "body": None,
        "path": "/api/v1/volumes/101",
        "query": "",
        "body_hash": "",
        "string_to_sign": "1767225600\nDELETE\n/api/v1/volumes/101\nhost:console.example.com\n\n",
        "signature": "b9708a83a24f600f300a5ec0a1439890fee3a6e40f50fddbd7292389ee1ad116",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225600, "signature": "b9708a83a24f600f'
            '300a5ec0a1439890fee3a6e40f50fddbd7292389ee1ad116", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTYwMCwgInNpZ25hdH"
            "VyZSI6ICJiOTcwOGE4M2EyNGY2MDBmMzAwYTVlYzBhMTQzOTg5MGZlZTNhNmU0MGY1MGZkZGJkNzI5MjM4OWVlMWFk"
            "MTE2IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
    {
        "name": "body_and_query",
        "access_key": "AKEXAMPLE7Q2M5X9",
        "secret_key": "example+secret/key=0123456789~abcdef",
        "timestamp": 1767225599,
        "method": "POST",
        "url": "https://console.example.com/api/v1/volumes/101/files?path=%2Fa+b&path=%2Fa",
        "host": "console.example.com",
        "body": b"[1,\n 2]",
        "path": "/api/v1/volumes/101/files",
        "query": "path=%2Fa&path=%2Fa+b",
        "body_hash": "d09b1905b30c7064af888865185f19cbd77a3bfcd8d34359bfdc69c069d57919",
        "string_to_sign": (
            "1767225599\nPOST\n/api/v1/volumes/101/files\nhost:console.example.com\npath=%2Fa&path=%2Fa+b\nd"
            "09b1905b30c7064af888865185f19cbd77a3bfcd8d34359bfdc69c069d57919"
        ),
        "signature": "902488443d8e9f72be9715430e7d3b7b43aac88ff03f26d9d45d33541f131474",
        "token_json": (
            '{"access_key": "AKEXAMPLE7Q2M5X9", "timestamp": 1767225599, "signature": "902488443d8e9f72'
            'be9715430e7d3b7b43aac88ff03f26d9d45d33541f131474", "version": 1}'
        ),
        "token": (
            "eyJhY2Nlc3Nfa2V5IjogIkFLRVhBTVBMRTdRMk01WDkiLCAidGltZXN0YW1wIjogMTc2NzIyNTU5OSwgInNpZ25hdH"
            "VyZSI6ICI5MDI0ODg0NDNkOGU5ZjcyYmU5NzE1NDMwZTdkM2I3YjQzYWFjODhmZjAzZjI2ZDlkNDVkMzM1NDFmMTMx"
            "NDc0IiwgInZlcnNpb24iOiAxfQ=="
        ),
    },
]
"""What goes into a signature, each step on the way, and what comes out."""

EMPTY_HOSTS: list[str] = [
    "http:///api/v1/volumes",
    "http://:8080/api/v1/volumes",
    "https://:443/api/v1/volumes",
    "/api/v1/volumes",
]
"""URLs without a host: no signature may be made for them."""
