# specification.py - spec/ops with what families give them, for scripts.
#
# SPDX-License-Identifier: Apache-2.0
#
# The rules are those of interp/specification/spec_family.h.
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = ("operands", "attributes", "members", "policies", "constraints",
        "requirements")


def load(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def key(row):
    """What makes two rows the same one: a name, an id but for its operation."""
    if not isinstance(row, dict):
        return row
    return row["name"] if "name" in row else row["id"].partition(".")[2]


def merge_rows(own, base, name):
    inherited = {key(row): row for row in base}
    rows = [merge(row, inherited[key(row)])
            if isinstance(row, dict) and key(row) in inherited else row
            for row in own]
    named = {key(row) for row in own}
    return rows + ([] if name == "operands" else
                   [row for row in base if key(row) not in named])


def merge(own, base):
    whole = dict(base)
    for name, value in own.items():
        if name in base and name in ROWS:
            value = merge_rows(value, base[name], name)
        elif name in base and name == "result":
            value = merge(value, base[name])
        whole[name] = value
    return whole


def families_of(own):
    """The names of a file's families, in order."""
    return ([own["family"]] if "op" in own and "family" in own else []) + \
        own.get("extends", [])


def inherit(own):
    whole = own
    for name in families_of(own):
        whole = merge(whole, inherit(load(f"spec/families/{name}.json")))
    return whole


def replace(value, name):
    if isinstance(value, str):
        return value.replace("$OP", name)
    if isinstance(value, list):
        return [replace(v, name) for v in value]
    if isinstance(value, dict):
        return {k: replace(v, name) for k, v in value.items()}
    return value


def operation(name):
    """spec/ops/NAME.json as one object; a list that it has not is empty."""
    whole = replace(inherit(load(f"spec/ops/{name}.json")), name)
    for rows in ROWS:
        if rows != "members":
            whole.setdefault(rows, [])
    return whole


def names():
    return sorted(p.stem for p in (ROOT / "spec/ops").glob("*.json"))


def operations():
    return {name: operation(name) for name in names()}
