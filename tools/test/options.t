#!/usr/bin/env python3
# options.t - the help, the man page, the completions and the documents name
# the same options.
#
# SPDX-License-Identifier: Apache-2.0
#
# That completions work in a shell is tested by install.t.
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
# Every verb has them, and no completion needs them.
COMMON = {"--help", "--usage", "--version"}
# Options of other programs, which documents name.
FOREIGN = {"--args", "--array", "--cflags", "--class", "--cpus-per-task",
           "--libs", "--ntasks", "--operations", "--requeue", "--sources",
           "--timer", "--tool"}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True,
                          check=True).stdout


def listed(text):
    """The long options that a help lists."""
    heads = (re.split("  +", m)[0]
             for m in re.findall(r"^ {2,6}(-\S.*)", text, re.M))
    return set(re.findall(r"(?<!\S)--[a-z][a-z-]*", " ".join(heads)))


def known(verb, option):
    """Does the verb's parser know it?  The second one ends the parsing."""
    r = subprocess.run([ASSAY, verb, option + "=", "--no-such-option"],
                       capture_output=True, text=True, check=False)
    return f"unrecognized option '{option}" not in r.stderr


def used(text, verb_names):
    """(verb, option, command) of each command of a document."""
    verbs = "|".join(verb_names)
    text = re.sub(r"\\\n *", "", text)
    code = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^    (.*)$", text, re.M)
    for line in code:
        line = re.sub(r"'[^']*'|\s#.*", "", line)
        for m in re.finditer(rf"\bassay ({verbs})\b([^|;&]*)", line):
            for option in re.findall(r"(?<=\s)-[-a-zA-Z][a-z-]*", m[2]):
                yield m[1], option, m[0].strip()


VERBS = [v for v in re.findall("^  ([a-z]+)  ", output(ASSAY, "help"), re.M)
         if v != "help"]
HELP = {v: output(ASSAY, v, "--help") for v in VERBS}
LISTED = {v: listed(HELP[v]) for v in VERBS}
LETTERS = {v: set(re.findall(r"^  (-[A-Za-z?])[, ]", HELP[v], re.M))
           for v in VERBS}

ok(all(LISTED[v] - COMMON for v in VERBS)
   and {"--backend", "--lf", "--case-list"} <= LISTED["run"],
   "a help lists the options of its verb", LISTED)
ok(all(known(v, o) for v in ("run", "gate") for o in LISTED[v])
   and not known("run", "--baseline"), "the parser knows the options that a help lists")

man = output("tools/makers/make-man", ASSAY).replace("\\-", "-").replace("\\e", "\\")
parts = dict(re.findall(r'^\.SS "assay ([a-z]+)"\n(.*?)^\.fi', man, re.M | re.S))
ok(sorted(parts) == sorted(VERBS), "the man page has every verb",
   sorted(set(parts) ^ set(VERBS)))
bad = [(v, LISTED[v] ^ listed(parts.get(v, ""))) for v in VERBS
       if LISTED[v] != listed(parts.get(v, ""))]
ok(not bad, "and every option", bad)

for shell in ("bash", "zsh"):
    script = output("tools/makers/make-completion", shell, ASSAY, "native")
    bad = []
    for v in VERBS:
        body = re.search(rf"^    {v}\)\n(.*?)^        esac ;;$\n^        esac ;;$",
                         script, re.M | re.S)
        found = re.search(r"-\*\) choices='([^']*)'", body[1] if body else "")
        have = set(found[1].split()) if found else set()
        if (have ^ LISTED[v]) - COMMON:
            bad.append((v, (have ^ LISTED[v]) - COMMON))
    ok(not bad, f"{shell} completes every option", bad)
fish = output("tools/makers/make-completion", "fish", ASSAY, "native")
bad = []
for v in VERBS:
    lines = [x for x in fish.splitlines() if f"__fish_seen_subcommand_from {v}'" in x
             or f"__fish_seen_subcommand_from {v}\"" in x]
    have = {f"--{o}" for x in lines for o in re.findall(r" -l '?([a-z-]+)", x)}
    if (have ^ LISTED[v]) - COMMON:
        bad.append((v, (have ^ LISTED[v]) - COMMON))
ok(not bad, "fish completes every option", bad)

PAGES = sorted(["README.md", "tools/python/README.md", *glob.glob("spec/*.md"),
                *glob.glob("report/findings/*.md"), *glob.glob("tools/ci/*.md")])
bad = [(page, command, option) for page in PAGES
       for verb, option, command in used(open(page).read(), VERBS)
       if option not in LISTED[verb] | LETTERS[verb] | COMMON]
ok(not bad, "commands of the documents have options of their verb", bad)
every = set().union(*LISTED.values(), COMMON, FOREIGN)
bad = [(page, o) for page in PAGES for o in sorted(set(re.findall(
    r"(?<![\w-])--[a-z][a-z-]*(?![\w-])", open(page).read())))
    if o not in every]
ok(not bad, "no document names an option that no verb has", bad)
control = list(used("    build/assay gate --lf x 'a --lf' # --lf", VERBS))
ok(control == [("gate", "--lf", "assay gate --lf x")],
   "control: an option of another verb is found, and only it", control)
finish()
