"""python -m assay: the command.

SPDX-License-Identifier: Apache-2.0
"""
from assay.command import main

if __name__ == "__main__":
    main()
