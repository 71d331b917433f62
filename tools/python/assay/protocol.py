"""Frames of the process protocol (spec/protocol.md), versions 1 and 2.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import struct
import sys
from typing import Optional, Sequence, Tuple

#: The newest version that this module speaks.
VERSION = 2
_MAGIC = b"ASY1"
_PREFIX = struct.Struct("<4sIQ")


class Pipe:
    """Standard input and output as frames.

    What the program or a library prints goes to standard error from then on.
    """

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = os.fdopen(os.dup(1), "wb")
        sys.stdout.flush()
        os.dup2(2, 1)
        self._request = None

    def read(self) -> Optional[Tuple[dict, bytes]]:
        """The next request, (header, body); None at the end."""
        prefix = self._in.read(_PREFIX.size)
        if len(prefix) < _PREFIX.size:
            return None
        magic, length, body = _PREFIX.unpack(prefix)
        if magic != _MAGIC:
            raise ValueError(f"not a frame: {prefix!r}")
        header = json.loads(self._in.read(length))
        self._request = header.get("request")
        return header, self._in.read(body)

    def write(self, header: dict, parts: Sequence[bytes] = ()) -> None:
        """The reply to what was read last; its body is the parts, one after
        the other."""
        if self._request is not None:
            header = {**header, "request": self._request}
        text = json.dumps(header, separators=(",", ":")).encode()
        size = sum(len(p) for p in parts)
        self._out.write(_PREFIX.pack(_MAGIC, len(text), size))
        self._out.write(text)
        for part in parts:
            self._out.write(part)
        self._out.flush()


def version(header: dict) -> int:
    """The version to speak with the host that sent this request to open."""
    return min(VERSION, header.get("newest", header["protocol"]))
