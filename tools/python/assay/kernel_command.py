"""assay kernel: judge a kernel by the program that it should compute.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import sys
from typing import Any, Dict, Sequence

from assay import gate, kernel_call, kernel_data, kernel_program, library
from assay.kernel_program import Unknown
from assay.kernel_report import Died


def _sizes(text: str) -> Dict[str, int]:
    """"R=3,N=131"."""
    made = {}
    for part in text.split(","):
        name, _equals, value = part.partition("=")
        if not value.isdigit() or int(value) > 2**31:
            raise Unknown(f"--sizes: found {part!r}, expected NAME=NUMBER")
        made[name.strip()] = int(value)
    return made


def _list() -> None:
    for name in kernel_program.names():
        print(f"{name:18s} {kernel_program.find(name).text}")


def describe(program: kernel_program.Definition) -> str:
    """A named program: what the file says."""
    lines = [f"{program.name}: {program.text}", ""]
    if isinstance(program, kernel_program.Named):
        lines.append(f"operands: {', '.join(program.templates)}")
    lines += [f"types:    {' '.join(program.dtypes)}",
              "sizes:    " + "; ".join(map(program.sizes_text,
                                           program.shapes))]
    if program.data:
        lines += ["", "data:"]
    for name, kinds in program.data.items():
        what = "; ".join(f"{p}: {kernel_data.KINDS[kind][0]}"
                         for p, kind in kinds.items())
        lines.append(f"  {name:18s} {what or 'normal numbers'}")
    if program.forms:
        lines += ["", "also right:"]
        lines += [f"  {f.id:18s} {f.text}" for f in program.forms]
    if program.deviations:
        lines += ["", "known mistakes:"]
        lines += [f"  {d.id:18s} {d.text}" for d in program.deviations]
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="assay kernel", description="Judge a kernel by the program that "
        "it should compute.")
    made.add_argument("kernel", metavar="KERNEL", nargs="?",
                      help="FILE.so (spec/assay/kernel.h) or "
                      "FILE.py:FUNCTION; without it the program is described")
    made.add_argument("--program", metavar="NAME|FILE")
    made.add_argument("--type", metavar="TYPES")
    made.add_argument("--sizes", metavar="SIZES", action="append")
    made.add_argument("--data", metavar="NAMES")
    made.add_argument("--arrays", default="numpy",
                      metavar="numpy|torch|jax")
    made.add_argument("--device", metavar="NAME")
    made.add_argument("--profile", metavar="PROFILE")
    made.add_argument("--seed", type=int, default=0, metavar="N")
    made.add_argument("--timeout", type=float, default=60, metavar="SECONDS")
    made.add_argument("--json", action="store_true")
    made.add_argument("--list", action="store_true")
    return made


def _run(o: argparse.Namespace) -> int:
    if not o.program:
        raise Unknown("--program is missing; --list prints the programs")
    program = kernel_program.find(o.program)
    if o.kernel is None:
        print(describe(program))
        return 0
    kernel = kernel_call.load(o.kernel, o.program, o.timeout)
    sizes: Any = [_sizes(s) for s in o.sizes] if o.sizes else "auto"
    report = gate.Gate(kernel, program, o.type, sizes, o.data, o.arrays,
                       o.device, o.profile, o.seed).run()
    print(json.dumps(report.json(), indent=1) if o.json else report)
    return 0 if report else 1


def main(arguments: Sequence[str]) -> int:
    """0: right; 1: wrong, or nothing was judged; 2: usage or bad input; 3: no
    room for the output."""
    o = parser().parse_args(list(arguments))
    try:
        status = 0
        if o.list:
            _list()
        else:
            status = _run(o)
        sys.stdout.flush()
        return status
    except (Unknown, library.EvaluationError, Died) as e:
        print(f"assay kernel: {e}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 3
    except OSError as e:
        where = f"{e.filename}: " if e.filename else ""
        print(f"assay kernel: {where}{e.strerror}", file=sys.stderr)
        return 2 if e.filename else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
