# frames.py - frames of the process protocol, with nothing but Python's library.
#
# SPDX-License-Identifier: Apache-2.0
import json
import struct
import sys

stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


def frame(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return b"ASY1" + struct.pack("<IQ", len(text), len(body)) + text + body


def read_header():
    """The header of the next request, and how long its body is."""
    prefix = stdin.read(16)
    if len(prefix) < 16:
        sys.exit(0)
    length, body = struct.unpack("<IQ", prefix[4:])
    return json.loads(stdin.read(length)), body


def read_frame():
    header, body = read_header()
    return header, stdin.read(body)


def send(data):
    stdout.write(data)
    stdout.flush()
