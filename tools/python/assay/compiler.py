"""Write a backend that compiles StableHLO.

SPDX-License-Identifier: Apache-2.0

Derive from Backend and define compile_text; assay.backends.jax is one.  The
text is a module in MLIR's generic form, with a public function main that has
no tokens.
"""
import json
from itertools import islice
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Tuple)

import numpy as np

from assay import backend, types

#: What a program does: from the inputs of each row to the outputs of each row,
#: without tokens.
Function = Callable[[List[List[np.ndarray]]], Sequence[Sequence[Any]]]


class Program:
    """A program.  text: as StableHLO.  inputs, outputs: the shapes of its
    arrays, None for a token; there are no outputs if it is invalid."""

    def __init__(self, document: dict, text: str) -> None:
        self.text = text
        self.replicas: int = document["replicas"]
        self.partitions: int = document["partitions"]
        self.rows = self.replicas * self.partitions
        self.inputs, self.outputs = (
            [types.parse_shape(s) for s in document.get(k, ())]
            for k in ("inputs", "outputs"))


class Executable:
    """A compiled program."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program, self.function = program, function

    def execute(self, body: bytes) -> Tuple[dict, List[bytes]]:
        """Header and parts of the reply."""
        inputs = self.program.inputs
        arrays = backend.read_arrays(body, inputs * self.program.rows)
        rows = [[x for x in arrays[i:i + len(inputs)] if x is not None]
                for i in range(0, len(arrays), len(inputs))] \
            if inputs else [[]] * self.program.rows
        return backend.write_arrays(self._outputs(self.function(rows)))

    def _outputs(self, rows: Sequence[Sequence[Any]]
                 ) -> Iterator[Optional[Any]]:
        """With the tokens, which main does not return."""
        for row in rows:
            arrays = iter(row)
            for shape in self.program.outputs:
                yield from (None,) if shape is None else islice(arrays, 1)
            yield from arrays


class Backend(backend.Backend):
    """A backend that compiles text, and is asked about each program: it
    declares no list of operations."""

    forms = ("json", "stablehlo")

    def declare(self) -> Dict[str, str]:
        """The capabilities."""
        return {"rejects-without-class": "yes", "levels": "program",
                "dtypes": self.dtypes, **self.capabilities}

    def compile_text(self, program: Program) -> Function:
        """Raise Error("rejected", why) for an invalid program."""
        raise NotImplementedError

    def compile(self, texts: Dict[str, str], lacks: Dict[str, str]
                ) -> Executable:
        """What compile_text makes of the program."""
        if "stablehlo" not in texts:
            raise backend.Unsupported(lacks["stablehlo"])
        program = Program(json.loads(texts["json"]), texts["stablehlo"])
        function = self.compile_text(program)
        if any(s and any(s.dynamic)
               for s in program.inputs + program.outputs):
            raise backend.Unsupported("dynamic dimensions")
        return Executable(program, function)
