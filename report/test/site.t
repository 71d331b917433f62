#!/usr/bin/env python3
# site.t - the site: what people search for is found, and all of it is there.
#
# SPDX-License-Identifier: Apache-2.0
#
# What must be found is read from the files of the specification; the words are
# those that people use for the operations of the same meaning.
import glob
import html
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.abspath(__file__)) + "/../.."
sys.path.insert(0, ROOT + "/tools/test")
sys.path.insert(0, ROOT + "/tools")
from tap import finish, ok  # noqa: E402
import specification  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
# What is typed, and a page that must be among the first five results.
WORDS = {"fp8": "case-format.html#shapes", "matmul": "DotGeneral.html",
         "einsum": "DotGeneral.html", "cumsum": "ReduceWindow.html",
         "softmax": "python.html#a-gate-for-kernels",
         "stablehlo.sign": "Sign.html", "stablehlo.dot_general":
         "DotGeneral.html", "exit code": "assay.html#test-your-backend",
         "conv2d": "ConvGeneralDilated.html", "clip": "Clamp.html",
         "argsort": "Sort.html", "sigmoid": "Logistic.html",
         "psum": "AllReduce.html", "cast": "ConvertElementType.html",
         "tolerance": "verdicts.html#by-kind-of-operation",
         "where": "Select.html", "maxpool": "ReduceWindow.html",
         "arange": "Iota.html", "embedding": "Gather.html",
         "landlock": "abi.html#levels"}


def read_rows(folder):
    with open(f"{folder}/search-index.js", encoding="utf-8") as f:
        return json.loads(f.read().split("=", 1)[1].strip().rstrip(";"))


def rank(row, query):
    """As report/doc/search.js ranks."""
    title, text = row[0].lower(), row[2].lower()
    return (0 if title == query else
            1 if set(query.split()) <= set(row[3].lower().split()) else
            2 if title.startswith(query) else 3 if query in title else
            4 if query in text else 5)


def find(rows, query):
    words = query.lower().split()
    hits = [r for r in rows if all(w in " ".join(r[:1] + r[2:]).lower()
                                   for w in words)]
    return [r[1] for r in sorted(hits, key=lambda r: rank(r, query.lower()))]


def check_search(folder, ops):
    rows = read_rows(folder)
    for query, page in WORDS.items():
        hits = find(rows, query)
        ok(page in hits[:5], f"'{query}' finds {page}", hits[:5])
    ok(not find(rows, "zzyzx"), "and what is nowhere, nothing")
    text = {r[0]: r[2] for r in rows}
    bad = [c["id"] for op in ops for c in op["constraints"] + op["requirements"]
           if not text[c["id"]] or not " ".join(c["text"].split()).startswith(
               " ".join(text[c["id"]].split())[:60].rstrip(" ."))]
    ok(not bad, "a rule or error is found by its own sentence", bad[:5])
    with open(f"{ROOT}/report/doc/words.def", encoding="utf-8") as f:
        names = set(re.sub(r'"\s*"', "", f.read()).replace('"', " ").replace(
            ",", " ").split())
    names |= {op["stablehlo"] for op in ops
              if isinstance(op.get("stablehlo"), str)}
    bad = [r[1] for r in rows if set(r[3].split()) - names]
    ok(not bad and any(r[3] for r in rows) and any(r[4] for r in rows),
       "names are apart from the rest of a text", bad[:5])
    bad = [r[1] for r in rows if bool(r[4]) != r[2].endswith(" ...")]
    ok(not bad, "and only what was cut has a rest", bad[:5])
    seen = [r[2] for r in rows if r[2]]
    most = max(set(seen), key=seen.count)
    ok(seen.count(most) < 60, "few entries have the same text",
       (most, seen.count(most)))
    with open(f"{ROOT}/report/doc/search.js", encoding="utf-8") as f:
        script = f.read()
    ok("row[3]" in script and "row.names.includes(word)" in script
       and "row.slice(2)" in script, "the script searches the words, too")


def text_of(path):
    with open(path, encoding="utf-8") as f:
        page = f.read()
    return html.unescape(re.sub(r"<[^>]+>", "", page)), page


def check_start(folder, ops):
    text, page = text_of(f"{folder}/index.html")
    ok("What each operation of XLA's builder interface must return" in text,
       "the start page says what this is")
    for target in ("assay.html", "python.html", "findings.html", "abi.html",
                   "findings-numpy.html", "findings-settled.html"):
        ok(f'href="{target}"' in page and os.path.exists(f"{folder}/{target}"),
           f"and leads to {target}")
    tables = re.findall(r'<h3 id="(\w+)">.*?</h3>\n<div.*?</table>', page, re.S)
    groups = re.split(r'<h3 id="\w+">', page)[1:]
    listed = [re.findall(r'<th scope="row"><a href="(\w+)\.html">', g)
              for g in groups]
    ok(len(tables) == len(groups) >= 6
       and sorted(sum(listed, [])) == sorted(op["op"] for op in ops),
       "every operation is in one group", [len(x) for x in listed])
    ok(max(map(len, listed)) < len(ops) / 2 and all(listed),
       "and no group is most of them, or empty")
    near = {"Sin": "Exp", "Add": "Eq", "AllReduce": "Send", "Dot": "Reduce",
            "Sort": "RngUniform", "While": "Call", "Slice": "Gather"}
    bad = [(a, b) for a, b in near.items()
           if not any(a in x and b in x for x in listed)]
    ok(not bad, "what belongs together is together", bad)


def check_documents(folder):
    for page, source in (("assay", "README.md"),
                         ("python", "tools/python/README.md"),
                         ("findings", "report/findings/README.md"),
                         ("findings-numpy", "report/findings/numpy.md")):
        text, raw = text_of(f"{folder}/{page}.html")
        with open(f"{ROOT}/{source}", encoding="utf-8") as f:
            heads = re.findall(r"(?m)^##+ (.*)$", f.read())
        bad = [h for h in heads if re.sub(r"[`*]", "", h) not in text]
        ok(heads and not bad, f"{page}: all headings of {source}", bad)
        ok("<!--" not in raw and "figures:" not in text,
           f"{page}: without marks")
    _, raw = text_of(f"{folder}/assay.html")
    ok('href="findings-numpy.html"' in raw and 'href="abi.html' in raw
       and 'href="python.html#hypothesis"' in raw,
       "links between documents of several folders")


def check_operations(folder, ops):
    bare, unwritten, untyped = [], [], []
    for op in ops:
        text, page = text_of(f"{folder}/{op['op']}.html")
        part = page[page.find('id="examples"'):page.find('id="known"')]
        random = op["accuracy"] == "set" and "attributes " in part
        if "result " not in part and "expect " not in part and not random:
            bare.append(op["op"])
        if "as StableHLO" not in part:
            unwritten.append(op["op"])
        rows = re.findall(r'<tr><th scope="row"><code>(\w+)</code></th>',
                          page[:page.find('id="attributes"')])
        if rows != [o["name"] for o in op["operands"]]:
            untyped.append((op["op"], rows))
    ok(not bare, "each operation has an example with a result", bare)
    # Those of which StableHLO has no form that its writer knows.
    missing = [op["op"] for op in ops if not isinstance(op.get("stablehlo"), str)]
    ok(len(unwritten) <= len(missing) + 6,
       f"and its program as text, but {len(unwritten)}", unwritten)
    ok(not untyped, "the operands are a table", untyped[:3])
    text, _ = text_of(f"{folder}/Dot.html")
    row = re.search(r"lhs\s*1\s*(.*?)\n", text)
    ok(row and row[1].startswith("allall"), "with their types", row and row[0])


def check_known(folder):
    with open(f"{ROOT}/report/findings/atlas.json", encoding="utf-8") as f:
        atlas = json.load(f)["functions"]
    with open(f"{ROOT}/report/findings/figures.json", encoding="utf-8") as f:
        runs = json.load(f)["runs"]
    op = "Atan"
    _, page = text_of(f"{folder}/{op}.html")
    part = page[page.find('id="known"'):]
    mine = [r for r in atlas if r["op"] == op]
    rows = re.findall(r'<th scope="row">([^<]*)</th><td[^>]*><code>(\w+)</code>'
                      r'</td><td class="(\w+)"', part)
    ok(sorted(rows) == sorted((f"{r['backend']} {r['version']}", r["type"],
                               "bad" if r["bad"] else "ok") for r in mine)
       and {"bad", "ok"} == {r[2] for r in rows},
       "a row and a verdict for each sweep", rows)
    ok(part.count("<rect") == len(mine) and '<svg class="bars"' in part,
       "and a bar")
    ok(">1000000000000<" not in part and ">at least 10^12<" in part,
       "what was not measured further is not a number")
    wrong = [name for name, r in runs.items() if op in r["errors"]]
    ok(wrong and all(f" {runs[n]['version']}</th><td class=\"bad\"" in part
                     for n in wrong), "a row for each run that was wrong", wrong)
    bad = []
    for name in {op for r in runs.values() for op in r["errors"]}:
        page = f"{folder}/{name}.html"
        if os.path.exists(page) and re.search(r": 0[,<]", text_of(page)[1]
                                              .split('id="known"')[1]):
            bad.append(name)
    ok(any(0 in e.values() for r in runs.values() for e in r["errors"].values())
       and not bad, "an error of 0 is not one beyond its budget", bad)
    text, page = text_of(f"{folder}/AfterAll.html")
    ok("Nothing is recorded" in page, "and where nothing is known, that")
    ok("a backend without a row may still be wrong" in text
       and "not seen to be wrong" not in text, "which is no praise")


def main():
    ops = list(specification.operations().values())
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ASSAY, "doc", "--site", f"{folder}/site"],
                              capture_output=True, text=True, timeout=300)
        pages = len(glob.glob(f"{folder}/site/*.html"))
        ok(done.returncode == 0 and done.stdout
           == f"{pages} pages: {folder}/site/index.html\n",
           "says how much it wrote, and where", done.stdout + done.stderr)
        check_search(f"{folder}/site", ops)
        check_start(f"{folder}/site", ops)
        check_documents(f"{folder}/site")
        check_operations(f"{folder}/site", ops)
        check_known(f"{folder}/site")
    finish()


main()
