"""HLO, XLA's own form of a program, to StableHLO and back.

SPDX-License-Identifier: Apache-2.0

XLA's parser and its conversions, which jaxlib carries, do the work.  Text gives
each instruction its line as metadata first, so that a message can name it.
"""
import os
import re
import signal
import sys
from typing import Dict, Iterator, List, NamedTuple, Tuple

from assay import hlo_forms
from assay.mlir import Refused, decode

try:
    from jaxlib import _hlo
    from jaxlib._jax import mlir as _convert
except ImportError:  # earlier versions
    _hlo = None

_BEGINS = re.compile(rb"\s*(?://[^\n]*\n\s*|/\*.*?\*/\s*)*HloModule\b", re.S)
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1f]")
_INSTRUCTION = re.compile(r"^(\s*)(?:ROOT\s+)?%?([\w.-]+)\s*=\s")
_CONSTANT = re.compile(r"\bconstant\(.*")
#: In the first line of HLO's text, and in a module: XLA's conversions, either
#: way, do not keep them.
_COUNTS = {"replica_count": "mhlo.num_replicas",
           "num_partitions": "mhlo.num_partitions"}
_METADATA = re.compile(r', metadata=\{(?:[^"{}]|"(?:\\.|[^"\\])*"|'
                       r'\{(?:[^"{}]|"(?:\\.|[^"\\])*")*\})*\}')


def is_hlo(data: bytes, where: str) -> bool:
    """Text by its first word or its name, a message by its first members."""
    if _CONTROL.search(data[:4096]):
        return _is_message(data)
    return where.endswith(".hlo") or bool(_BEGINS.match(data))


def _is_message(data: bytes) -> bool:
    """Does it begin as a HloModuleProto (a name, then another text), or as a
    HloProto, whose first member is one?"""
    return data[:1] == b"\n" and (_inner(data)[:1] == b"\n"
                                  or _after_first(data)[:1] == b"\x12")


def _length(data: bytes) -> Tuple[int, int]:
    """Of the first member, and where it begins."""
    length = shift = 0
    for i, byte in enumerate(data[1:11]):
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return length, i + 2
    return 0, len(data)


def _inner(data: bytes) -> bytes:
    length, start = _length(data)
    return data[start:start + length]


def _after_first(data: bytes) -> bytes:
    length, start = _length(data)
    return data[start + length:]


class Module(NamedTuple):
    """A program of HLO: StableHLO's bytecode; of HLO's text the column of each
    line's instruction; counts of replicas and partitions, which the conversion
    does not keep."""
    made: bytes
    columns: Dict[int, int]
    counts: Dict[str, int]


def read(data: bytes, where: str) -> Module:
    if _hlo is None:
        raise Refused(f"{where}: HLO needs a newer jaxlib")
    columns: Dict[int, int] = {}
    try:
        module = _of_message(data) if _CONTROL.search(data[:4096]) \
            else _of_text(decode(data, where, "HLO"), columns, where)
        header = module.to_string().partition("\n")[0]
        return Module(_convert.hlo_to_stablehlo(
            module.as_serialized_hlo_module_proto()), columns, {
                theirs: int(found[1]) for ours, theirs in _COUNTS.items()
                for found in [re.search(rf"\b{ours}=(\d+)", header)] if found})
    except (RuntimeError, ValueError) as e:  # JaxRuntimeError among them
        raise Refused(_error(str(e), where)) from None


def _of_message(data: bytes):
    inner = _inner(data)
    return _hlo.HloModule.from_serialized_hlo_module_proto(
        inner if inner[:1] == b"\n" else data)


def _of_text(text: str, columns: Dict[int, int], where: str):
    """Its metadata is that of the model, which says nothing of its lines."""
    lines = []
    text = hlo_forms.readable(text)
    for number, line in enumerate(text.split("\n"), 1):
        found = _INSTRUCTION.match(line)
        if found and re.search(r"[)}\]\"]$|=\S+(?: \S+)?$", line.rstrip()):
            columns[number] = len(found[1]) + 1
            line = _METADATA.sub("", line.rstrip()) + \
                f', metadata={{op_name="{found[2]}" source_file="-" ' \
                f"source_line={number}}}"
        lines.append(line)
    try:
        module = _hlo.hlo_module_from_text("\n".join(lines))
    except (RuntimeError, ValueError):  # an instruction of several lines
        columns.clear()
        return _hlo.hlo_module_from_text(text)
    if hlo_forms.may_apply(text):
        options = _hlo.HloPrintOptions()
        options.print_operand_shape = True
        if hlo_forms.rewrite(lines, module.to_string(options), where):
            module = _hlo.hlo_module_from_text("\n".join(lines))
    return module


def _error(text: str, where: str) -> str:
    place = re.search(r"was parsing (\d+):(\d+): error: ([^\n]*)", text)
    if place:
        return f"{where}:{place[1]}:{place[2]}: {place[3]}"[:400]
    line = next(iter(text.splitlines()), "").rstrip(": ")
    return f"{where}: {line or 'not HLO'}"[:400]


# ---- To HLO ------------------------------------------------------------------

def _keep_zeros(constant: re.Match) -> str:
    """XLA prints -0.0 as -0, and reads that as the integer 0."""
    return re.sub(r"(?<=[{(\s])-0(?=[,})\s])", "-0.0", constant[0])


def of_stablehlo(text: str) -> str:
    """HLO's text of a module of StableHLO."""
    if _hlo is None:
        raise Refused("HLO needs a newer jaxlib")
    try:
        made = _convert.mlir_module_to_xla_computation(text)
        options = _hlo.HloPrintOptions()
        options.print_metadata = False  # lines of a text that nobody keeps
        options.print_large_constants = True
        counts = "".join(
            f", {ours}={n}" for ours, theirs in _COUNTS.items()
            for n in re.findall(rf"{theirs} = (\d+)", text)[:1] if n != "1")
        return re.sub(r"\A(HloModule [^\n]*)", rf"\1{counts}", _CONSTANT.sub(
            _keep_zeros, made.get_hlo_module().to_string(options).strip()))
    except (RuntimeError, ValueError) as e:
        raise Refused((str(e).splitlines() or ["no HLO"])[0]) from None


def guarded(text: str) -> str:
    """of_stablehlo in a process of its own: the conversion ends the whole
    process where one of its assertions fails."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            made, code = of_stablehlo(text), 0
        except Refused as e:
            made, code = str(e), 1
        with open(into, "w", encoding="utf-8") as f:
            f.write(made)
        os._exit(code)
    os.close(into)
    with open(out, encoding="utf-8") as f:
        made = f.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise Refused(made if code > 0 else "XLA's conversion was ended by "
                      f"signal {-code}")
    return made


def programs(text: str) -> Iterator[Tuple[List[str], str]]:
    """The programs that assay emit prints: comments, and the module."""
    comments: List[str] = []
    lines: List[str] = []
    for line in [*text.splitlines(), "// "]:
        if line.startswith("// ") and lines:
            yield comments, "\n".join(lines) + "\n"
            comments, lines = [], []
        (comments if line.startswith("// ") else lines).append(line)


def main() -> int:
    """assay emit --hlo: HLO of the StableHLO on standard input."""
    refused = 0
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for comments, text in programs(sys.stdin.read()):
        try:
            made = guarded(text)
        except Refused as e:
            print(f"{comments[0][3:] if comments else 'program'}: HLO: {e}",
                  file=sys.stderr)
            refused += 1
            continue
        print(*comments, made, "", sep="\n", flush=True)
    return 1 if refused else 0
