"""Programs that say what a kernel must return.

SPDX-License-Identifier: Apache-2.0

A definition is one of

  - a named program, "softmax": a file of the folder kernels (README.md there
    describes the format), with sizes, data and known deviations;
  - a program of StableHLO, "model.mlir", or a case file with a module;
  - a function of JAX.

Each gives, for an element type and sizes, the operands' shapes and a module of
spec/case-format.md, which libassay evaluates.
"""
import ast
import dataclasses
import difflib
import itertools
import json
import operator
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Tuple, Union)

import numpy as np

from assay import document, library, types

FOLDER = pathlib.Path(__file__).parent / "kernels"
#: The type in which a program computes, where it is not that of its operands.
COMPUTES = {"f16": "f32", "bf16": "f32"}

#: Lengths about the blocks of kernels: whole ones, one less, one more, and such
#: as are no power of two.
TILES = (15, 16, 17, 32, 33, 64, 65, 128, 255, 256, 257, 384, 512, 1023, 1024,
         1025, 2051)

Variables = Dict[str, Union[int, str]]


class Unknown(ValueError):
    """No such program, type or size; the text has the nearest name."""


def nearest(name: str, known: Sequence[str]) -> str:
    """" (nearest: 'softmax')", or nothing."""
    near = difflib.get_close_matches(name, known, 1)
    return f" (nearest: {near[0]!r})" if near else ""


# ---- Text with variables -----------------------------------------------------

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
           ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
_COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Gt: operator.gt,
            ast.Lt: operator.lt}


def compute(text: str, variables: Variables) -> Any:
    """The value of "N - N % B" or "A != L and N > B"."""
    return _value(ast.parse(text, mode="eval").body, variables)


def _value(node: ast.AST, variables: Variables) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return variables[node.id]
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_value(node.left, variables),
                                      _value(node.right, variables))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, variables)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _COMPARE[type(node.ops[0])](
            _value(node.left, variables),
            _value(node.comparators[0], variables))
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return all(_value(v, variables) for v in node.values)
    raise ValueError(f"no expression of a definition: {ast.dump(node)}")


def fill(text: str, variables: Variables) -> str:
    """The text with $N and ${N - 1} replaced by their values."""
    return re.sub(
        r"\$(?:\{([^}]*)\}|([A-Za-z]))",
        lambda m: str(compute(m[1], variables) if m[1]
                      else variables[m[2]]), text)


_LINE = re.compile(r"(\w+) = \w+\(([^)]*)\)")


def live(lines: Sequence[str], result: str) -> List[str]:
    """The instructions that the result depends on; of two with one name the
    last."""
    by_name = {}
    for line in lines:
        found = _LINE.match(line)
        if not found:
            raise ValueError(f"not an instruction: {line!r}")
        by_name[found[1]] = (line, re.findall(r"\w+", found[2]))
    kept, stack = set(), [result]
    while stack:
        name = stack.pop()
        if name in by_name and name not in kept:
            kept.add(name)
            stack += by_name[name][1]
    return [line for name, (line, _) in by_name.items() if name in kept]


# ---- Definitions -------------------------------------------------------------

def fits(array: np.ndarray, dtype: str) -> np.ndarray:
    """Of each element of a float array: is it a number of the type f32, f16 or
    bf16, or a NaN?"""
    with np.errstate(all="ignore"):
        if dtype == "bf16":
            near = array.astype(np.float32)
            near = (near.view(np.uint32) & 0xffff0000).view(np.float32) \
                .reshape(array.shape)
        else:
            near = array.astype(types.DTYPES[dtype])
        return (near.astype(array.dtype) == array) | (array != array)


@dataclasses.dataclass(frozen=True)
class Deviation:
    """A way of being wrong: id, what it says, and the instructions that differ;
    where: on which sizes it differs at all; grid: a type of which all results
    are then numbers, or ""."""
    id: str
    text: str
    where: str
    replace: Tuple[str, ...]
    sets: Tuple[Tuple[str, str], ...]
    variables: Tuple[Tuple[str, Any], ...]
    grid: str = ""

    @property
    def narrows(self) -> bool:
        """Does it round to a narrower type, its variable w?  The fused profile
        would keep what is wider."""
        return "w" in dict(self.variables)

    def applies(self, variables: Variables) -> bool:
        """Does it change the program of these sizes and types?"""
        return not self.where or bool(
            compute(self.where, {**variables, **dict(self.variables)}))


class Definition:
    """What both kinds have: name, text, dtypes (of operands, by Assay's names),
    shapes (the sizes that are tried), long (those of them that are tried with
    the first kind of data only), many (a size and sizes, if each row of the
    results depends on that row of the operands, and the size is the number of
    rows), fuses (does it add to a product of floats?),
    data (its name and, by parameter, the kind: kernel_data.py), forms (other
    right ways to write the program), deviations."""
    name = text = ""
    dtypes: Sequence[str] = ()
    shapes: Sequence[Any] = ()
    long: Sequence[Any] = ()
    many: Optional[Tuple[str, Dict[str, int]]] = None
    fuses = True
    data: Dict[str, Dict[str, str]] = {}
    forms: Sequence[Deviation] = ()
    deviations: Sequence[Deviation] = ()

    def operands(self, dtype: str, sizes: Any) -> List[types.Shape]:
        """The shapes of the operands."""
        raise NotImplementedError

    def module(self, dtype: str, sizes: Any,
               deviations: Sequence[Deviation] = ()) -> dict:
        """The program, or one that deviates from it; of two deviations that
        replace the same instruction the last."""
        raise NotImplementedError

    def evaluate(self, dtype: str, sizes: Any, operands: Sequence[np.ndarray],
                 profile: Optional[str], deviations: Sequence[Deviation] = (),
                 values_only: bool = False) -> library.Evaluation:
        """A context manager."""
        module = self.module(dtype, sizes, deviations)
        return library.Evaluation(operation(module), {
            "inputs": [_literal(x) for x in operands], "module": module},
            profile, values_only)

    def applies(self, deviation: Deviation, dtype: str, sizes: Any) -> bool:
        """Does the deviation change the program of these sizes and type?"""
        raise NotImplementedError

    def sizes_text(self, sizes: Any) -> str:
        """"N=131, R=2"."""
        return ", ".join(f"{k}={v}" for k, v in sizes.items())


def _literal(array: np.ndarray) -> dict:
    dims = ",".join(map(str, array.shape))
    return {"shape": f"{types.dtype_name(array.dtype)}[{dims}]",
            "hex": types.to_bytes(array).hex()}


def operation(module: dict) -> str:
    """One that the module contains: the case format asks for it."""
    body = module["computations"][module["entry"]]["body"]
    last = body[-1]
    return last["op"] if isinstance(last, dict) \
        else re.match(r"\s*%?[\w.-]+ = (\w+)\(", last)[1]


class Named(Definition):
    """A file of the folder kernels."""

    def __init__(self, value: dict) -> None:
        self.name, self.text = value["name"], value["text"]
        self.dtypes = value["types"]
        self.long = [s for row in value.get("long", ()) for s in _lengths(row)]
        if "many" in value:
            self.many = value["many"]["size"], value["many"]["sizes"]
        self.shapes = value["shapes"] + self.long
        self.fuses = value.get("fuses", True)
        self.sizes, self.data = value["sizes"], value["data"]
        self.templates, self._module = value["operands"], value["module"]
        self.forms, self.deviations = (
            [d for row in value.get(member, ()) for d in _expand(row)]
            for member in ("forms", "deviations"))

    def variables(self, dtype: str, sizes: Dict[str, int]) -> Variables:
        return {**sizes, "T": dtype, "A": COMPUTES.get(dtype, dtype)}

    def operands(self, dtype: str, sizes: Any) -> List[types.Shape]:
        return [types.parse_shape(fill(s, self.variables(dtype, sizes)))
                for s in self.templates]

    def module(self, dtype: str, sizes: Any,
               deviations: Sequence[Deviation] = ()) -> dict:
        variables = self.variables(dtype, sizes)
        lines = list(self._module["body"])
        for deviation in deviations:
            variables.update(deviation.variables)
            variables.update((k, fill(v, variables)) for k, v in deviation.sets)
            lines += deviation.replace
        return {"computations": {"main": {
            "parameters": [fill(s, self.variables(dtype, sizes))
                           for s in self.templates],
            "body": [fill(line, variables)
                     for line in live(lines, self._module["result"])],
            "result": self._module["result"]}}, "entry": "main"}

    def applies(self, deviation: Deviation, dtype: str, sizes: Any) -> bool:
        return deviation.applies(self.variables(dtype, sizes))


def _lengths(row: Dict[str, Any]) -> Iterator[Dict[str, int]]:
    """Sizes for each of a list of lengths, or of TILES."""
    lists = [TILES if v == "tiles" else v if isinstance(v, list) else [v]
             for v in row.values()]
    yield from (dict(zip(row, values)) for values in itertools.product(*lists))


def _expand(row: dict) -> Iterator[Deviation]:
    """A row for each combination of its variables."""
    each = row.get("each", {})
    for values in itertools.product(*each.values()):
        variables = dict(zip(each, values))
        yield Deviation(
            _named(row["id"], variables), _named(row["text"], variables),
            row.get("where", ""), tuple(row.get("replace", ())),
            tuple(row.get("set", {}).items()), tuple(variables.items()),
            _named(row.get("grid", ""), variables))


def _named(text: str, variables: Variables) -> str:
    """The deviation's own variables alone."""
    return re.sub(r"\$([A-Za-z])",
                  lambda m: str(variables.get(m[1], m[0])), text)


class Program(Definition):
    """A program of its own, with one set of shapes for each entry of shapes:
    (parameters' shapes, module)."""

    def __init__(self, name: str, programs: Sequence[Tuple[list, dict]]
                 ) -> None:
        self.name, self.text = name, ""
        self.shapes = programs
        self.dtypes = [programs[0][0][0].dtype] if programs[0][0] else ["f32"]

    def operands(self, dtype: str, sizes: Any) -> List[types.Shape]:
        return sizes[0]

    def module(self, dtype: str, sizes: Any,
               deviations: Sequence[Deviation] = ()) -> dict:
        return sizes[1]

    def applies(self, deviation: Deviation, dtype: str, sizes: Any) -> bool:
        return False

    def sizes_text(self, sizes: Any) -> str:
        return " ".join(f"{s.dtype}[{','.join(map(str, s.dims))}]"
                        for s in sizes[0])


# ---- Where they come from ----------------------------------------------------

def names() -> List[str]:
    """The named programs."""
    return sorted(p.stem for p in FOLDER.glob("*.json"))


def find(what: Any, arguments: Sequence[Sequence[Any]] = ()) -> Definition:
    """A definition of a name, a path, or a function of JAX, which is lowered
    for each list of arguments (arrays, or anything with shape and dtype)."""
    if isinstance(what, Definition):
        return what
    if callable(what):
        return _of_jax(what, arguments)
    path = pathlib.Path(what)
    if path.suffix in (".mlir", ".mlirbc", ".hlo"):
        return Program(str(what), [_of_stablehlo(str(what), str(what))])
    if path.suffix == ".json":
        return _of_json(path)
    if str(what) not in names():
        raise Unknown(f"unknown program {str(what)!r}"
                      f"{nearest(str(what), names())}; known: "
                      f"{', '.join(names())}; or a file (.mlir, .json)")
    return Named(json.loads((FOLDER / f"{what}.json").read_text("utf-8")))


def _of_json(path: pathlib.Path) -> Definition:
    """A definition of the format of kernels, or a case with a module."""
    try:
        value = document.read_json(str(path))
    except ValueError as e:
        raise Unknown(str(e)) from None
    kind = value.get("format") if isinstance(value, dict) else None
    if kind == "assay-kernel/1":
        try:
            return Named(value)
        except (KeyError, TypeError, ValueError) as e:
            raise Unknown(f"{path}: not a definition: {e!r}") from None
    if kind != "assay-case/1":
        raise Unknown(f"{path}: found format {kind!r}, expected "
                      "'assay-kernel/1' or 'assay-case/1'")
    try:
        return Program(str(path), [_entry(value)])
    except (LookupError, TypeError, AttributeError, ValueError):
        raise Unknown(f"{path}: not a case with a module (assay lint says "
                      "more)") from None


def _of_stablehlo(path: str, name: str) -> Tuple[list, dict]:
    """Imported in a process of its own: MLIR's bindings end theirs where a
    program is broken."""
    parent = str(pathlib.Path(__file__).resolve().parents[1])
    paths = [parent, *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "assay", "import", "--", path],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace", check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    if done.returncode < 0:
        raise Unknown(f"{name}: its import was ended by signal "
                      f"{-done.returncode} "
                      f"({signal.strsignal(-done.returncode)})")
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        said = said.replace("assay import: ", "", 1).replace(path, name)
        raise Unknown(said if said.startswith(name) else f"{name}: {said}")
    return _entry(json.loads(done.stdout))


def _entry(value: dict) -> Tuple[list, dict]:
    """Parameters and module of the first case of a file."""
    case = value["cases"][0]
    module = case["module"]
    module = {**module, "computations": {
        **value.get("computations", {}), **case.get("computations", {}),
        **module["computations"]}}
    entry = module["computations"][module["entry"]]
    return [types.parse_shape(s) for s in entry["parameters"]], module


def _of_jax(function: Callable[..., Any],
            arguments: Sequence[Sequence[Any]]) -> Definition:
    try:
        import jax
    except ModuleNotFoundError:
        raise Unknown("a function as a definition is lowered by JAX, which is "
                      "not installed here") from None
    if not arguments:
        raise Unknown("a function as a definition needs shapes: a list with a "
                      "list of arrays or jax.ShapeDtypeStruct for each call")
    name = getattr(function, "__name__", "function")
    made = []
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/program.mlir"
        for a in arguments:
            text = jax.jit(function, keep_unused=True).lower(*a).as_text()
            pathlib.Path(path).write_text(text, "utf-8")
            made.append(_of_stablehlo(path, name))
    return Program(name, made)
