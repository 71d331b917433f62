#!/usr/bin/env python3
# switches.t - a new choice of a policy stops the build where code must decide.
#
# SPDX-License-Identifier: Apache-2.0
#
# Each policy of spec/policies.json has an enum of its choices, in a header of
# its own (tools/makers/names.c).  Code decides by a switch over the policy's
# accessor, without default, under -Werror=switch, or by a function that the header has
# while there are two choices.  Read from the sources: each policy is decided
# somewhere, and its accessor and choices are used in no other way.  Tried with
# the compiler: with one more choice each place that decides by that policy is
# an error, and nothing else is; and no object but those of deciding files and
# of the tables of names depends on the header.
#
# ASSAY_LONG: every policy is tried, not only two.
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from tap import figure, finish, ok

B = os.environ.get("B", "build")
ROOMS = ("interp", "runner", "report", "tools")
TRIED = ("div.int.by-zero", "conv.padding")
# The tables of names, and the accessors.
TABLES = {"interp/specification/policy.c", "interp/specification/profile.c",
          "interp/specification/profile_domain.c",
          "interp/specification/profile_read.c"}


def lower(policy):
    return re.sub(r"[^a-z0-9]", "_", policy)


def bare(text):
    """Without comments, on the same lines."""
    return re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text,
                  flags=re.S)


def sources():
    return {str(p): bare(p.read_text()) for room in ROOMS
            for p in sorted(pathlib.Path(room).rglob("*.c"))
            if "test" not in p.parts}


def switches(policy, texts):
    """Where code decides by a policy: (file, line)."""
    name = lower(policy)
    call = re.compile(rf"(?:^ *switch \(profile_{name}|"
                      rf"\bprofile_{name}_is_\w+)\(", re.M)
    return {(path, text.count("\n", 0, m.start()) + 1)
            for path, text in texts.items() if lower(policy) in text
            for m in call.finditer(text)}


def odd_uses(policy, texts):
    """Lines that name the accessor or a choice, but neither begin a switch nor
    a case; and switches that have a default."""
    name = lower(policy)
    accessor = re.compile(rf"\bprofile_{name}\(")
    choice = re.compile(rf"\b({'|'.join(choices_of(policy))})\b")
    good = re.compile(r"^ *(switch \(|case \w+:)")
    out = []
    for path, text in texts.items():
        if name not in text and name.upper() not in text:
            continue
        lines = text.splitlines()
        for i, line in enumerate(lines):
            found = accessor.search(line) or choice.search(line)
            if found and not good.match(line):
                out.append(f"{path}:{i + 1}: {line.strip()}")
            if accessor.search(line) and good.match(line):
                indent = re.match(" *", line).group()
                end = lines.index(f"{indent}}}", i)
                out += [f"{path}:{k + 1}: default" for k in range(i, end)
                        if lines[k] == f"{indent}default:"]
    return out


def choices_of(policy):
    upper = lower(policy).upper()
    return [f"{upper}_{lower(c).upper()}" for c in POLICIES[policy]]


def compiler():
    """The command of the build, as one has it without -Werror."""
    with open(f"{B}/gen/flags") as f:
        return [*(w for w in shlex.split(f.read()) if w != "-Werror"),
                "-Werror=implicit-function-declaration"]


def syntax(paths, folder=None):
    """What the compiler says of files, with headers of a folder first."""
    cc, *flags = compiler()
    first = [f"-I{folder}"] if folder else []
    done = subprocess.run([cc, *first, *flags, "-fsyntax-only", *sorted(paths)],
                          capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr


def errors(text):
    """Lines of errors, and those of a choice that is not decided."""
    every = re.findall(r"^([\w/.]+):(\d+):\d+: (?:fatal )?error: (.*)$", text,
                       re.M)
    return ({(path, int(line)) for path, line, _ in every},
            {(path, int(line)) for path, line, why in every
             if "not handled in switch" in why
             or re.search(r"implicit.* function .profile_\w+_is_", why)})


def with_choice(policy, folder):
    """The header of a policy with one more choice, as the build makes it."""
    with open("spec/policies.json") as f:
        policies = json.load(f)
    for p in policies["policies"]:
        if p["name"] == policy:
            p["choices"].append({"name": "new"})
    pathlib.Path(folder, "policies.json").write_text(json.dumps(policies))
    pathlib.Path(folder, "policy").mkdir()
    subprocess.run([f"{B}/names", folder, f"{folder}/policies.json"],
                   check=True)
    return pathlib.Path(folder, f"policy/{lower(policy)}.h").read_text()


def try_policy(policy, texts):
    name, due = lower(policy), switches(policy, texts)
    include = f'"gen/policy/{name}.h"'
    files = {path for path, text in texts.items() if include in text}
    files |= {path for path, _ in due}  # by policies.h
    code, said = syntax(files)
    ok(files and code == 0, f"{policy}: a control: who includes it "
       "compiles", said)
    with tempfile.TemporaryDirectory() as folder:
        to = pathlib.Path(folder, "gen/policy")
        to.mkdir(parents=True)
        (to / f"{name}.h").write_text(with_choice(policy, folder))
        every, undecided = errors(syntax(files, folder)[1])
    ok(undecided == due, f"{policy}: a new choice stops each place that "
       f"decides ({len(due)})",
       f"lack {sorted(due - undecided)}, more {sorted(undecided - due)}")
    ok(every == undecided, f"{policy}: and nothing else",
       sorted(every - undecided))


def depends(names):
    """Sources whose objects are made again if one of these headers changes."""
    out = set()
    for room in ROOMS:
        for path in pathlib.Path(B, room).rglob("*.d"):
            text = path.read_text()
            if any(n in text for n in names):
                out.add(str(path.relative_to(B).with_suffix(".c")))
    return {p for p in out if "/test/" not in p and os.path.exists(p)}


def check_uses(texts):
    undecided = [p for p in POLICIES if not switches(p, texts)]
    ok(not undecided, f"each of {len(POLICIES)} policies is decided",
       undecided)
    odd = [line for p in POLICIES for line in odd_uses(p, texts)]
    ok(not odd, "by switches without default, or by what a header has",
       "\n".join(odd))
    for name, text in {
            "a comparison": "x = profile_max_nan(p) == MAX_NAN_EITHER;",
            "a choice kept": "int x = MAX_NAN_EITHER;",
            "a default": "    switch (profile_max_nan(p)) {\n"
                         "    default:\n        break;\n    }\n"}.items():
        ok(odd_uses("max.nan", {"x.c": text}), f"a control: {name} is found")


def check_depends(texts):
    files = {path for path, text in texts.items()
             if '"gen/policy/div_int_by_zero.h"' in text}
    got = depends(["gen/policy/div_int_by_zero.h", "gen/policies.def",
                   "gen/policies.h"])
    ok(got == files | TABLES, "a new choice of div.int.by-zero makes "
       f"{len(got)} objects again", sorted(got ^ (files | TABLES)))


with open("spec/policies.json") as f:
    POLICIES = {p["name"]: [c["name"] for c in p["choices"]]
                for p in json.load(f)["policies"]}


def main():
    texts = sources()
    check_uses(texts)
    check_depends(texts)
    for policy in POLICIES if os.environ.get("ASSAY_LONG") else TRIED:
        try_policy(policy, texts)
    figure("places that decide by policies",
           sum(len(switches(p, texts)) for p in POLICIES))
    finish()


main()
