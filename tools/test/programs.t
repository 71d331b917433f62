#!/usr/bin/python3
# programs.t - what programs in StableHLO and HLO may say, and what they mean.
#
# SPDX-License-Identifier: Apache-2.0
#
# Each program is imported and evaluated; expected results are worked out here in
# NumPy, on numbers that every step keeps exact.  A generator leaves out and puts
# in what a program may leave out.  Needs `make jax`, and is skipped by name
# without it.
import itertools
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from imported import (check, check_refused, evaluate, finish,  # noqa: E402
                      import_command, importer, library, main_of, mlir, np, ok,
                      shape_of, simple, sources, tensor, types)

X = np.float32([1, -2, 4, 3])
Y = np.float32([8, 5, -1, 2])
M = np.arange(6, dtype=np.float32).reshape(2, 3)
I = np.int32([7, -3, 2**31 - 1, -2**31])
J = np.int32([5, 11, 2, -1])


# ---- What says nothing of values ---------------------------------------------

F4 = "tensor<4xf32>"
ADD = f"%r = stablehlo.add %x, %y : {F4}"


def check_notes():
    for attribute in ('mhlo.sharding = "{replicated}"', "someattr",
                      "enzyme.x = [1, 2.5]", 'jax.note = "\\22"',
                      "frontend = {a = 1 : i32}"):
        simple(f"a note: {attribute}",
               f"%r = stablehlo.add %x, %y {{{attribute}}} : {F4}", [X, Y],
               X + Y)
        simple(f"of a constant: {attribute}",
               f"%c = stablehlo.constant {{{attribute}}} "
               f"dense<[1.0, 2.0, 0.5, -0.0]> : {F4}\n"
               f"%r = stablehlo.add %x, %c : {F4}", [X],
               X + np.float32([1, 2, .5, -0.0]))
    mesh = 'sdy.mesh @mesh = <["a"=2]>\n'
    shard = '<@mesh, [{"a"}]>'
    for op in (f"sdy.sharding_constraint %s {shard}",
               f"sdy.reshard %s {shard}"):
        simple(op, f"%s = stablehlo.add %x, %y : {F4}\n%r = {op} : {F4}",
               [X, Y], X + Y, mesh)
    text = mesh + main_of(ADD, [("x", f"{F4} {{sdy.sharding = #sdy.sharding"
                                 f"{shard}}}"), ("y", F4)], F4)
    for counts in ("", "mhlo.num_partitions = 2 : i32, "):
        whole = f"module attributes {{{counts}jax.x = 1 : i32}} {{\n{text}\n}}"
        check(f"a global program is one partition: {counts}", whole, [X, Y],
              [X + Y])
    simple("an annotation as a custom call",
           '%r = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = '
           f'"{{replicated}}"}} : ({F4}) -> {F4}', [X], X)
    simple("a composite's attributes may be any",
           '%r = stablehlo.composite "my.op" %x {composite_attributes = '
           '{a = 1.5 : f32, b = [1, "x"], c = dense<1.0> : tensor<2xf32>, '
           f'd = f32}}, decomposition = @f}} : ({F4}) -> {F4}', [X], X + X,
           f"func.func private @f(%a: {F4}) -> {F4} {{\n%0 = stablehlo.add "
           f"%a, %a : {F4}\nreturn %0 : {F4}\n}}\n")


    simple("an assertion of a test",
           "stablehlo.custom_call @check.expect_eq(%x, %x) {has_side_effect = "
           f"true}} : ({F4}, {F4}) -> ()\n" + ADD, [X, Y], X + Y)


def check_mhlo():
    """The dialect of HLO has its own spellings."""
    simple("mhlo.add, mhlo.constant", f"%c = mhlo.constant dense<2.0> : {F4}\n"
           f"%a = mhlo.add %x, %c : {F4}\n%r = mhlo.copy %a : {F4}", [X], X + 2)
    simple("mhlo.reduce", "%i = mhlo.constant dense<0.0> : tensor<f32>\n"
           "%r = mhlo.reduce(%x init: %i) applies mhlo.add across dimensions = "
           f"[0] : ({F4}, tensor<f32>) -> tensor<f32>", [X], X.sum())
    simple("mhlo.compare", "%r = mhlo.compare LT, %x, %y : "
           f"({F4}, {F4}) -> tensor<4xi1>", [X, Y], X < Y)
    simple("mhlo.dot_general", '%r = "mhlo.dot_general"(%x, %y) <{'
           "dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], "
           "rhs_contracting_dimensions = [0]>, precision_config = "
           "[#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : "
           f"({F4}, {F4}) -> tensor<f32>", [X, Y], np.float32(X @ Y))
    simple("mhlo.convolution", "%r = mhlo.convolution(%x, %y) dim_numbers = "
           "[b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], reverse = "
           "[true]} {batch_group_count = 1 : i64, feature_group_count = 1 : "
           "i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> "
           "tensor<1x1x3xf32>", [X.reshape(1, 1, 4), np.float32([[[2, -1]]])],
           np.float32([[[2 * X[i + 1] - X[i] for i in range(3)]]]))
    simple("mhlo.while", """%one = mhlo.constant dense<1> : tensor<i32>
        %w = mhlo.while(%a = %x) : tensor<i32> cond {
          %p = mhlo.compare LT, %a, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
          mhlo.return %p : tensor<i1>
        } do {
          %n = mhlo.add %a, %one : tensor<i32>
          mhlo.return %n : tensor<i32>
        }
        %r = mhlo.add %w, %w : tensor<i32>""", [np.int32(3), np.int32(9)],
           np.int32(18))


def check_old():
    """Deprecated operations, in StableHLO and in the dialect of HLO, and types
    that this dialect spells otherwise."""
    matrix = np.float32([[1, 2, -1], [4, 0, 3]])
    for left, right in ((matrix, matrix.T[:, :1].copy()),
                        (matrix, X[:3].copy()), (X[:3].copy(), Y[:3].copy()),
                        (X[:3].copy(), matrix.T.copy())):
        made = np.asarray(left @ right, np.float32)
        for dialect in ("stablehlo", "mhlo"):
            simple(f"{dialect}.dot {left.shape}, {right.shape}",
                   f'%r = "{dialect}.dot"(%x, %y) : ({tensor(left)}, '
                   f"{tensor(right)}) -> {tensor(made)}", [left, right], made)
    for dialect, sizes in (("stablehlo", "array<i64: 2, 3>"),
                           ("mhlo", "dense<[2, 3]> : tensor<2xi64>")):
        simple(f"{dialect}.broadcast", f'%r = "{dialect}.broadcast"(%x) '
               f"{{broadcast_sizes = {sizes}}} : ({F4}) -> tensor<2x3x4xf32>",
               [X], np.broadcast_to(X, (2, 3, 4)))
        check(f"{dialect}.cross-replica-sum", main_of(
            f'%r = "{dialect}.cross-replica-sum"(%x) {{replica_groups = '
            f"dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}} : ({F4}) -> {F4}",
            [("x", F4)], F4), [X], [X + X] * 4)
        simple(f"{dialect}.create_token", f'%t = "{dialect}.create_token"() : '
               f'() -> !{dialect}.token\n%u = "{dialect}.after_all"(%t, %t) : '
               f"(!{dialect}.token, !{dialect}.token) -> !{dialect}.token\n"
               f"%c = mhlo.copy %x : {F4}\n%r = mhlo.add_dependency %c, %u : "
               f"({F4}, !{dialect}.token) -> {F4}", [X], X)
        token = f"!{dialect}.token"
        ok(importer.import_program(main_of("", [("r", token)], token).encode()
                                   ).inputs() == [None], f"a {token} as input")
    bounded = "tensor<?x2xf32, #{}>"
    shapes = [importer.import_program(main_of(
        "", [("r", bounded.format(b))], bounded.format(b)).encode()).inputs()
        for b in ("stablehlo.bounds<8, ?>",
                  "mhlo.type_extensions<bounds = [8, ?]>")]
    ok(shapes[0] == shapes[1] == [types.parse_shape("f32[<=8,2]")],
       "bounds in either dialect", shapes)
    for text, sizes in (("?x3", (2, 3)), ("?x?", (4, 3))):
        left = np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes)
        for dialect in ("stablehlo", "mhlo"):
            check(f"{dialect}.dot of {text}", main_of(
                f'%r = "{dialect}.dot"(%x, %y) : (tensor<{text}xf32>, '
                "tensor<3x2xf32>) -> tensor<?x2xf32>",
                [("x", f"tensor<{text}xf32>"), ("y", "tensor<3x2xf32>")],
                "tensor<?x2xf32>"), [left, matrix.T.copy()],
                [left @ matrix.T])


def check_constants():
    resource = '{-#\n  dialect_resources: {\n    builtin: {\n      ' \
        'blob: "0x040000000000803F00000040"\n    }\n  }\n#-}\n'
    two = np.float32([1, 2])
    check("a dense_resource", "func.func @main() -> tensor<2xf32> {\n"
          "%0 = stablehlo.constant dense_resource<blob> : tensor<2xf32>\n"
          "return %0 : tensor<2xf32>\n}\n" + resource, [], [two])
    simple("a splat of hexadecimal text",
           f'%c = stablehlo.constant dense<"0x0000803F"> : {F4}\n'
           f"%r = stablehlo.add %x, %c : {F4}", [X], X + 1)
    simple("arith.constant", f"%c = arith.constant dense<2.0> : {F4}\n"
           f"%r = stablehlo.add %x, %c : {F4}", [X], X + 2)


# ---- Attributes that may be absent -------------------------------------------

def windows(x, window, strides, base, dilations, padding, fold, initial):
    """A reduction over windows in one dimension, element by element."""
    wide = [initial] * ((len(x) - 1) * base + 1)
    wide[::base] = list(x)
    wide = [initial] * padding[0] + wide + [initial] * padding[1]
    last = len(wide) - (window - 1) * dilations
    return np.array([fold([wide[i + k * dilations] for k in range(window)])
                     for i in range(0, last, strides)], x.dtype)


def check_windows():
    choices = {"window_strides": (None, 1, 2), "base_dilations": (None, 1, 2),
               "window_dilations": (None, 1, 2),
               "padding": (None, (0, 0), (1, 2))}
    for values in itertools.product(*choices.values()):
        given = dict(zip(choices, values))
        said = ["window_dimensions = array<i64: 2>"] + [
            f"padding = dense<[[{v[0]}, {v[1]}]]> : tensor<1x2xi64>"
            if k == "padding" else f"{k} = array<i64: {v}>"
            for k, v in given.items() if v is not None]
        result = windows(X, 2, *(given[k] or 1 for k in list(choices)[:3]),
                         given["padding"] or (0, 0), max, np.float32(-9))
        simple(f"reduce_window: {given}",
               '%r = "stablehlo.reduce_window"(%x, %y) <{'
               + ", ".join(said) + "}> ({\n"
               "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
               "%m = stablehlo.maximum %a, %b : tensor<f32>\n"
               f"stablehlo.return %m : tensor<f32>\n}}) : ({F4}, tensor<f32>) "
               f"-> {tensor(result)}", [X, np.float32(-9)], result)
    numbers = "dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0]"
    one = np.ones((1, 1, 4), np.float32) * X
    kernel = np.float32([[[2, -1]]])
    for size in range(5):
        said = ["stride = [1]", "pad = [[0, 0]]", "lhs_dilate = [1]",
                "rhs_dilate = [1]", "reverse = [false]"][:size]
        result = np.float32([[2 * X[i] - X[i + 1] for i in range(3)]])[None]
        simple(f"convolution: {said}",
               f"%r = stablehlo.convolution(%x, %y) {numbers}, window = {{"
               + ", ".join(said) + "} {batch_group_count = 1 : i64, "
               "feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, "
               f"tensor<1x1x2xf32>) -> {tensor(result)}", [one, kernel],
               result)
    # Of each window of 2 the larger takes what the source has.
    result = np.float32([1, 0, 12, 0])
    for size in range(3):
        said = ["window_dimensions = array<i64: 2>",
                "window_strides = array<i64: 1>",
                "padding = dense<0> : tensor<1x2xi64>"][:size + 1]
        simple(f"select_and_scatter: {said[1:]}",
               '%r = "stablehlo.select_and_scatter"(%x, %y, %z) <{'
               + ", ".join(said) + "}> ({\n"
               "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
               "%m = stablehlo.compare GE, %a, %b : (tensor<f32>, "
               "tensor<f32>) -> tensor<i1>\nstablehlo.return %m : tensor<i1>\n"
               "}, {\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
               "%m = stablehlo.add %a, %b : tensor<f32>\n"
               f"stablehlo.return %m : tensor<f32>\n}}) : ({F4}, "
               f"tensor<3xf32>, tensor<f32>) -> {F4}",
               [X, np.float32([1, 5, 7]), np.float32(0)], result)
    simple("cholesky without lower", "%r = \"stablehlo.cholesky\"(%x) : "
           "(tensor<1x1xf32>) -> tensor<1x1xf32>", [np.float32([[9]])],
           np.float32([[3]]))


# ---- Regions -----------------------------------------------------------------

def loop(condition, step, more="", result="%w#0"):
    return f"%zero = stablehlo.constant dense<0> : tensor<i32>\n{more}\n" \
        f"%w:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, {F4}\n" \
        f" cond {{\n{condition}\nstablehlo.return %p : tensor<i1>\n }} do {{\n" \
        f"%one = stablehlo.constant dense<1> : tensor<i32>\n" \
        f"%n = stablehlo.add %i, %one : tensor<i32>\n{step}\n" \
        f"stablehlo.return %n, %t : tensor<i32>, {F4}\n }}\n" \
        f"%r = stablehlo.add {result}, {result} : {F4}"


def check_regions():
    less = "%p = stablehlo.compare LT, %i, {} : (tensor<i32>, tensor<i32>) " \
        "-> tensor<i1>"
    three = np.int32(3)
    simple("while that captures in both regions",
           loop(less.format("%z"), f"%t = stablehlo.add %s, %y : {F4}",
                result="%w#1"), [X, Y, three], 2 * (X + 3 * Y))
    simple("while that captures a computed value",
           loop(less.format("%lim"), f"%t = stablehlo.add %s, %d : {F4}",
                f"%d = stablehlo.multiply %y, %y : {F4}\n"
                "%lim = stablehlo.add %z, %zero : tensor<i32>", "%w#1"),
           [X, Y, three], 2 * (X + 3 * Y * Y))
    for a, b in (("%a", "%b"), ("%b", "%a")):
        for op in ("LT", "LE", "GT", "GE", "EQ", "NE"):
            body = f"""%w:2 = stablehlo.while(%a = %x, %b = %y) : tensor<i32>, tensor<i32>
             cond {{ %p = stablehlo.compare {op}, {a}, {b} : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %p : tensor<i1> }}
             do {{ %one = stablehlo.constant dense<1> : tensor<i32>
               %n = stablehlo.add %a, %one : tensor<i32>
               %m = stablehlo.subtract %b, %one : tensor<i32>
               stablehlo.return %n, %m : tensor<i32>, tensor<i32> }}
             %r = stablehlo.add %w#0, %w#0 : tensor<i32>"""
            i, j = 2, 8
            holds = {"LT": lambda: u < v, "LE": lambda: u <= v,
                     "GT": lambda: u > v, "GE": lambda: u >= v,
                     "EQ": lambda: u == v, "NE": lambda: u != v}[op]
            for _ in range(100):
                u, v = (i, j) if a == "%a" else (j, i)
                if not holds():
                    break
                i, j = i + 1, j - 1
            else:
                continue
            simple(f"while {a} {op} {b}", body, [np.int32(2), np.int32(8)],
                   np.int32(2 * i))
    red = f"%r = stablehlo.reduce(%x init: %i) across dimensions = [0] : " \
        f"({F4}, tensor<f32>) -> tensor<f32>\n reducer(%a: tensor<f32>, " \
        "%b: tensor<f32>) {{\n{}\n stablehlo.return %m : tensor<f32>\n }}"
    most = "%q = stablehlo.maximum %a, %b : tensor<f32>\n" \
        "%m = stablehlo.maximum %q, {} : tensor<f32>"
    first = "%i = stablehlo.constant dense<-9.0> : tensor<f32>\n"
    simple("reduce that captures a constant", first + red.format(
        most.format("%i")), [X], np.float32(4))
    simple("reduce that captures what is made of constants",
           first + "%k = stablehlo.negate %i : tensor<f32>\n"
           + red.format(most.format("%k")), [X], np.float32(9))
    simple("reduce that captures an argument", first + red.format(
        most.format("%y")), [X, np.float32(5.5)], np.float32(5.5))
    simple("reduce_window that captures an argument",
           first + '%r = "stablehlo.reduce_window"(%x, %i) <{'
           "window_dimensions = array<i64: 2>}> ({\n"
           "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           + most.format("%y") + "\nstablehlo.return %m : tensor<f32>\n}) : "
           f"({F4}, tensor<f32>) -> tensor<3xf32>", [X, np.float32(2)],
           np.float32([2, 4, 4]))
    simple("map that captures an argument",
           '%r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({\n'
           "^bb0(%a: tensor<f32>):\n"
           "%m = stablehlo.multiply %a, %y : tensor<f32>\n"
           f"stablehlo.return %m : tensor<f32>\n}}) : ({F4}) -> {F4}",
           [X, np.float32(3)], 3 * X)
    simple("sort that captures an argument",
           '%r = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}>'
           " ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           "%p = stablehlo.multiply %a, %y : tensor<f32>\n"
           "%q = stablehlo.multiply %b, %y : tensor<f32>\n"
           "%m = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> "
           f"tensor<i1>\nstablehlo.return %m : tensor<i1>\n}}) : ({F4}) -> {F4}",
           [X, np.float32(-1)], np.sort(X)[::-1])
    simple("scatter that captures an argument",
           '%r = "stablehlo.scatter"(%x, %y, %z) <{scatter_dimension_numbers = '
           "#stablehlo.scatter<inserted_window_dims = [0], "
           "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
           "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           "%q = stablehlo.maximum %a, %b : tensor<f32>\n"
           "%m = stablehlo.maximum %q, %w : tensor<f32>\n"
           f"stablehlo.return %m : tensor<f32>\n}}) : ({F4}, tensor<2x1xi32>, "
           f"tensor<2xf32>) -> {F4}",
           [X, np.int32([[1], [3]]), np.float32([1, 2]), np.float32(3.5)],
           np.float32([1, 3.5, 4, 3.5]))
    wide = "%r = stablehlo.reduce(%x init: %y) across dimensions = [0] : " \
        "(tensor<300xi8>, tensor<i8>) -> tensor<i32>\n reducer(%a: " \
        "tensor<i32>, %b: tensor<i32>) {\n%m = stablehlo.add %a, %b : " \
        "tensor<i32>\nstablehlo.return %m : tensor<i32>\n }"
    ones = np.full(300, 100, np.int8)
    simple("a reduction of a wider type", wide, [ones, np.int8(1)],
           np.int32(30001))


# ---- Several functions and modules -------------------------------------------

def function(name, factor, public=""):
    return f"func.func {public}@{name}(%x: {F4}) -> {F4} {{\n" \
        f"%c = stablehlo.constant dense<{factor}.0> : {F4}\n" \
        f"%r = stablehlo.multiply %x, %c : {F4}\nreturn %r : {F4}\n}}\n"


def check_entries():
    two, three = function("two", 2), function("three", 3)
    unread = 'func.func @bad(%x: tensor<4xf32>) -> tensor<4xf32> {\n' \
        '%r = enzyme.strange %x {a = "}"}, 3 : !enzyme.t\n return %r\n}\n'
    inner = f"module @a {{\n{two}}}\nmodule @b {{\n{two.replace('2.0', '4.0')}"\
        f"{three}}}\n"
    split = f"{two}\n// -----\n\n{two.replace('2.0', '5.0')}\n// -----\n{unread}"
    for name, text, entry, factor, notice in (
            ("main is the entry", function("main", 7) + two, None, 7, 1),
            ("the first function, if there is no main", two + three, None, 2,
             1),
            ("private ones are not chosen", function("f", 9, "private ") + two,
             None, 2, 0),
            ("--entry names one", two + three, "three", 3, 0),
            ("with an @", two + three, "@three", 3, 0),
            ("what cannot be parsed hides nothing", unread + two, "two", 2, 0),
            ("at the end, either", two + unread, None, 2, 1),
            ("a module within a module", inner, "a::two", 2, 0),
            ("another one", inner, "@b::@two", 4, 0),
            ("a name that is in one only", inner, "three", 3, 0),
            ("modules in one file", split, "2::two", 5, 0),
            ("the first of them", split, None, 2, 1),
            ("operations of other dialects elsewhere", two + "func.func "
             '@o(%x: i32) -> i32 {\n%0 = "a.b"(%x) : (i32) -> i32\n'
             "return %0 : i32\n}\n", None, 2, 1)):
        try:
            made, module = evaluate(text, [X], entry=entry)
            good = (made[0] == factor * X).all() \
                and len(module.notices) == notice
            ok(good, name, (made, module.notices))
        except mlir.Refused as e:
            ok(False, name, e)
    for text, entry, why in (
            (two + three, "four", "p.mlir: no function 'four': two, three"),
            (inner, "two", "p.mlir: 2 functions are called 'two': a::two, "
             "b::two"),
            (two + unread, "bad", "p.mlir:7:6: "),
            (unread, None, "p.mlir:2:6: "),
            (f"module @a {{\n{unread}}}\nmodule @b {{\n{two}}}\n", "a::bad",
             "p.mlir:3:6: "),
            ("// -----\n" + unread + "// -----\n" + two, "1::bad",
             "p.mlir:3:6: "),
            ("func.func private @f() -> tensor<f32>\n", None,
             "p.mlir: no function has a body")):
        check_refused(f"{entry}: {why}", text, why, entry=entry)


def check_refusals():
    body = "%r = {} : {}\nreturn %r : {}\n}}\n"

    def one(op, kind=F4):
        return f"func.func @main(%x: {kind}) -> {kind} {{\n" \
            + body.format(op, kind, kind)

    kernel, z4 = "chlo._asin_acos_kernel", "tensor<4xcomplex<f32>>"
    unknown = one(f"{kernel} %x", z4).replace(
        f": {z4}\nreturn", f": {z4} -> {z4}\nreturn")
    check_refused("an operation that the format lacks", unknown,
                  f"p.mlir:2:6: {kernel}: the case format has no such operation")
    quant = "tensor<2x!quant.uniform<i8:f32, 0.5>>"
    check_refused("an operation on a quantized type", "func.func @main(%x: "
                  f"{quant}) -> {quant} {{\n%0 = stablehlo.add %x, %x : {quant}"
                  f"\nreturn %0 : {quant}\n}}\n", "p.mlir:2:6: stablehlo.add: "
                  "quantized types are not supported here: "
                  "!quant.uniform<i8:f32, 0.5>")
    check_refused("an array from outside", main_of(
        '%r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({\n'
        "^bb0(%a: tensor<f32>):\n%s = stablehlo.reduce(%y init: %a) applies "
        f"stablehlo.add across dimensions = [0] : ({F4}, tensor<f32>) -> "
        f"tensor<f32>\nstablehlo.return %s : tensor<f32>\n}}) : ({F4}) -> "
        f"{F4}", [("x", F4), ("y", F4)], F4),
        "p.mlir:2:6: stablehlo.map: a region that uses a tensor<4xf32>")
    for config, why in (('"x\\9C"', "backend_config: its text is not UTF-8 at "
                         "byte 1"), ('"a\\00b"', "backend_config: its text has "
                                     "a NUL at byte 1")):
        check_refused(f"backend_config = {config}", one(
            "stablehlo.custom_call @f(%x) {backend_config = " + config
            + "}").replace(f": {F4}\nreturn", f": ({F4}) -> {F4}\nreturn"),
            f"p.mlir:2:6: stablehlo.custom_call: {why}")
    elided = "dense_resource<__elided__>"
    check_refused("an elided resource", one(f"stablehlo.constant {elided}"),
                  f"p.mlir:2:6: stablehlo.constant: {elided}: no data")
    check_refused("a location of another file", unknown.replace(
        f"-> {z4}\nreturn", f'-> {z4} loc("model.py":12:3)\nreturn'),
        f"p.mlir: {kernel} (model.py:12): the case format has no")
    check_refused("a mesh that is not there", one(
        'sdy.manual_computation(%x) in_shardings=[<mesh<["a"=2], device_ids='
        '[2, 3]>, [{"a"}]>] out_shardings=[<mesh<["a"=2]>, [{"a"}]>] '
        'manual_axes={"a"} (%a: tensor<2xf32>) {\nsdy.return %a : '
        "tensor<2xf32>\n}").replace(
            f": {F4}\nreturn", f": ({F4}) -> {F4}\nreturn"), "p.mlir:2:52: ")
    newer = b"ML\xefR\x0dStableHLO_v99.1.0\0"
    check_refused("a newer portable artifact", newer, "p.mlir: a portable "
                  "artifact of StableHLO 99.1.0, but jaxlib's bindings read ")
    check_refused("what calls nothing", "module {\n" + one(
        "call @main(%x)").replace(f": {F4}\nreturn", f": ({F4}) -> {F4}\n"
                                  "return") + "}\n",
        "p.mlir:3:6: func.call: the function main calls itself")


# ---- Replicas ----------------------------------------------------------------

def check_replicas():
    add = "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%m = stablehlo.add %a,"\
        " %b : tensor<f32>\nstablehlo.return %m : tensor<f32>\n})"
    groups = "replica_groups = dense<[[{}]]> : tensor<1x{}xi64>"
    for count in (1, 2, 3):
        ids = groups.format(", ".join(map(str, range(count))), count)
        check(f"all_reduce of {count}, uncounted", main_of(
            f'%r = "stablehlo.all_reduce"(%x) <{{{ids}}}> {add} : ({F4}) -> '
            f"{F4}", [("x", F4)], F4), [X], [count * X] * count)
    ids = groups.format("0, 1", 2)
    check("all_to_all of two arrays", "func.func @main(%x: tensor<4xf32>, %y: "
          "tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {\n"
          '%r:2 = "stablehlo.all_to_all"(%x, %y) <{split_dimension = 0 : i64, '
          f"concat_dimension = 0 : i64, split_count = 2 : i64, {ids}}}> : "
          f"({F4}, tensor<4xi32>) -> ({F4}, tensor<4xi32>)\n"
          f"return %r#0, %r#1 : {F4}, tensor<4xi32>\n}}\n", [X, I],
          [np.tile(a[k:k + 2], 2) for k in (0, 2) for a in (X, I)])
    text = main_of(f'%r = "stablehlo.all_reduce"(%x) <{{replica_groups = '
                   f"dense<> : tensor<0x0xi64>}}> {add} : ({F4}) -> {F4}",
                   [("x", F4)], F4)
    check("--replicas", text, [X], [4 * X] * 4, replicas=4)
    pairs = "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"
    for channel in ("", ", channel_handle = #stablehlo.channel_handle<handle "
                    "= 1, type = 1>"):
        check(f"collective_permute{channel}", main_of(
            f'%r = "stablehlo.collective_permute"(%x) <{{{pairs}{channel}}}> : '
            f"({F4}) -> {F4}", [("x", F4)], F4), [X], [X] * 2)
    check("cross-replica-sum", main_of(
        f'%r = "stablehlo.cross-replica-sum"(%x) {{{ids}}} : ({F4}) -> {F4}',
        [("x", F4)], F4), [X], [2 * X] * 2)


# ---- Definitions -------------------------------------------------------------

def check_definitions():
    inf, nan = np.float32("inf"), np.float32("nan")
    special = np.float32([inf, -inf, nan, 1])
    for name, expected in (("is_inf", [1, 1, 0, 0]),
                           ("is_pos_inf", [1, 0, 0, 0]),
                           ("is_neg_inf", [0, 1, 0, 0])):
        simple(name, f"%r = chlo.{name} %x : {F4} -> tensor<4xi1>", [special],
               np.array(expected, bool))
    complex_ = np.complex64([1 + 2j, -3 - 4j])
    simple("conj", "%r = chlo.conj %x : tensor<2xcomplex<f32>> -> "
           "tensor<2xcomplex<f32>>", [complex_], complex_.conj()) \
        if tensor(complex_).startswith("tensor<2xcomplex") else None
    tiny = np.float32(1e-45)
    for dtype in (np.float16, np.float32, np.float64):
        x = np.array([0, -0.0, 1, -1, 5e-8, np.inf, -2, 3], dtype)
        y = np.array([1, -1, 2, -5, -1, 0, 0, 3], dtype)
        kind = tensor(x)
        simple(f"next_after of {dtype.__name__}",
               f"%r = chlo.next_after %x, %y : {kind}, {kind} -> {kind}",
               [x, y], np.nextafter(x, y))
    assert np.nextafter(np.float32(0), np.float32(1)) == tiny
    for dtype in (np.int8, np.int32, np.int64, np.uint32, np.uint64):
        info = np.iinfo(dtype)
        x = np.array([info.max, info.min, info.max, 7, info.max // 3], dtype)
        y = np.array([info.max, info.max, 2, 9, info.max // 5], dtype)
        high = np.array([int(a) * int(b) >> info.bits for a, b in zip(x, y)],
                        dtype)
        kind = tensor(x)
        simple(f"mulhi of {dtype.__name__}",
               f"%r = chlo.mulhi %x, %y : {kind}, {kind} -> {kind}", [x, y],
               high)
    simple("constant_like", '%c = "chlo.constant_like"(%x) <{value = 2.5 : f32}'
           f"> : ({F4}) -> {F4}\n%r = stablehlo.add %x, %c : {F4}", [X],
           X + np.float32(2.5))
    row = np.float32([[10], [20]])
    simple("broadcast_add", "%r = chlo.broadcast_add %x, %y : (tensor<2x3xf32>,"
           " tensor<2x1xf32>) -> tensor<2x3xf32>", [M, row], M + row)
    simple("broadcast_add by dimensions",
           "%r = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: "
           "0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>",
           [M, row[:, 0]], M + row)
    simple("broadcast_compare", "%r = chlo.broadcast_compare %x, %y "
           "{comparison_direction = #chlo<comparison_direction GE>} : "
           "(tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>",
           [M, np.float32(3)], M >= 3)
    table = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    for dim, batch, index in ((0, 0, np.int32([1, 0, 1])),
                              (1, 0, np.int32([[2, 0], [1, 1]])),
                              (1, 1, np.int32([[2, 0], [1, 1]])),
                              (2, 1, np.int32([[3], [0]])),
                              (2, 0, np.int32(2))):
        if batch:
            result = np.stack([np.take(t, n, dim - 1)
                               for t, n in zip(table, index)])
        else:
            result = np.take(table, index, dim)
        simple(f"torch_index_select along {dim}, batch {batch}, "
               f"{index.tolist()}",
               f'%r = "stablehlo.torch_index_select"(%x, %y) <{{dim = {dim} : '
               f"i64, batch_dims = {batch} : i64}}> : ({tensor(table)}, "
               f"{tensor(index)}) -> {tensor(result)}", [table, index], result)
    left = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    right = np.arange(40, dtype=np.float32).reshape(2, 4, 5) % 7
    for config in ("ijk,ikm->ijm", "ijk,ikm->mij", "ijk,lkm->ijlm",
                   "ijk,ikm->i", "ijk,ikm->", "ijk,ikm->jm"):
        result = np.float32(np.einsum(config, left.astype(int),
                                      right.astype(int)))
        simple(f"einsum {config}", f'%r = "stablehlo.einsum"(%x, %y) '
               f'{{einsum_config = "{config}", someattr}} : ({tensor(left)}, '
               f"{tensor(right)}) -> {tensor(result)}", [left, right], result)
    for config in ("ijk->kij", "ijk->ik", "ijk->", "...k->..."):
        result = np.float32(np.einsum(config, left.astype(int)))
        simple(f"unary_einsum {config}", f'%r = "stablehlo.unary_einsum"(%x) '
               f'{{einsum_config = "{config}"}} : ({tensor(left)}) -> '
               f"{tensor(result)}", [left], result)
    for op, result in (("stablehlo.broadcast %x, sizes = [2]",
                        np.tile(X, (2, 1))),):
        simple(op, f"%r = {op} : ({F4}) -> {tensor(result)}", [X], result)
    simple("dot", "%r = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3xf32>)"
           " -> tensor<2xf32>", [M, np.float32([1, 2, -1])],
           M @ np.float32([1, 2, -1]))


# Presets of jax.lax.DotAlgorithmPreset: types of the operands' precision and of
# accumulation, how many primitive operations.
ALGORITHMS = (("f16", "f16", "f16", 1, 1), ("f16", "f16", "f32", 1, 1),
              ("bf16", "bf16", "bf16", 1, 1), ("bf16", "bf16", "f32", 1, 1),
              ("bf16", "bf16", "f32", 1, 3), ("bf16", "bf16", "f32", 1, 6),
              ("bf16", "bf16", "f32", 1, 9), ("tf32", "tf32", "f32", 1, 1),
              ("tf32", "tf32", "f32", 1, 3), ("f32", "f32", "f32", 1, 1),
              ("f64", "f64", "f64", 1, 1))


def check_algorithms():
    """Of numbers that every one of them keeps."""
    for left, right, sums, parts, count in ALGORITHMS:
        for kind in (np.float32, np.float64) if sums == "f64" else \
                (np.float32,):
            x, y = np.array(M, kind), np.array([1, 2, -1], kind)
            simple(f"algorithm {left} {right} {sums} {parts} {count}",
                   "%r = stablehlo.dot_general %x, %y, contracting_dims = [1] "
                   f"x [0], algorithm = <lhs_precision_type = {left}, "
                   f"rhs_precision_type = {right}, accumulation_type = {sums}, "
                   f"lhs_component_count = {parts}, rhs_component_count = "
                   f"{parts}, num_primitive_operations = {count}, "
                   "allow_imprecise_accumulation = false> : "
                   f"({tensor(x)}, {tensor(y)}) -> "
                   f"{tensor(np.zeros(2, kind))}", [x, y], x @ y)


#: Types of factors with a few values that the other may lack, and of their
#: product.
FACTORS = [
    ("f8e4m3fn", (448, 1.125, 2 ** -9), "f8e5m2", (57344, -1.75, 2 ** -16),
     ("bf16", "f32", "f64")),
    ("f8e5m2", (57344, -1.75, 2 ** -16), "f8e4m3fnuz", (240, 1.125, 2 ** -10),
     ("bf16", "f32")),
    ("bf16", (2.0 ** 99, 1.5, 3), "f16", (1 + 2 ** -10, 5, -7), ("f32",)),
    ("f32", (1 + 2 ** -23, 5, -7), "bf16", (2.0 ** 99, 1, 4), ("f32", "f64")),
    ("s8", (-128, 127, 3), "u8", (255, 1, 0), ("s16", "s32", "s64"))]


def check_factors():
    """Dots of two types are in the type of their result."""
    spelled = {ours: theirs for theirs, ours in types.OF_MLIR.items()}
    algorithm = ", algorithm = <lhs_precision_type = f8E4M3FN, " \
        "rhs_precision_type = f8E5M2, accumulation_type = f32, " \
        "lhs_component_count = 1, rhs_component_count = 1, " \
        "num_primitive_operations = 1, allow_imprecise_accumulation = false>"
    for left, a, right, b, wides in FACTORS:
        x, y = np.array(a, types.DTYPES[left]), np.array(b, types.DTYPES[right])
        made = np.outer(np.float64(a), np.float64(b))
        for wide, more in [*((w, "") for w in wides),
                           *[("f32", algorithm)] * ("f64" in wides[2:])]:
            one, two, out = (
                f"tensor<{s}x{spelled[d]}>"
                for s, d in (("3x1", left), ("1x3", right), ("3x3", wide)))
            check(f"a dot of {left} and {right} in {wide}{more[:11]}", main_of(
                "%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x "
                f"[0]{more} : ({one}, {two}) -> {out}",
                [("x", one), ("y", two)], out), [x[:, None], y[None]],
                [made.astype(types.DTYPES[wide])])
    for left, right, wide in (("bf16", "f32", "bf16"), ("s8", "u8", "s8"),
                              ("f8e5m2", "f8e4m3fn", "f8e5m2"),
                              ("f16", "bf16", "f16"), ("u32", "s8", "s32"),
                              ("s8", "f32", "f32")):
        one, two, out = (f"tensor<2x2x{spelled[d]}>"
                         for d in (left, right, wide))
        name = f"refused: a dot of {left} and {right} in {wide}"
        try:
            evaluate(main_of("%r = stablehlo.dot_general %x, %y, "
                             f"contracting_dims = [1] x [0] : ({one}, {two}) "
                             f"-> {out}", [("x", one), ("y", two)], out),
                     [np.ones((2, 2), types.DTYPES[d]) for d in (left, right)])
            ok(False, name, "it was evaluated")
        except library.InvalidProgram as e:
            ok(f"lhs is {left}, rhs {right}; expected the same type" in str(e),
               name, e)


# ---- Dynamic shapes ----------------------------------------------------------

def check_dynamic():
    d1, d2 = "tensor<?xf32>", "tensor<?x?xf32>"
    check("sizes come from the inputs", f"func.func @main(%x: {d1}, %y: {d1}) "
          f"-> {d1} {{\n%r = stablehlo.add %x, %y : {d1}\nreturn %r : {d1}\n}}"
          "\n", [X, Y], [X + Y])
    check("of a function of another name, and what it calls",
          f"func.func private @g(%x: {d1}) -> {d1} {{\n%r = stablehlo.negate "
          f"%x : {d1}\nreturn %r : {d1}\n}}\n"
          f"func.func @f(%x: {d1}) -> {d1} {{\n%r = call @g(%x) : ({d1}) -> "
          f"{d1}\nreturn %r : {d1}\n}}\n", [X], [-X])
    check("a shape that is computed", f"func.func @main(%x: {d1}) -> {d2} {{\n"
          f"%d = stablehlo.get_dimension_size %x, dim = 0 : ({d1}) -> "
          "tensor<i32>\n%e = stablehlo.reshape %d : (tensor<i32>) -> "
          "tensor<1xi32>\n%t = stablehlo.constant dense<2> : tensor<1xi32>\n"
          "%s = stablehlo.concatenate %t, %e, dim = 0 : (tensor<1xi32>, "
          "tensor<1xi32>) -> tensor<2xi32>\n"
          "%r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : "
          f"({d1}, tensor<2xi32>) -> {d2}\nreturn %r : {d2}\n}}\n", [X],
          [np.tile(X, (2, 1))])
    sizes = "%s = stablehlo.constant dense<[2, 4]> : tensor<2xi32>\n"
    for result in ("tensor<2x4xf32>", d2):
        check(f"dynamic_broadcast_in_dim to {result}",
              f"func.func @main(%x: {F4}) -> {result} {{\n{sizes}%r = "
              "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : "
              f"({F4}, tensor<2xi32>) -> {result}\nreturn %r : {result}\n}}\n",
              [X], [np.tile(X, (2, 1))])
        check(f"dynamic_iota to {result}",
              f"func.func @main() -> {result} {{\n{sizes}%r = "
              "stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> "
              f"{result}\nreturn %r : {result}\n}}\n", [],
              [np.tile(np.arange(4, dtype=np.float32), (2, 1))])
    for result in (F4.replace("4", "7"), d1):
        check(f"dynamic_pad to {result}",
              f"func.func @main(%x: {F4}, %y: tensor<f32>) -> {result} {{\n"
              + "".join(f"%{n} = stablehlo.constant dense<{v}> : tensor<1xi32>"
                        "\n" for n, v in (("a", 1), ("b", 2), ("c", 0)))
              + f"%r = stablehlo.dynamic_pad %x, %y, %a, %b, %c : ({F4}, "
              "tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
              f"{result}\nreturn %r : {result}\n}}\n", [X, np.float32(9)],
              [np.pad(X, (1, 2), constant_values=9)])
    for result in ("tensor<2xf32>", d1):
        check(f"real_dynamic_slice to {result}",
              f"func.func @main(%x: {F4}) -> {result} {{\n"
              + "".join(f"%{n} = stablehlo.constant dense<{v}> : tensor<1xi32>"
                        "\n" for n, v in (("a", 1), ("b", 3), ("c", 1)))
              + f"%r = stablehlo.real_dynamic_slice %x, %a, %b, %c : ({F4}, "
              "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
              f"{result}\nreturn %r : {result}\n}}\n", [X], [X[1:3]])
    text = f"func.func @main(%x: {d1}) -> {d1} {{\nreturn %x : {d1}\n}}\n"
    module = importer.import_program(text.encode(), "p.mlir")
    ok(module.inputs()[0].dims == (2,) and "p.mlir: 2 was taken" in
       module.notices[0], "sizes that nothing gives", module.notices)
    check_refused("no sizes that fit", f"func.func @main(%x: {d1}, %y: "
                  f"tensor<7xf32>, %z: tensor<9xf32>) -> {d1} {{\n%s = "
                  f"stablehlo.add %x, %y : ({d1}, tensor<7xf32>) -> {d1}\n%r = "
                  f"stablehlo.add %s, %z : ({d1}, tensor<9xf32>) -> {d1}\n"
                  f"return %r : {d1}\n}}\n",
                  "p.mlir:1:1: func.func: argument 0 is a tensor<?xf32>, with "
                  "a dimension without a bound: --inputs gives its size (of 2: ")
    check_refused("another rank", text, "x.npz: x: found 2 dimensions, expected"
                  " tensor<?xf32>", arrays={"x.npz: x": M})
    check_refused("sizes that differ", f"func.func @main(%x: {d1}, %y: {d1}) -> "
                  f"{d1} {{\n%r = stablehlo.add %x, %y : {d1}\nreturn %r : "
                  f"{d1}\n}}\n", "p.mlir", arrays={"a": X, "b": X[:2]})


# ---- Parts of arrays, and other spellings -------------------------------------

def manual(layout, body, part, result, mesh='mesh<["a"=2, "b"=3]>', axes=None):
    """A computation by parts; its operand is %p, its result %q."""
    named = ", ".join(f'"{a}"' for a in axes or ("a", "b"))
    into, out = (", ".join(f"{{{x}}}" for x in side) for side in layout)
    whole = "tensor<4x6xf32>"
    return f"%r = sdy.manual_computation(%x) in_shardings=[<{mesh}, [{into}]>]" \
        f" out_shardings=[<{mesh}, [{out}]>] manual_axes={{{named}}} (%p: " \
        f"tensor<{part}xf32>) {{\n{body}\nsdy.return %q : tensor<{result}xf32>" \
        f"\n}} : ({whole}) -> "


def check_parts():
    """The whole array is the same, whichever device has which part."""
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    twice = "%q = stablehlo.add %p, %p : tensor<{0}xf32>"
    for mesh in ('mesh<["a"=2, "b"=3]>',
                 'mesh<["a"=2, "b"=3], device_ids=[5, 3, 4, 0, 2, 1]>'):
        for layout, part in (((('"a"', '"b"'),) * 2, "2x2"),
                             ((('"b", "a"', ""),) * 2, "0x6"),
                             ((("", '"a", "b"'),) * 2, "4x1"),
                             ((("", '"b", "a"'),) * 2, "4x1"),
                             ((('"a", ?', "?"),) * 2, "2x6")):
            if part.startswith("0"):
                continue
            check(f"{mesh}: {layout[0]}", main_of(manual(
                layout, twice.format(part), part, part, mesh)
                + "tensor<4x6xf32>", [("x", "tensor<4x6xf32>")],
                "tensor<4x6xf32>"), [x], [2 * x] * 6)
    # Each device reverses its part: blocks of 2 rows and 2 columns.
    expected = x.reshape(2, 2, 3, 2)[:, ::-1].reshape(4, 6)
    check("a region that is not the same on the whole", main_of(manual(
        (('"a"', '"b"'),) * 2, "%q = stablehlo.reverse %p, dims = [0] : "
        "tensor<2x2xf32>", "2x2", "2x2") + "tensor<4x6xf32>",
        [("x", "tensor<4x6xf32>")], "tensor<4x6xf32>"), [x], [expected] * 6)
    # Row sums: of the part, then over the devices of a row.
    sums = """%z = stablehlo.constant dense<0.0> : tensor<f32>
        %s = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
        %q = "stablehlo.all_reduce"(%s) <{replica_groups = dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %m = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %m : tensor<f32>
        }) : (tensor<2xf32>) -> tensor<2xf32>"""
    check("collectives between devices", main_of(manual(
        (('"a"', '"b"'), ('"a"',)), sums, "2x2", "2") + "tensor<4xf32>",
        [("x", "tensor<4x6xf32>")], "tensor<4xf32>"), [x],
        [x.sum(1)] * 6)
    inner = '%q = sdy.manual_computation(%p) in_shardings=[<mesh<["a"=2, "b"=' \
        '3]>, [{}, {"b"}]>] out_shardings=[<mesh<["a"=2, "b"=3]>, [{}, {"b"}]>'\
        '] manual_axes={"b"} (%c: tensor<2x2xf32>) {\n%d = stablehlo.reverse ' \
        "%c, dims = [1] : tensor<2x2xf32>\nsdy.return %d : tensor<2x2xf32>\n} "\
        ": (tensor<2x6xf32>) -> tensor<2x6xf32>"
    check("a computation by parts in one", main_of(manual(
        (('"a"', ""),) * 2, inner, "2x6", "2x6", axes="a")
        + "tensor<4x6xf32>", [("x", "tensor<4x6xf32>")], "tensor<4x6xf32>"),
        [x], [x.reshape(4, 3, 2)[..., ::-1].reshape(4, 6)] * 6)
    for text, part in (("{devices=[2,3]<=[6]}", "2x2"),
                       ("{devices=[2,3]<=[3,2]T(1,0)}", "2x2"),
                       ("{devices=[2,3]4,2,0,1,3,5}", "2x2"),
                       ("{devices=[2,1,3]<=[6] last_tile_dim_replicate}", "2x6")):
        call = "stablehlo.custom_call @{}(%{}) {{mhlo.sharding = \"{}\"}} : " \
            "(tensor<{}xf32>) -> tensor<{}xf32>\n"
        rows = ("%s = " + call.format("Sharding", "x", text, "4x6", "4x6")
                + "%p = " + call.format("SPMDFullToShardShape", "s", "{manual}",
                                        "4x6", part)
                + f"%q = stablehlo.reverse %p, dims = [0] : tensor<{part}xf32>\n"
                + "%r = " + call.format("SPMDShardToFullShape", "q", text, part,
                                        "4x6"))
        check(text, main_of(rows, [("x", "tensor<4x6xf32>")],
                            "tensor<4x6xf32>"), [x], [expected] * 6)
    text = main_of(manual(
        (('"a"', ""),) * 2, twice.format("2x6"), "2x6", "2x6")
        + "tensor<4x6xf32>", [("x", "tensor<4x6xf32>")], "tensor<4x6xf32>")
    check("the same rows on several", text, [x], [2 * x] * 6)
    for side in ("out_shardings", "manual_axes"):
        check_refused("parts still to be summed", text.replace(
            f"]>] {side}", f'], unreduced={{"b"}}>] {side}'),
            "p.mlir:2:6: sdy.manual_computation: the sharding ")
    for counts, why in (("replicas = 2", "replicas: 2, partitions: 1"),
                        ("partitions = 3", "replicas: 1, partitions: 3")):
        check_refused(f"{counts} beside a mesh", "module attributes {mhlo.num_"
                      f"{counts} : i32}} {{\n{text}}}\n",
                      f"p.mlir: {why}, beside a mesh of 6 devices")
    check_refused("parts of some axes", main_of(rows.replace(
        " last_tile_dim_replicate", " last_tile_dims={manual}"),
        [("x", "tensor<4x6xf32>")], "tensor<4x6xf32>"), "p.mlir:3:6: "
        "stablehlo.custom_call: the sharding {devices=[2,1,3]<=[6] last_tile")


def members(sizes, ids, axes):
    """Of each device, who is in its group and in which order, by coordinates:
    of axes as (axis, pieces before, pieces)."""
    where = {p: dict(zip("abc", np.unravel_index(k, sizes)))
             for k, p in enumerate(ids)}

    def split(p):
        inside, rest = [], {x: int(n) for x, n in where[p].items()}
        for axis, before, count in axes:
            size = dict(zip("abc", sizes))[axis]
            step = size // (before * count)
            number = int(where[p][axis]) // step % count
            inside.append(number)
            rest[axis] -= number * step
        return inside, rest
    return {p: sorted((q for q in ids if split(q)[1] == split(p)[1]),
                      key=lambda q: split(q)[0]) for p in ids}


def check_axes():
    """Groups of replicas by the axes of a mesh: every device gathers numbers of
    the others of its group, in the order of the axes."""
    def refer(axis, before, count, size):
        sub = "" if count == size else f", sub_axis_info = ({before}){count}"
        return f'#stablehlo.axis_ref<name = "{axis}"{sub}>'

    cases = (((2, 4), None, (("a", 1, 2),)), ((2, 4), None, (("b", 1, 4),)),
             ((2, 4), None, (("b", 1, 4), ("a", 1, 2))),
             ((2, 4), None, (("b", 1, 2),)), ((2, 4), None, (("b", 2, 2),)),
             ((2, 4, 2), None, (("b", 2, 2), ("c", 1, 2), ("a", 1, 2))),
             ((2, 2), [3, 1, 2, 0], (("a", 1, 2),)),
             ((2, 2), [3, 1, 2, 0], (("b", 1, 2), ("a", 1, 2))),
             ((2, 2), None, ()))
    for sizes, ids, axes in cases:
        count = int(np.prod(sizes))
        found = members(sizes, ids or list(range(count)), axes)
        width = len(found[0])
        named = ", ".join(f'"{x}"={n}' for x, n in zip("abc", sizes))
        listed = f", device_ids={ids}" if ids else ""
        inline = ", ".join(f'<name = "{x}", size = {n}>'
                           for x, n in zip("abc", sizes))
        where = f", device_ids = dense<{ids}> : tensor<{count}xi64>" if ids \
            else ""
        refers = ", ".join(refer(*a, dict(zip("abc", sizes))[a[0]])
                           for a in axes)
        for mesh, before in (
                ("@m", f"sdy.mesh @m = <[{named}]{listed}>\n"),
                (f"#stablehlo.mesh<axes = [{inline}]{where}>", "")):
            text = before + main_of(
                "%i = stablehlo.replica_id : tensor<ui32>\n%p = stablehlo."
                "reshape %i : (tensor<ui32>) -> tensor<1xui32>\n"
                '%r = "stablehlo.all_gather"(%p) <{all_gather_dim = 0 : i64, '
                f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = "
                f"{mesh}, axes = [{refers}]>}}> : (tensor<1xui32>) -> "
                f"tensor<{width}xui32>", [], f"tensor<{width}xui32>")
            check(f"axes {axes} of {mesh} {sizes} {ids or ''}", text, [],
                  [np.uint32(found[p]) for p in range(count)])
    check_refused("an axis that the mesh has not", text.replace(
        "axes = []>", 'axes = [#stablehlo.axis_ref<name = "z">]>'),
        "p.mlir:4:112: axis 'z' not found in mesh definition")
    empty = np.zeros((0, 4), np.float32)
    check("groups that gather no elements", main_of(
        '%r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, '
        "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : "
        "(tensor<0x4xf32>) -> tensor<0x8xf32>", [("x", "tensor<0x4xf32>")],
        "tensor<0x8xf32>"), [empty], [np.zeros((0, 8), np.float32)] * 4)


def check_spellings():
    two = np.int32(2)
    check("a test's own dialect", "func.func @t() {\n"
          "%0 = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
          "%1 = stablehlo.add %0, %0 : tensor<2xf32>\n"
          "%2 = interpreter.probe %1, probe_id = \"p\" : tensor<2xf32>\n"
          "check.expect_almost_eq_const(%2, dense<[2.0, 4.0]> : "
          "tensor<2xf32>, 1.0e-4) : tensor<2xf32>\n"
          "check.expect_eq_const %0, dense<\n[1.0,\n 2.0]> : tensor<2xf32>\n"
          "return\n}\n", [], [np.float32([2, 4]), np.float32([1, 2])])
    check("a check of two types, and another", "func.func @t() {\n"
          "%0 = stablehlo.constant dense<1.0> : tensor<2xf32>\n"
          "%1 = stablehlo.add %0, %0 : tensor<2xf32>\n"
          "check.expect_close %1, %0, max_ulp_difference = 3 : tensor<2xf32>, "
          "tensor<2xf32>\ncheck.expect_eq %0, %0 : tensor<2xf32>\n"
          "return\n}\n", [], [np.float32([2, 2]), np.float32([1, 1])])
    check_refused("a cast to another type", main_of(
        f"%r = builtin.unrealized_conversion_cast %x : {F4} to tensor<4xi32>",
        [("x", F4)], "tensor<4xi32>"), "p.mlir:2:6: "
        "builtin.unrealized_conversion_cast: the case format has no such")
    simple("a constant beside an attribute of an earlier version",
           '%c = "stablehlo.constant"() {value = dense<[1, 2]> : '
           "tensor<2xi64>} : () -> tensor<2xi64>\n"
           '%r = "stablehlo.broadcast_in_dim"(%c) {broadcast_dimensions = '
           "dense<1> : tensor<1xi64>} : (tensor<2xi64>) -> tensor<2x2xi64>",
           [], np.int64([[1, 2], [1, 2]]))
    simple("an array as an attribute of an earlier version",
           '%r = "stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = '
           "dense<1> : tensor<1xi64>} : (tensor<4xf32>) -> tensor<2x4xf32>",
           [X], np.stack([X, X]))
    simple("dynamic_broadcast_in_dim of a known size",
           "%r = stablehlo.dynamic_broadcast_in_dim %x, %y, dims = [1] : "
           f"({F4}, tensor<2xi32>) -> tensor<3x4xf32>",
           [X, np.int32([3, 4])], np.stack([X] * 3))
    simple("real_dynamic_slice of a known size", "%c = stablehlo.constant "
           "dense<1> : tensor<1xi32>\n%r = stablehlo.real_dynamic_slice %x, %y, "
           f"%z, %c : ({F4}, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
           "tensor<2xf32>", [X, np.int32([1]), np.int32([3])], X[1:3])
    simple("dynamic_gather of a known size", '%r = "stablehlo.dynamic_gather"('
           "%x, %y, %z) {dimension_numbers = #stablehlo.gather<offset_dims = "
           "[1], collapsed_slice_dims = [0], start_index_map = [0], "
           "index_vector_dim = 1>, indices_are_sorted = false} : "
           "(tensor<2x3xf32>, tensor<3xi32>, tensor<2xi32>) -> tensor<3x3xf32>",
           [M, np.int32([1, 0, 1]), np.int32([1, 3])], M[[1, 0, 1]])
    simple("arith and math", f"%a = arith.mulf %x, %y : {F4}\n%b = math.absf %a"
           f" : {F4}\n%r = math.sqrt %b : {F4}", [X * X, Y * 0 + 4],
           2 * np.abs(X))
    check_refused("a sum of bits", "func.func @main(%x: tensor<4xi1>) -> "
                  "tensor<4xi1> {\n%r = arith.addi %x, %x : tensor<4xi1>\n"
                  "return %r : tensor<4xi1>\n}\n", "p.mlir:2:6: arith.addi: of "
                  "pred")
    sizes = f"%s = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>\n" \
        "%r = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [] : " \
        "(tensor<i32>, tensor<2xindex>) -> tensor<?x3xi32>"
    check("sizes by the dialect shape", main_of(sizes, [
        ("x", "tensor<?x3xf32>"), ("y", "tensor<i32>")], "tensor<?x3xi32>"),
        [M, two], [np.full((2, 3), 2, np.int32)])


def check_options():
    """Those of a typed function are the text of their dictionary."""
    for given, due in (
            ('backend_config = {a = 1 : i32, b = "x"}, api_version = 4 : i32',
             '{a = 1 : i32, b = "x"}'),
            ("backend_config = {}, api_version = 4 : i32", ""),
            ('backend_config = "t"', "t"),
            ("mhlo.backend_config = {a = 2 : i64}, api_version = 4 : i32",
             "{a = 2 : i64}")):
        text = main_of("%r = stablehlo.custom_call @f(%x) {" + given + "} : ("
                       f"{F4}) -> {F4}", [("x", F4)], F4)
        module = importer.import_program(text.encode(), "p.mlir")
        found = [i["attributes"].get("opaque", "")
                 for i in module.computations["main"]["body"]]
        ok(found == [due], f"the options of {given}", found)


def check_constructs():
    """constructs.mlir: a program of our own for each construct that public
    programs have, with the shapes of its results, or why it is refused."""
    with open(f"{os.path.dirname(os.path.abspath(__file__))}/constructs.mlir",
              encoding="utf-8") as f:
        parts = f.read().split("// ==== ")[1:]
    for part in parts:
        name, _, rest = part.partition("\n")
        expected = dict(re.findall(r"^// +@(\S+): ?(.*)$", rest, re.M))
        text = re.sub(r"^//   @.*\n", "", rest, flags=re.M)
        found = importer.function_names(text.encode(), "p.mlir")
        ok(set(found) == set(expected), f"{name}: its functions", found)
        for entry, told in expected.items():
            try:
                module = importer.import_program(text.encode(), "p.mlir",
                                                 entry=entry)
                case = import_command.make_case(module, "c", "w")["cases"][0]
                del case["id"], case["why"]
                with library.Evaluation(module.operation(), case) as e:
                    got = " ".join("token[]" if t is None else f"{t.dtype}["
                                   + ",".join(map(str, t.dims)) + "]"
                                   for t in e.outputs())
                good = got == told
            except mlir.Refused as e:
                got = f"refused: {e}"
                good = told.startswith("refused: ") and got.startswith(told)
            ok(good, f"{name}: @{entry}", got)


# ---- HLO ---------------------------------------------------------------------

HLO = """HloModule m, entry_computation_layout={(f32[4]{0}, (f32[4]{0}, s32[]))->(f32[4]{0}, s32[])}

// a comment
fused {
  p0 = f32[4]{0} parameter(0)
  p1 = f32[4]{0} parameter(1)
  ROOT a = f32[4]{0} add(p0, p1), metadata={op_name="jit(f)/add" source_file="a.py" source_line=4}
}

max.1 {
  %p = f32[] parameter(0)
  %q = f32[] parameter(1)
  ROOT %m = f32[] maximum(f32[] %p, f32[] %q)
}

ENTRY %main.7 {
  %x = f32[4]{0} parameter(0)
  %t = (f32[4]{0}, s32[]) parameter(1)
  %y = f32[4]{0} get-tuple-element((f32[4]{0}, s32[]) %t), index=0
  %n = s32[] get-tuple-element((f32[4]{0}, s32[]) %t), index=1
  %f = f32[4]{0} fusion(%x, %y), kind=kLoop, calls=fused
  %k = f32[4]{0} constant({1, 2, -3, 0.5})
  %c = f32[4]{0} copy(%f)
  %w = f32[2,2]{0,1} bitcast(%c)
  %b = f32[2,2]{1,0} copy(%w)
  %s = f32[4]{0} reshape(%b)
  %z = f32[] constant(-inf)
  %h = f32[] reduce(%x, %z), dimensions={0}, to_apply=max.1
  %hb = f32[4]{0} broadcast(%h), dimensions={}
  %u = f32[4]{0} multiply(%s, %k)
  %v = f32[4]{0} add(%u, %hb)
  ROOT %r = (f32[4]{0}, s32[]) tuple(%v, %n)
}
"""


def check_hlo():
    from jaxlib import _hlo
    s = X + Y
    # The bitcast to {0,1} says that the first dimension varies fastest.
    moved = s.reshape(2, 2).T.reshape(4)
    expected = [moved * np.float32([1, 2, -3, .5]) + X.max(), np.int32(7)]
    inputs = [X, Y, np.int32(7)]
    check("HLO as text", HLO, inputs, expected, where="bug.hlo")
    check("by its first word", HLO, inputs, expected, where="module.txt")
    message = _hlo.hlo_module_from_text(HLO).as_serialized_hlo_module_proto()
    check("a HloModuleProto", message, inputs, expected, where="bug.pb")
    size, length = len(message), b""
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    check("a HloProto", b"\n" + length + bytes([size]) + message, inputs,
          expected, where="bug.pb")
    for group, first in (("0,1", 0), ("1,0", 1)):
        check(f"all-to-all without a dimension, {{{group}}}",
              "HloModule t\nENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] "
              "parameter(1)\n  ROOT r = (f32[4], f32[4]) all-to-all(p, q), "
              f"replica_groups={{{{{group}}}}}\n}}\n", [X, Y],
              [X, X, Y, Y] if first == 0 else [Y, Y, X, X], where="t.hlo")
    simple_hlo = "HloModule t\nENTRY e {\n  p = f32[4]{0} parameter(0)\n  %s\n}\n"
    for line, result in (
            ("ROOT r = f32[4]{0} negate(p)", -X),
            ("s = (f32[4], f32[4], u32[]) copy-start(p)\n"
             "  ROOT r = f32[4] copy-done(s)", X),
            ("s = (f32[4], f32[4]) collective-permute-start(p), "
             "source_target_pairs={{0,0}}\n  n = f32[4] negate(p)\n"
             "  d = f32[4] collective-permute-done(s)\n"
             "  ROOT r = f32[4] subtract(d, n)", X + X),
            ("ROOT r = (f32[2]{0}, s32[2]{0}) topk(p), k=2, largest=true",
             [np.float32([4, 3]), np.int32([2, 3])]),
            ("ROOT r = (f32[2]{0}, s32[2]{0}) topk(p), k=2, largest=false",
             [np.float32([-2, 1]), np.int32([1, 0])]),
            # As XLA:CPU writes them, and a tuple that is used as a whole.
            ('c = (f32[2]{0}, s32[2]{0}) custom-call(p), custom_call_target='
             '"TopK"\n  v = f32[2]{0} get-tuple-element(c), index=0\n'
             "  ROOT r = f32[2]{0} negate(v)", np.float32([-4, -3])),
            ("d = f32[2,2]{0,1} constant({{4, 0}, {0, 9}})\n  c = (f32[2,2]"
             "{0,1}, s32[]) custom-call(d), custom_call_target="
             '"lapack_spotrf_ffi", operand_layout_constraints={f32[2,2]{0,1}}, '
             "api_version=API_VERSION_TYPED_FFI, "
             "backend_config={uplo = 76 : ui8}\n  ROOT r = s32[] "
             "get-tuple-element(c), index=1", np.int32(0)),
            ('ROOT c = (f32[2]{0}, s32[2]{0}) custom-call(p), '
             'custom_call_target="TopK"',
             [np.float32([4, 3]), np.int32([2, 3])])):
        check(f"HLO: {line.splitlines()[0]}", simple_hlo % line, [X],
              result if isinstance(result, list) else [result],
              where="t.hlo")
    for text, why in (
            (simple_hlo % "ROOT r = f32[4]{0} frobnicate(p)",
             "t.hlo:4:22: expects opcode but sees: frobnicate"),
            (simple_hlo % "k = u32[2]{0} constant({1, 2})\n  ROOT r = u64[2]{0} "
             "rng-get-and-update-state(), delta=1", "t.hlo:5:3: mhlo.xla.rng_"
             "get_and_update_state: the case format has no such operation"),
            ("HloModule t\n", "t.hlo"),
            ("HloModule", "t.hlo:1:9: expects name")):
        check_refused(f"HLO: {why}", text, why,
                      where="t.hlo")


    # The bindings know these types once they have read HLO.
    kind = quantized("i8:f32, 0.5:16", 4)
    for op in ("add %x, %x", "abs %x"):
        try:
            importer.import_program(main_of(f"%r = stablehlo.{op} : {kind}",
                                            [("x", kind)], kind).encode(), "p")
            ok(False, f"{op} of a quantized type, after HLO")
        except mlir.Refused as e:
            ok("quantized types are not supported here: !quant.uniform<i8:f32"
               in str(e), f"{op} of a quantized type, after HLO", e)


# ---- Quantized values --------------------------------------------------------

def quantized(parameters, count):
    return f"tensor<{count}x!quant.uniform<{parameters}>>"


def check_collective_reduce():
    """By hand: the first of each group has the sum of the group's arrays, which
    are all the same here."""
    kind = "tensor<3xi64>"
    text = main_of(f"""%r = "stablehlo.collective_reduce"(%x) ({{
^bb0(%a: tensor<i64>, %b: tensor<i64>):
%s = stablehlo.add %a, %b : tensor<i64>
stablehlo.return %s : tensor<i64>
}}) {{replica_groups = dense<[[2, 0, 3], [1, 4, 5]]> : tensor<2x3xi64>,
channel_handle = #stablehlo.channel_handle<handle = CHANNEL, type = 0>}} :
({kind}) -> {kind}""", [("x", kind)], kind)
    zero, total = np.int64([0, 0, 0]), np.int64([3, 6, -9])
    check("collective_reduce", text.replace("CHANNEL", "0"),
          [np.int64([1, 2, -3])], [zero, total, total, zero, zero, zero])
    check_refused("collective_reduce of partitions",
                  text.replace("CHANNEL", "1"), "p.mlir:2:6: "
                  "stablehlo.collective_reduce: groups of partitions")


def check_dynamic_conv():
    """By hand: 1, 10 and 100 times three numbers, of 0 1 2 3 4 5 0, and, with
    the factors backwards and in steps of two, of 1 0 2 0 3 0 0."""
    for window, numbers, edges, expected in (
            ("window = {}", [1, 2, 3, 4, 5], "[[1, 1]]",
             [210, 321, 432, 543, 54]),
            ("window = {stride = [2], lhs_dilate = [2], reverse = [1]}",
             [1, 2, 3], "[[0, 2]]", [102, 203, 300])):
        given, made = np.int64([[numbers]]), np.int64([[expected]])
        check(f"dynamic_conv: {window}", main_of(f"""
%k = stablehlo.constant dense<[[[1, 10, 100]]]> : tensor<1x1x3xi64>
%p = stablehlo.constant dense<{edges}> : tensor<1x2xi64>
%r = stablehlo.dynamic_conv(%x, %k, %p)
  dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
  {window} {{batch_group_count = 1 : i64,
  feature_group_count = 1 : i64}}
  : ({tensor(given)}, tensor<1x1x3xi64>, tensor<1x2xi64>) -> {tensor(made)}""",
                                                         [("x", tensor(given))],
                                                         tensor(made)),
              [given], [made])


def check_quantized():
    """Expected by hand, after StableHLO's specification: ties go to the even
    number after the zero point was added, and what is out of range to the end
    of the range, also of a range that is narrower than the type."""
    for name, given, source, result, expected in (
            ("each column has its scale", np.float32(
                [[1.25, -.25, 1e9], [.75, .125, -np.inf]]), "tensor<2x3xf32>",
             quantized("i8<-127:127>:f32:1, {0.5, 0.25:3, 2.0:-1}", "2x3"),
             np.int8([[2, 2, 127], [2, 4, -127]])),
            ("one scale", np.float32([-.75, -.25, .25, .75]), "tensor<4xf32>",
             quantized("i8:f32, 5.000000e-01:1", 4), np.int8([0, 0, 2, 2])),
            ("from u8", np.uint8([0, 128, 255]),
             quantized("u8:f32, 0.5:128", 3), "tensor<3xf32>",
             np.float32([-64, 0, 63.5])),
            ("from i16", np.int16([-32768, 1, 32767]),
             quantized("i16:f32, 0.125", 3), "tensor<3xf32>",
             np.float32([-4096, .125, 4095.875])),
            # -128 + 3 and 127 + 3: the second is no number of s8.
            ("to other parameters", np.int8([-128, 127, 2]),
             quantized("i8:f32, 0.5:-3", 3), quantized("i8:f32, 1.0:10", 3),
             np.int8([-52, 75, 12]))):
        op = "uniform_quantize" if "!quant" in result else "uniform_dequantize"
        for spelled in (f"stablehlo.{op} %x", f'"stablehlo.{op}"(%x)'):
            check(f"quantized: {name}", main_of(
                f"// CHECK: {quantized('i8:f32, 9.0', 7)}\n"
                f"%r = {spelled} : ({source}) -> {result}", [("x", source)],
                result), [given], [expected])
    kind = quantized("i8:f32, 0.5:3", 4)
    check("quantized: a reshape", main_of(
        f"%r = stablehlo.reshape %x : ({kind}) -> "
        f"{quantized('i8:f32, 0.5:3', '2x2')}", [("x", kind)],
        quantized("i8:f32, 0.5:3", "2x2")), [np.int8([1, 2, 3, 4])],
        [np.int8([[1, 2], [3, 4]])])


# ---- Mutations ---------------------------------------------------------------

def check_mutations():
    """Of a program nothing but a Refused comes, in one line; figures are of
    ASSAY_SEED, and ASSAY_MUTATIONS is how many of each."""
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(2**32))
    count = int(os.environ.get("ASSAY_MUTATIONS") or 60)
    chosen = random.Random(seed)
    texts = {"text": main_of(ADD, [("x", F4), ("y", F4)], F4),
             "loop": main_of(loop("%p = stablehlo.compare LT, %i, %z : "
                                  "(tensor<i32>, tensor<i32>) -> tensor<i1>",
                                  f"%t = stablehlo.add %s, %y : {F4}"),
                             [("x", F4), ("y", F4), ("z", "tensor<i32>")],
                             "tensor<i32>"), "HLO": HLO}
    words = ["{", "}", '"', "(", ")", "%x", "tensor<?xf32>", "@", "-1",
             "99999999999999999999", "stablehlo.", "// -----", "\0", "\xff",
             "func.func", "module {", "dense<", "\n"]
    other = []
    for name, text in texts.items():
        for _ in range(count):
            made = text
            for _ in range(chosen.randrange(1, 4)):
                at = chosen.randrange(len(made) + 1)
                kind = chosen.randrange(3)
                made = made[:at] if kind == 0 and chosen.random() < .3 else \
                    made[:at] + chosen.choice(words) + made[at:] \
                    if kind == 1 else \
                    made[:at] + made[at + chosen.randrange(1, 12):]
            try:
                importer.import_program(made.encode("latin-1"), "p.mlir")
            except mlir.Refused as e:
                if "\n" in str(e):
                    other.append((name, made, str(e)))
            except Exception as e:
                other.append((name, made, repr(e)))
    ok(not other, f"mutations of programs, seed {seed}", other[:3])


# ---- Where an error is -----------------------------------------------------------

def check_places():
    """As MLIR writes a place: a location alone, or the last of several."""
    for text, due in (
            ('loc("-":3:8): an operand', "p:3:8: an operand"),
            ('loc(fused["st", "-":31:0]): an operand', "p:31:0: an operand"),
            ("a first line\n-:4:2: error: expected ','", "p:4:2: expected ','"),
            ('"-":0:0): in bytecode', "p: in bytecode"),
            ("no place", "p: no place")):
        ok(sources.parse_error(text, "p") == due, f"the place in {text!r}",
           sources.parse_error(text, "p"))


def main():
    check_places()
    check_notes()
    check_mhlo()
    check_old()
    check_constants()
    check_windows()
    check_regions()
    check_entries()
    check_refusals()
    check_replicas()
    check_definitions()
    check_algorithms()
    check_factors()
    check_dynamic()
    check_parts()
    check_axes()
    check_spellings()
    check_options()
    check_constructs()
    check_collective_reduce()
    check_dynamic_conv()
    check_quantized()
    check_hlo()
    check_mutations()
    finish()


main()
