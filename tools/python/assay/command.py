"""The command assay, as a wheel carries it.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import sys

#: What `make wheel` puts beside the package: bin, lib, share.
NATIVE = pathlib.Path(__file__).resolve().parent / "native"


def run_import() -> None:
    """assay import, which is written in Python."""
    try:
        from assay import import_command
    except ModuleNotFoundError as e:
        if (e.name or "").partition(".")[0] not in ("jaxlib", "ml_dtypes"):
            raise
        print(f"assay import: {sys.executable} has no {e.name}, whose MLIR "
              "bindings read StableHLO: make jax, or pip install jaxlib",
              file=sys.stderr)
        sys.exit(2)
    sys.exit(import_command.main(sys.argv[2:]))


def main() -> None:
    """Become the command; only a package without it returns."""
    if sys.argv[1:2] == ["import"]:
        run_import()
    command = NATIVE / "bin/assay"
    if not command.is_file():
        sys.exit("assay: this package was installed without the command; "
                 "build and install a wheel with `make wheel`")
    os.execv(command, [str(command), *sys.argv[1:]])


if __name__ == "__main__":
    main()
