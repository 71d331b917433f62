# control.py - random programs of control flow; control_run.py evaluates them.
#
# SPDX-License-Identifier: Apache-2.0
#
# A program is made of computations, each of instructions as the case format
# writes them; a table says how each operation is drawn (GROW).
#
# Tuples are taken apart and put together again from whatever has the right
# shape: elements change places, are in several places, or are left out.
import numpy as np

from .control_run import (BINARY, COMPARE, TYPES, UNARY, Evaluator, Shape, array,
                          is_array)
from .harness import Array, Case, store_of

NAMES = {np.dtype(t): name for name, t in TYPES.items()}
POOL = [Shape("s32", ()), Shape("s32", (3,)), Shape("s32", (2, 2)),
        Shape("u8", ()), Shape("u8", (3,)), Shape("f32", ()),
        Shape("f32", (3,)), Shape("pred", ()), Shape("s32", (0,))]
COUNTER, PRED = Shape("s32", ()), Shape("pred", ())
BIG = ("While", "Conditional", "Scan", "Map", "Call", "CompositeCall", "Sort")
COST = 20000  # instructions that a program may run


class TooLong(Exception):
    """A program that would run too many instructions."""


def text(shape):
    if is_array(shape):
        return f"{shape.type}[{','.join(map(str, shape.dims))}]"
    return f"({', '.join(map(text, shape))})"


# ---- Values -----------------------------------------------------------------

def draw(s, shape):
    """A value of that shape: small numbers, and seldom any."""
    if not is_array(shape):
        return tuple(draw(s, e) for e in shape)
    n = int(np.prod(shape.dims))
    low = 0 if shape.type in ("u8", "pred") else -9
    most = {"u8": 255, "pred": 1, "s32": 2 ** 31 - 1, "f32": 9}[shape.type]
    v = [s.randint(low, min(9, most)) if s.random() < 0.9
         else s.randint(0, most) for _ in range(n)]
    return np.array(v).reshape(shape.dims).astype(TYPES[shape.type])


def to_array(value):
    type = NAMES[value.dtype]
    return Array(type, value.view(store_of(type)))


class Literal:
    """A value as the case format writes it."""

    def __init__(self, value):
        self.value = value

    def literal(self):
        if isinstance(self.value, tuple):
            return {"tuple": [Literal(v).literal() for v in self.value]}
        return to_array(self.value).literal()


def leaves(value):
    if isinstance(value, tuple):
        return [a for v in value for a in leaves(v)]
    return [to_array(value)]


# ---- Programs ---------------------------------------------------------------

class Computation:
    """One that is being drawn: what is in scope, and of which shape."""

    def __init__(self, name, parameters):
        self.name, self.parameters = name, parameters
        self.scope = {f"p{i}": p for i, p in enumerate(parameters)}
        self.body = []
        self.root, self.cost = None, 1

    def add(self, op, shape, operands=(), **attributes):
        name = f"v{len(self.body)}"
        node = {"name": name, "op": op, "operands": list(operands)}
        if attributes:
            node["attributes"] = attributes
        self.body.append(node)
        self.scope[name] = shape
        self.cost += 1
        return name

    @property
    def result(self):
        return self.scope[self.root]

    def names(self, test):
        return [n for n, shape in self.scope.items() if test(shape)]

    def json(self, s):
        return {"parameters": [text(p) for p in self.parameters],
                "body": s.sample(self.body, len(self.body)),
                "result": self.root}


class Draft:
    """A program that is being drawn."""

    def __init__(self, s):
        self.s, self.computations, self.serial = s, {}, 0

    def computation(self, parameters, depth, result=None, size=4, last=None):
        """Draw one; last(c) may give its root, otherwise result is made."""
        s = self.s
        self.serial += 1
        c = Computation(f"c{self.serial}", parameters)
        for name in list(c.scope):
            if s.random() < 0.9:
                self.unpack(c, name)
        for _ in range(s.randint(0, size)):
            s.choices(list(GROW), WEIGHTS)[0](self, c, depth)
        c.root = last(c) if last else self.make(
            c, result or s.choice(list(c.scope.values())))
        self.computations[c.name] = c
        return c

    def unpack(self, c, name):
        if is_array(c.scope[name]):
            return
        for i, e in enumerate(c.scope[name]):
            self.unpack(c, c.add("GetTupleElement", e, [name], index=i))

    def make(self, c, shape):
        """Something of that shape: what is there, or parts of it."""
        s = self.s
        there = c.names(lambda x: x == shape)
        if there and s.random() < (0.9 if is_array(shape) else 0.3):
            # What is new more often, so that less is computed for nothing.
            return s.choice(there[-5:] if s.random() < 0.6 else there)
        if is_array(shape):
            return self.constant(c, draw(s, shape))
        return c.add("Tuple", shape, [self.make(c, e) for e in shape])

    def constant(self, c, value):
        l = to_array(value)
        shape = Shape(l.type, l.shape)
        return c.add("Constant", shape, literal=l.literal())

    def pick(self, c, test):
        """A name in scope, or a constant of the pool, that passes."""
        there = c.names(lambda x: is_array(x) and test(x))
        if there:
            return self.s.choice(there)
        shape = self.s.choice([p for p in POOL if test(p)])
        return self.constant(c, draw(self.s, shape))

    def shape(self, depth=2):
        """A shape of the pool, or a tuple of such."""
        if depth == 0 or self.s.random() < 0.6:
            return self.s.choice(POOL)
        return tuple(self.shape(depth - 1)
                     for _ in range(self.s.randint(0 if depth == 1 else 1, 3)))

    def spend(self, c, times, called):
        c.cost += times * called.cost
        if c.cost > COST:
            raise TooLong


# ---- What an instruction may be ---------------------------------------------

def numeric(shape):
    return shape.type != "pred"


def grow_unary(d, c, depth):
    op = d.s.choice(list(UNARY))
    x = d.pick(c, lambda p: {"Neg": p.type in ("s32", "f32"),
                             "Abs": p.type in ("s32", "f32"),
                             "Not": p.type != "f32"}[op])
    c.add(op, c.scope[x], [x])


def grow_binary(d, c, depth):
    op = d.s.choice(list(BINARY))
    bits = op in ("And", "Or", "Xor")
    x = d.pick(c, lambda p: p.type != "f32" if bits else numeric(p))
    c.add(op, c.scope[x], [x, d.make(c, c.scope[x])])


def grow_compare(d, c, depth):
    x = d.pick(c, numeric)
    c.add(d.s.choice(list(COMPARE)), Shape("pred", c.scope[x].dims),
          [x, d.make(c, c.scope[x])])


def grow_select(d, c, depth):
    x = d.pick(c, lambda p: True)
    shape = c.scope[x]
    c.add("Select", shape, [d.make(c, Shape("pred", shape.dims)), x,
                            d.make(c, shape)])


def grow_tuple(d, c, depth):
    n = d.s.randint(0, 4)
    parts = [d.s.choice(list(c.scope)) for _ in range(n if c.scope else 0)]
    d.unpack(c, c.add("Tuple", tuple(c.scope[p] for p in parts), parts))


def grow_barrier(d, c, depth):
    if c.scope:
        x = d.s.choice(list(c.scope))
        d.unpack(c, c.add("OptimizationBarrier", c.scope[x], [x]))


def grow_constant(d, c, depth):
    d.constant(c, draw(d.s, d.s.choice(POOL)))


def grow_slice(d, c, depth):
    """A DynamicSlice, and mostly it goes back somewhere."""
    x = d.pick(c, lambda p: len(p.dims) == 1)
    shape = c.scope[x]
    sizes = [d.s.randint(0, shape.dims[0])]
    part = c.add("DynamicSlice", Shape(shape.type, tuple(sizes)),
                 [x, d.make(c, COUNTER)], slice_sizes=sizes)
    if d.s.random() < 0.8:
        c.add("DynamicUpdateSlice", shape,
              [d.make(c, shape), part, d.make(c, COUNTER)])


def grow_sort(d, c, depth):
    """Stable, by one of the operands."""
    x = d.pick(c, lambda p: p.type in ("s32", "u8") and p.dims == (3,))
    n = d.s.randint(1, 3)
    names = [d.make(c, Shape(d.s.choice(["s32", "u8", "f32"]), (3,)))
             for _ in range(n)]
    key = d.s.randrange(n)
    names[key] = x
    scalars = [Shape(c.scope[m].type, ()) for m in names for _ in range(2)]
    by = Computation(f"c{d.serial}s", scalars)
    by.root = by.add(d.s.choice(["Lt", "Gt"]), PRED,
                     [f"p{2 * key}", f"p{2 * key + 1}"])
    d.serial += 1
    d.computations[by.name] = by
    d.spend(c, 9, by)
    shapes = tuple(c.scope[m] for m in names)
    d.unpack(c, c.add("Sort", shapes if n > 1 else shapes[0], names,
                      comparator=by.name, dimension=0, is_stable=True))


def grow_map(d, c, depth):
    if depth == 0:
        return
    x = d.pick(c, lambda p: True)
    dims = c.scope[x].dims
    names = [x] + [d.make(c, Shape(d.s.choice(["s32", "f32", "u8"]), dims))
                   for _ in range(d.s.randint(0, 2))]
    f = d.computation([Shape(c.scope[m].type, ()) for m in names], depth - 1,
                      Shape(d.s.choice(list(TYPES)), ()), size=2)
    d.spend(c, int(np.prod(dims)), f)
    c.add("Map", Shape(f.result.type, dims), names, computation=f.name)


def grow_scan(d, c, depth):
    """Outputs first, then the carries, whose shapes are theirs again."""
    if depth == 0:
        return
    x = d.pick(c, lambda p: len(p.dims) > 0)
    dims = c.scope[x].dims
    axis = d.s.randrange(len(dims))
    inputs = [x] + [d.make(c, Shape(t, dims)) for t in ("s32", "f32")
                    if d.s.random() < 0.5]
    rest = dims[:axis] + dims[axis + 1:]
    slices = [Shape(c.scope[m].type, rest) for m in inputs]
    carries = [d.s.choice(slices + slices + POOL[:2])
               for _ in range(d.s.randint(1, 4))]
    outputs = [d.s.choice([e for e in slices + carries
                           if len(e.dims) >= axis])
               for _ in range(d.s.randint(0, 3))]
    f = d.computation(slices + carries, depth - 1, tuple(outputs + carries),
                      size=7)
    d.spend(c, dims[axis], f)
    result = [Shape(o.type, o.dims[:axis] + (dims[axis],) + o.dims[axis:])
              for o in outputs] + carries
    d.unpack(c, c.add(
        "Scan", tuple(result), inputs + [d.make(c, s) for s in carries],
        computation=f.name, num_inputs=len(inputs), scan_dimension=axis,
        is_reverse=d.s.random() < 0.5))


def grow_call(d, c, depth):
    """Of a computation that is there already, or of a new one."""
    if depth == 0:
        return
    if d.computations and d.s.random() < 0.4:
        f = d.s.choice(list(d.computations.values()))
    else:
        f = d.computation([d.shape() for _ in range(d.s.randint(0, 3))],
                          depth - 1, d.shape())
    d.spend(c, 1, f)
    operands = [d.make(c, p) for p in f.parameters]
    more = {"name": "own.call"} if operands and d.s.random() < 0.2 else {}
    d.unpack(c, c.add("CompositeCall" if more else "Call", f.result, operands,
                      computation=f.name, **more))


def grow_conditional(d, c, depth):
    if depth == 0:
        return
    s = d.s
    result, by_pred = d.shape(), s.random() < 0.4
    n = 2 if by_pred else s.randint(1, 4)
    branches = [d.computation([d.shape()], depth - 1, result, size=3)]
    while len(branches) < n:
        branches.append(s.choice(branches) if s.random() < 0.2 else
                        d.computation([d.shape()], depth - 1, result, size=3))
    names = [f.name for f in branches]
    for f in branches:
        d.spend(c, 1, f)
    if by_pred:
        attributes = dict(zip(("true_computation", "false_computation"), names))
    else:
        attributes = {"branch_computations": names}
    d.unpack(c, c.add(
        "Conditional", result,
        [d.make(c, PRED if by_pred else COUNTER)]
        + [d.make(c, f.parameters[0]) for f in branches], **attributes))


def grow_while(d, c, depth):
    """A counter anywhere in the state ends it; else it may end sooner."""
    if depth == 0:
        return
    s = d.s
    rounds = s.randint(0, 5)
    state = [d.shape() for _ in range(s.randint(0, 5))] + [COUNTER]
    # Data decide about the rounds: replicas leave at different times.
    data = c.names(lambda p: p == COUNTER) if s.random() < 0.5 else []
    state += [COUNTER] if data else []
    order = s.permuted(len(state))
    at = order.index(len(state) - (2 if data else 1))
    most = order.index(len(state) - 1)
    state = tuple(state[i] for i in order)

    def counter(f):
        return f.add("GetTupleElement", COUNTER, ["p0"], index=at)

    def goes_on(f):
        limit = d.constant(f, array(rounds, "s32"))
        if data:
            limit = f.add("And", COUNTER, [limit, f.add(
                "GetTupleElement", COUNTER, ["p0"], index=most)])
        test = f.add("Lt", PRED, [counter(f), limit])
        if s.random() < 0.3:
            test = f.add("And", PRED, [test, d.make(f, PRED)])
        return test

    def next_state(f):
        up = f.add("Add", COUNTER,
                   [counter(f), d.constant(f, array(1, "s32"))])
        return f.add("Tuple", state, [up if i == at else d.make(f, e)
                                      for i, e in enumerate(state)])

    cond = d.computation([state], depth - 1, size=1, last=goes_on)
    body = d.computation([state], depth - 1, last=next_state)
    d.spend(c, rounds + 1, cond)
    d.spend(c, rounds, body)
    given = {at: d.constant(c, array(0, "s32"))}
    if data:
        given[most] = s.choice(data)
    init = c.add("Tuple", state, [given.get(i) or d.make(c, e)
                                  for i, e in enumerate(state)])
    d.unpack(c, c.add("While", state, [init], condition=cond.name,
                      body=body.name))


GROW = {grow_unary: 2, grow_binary: 4, grow_compare: 1, grow_select: 1,
        grow_tuple: 2, grow_barrier: 1, grow_constant: 1, grow_slice: 1,
        grow_sort: 1, grow_map: 1, grow_scan: 2, grow_call: 2,
        grow_conditional: 2, grow_while: 5}
WEIGHTS = list(GROW.values())


# ---- One program ------------------------------------------------------------

def everything(s, c):
    """A tuple of all that is big, and of something else."""
    names = [n["name"] for n in c.body if n["op"] in BIG]
    names += s.sample(list(c.scope), min(2, len(c.scope)))
    s.shuffle(names)
    return c.add("Tuple", tuple(c.scope[n] for n in names), names)


def control(s):
    """A program with a loop, a branch, a call, a map or a scan in it."""
    while True:
        d = Draft(s)
        parameters = [COUNTER] + [d.shape() for _ in range(s.randint(0, 3))]
        try:
            main = d.computation(parameters, s.randint(1, 3), size=6,
                                 last=lambda c: everything(s, c))
        except TooLong:
            continue
        if len(d.computations) > 1:
            break
    rows = [[draw(s, p) for p in parameters]
            for _ in range(s.choice([1, 1, 2, 3]))]
    e = Evaluator(d.computations)
    want = [leaves(e.call(main.name, *row)) for row in rows]
    inputs = [[Literal(v) for v in row] for row in rows]
    module = {"computations": {name: c.json(s)
                               for name, c in d.computations.items()},
              "entry": main.name}
    many = {} if len(rows) == 1 else {"replicas": len(rows)}
    return Case("While", inputs if many else inputs[0], None,
                want if many else want[0], module=module, **many)
