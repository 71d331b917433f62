"""generators.py - a generator of cases as a module of another one.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.machinery
import importlib.util
import os
import sys


def load(name):
    """tools/NAME, which has no suffix."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    module = name.replace("-", "_")
    loader = importlib.machinery.SourceFileLoader(module, path)
    spec = importlib.util.spec_from_loader(module, loader)
    loaded = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(loaded)
    return loaded
