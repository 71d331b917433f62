#!/usr/bin/env python3
# arguments.t - operands and attributes against the tables of document 004.
#
# SPDX-License-Identifier: Apache-2.0
#
# The document has a table of arguments for most operations: a name, a type of
# the C++ interface, and words.  Each row must be an operand or an attribute of
# that kind, and each operand and attribute that a program must give must be
# named in the operation's section.
import glob
import os
import re
import sys

from tap import finish, ok

sys.path.insert(0, "tools")
import specification  # noqa: E402

SEEDS = "../shared/seeds"
HEAD = re.compile("(الوسيطات|الوسيطة|حقول DotDimensionNumbers) النوع الدلالات")
# Headings that are not the operation's name.
HEADINGS = {"Concatenate": ["ConcatInDim"], "Rev (reverse)": ["Rev"],
            # Its table has the dilations, which the builder does not.
            "ConvWithGeneralPadding (convolution)": ["ConvGeneralDilated"]}
# The first pattern that the type's column begins with decides.
KINDS = [(re.compile(p), kind) for p, kind in (
    (r"(تسلسل N XlaOp|N XlaOps|ArraySlice<XlaOp>)", "operands"),
    (r"(XlaOp|T )", "operand"),
    (r"تسلسل N XlaComputation", "computations"),
    (r"XlaComputation", "computation"),
    (r"(ArraySlice< pair<int64,int64>>|<int64, int64>)", "pairs"),
    (r"(ArraySlice<int64>|int64 متّجه|صفيف int64|int64 متكرّر)", "ints"),
    (r"(متّجه المتّجهات int64|ReplicaGroup)", "groups"),
    (r"((اختياري )?int(64|32)|ChannelHandle)", "int"),
    (r"bool", "bool"), (r"float", "number"), (r"PrimitiveType", "type"),
    (r"Shape", "shape"), (r"PaddingConfig", "padding-config"),
    (r"Padding", "window-padding"), (r"DotDimensionNumbers", "dimension-numbers"),
    # composite_attributes is a dictionary in a string; here it is an object.
    (r"اختياري string", "object"), (r"string", "string"),
    (r"(FftType|RandomAlgorithm|Transpose)", "name"))]
# What the builder's header calls an argument that the document names otherwise.
SAME = {"all_gather_dim": "all_gather_dimension", "operand": "operands",
        "mean": "batch_mean", "variance": "batch_var", "args": "operands",
        "inputs": "operands", "decomposition": "computation",
        "pred": "selector", "branch_index": "selector",
        "true_operand": "branch_operands", "false_operand": "branch_operands",
        "target_name": "call_target_name", "size_indices": "slice_sizes",
        "channel_handle": "channel_id", "operands": "tokens"}
OTHERWISE = {("Reduce", "dimensions"): "dimensions_to_reduce",
             ("Reshape", "dimensions"): "new_sizes"}
# A program must give them, and the section does not name them: it has their
# members, or another name in words.
ABSENT = {"ConvGeneralDilated.dimension_numbers", "CrossReplicaSum.operand",
          "Gather.dimension_numbers", "GetTupleElement.index",
          "OptimizationBarrier.operands", "Scatter.dimension_numbers",
          "Tuple.elements"}

OPS = specification.operations()


def documents():
    """004 as lines, and its sections: heading, first line, last line."""
    path = glob.glob(f"{SEEDS}/004_*")[0]
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    of = next(p for p in specification.load("spec/sources.json")["places"]
              if p["name"] == "004")
    starts = [(s["heading"], s["line"]) for s in of["sections"]]
    ends = [line for _, line in starts[1:]] + [len(lines) + 1]
    return [(heading, lines[start - 1:end - 1])
            for (heading, start), end in zip(starts, ends)]


def operations_of(heading, lines):
    """The operations that a section defines."""
    if not heading.startswith("Element-wise"):
        return HEADINGS.get(heading, [heading] if heading in OPS else [])
    if "unary" in heading:
        return [m[1] for m in (re.match(r"(\w+)\(operand\)", line)
                               or re.match(r".* (\w+)\(operand\)", line)
                               for line in lines) if m]
    listed = next(line for line in lines if " Op " in line)
    return [n for n in re.findall(r"[A-Z][A-Za-z0-9]+", listed) if n in OPS]


def tables(lines):
    """The rows of each table of arguments: name, rest of the line."""
    inside = False
    for line in lines:
        if HEAD.match(line):
            inside = True
        elif not re.match(r"[a-z]", line):
            inside = False
        elif inside:
            name, _, rest = line.partition(" ")
            yield name, rest


def kinds(op):
    """The kind of each operand, attribute and member, by name."""
    made = {o["name"]: "operands" if o.get("variadic") else "operand"
            for o in op["operands"]}
    for a in op["attributes"]:
        made[a["name"]] = a["form"]
        made.update({m["name"]: m["form"] for m in a.get("members", [])})
    return made


def check_row(name, argument, rest):
    have = kinds(OPS[name])
    kind = next((k for p, k in KINDS if p.match(rest)), None)
    ours = OTHERWISE.get((name, argument), argument)
    if ours not in have:
        ours = SAME.get(argument)
    if ours not in have:
        return f"{name}: {argument} is neither an operand nor an attribute"
    # The builder takes a list where the document has one array.
    if have[ours] != kind and (have[ours], kind) != ("operands", "operand"):
        return f"{name}: {argument} is {kind}, not {have[ours]}"
    return None


def required(op):
    for o in op["operands"]:
        if not o.get("optional"):
            yield o["name"]
    for a in op["attributes"]:
        if "default" not in a and not a.get("optional"):
            yield a["name"]


def main():
    if not os.path.isdir(SEEDS):
        ok(True, f"arguments of the document # SKIP no {SEEDS}")
        finish()
    rows, found, wrong, unnamed = 0, set(), [], []
    for heading, lines in documents():
        names = operations_of(heading, lines)
        found |= set(names)
        for name in names:
            for argument, rest in tables(lines):
                rows += 1
                wrong.append(check_row(name, argument, rest))
            words = set(re.findall(r"\w+", "\n".join(lines)))
            shown = words | {SAME[w] for w in words & set(SAME)} \
                | {ours for (n, _), ours in OTHERWISE.items() if n == name}
            unnamed += [f"{name}.{a}" for a in required(OPS[name])
                        if a not in shown and f"{name}.{a}" not in ABSENT]
    wrong = [w for w in wrong if w]
    ok(len(found) > 90 and rows > 200,
       f"the document has {len(found)} operations, {rows} arguments")
    ok(not wrong, "each argument of the document is ours", "\n".join(wrong))
    ok(not unnamed, "what a program must give is in the document",
       "\n".join(unnamed))
    finish()


main()
