"""Spellings of MLIR that the bindings do not read, as others that they do.

SPDX-License-Identifier: Apache-2.0

Those of earlier versions of StableHLO, and of dialects in which tests of
StableHLO and IREE state values and what is expected of them.  sources.py asks
for the part of a text that could not be parsed.  Lines stay where they are.
"""
import re
from typing import Callable, Match, Tuple

_TYPE = r"tensor<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>"
_VALUE = r"%[\w$.-]+(?:#\d+)?"


def _lines(found: str) -> str:
    """As many ends of lines."""
    return "\n" * found.count("\n")


def _array(match: Match) -> str:
    """dense<[1, 0]> : tensor<2xi64> as array<i64: 1, 0>."""
    name, data, count, element = match.groups()
    words = re.findall(r"-?\w+", data)
    if len(words) == 1 and "[" not in data:
        words *= int(count)
    text = f"{element}: {', '.join(words)}" if words else element
    return f"{name} = array<{text}>{_lines(match[0])}"


def _check(match: Match) -> str:
    """A check of a value, of any other spelling."""
    name, value, type_ = match.groups()
    return f'"{name}"({value}) : ({type_}) -> (){_lines(match[0])}'


#: What a window has in the short form, and as attributes.
_WINDOW = {"stride": "window_strides", "lhs_dilate": "lhs_dilation",
           "rhs_dilate": "rhs_dilation", "reverse": "window_reversal"}


def _dynamic_conv(match: Match) -> str:
    """In the generic form, as the bindings know no other."""
    operands, numbers, window, attributes = match.groups()
    made = [f"dimension_numbers = #stablehlo.conv<{numbers}>"]
    for name, values in re.findall(r"(\w+) = \[([^][]*)\]", window):
        if name == "reverse":
            values = re.sub(r"\b[01]\b", lambda t: ("false", "true")[
                int(t[0])], values)
        made.append(f"{_WINDOW.get(name, name)} = array<"
                    f"{'i1' if name == 'reverse' else 'i64'}: {values}>")
    if (attributes or "").strip():
        made.append(" ".join(attributes.split()))
    return f'"stablehlo.dynamic_conv"({operands}) {{{", ".join(made)}}}' \
        f"{_lines(match[0])} :"


def _rule(error: str, pattern: str, made) -> Tuple[re.Pattern, re.Pattern,
                                                   Callable]:
    return re.compile(error), re.compile(pattern, re.S | re.M), made


#: What the parser says, what is meant, and how it is spelled otherwise.
_RULES = (
    _rule("satisfy constraint: (?:i64|i1|bool) dense array attribute",
          r"\b(?!value\b)(\w+) = dense<([^<>]*)>\s*:\s*tensor<(\d+)x(i64|i1)>",
          _array),
    _rule("custom op 'func' is unknown", r"^(\s*)func(?=\s)", r"\1func.func"),
    _rule(r"Dialect `check' not found",
          rf"\b(check\.\w+)[ (]\s*({_VALUE}).*?:\s*({_TYPE})"
          rf"(?:,\s*{_TYPE})*"
          r"(?=[ \t]*(?:loc\(.*?\))?[ \t]*(?://[^\n]*)?$)", _check),
    _rule(r"Dialect `util' not found", r"\butil\.unfoldable_constant\b",
          "stablehlo.constant"),
    _rule(r"Dialect `flow' not found",
          r"%([\w$.-]+) = flow\.tensor\.dynamic_constant (dense<[^<>]*>)\s*:\s*"
          rf"({_TYPE})\s*->\s*({_TYPE})",
          r"%known_\1 = stablehlo.constant \2 : \3 %\1 = stablehlo.convert "
          r"%known_\1 : (\3) -> \4"),
    _rule(r"Dialect `interpreter' not found",
          rf"\binterpreter\.probe ({_VALUE}).*?:\s*({_TYPE})",
          r"builtin.unrealized_conversion_cast \1 : \2 to \2"),
    _rule("'stablehlo.dynamic_conv' has no custom assembly form",
          r"\bstablehlo\.dynamic_conv\s*\(([^()]*)\)\s*dim_numbers = "
          r"(\[[^]]*\]x\[[^]]*\]->\[[^]]*\])\s*,\s*window = \{([^{}]*)\}"
          r"\s*(?:\{([^{}]*)\})?\s*:", _dynamic_conv),
    _rule("unregistered operation 'stablehlo.collective_reduce'",
          r'"stablehlo\.collective_reduce"', '"assay.collective_reduce"'),
    _rule(r"precision_config", r'"(DEFAULT|HIGH|HIGHEST)"',
          r"#mhlo<precision \1>"),
)


def respell(text: str, why: str) -> str:
    """A function's text, of which the parser says why it cannot read it; the
    same text if that is not for its spelling."""
    for error, pattern, made in _RULES:
        if error.search(why):
            return pattern.sub(made, text)
    return text
