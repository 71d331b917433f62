#!/usr/bin/env python3
# spec.t - the files of spec/ are complete and agree with each other.
#
# SPDX-License-Identifier: Apache-2.0
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path[:0] = ["tools", "tools/test"]
import specification  # noqa: E402
from tap import finish, ok  # noqa: E402

SPEC = pathlib.Path("spec")


def none(problems, name):
    ok(not problems, name, "\n".join(map(str, problems[:20])))


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


OPS = specification.operations()
FAMILIES = {p.stem: load(p) for p in sorted((SPEC / "families").glob("*.json"))}
PROFILES = {p.stem: load(p) for p in sorted((SPEC / "profiles").glob("*.json"))}
POLICIES = {p["name"]: p for p in load(SPEC / "policies.json")["policies"]}

# ---- Operations ---------------------------------------------------------------

ACCURACY = {"exact", "arithmetic", "function", "accumulated", "residual", "set"}
CLASSES = {"shape", "type", "attribute", "computation", "structure",
           "unsupported"}
PASSAGE = re.compile(r"[0-9]{3}:[0-9]+(-[0-9]+)?(; [0-9]{3}:[0-9]+(-[0-9]+)?)*")
OTHER = re.compile(r"IEEE 754-2019|C11 |xla: |stablehlo: |OCP |Assay|"
                   # literature
                   r"Brent, |Higham, ")


def check_ops():
    problems, requirements, constraints = [], [], []
    for name, op in OPS.items():
        if op["op"] != name:
            problems.append(f"{name}: op is {op['op']}")
        if not op.get("summary"):
            problems.append(f"{name}: no summary")
        if op.get("accuracy") not in ACCURACY:
            problems.append(f"{name}: accuracy {op.get('accuracy')}")
        sh = op.get("stablehlo")
        if not (isinstance(sh, dict) and sh.get("missing")
                or isinstance(sh, str) and re.match(r"(stablehlo|chlo|func)\.\w+$", sh)):
            problems.append(f"{name}: stablehlo {sh}")
        for p in op["policies"]:
            if p not in POLICIES:
                problems.append(f"{name}: no policy {p}")
        for c in op["constraints"]:
            constraints.append(c)
            if c["class"] not in CLASSES or c["level"] not in ("builder", "program"):
                problems.append(f"{c['id']}: {c['class']}, {c['level']}")
        if not op["requirements"]:
            problems.append(f"{name}: no requirement")
        for r in op["requirements"] + op["constraints"]:
            if not re.fullmatch(re.escape(name) + r"\.[a-z0-9][a-z0-9.-]*", r["id"]) \
                    or (".error." in r["id"]) != (r in op["constraints"]):
                problems.append(f"{name}: id {r['id']}")
            if "text" not in r or not r["text"].strip():
                problems.append(f"{r['id']}: no text")
        requirements += op["requirements"]
    none(problems, "operations are complete")
    ids = [r["id"] for r in requirements]
    none(sorted({i for i in ids if ids.count(i) > 1}),
         "requirements have ids of their own")
    ids += [c["id"] for c in constraints]
    none(sorted({i for i in ids if ids.count(i) > 1}),
         "constraints have ids of their own")
    extended = {n for path in [*(SPEC / "ops").glob("*.json"),
                               *(SPEC / "families").glob("*.json")]
                for n in specification.families_of(load(path))}
    none([f for f in FAMILIES if FAMILIES[f]["family"] != f
          or f not in extended], "families are used, under their name")
    check_sources(requirements, "id", "every requirement has a source")
    check_sources(constraints, "id", "every constraint has a source")
    check_sources(POLICIES.values(), "name", "every policy has a source")


SENTENCE = re.compile(r"[A-Z0-9].*\.", re.S)


def check_texts():
    """Operands, attributes, their members and results have a sentence."""
    problems = []
    for name, op in OPS.items():
        rows = op["operands"] + op["attributes"] + [
            m for a in op["attributes"] for m in a.get("members", [])]
        for row in rows + [{"name": "result", **op.get("result", {})}]:
            if not SENTENCE.fullmatch(row.get("text", "")):
                problems.append(f"{name}: {row['name']}: no sentence")
        for part in "shape", "value":
            if not op.get("result", {}).get(part, "").strip():
                problems.append(f"{name}: result: no {part}")
    none(problems, "operands, attributes and results have texts")


def words(text):
    return set(re.findall(r"[a-z]\w*", text))


def check_formulas():
    """The formula and the shape together name each operand that counts."""
    problems = []
    for name, op in OPS.items():
        result = op["result"]
        used = words(result["value"]) | words(result["shape"])
        for o in op["operands"]:
            if o["name"] not in used and o["name"] not in UNNAMED.get(name, ()):
                problems.append(f"{name}: no word on {o['name']}")
    none(problems, "formulas name the operands")


# Operands that only order, or that only say what others do.
UNNAMED = {"Recv": ["token"], "Send": ["token"], "Outfeed": ["token"],
           "RaggedAllToAll": ["recv_sizes"], "RecvDone": ["context"],
           "SendDone": ["context"], "Infeed": ["token"],
           "AfterAll": ["tokens"]}


def check_sources(things, key, name):
    problems = []
    for r in things:
        source = r.get("source", "")
        if PASSAGE.fullmatch(source):
            if not re.fullmatch("[0-9a-f]{64}", r.get("sha256", "")):
                problems.append(f"{r[key]}: {source} without the SHA-256 of the passage")
        elif not OTHER.match(source) or "sha256" in r:
            problems.append(f"{r[key]}: source {source!r}")
    none(problems, name)


# ---- Policies and profiles ------------------------------------------------------

KINDS = {"exact", "cr", "faithful", "ulp", "xla", "any"}
SUBNORMAL = {"flush-results", "flush-operands", "any-sign"}
NAN = {"any", "quiet", "canonical", "payload"}
TYPES = set(re.findall(r"(?m)^DTYPE\((\w+),",
                       pathlib.Path("interp/base/dtype.def").read_text()))


def check_policies():
    problems = []
    for name, p in POLICIES.items():
        names = [c["name"] for c in p["choices"]]
        if len(names) != len(set(names)) or not names:
            problems.append(f"{name}: choices {names}")
        if not p["text"] or not all(c["text"] for c in p["choices"]):
            problems.append(f"{name}: a text is missing")
        if not any(name in o["policies"] for o in OPS.values()) \
                and name not in GENERAL:
            problems.append(f"{name}: no operation names it")
    none(problems, "policies have choices, texts and operations")


# Policies that belong to verdicts, not to an operation.
GENERAL = {"zero.sign", "tie.precision-1", "arithmetic.excess-precision",
           "arithmetic.contraction", "complex.accuracy",
           "function.special-value"}


def check_budget(where, b):
    problems = []
    if set(b) - {"class", "types", "budget", "source"} or not b.get("source"):
        problems.append(f"{where}: members {sorted(b)}")
    for t in b["types"]:
        if t != "*" and t not in TYPES:
            problems.append(f"{where}: type {t}")
    budget = dict(b["budget"])
    if budget.pop("kind") not in KINDS:
        problems.append(f"{where}: kind")
    for k, v in budget.items():
        if k not in ("ulps", "abs", "rel") or not isinstance(v, str) \
                or not re.fullmatch(r"[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?", v):
            problems.append(f"{where}: {k} {v}")
    return problems


def check_profile(name, p):
    problems = []
    if p["profile"] != name or not p["text"]:
        problems.append("name or text")
    if "extends" in p and p["extends"] not in PROFILES:
        problems.append(f"extends {p['extends']}")
    for k, v in p["choices"].items():
        if v not in [c["name"] for c in POLICIES.get(k, {"choices": []})["choices"]]:
            problems.append(f"{k}: {v}")
    for k, v in p.get("permits", {}).items():
        if v not in [c["name"] for c in POLICIES.get(k, {"choices": []})["choices"]] \
                or v == p["choices"].get(k):
            problems.append(f"permits {k}: {v}")
        if not any(k in o["policies"] for o in OPS.values()):
            problems.append(f"permits {k}: no operation names it")
    for k in set(p["choices"]) | set(p.get("permits", {})):
        if not p.get("reading", {}).get(k, "").strip():
            problems.append(f"{k}: no reading")
    for k in set(p.get("reading", {})) - set(p["choices"]) - set(p.get("permits", {})):
        problems.append(f"{k}: a reading without a choice")
    for t, rules in p.get("types", {}).items():
        if t != "*" and t not in TYPES or set(rules) != {"subnormal", "nan"} \
                or set(rules["subnormal"]) - SUBNORMAL or rules["nan"] not in NAN:
            problems.append(f"type {t}")
    for i, b in enumerate(p.get("budgets", [])):
        problems += check_budget(f"budget {i}", b)
    return problems


def check_profiles():
    for name, p in PROFILES.items():
        none(check_profile(name, p), f"profile {name} is well-formed")
    none([n for n in POLICIES if n not in PROFILES["strict"]["choices"]],
         "profile strict chooses for every policy")
    ok({"strict", "spec", "stablehlo", "xla-cpu-default", "xla-gpu-default",
        "xla-exhaustive"} <= set(PROFILES), "the six profiles are there")
    last = PROFILES["strict"]["budgets"][-1]
    ok(last["class"] == "*" and last["types"] == ["*"],
       "profile strict has a budget for everything")


# ---- Grids, tiers, lock, schema ---------------------------------------------------

def check_grids():
    made = subprocess.run(["tools/makers/grids"], capture_output=True, text=True)
    ok(made.stdout == (SPEC / "grids.json").read_text(),
       "the special values are those that the formats give", made.stderr)
    data = load(SPEC / "grids.json")
    ok(all(len(v) ** 2 <= 64 for v in data["complex"].values()),
       "a complex grid has at most 64 values")
    # IEEE 754-2019 3.4, table 3.5: +-smallest subnormal, one, largest, inf.
    ok(all(v in data["grids"]["f32"] for v in
           "00000000 80000000 00000001 807fffff 00800000 3f800000 7f7fffff "
           "ff800000 7fc00000 7f800001".split()), "f32 has its corners")


def check_groups():
    """Every operation across replicas has its modes, by what it may be given."""
    modes = {"cross-replica", "cross-partition",
             "cross-replica-and-partition", "flattened-ids"}
    problems = []
    for name, op in OPS.items():
        names = {a["name"] for a in op["attributes"]}
        due = set()
        if names & {"replica_groups", "source_target_pairs"}:
            due = {"none"} | ({"channel", "global"} if "channel_id" in names
                              else set())
        has = op.get("group_mode", {})
        if set(has) != due:
            problems.append(f"{name}: modes for {' '.join(has)}")
        problems += [f"{name}: no mode {m}" for m in has.values()
                     if m not in modes]
    none(problems, "group_mode says what the groups of each operation are of")


def check_tiers():
    whole = load(SPEC / "tiers.json")
    ok(set(whole) == {"tiers", "alone", "constant"}
       and set(whole["constant"]) == {"include", "exclude"},
       "tiers, what is not batched, and which cases have a constant form")
    tiers = whole["tiers"]
    ok(set(tiers) == {"quick", "default", "full"}, "there are three tiers")
    ok(all(set(t) == {"include", "exclude"} | ({"of", "cases"}
                                               if name == "quick"
                                               else {"forms"})
           for name, t in tiers.items()),
       "each tier includes and excludes; quick names its cases, others have forms")
    names = {t: listed(t) for t in tiers}
    ok(set(names["quick"]) < set(names["default"]) < set(names["full"]),
       "quick is part of default, which is part of full")
    check_left_out(names)


@functools.cache
def listed(tier):
    assay = os.environ.get("ASSAY", "build/assay")
    names = subprocess.run([assay, "run", "--list", "--tier", tier],
                           capture_output=True, text=True).stdout.splitlines()
    # The covering array is another in each tier.
    return [n for n in names if n.partition("#")[2] in ("", "constant")]


# The lengths that the default tier keeps, and what it has in place of other cases.
LENGTHS = {"shapes/length": {1, 3, 17, 65, 1024, 4099},
           "exact/sum-lengths": {1, 3, 17, 65, 1024},
           "rounding/lengths": {1, 3, 17, 1024}}
INSTEAD = (
    (r"(\w+)/shapes/rank@D=.*", (r"\1/shapes/rank@D=",
                                 r"\1/shapes/rank@D=2,3,4",
                                 r"\1/shapes/rank@D=1,2,1,2,1,2,1,2")),
    (r"(\w+)/shapes/short-complex@T=c128,N=1",
     (r"\1/shapes/short-complex@T=c64,N=1",
      r"\1/shapes/short-complex@T=c128,N=17")),
    # The grid has all of their values, in all pairs.
    (r"((?:Eq|Ne|Lt|Le|Gt|Ge)(?:TotalOrder)?)/special/values-ieee@T=(\w+)",
     (r"\1/special/grid@T=\2,N=1024",)),
    (r"(\w+)/special/grid@T=f6e3m2fn,N=16#constant",
     (r"\1/special/grid@T=f6e2m3fn,N=12#constant",)),
    (r"(\w+)/special/grid@T=f6e3m2fn,N=256#constant",
     (r"\1/special/grid@T=f6e2m3fn,N=144#constant",)),
    (r"(\w+)/special/values-fnuz@T=\w+#constant",
     (r"\1/special/grid@T=f8e5m2,N=*#constant",)),
    # The grid has all of their values; any of its sizes.
    (r"(\w+)/special/values-\w+@T=(\w+)#constant",
     (r"\1/special/grid@T=\2,N=*#constant",)),
    (r"(\w+)/layouts/bits-4x7@(T=\w+)#constant",
     (r"\1/layouts/bits-3x3x4@\2#constant",)),
    (r"TriangularSolve/rounding/flags-f64(@.*)",
     (r"TriangularSolve/rounding/flags-f32\1",)),
    (r"TriangularSolve/rounding/flags-c128(@.*)",
     (r"TriangularSolve/rounding/flags-c64\1",)),
    (r"(Conv\w*/rules/[\w-]+@T=)(?:f64|s8|s64)(.*)",
     (r"\1f32\2", r"\1s32\2")),
    (r"(Rng(?:Uniform|Normal)/.*)#constant", (r"\1",)),
    (r"(\w+)/shapes/short@T=[su](?:16|32|64)", (r"\1/shapes/short@T=s32",)),
    (r"(\w+)/shapes/short@T=[su](?:16|32|64)",
     (r"\1/shapes/length@T=s32,N=17",)),
    (r"(\w+)/shapes/short@T=(?:f16|bf16)", (r"\1/shapes/length@T=f32,N=17",)),
)
# Types of which one stands for another in the same case and form: the types that
# are left out, those that stand for them, and which cases this is about.
TYPES_INSTEAD = (
    # Another format of 8 or 6 bits.
    ("f8e4m3", "f8e3m4", r".*"),
    ("f8e4m3fnuz", "f8e5m2fnuz|f8e5m2", r".*"),
    ("f8e4m3b11fnuz|f8e5m2fnuz", "f8e4m3fnuz", r".*"),
    ("f6e3m2fn", "f6e2m3fn", r".*"),
    # Constants are folded alike: another width.
    ("u2", "u8", r".*#constant"),
    ("s16|u16|u32", "u8|s32|s64", r".*#constant"),
    ("c128", "c64", r".*#constant"),
    ("s2|u4|s8|u64|f8e4m3fn|f8e8m0fnu", "u8",
     r"\w+/(?:special|exact)/types@.*#constant"),
    ("f16|bf16|s8|u8|s16|u16|u32|s64|u64|f64", "f32",
     r"SelectAndScatter/.*#constant"),
    ("s8|f16|s32|s64|f64", "f32", r"Conv\w*/.*#constant"),
    ("f16|f64", "f32", r"Cholesky/.*#constant"),
    # Chains of the same width or signedness.
    ("s16|u16", "s8", r"\w+/chains/.*"),
    ("s8|u32|s64", "s32", r"\w+/chains/.*"),
    # The same function of the same sizes.
    ("f16|bf16", "s32", r"Conv\w*/rules/.*"),
    ("f64", "f32", r"(?:Cholesky/(?:exact|rounding)|"
                   r"BatchNorm\w*/rounding/ranks)[/@].*"),
)


def is_there(name, default):
    """Is there such a case?  A star stands for any text."""
    start, star, end = name.partition("*")
    return name in default or (star and any(
        n.startswith(start) and n.endswith(end) for n in default))


def by_type(names):
    """The types that each case has, in each form."""
    found = {}
    for name in names:
        case, _, form = name.partition("#")
        if m := re.fullmatch(r"(.*)@T=(\w+)(?:,.*)?", case):
            found.setdefault((m[1], form), set()).add(m[2])
    return found


def has_type(name, types):
    """Has the same case, in the same form, a type that stands for its own?"""
    case, _, form = name.partition("#")
    m = re.fullmatch(r"(.*)@T=(\w+)(?:,.*)?", case)
    have = m and types.get((m[1], form), set())
    return bool(have) and any(
        m[2] in left.split("|") and have & set(stay.split("|"))
        and re.fullmatch(about, name) for left, stay, about in TYPES_INSTEAD)


def is_swept(op, t, swept):
    """Has the operation a sweep of the type, or of one that stands for it?"""
    return (op, t) in swept or any(
        t in left.split("|") and (op, other) in swept
        for left, stay, about in TYPES_INSTEAD if about == ".*"
        for other in stay.split("|"))


def has_instead(name, default):
    """Are there cases that stand for one?"""
    return any(m and all(is_there(m.expand(o), default) for o in others)
               for pattern, others in INSTEAD
               for m in [re.fullmatch(pattern, name)])


def check_left_out(names):
    """The default tier leaves out values that a sweep in it has, lengths beside
    others, and what others stand for."""
    default = set(names["default"])
    swept, lengths, types = set(), {}, by_type(default)
    for name in default:
        if m := re.match(r"(\w+)/sweep/[\w-]+@T=(\w+)", name):
            swept.add((m[1], m[2]))
        if m := re.match(r"(\w+)/([\w-]+/[\w-]+)@([TD]=\w+),N=(\d+)", name):
            lengths.setdefault(m.group(1, 2, 3), set()).add(int(m[4]))
    problems = []
    for name in set(names["full"]) - default:
        if re.search("/(?:long|exhaustive)[-/]", name):
            continue
        op, rest = name.split("/", 1)
        t = re.search(r"@[TD]=(\w*)", rest)
        group = rest.split("@")[0]
        if group in LENGTHS:
            left = lengths.get((op, group, t[0][1:]), set())
            few = t[0] in ("@T=f16", "@T=bf16", "@T=f64")
            due = LENGTHS[group] - ({1, 3, 65, 4099}
                                    if few and group == "shapes/length"
                                    else set())
            # BatchNormInference has five lengths, four of them here.
            fine = left == due or (group == "rounding/lengths"
                                   and {1, 3, 17} <= left <= due)
        else:
            fine = (is_swept(op, t and t[1], swept)
                    or has_instead(name, default)
                    or has_type(name, types))
        if not fine:
            problems.append(name)
    ok(len(swept) > 750 and sum(map(len, lengths.values())) > 1000,
       f"the default tier has sweeps and lengths ({len(swept)}, {len(lengths)})")
    none(problems, "sweeps, lengths or other cases stand for what the default"
                   " tier leaves out")


# ---- What the pages say -------------------------------------------------------------

def check_pages():
    page = (SPEC / "profiles.md").read_text()
    strict = PROFILES["strict"]["choices"]
    problems = []
    for name in POLICIES:
        spec = PROFILES["spec"]["choices"].get(name, strict[name])
        row = re.search(rf"(?m)^\| `{re.escape(name)}` \|.*$", page)
        own = PROFILES["strict"]["permits"].get(name)
        permit = PROFILES["spec"]["permits"].get(name)
        cell = (f"`{permit}` (`spec`)" if permit else
                f"`{own}`" if own and name not in PROFILES["spec"]["choices"] else
                f"`{own}` (`strict`)" if own else "")
        if not row or not row[0].endswith(f"| {strict[name]} | {spec} | {cell} |"):
            problems.append(f"{name}: {strict[name]}, {spec}, {cell}")
    none(problems, "profiles.md has the choices and permits of strict and spec")
    problems = []
    for b in PROFILES["spec"]["budgets"]:
        ulps = b["budget"].get("ulps")
        if ulps and b["class"] != "*" and not re.search(
                rf"(?m)^\| `{re.escape(b['class'])}` \|.* {ulps} \|", page):
            problems.append(f"{b['class']}: {ulps}")
    none(problems, "profiles.md has the budgets of spec")
    page = (SPEC / "verdicts.md").read_text()
    texts = re.findall(r'(?m)^VERDICT\(\w+, +"([a-z-]+)"',
                       pathlib.Path("interp/judge/verdict.def").read_text())
    none([t for t in texts if f"| `{t}` |" not in page] or
         [] if texts else ["none found"],
         "verdicts.md has every status")


def check_commands():
    """Each --filter that a page shows selects a case of its tier."""
    problems = []
    pages = [pathlib.Path("README.md"), *SPEC.glob("*.md"),
             *pathlib.Path("report/findings").glob("*.md")]
    for page in pages:
        for line in page.read_text().replace("\\\n", " ").splitlines():
            tier = re.search(r"--tier (\w+)", line)
            tier = tier[1] if tier else "default"
            for glob in re.findall(r"--filter '([^']+)'", line):
                pattern = re.escape(glob).replace(r"\*", ".*").replace(r"\?", ".")
                if not any(re.fullmatch(pattern, n) for n in listed(tier)):
                    problems.append(f"{page}: {glob}")
    none(problems, "each case that a page names is planned")


def texts(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for v in value:
            yield from texts(v)
    elif isinstance(value, str):
        yield value


def check_readings():
    """Every citation of XLA's and StableHLO's files has a reading."""
    readings = load(SPEC / "sources.json")["readings"]
    starts = [r["source"] for r in readings]
    problems = [f"{r['source']}: says nothing" for r in readings
                if not r["says"] or not r["read"]
                and not r["says"].startswith(("Not opened", "See "))]
    problems += [f"{s}: twice" for s in set(starts) if starts.count(s) > 1]
    cited = set()
    for path in sorted(SPEC.rglob("*.json")):
        if path.name == "sources.json":
            continue
        for text in texts(load(path)):
            for m in re.finditer(r"\b(?:xla|stablehlo): ", text):
                rest = text[m.start():]
                fits = [s for s in starts if rest.startswith(s)]
                cited.add(max(fits, key=len, default=None))
                if not fits:
                    problems.append(f"{path}: {rest[:60]}")
    problems += [f"{s}: not cited" for s in starts if s not in cited]
    none(problems, "what XLA's and StableHLO's sources say is told")


def check_schema():
    path = SPEC / "op.schema.json"
    if not path.exists():
        ok(True, "operations fit op.schema.json # SKIP there is none")
        return
    try:
        import jsonschema
    except ImportError:
        ok(True, "operations fit op.schema.json # SKIP no jsonschema")
        return
    checker = jsonschema.Draft202012Validator(load(path))
    problems = []
    files = [*(SPEC / "ops").glob("*.json"), *(SPEC / "families").glob("*.json")]
    for name, op in [(p.stem, load(p)) for p in sorted(files)]:
        problems += [f"{name}: {e.json_path}: {e.message}"
                     for e in checker.iter_errors(op)]
    none(problems, "operations fit op.schema.json")


def check_native():
    """spec/README.md says that native has every operation."""
    rows = pathlib.Path("runner/backends/native/ops.def").read_text()
    found = re.findall(r"^(?:OP|GROUP)(?:_SIZED)?\((\w+),", rows, re.M)
    none(sorted(set(OPS) ^ set(found)), "native has every operation")
    ok(len(found) == len(set(found)), "native has each operation once")


check_ops()
check_native()
check_texts()
check_formulas()
check_policies()
check_profiles()
check_grids()
check_groups()
check_tiers()
check_pages()
check_readings()
check_commands()
check_schema()
lock = subprocess.run(["tools/makers/lock", "--check"], capture_output=True, text=True)
ok(lock.returncode == 0, "the requirements are as locked", lock.stderr)
finish()
