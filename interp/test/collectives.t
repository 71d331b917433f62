#!/usr/bin/env python3
# collectives.t - collectives against their definitions, on random programs.
#
# SPDX-License-Identifier: Apache-2.0
#
# The definitions are those of StableHLO's specification (process groups, then
# slices and concatenations by index), written out here with lists; values are
# small integers, so that every result is exact.  ASSAY_TEST_LONG: more.
# ASSAY_SEED: other programs.
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

ASSAY = os.environ.get("ASSAY", "build/assay")
COUNT = 4000 if os.environ.get("ASSAY_TEST_LONG") else 250
rng = random.Random(os.environ.get("ASSAY_SEED", "20240229"))


class Array:
    """An array as a function of multi-indices."""

    def __init__(self, dims, at):
        self.dims = list(dims)
        self.data = {i: at(i) for i in
                     itertools.product(*(range(d) for d in dims))}

    def __getitem__(self, index):
        return self.data[tuple(index)]

    def nested(self, prefix=()):
        k = len(prefix)
        if k == len(self.dims):
            return self.data[prefix]
        return [self.nested(prefix + (i,)) for i in range(self.dims[k])]

    def literal(self):
        shape = ",".join(map(str, self.dims))
        return {"shape": f"s32[{shape}]", "data": self.nested()}


def shifted(index, d, by):
    return [x + by if k == d else x for k, x in enumerate(index)]


def concatenate(arrays, d):
    size = arrays[0].dims[d]
    dims = shifted(arrays[0].dims, d, size * (len(arrays) - 1))
    return Array(dims, lambda i: arrays[i[d] // size][
        shifted(i, d, -(i[d] // size) * size)])


def block(array, d, which, count):
    size = array.dims[d] // count
    dims = shifted(array.dims, d, size - array.dims[d])
    return Array(dims, lambda i: array[shifted(i, d, which * size)])


def process_groups(op, replicas, partitions, groups, channel, flat):
    """Lists of (replica, partition), by StableHLO's four functions."""
    wide = op in ("AllGather", "AllReduce", "ReduceScatter")
    if not channel:
        groups = groups or [list(range(replicas))]
        return [[(r, p) for r in g] for g in groups for p in range(partitions)]
    if flat:
        groups = groups or [list(range(replicas * partitions))]
        return [[divmod(i, partitions) for i in g] for g in groups]
    if wide:
        groups = groups or [list(range(replicas))]
        return [[(r, p) for r in g for p in range(partitions)] for g in groups]
    groups = groups or [list(range(partitions))]
    return [[(r, p) for p in g] for g in groups for r in range(replicas)]


def random_groups(n, uniform):
    ids = list(range(n))
    rng.shuffle(ids)
    if rng.random() < 0.25:
        return []
    if uniform:
        size = rng.choice([k for k in range(1, n + 1) if n % k == 0])
        return [ids[i:i + size] for i in range(0, n, size)]
    cuts = sorted(rng.sample(range(1, n), rng.randint(0, n - 1)))
    return [ids[a:b] for a, b in zip([0] + cuts, cuts + [n])]


def setting(op):
    replicas, partitions = rng.choice(
        [(1, 1), (2, 1), (3, 1), (4, 1), (6, 1), (1, 3), (2, 2), (2, 3)])
    channel = rng.random() < 0.5
    flat = channel and rng.random() < 0.5
    wide = op in ("AllGather", "AllReduce", "ReduceScatter")
    n = (replicas * partitions if flat else
         partitions if channel and not wide else replicas)
    groups = random_groups(n, op != "AllReduce")
    attributes = {}
    if groups or rng.random() < 0.5:
        attributes["replica_groups"] = groups
    if channel:
        attributes["channel_id"] = rng.randint(1, 9)
    if flat or rng.random() < 0.2:
        attributes["use_global_device_ids"] = flat
    found = process_groups(op, replicas, partitions, groups, channel, flat)
    return replicas, partitions, found, attributes


def values(dims):
    return Array(dims, lambda i: rng.randint(-1000, 1000))


def make(number):
    op = rng.choice(["AllGather", "AllReduce", "ReduceScatter", "AllToAll"])
    replicas, partitions, groups, attributes = setting(op)
    size = len(groups[0])
    rank = rng.randint(1, 3)
    dims = [rng.randint(1, 3) for _ in range(rank)]
    d, e = rng.randrange(rank), rng.randrange(rank)
    if op in ("ReduceScatter", "AllToAll"):
        dims[d] *= size
    inputs = {(r, p): values(dims) for r in range(replicas)
              for p in range(partitions)}
    results = {}
    for g in groups:
        own = [inputs[q] for q in g]
        total = Array(dims, lambda i: sum(a[i] for a in own))
        for k, q in enumerate(g):
            results[q] = {
                "AllGather": lambda: concatenate(own, d),
                "AllReduce": lambda: total,
                "ReduceScatter": lambda: block(total, d, k, size),
                "AllToAll": lambda: concatenate(
                    [block(a, d, k, size) for a in own], e)}[op]()
    attributes.update({
        "AllGather": {"all_gather_dimension": d, "shard_count": size},
        "AllReduce": {"computation": "add"},
        "ReduceScatter": {"computation": "add", "scatter_dimension": d,
                          "shard_count": size},
        "AllToAll": {"split_dimension": d, "concat_dimension": e,
                     "split_count": size}}[op])
    order = [(r, p) for r in range(replicas) for p in range(partitions)]
    return op, {"id": f"c{number}", "why": "random", "replicas": replicas,
                "partitions": partitions, "attributes": attributes,
                "inputs": [[inputs[q].literal()] for q in order],
                "expect": [[results[q].literal()] for q in order]}


def main():
    files = {}
    for number in range(COUNT):
        op, case = make(number)
        files.setdefault(op, []).append(case)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for k, (op, cases) in enumerate(sorted(files.items())):
            path = f"{folder}/{op}.json"
            with open(path, "w", encoding="utf-8") as f:
                json.dump({"format": "assay-case/1", "op": op, "cases": cases},
                          f)
            done = subprocess.run([ASSAY, "eval", path], capture_output=True,
                                  text=True, timeout=600)
            good = done.returncode == 0
            failed += not good
            print(f"{'ok' if good else 'not ok'} {k + 1} - {len(cases)} of "
                  f"{op}")
            for line in (done.stdout + done.stderr).splitlines():
                if not good and ("differ" in line or "expect" in line):
                    print(f"# {line}")
    print(f"1..{len(files)}")
    sys.exit(failed > 0)


main()
