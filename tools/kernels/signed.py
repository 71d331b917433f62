"""signed - spec/kernels.json: which source of each kernel was checked, and how.

SPDX-License-Identifier: Apache-2.0

    python3 tools/kernels/signed.py    # says what is no longer checked
"""
import hashlib
import json
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).parent.parent.parent
FAST = TOP / "interp" / "fast"
TABLE = TOP / "spec" / "kernels.json"
LIMITS = "fast_near.c"


def kernels():
    """Operation and source file of each kernel, from fast.c."""
    return dict(re.findall(r'^    \{"(\w+)", "(fast_\w+\.c)"',
                           (FAST / "fast.c").read_text(), re.M))

_CLONES = (r"#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) "
           r"\\ && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) "
           r"\\ && !defined(__SANITIZE_THREAD__) ")


def _plain(text):
    """Without what changes no value: comments, line ends, and where and for
    which processors a loop is also compiled (on Linux for two of them, when it
    was first signed)."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"FAST_LOOP[\s\\]+__attribute__\(\(target_clones\(.*?\)",
                  'FAST_LOOP __attribute__((target_clones("avx2", "default")',
                  text)
    text = re.sub(r"#if [^#]*(?=#\s*define FAST_LOOP\b)", _CLONES, text)
    return " ".join(text.split())


def _parts(source):
    """The headers that only some kernels use."""
    text = (FAST / source).read_text()
    shared = {"fast_bits.h", "fast_polynomial.h", source[:-2] + ".h"}
    return sorted(set(re.findall(r'#include "interp/fast/(\w+\.h)"', text))
                  - shared)


def digest(source):
    """Of a file, what the kernels share, and the polynomials that it uses."""
    text = "\n".join(_plain((FAST / part).read_text())
                     for part in [source] + _parts(source))
    parts = [text, _plain((FAST / "fast_bits.h").read_text())]
    header = (FAST / "fast_polynomial.h").read_text()
    for name in sorted(set(re.findall(r"fast_polynomial_\w+(?=\()", text))):
        parts.append(_plain(re.search(rf"double {name}\(.*?\n}}", header,
                                      re.S)[0]))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def load():
    return json.loads(TABLE.read_text()) if TABLE.exists() else {
        "format": "assay-kernels/1", "kernels": {}}


def store(table):
    """One row a line, so that a change is one in a diff."""
    rows = [f"    {json.dumps(op)}: {json.dumps(row)}"
            for op, row in sorted(table["kernels"].items())]
    limits = json.dumps(table.get("limits", {}))
    TABLE.write_text('{\n  "format": "assay-kernels/1",\n'
                     f'  "limits": {limits},\n  "kernels": {{\n'
                     + ",\n".join(rows) + "\n  }\n}\n")


def sign(op, **what):
    """Note what holds of the source as it is; other sources' rows go."""
    table = load()
    now = digest(kernels()[op])
    row = table["kernels"].get(op, {})
    if row.get("source") != now:
        row = {"source": now}
    row.update(what)
    table["kernels"][op] = row
    store(table)


def sign_limits(bound):
    table = load()
    table["limits"] = {"source": digest(LIMITS), "bound": bound}
    store(table)


def unary():
    """Those of one operand, which can be compared on every input."""
    return re.findall(r'^    \{"(\w+)", "fast_\w+\.c", fast_',
                      (FAST / "fast.c").read_text(), re.M)


def unchecked():
    """Those that were not compared on every input, as they are."""
    table, files = load()["kernels"], kernels()
    return [op for op in unary()
            if table.get(op, {}).get("source") != digest(files[op])
            or "exhaustive" not in table[op]]


def problems():
    table, all_kernels = load(), kernels()
    if table.get("limits", {}).get("source") != digest(LIMITS):
        yield f"{LIMITS} is not the source that was checked (make check-kernels)"
    for op, source in sorted(all_kernels.items()):
        row = table["kernels"].get(op)
        if not row or "bound" not in row:
            yield f"{op}: not proved (make check-kernels)"
        elif row["source"] != digest(source):
            yield (f"{op}: {source} is not the source that was checked"
                   " (make check-kernels, then make check-exhaustive)")
    for op in sorted(set(table["kernels"]) - set(all_kernels)):
        yield f"{op}: in spec/kernels.json, but there is no such kernel"


if __name__ == "__main__":
    found = list(problems())
    for line in found:
        print(line)
    sys.exit(1 if found else 0)
