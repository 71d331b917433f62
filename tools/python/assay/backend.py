"""Write a backend in Python.

SPDX-License-Identifier: Apache-2.0

A backend is a function for each operation that a library has:

    import numpy as np
    from assay import backend

    mine = backend.Backend("mine", version=np.__version__, dtypes="f32 f64")

    @mine.op("Add")
    def add(x, y):
        return np.add(x, y)

    if __name__ == "__main__":
        mine.serve()

and is judged by

    assay run --backend 'process:python3 mine.py' --filter 'Add/*'

A function takes the operands as NumPy arrays (a tuple as a tuple, a token as
None), and those attributes as keywords that its signature names.  An attribute
that it does not name must have its default: the case is unsupported otherwise,
so that nothing is ignored.  ``result``, if named, is the Shape of the result.
It returns an array, or a tuple of them.  What it returns is what is judged:
neither the element type nor the dimensions are corrected.
"""
import difflib
import inspect
import json
import sys
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Optional,
                    Sequence, Tuple)

import numpy as np

from assay import protocol, types
from assay.types import OPERATIONS

#: What a backend gives for an operation.
Function = Callable[..., Any]


class Error(Exception):
    """Ends a call with an error class of spec/protocol.md: "unsupported",
    "rejected", "shape", "type", "attribute", "computation", "structure"."""

    def __init__(self, error: str, text: str) -> None:
        super().__init__(text)
        self.error = error


class Unsupported(Error):
    """The backend does not do this, and is not wrong for it."""

    def __init__(self, text: str) -> None:
        super().__init__("unsupported", text)


class Computation:
    """A computation that an attribute names: call it with arrays."""

    def __init__(self, program: "Program", name: str) -> None:
        self._program, self._name = program, name

    def __call__(self, *operands: Any) -> Any:
        return self._program.run(self._name, operands)

    @property
    def op(self) -> Optional[str]:
        """"Add", if it only applies that operation to its two parameters, in
        either order; else None."""
        body = self._program.computations[self._name]
        if len(body["body"]) == 1 and body["result"] == body["body"][0]["name"] \
                and sorted(body["body"][0]["operands"]) == ["p0", "p1"]:
            return body["body"][0]["op"]
        return None


class Backend:
    """A backend; see the module.

    name, version: for the records.  dtypes: element types, separated by blanks
    (default: all that are available).  capabilities, properties: more of those
    of spec/protocol.md, as dictionaries of strings.
    """

    #: The texts of a program that it takes.
    forms: Sequence[str] = ("json",)

    def __init__(self, name: str, version: str = "0",
                 dtypes: Optional[str] = None,
                 capabilities: Optional[Dict[str, str]] = None,
                 properties: Optional[Dict[str, str]] = None) -> None:
        self.name, self.version = name, version
        self.dtypes = " ".join(types.DTYPES) if dtypes is None else dtypes
        self.capabilities = dict(capabilities or {})
        for declared in (self.dtypes, self.capabilities.get("dtypes", "")):
            _check_dtypes(declared)
        self.properties = {"python": sys.version.split()[0],
                           "numpy": np.__version__, **(properties or {})}
        self.options = {}
        self.functions = {
            "Tuple": lambda *operands: tuple(operands),
            "GetTupleElement": lambda operand, *, index: operand[index],
            "Constant": lambda *, literal: literal,
            "Call": lambda *operands, computation: computation(*operands),
        }

    def op(self, *names: str) -> Callable[[Function], Function]:
        """Decorator: the function for these operations of spec/ops."""
        for name in names:
            if name not in OPERATIONS:
                raise ValueError(f"{name!r} is not an operation of spec/ops")

        def register(function: Function) -> Function:
            for name in names:
                _check_signature(name, function)
            for name in names:
                self.functions[name] = function
            return function
        return register

    def opened(self, options: Dict[str, str]) -> None:
        """Called once, with the options of the command line; override it."""
        if options:
            raise Error("failed", f"unknown option '{next(iter(options))}'")

    def invalid(self, program: "Program") -> None:
        """Called with a Program that must be rejected: raise Error to reject
        it, return to accept it.  A backend that does not check programs leaves
        this as it is."""
        raise Unsupported("programs are not checked")

    def declare(self) -> Dict[str, str]:
        """The capabilities."""
        return {"dtypes": self.dtypes, "rejects-without-class": "yes",
                "ops": " ".join(self.functions),
                **self.capabilities}

    def compile(self, texts: Dict[str, str], lacks: Dict[str, str]) -> Any:
        """An object with a method execute, of a program's texts by form; lacks
        has the reason for each form that is missing."""
        program = Program(self, json.loads(texts["json"]))
        if "outputs" not in program.document:
            self.invalid(program)
        return program

    def serve(self) -> None:
        """Answer requests until standard input ends."""
        np.seterr(all="ignore")
        pipe, programs = protocol.Pipe(), {}
        for header, body in iter(pipe.read, None):
            if header["call"] == "release":
                del programs[header["executable"]]
                continue
            try:
                reply, parts = self._answer(header, body, programs)
            except Error as e:
                reply, parts = {"error": e.error, "text": str(e)}, ()
            except Exception as e:  # whatever a library raises
                text = f"{type(e).__name__}: {e}".replace("\n", " ")
                reply, parts = {"error": "failed", "text": text[:900]}, ()
            pipe.write(reply, parts)

    def _answer(self, header: dict, body: bytes, programs: dict
                ) -> Tuple[dict, Sequence[bytes]]:
        if header["call"] == "open":
            self.opened(header["options"])
            self.options = header["options"]
            return {"protocol": protocol.version(header), "name": self.name,
                    "version": self.version, "properties": self.properties,
                    "forms": list(self.forms),
                    "capabilities": self.declare()}, ()
        if header["call"] == "compile":
            texts, at = {}, 0
            for part in header["parts"]:
                texts[part["form"]] = body[at:at + part["bytes"]].decode()
                at += part["bytes"]
            programs[header["executable"]] = self.compile(
                texts, header.get("lacks", {}))
            return {}, ()
        if header["call"] == "execute":
            if "infeed" in header:
                raise Unsupported("infeed")
            return programs[header["executable"]].execute(body)
        if header["call"] == "sync":
            return {}, ()
        raise Error("failed", f"unknown call '{header['call']}'")


def _check_dtypes(names: str) -> None:
    """A type that no program has would leave every case of it unsupported."""
    if not isinstance(names, str):
        raise TypeError("dtypes must be a text of names, separated by blanks")
    for name in names.split():
        if name in types.DTYPES:
            continue
        if name in types.NAMES:
            raise ValueError(f"element type {name!r} needs ml_dtypes")
        near = difflib.get_close_matches(name, types.NAMES, 1)
        hint = f" (nearest: {near[0]!r})" if near else ""
        raise ValueError(f"unknown element type {name!r}{hint}; expected some "
                         f"of {' '.join(types.NAMES)}")


def _check_signature(op: str, function: Function) -> None:
    """A keyword that is misspelt would never be passed."""
    known = OPERATIONS[op]["attributes"]
    for p in inspect.signature(function).parameters.values():
        if p.kind == p.KEYWORD_ONLY and p.default is p.empty \
                and p.name != "result" and p.name not in known:
            raise ValueError(f"{op} has no attribute '{p.name}'; it has: "
                             f"{', '.join(known) or 'none'}")


class Program:
    """A program (spec/protocol.md, Programs) that is run by a backend's
    functions."""

    def __init__(self, backend: Backend, document: dict) -> None:
        self.backend, self.document = backend, document
        self.computations = document["module"]["computations"]
        self.entry = document["module"]["entry"]
        self.inputs = [types.parse_shape(s) for s in document["inputs"]]
        if document["replicas"] * document["partitions"] > 1:
            raise Unsupported("several replicas")
        for shape in self.inputs:
            if shape is not None and any(shape.dynamic):
                raise Unsupported("dynamic dimensions")
        self._bound = {}
        for name, computation in self.computations.items():
            for instruction in computation["body"]:
                key = name, instruction["name"]
                self._bound[key] = self._bind(instruction)

    def _bind(self, instruction: dict) -> Tuple[Function, dict]:
        """The function of an instruction and its keywords."""
        op = instruction["op"]
        function = self.backend.functions.get(op)
        if function is None:
            raise Unsupported(f"no function for {op}")
        parameters = inspect.signature(function).parameters.values()
        takes = {p.name for p in parameters
                 if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
        every = any(p.kind == p.VAR_KEYWORD for p in parameters)
        keywords = {}
        for name, value in instruction.get("attributes", {}).items():
            spec = OPERATIONS[op]["attributes"].get(name, {})
            if name in takes or every:
                keywords[name] = self._value(spec.get("form"), value)
            elif value != spec.get("default"):
                raise Unsupported(f"{op}: {name} = {json.dumps(value)[:60]}")
        if "result" in takes:
            keywords["result"] = types.parse_shape(instruction["shape"]) \
                if "shape" in instruction else None
        return function, keywords

    def _value(self, form: Optional[str], value: Any) -> Any:
        if form == "type":
            return types.Shape(value, (), ()).numpy
        if form == "shape":
            return types.parse_shape(value)
        if form == "literal":
            return self._literal(value)
        if form == "computation":
            return Computation(self, value)
        if form == "computations":
            return [Computation(self, name) for name in value]
        return value

    def _literal(self, value: dict) -> Any:
        if "tuple" in value:
            return tuple(self._literal(v) for v in value["tuple"])
        shape = types.parse_shape(value["shape"])
        if shape is not None and any(shape.dynamic):
            raise Unsupported("dynamic dimensions")
        return None if shape is None else types.from_bytes(
            bytes.fromhex(value["hex"]), shape)

    def run(self, name: str, operands: Sequence[Any]) -> Any:
        """The result of a computation."""
        computation = self.computations[name]
        values = {f"p{i}": v for i, v in enumerate(operands)}
        for i in computation["body"]:
            function, keywords = self._bound[name, i["name"]]
            values[i["name"]] = _arrays(function(
                *(values[o] for o in i["operands"]), **keywords))
        return values[computation["result"]]

    def arguments(self, arrays: Iterable[Any]) -> List[Any]:
        """The entry's operands, of a list of their arrays."""
        arrays = iter(arrays)

        def one(shape):
            if isinstance(shape, list):
                return tuple(one(s) for s in shape)
            return next(arrays)
        return [one(types.parse_shape(s))
                for s in self.computations[self.entry]["parameters"]]

    def execute(self, body: bytes) -> Tuple[dict, List[bytes]]:
        """Header and parts of the reply."""
        arrays = read_arrays(body, self.inputs)
        return write_arrays(
            _leaves(self.run(self.entry, self.arguments(arrays))))


def read_arrays(body: bytes, shapes: Sequence[Optional[types.Shape]]
                ) -> List[Optional[np.ndarray]]:
    """The arrays of a request to execute; None for a token."""
    arrays, at = [], 0
    for shape in shapes:
        size = types.byte_count(shape)
        arrays.append(None if shape is None
                      else types.from_bytes(body[at:at + size], shape))
        at += size
    return arrays


def write_arrays(values: Iterable[Any]) -> Tuple[dict, List[bytes]]:
    """Header and parts of the reply with these outputs."""
    outputs, parts = [], []
    for value in values:
        if value is None:
            outputs.append({"dtype": "token", "dims": []})
            continue
        array = types.as_array(value)
        outputs.append({"dtype": types.dtype_name(array.dtype),
                        "dims": list(array.shape)})
        parts.append(types.to_bytes(array))
    return {"outputs": outputs}, parts


def _arrays(value: Any) -> Any:
    """As the next function's operand: NumPy's, in tuples."""
    if isinstance(value, (tuple, list)):
        return tuple(map(_arrays, value))
    return None if value is None else types.as_array(value)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for element in value:
            yield from _leaves(element)
    else:
        yield value
