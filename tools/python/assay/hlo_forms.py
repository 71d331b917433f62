"""HLO that XLA's conversion to StableHLO does not take, as HLO that it takes.

SPDX-License-Identifier: Apache-2.0

A rule writes an instruction otherwise, on its own line of the text, so that
places stay; hlo.py is the caller.  XLA's parser says the shapes.  Its printed
form is not read again, because it loses digits of complex constants.
"""
import re
from typing import Callable, Dict, List, NamedTuple, Optional

from assay.mlir import Refused


class Line(NamedTuple):
    """An instruction: head is "  ROOT "; rest is its attributes, with the comma
    before them."""
    head: str
    name: str
    shape: str
    opcode: str
    operands: List[str]
    shapes: List[str]
    rest: str

    def part(self, number: int) -> str:
        """The name of an instruction that is added before it."""
        return f"{self.name}.part{number}"

    def attributes(self, *names: str) -> str:
        """Those of its attributes that its parts have, too."""
        return "".join(found[0] for name in (*names, "metadata") for found in
                       [re.search(rf", {name}=(\w+|{_BRACES})", self.rest)]
                       if found)

    def tuple_of(self, parts: List[str], count: int, first: int = 0) -> str:
        """Itself as a tuple of its parts, which stand before it."""
        names = ", ".join(self.part(first + k) for k in range(count))
        return "  ".join([*parts, f"{self.head}{self.name} = {self.shape} "
                                  f"tuple({names}){self.attributes()}"])


#: Braces, with texts, and braces to a depth of three within them.
_TEXT = r'"(?:\\.|[^"\\])*"'
_BRACES = r"\{\}"
for _ in range(4):
    _BRACES = rf'\{{(?:[^"{{}}]|{_TEXT}|{_BRACES})*\}}'
_PRINTED = re.compile(r"^\s+(?:ROOT )?%\S+ = (.*?) ([a-z][a-z-]*)(\(.*)$")
_PLACE = re.compile(r"source_line=(\d+)\}?")
_NAME = re.compile(r"%?[\w.-]+")
_COMMENT = re.compile(r"/\*.*?\*/")


def split(text: str) -> List[str]:
    """The parts between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for found in re.finditer(rf"{_TEXT}|[()\[\]{{}},]", text):
        depth += (found[0] in "([{") - (found[0] in ")]}")
        if found[0] == "," and depth == 0:
            parts.append(text[start:found.start()])
            start = found.end()
    parts.append(text[start:])
    return [p.strip() for p in parts if p.strip()]


def _closing(text: str, start: int) -> int:
    """After the bracket that closes the one at start."""
    depth = 0
    for found in re.compile(rf"{_TEXT}|[()]").finditer(text, start):
        depth += (found[0] == "(") - (found[0] == ")")
        if depth == 0:
            return found.end()
    return len(text)


# ---- Rules -------------------------------------------------------------------

def _after_all(line: Line) -> Optional[str]:
    """A value orders, and is no part of a token."""
    kept = [o for o, s in zip(line.operands, line.shapes) if s == "token[]"]
    if len(kept) == len(line.operands):
        return None
    return f"{line.head}{line.name} = token[] after-all({', '.join(kept)})" \
        + line.rest


def _starts(line: Line) -> Optional[str]:
    """Where a slice starts: a vector, or scalars."""
    at = 2 if line.opcode == "dynamic-update-slice" else 1
    found = re.match(r"(\w+)\[(\d+)\]", line.shapes[at]) \
        if len(line.shapes) == at + 1 else None
    if not found:
        return None
    kind, count, made = found[1], int(found[2]), []
    for k in range(count):
        one, place = line.part(2 * k), line.attributes()
        made += [f"{one} = {kind}[1] slice({line.operands[at]}), "
                 f"slice={{[{k}:{k + 1}]}}{place}",
                 f"{line.part(2 * k + 1)} = {kind}[] reshape({one}){place}"]
    starts = [line.part(2 * k + 1) for k in range(count)]
    operands = ", ".join([*line.operands[:at], *starts])
    return "  ".join([*made, f"{line.head}{line.name} = {line.shape} "
                             f"{line.opcode}({operands}){line.rest}"])


def _permute(line: Line) -> Optional[str]:
    """Of several arrays; one with offsets of slices is not known."""
    if len(line.operands) < 2 or "slice_sizes=" in line.rest:
        return None
    kept = line.attributes("source_target_pairs", "channel_id")
    shapes = split(line.shape[1:-1])
    return line.tuple_of(
        [f"{line.part(k)} = {s} collective-permute({o}){kept}"
         for k, (o, s) in enumerate(zip(line.operands, shapes))], len(shapes))


def _constant(line: Line) -> Optional[str]:
    """A tuple of constants; its operand is the text of the literal."""
    if not line.shape.startswith("("):
        return None
    made, number = [], 0

    def write(name: str, shape: str, text: str) -> None:
        nonlocal number
        if not shape.startswith("("):
            made.append(f"{name} = {shape} constant({text})")
            return
        parts = []
        for s, t in zip(split(shape[1:-1]), split(text.strip()[1:-1])):
            parts.append(line.part(number))
            number += 1
            write(parts[-1], s, t)
        made.append(f"{name} = {shape} tuple({', '.join(parts)})")
    write(line.head + line.name, line.shape, line.operands[0])
    return "  ".join(one + line.attributes() for one in made)


def _composite(line: Line) -> Optional[str]:
    """Without its three attributes it is a call."""
    if ", is_composite=true" not in line.rest or all(
            f"composite.{k}=" in line.rest
            for k in ("attributes", "name", "version")):
        return None
    return f"{line.head}{line.name} = {line.shape} call(" \
        f"{', '.join(line.operands)})" \
        + line.rest.replace(", is_composite=true", "")


def _channel(line: Line) -> Optional[str]:
    """XLA's conversion ends the process without one."""
    if "channel_id=" not in line.rest:
        raise Refused(f"{line.opcode}: channel_id is missing")
    return None


#: By opcode; what the text says if a rule may have something to do.
_RULES: Dict[str, Callable[[Line], Optional[str]]] = {
    "after-all": _after_all, "dynamic-slice": _starts,
    "dynamic-update-slice": _starts, "collective-permute": _permute,
    "constant": _constant, "call": _composite, "send": _channel,
    "recv": _channel}
_MAY_APPLY = re.compile(
    r"\b(after-all\([^)]|dynamic-(update-)?slice\(|collective-permute\(|"
    r"constant\(\s*\(|(send|recv)\()|is_composite=true")


def may_apply(text: str) -> bool:
    return bool(_MAY_APPLY.search(text))


def rewrite(lines: List[str], printed: str, where: str) -> bool:
    """In place, the lines of a text, of which printed is XLA's form with the
    shapes of operands, and numbers of lines as metadata; was there any?"""
    changed = False
    for shown in printed.split("\n"):
        found, place = _PRINTED.match(shown), _PLACE.search(shown)
        if not found or not place or found[2] not in _RULES:
            continue
        number = int(place[1])
        line = _read(lines[number - 1], found[1], found[2], found[3])
        try:
            made = _RULES[found[2]](line) if line else None
        except Refused as e:
            raise Refused(f"{where}:{number}:{len(line.head) + 1}: {e}") \
                from None
        if made:
            lines[number - 1] = made
            changed = True
    return changed


def _read(text: str, shape: str, opcode: str, printed: str
          ) -> Optional[Line]:
    """A line of the text, with the shapes of XLA's form; None if an operand is
    an instruction."""
    named = re.match(r"(\s*(?:ROOT\s+)?)(%?[\w.-]+)\s*=", text)
    call = re.compile(rf"(?<![\w.%-]){opcode}\(").search(
        text, named.end() if named else 0)
    if not named or not call:
        return None
    end = _closing(text, call.end() - 1)
    inside = text[call.end():end - 1]
    if opcode == "constant":
        return Line(*named.groups(), _plain(shape), opcode,
                    [_COMMENT.sub("", inside)], [], text[end:])
    operands = [o.split()[-1] for o in split(_COMMENT.sub("", inside))]
    shapes = [_COMMENT.sub("", o).rpartition(" ")[0].strip() for o in
              split(printed[1:_closing(printed, 0) - 1])]
    if len(shapes) != len(operands) or not all(
            map(_NAME.fullmatch, operands)):
        return None
    return Line(*named.groups(), _plain(shape), opcode, operands,
                [_plain(s) for s in shapes], text[end:])


def _plain(shape: str) -> str:
    return _COMMENT.sub("", shape)
