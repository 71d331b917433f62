"""Files that somebody else wrote: whole, and JSON as the reference reads it.

SPDX-License-Identifier: Apache-2.0
"""
import json
import sys
from typing import Any, Dict, List, Tuple

MOST = 1 << 30  # bytes


def read_bytes(path: str) -> bytes:
    """The whole of a file, or of standard input for "-".  ValueError: it is
    larger than any program or document, as a device without an end is."""
    if path == "-":
        data = sys.stdin.buffer.read(MOST + 1)
    else:
        with open(path, "rb") as f:
            data = f.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"{path}: larger than the limit of {MOST} bytes")
    return data


def _unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(n for i, n in enumerate(names) if n in names[:i])
        raise ValueError(f"duplicate member {twice!r}")
    return made


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON; as an element it is a string")


def _integer(text: str) -> Any:
    return -0.0 if text == "-0" else int(text)


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), -float("inf")):
        raise ValueError(f"{text} is beyond f64; as an element it is a string")
    return value


def read_json(path: str) -> Any:
    """What Python's reader lets pass is an error: a member that occurs twice,
    NaN, infinities; -0 keeps its sign.  ValueError: what is wrong, and where."""
    data = read_bytes(path)
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_unique,
                          parse_constant=_refuse, parse_int=_integer,
                          parse_float=_float)
    except UnicodeDecodeError as e:
        raise ValueError(f"{path}: not UTF-8: byte {e.start}") from None
    except json.JSONDecodeError as e:
        raise ValueError(f"{path}:{e.lineno}:{e.colno}: {e.msg}") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply") from None
    except ValueError as e:
        raise ValueError(f"{path}: {e}") from None
