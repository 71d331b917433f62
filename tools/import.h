/* import.h - programs of StableHLO, read by the Python package.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_IMPORT_H
#define TOOLS_IMPORT_H

#include "interp/base/arena.h"
#include "interp/base/status.h"

struct import {
    const char *file;
    const char *inputs; /* operands (.npz), or NULL: random numbers */
    const char *folder; /* of the case file, from import_open; or NULL */
    const char *path;   /* of that file */
    const char *places; /* and of the one that says where its values are from */
};

/* Does the name end as one of a StableHLO program does (.mlir, .mlirbc)? */
bool import_is_program(const char *path);

/* Replace this process with `assay import` written in Python; python may be
 * NULL.  arguments: those after the verb, with a NULL at the end.  Returns only
 * if that program cannot be started, and says so. */
void import_exec(struct arena *a, const char *python, char **arguments);

/* Make a case of the program, in a temporary folder of its own.  Python has
 * said on standard error what is wrong with the program: then the text of st is
 * empty.  Fails with INPUT, and with SYSTEM if there can be no file. */
bool import_open(struct arena *a, struct import *i, struct status *st);
/* A failure at a place of the case file that import_open made is now one at
 * where that comes from in the program: "model.mlir:4:8: stablehlo.add". */
void import_place(struct arena *a, const struct import *i, struct status *st);
/* Remove the folder, if there is one. */
void import_close(struct import *i);

#endif
