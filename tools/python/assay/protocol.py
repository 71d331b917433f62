"""Frames of the process protocol (spec/protocol.md), version 1.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import struct
import sys
from typing import Optional, Sequence, Tuple

VERSION = 1
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

    def read(self) -> Optional[Tuple[dict, bytes]]:
        """The next request, (header, body); None at the end."""
        prefix = self._in.read(_PREFIX.size)
        if len(prefix) < _PREFIX.size:
            return None
        magic, length, body = _PREFIX.unpack(prefix)
        if magic != _MAGIC:
            raise ValueError(f"not a frame: {prefix!r}")
        return json.loads(self._in.read(length)), self._in.read(body)

    def write(self, header: dict, parts: Sequence[bytes] = ()) -> None:
        """A reply; its body is the parts, one after the other."""
        text = json.dumps(header, separators=(",", ":")).encode()
        size = sum(len(p) for p in parts)
        self._out.write(_PREFIX.pack(_MAGIC, len(text), size))
        self._out.write(text)
        for part in parts:
            self._out.write(part)
        self._out.flush()
