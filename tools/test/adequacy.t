#!/usr/bin/env python3
# adequacy.t - each deviation that can be told from the truth is rejected.
#
# SPDX-License-Identifier: Apache-2.0
#
# spec/deviations.lock names, for each deviation of an operation, a case of the
# default tier that rejects it.  Finding them takes long; here only the named
# cases are evaluated, so that a case which is deleted or weakened, or a deviation
# that is added without a case, is noticed.
import glob
import json
import os
import subprocess

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
HINT = "tools/makers/deviations-lock writes the file anew"


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def none(problems, name):
    ok(not problems, name, "\n".join([*sorted(problems)[:20], HINT]))


LOCK = load("spec/deviations.lock")
TABLE = load("spec/deviations.json")
rejected = {(op, d): case for op, rows in LOCK.items()
            for case, names in rows["rejected"].items() for d in names}
others = {(op, d): kind for op, rows in LOCK.items()
          for kind, names in rows.items() if kind != "rejected" for d in names}

cases = sorted(set(rejected.values()))


def cover(ops):
    filters = [x for op in ops for case in LOCK[op]["rejected"]
               for x in ("--filter", case)]
    return subprocess.Popen([ASSAY, "cover", "--deviations", "--count", "-f",
                             "json", *filters], stdout=subprocess.PIPE)


# Two processes: each case is held against each deviation of its operation.
named = sorted(op for op, rows in LOCK.items() if rows["rejected"])
outs = [p.communicate()[0] for p in [cover(named[::2]), cover(named[1::2])]]
ok(all(outs), f"{len(cases)} cases are evaluated")
found = {(r["op"], r["deviation"]): r
         for out in outs for r in json.loads(out)["deviations"]}


def unkept(lock):
    """What is not rejected by the case that it names."""
    return [f"{op} {d}: no longer rejected by {case}"
            for (op, d), case in lock.items()
            if case not in found.get((op, d), {}).get("by", ())]


none(unkept(rejected),
     f"{len(rejected)} deviations of operations are rejected")
# One that another case of the operation does not reject.
moved = next(({row: case} for row in rejected for case in LOCK[row[0]]["rejected"]
              if case not in found[row]["by"]), {})
ok(len(unkept(moved)) == 1,
   "a case that does not reject what it is named for is noticed", moved)
none([f"{op} {d} is not in the lock" for (op, d), r in found.items()
      if (op, d) not in rejected and (op, d) not in others
      and r["outcome"] != "equivalent"],
     "there are no others")
# What survives is a hole in the cases: it changes no result of the tier
# ("unseen"), or only to others that are right.  The lock lists the known ones;
# a new one fails above.
for kind in ("survives", "unseen"):
    print(f"# {kind}: {sum(k == kind for k in others.values())}"
          " deviations of operations")
# A case may ask for less error than the budget of its function.
apart = {r["why"] for r in TABLE["equivalent"]
         if r.get("accuracy") == ["function"]}
none([f"{op} {d}: rejected, although {r['refuted']}"
      for (op, d), r in found.items() if r.get("refuted", "") not in apart | {""}],
     "no reason of the table is wrong")
none([f"{op} {d} is rejected now" for op, d in others
      if found.get((op, d), {}).get("outcome") == "rejected"],
     "what a policy permits, or nothing can tell, is not rejected")

none([f"{op} {d}: its reason is gone" for (op, d), kind in others.items()
      if kind == "equivalent"
      and found.get((op, d), {}).get("outcome", kind) != kind],
     "what has a reason in the lock has one in the table")

ids = {d.split("(")[0] for _, d in rejected}
permitted = {d.split("(")[0] for (_, d), kind in others.items()
             if kind == "permitted"}
none([r["id"] for r in TABLE["deviations"]
      if r["id"] not in ids
      and not ("permitted_by" in r and r["id"] in permitted)],
     "each row of the table is rejected somewhere, or permitted by its policy")
# ---- Broadcasting: a wrong map of dimensions ------------------------------------

def wrong_maps(*paths):
    """Of wrong broadcast_dimensions: operations and deviations, by outcome."""
    out = subprocess.run(
        [ASSAY, "cover", "-f", "json",
         "--deviations=attribute.@(plus-one|minus-one|zero|one)", *paths],
        stdout=subprocess.PIPE).stdout
    return {(r["op"], r["deviation"]): r["outcome"]
            for r in json.loads(out)["deviations"]
            if r["deviation"].endswith("(broadcast_dimensions)")}


maps = wrong_maps(*sorted(glob.glob("cases/*/broadcast.json")),
                  "cases/BroadcastInDim/layouts.json")
none([f"{op} {d}: {outcome}" for (op, d), outcome in maps.items()
      if outcome != "rejected"] or ([] if len(maps) == 4 * 29 else [str(len(maps))]),
     "four wrong maps of dimensions are rejected in each of 29 operations")
none([f"{op} {d}" for (op, d), outcome in
      wrong_maps("cases/Div/rules.json").items() if outcome == "rejected"],
     "but not by cases without them")

finish()
