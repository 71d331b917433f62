#!/usr/bin/python3
# surplus.py VERSION [open-MUTATION] - a backend process that sends too much.
#
# SPDX-License-Identifier: Apache-2.0
#
# It negates f32, and answers everything in order, but for one reply of a case
# named Neg/a/CALL-MUTATION: that reply to CALL is changed by MUTATION, a
# function below.  surplus.t makes a case of each that cases() lists: call,
# mutation, and how the case must end.
import json
import os
import sys
import threading
import time

from frames import frame, read_header, send, stdin

VERSION = int(sys.argv[1]) if __name__ == "__main__" else 0


def header_of(text):
    """The reply with that header."""
    return lambda r: frame(text(r.header) if callable(text) else text, r.body)


def with_text(before, after=b""):
    """JSON of the header, with bytes in front or at the end."""
    return lambda h: before + json.dumps(h).encode() + after


def with_member(text):
    return lambda h: json.dumps(h).encode()[:-1] + b"," * bool(h) + text + b"}"


def renumbered(change):
    return lambda h: {**h, "request": change(h["request"])}


class Reply:
    def __init__(self, header, body):
        self.header, self.body = header, body
        self.bytes = frame(header, body)


def fork_and_exit(child):
    """The program ends, and a child of it has the pipes."""
    if os.fork() == 0:
        child()
        time.sleep(100)
        os._exit(0)
    os._exit(3)


def late_child(r):
    def answer():
        time.sleep(0.3)
        send(r.bytes)
    fork_and_exit(answer)


def late_thread(r):
    def again():
        time.sleep(0.05)
        send(r.bytes)
    threading.Thread(target=again, daemon=True).start()
    return r.bytes


def then_exit(r):
    send(r.bytes)
    os._exit(3)


FOLLOWED = r"the reply is followed by"
# Name: function, the case's status, what its text says (a regular expression),
# the first version that has it.
MUTATIONS = {
    # Too much.
    "twice": (lambda r: 2 * r.bytes, "crash", FOLLOWED, 1),
    "thrice": (lambda r: 3 * r.bytes, "crash", FOLLOWED, 1),
    "twice-apart": (lambda r: send(r.bytes) or r.bytes, "crash", FOLLOWED, 1),
    "next": (lambda r: r.bytes + frame(
        renumbered(lambda n: n + 1)(r.header), r.body), "crash", FOLLOWED, 2),
    "line": (lambda r: r.bytes + b"hello\n", "crash",
             r"followed by 'hello|expected a frame .* 'hello", 1),
    "byte": (lambda r: r.bytes + b"\n", "crash",
             r"followed by '\?'|expected a frame .* '\?", 1),
    "zero": (lambda r: r.bytes + b"\0", "crash",
             r"followed by '\?'|expected a frame .* '\?", 1),
    "prefix": (lambda r: r.bytes + b"ASY1", "crash",
               FOLLOWED + "|header of|lacks|expected a frame", 1),
    "line-before": (lambda r: b"hello\n" + r.bytes, "crash",
                    "expected a frame on standard output, found 'hello", 1),
    "byte-before": (lambda r: b"\n" + r.bytes, "crash",
                    r"expected a frame on standard output, found '\?ASY1", 1),
    # From elsewhere, after the program has gone to sleep: nobody is to suffer.
    # (Without numbers, nothing tells it from a reply to the next request.)
    "late-thread": (late_thread, "pass|crash", "", 2),
    # Too little.
    "nothing": (lambda r: b"", "timeout", "no result", 1),
    "short": (lambda r: r.bytes[:-1], "timeout", "no result", 1),
    # The end.
    "exit": (then_exit, "crash", "exited with status 3", 1),
    "late-child": (late_child, "crash", "exited with status 3", 1),
    "silent-child": (lambda r: fork_and_exit(lambda: None), "crash",
                     "exited with status 3", 1),
    # Another number.
    "earlier": (header_of(renumbered(lambda n: n - 1)), "crash",
                "request|before the reply to the call sync", 2),
    "later": (header_of(renumbered(lambda n: n + 1)), "crash",
              "request|before the reply to the call sync", 2),
    "half-number": (header_of(renumbered(lambda n: n + 0.5)), "crash",
                    "request|before the reply to the call sync", 2),
    "text-number": (header_of(renumbered(str)), "crash",
                    "request|before the reply to the call sync", 2),
    "no-number": (header_of(lambda h: {k: v for k, v in h.items()
                                       if k != "request"}), "crash",
                  "request|before the reply to the call sync", 2),
    # No JSON in UTF-8.
    "mark": (header_of(with_text(b"\xef\xbb\xbf")), "crash",
             "not JSON: the text begins with a byte order mark", 1),
    "nul": (header_of(with_text(b"", b"\0")), "crash",
            "not JSON: trailing characters", 1),
    "trailing": (header_of(with_text(b"", b" {}")), "crash",
                 "not JSON: trailing characters", 1),
    "invalid": (header_of(with_member(b'"x":"\xff"')), "crash",
                "not JSON: the text is not UTF-8", 1),
    "overlong": (header_of(with_member(b'"x":"\xc0\xaf"')), "crash",
                 "not JSON: the text is not UTF-8", 1),
    "raw-surrogate": (header_of(with_member(b'"x":"\xed\xa0\x80"')), "crash",
                      "not JSON: the text is not UTF-8", 1),
    "raw-nul": (header_of(with_member(b'"x":"a\0b"')), "crash",
                "not JSON: control character", 1),
    "escaped-nul": (header_of(with_member(rb'"x":"f32\u0000x"')), "crash",
                    "not JSON: a string may not contain NUL", 1),
    "surrogate": (header_of(with_member(rb'"x":"\ud800"')), "crash",
                  "not JSON: unpaired surrogate", 1),
    "latin-1": (header_of(lambda h: json.dumps({**h, "x": "\u00e9"},
                                               ensure_ascii=False)
                          .encode("latin-1")), "crash",
                "not JSON: the text is not UTF-8", 1),
    "utf-16": (header_of(lambda h: json.dumps(h).encode("utf-16-le")), "crash",
               "not JSON", 1),
    "infinity": (header_of(with_member(b'"x":Infinity')), "crash",
                 "not JSON: expected a value", 1),
}
CALLS = {1: ("compile", "execute"), 2: ("compile", "execute", "sync")}


def cases(version):
    for call in CALLS[version]:
        for name, (_, status, text, first) in MUTATIONS.items():
            if first <= version:
                yield call, name, status, text
    yield "execute", "deaf", "crash", "exited with status 3"


class Server:
    def __init__(self):
        self.culprit = {}  # executable: (call, mutation)
        self.last = None   # the executable of the last call

    def ordinary(self, header, body):
        """Header and body of the reply to a call."""
        call = header["call"]
        if call == "open":
            return {"protocol": VERSION, "name": "surplus", "version": "1",
                    "capabilities": {"dtypes": "f32", "ops": "Neg Parameter"}}, b""
        if call == "compile":
            name = json.loads(body)["name"].rsplit("/", 1)[-1]
            self.culprit[header["executable"]] = tuple(name.split("-", 1))
        if call != "execute":
            return {}, b""
        return {"outputs": [{"dtype": "f32", "dims": [len(body) // 4]}]}, \
            bytes(b ^ 0x80 if i % 4 == 3 else b for i, b in enumerate(body))

    def answer(self, header, body):
        call = header["call"]
        reply, data = self.ordinary(header, body)
        if VERSION >= 2:
            reply["request"] = header["request"]
        reply = Reply(reply, data)
        self.last = header.get("executable", self.last)
        of, mutation = self.culprit.get(self.last, (None, None))
        if call == "open" and len(sys.argv) > 2:
            of, mutation = sys.argv[2].split("-", 1)
        if of == call and mutation in MUTATIONS:
            return MUTATIONS[mutation][0](reply)
        return reply.bytes

    def serve(self):
        while True:
            header, size = read_header()
            if header["call"] == "execute" and self.culprit.get(
                    header["executable"]) == ("execute", "deaf"):
                fork_and_exit(lambda: None)  # and nobody reads the body
            body = stdin.read(size)
            if header["call"] != "release":
                send(self.answer(header, body))


if __name__ == "__main__":
    Server().serve()
