"""read.py DIR [RESULTS] - count the wrong units of RESULTS, the bytes of all outputs in order.

SPDX-License-Identifier: Apache-2.0
"""
import json
import sys

folder = sys.argv[1]
data = open(f"{folder}/vectors.bin", "rb").read()
got = open(sys.argv[2], "rb").read() if len(sys.argv) > 2 else None
units = wrong = place = 0


def numbers(data, at, n, size):
    return [int.from_bytes(data[at + i * size:at + (i + 1) * size], "little") for i in range(n)]


for line in open(f"{folder}/vectors.jsonl"):
    for a in json.loads(line)["outputs"]:
        n, size, real = a["units"], max(a["width"] // 8, 1), a["kind"] == "float"
        s, mask = a["sign"] << a["width"] - 1, (1 << a["width"]) - 1
        want = numbers(data, a["at"], n, size)
        mine = want if got is None else numbers(got, place, n, size)
        exact = a["low"] < 0
        low = want if exact else numbers(data, a["low"], n, size)
        high = want if exact else numbers(data, a["high"], n, size)
        flags = bytes(n) if exact else data[a["flags"]:a["flags"] + n]

        def key(x):
            return x ^ s if not real or not s else ~x & mask if x & s else x | s

        for w, x, l, h, f in zip(want, mine, low, high, flags):
            nan = real and (x & ~s > a["largest"] or x == a["nan"])
            wrong += not (x == w or not nan and not exact and key(l) <= key(x) <= key(h) or f & 1
                          or f & 2 and nan or f & 4 and x == 0 or f & 8 and s and x == s and not nan)
        units, place = units + n, place + n * size
print(f"{units} units, {wrong} wrong")
