"""HLO that XLA's conversion to StableHLO does not take, as HLO that it takes.

SPDX-License-Identifier: Apache-2.0

A rule writes an instruction otherwise, on its own line of the text, so that
places stay; hlo.py is the caller.  XLA's parser says the shapes.  Its printed
form is not read again, because it loses digits of complex constants.
"""
import itertools
import re
from typing import Callable, Dict, List, NamedTuple, Optional

from assay.mlir import Refused


class Line(NamedTuple):
    """An instruction: head is "  ROOT "; attributes are texts by their names,
    "dimensions={0}"."""
    head: str
    name: str
    shape: str
    opcode: str
    operands: List[str]
    shapes: List[str]
    attributes: Dict[str, str]

    def part(self, number: int) -> str:
        """The name of an instruction that is added before it."""
        return f"{self.name}.part{number}"

    def written(self, *names: str) -> str:
        """All attributes, or those that its parts have, too."""
        kept = (*names, "metadata") if names else self.attributes
        return "".join(f", {text}" for name, text in self.attributes.items()
                       if name in kept)

    def as_is(self, operands: List[str]) -> str:
        """Itself with these operands."""
        return f"{self.head}{self.name} = {self.shape} {self.opcode}(" \
            f"{', '.join(operands)}){self.written()}"

    def without(self, name: str) -> str:
        return self._replace(attributes={
            k: text for k, text in self.attributes.items() if k != name}
            ).as_is(self.operands)

    def place(self) -> str:
        return self.written("metadata")


_TEXT = r'"(?:\\.|[^"\\])*"'
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
    return None if kept == line.operands else line.as_is(kept)


def _starts(line: Line) -> Optional[str]:
    """Where a slice starts: a vector, or scalars."""
    at = 2 if line.opcode == "dynamic-update-slice" else 1
    found = re.match(r"(\w+)\[(\d+)\]", line.shapes[at]) \
        if len(line.shapes) == at + 1 else None
    if not found:
        return None
    made, starts = [], []
    for k in range(int(found[2])):
        one, start = line.part(2 * k), line.part(2 * k + 1)
        made += [f"{one} = {found[1]}[1] slice({line.operands[at]}), "
                 f"slice={{[{k}:{k + 1}]}}{line.place()}",
                 f"{start} = {found[1]}[] reshape({one}){line.place()}"]
        starts.append(start)
    return "  ".join([*made, line.as_is([*line.operands[:at], *starts])])


def _permute(line: Line) -> Optional[str]:
    """Of several arrays; one with offsets of slices is not known."""
    if len(line.operands) < 2 or "slice_sizes" in line.attributes:
        return None
    kept = line.written("source_target_pairs", "channel_id")
    made = [f"{line.part(k)} = {shape} collective-permute({operand}){kept}"
            for k, (operand, shape) in enumerate(zip(
                line.operands, split(line.shape[1:-1])))]
    return "  ".join([*made, f"{line.head}{line.name} = {line.shape} tuple("
                      + ", ".join(map(line.part, range(len(made))))
                      + f"){line.place()}"])


def _constant(line: Line) -> Optional[str]:
    """A tuple of constants; its operand is the text of the literal."""
    if not line.shape.startswith("("):
        return None
    made: List[str] = []
    numbers = itertools.count()

    def write(name: str, shape: str, text: str) -> None:
        if not shape.startswith("("):
            made.append(f"{name} = {shape} constant({text}){line.place()}")
            return
        parts = []
        for s, t in zip(split(shape[1:-1]), split(text.strip()[1:-1])):
            parts.append(line.part(next(numbers)))
            write(parts[-1], s, t)
        made.append(f"{name} = {shape} tuple({', '.join(parts)})"
                    f"{line.place()}")
    write(line.head + line.name, line.shape, line.operands[0])
    return "  ".join(made)


def _composite(line: Line) -> Optional[str]:
    """Without its three attributes it is a call."""
    given = line.attributes.get("frontend_attributes", "={}")
    names = {p.partition("=")[0] for p in
             split(given.partition("=")[2][1:-1])}
    if "is_composite" not in line.attributes or names >= {
            f"composite.{k}" for k in ("attributes", "name", "version")}:
        return None
    return line.without("is_composite")


def _custom_call(line: Line) -> Optional[str]:
    """XLA's conversion loses attributes, and takes no literals or layouts of
    tuples."""
    for name, text in line.attributes.items():
        if name in ("window", "dim_labels") or re.match(r"literal=\s*\(", text):
            raise Refused(f"custom-call: the attribute {name}")
    if not any(shape.startswith("(") for shape in line.shapes):
        return None
    return line.without("operand_layout_constraints")


def _channel(line: Line) -> Optional[str]:
    """XLA's conversion ends the process without one."""
    if "channel_id" not in line.attributes:
        raise Refused(f"{line.opcode}: channel_id is missing")
    return None


#: By opcode; what the text says if a rule may have something to do.
_RULES: Dict[str, Callable[[Line], Optional[str]]] = {
    "after-all": _after_all, "dynamic-slice": _starts,
    "dynamic-update-slice": _starts, "collective-permute": _permute,
    "constant": _constant, "call": _composite, "custom-call": _custom_call,
    "send": _channel, "recv": _channel}
_MAY_APPLY = re.compile(
    r"\b(after-all\([^)]|dynamic-(update-)?slice\(|collective-permute\(|"
    r"constant\(\s*\(|(custom-call|send|recv)\()|is_composite=true")


def readable(text: str) -> str:
    """Without the version of calls that text of PyTorch's backends has, which
    XLA's parser no longer takes."""
    return re.sub(
        rf"{_TEXT}|, api_version=API_VERSION_UNSPECIFIED\b",
        lambda found: found[0] if found[0][0] == '"' else "", text) \
        if "API_VERSION_UNSPECIFIED" in text else text


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
            column = len(line.head) - len(line.head.lstrip()) + 1
            raise Refused(f"{where}:{number}:{column}: {e}") from None
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
    attributes = {p.partition("=")[0].strip(): p for p in split(text[end:])}
    if opcode == "constant":
        return Line(*named.groups(), _plain(shape), opcode,
                    [_COMMENT.sub("", inside)], [], attributes)
    operands = [o.split()[-1] for o in split(_COMMENT.sub("", inside))]
    shapes = [_COMMENT.sub("", o).rpartition(" ")[0].strip() for o in
              split(printed[1:_closing(printed, 0) - 1])]
    if len(shapes) != len(operands) or not all(
            map(_NAME.fullmatch, operands)):
        return None
    return Line(*named.groups(), _plain(shape), opcode, operands,
                [_plain(s) for s in shapes], attributes)


def _plain(shape: str) -> str:
    return _COMMENT.sub("", shape)
