"""A program's bytes: which form they have, and the functions in them.

SPDX-License-Identifier: Apache-2.0

StableHLO as text, bytecode or portable artifact, and HLO as text or as a
serialized HloModuleProto or HloProto, become modules of MLIR; read is the entry.
importer.py makes computations of a function that Program.choose names.
"""
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from assay import hlo, mlir, quantized, rewrites, spellings
from assay.mlir import Refused, ir, stablehlo

_SEPARATOR = re.compile(r"^[ \t]*// -----.*$", re.M)
_ERROR = re.compile(r'"?-"?:(\d+):(\d+)["\])]*:? ?(?:error: )?(.*)')
_NAME = r'@("(?:\\.|[^"\\])*"|[\w$.-]+)'
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|[{}]|\bfunc\.func\b|'
                    r'^[ \t]*func\b', re.M)


#: A convolution's; MLIR's parser makes a list as long as the largest number.
_CONVOLUTION = re.compile(r"\[[\w?, -]*\]\s*x\s*\[[\w?, -]*\]\s*->\s*"
                          r"\[[\w?, -]*\]")


class Function(NamedTuple):
    """A function of a program.  module: what its calls are looked up in; op is
    None, and why says it, if the bindings cannot read it."""
    name: str
    module: str
    public: bool
    op: Optional[ir.Operation]
    why: str = ""

    @property
    def key(self) -> str:
        """Its name in the program, where it is the only one of several."""
        return f"{self.module}::{self.name}" if self.module else self.name


class Program:
    """What a file holds.  kept: objects of which the functions are parts."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.functions: Dict[str, Function] = {}
        self.modules: Dict[str, ir.Operation] = {}
        self.columns: Dict[int, int] = {}
        self.kept: List[ir.Module] = []

    def add(self, function: Function) -> None:
        self.functions.setdefault(function.key, function)

    def add_module(self, module: ir.Operation, label: str) -> None:
        """The functions of a module, and of those within it."""
        self.modules[label] = module
        inner = 0
        for op in module.regions[0].blocks[0].operations:
            op = op.operation
            name = mlir.text(op.attributes["sym_name"]) \
                if "sym_name" in op.attributes else ""
            if op.name == "builtin.module":
                inner += 1
                part = name or str(inner)
                self.add_module(op, f"{label}::{part}" if label else part)
            elif op.name == "func.func":
                self.add(Function(name, label, _is_public(op), op))

    def choose(self, entry: Optional[str]) -> Tuple[Function, str]:
        """The function that is imported, and a notice if it is one of several
        that could be."""
        bodies = [f for f in self.functions.values()
                  if f.op is None or f.op.regions[0].blocks]
        if entry is not None:
            return self._named(entry.replace("@", "")), ""
        if not bodies:
            raise Refused(f"{self.where}: a module without a function" if not
                          self.functions else f"{self.where}: no function "
                          "has a body")
        public = [f for f in bodies if f.public] or bodies
        chosen = next((f for f in public if f.name == "main"), public[0])
        if len(public) == 1:
            return chosen, ""
        return chosen, f"{self.where}: imported '{chosen.key}' of " \
            f"{len(public)} functions; --entry chooses another: " \
            + _listed([f.key for f in public if f is not chosen])

    def _named(self, entry: str) -> Function:
        last = entry.rpartition("::")[2]  # what is unread is in no module
        found = [self.functions[entry]] if entry in self.functions else \
            [f for f in self.functions.values() if f.name == entry
             or f.op is None and f.name == last]
        if len(found) == 1:
            return found[0]
        names = [f.key for f in found] or list(self.functions)
        what = f"{len(found)} functions are called" if found else \
            "no function"
        raise Refused(f"{self.where}: {what} '{entry}': "
                      f"{_listed(names) or 'there is none'}")


def _listed(names: List[str]) -> str:
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")


def _is_public(op: ir.Operation) -> bool:
    return "sym_visibility" not in op.attributes \
        or mlir.text(op.attributes["sym_visibility"]) == "public"


def parse_error(text: str, where: str) -> str:
    """The first line of MLIR's that says error, with its place."""
    line = next((line for line in text.splitlines() if "error:" in line), text)
    quantized = re.search(r"!quant\.\w+(?:<(?:[^<>]|<[^<>]*>)*>)?", line)
    place = _ERROR.search(line)
    if not place:
        return f"{where}: {line.strip()}"[:400]
    at = f":{place[1]}:{place[2]}" if place[1] != "0" else ""  # bytecode
    said = place[3]
    if quantized:
        op = re.match(r"'([\w.]+)' op ", said)
        said = f"{op[1] + ': ' if op else ''}quantized types are not " \
            f"supported here: {quantized[0]}"
    return f"{where}{at}: {said}"[:400]


def read(data: bytes, where: str) -> Program:
    """A program in any form, in the current context."""
    program = Program(where)
    if data.startswith(b"ML\xefR"):
        _keep(program, _parse_bytecode(data, where), "")
    elif hlo.is_hlo(data, where):
        found = hlo.read(data, where)
        program.columns = found.columns
        module = _parse_bytecode(found.made, where, found.columns)
        for name, count in found.counts.items():
            module.operation.attributes[name] = ir.IntegerAttr.get(
                ir.IntegerType.get_signless(32), count)
        _keep(program, module, "")
    else:
        text = mlir.decode(data, where,
                           "neither MLIR's bytecode nor HLO nor text")
        _check_numbers(text, where)
        _read_text(program, text)
    return program


def _check_numbers(text: str, where: str) -> None:
    for numbers in _CONVOLUTION.finditer(text):
        large = re.search(r"\d{4,}", numbers[0])
        if large:
            at = numbers.start() + large.start()
            raise Refused(
                f"{where}:{text.count(chr(10), 0, at) + 1}:"
                f"{at - text.rfind(chr(10), 0, at)}: dim_numbers: found the "
                f"dimension {large[0]}, expected one of the operand's")


def of_module(module: ir.Module, where: str) -> Program:
    """A module that is there already."""
    program = Program(where)
    _keep(program, module, "")
    return program


def _keep(program: Program, module: ir.Module, label: str) -> None:
    program.kept.append(module)
    rewrites.rewrite(module.operation)
    try:
        program.add_module(module.operation, label)
    except Refused as e:  # sym_name
        raise Refused(f"{program.where}: {e}") from None


def _parse_bytecode(data: bytes, where: str,
                    columns: Optional[Dict[int, int]] = None) -> ir.Module:
    # What is wrong is in the second exception; the first prints it, too.
    silent = ir.Context.current.attach_diagnostic_handler(lambda _: True)
    try:
        return stablehlo.deserialize_portable_artifact(ir.Context.current,
                                                       data)
    except Exception:  # of a class that depends on jaxlib's version
        pass
    finally:
        silent.detach()
    try:
        return ir.Module.parse(data)
    except (ir.MLIRError, ValueError) as e:
        newer = _newer(data)
        raise Refused(f"{where}: {newer}" if newer
                      else _with_column(parse_error(str(e), where),
                                        columns or {})) from None


def _with_column(why: str, columns: Dict[int, int]) -> str:
    """XLA's conversion keeps the line of an instruction alone."""
    return re.sub(r":(\d+):0(?=:)", lambda at: f":{at[1]}:"
                  f"{columns.get(int(at[1]), 1)}", why, count=1)


def _newer(data: bytes) -> str:
    """Why a portable artifact of a later StableHLO cannot be read."""
    producer = re.match(rb"ML\xefR.StableHLO_v([\d.]+)\0", data, re.S)
    if not producer:
        return ""
    theirs, ours = producer[1].decode(), stablehlo.get_current_version()
    numbers = [[int(x) for x in v.split(".") if x] for v in (theirs, ours)]
    return f"a portable artifact of StableHLO {theirs}, but jaxlib's bindings " \
        f"read {ours} and earlier" if numbers[0] > numbers[1] else ""


# ---- Text --------------------------------------------------------------------

def _read_text(program: Program, text: str) -> None:
    """One module, or several with lines "// -----" between them, as MLIR's tools
    split a file."""
    parts, start = [], 0
    for separator in [*_SEPARATOR.finditer(text), None]:
        end = separator.start() if separator else len(text)
        parts.append((text.count("\n", 0, start), text[start:end]))
        start = separator.end() if separator else end
    several = [p for p in parts if _TOKEN.search(p[1])]
    if len(several) < 2:
        _read_part(program, text, "")
        return
    for i, (lines, part) in enumerate(several):
        _read_part(program, "\n" * lines + part, str(i + 1))


def _parse_text(text: str) -> ir.Module:
    """A module in StableHLO, or in the dialect of its portable artifacts."""
    module = ir.Module.parse(text)
    if not any(op.operation.name.startswith("vhlo.") for op in module.body):
        return module
    return stablehlo.deserialize_portable_artifact(ir.Context.current,
                                                   text.encode())


def _read_part(program: Program, text: str, label: str) -> None:
    """A function that cannot be parsed does not hide the others."""
    unread: List[Function] = []
    for _, _, start, end in reversed(list(_functions(text))):
        text = text[:start] + quantized.respell(text[start:end]) + text[end:]
    while True:
        try:
            _keep(program, _parse_text(text), label)
            break
        except (ir.MLIRError, ValueError) as e:
            why = parse_error(str(e), program.where)
            found = _find_function(text, why[len(program.where):])
            if found is None:
                if not label:
                    raise Refused(why) from None
                program.add(Function("main", label, True, None, why))
                break
            name, public, start, end = found
            other = spellings.respell(text[start:end], why)
            if other != text[start:end]:
                text = text[:start] + other + text[end:]
                continue
            unread.append(Function(name, label, public, None, why))
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) \
                + text[end:]
    for function in unread:
        program.add(function)


def _functions(text: str) -> Iterator[Tuple[str, bool, int, int]]:
    """Name, visibility and extent of each function: to where the next one
    begins, or its module ends."""
    depth, start, level = 0, -1, 0
    for token in _TOKEN.finditer(text):
        word = token[0].strip()
        ends = depth == level and (word == "}" or word.startswith("func"))
        if start >= 0 and ends:
            yield (*_signature(text[start:token.start()]), start, token.start())
            start = -1
        if word.startswith("func") and start < 0:
            start, level = token.start(), depth
        depth += (word == "{") - (word == "}")
    if start >= 0:
        yield (*_signature(text[start:]), start, len(text))


def _signature(text: str) -> Tuple[str, bool]:
    name = re.search(_NAME, text)
    return (name[1].strip('"') if name else "",
            not re.match(r"\s*(func\.)?func\s+(private|nested)\b", text))


def _find_function(text: str, place: str
                   ) -> Optional[Tuple[str, bool, int, int]]:
    """The function around ":LINE:COLUMN"."""
    at = re.match(r":(\d+):(\d+):", place)
    if not at:
        return None
    offset = 0
    for _ in range(int(at[1]) - 1):
        offset = text.find("\n", offset) + 1
    offset += int(at[2]) - 1
    return next((f for f in _functions(text) if f[2] <= offset < f[3]), None)
