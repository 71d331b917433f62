#!/usr/bin/env python3
# builder.t - which shapes broadcast, and to what, by XLA's own XlaBuilder.
#
# SPDX-License-Identifier: Apache-2.0
#
# jaxlib exposes XlaBuilder to Python up to 0.4.30, so the test is skipped where
# there is none:
#     python3 -m pip install 'numpy<2' jaxlib==0.4.30
#
# NumPy's rule is not XlaBuilder's: all cases name the dimensions or none.
#
# ASSAY_SAMPLES: pairs of shapes.  ASSAY_SEED: other ones.
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from tap import finish, ok  # noqa: E402

try:
    import numpy as np
    from jaxlib import xla_client
    builder, ops = xla_client.XlaBuilder, xla_client.ops
except (ImportError, AttributeError):
    print("1..0 # SKIP jaxlib 0.4.30, with XlaBuilder, is not installed")
    sys.exit(0)

ASSAY = os.environ.get("ASSAY", "build/assay")
SAMPLES = int(os.environ.get("ASSAY_SAMPLES") or 400)
SEED = os.environ.get("ASSAY_SEED", "1")
TYPES = {"Add": "s32", "ShiftLeft": "s32", "Eq": "f32", "Complex": "f32"}


def pair(s):
    """Two shapes that often go together, and perhaps a map."""
    high = [s.choice([0, 1, 1, 2, 3]) for _ in range(s.randint(0, 3))]
    kept = sorted(s.sample(range(len(high)), s.randint(0, len(high))))
    low = [s.choice([high[d]] * 4 + [1, 2]) for d in kept]
    if s.random() < 0.3:  # a map of the wrong length, order or range
        kept = [s.randint(-1, 3) for _ in range(s.randint(0, 3))]
    elif s.random() < 0.2:
        kept = []
    return [high, low][::s.choice([1, -1])], kept


def by_xla(op, shapes, kept):
    """The sizes of the result, or None if XlaBuilder refuses."""
    kind = {"s32": np.int32, "f32": np.float32}[TYPES[op]]
    b = builder("case")
    x, y = (ops.Parameter(b, i, xla_client.Shape.array_shape(
        np.dtype(kind), s)) for i, s in enumerate(shapes))
    try:
        getattr(ops, op)(x, y, kept)
        return list(b.build().program_shape().result_shape().dimensions())
    except RuntimeError:  # XlaRuntimeError
        return None


def by_assay(op, drawn):
    def operand(sizes):
        return {"shape": f"{TYPES[op]}[{','.join(map(str, sizes))}]",
                "splat": 0}
    cases = [{"id": f"c{i}", "why": "drawn",
              "inputs": [operand(s) for s in shapes],
              **({"attributes": {"broadcast_dimensions": kept}}
                 if kept else {})}
             for i, (shapes, kept) in enumerate(drawn)]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)
        f.flush()
        done = subprocess.run([ASSAY, "eval", "--json", f.name], text=True,
                              stdout=subprocess.PIPE, check=False)
    return [json.loads(f"[{r['shape'].split('[')[1]}") if r["status"] == "ok"
            else None for r in json.loads(done.stdout)["cases"]]


for name in TYPES:
    source = random.Random(f"{SEED} {name}")
    pairs = [pair(source) for _ in range(SAMPLES)]
    want = [by_xla(name, *p) for p in pairs]
    got = by_assay(name, pairs)
    wrong = [f"{p}: {g}, XlaBuilder {w}" for p, g, w in zip(pairs, got, want)
             if g != w]
    good = sum(w is not None for w in want)
    ok(len(got) == SAMPLES and not wrong,
       f"{name}: {good} pairs of shapes broadcast, {SAMPLES - good} do not",
       "\n".join(wrong[:10]) + f"\nseed {SEED}")
    ok(SAMPLES // 5 < good < SAMPLES - SAMPLES // 5, f"{name}: many of both")
finish()
