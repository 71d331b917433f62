#!/usr/bin/env python3
# every-profile.t - under no profile is a case, or the reference, called wrong.
#
# SPDX-License-Identifier: Apache-2.0
#
# The reference computes under each profile, and is judged under the same one:
# all cases of rules and modes, whose results are given by hand, and a part of
# the others.  So a case whose expectation fixes what a profile chooses otherwise
# is found, and one that a profile leaves undecided.
#
# ASSAY_LONG: all cases.
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from tap import figure, finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
PROFILES = sorted(os.path.splitext(f)[0] for f in os.listdir("spec/profiles"))
PART = 1 if os.environ.get("ASSAY_LONG") else 24


def run(folder, profile, *options):
    """The line that counts the cases, and everything that was printed."""
    done = subprocess.run(
        [ASSAY, "run", "--backend", "reference", "--profile", profile,
         "--backend-option", f"profile={profile}", "--expectations", os.devnull,
         "--database", os.path.join(folder, f"{profile}.db"), *options],
        capture_output=True, text=True)
    counts = re.findall(r"^\d+ cases?: .*", done.stdout, re.M)
    return counts[0] if counts else "none", done.stdout + done.stderr


def chosen():
    names = subprocess.run([ASSAY, "run", "--backend", "reference", "--list"],
                           capture_output=True, text=True).stdout.split("\n")
    return [name for k, name in enumerate(names) if name and
            (k % PART == 0 or ("#" not in name and
                               re.search("/(rules|modes)/", name)))]


def check_all(folder):
    names = chosen()
    path = os.path.join(folder, "list")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(names) + "\n")
    figure("cases", len(names))
    ok(len(names) > 2000, "there are cases", len(names))
    for profile in PROFILES:
        line, text = run(folder, profile, "--case-list", path)
        kinds = set(re.findall(r"\d+ ([a-z]+)", line)) - {"cases", "case"}
        ok(kinds <= {"pass", "unsupported"}, f"{profile}: nothing is wrong",
           line + "\n" + text)


# StableHLO, cross_replica_and_partition: the first partition of all replicas
# comes first; XLA puts all partitions of the first replica first.
MODES = (("AllGather", "channel-order", [2, 0, 3, 1], [2, 3, 0, 1]),
         ("AllGather", "channel-empty", [0, 2, 1, 3], [0, 1, 2, 3]),
         ("ReduceScatter", "channel", [3333], [2222]))


def second_process(op, case, profile):
    done = subprocess.run(
        [ASSAY, "eval", "--json", "--profile", profile, "--case", case,
         f"cases/{op}/modes.json"], capture_output=True, text=True)
    result = json.loads(done.stdout)["cases"][0]["replicas"][1][0]
    return [int(e["value"]) for e in result["elements"]]


def check_orders():
    for op, case, stablehlo, other in MODES:
        for profile in PROFILES:
            due = stablehlo if profile == "stablehlo" else other
            got = second_process(op, case, profile)
            ok(got == due, f"{op}/modes/{case}: {profile}", got)


def check_control(folder):
    """A case that fixes one of the two orders is found."""
    with open("cases/AllGather/modes.json", encoding="utf-8") as f:
        modes = json.load(f)
    case = next(c for c in modes["cases"] if c["id"] == "channel-order")
    case["expect"] = [[{"shape": "s32[4]", "data": [2, 3, 0, 1]}]] * 4
    modes["cases"] = [case]
    own = os.path.join(folder, "cases", "AllGather")
    os.makedirs(own)
    with open(os.path.join(own, "modes.json"), "w", encoding="utf-8") as f:
        json.dump(modes, f)
    for profile, due in (("spec", "1 pass"), ("stablehlo", "1 limit")):
        line, text = run(folder, profile, "--cases",
                         os.path.join(folder, "cases"), "--form", "none")
        ok(due in line, f"an order that is fixed: {profile}", text)


with tempfile.TemporaryDirectory() as made:
    check_all(made)
    check_orders()
    check_control(made)
finish()
