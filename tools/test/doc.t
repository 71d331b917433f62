#!/usr/bin/env python3
# doc.t - assay doc: its pages against the files of spec/, read here anew.
#
# SPDX-License-Identifier: Apache-2.0
#
# What must be on a page is read only from the JSON files, by this script.
import glob
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile

from tap import finish, ok

sys.path.insert(0, "tools")
import specification  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
SEEDS = "../shared/seeds"
BUILD = os.environ.get("B", "build")
WRONG = f"{BUILD}/backends/evil/flip_bit.so"
VOID = {"meta", "link", "br", "input", "img", "hr"}


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def doc(*arguments, code=0):
    done = subprocess.run([ASSAY, "doc", *arguments], capture_output=True,
                          text=True, timeout=120)
    if done.returncode != code:
        ok(False, f"doc {arguments} ends with {code}", done.stderr)
    return done.stdout if code == 0 else done.stderr


def attributes(op):
    for a in op["attributes"]:
        yield a["name"]
        yield a["text"]
        yield from a.get("names", [])
        for m in a.get("members", []):
            yield f"{a['name']}.{m['name']}"
            yield m["text"]
            yield from m.get("names", [])


POLICIES = {p["name"]: p for p in load("spec/policies.json")["policies"]}


def facts(op):
    """Words, and sentences, that the page must have."""
    yield op["op"]
    yield from attributes(op)
    yield op["summary"]
    for o in op["operands"]:
        yield o["name"]
        yield o["text"]
    yield from op["result"].values()
    for r in op["requirements"]:
        yield r["id"]
        yield r["text"]
    for c in op["constraints"]:
        yield c["id"]
        yield c["text"]
    for p in op["policies"]:
        yield p
        for choice in POLICIES[p]["choices"]:
            yield choice["name"]
    if isinstance(op.get("stablehlo"), str):
        yield op["stablehlo"]


def squeeze(text):
    return " ".join(text.split())


def missing(op, text):
    text = squeeze(text)
    return [f for f in facts(op) if squeeze(f) not in text]


class Page(html.parser.HTMLParser):
    """Text, ids and links of a page; problems if it is not well formed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.problems, self.ids, self.links = [], [], [], []
        self.words = []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"left open: {self.open}")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.links += [attrs[k] for k in ("href", "src") if k in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.words.append(data)


def unescape_markdown(text):
    return re.sub(r"\\([\\`*\[\]<|])", r"\1", text).replace("`", "")


def check_site(folder, ops):
    pages = {os.path.basename(p): Page(open(p, encoding="utf-8").read())
             for p in glob.glob(f"{folder}/*.html")}
    ok(len(pages) >= len(ops) + 8, f"the site has {len(pages)} pages")
    bad = [f"{n}: {x}" for n, p in pages.items() for x in p.problems]
    bad += [f"{n}: id {i} twice" for n, p in pages.items()
            for i in set(p.ids) if p.ids.count(i) > 1]
    ok(not bad, "each page is well formed, its ids unique", "\n".join(bad))
    bad = []
    index = open(f"{folder}/search-index.js", encoding="utf-8").read()
    rows = json.loads(index.split("=", 1)[1].strip().rstrip(";"))
    links = [(n, link) for n, p in pages.items() for link in p.links]
    links += [("search-index.js", row[1]) for row in rows]
    for name, link in links:
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        file = file or name
        if not os.path.exists(f"{folder}/{file}"):
            bad.append(f"{name}: {link}: no such file")
        elif anchor and anchor not in pages[file].ids:
            bad.append(f"{name}: {link}: no such id")
    ok(not bad, f"{len(links)} links and search results lead somewhere",
       "\n".join(bad))
    bad = [f"{op['op']}: {m}" for op in ops
           for m in missing(op, "".join(pages[f"{op['op']}.html"].words))]
    ok(not bad, "html: each page has all of its operation", "\n".join(bad))
    titles = {row[0] for row in rows}
    bad = [r["id"] for op in ops for r in op["requirements"]
           if r["id"] not in titles]
    ok(not bad, "the search finds each rule by its id", "\n".join(bad))


def check_sources():
    gather = squeeze(doc("Gather"))
    ok('Operation semantics, "Gather" (004:940-944)' in gather,
       "a source has its document's title and its section's heading")
    for address in ("https://www.tensorflow.org/xla/operation_semantics",
                    "https://openxla.org/stablehlo/spec"):
        ok(address in gather, f"a page ends with its sources: {address}")
    ok("tensorflow.org" not in squeeze(doc("Constant")).split("Sources")[-1],
       "... and with no others")
    text = squeeze(doc("policies"))
    ok("Operation semantics does not specify it" in text
       and not re.search(r"(^| )00[0-4][ ,;]", text),
       "a document's number becomes its title")
    places = load("spec/sources.json")["places"]
    documents = [p for p in places if "sections" in p]
    if not os.path.isdir(SEEDS):
        ok(True, "headings of the documents # SKIP no ../shared/seeds")
        return
    bad = []
    for d in documents:
        lines = open(glob.glob(f"{SEEDS}/{d['name']}_*")[0],
                     encoding="utf-8").read().split("\n")
        numbers = [s["line"] for s in d["sections"]]
        if numbers != sorted(numbers):
            bad.append(f"{d['name']}: not in order")
        for n in numbers:
            before = lines[n - 2] if n > 1 else ""
            if before.strip() or not lines[n - 1].strip() or lines[n].strip():
                bad.append(f"{d['name']}:{n} is no heading: {lines[n - 1]}")
            # The translation keeps the names of functions.
            name = re.fullmatch(r"[A-Z][A-Za-z]+", lines[n - 1].strip())
            heading = [s["heading"] for s in d["sections"] if s["line"] == n]
            if name and heading != [name[0]]:
                bad.append(f"{d['name']}:{n}: {name[0]}, not {heading}")
        # A function's name on a line of its own is a heading.
        for n, line in enumerate(lines[:-1], 1):
            if re.fullmatch(r"[A-Z][A-Za-z]+( \([^A-Za-z]*\))?", line) \
                    and not lines[n - 2].strip() and not lines[n].strip() \
                    and n not in numbers:
                bad.append(f"{d['name']}:{n}: {line} is not listed")
    ok(not bad, "headings are where spec/sources.json says", "\n".join(bad))


def check_report(folder):
    """A failure links to its operation, and each of its rules."""
    database = f"{folder}/r.db"
    subprocess.run([ASSAY, "run", "--backend", WRONG, "--filter",
                    "Neg/rules/*", "--database", database, "--quiet",
                    "--html", f"{folder}/run.html", "--docs", "site"],
                   capture_output=True, timeout=120)
    report = subprocess.run([ASSAY, "report", "-f", "html", "--docs", "site",
                             database], capture_output=True, text=True,
                            timeout=120).stdout
    page = Page(report)
    links = [link for link in page.links if link.startswith("site/")]
    site = Page(open(f"{folder}/site/Neg.html", encoding="utf-8").read())
    bad = [link for link in links if link != "site/Neg.html"
           and not (link.startswith("site/Neg.html#")
                    and link.split("#")[1] in site.ids)]
    ok('source: Operation semantics, "Element-wise unary functions" (004:'
       in squeeze("".join(page.words))
       and "https://www.tensorflow.org/xla/operation_semantics" in page.links,
       "a failure names its source, with the public page")
    ok("site/Neg.html" in links and len(set(links)) > 1 and not bad
       and not page.problems, "a report links each failure to its page",
       bad or links or page.problems)
    of_run = Page(open(f"{folder}/run.html", encoding="utf-8").read())
    ok(links and [link for link in of_run.links
                  if link.startswith("site/")] == links,
       "run --html --docs writes the same links")
    doc("--site", f"{folder}/site", "--database", database)
    page = Page(open(f"{folder}/site/Neg.html", encoding="utf-8").read())
    ok("backends" in page.ids and not page.problems,
       "--site --database: what a backend does", page.problems)
    told = squeeze(doc("Neg", "--database", database))
    ok("What backends do" in told and " fail" in told,
       "--database: what a backend does", told[-500:])


def unmatched(patterns):
    """What run says of the patterns that match no case of the suite."""
    options = [word for p in patterns for word in ("--filter", p)]
    done = subprocess.run([ASSAY, "run", "--list", "--tier", "full", *options],
                          capture_output=True, text=True, timeout=120)
    return re.findall(r"--filter '(.*?)': no case", done.stderr)


def check_filters():
    """The commands of every page name cases that there are."""
    patterns = set()
    for path in ["README.md", "tools/python/README.md", *glob.glob("spec/*.md"),
                 *glob.glob("report/findings/*.md")]:
        with open(path, encoding="utf-8") as f:
            patterns |= set(re.findall(r"(?:--filter|-f) '([^']+)'", f.read()))
    left = unmatched(sorted(patterns))
    ok(len(patterns) > 50 and not left, "the filters of the pages match", left)
    ok(unmatched(["Abs/rules/*", "Abs/no/such"]) == ["Abs/no/such"],
       "and one that matches nothing is found")


def main():
    ops = list(specification.operations().values())
    for form, read in ("text", str), ("markdown", unescape_markdown):
        bad = []
        for op in ops:
            # Sentences are in table cells, which a terminal's lines cut.
            text = read(doc(op["op"], "--format", form))
            bad += [f"{op['op']}: {m}" for m in missing(op, text)]
        ok(not bad, f"{form}: each page has all of its operation",
           "\n".join(bad))
    listed = doc()
    ok(all(op["op"] in listed for op in ops), "without a name: all operations")
    one = doc("Add", "--format", "html")
    page = Page(one)
    ok(not page.problems and all(link.startswith("#") or "://" in link
                                 for link in page.links),
       "html: a page by itself links to no other", page.links)
    ok("\033" not in doc("Add"), "no colour where no terminal is")
    with tempfile.TemporaryDirectory() as folder:
        doc("--site", f"{folder}/site")
        check_site(f"{folder}/site", ops)
        error = doc("--site", f"{folder}/none/site", code=2)
        ok("cannot be created" in error,
           "a folder that cannot be created: an error")
        check_report(folder)
    policies = squeeze(doc("policies"))
    ok(all(squeeze(p["text"]) in policies for p in POLICIES.values()),
       "policies: all of them")
    ok("xla-exhaustive" in doc("profile", "xla-exhaustive"), "profile NAME")
    # spec/profiles/xla-exhaustive.json: rel 1.1920928955078125e-06,
    # abs 1.1190346870425533e-15, rounded up
    ok("rel 1.193e-06, abs 1.12e-15" in squeeze(doc("Cbrt", "-f", "markdown")),
       "a budget has its relative and absolute bounds")
    ok("nearest: 'Gather'" in doc("Gathr", code=2), "an unknown name")
    ok("nearest: 'strict'" in doc("profile", "strikt", code=2),
       "an unknown profile")
    ok("nearest" not in doc("Add", "--database", "/nonexistent.db", code=2),
       "no such database")
    check_sources()
    check_filters()
    finish()


main()
