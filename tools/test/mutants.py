"""Programs with mistakes: assay import refuses each in one line, or accepts it.

SPDX-License-Identifier: Apache-2.0

    build/jax/bin/python tools/test/mutants.py SEED COUNT [FILE...]

Begins with the programs of constructs.mlir (or of the files) as StableHLO's
text, bytecode and portable artifact, and as HLO's text and message, and changes
bytes, tokens or lines.  Each mutant is imported in a process of its own, with limits
of memory and processor time.  Prints what is not as it should be:

    ended    the bindings end the process: no fault, if the command says so in
             one line (mutated.t)
    trace    a traceback, or an exit code that is not documented
    lines    not one line of message for a refusal
    place    a refusal of text that names no line of it
    time     more than SECONDS of processor time

and last a count of each, as JSON.
"""
import collections
import contextlib
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"  # as the command has it
ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, f"{ROOT}/tools/python")
from jaxlib import _hlo  # noqa: E402

from assay import hlo, import_command, mlir  # noqa: E402
from assay.mlir import Refused, ir, stablehlo  # noqa: E402

SECONDS, MEMORY = 30, 4 << 30
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[%@#!]?[\w.$-]+|->|\S')
WORDS = ("0", "-1", "1", "9223372036854775807", "-9223372036854775808", "65536",
         "4294967296", "1e999", "nan", "?", "*", "x", "tensor<f32>",
         "tensor<0xf32>", "tensor<2x?xi4>", "tensor<1000000x1000000xf32>",
         "!stablehlo.token", "f8E4M3FN", "true", "dense<>", "[]", "{}", "()",
         "\"\"", "%undefined", "@nothing", "loc(unknown)", "\u00e9")


def programs(paths):
    """Texts of StableHLO."""
    for path in paths or [f"{ROOT}/tools/test/constructs.mlir"]:
        with open(path, encoding="utf-8") as f:
            yield from (p for p in re.split(r"^// ====.*$", f.read(),
                                            flags=re.M) if p.strip())


def forms(texts):
    """(suffix, bytes) of each program, in every form that it has."""
    for text in texts:
        yield ".mlir", text.encode()
        with mlir.context(), ir.Location.unknown():
            silent = ir.Context.current.attach_diagnostic_handler(
                lambda _: True)
            try:
                module = ir.Module.parse(text)
                with tempfile.TemporaryFile() as f:
                    module.operation.write_bytecode(f)
                    f.seek(0)
                    yield ".mlirbc", f.read()
                yield ".mlirbc", stablehlo.serialize_portable_artifact(
                    module, stablehlo.get_current_version())
            except Exception:  # a program that is refused has no other form
                pass
            finally:
                silent.detach()
        try:
            made = hlo.guarded(text)
        except Refused:
            continue
        yield ".hlo", made.encode()
        with contextlib.suppress(RuntimeError):  # what XLA writes, not reads
            yield ".pb", _hlo.hlo_module_from_text(
                made).as_serialized_hlo_module_proto()


# ---- Mutations ---------------------------------------------------------------

def change_bytes(r, data, _other):
    made = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 4))):
        at = r.randrange(len(made) + 1)
        made[at:at + r.choice((0, 1, 1, 3))] = r.choice(
            (b"", r.randbytes(1), bytes([r.choice(b"\0\xff\x80\n\"<>{}%0")])))
    return bytes(made)


def cut(r, data, _other):
    return data[:r.randrange(len(data) + 1)]


def splice(r, data, other):
    return data[:r.randrange(len(data) + 1)] \
        + other[r.randrange(len(other) + 1):]


def change_tokens(r, data, other):
    text, found = data.decode(), TOKEN.findall(other.decode())
    for _ in range(r.choice((1, 1, 2, 3))):
        tokens = list(TOKEN.finditer(text))
        if not tokens:
            break
        a, b = r.choice(tokens), r.choice(tokens)
        new = r.choice(("", b[0], r.choice(WORDS), r.choice(found or [""]),
                        f"{a[0]} {a[0]}"))
        text = text[:a.start()] + new + text[a.end():]
    return text.encode()


def change_lines(r, data, other):
    lines, more = data.split(b"\n"), other.split(b"\n")
    a, b = r.randrange(len(lines)), r.randrange(len(lines))
    how = r.randrange(4)
    if how == 0:
        del lines[a]
    elif how == 1:
        lines.insert(a, lines[b])
    elif how == 2:
        lines[a], lines[b] = lines[b], lines[a]
    else:
        lines.insert(a, r.choice(more))
    return b"\n".join(lines)


BINARY = (change_bytes, change_bytes, cut, splice)
NO_TEXT = (".mlirbc", ".pb")
TEXT = (change_bytes, cut, splice, *4 * (change_tokens,), *2 * (change_lines,))


def mutate(r, corpus):
    suffix, data = r.choice(corpus)
    other = r.choice([d for s, d in corpus if s == suffix])
    how = r.choice(BINARY if suffix in NO_TEXT else TEXT)
    return suffix, how(r, data, other)


# ---- The oracle --------------------------------------------------------------

def attempt(path, errors):
    """The wait status of an import, whose messages go to the file errors."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(errors.fileno(), 2)
            sys.stderr = open(2, "w", encoding="utf-8", closefd=False)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            code = import_command.main([path, "-o", os.devnull])
        except SystemExit as e:
            code = e.code
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stderr.flush()
            os._exit(code)
    return os.waitpid(child, 0)[1]


def fault(suffix, data, how, said):
    """What is wrong with how an import ended; or ""."""
    if os.WIFSIGNALED(how):
        return "time" if os.WTERMSIG(how) in (
            signal.SIGXCPU, signal.SIGKILL) else "ended"
    if os.WEXITSTATUS(how) not in (0, 2) or "Traceback" in said:
        return "trace"
    if os.WEXITSTATUS(how) == 0:
        return ""
    if said.count("\n") != 1 or not said.endswith("\n"):
        return "lines"
    is_text = suffix not in NO_TEXT and not data.startswith(b"ML\xefR")
    return "" if not is_text or re.search(rf"{re.escape(suffix)}:\d+", said) \
        else "place"


#: Refusals that are of the whole file: no line is at fault.
WHOLE = re.compile(r"a module without a function|no function has a body|"
                   r"nested too deeply|replicas: |a mesh of |what a program of "
                   r"HLO begins")


def main():
    seed, count, paths = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    r, found = random.Random(seed), collections.Counter()
    corpus = list(forms(programs(paths)))
    with tempfile.TemporaryDirectory() as folder:
        keep = os.environ.get("MUTANTS_KEEP")
        for number in range(count):
            suffix, data = mutate(r, corpus)
            path = f"{folder}/m{suffix}"
            with open(path, "wb") as f:
                f.write(data)
            with tempfile.TemporaryFile("w+", errors="replace",
                                        newline="") as errors:
                how = attempt(path, errors)
                errors.seek(0)
                said = errors.read()
            kind = fault(suffix, data, how, said.replace(folder + "/", ""))
            if kind == "place" and WHOLE.search(said):
                kind = ""
            found[kind or ("refused" if how else "accepted")] += 1
            if kind:
                print(kind, number, suffix, os.waitstatus_to_exitcode(how),
                      repr(said.replace(folder + "/", "")[:300]), flush=True)
                if keep:
                    with open(f"{keep}/{seed}-{number}-{kind}{suffix}",
                              "wb") as f:
                        f.write(data)
    print(json.dumps(dict(found)))


main()
