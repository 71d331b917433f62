"""Which side is right?

SPDX-License-Identifier: Apache-2.0

    import assay, numpy as np
    x = np.float32([0.5])
    print(assay.settle("Sin", [x], {"numpy": np.sin(x), "test": y}))

Several results of one operation or program on the same operands: which lie in
the acceptance set, by how much each differs from the exact value, and what
explains a result that does not.  A reason is given only if it is verified: a
profile under which the result is right, or a deviation that gives it and does
not give the exact value.
"""
import dataclasses
import html
from typing import (Any, Dict, Iterable, Iterator, List, Optional, Sequence,
                    Tuple)

import numpy as np

from assay import kernel_program, library, reference, types
from assay.kernel_cause import off_grid
from assay.kernel_program import Unknown
from assay.kernel_report import misshapen

LISTED = 3
#: Profiles of implementations, in which a result may be right.
PROFILES = ("strict", "spec", "stablehlo", "xla-cpu-default",
            "xla-gpu-default")
#: From the widest on.
NARROW = ("f32", "f16", "bf16")


@dataclasses.dataclass(frozen=True)
class Side:
    """One result.

    name     whose it is
    verdict  assay.Verdict; or None: why says what is wrong with its shape
    steps    the most that an element is off, in numbers of its type that lie
             between it and the exact value, rounded once; None if some
             element is NaN or infinite where the exact value is not
    where    (output, index) of that element
    reasons  verified explanations, if it is wrong; a remark, if it is right
             only because the profile permits it
    """
    name: str
    verdict: Optional[reference.Verdict]
    why: str
    steps: Optional[int]
    where: Tuple[int, Tuple[int, ...]]
    reasons: Tuple[str, ...]

    @property
    def right(self) -> bool:
        return self.verdict is not None and bool(self.verdict)


@dataclasses.dataclass(frozen=True)
class Element:
    """One element that is shown: where, the exact value, what is accepted, and
    what each side has there."""
    output: int
    index: Tuple[int, ...]
    exact: str
    accepts: str
    found: Dict[str, str]


@dataclasses.dataclass(frozen=True)
class Settlement:
    """The answer; true if every side is right.  would_accept: mistakes in a sum
    that its wide set does not tell from a right result."""
    what: str
    profile: str
    sides: Tuple[Side, ...]
    elements: Tuple[Element, ...]
    would_accept: Tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return all(s.right for s in self.sides)

    @property
    def answer(self) -> str:
        """In a sentence."""
        right = [s.name for s in self.sides if s.right]
        wrong = [s.name for s in self.sides if not s.right]
        if not wrong:
            return "all of them are right" if len(right) > 1 \
                else f"{right[0]} is right"
        if not right:
            return "none of them is right" if len(wrong) > 1 \
                else f"{wrong[0]} is wrong"
        return (f"{_names(wrong)} {'is' if len(wrong) == 1 else 'are'} wrong; "
                f"{_names(right)} {'is' if len(right) == 1 else 'are'} right")

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.what}, profile {self.profile}: {self.answer}"
        width = max(len(s.name) for s in self.sides)
        for side in self.sides:
            yield (f"  {side.name:{width}s}  "
                   f"{'right' if side.right else 'WRONG'}  {distance(side)}")
            yield from (f"  {'':{width}s}         {r}" for r in side.reasons)
        if self.would_accept:
            yield f"  would also accept: {', '.join(self.would_accept)}"
        for e in self.elements:
            yield (f"  {place(e.output, e.index)}: exact {e.exact}, accepted "
                   f"{e.accepts}")
            for name, value in e.found.items():
                yield f"    {name:{width}s}  {value}"

    def json(self) -> Dict[str, Any]:
        return {"format": "assay-settlement/1", "what": self.what,
                "profile": self.profile, "answer": self.answer,
                "right": bool(self),
                "sides": [{"name": s.name, "right": s.right,
                           "distance": distance(s), "steps": s.steps,
                           "reasons": list(s.reasons)} for s in self.sides],
                "elements": [{**dataclasses.asdict(e), "index": list(e.index)}
                             for e in self.elements],
                "would_accept": list(self.would_accept)}

    def page(self, title: str = "", source: str = "") -> str:
        """A page of HTML that needs no other file."""
        return _page(self, title or self.what, source)


def _names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else \
        ", ".join(names[:-1]) + " and " + names[-1]


def place(output: int, index: Sequence[int]) -> str:
    """"output 0[1, 2]"."""
    return f"output {output}" + (f"[{', '.join(map(str, index))}]"
                                 if index else "")


def distance(side: Side) -> str:
    """How far a side is from the exact value."""
    if side.verdict is None:
        return side.why
    count = side.verdict.wrong_elements
    wrong = "" if side.right else "1 element outside of its set; " \
        if count == 1 else f"{count} elements outside of their sets; "
    if side.steps is None:
        return f"{wrong}not a number, or infinite, at {place(*side.where)}"
    if side.steps == 0:
        return f"{wrong}the exact value, rounded once"
    numbers = "number" if side.steps == 1 else "numbers"
    return (f"{wrong}at most {side.steps:,} {numbers} of its type from the "
            f"exact value, at {place(*side.where)}")


# ---- Distances ---------------------------------------------------------------

def _ordinals(array: np.ndarray) -> np.ndarray:
    """Integers in the order of the numbers; both zeros are 0."""
    bits = array.view(f"u{array.dtype.itemsize}").astype(object)
    top = 1 << (8 * array.dtype.itemsize - 1)
    return np.where(bits >= top, top - bits, bits)


def steps(exact: np.ndarray, found: np.ndarray) -> List[Optional[int]]:
    """For each element how many numbers of the type lie between, the second
    one counted; None where one of them alone is NaN or infinite."""
    if exact.dtype.kind == "c":
        part = exact.dtype.type(0).real.dtype
        both = steps(np.ascontiguousarray(exact).view(part),
                     np.ascontiguousarray(found).view(part))
        return [None if a is None or b is None else max(a, b)
                for a, b in zip(both[::2], both[1::2])]
    if exact.dtype.kind in "iub":
        return [abs(int(a) - int(b)) for a, b in
                zip(exact.reshape(-1), found.reshape(-1))]
    a, b = np.ascontiguousarray(exact).reshape(-1), \
        np.ascontiguousarray(found).reshape(-1)
    with np.errstate(all="ignore"):
        finite = np.isfinite(a.astype(np.float64)) \
            & np.isfinite(b.astype(np.float64))
        same = (a == b) | ((a != a) & (b != b))
    away = np.abs(_ordinals(a) - _ordinals(b))
    return [0 if s else int(d) if f else None
            for s, f, d in zip(same, finite, away)]


def _farthest(exact: Sequence[np.ndarray], found: Sequence[np.ndarray]
              ) -> Tuple[Optional[int], Tuple[int, Tuple[int, ...]]]:
    worst: Tuple[float, Optional[int], int, int] = (-1, 0, 0, 0)
    for output, (e, f) in enumerate(zip(exact, found)):
        for i, n in enumerate(steps(e, f)):
            rank = float("inf") if n is None else n
            if rank > worst[0]:
                worst = (rank, n, output, i)
    _rank, n, output, i = worst
    shape = exact[output].shape if exact else ()
    at = tuple(int(k) for k in np.unravel_index(i, shape)) if shape else ()
    return n, (output, at)


# ---- What is settled ---------------------------------------------------------

class _Subject:
    """An operation or a program on operands."""

    def __init__(self, what: Any, operands: Sequence[Any],
                 attributes: Dict[str, Any]) -> None:
        self.operands = [types.as_array(o) for o in operands]
        self.attributes = attributes
        self.definition, self.sizes, self.dtype = None, None, ""
        if isinstance(what, str) and what in types.OPERATIONS:
            self.name = what
            return
        try:
            self.definition = kernel_program.find(what, [self.operands])
        except Unknown as e:
            if isinstance(what, str) and what.isidentifier():
                near = kernel_program.nearest(
                    what, [*types.OPERATIONS, *kernel_program.names()])
                raise Unknown(f"no operation or program {what!r}{near}") \
                    from None
            raise e
        self.name = self.definition.name
        self.dtype, self.sizes = fit(self.definition, self.operands)

    def evaluate(self, profile: str, deviations: Sequence[Any] = (),
                 module: Optional[dict] = None) -> library.Evaluation:
        if module:
            return library.Evaluation(self.name, {
                "inputs": [reference.literal(o) for o in self.operands],
                "module": module}, profile)
        if self.definition:
            return self.definition.evaluate(
                self.dtype, self.sizes, self.operands, profile, deviations)
        return reference.evaluate(self.name, self.operands, self.attributes,
                                   profile)

    def text(self) -> str:
        if self.definition and self.sizes is not None:
            sizes = self.definition.sizes_text(self.sizes)
            return f"{self.name} ({self.dtype} {sizes})" \
                if isinstance(self.definition, kernel_program.Named) \
                else f"{self.name} ({sizes})"
        shapes = ", ".join(
            f"{types.dtype_name(o.dtype)}[{','.join(map(str, o.shape))}]"
            for o in self.operands)
        return f"{self.name}({shapes})"

    def deviations(self, wanted: Sequence[np.ndarray]
                   ) -> Iterator[Tuple[str, str, str, Any]]:
        """(kind, what it says, its grid, a function of a profile that evaluates
        it); the first one of a kind that explains a result will do."""
        if self.definition:
            for d in self.definition.deviations:
                if self.definition.applies(d, self.dtype, self.sizes):
                    yield (d.id, d.text, d.grid,
                           lambda p, d=d: self.evaluate(p, [d]))
            return
        wide = {types.dtype_name(o.dtype) for o in [*self.operands, *wanted]}
        for narrow in NARROW:
            if len(wide) != 1 or narrow not in types.NAMES \
                    or wide & {"pred"} or next(iter(wide))[0] not in "fb" \
                    or types.bits(narrow) >= types.bits(next(iter(wide))):
                continue
            for text, inner in (("the operands were rounded to", False),
                                ("it was computed in", True)):
                module = self._narrowed(narrow, next(iter(wide)), inner)
                yield (text, f"{text} {narrow}", narrow if inner else "",
                       lambda p, m=module: self.evaluate(p, module=m))

    def _narrowed(self, narrow: str, wide: str, inner: bool) -> dict:
        """The operation with its operands rounded to a narrower type, and
        inner: done in it."""
        body, names = [], []
        for i, _ in enumerate(self.operands):
            body.append(f"n{i} = ConvertElementType(p{i}) "
                        f"{{new_element_type = {narrow}}}")
            names.append(f"n{i}")
            if not inner:
                body.append(f"w{i} = ConvertElementType(n{i}) "
                            f"{{new_element_type = {wide}}}")
                names[-1] = f"w{i}"
        body.append({"name": "r", "op": self.name, "operands": names,
                     "attributes": {k: reference.attribute(v) for k, v in
                                    self.attributes.items()}})
        if inner:
            body.append("y = ConvertElementType(r) "
                        f"{{new_element_type = {wide}}}")
        return {"computations": {"main": {
            "parameters": [reference.literal(o)["shape"]
                           for o in self.operands],
            "body": body, "result": "y" if inner else "r"}}, "entry": "main"}


def fit(definition: kernel_program.Definition, operands: Sequence[np.ndarray]
        ) -> Tuple[str, Any]:
    """The element type and sizes for which the operands are a definition's."""
    def same(shapes: Sequence[types.Shape]) -> bool:
        return [(s.dtype, s.dims) for s in shapes] == [
            (types.dtype_name(o.dtype), o.shape) for o in operands]
    if not isinstance(definition, kernel_program.Named):
        for sizes in definition.shapes:
            if same(sizes[0]):
                return "", sizes
        raise Unknown(f"{definition.name}: the operands are not those of the "
                      "program, which are "
                      f"{definition.sizes_text(definition.shapes[0])}")
    sizes: Dict[str, int] = dict.fromkeys(definition.sizes, 0)
    for template, operand in zip(definition.templates, operands):
        dims = template.partition("[")[2][:-1].split(",")
        for dim, size in zip(dims, operand.shape):
            if dim[:1] == "$" and dim[1:] in sizes:
                sizes[dim[1:]] = size
    for dtype in definition.dtypes:
        if len(operands) == len(definition.templates) \
                and same(definition.operands(dtype, sizes)):
            return dtype, sizes
    raise Unknown(f"{definition.name}: the operands are "
                  + ", ".join(reference.literal(o)["shape"] for o in operands)
                  + f"; expected {', '.join(definition.templates)}, of "
                  + " or ".join(definition.dtypes))


def settle(what: Any, operands: Sequence[Any], results: Dict[str, Any],
           profile: str = "spec", **attributes: Any) -> Settlement:
    """Judge several results of an operation or a program: a Settlement.

    what is an operation's name, or a program as assay.kernel takes it.
    results are arrays by name, or tuples of arrays where there are several
    outputs.  attributes are the operation's.
    """
    if not isinstance(operands, (list, tuple)):
        raise TypeError("operands must be a list or tuple of arrays, got "
                        f"{type(operands).__name__}; one operand x is [x]")
    if not results:
        raise Unknown("there are no results to settle")
    subject = _Subject(what, operands, attributes)
    found = {name: [types.as_array(x) for x in (
        r if isinstance(r, (list, tuple)) else [r])]
             for name, r in results.items()}
    with subject.evaluate(profile) as e:
        e.check_valid()
        exact = [reference.array(t) for t in e.outputs()]
        sides = tuple(_side(subject, name, f, e, exact, profile)
                      for name, f in found.items())
        elements = tuple(_elements(e, exact, found, sides))
        power = tuple(e.power() or ()) if any(s.right for s in sides) else ()
    return Settlement(subject.text(), profile, sides, elements, power)


def _side(subject: _Subject, name: str, found: List[np.ndarray],
          e: library.Evaluation, exact: List[np.ndarray], profile: str
          ) -> Side:
    why = misshapen(exact, found)
    if why:
        return Side(name, None, why, None, (0, ()), ())
    verdict = reference.verdict(e, found)
    n, where = _farthest(exact, found)
    return Side(name, verdict, "", n, where,
                tuple(_reasons(subject, found, exact, verdict, profile))
                if not verdict else
                (f"remark: {verdict.why}",) if verdict.why else ())


def _reasons(subject: _Subject, found: List[np.ndarray],
             exact: List[np.ndarray], verdict: reference.Verdict,
             profile: str) -> Iterator[str]:
    places = {(w.output, w.index) for w in verdict.wrong}
    for other in PROFILES:
        if other == profile:
            continue
        try:
            with subject.evaluate(other) as e:
                if reference.verdict(e, found):
                    yield f"right under the profile {other}"
        except (library.EvaluationError, library.InvalidProgram):
            continue
    digits = few_digits(exact, found, places)
    if digits:
        yield f"reason: the exact value with {digits} significant digits"
    told = set()
    for kind, text, grid, evaluate in subject.deviations(exact):
        if kind in told or off_grid(found, grid):
            continue
        try:
            with evaluate(profile) as e:
                if reference.verdict(e, found) and (
                        places & (off_grid(exact, grid) | {
                            (w.output, w.index)
                            for w in reference.verdict(e, exact).wrong})):
                    told.add(kind)
                    yield (f"reason: {text}; this gives the result, and not "
                           "the exact value")
        except (library.EvaluationError, library.InvalidProgram):
            continue


def few_digits(exact: Sequence[np.ndarray], found: Sequence[np.ndarray],
               places: Any) -> int:
    """With how many significant decimal digits all wrong elements are the exact
    value; 0 if they are not."""
    if any(x.dtype.kind not in "f" for x in exact):
        return 0
    for digits in range(2, 9):
        if all(exact[o].dtype.type(f"{float(exact[o][i]):.{digits - 1}e}")
               == found[o][i] for o, i in places):
            return digits
    return 0


def _elements(e: library.Evaluation, exact: List[np.ndarray],
              found: Dict[str, List[np.ndarray]], sides: Sequence[Side]
              ) -> Iterator[Element]:
    """Those where a side is farthest, wrong ones first."""
    at = []
    for side in sorted(sides, key=lambda s: s.right):
        if side.verdict is None or not any(x.size for x in exact):
            continue
        for where in [(w.output, w.index) for w in side.verdict.wrong[:1]] \
                + [side.where]:
            if where not in at:
                at.append(where)
    for output, index in at[:LISTED]:
        number = int(np.ravel_multi_index(index, exact[output].shape)) \
            if index else 0
        yield Element(output, index, e.value(output, number),
                      e.accepts(output, number),
                      {s.name: str(found[s.name][output][index])
                       for s in sides if s.verdict is not None})


# ---- A page ------------------------------------------------------------------

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60em;
margin:2em auto;padding:0 1em;color:#1a1a1a;background:#fff}table{border-collapse:collapse}
td,th{text-align:left;padding:.3em .8em;border-bottom:1px solid #ccc;
vertical-align:top}code{font-family:ui-monospace,monospace}
.wrong{color:#a40000;font-weight:600}.right{color:#116611;font-weight:600}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}
.wrong{color:#f88}.right{color:#8d8}td,th{border-color:#444}a{color:#7ab8ff}}
@media(max-width:40em){thead{display:none}table,tbody,tr,td{display:block}
td{padding:.1em 0;border:0;overflow-wrap:anywhere}tr{padding:.5em 0;
border-bottom:1px solid #888}td::before{content:attr(data-label)": "}}"""


def _word(side: Side) -> str:
    return "right" if side.right else "wrong"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML.  On a narrow page a cell is a line with its head."""
    head = "".join(f"<th>{html.escape(h)}</th>" for h in heads)
    body = "".join(
        "<tr>" + "".join(f'<td data-label="{html.escape(h)}">{cell}</td>'
                         for h, cell in zip(heads, row)) + "</tr>"
        for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _page(made: Settlement, title: str, source: str) -> str:
    esc = html.escape
    sides = _table(("result", "verdict", "distance"), (
        (esc(s.name), f"<span class={_word(s)}>{_word(s)}</span>",
         "<br>".join(map(esc, (distance(s), *s.reasons))))
        for s in made.sides))
    names = [s.name for s in made.sides]
    elements = _table(("element", "exact value", "accepted", *names), (
        (esc(place(e.output, e.index)),
         *(f"<code>{esc(value)}</code>" for value in (
             e.exact, e.accepts, *(e.found.get(n, "") for n in names))))
        for e in made.elements))
    link = f'<p>Asked at <a href="{esc(source)}">{esc(source)}</a>.</p>' \
        if source.startswith(("https://", "http://")) else ""
    power = f"<p>Would also accept: {esc(', '.join(made.would_accept))}.</p>" \
        if made.would_accept else ""
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name='
            f'"viewport" content="width=device-width"><title>{esc(title)}'
            f"</title><style>{_STYLE}</style><h1>{esc(title)}</h1>{link}"
            f"<p><b>Answer: {esc(made.answer)}.</b></p>"
            f"<p>{esc(made.what)}, judged by Assay under the profile "
            f"{esc(made.profile)}.</p>{sides}{power}<h2>Where they differ most</h2>"
            f"{elements}</html>\n")
