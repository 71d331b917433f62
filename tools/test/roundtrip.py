# roundtrip.py - programs to StableHLO text, to a case, and to text again.
#
# SPDX-License-Identifier: Apache-2.0
#
#     build/jax/bin/python tools/test/roundtrip.py build/assay [STEP [hlo]]
#
# Takes every STEP-th valid program of cases/ that `assay emit` can write,
# imports its text, emits the imported case, and compares what MLIR prints of
# both in the generic form.  With hlo it is every STEP-th of the tier quick, and
# both are HLO's text; where XLA wrote it otherwise (it leaves out what changes
# nothing), the exact results of both are compared, of equal operands.  Prints the names that differ or are refused, with the
# reason, and last how many are the same, of how many.
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/python"))

from assay import hlo, importer, import_command, mlir  # noqa: E402


def programs(command):
    """(name, text) of each valid program."""
    text = subprocess.run(command, capture_output=True, text=True,
                          check=False).stdout
    name, lines, valid = None, [], True
    for line in [*text.splitlines(), "// end"]:
        if line.startswith("// invalid: "):
            valid = False
        elif line.startswith("// "):
            if name and valid:
                yield name, "\n".join(lines)
            name, lines, valid = line[3:], [], True
        else:
            lines.append(line)


def canonical(text):
    with mlir.context():
        return mlir.ir.Module.parse(text).operation.get_asm(
            print_generic_op_form=True)


def results(assay, text, name):
    """The exact results for the operands that import makes up."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump(import_command.make_case(
            importer.import_program(text.encode(), name), "p", "p"), f)
        f.flush()
        done = subprocess.run([assay, "eval", "--json", "--limit-steps=1000000",
                               f.name], check=False,
                              stdout=subprocess.PIPE)
    return [[[e["bits"] for e in result["elements"]] for result in replica]
            for replica in json.loads(done.stdout)["cases"][0]["replicas"]]


def is_same(assay, again, text, before):
    """before: the text in StableHLO, where text is HLO's."""
    if not before:
        return again == text or canonical(again) == canonical(text)
    with contextlib.suppress(mlir.Refused):
        if hlo.guarded(again) == text:
            return True
    try:
        return results(assay, before, "p.mlir") \
            == results(assay, text, "p.hlo")
    except (mlir.Refused, ValueError, KeyError):
        return False


def quick(command):
    """Those of the tier quick, in an order that no file system decides."""
    with open(ROOT / "spec/quick.json", encoding="utf-8") as f:
        names = set(json.load(f)["cases"])
    return sorted(p for p in programs(command) if p[0] in names)


def main():
    assay, step = sys.argv[1], int((sys.argv[2:] or ["1"])[0])
    as_hlo = sys.argv[3:] == ["hlo"]
    first, files, other, before = {}, {}, [], {}
    command = [assay, "emit", str(ROOT / "cases")]
    for i, (name, text) in enumerate((quick if as_hlo else programs)(command)):
        if i % step:
            continue
        first[f"c{i}"] = name, text
        try:
            if as_hlo:
                before[f"c{i}"] = text
                text = hlo.guarded(text)
                first[f"c{i}"] = name, text
            made = import_command.make_case(importer.import_program(
                text.encode(), "p.hlo" if as_hlo else "text"), f"c{i}", name)
            files.setdefault(made["op"], made)["cases"] += \
                made["cases"] if files[made["op"]] is not made else []
        except mlir.Refused as e:
            other.append(f"{name}: {e}")
    same = 0
    with tempfile.TemporaryDirectory() as folder:
        for op, made in files.items():
            with open(f"{folder}/{op}.json", "w", encoding="utf-8") as f:
                json.dump(made, f)
        again = {name.rpartition("/")[2]: text
                 for name, text in programs([assay, "emit", folder])}
    for key, (name, text) in first.items():
        if key in again and is_same(assay, again[key], text,
                                    before.get(key)):
            same += 1
        elif not any(o.startswith(f"{name}: ") for o in other):
            other.append(f"{name}: " + ("another program" if key in again
                                        else "cannot be emitted again"))
    print(*other, sep="\n", end="\n" if other else "")
    print(f"{same} of {len(first)}")


if __name__ == "__main__":
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    main()
