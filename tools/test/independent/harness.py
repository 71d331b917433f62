# harness.py - random programs: written, evaluated together, compared.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import random
import subprocess
import tempfile

import numpy as np

from accepts import filed

from .formats import COMPLEX, FORMATS, INTEGERS, SIGNED, SMALL, bits_of, is_nan

np.seterr(over="ignore")  # integers of any width wrap
ASSAY = os.environ.get("ASSAY", "build/assay")
STORE = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
NUMPY = {"s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
         "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
         "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "c64": np.complex64, "c128": np.complex128}
INT_TYPES = [t for t in INTEGERS if INTEGERS[t] >= 2]
FLOAT_TYPES = ["f16", "bf16", "f32", "f64"]
# Where all that is moved is bits.
ANY_TYPES = (["pred"] + INT_TYPES + FLOAT_TYPES + SMALL + list(COMPLEX))


def store_of(type):
    if type in COMPLEX:
        return NUMPY[type]
    return STORE[max(8, 1 << (bits_of(type) - 1).bit_length())]


# Which small format's pattern is each number?  -0 is not asked for.
CODES = {t: {FORMATS[t].number(p): p for p in
             reversed(range(1 << FORMATS[t].bits))} for t in SMALL}
NUMBERS = {t: np.array([float(FORMATS[t].number(p)) for p in
                        range(1 << FORMATS[t].bits)]) for t in SMALL}


class Array:
    """An array as bit patterns; a complex one as NumPy's numbers."""

    def __init__(self, type, bits):
        self.type = type
        self.bits = np.ascontiguousarray(bits, dtype=store_of(type)).reshape(
            np.shape(bits))

    @property
    def shape(self):
        return self.bits.shape

    @property
    def name(self):
        return f"{self.type}[{','.join(map(str, self.shape))}]"

    def moved(self, bits):
        return Array(self.type, bits)

    def literal(self):
        raw = self.bits.astype(self.bits.dtype.newbyteorder("<"))
        return {"shape": self.name, "hex": raw.tobytes().hex()}

    def values(self):
        """As NumPy's numbers, which hold them exactly."""
        t = self.type
        if t in COMPLEX:
            return self.bits
        if t == "pred":
            return self.bits.astype(bool)
        if t in NUMPY:
            return self.bits.view(NUMPY[t])
        if t in SIGNED:
            n = INTEGERS[t]
            v = self.bits.astype(np.int8)
            return np.where(v >> (n - 1), v - (1 << n), v).astype(np.int8)
        if t in INTEGERS:
            return self.bits
        if t == "bf16":
            wide = np.empty(self.shape, dtype=np.uint32)
            np.left_shift(self.bits, 16, out=wide, dtype=np.uint32)
            return wide.view(np.float32)
        return np.asarray(NUMBERS[t][self.bits])


def of(type, values):
    """An array of these numbers, which the type must have."""
    v = np.asarray(values)
    if type in COMPLEX:
        return Array(type, v.astype(NUMPY[type]))
    if type == "pred":
        return Array(type, v.astype(bool).astype(np.uint8))
    if type in INTEGERS:
        if INTEGERS[type] == 64:
            return Array(type, np.array(
                [int(x) & (2 ** 64 - 1) for x in v.flat],
                dtype=np.uint64).reshape(v.shape))
        return Array(type, v.astype(np.int64) & ((1 << INTEGERS[type]) - 1))
    if type in NUMPY:
        f = v.astype(NUMPY[type])
        assert np.array_equal(f, v, equal_nan=True)
        return Array(type, f.view(store_of(type)))
    if type == "bf16":
        f = v.astype(np.float32)
        u = np.ascontiguousarray(f).view(np.uint32).reshape(f.shape)
        assert not (u & 0xffff).any()
        return Array(type, (u >> 16))
    return Array(type, np.array([CODES[type][x] for x in v.flat],
                                dtype=np.uint8).reshape(v.shape))


def rounded(type, values):
    """An array of these exact numbers, each rounded once; integers wrap."""
    v = np.asarray(values, dtype=object)
    if type in INTEGERS:
        mask = (1 << INTEGERS[type]) - 1
        bits = [int(x) & mask for x in v.flat]
    else:
        bits = [FORMATS[type].round(int(x) if isinstance(x, np.integer) else x)
                for x in v.flat]
    return Array(type, np.array(bits, dtype=store_of(type)).reshape(v.shape))


class Source(random.Random):
    """Random shapes and data; the seed says all."""

    def dims(self, rank=None, low=0, high=5, most=4):
        if rank is None:
            rank = self.randint(low, most)
        # Seldom a size of zero: then nothing else is seen.
        return tuple(0 if self.random() < 0.03 else self.randint(1, high)
                     for _ in range(rank))

    def lines(self, dims, axis=-1, chance=0.04):
        """The same sizes, but seldom one that is long: other code runs."""
        dims = list(dims)
        if dims and self.random() < chance:
            dims = [min(d, 2) for d in dims]
            dims[axis] = self.randint(30, 300)
        return tuple(dims)

    def pattern(self, type, shape):
        """Any bits."""
        n = int(np.prod(shape))
        if type in COMPLEX:
            part = [self.randint(-99, 99) for _ in range(2 * n)]
            return Array(type, (np.array(part[:n]) + 1j * np.array(part[n:])
                                ).reshape(shape))
        most = 1 if type == "pred" else (1 << bits_of(type)) - 1
        return Array(type, np.array([self.randint(0, most) for _ in range(n)],
                                    dtype=store_of(type)).reshape(shape))

    def small(self, type, shape, low=-4, high=4):
        """Small integers, of which sums and products are exact."""
        n = int(np.prod(shape))
        if type == "pred":
            low, high = 0, 1
        elif type in INTEGERS and type not in SIGNED:
            low = max(low, 0)
        if type in COMPLEX:
            v = np.array([complex(self.randint(low, high), self.randint(low, high))
                          for _ in range(n)], dtype=complex)
        else:
            v = np.array([self.randint(low, high) for _ in range(n)], dtype=int)
        return of(type, v.reshape(shape))

    def index(self, type, shape, low, high):
        """Indices; seldom one far outside."""
        n = int(np.prod(shape))
        b = INTEGERS[type]
        least = -(1 << (b - 1)) if type in SIGNED else 0
        most = (1 << (b - 1)) - 1 if type in SIGNED else (1 << b) - 1
        v = []
        for _ in range(n):
            x = self.randint(low, high)
            if self.random() < 0.04:
                x = self.choice([least, most, most // 2 + 1])
            v.append(min(max(x, least), most))
        # Python's own integers: u64 goes beyond NumPy's default.
        return of(type, np.array(v, dtype=object).reshape(shape))

    def subset(self, n, k=None):
        k = self.randint(0, n) if k is None else k
        return sorted(self.sample(range(n), k))

    def permuted(self, n):
        return self.sample(range(n), n)


class Case:
    """A program and what it must give.

    want: an Array each result, or for replicas a list of such lists, and
    then inputs are lists as well; None leaves a result out.  equal: compares two Arrays otherwise than by bits.
    """

    def __init__(self, op, inputs, attributes, want, equal=None, **members):
        self.op, self.want, self.equal = op, want, equal
        self.members = members
        self.json = {"why": "random"}
        self.json["inputs"] = [
            [y.literal() for y in x] if isinstance(x, list) else x.literal()
            for x in inputs]
        if attributes:
            self.json["attributes"] = attributes
        self.json.update(members)


def same(got, want):
    """Bit by bit, but any NaN for a NaN."""
    if got.type in COMPLEX:
        a, b = got.bits, want.bits
        return all(np.array_equal(p, q, equal_nan=True)
                   and np.array_equal(np.signbit(p) | np.isnan(p),
                                      np.signbit(q) | np.isnan(q))
                   for p, q in ((a.real, b.real), (a.imag, b.imag)))
    if np.array_equal(got.bits, want.bits):
        return True
    return got.type in FORMATS and all(
        a == b or (is_nan(got.type, int(a)) and is_nan(got.type, int(b)))
        for a, b in zip(got.bits.flat, want.bits.flat))


def same_number(got, want):
    """Zeros of both signs are the same: sums may give either."""
    return np.array_equal(got.values(), want.values(), equal_nan=True)


def part(text, type):
    return int(text, 16).to_bytes(bits_of(type) // 8, "little")


def read(node):
    """An Array of what eval printed of one."""
    type, dims = node["shape"][:-1].split("[")
    shape = tuple(int(d) for d in dims.split(",") if d)
    bits = [e["bits"] for e in node["elements"]]
    if type in COMPLEX:
        raw = b"".join(part(x, COMPLEX[type])
                       for b in bits for x in b.split(":"))
        return Array(type, np.frombuffer(raw, NUMPY[type]).reshape(shape))
    return Array(type, np.array([int(b, 16) for b in bits],
                                dtype=store_of(type)).reshape(shape))


def write(cases, folder):
    """Case files of an operation each; a case is known by its number."""
    files = {}
    for i, c in enumerate(cases):
        files.setdefault(c.op, []).append(
            {"id": str(i), **filed(c.op, c.json)})
    for op, list in files.items():
        with open(f"{folder}/{op}.json", "w", encoding="utf-8") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": list}, f)


def evaluate(cases):
    """What the interpreter says of each, by its number."""
    with tempfile.TemporaryDirectory() as folder:
        write(cases, folder)
        done = subprocess.run([ASSAY, "eval", "--json", "--elements=1000000",
                               "--profile=strict", folder], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"assay eval: {done.returncode}\n{done.stderr}")
    told = json.loads(done.stdout)["cases"]
    return {int(t["name"].rsplit("/", 1)[1]): t for t in told}


def show(x):
    if x is None:
        return "(not asked)"
    digits = [str(b) if x.type in COMPLEX else f"{int(b):x}" for b in x.bits.flat]
    text = " ".join(digits[:200])
    return f"{x.name} {text}"


def compare(case, told):
    """None, or what is wrong, in words."""
    if told["status"] != "ok":
        return f"{told['status']}: {told.get('text')}"
    want = case.want
    if not case.want or not isinstance(case.want[0], list):
        want = [case.want]
    if len(want) != len(told["replicas"]):
        return "another number of replicas"
    for row, (result, due) in enumerate(zip(told["replicas"], want)):
        if len(result) != len(due):
            return f"{len(result)} results, not {len(due)}"
        for k, (node, w) in enumerate(zip(result, due)):
            if w is None:
                continue
            if node["shape"] != w.name:
                return f"result {k} is {node['shape']}, not {w.name}"
            got = read(node)
            if not (case.equal or same)(got, w):
                return (f"replica {row}, result {k}\n"
                        f"got  {show(got)}\nwant {show(w)}")
    return None
