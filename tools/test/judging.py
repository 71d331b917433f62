# judging.py - results of one byte each, judged by the library.
#
# SPDX-License-Identifier: Apache-2.0
import importlib.util
import json
import os

from accepts import own_op
from sanitized import preload

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
os.environ.setdefault("ASSAY_LIBRARY", os.path.abspath(
    os.environ.get("B", "build") + "/libassay.so"))
preload(os.environ["ASSAY_LIBRARY"])


def _load():
    """The package's library.py alone: the package needs NumPy."""
    spec = importlib.util.spec_from_file_location(
        "assay_library", f"{ROOT}/tools/python/assay/library.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


library = _load()


def profile(folder, name, **members):
    """The path of a profile that is strict but for these members."""
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"profile": name, "extends": "strict", "text": "a test",
                   **members}, f)
    return path


def same_but(evaluation, leaf, data):
    """Is the reference's result right with these bytes as one of its leaves?"""
    outputs = evaluation.outputs()
    outputs[leaf] = outputs[leaf]._replace(data=bytes(data))
    return evaluation.judge(outputs) is None


def accepted(case, mine, leaf=0, op=None, among=range(256)):
    """The bytes that are right for a leaf of one element."""
    with library.Evaluation(op or own_op(case), case, mine) as evaluation:
        return {p for p in among if same_but(evaluation, leaf, [p])}
