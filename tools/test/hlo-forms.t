#!/usr/bin/python3
# hlo-forms.t - HLO that XLA's conversion does not take, and Assay does.
#
# SPDX-License-Identifier: Apache-2.0
#
# A generator of slices whose starts are a vector; NumPy gives the results.  The
# other forms have results worked out by hand.  ASSAY_SEED draws other slices.
# Needs `make jax`, and is skipped by name without it.
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from imported import check, check_refused, finish, np, ok  # noqa: E402
from jaxlib import _hlo  # noqa: E402
from jaxlib._jax import mlir as convert  # noqa: E402

SEED = int(os.environ.get("ASSAY_SEED") or 1)
X = np.float32([1, -2, 3, 0.5])


def is_taken(text):
    """By XLA's conversion, and MLIR's verifier."""
    from assay import mlir
    try:
        made = convert.hlo_to_stablehlo(_hlo.hlo_module_from_text(
            text).as_serialized_hlo_module_proto())
        with mlir.context():
            mlir.ir.Module.parse(made)
        return True
    except Exception:  # of several classes
        return False


def entry(body, more="", counts=""):
    return f"HloModule m{counts}\n{more}ENTRY e {{\n{body}\n}}\n"


def starts_of(vector, index, dims):
    """A parameter that is a vector, or one for each dimension; their names."""
    if vector:
        return f"  v = {index}[{len(dims)}] parameter(1)\n", "v"
    lines = "".join(f"  s.{k} = {index}[] parameter({k + 1})\n"
                    for k in range(len(dims)))
    return lines, ", ".join(f"s.{k}" for k in range(len(dims)))


def check_starts():
    """The control, with scalars, is what XLA's conversion takes."""
    r = random.Random(SEED)
    for number in range(12):
        dims = [r.randint(1, 4) for _ in range(r.randint(1, 4))]
        sizes = [r.randint(1, n) for n in dims]
        index = r.choice(("s32", "s64", "u32"))
        starts = [r.randint(0 if index[0] == "u" else -2, 5) for _ in dims]
        kept = tuple(slice(max(0, min(s, n - k)), max(0, min(s, n - k)) + k)
                     for s, n, k in zip(starts, dims, sizes))
        x = np.arange(np.prod(dims), dtype=np.int32).reshape(dims)
        update = 100 + np.arange(np.prod(sizes), dtype=np.int32).reshape(sizes)
        written = x.copy()
        written[kept] = update
        kind = {"s32": np.int32, "s64": np.int64, "u32": np.uint32}[index]
        shape, part = (f"s32[{','.join(map(str, d))}]" for d in (dims, sizes))
        for vector in (False, True):
            lines, names = starts_of(vector, index, dims)
            last = 2 if vector else 1 + len(dims)
            text = entry(
                f"  x = {shape} parameter(0)\n{lines}  u = {part} parameter("
                f"{last})\n  d = {part} dynamic-slice(x, {names}), "
                f"dynamic_slice_sizes={{{','.join(map(str, sizes))}}}\n  w = "
                f"{shape} dynamic-update-slice({shape} x, u, /*at*/{names})\n"
                f"  ROOT t = ({part}, {shape}) tuple(d, w)")
            given = [np.array(starts, kind)] if vector else \
                [np.array(s, kind) for s in starts]
            check(f"slice {number}, seed {SEED}, starts "
                  + ("in a vector" if vector else "as scalars"), text,
                  [x, *given, update], [x[kept], written], where="t.hlo")
            ok(is_taken(text) != vector, "XLA's conversion takes scalars alone",
               text)


NEGATE = ("negate_it {\n  x = f32[4] parameter(0)\n"
          "  ROOT v = f32[4] negate(x)\n}\n")
CALL = ("  x = f32[4] parameter(0)\n  ROOT c = f32[4] call(x), to_apply="
        "negate_it, is_composite=true, frontend_attributes={%s}")
#: A name, a program that XLA's conversion does not take, its operands, results.
FORMS = (
    ("a token of values", entry(
        "  p = f32[4] parameter(0)\n  n = f32[4] negate(p)\n"
        "  k = token[] after-all(n)\n  t = token[] after-all(n, k)\n"
        "  q = f32[4] add-dependency(p, t)\n"
        "  ROOT s = f32[4] add(q, q)"), [X], [X + X]),
    ("a constant that is a tuple", entry(
        "  ROOT c = ((f32[2,1], s32[]), pred[2]) constant(( ( { {1}, "
        "/*i0=1*/ {-0.5} }, 7 ), {1, 0} ))"), [],
     [np.float32([[1], [-0.5]]), np.int32(7), np.array([True, False])]),
    ("a part of one", entry(
        '  %c = (f32[], s32[2]) constant((3, {4, 5})), metadata={op_name='
        '"f(x, {y)\\""}\n  ROOT r = s32[2] get-tuple-element(%c), index=1'),
     [], [np.int32([4, 5])]),
    ("several arrays are permuted", entry(
        "  i = u32[] replica-id()\n  j = u32[] add(i, i)\n  ROOT r = (u32[], "
        "u32[]) collective-permute(i, j), source_target_pairs={{0,1},{1,0}}",
        counts=", replica_count=2"), [],
     [np.uint32(1), np.uint32(2), np.uint32(0), np.uint32(0)]),
    ("a composite without attributes", entry(
        CALL % 'composite.name="a.b"', NEGATE), [X], [-X]))


def check_forms():
    for name, text, inputs, expected in FORMS:
        check(name, text, inputs, expected, where="t.hlo")
        ok(not is_taken(text), f"{name}: XLA's conversion does not take it",
           text)
    text = entry(CALL % 'composite.attributes={n = 1 : i32},composite.name='
                 '"a.b",composite.version="1"', NEGATE)
    check("a composite with all", text, [X], [-X], where="t.hlo")
    ok(is_taken(text), "which XLA's conversion takes", text)


def check_names():
    """Two computations use the same names, which XLA makes different ones."""
    body = ("  x = s32[4] parameter(0)\n  v = s32[1] constant({%d})\n"
            "  ROOT d = s32[2] dynamic-slice(x, v), dynamic_slice_sizes={2}\n")
    text = entry(body % 1 + "  y = s32[2] call(x), to_apply=inner\n"
                 "  ROOT s = s32[2] add(d, y)", f"inner {{\n{body % 2}}}\n")
    text = text.replace("ROOT d = s32[2] dynamic-slice(x, v), "
                        "dynamic_slice_sizes={2}\n  y", "d = s32[2] "
                        "dynamic-slice(x, v), dynamic_slice_sizes={2}\n  y")
    check("the names of two computations", text,
          [np.int32([10, 20, 30, 40])], [np.int32([50, 70])], where="t.hlo")


def check_places():
    """A refusal has a place, with counts of replicas or without."""
    for counts in ("", ", replica_count=2"):
        check_refused(f"slices that are permuted{counts}", entry(
            "  x = f32[4] parameter(0)\n  y = f32[4] parameter(1)\n"
            "  z = s32[] constant(0)\n  t = (s32[]) tuple(z)\n"
            "  ROOT r = f32[4] collective-permute(x, y, t, t), "
            "source_target_pairs={{0,1}}, slice_sizes={{2}}", counts=counts),
            "t.hlo:7:3: 'stablehlo.collective_permute' op ", where="t.hlo")
    for opcode, shape, given in (("send", "f32[], u32[], token[]", "c, t"),
                                 ("recv", "f32[], u32[], token[]", "t")):
        check_refused(f"{opcode} without a channel", entry(
            "  c = f32[] constant(1)\n  t = token[] after-all()\n"
            f"  r = ({shape}) {opcode}({given})\n  ROOT d = f32[] negate(c)"),
            f"t.hlo:5:3: {opcode}: channel_id is missing", where="t.hlo")


def check_calls():
    """What XLA's conversion would lose; the same words in a text are none."""
    call = ('  x = f32[4] parameter(0)\n  ROOT c = (f32[2], s32[2]) '
            'custom-call(%s), custom_call_target="TopK"%s')
    check("a bound of a size", entry(
        "  n = s32[] parameter(0)\n  ROOT c = s32[] custom-call(n), "
        'custom_call_target="SetBound", literal=s32[] 8'), [np.int32(3)],
        [np.int32(3)], where="t.hlo")
    check_refused("a literal of another call", entry(
        "  n = s32[] parameter(0)\n  ROOT c = s32[] custom-call(n), "
        'custom_call_target="f", literal=s32[2]{0} {8, 9}'), "t.hlo:4:3: "
        "stablehlo.custom_call: the attribute mhlo.literal", where="t.hlo")
    for given in ("window={size=2}", "dim_labels=b0f_0io->b0f",
                  "literal=( s32[2]{0} {4, 3}, pred[1]{0} {1} )"):
        check_refused(f"a call with {given}", entry(call % ("x", f", {given}")),
                      "t.hlo:4:3: custom-call: the attribute "
                      + given.partition("=")[0], where="t.hlo")
    top = [np.float32([3, 1]), np.int32([2, 0])]
    check("a text of a call", entry(call % (
        "x", ', backend_config=", window={\\"size\\", literal=1, '
        'api_version=API_VERSION_UNSPECIFIED"')), [X], top,
        where="t.hlo")
    text = entry(call % ("x", ", api_version=API_VERSION_UNSPECIFIED"))
    check("a version that is not specified", text, [X], top, where="t.hlo")
    ok(not is_taken(text), "which XLA's conversion does not take", text)
    text = entry("  t = (f32[4], s32[]) parameter(0)\n  ROOT c = f32[4] "
                 "custom-call(t), custom_call_target=\"f\", "
                 "operand_layout_constraints={(f32[4]{0}, s32[])}")
    check_refused("layouts of tuples", text, "t.hlo:", where="t.hlo",
                  entry="nothing")
    ok(not is_taken(text), "which XLA's conversion does not take", text)


check_starts()
check_calls()
check_forms()
check_names()
check_places()
finish()
