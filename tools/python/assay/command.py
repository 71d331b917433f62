"""The command assay, as a wheel carries it.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import sys

#: What `make wheel` puts beside the package: bin, lib, share.
NATIVE = pathlib.Path(__file__).resolve().parent / "native"


def main() -> None:
    """Become the command; only a package without it returns."""
    command = NATIVE / "bin/assay"
    if not command.is_file():
        sys.exit("assay: this package was installed without the command; "
                 "build and install a wheel with `make wheel`")
    os.execv(command, [str(command), *sys.argv[1:]])


if __name__ == "__main__":
    main()
