#!/usr/bin/env python3
# schema.t - the schemas, on all files that they are for.
#
# SPDX-License-Identifier: Apache-2.0
#
# Every case file and every operation fits its schema; every file of bad/ is
# refused, by the schema and by `assay lint` alike.
import glob
import json
import os
import subprocess

from jsonschema import Draft202012Validator

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def problems(validator, path):
    errors = validator.iter_errors(load(path))
    return "\n".join(f"{path}: {e.json_path}: {e.message[:200]}" for e in errors)


def check_all(validator, what, paths):
    bad = [p for p in (problems(validator, path) for path in paths) if p]
    ok(not bad, f"{what}: {len(paths)} files fit the schema", "\n".join(bad))


def main():
    case_schema = load("spec/case.schema.json")
    op_schema = load("spec/op.schema.json")
    deviation_schema = load("spec/deviation.schema.json")
    form_schema = load("spec/form.schema.json")
    place_schema = load("spec/place.schema.json")
    for name, schema in (("case", case_schema), ("op", op_schema),
                         ("deviation", deviation_schema),
                         ("form", form_schema), ("place", place_schema)):
        try:
            Draft202012Validator.check_schema(schema)
            ok(True, f"spec/{name}.schema.json is a schema")
        except Exception as e:  # whatever the library thinks of it
            ok(False, f"spec/{name}.schema.json is a schema", e)

    case = Draft202012Validator(case_schema)
    op = Draft202012Validator(op_schema)
    check_all(Draft202012Validator(deviation_schema), "deviations",
              ["spec/deviations.json"])
    check_all(Draft202012Validator(form_schema), "forms", ["spec/forms.json"])
    check_all(Draft202012Validator(place_schema), "places",
              ["spec/places.json"])
    check_all(op, "operations", sorted(glob.glob("spec/ops/*.json")))
    check_all(op, "families", sorted(glob.glob("spec/families/*.json")))
    cases = sorted(glob.glob("cases/**/*.json", recursive=True))
    check_all(case, "cases", cases)

    # The schema lists the element types once more; they must not drift.
    names = []
    with open("interp/base/dtype.def", encoding="utf-8") as f:
        for line in f:
            if line.startswith("DTYPE(") and "name" not in line:
                names.append(line[6:].split(",")[0])
    ok(names == case_schema["$defs"]["type"]["enum"],
       "the element types are those of dtype.def", names)

    bad = sorted(glob.glob("tools/test/bad/*.json"))
    ok(len(bad) > 50, f"{len(bad)} bad files")
    for path in bad:
        found = problems(case, path)
        lint = subprocess.run([ASSAY, "lint", path], capture_output=True,
                              text=True, timeout=600)
        # Refused as a file, and not only because its program is wrong.
        told = path in lint.stdout and "program is rejected" not in lint.stdout
        ok(found and lint.returncode == 1 and told,
           f"{os.path.basename(path)} is refused",
           f"schema: {found or 'accepts it'}\nlint: {lint.returncode} "
           f"{lint.stdout}{lint.stderr}")

    finish()


main()
