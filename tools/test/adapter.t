#!/usr/bin/python3
# adapter.t - what the adapters of libraries share, of a made-up library.
#
# SPDX-License-Identifier: Apache-2.0
import os
import sys

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path[:0] = [f"{ROOT}/tools/test", f"{ROOT}/tools/python"]
from tap import finish, ok  # noqa: E402

import numpy as np  # noqa: E402
from assay import adapter  # noqa: E402
from assay.backend import Backend, Unsupported  # noqa: E402


def raised(function, *operands, **attributes):
    """The class of what it raises, or None."""
    try:
        function(*operands, **attributes)
    except Exception as e:
        return type(e)
    return None


def check_elementwise():
    mine, calls = Backend("mine"), []

    def call(op, function, *operands):
        calls.append(op)
        return function(*operands)

    adapter.elementwise(
        mine, {"Neg": np.negative, "Not": np.invert, "Div": np.divide}, call,
        {"Div": "f"}, {("Not", "b"): np.logical_or})
    functions = mine.functions
    x = np.float32([1, 2])
    ok((functions["Neg"](x) == [-1, -2]).all(), "a function of one operand")
    same = {"broadcast_dimensions": [], "broadcasting": "none"}
    ok((functions["Div"](x, x, **same) == 1).all(), "and of two")
    made = functions["Div"](np.ones((2, 3), np.float32), x,
                            broadcast_dimensions=[0], broadcasting="explicit")
    ok((made == [[1] * 3, [0.5] * 3]).all(), "aligned to a dimension",
       str(made))
    ok(raised(functions["Neg"], x, broadcasting="none") is TypeError,
       "an attribute that the operation lacks is not taken")
    calls.clear()
    ok(raised(functions["Div"], np.int32([1]), np.int32([1]), **same)
       is Unsupported and calls == ["Div"],
       "of another kind it is unsupported, after call was asked", str(calls))
    ok(functions["Not"](np.int32([1]))[0] == -2, "the function of the table")
    ok(raised(functions["Not"], np.bool_([1])) is TypeError,
       "another one for a kind: logical_or lacks an operand")


def check_lacking():
    def raise_within(error, *arguments):
        with adapter.lacking(*arguments):
            raise error
    ok(raised(raise_within, ValueError("no f16 here"), ValueError, ["no f16"])
       is Unsupported, "an error with one of the texts: unsupported")
    ok(raised(raise_within, ValueError("wrong size"), ValueError, ["no f16"])
       is ValueError, "with another text it stays")
    ok(raised(raise_within, KeyError("no f16"), ValueError, ["no f16"])
       is KeyError, "and so does another error")
    ok(raised(raise_within, ValueError("x"), ValueError) is Unsupported,
       "without texts, any")


def check_dimensions():
    ok(adapter.place([2, 3], [3, 1], 5) == [1, 3, 1, 2, 1],
       "sizes in their dimensions")
    ok(adapter.pads([{"edge_padding_low": 1, "edge_padding_high": 2,
                      "interior_padding": 0}, {"edge_padding_low": -3,
                     "edge_padding_high": 4, "interior_padding": 5}])
       == ([1, -3], [2, 4], [0, 5]), "paddings by their side")
    numbers = {"input_batch_dimension": 2, "input_feature_dimension": 0,
               "input_spatial_dimensions": [3, 1]}
    x = np.zeros((30, 11, 20, 10))  # feature, second, batch, first
    ok(np.transpose(x, adapter.feature_last(numbers, "input")).shape
       == (20, 10, 11, 30), "batch, spatial dimensions, feature")


check_elementwise()
check_lacking()
check_dimensions()
finish()
