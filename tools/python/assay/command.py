"""The command assay, as a wheel carries it.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import sys
from typing import Sequence

#: What `make wheel` puts beside the package: bin, lib, share.
NATIVE = pathlib.Path(__file__).resolve().parent / "native"


def _need_jaxlib(verb: str, error: ModuleNotFoundError) -> int:
    if (error.name or "").partition(".")[0] not in ("jaxlib", "ml_dtypes"):
        raise error
    print(f"assay {verb}: {sys.executable} has no {error.name}, whose MLIR "
          "bindings read StableHLO: make jax, or pip install jaxlib",
          file=sys.stderr)
    return 2


def _silence() -> None:
    """XLA's log says again what an error says, with a trace of the stack; what
    ends the process is still said."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def run_import(arguments: Sequence[str]) -> int:
    """assay import, of which the command reads the case again."""
    _silence()
    try:
        from assay import import_command
    except ModuleNotFoundError as e:
        return _need_jaxlib("import", e)
    return import_command.main(arguments)


def run_hlo(_: Sequence[str]) -> int:
    """assay emit --hlo: what comes in as StableHLO leaves as HLO."""
    _silence()
    try:
        from assay import hlo
    except ModuleNotFoundError as e:
        return _need_jaxlib("emit", e)
    return hlo.main()


def run_kernel(arguments: Sequence[str]) -> int:
    """assay kernel."""
    from assay import kernel_command
    return kernel_command.main(arguments)


def run_settle(arguments: Sequence[str]) -> int:
    """assay settle."""
    from assay import settle_command
    return settle_command.main(arguments)


def main() -> None:
    """Become the command; without it, only import works."""
    command = NATIVE / "bin/assay"
    if command.is_file():
        os.environ.setdefault("ASSAY_PYTHON", sys.executable)
        os.execv(command, [str(command), *sys.argv[1:]])
    if sys.argv[1:2] == ["import"]:
        sys.exit(run_import(sys.argv[2:]))
    sys.exit("assay: this package was installed without the command; "
             "build and install a wheel with `make wheel`")


if __name__ == "__main__":
    main()
