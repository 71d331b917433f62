"""Assay in Python.

SPDX-License-Identifier: Apache-2.0

``assay.backend``         write a backend that Assay judges, in Python
``assay.types``           element types and shapes as NumPy has them
``assay.backends.numpy``  NumPy as a backend
"""
__version__ = "0.1.0"
