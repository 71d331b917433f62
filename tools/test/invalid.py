# invalid.py - programs with one thing wrong, made from valid ones.
#
# SPDX-License-Identifier: Apache-2.0
#
# A valid program is a document of `assay emit --as=program`.  Each function of
# MUTATIONS changes one thing of one instruction, or of one computation, and
# says whether it found anything to change.  What it makes is nearly always
# invalid; the program may also stay valid, or the case file may be what is
# invalid.  Nothing here knows an operation by name.
import copy
import random

FAR = ["-1", "2147483648", "4611686018427387904", "-9223372036854775808"]
NUMBERS = [-1, 1, 2, 7, 65, 2**31, 2**40, 2**62, -2**63]
BUILTINS = ["add", "lt", "first", "lt_total_order"]
SHAPES = ["f32[]", "pred[]", "s32[2]", "c64[3,2]", "f32[<=4]", "token[]",
          "(f32[], s32[2])", "()", "f8e8m0fnu[1]", "f32[0]", "s4[2]", "u64[]"]


def bodies(program):
    return program["module"]["computations"]


def instructions(program):
    return [(c, i) for c in bodies(program).values() for i in c["body"]]


def pick(rng, program, good=lambda i: True):
    """A computation and one of its instructions."""
    found = [(c, i) for c, i in instructions(program) if good(i)]
    return rng.choice(found) if found else (None, None)


def is_computation(program, value):
    return isinstance(value, str) and (value in bodies(program)
                                       or value in BUILTINS)


def callers(program):
    """Each attribute that names computations: the list or object, its key."""
    found = []
    for _, i in instructions(program):
        for key, value in i["attributes"].items():
            if is_computation(program, value):
                found.append((i["attributes"], key))
            elif isinstance(value, list):
                found += [(value, k) for k, v in enumerate(value)
                          if is_computation(program, v)]
    return found


def rename_computation(name):
    def change(rng, program):
        found = callers(program)
        if not found:
            return False
        where, key = rng.choice(found)
        where[key] = name(rng, program)
        return True
    return change


unknown_computation = rename_computation(lambda rng, p: "nosuch")
builtin_computation = rename_computation(lambda rng, p: rng.choice(BUILTINS))
other_computation = rename_computation(
    lambda rng, p: rng.choice(sorted(bodies(p))))
recursive_computation = rename_computation(lambda rng, p: p["module"]["entry"])


def computation_missing(rng, program):
    found = [(w, k) for w, k in callers(program)]
    if not found:
        return False
    where, key = rng.choice(found)
    del where[key]
    return True


def signature_shorter(rng, program):
    c = rng.choice(list(bodies(program).values()))
    if not c["parameters"]:
        return False
    c["parameters"].pop()
    return True


def signature_longer(rng, program):
    c = rng.choice(list(bodies(program).values()))
    c["parameters"].append(rng.choice(SHAPES))
    return True


def signature_other(rng, program):
    c = rng.choice(list(bodies(program).values()))
    if not c["parameters"]:
        return False
    k = rng.randrange(len(c["parameters"]))
    c["parameters"][k] = rng.choice(SHAPES)
    return True


def wrong_root(rng, program):
    c = rng.choice(list(bodies(program).values()))
    names = ["p0"] * bool(c["parameters"]) + [i["name"] for i in c["body"]]
    c["result"] = rng.choice([*names, "nosuch"])
    return True


def with_operands(i):
    return bool(i["operands"])


def operand_missing(rng, program):
    _, i = pick(rng, program, with_operands)
    if i is None:
        return False
    del i["operands"][rng.randrange(len(i["operands"]))]
    return True


def operand_none(rng, program):
    _, i = pick(rng, program, with_operands)
    if i is None:
        return False
    i["operands"] = []
    return True


def operand_more(rng, program):
    c, i = pick(rng, program)
    if i is None:
        return False
    names = i["operands"] + ["p0"] * bool(c["parameters"])
    if not names:
        return False
    i["operands"] += [rng.choice(names)] * rng.choice([1, 1, 2, 40])
    return True


def operand_swapped(rng, program):
    _, i = pick(rng, program, lambda i: len(i["operands"]) > 1)
    if i is None:
        return False
    rng.shuffle(i["operands"])
    return True


def operand_unknown(rng, program):
    _, i = pick(rng, program, with_operands)
    if i is None:
        return False
    i["operands"][rng.randrange(len(i["operands"]))] = "nosuch"
    return True


def operand_itself(rng, program):
    """A cycle: an operand is the instruction itself or a later one."""
    c, i = pick(rng, program, with_operands)
    if i is None:
        return False
    later = c["body"][c["body"].index(i):]
    i["operands"][rng.randrange(len(i["operands"]))] = \
        rng.choice(later)["name"]
    return True


def operand_other(rng, program):
    """An operand of another shape: a literal, often a token or a tuple."""
    c, i = pick(rng, program, with_operands)
    if i is None:
        return False
    c["body"].append(made(rng, f"other{len(c['body'])}", c))
    i["operands"][rng.randrange(len(i["operands"]))] = c["body"][-1]["name"]
    return True


def made(rng, name, c):
    kind = rng.randrange(5)
    first = ["p0"] if c["parameters"] else []
    if kind == 0:
        return {"name": name, "op": "AfterAll", "operands": [],
                "attributes": {}}
    if kind == 1:
        return {"name": name, "op": "Tuple", "operands": first * 2,
                "attributes": {}}
    shape, data = rng.choice([("f32[2]", [1, 2]), ("pred[]", True),
                              ("s32[3,1]", [[1], [2], [3]]), ("c64[]", [1, 2]),
                              ("f32[0]", []), ("u8[1]", [3]), ("bf16[]", 1)])
    return {"name": name, "op": "Constant", "operands": [], "attributes": {
        "literal": {"shape": shape, "data": data}}}


def with_attributes(i):
    return bool(i["attributes"])


def attribute_missing(rng, program):
    _, i = pick(rng, program, with_attributes)
    if i is None:
        return False
    del i["attributes"][rng.choice(sorted(i["attributes"]))]
    return True


def attribute_none(rng, program):
    _, i = pick(rng, program, with_attributes)
    if i is None:
        return False
    i["attributes"] = {}
    return True


def places(value, found, number):
    """Lists and objects in an attribute, with the keys of their values."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, v in items:
        if isinstance(v, (dict, list)):
            if not number:
                found.append((value, key))
            places(v, found, number)
        elif number == (isinstance(v, int) and not isinstance(v, bool)):
            found.append((value, key))
    return found


def attribute_places(rng, program, number):
    _, i = pick(rng, program, lambda i: places(i["attributes"], [], number))
    return rng.choice(places(i["attributes"], [], number)) if i else None


def attribute_number(rng, program):
    place = attribute_places(rng, program, True)
    if not place:
        return False
    place[0][place[1]] = rng.choice(NUMBERS)
    return True


def lists(value, found):
    for v in value.values() if isinstance(value, dict) else value:
        if isinstance(v, list):
            found.append(v)
        if isinstance(v, (dict, list)):
            lists(v, found)
    return found


def attribute_length(rng, program):
    """A list is empty, shorter, longer, or has an element twice."""
    _, i = pick(rng, program, lambda i: lists(i["attributes"], []))
    if i is None:
        return False
    one = rng.choice(lists(i["attributes"], []))
    how = rng.randrange(4)
    if how == 0 or not one:
        one[:] = [] if one else [0] * rng.choice([1, 9, 40])
    elif how == 1:
        one.pop()
    else:
        one += [copy.deepcopy(one[0])] * rng.choice([1, 1, 9, 40])
    return True


def attribute_form(rng, program):
    """A word is another word, a truth another truth."""
    place = attribute_places(rng, program, False)
    if not place:
        return False
    old = place[0][place[1]]
    place[0][place[1]] = not old if isinstance(old, bool) else \
        rng.choice([*SHAPES, "f32", "nosuch", "", "SAME", "0.5", "NaN"])
    return True


def operation_other(names):
    def change(rng, program):
        _, i = pick(rng, program)
        if i is None:
            return False
        i["op"] = rng.choice(names)
        if rng.randrange(2):
            i["attributes"] = {}
        return True
    return change


def parameter_among_body(rng, program):
    c = rng.choice(list(bodies(program).values()))
    c["body"].append({"name": "extra", "op": "Parameter", "operands": [],
                      "attributes": {"parameter_number": rng.choice(
                          [-1, 0, 1, 5, 2**40]),
                          "shape": rng.choice(SHAPES)}})
    if rng.randrange(2):
        c["result"] = "extra"
    return True


def feed_unordered(rng, program):
    c = rng.choice(list(bodies(program).values()))
    for n in range(2):
        c["body"].append({"name": f"feed{n}", "op": "Infeed", "operands": [],
                          "attributes": {"shape": "f32[2]"}})
    return True


def many_replicas(rng, program):
    program["replicas"] = rng.choice([2, 3])
    return True


MUTATIONS = {f.__name__: f for f in (
    computation_missing, signature_shorter, signature_longer, signature_other,
    wrong_root, operand_missing, operand_none, operand_more, operand_swapped,
    operand_unknown, operand_itself, operand_other, attribute_missing,
    attribute_none, attribute_number, attribute_length, attribute_form,
    parameter_among_body, feed_unordered, many_replicas)}
MUTATIONS |= {"unknown_computation": unknown_computation,
              "builtin_computation": builtin_computation,
              "other_computation": other_computation,
              "recursive_computation": recursive_computation}


def value(text):
    """A literal of that shape."""
    if text.startswith("("):
        parts, depth, part = [], 0, ""
        for ch in text[1:-1]:
            depth += (ch in "([") - (ch in ")]")
            if ch == "," and depth == 0:
                parts.append(part)
                part = ""
            else:
                part += ch
        if part.strip():
            parts.append(part)
        return {"tuple": [value(p.strip()) for p in parts]}
    if text.startswith("token"):
        return {"shape": text}
    zero = False if text.startswith("pred") else \
        [1, 0] if text.startswith("c") else 1
    return {"shape": text, "splat": zero}


def clean(program):
    """The document as the members of a case."""
    program = copy.deepcopy(program)
    for _, i in instructions(program):
        i.pop("shape", None)
        i.setdefault("operands", [])
        i.setdefault("attributes", {})
    return program


def case(program, name, why):
    """A case that expects that the program is rejected, however."""
    n = program["replicas"] * program["partitions"]
    entry = bodies(program)[program["module"]["entry"]]
    inputs = [value(s) for s in entry["parameters"]]
    made_case = {"id": name, "why": why, "module": program["module"],
                 "inputs": inputs, "expect": {"error": [
                     "shape", "type", "attribute", "computation",
                     "structure"]}}
    if n > 1:
        made_case |= {"replicas": program["replicas"],
                      "partitions": program["partitions"],
                      "inputs": [inputs] * n}
    return made_case


def make(programs, count, seed):
    """So many changed programs: (mutation, operation, case)."""
    rng = random.Random(seed)
    ops = sorted({i["op"] for p in programs for _, i in instructions(p)})
    table = MUTATIONS | {"operation_other": operation_other(ops)}
    names = sorted(table)
    result = []
    while len(result) < count:
        program = clean(rng.choice(programs))
        name = rng.choice(names)
        if not table[name](rng, program):
            continue
        found = [i["op"] for _, i in instructions(program)]
        if not found:
            continue
        result.append((name, found[-1], case(
            program, f"n{len(result)}", f"{name} of {program['name']}")))
    return result
