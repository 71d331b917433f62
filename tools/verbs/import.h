/* import.h - programs of StableHLO and HLO, read by the Python package.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_IMPORT_H
#define TOOLS_IMPORT_H

#include <sys/types.h>

#include "interp/base/arena.h"
#include "interp/base/limits.h"
#include "interp/base/status.h"
#include "tools/verbs/option.h"

struct import {
    const char *file;
    const char *inputs;   /* operands (.npz), or NULL: random numbers */
    const char *entry;    /* the function, or NULL: main or the first */
    const char *replicas; /* how many, or NULL: as the program says */
    const char *python;   /* interpreter, or NULL: find one */
    bool want_steps;      /* also the operations, one by one? */
    bool want_titles;   /* do names of instructions say where they are from? */
    const char *folder; /* a temporary one, from import_open; or NULL */
    const char *cases;  /* the folder in it of the case file */
    const char *steps;  /* those of its operations alone, and */
    const char *values; /* of the program with all values as results, and */
    const char *parts;  /* of what it runs inside, in the same way */
    const char *path;   /* of the case file */
    const char *places; /* and of the one that says where its values are from
                         */
};

/* The options --inputs, --entry and --replicas; their target is a struct
 * import. */
extern const struct option_set import_options;

/* Does the name end as that of a program does (.mlir, .mlirbc, .hlo, ...)?
 * import_names lists the ends. */
bool import_is_program(const char *path);
extern const char import_names[];
/* The first of these options that was given, or NULL: without a program there
 * is nothing that it could be about. */
const char *import_given(const struct import *i);

/* Replace this process with a function of assay/command.py; python may be
 * NULL.  arguments: those after the verb, with a NULL at the end.  Returns only
 * if that program cannot be started, and says so. */
void import_exec(struct arena *a, const char *python, const char *function,
                 char **arguments);

/* Make a case of the program, in a temporary folder of its own.  Python has
 * said on standard error what is wrong with the program: then the text of st is
 * empty.  Fails with INPUT, and with SYSTEM if there can be no file. */
bool import_open(struct arena *a, struct import *i, struct status *st);
/* A failure at a place of the case file that import_open made is now one at
 * where that comes from in the program: "model.mlir:4:8: stablehlo.add". */
void import_place(struct arena *a, const struct import *i, struct status *st);
/* Read the case again: fails, with its place in the program, if Assay cannot
 * express it.  That it is too large to be evaluated is no failure. */
bool import_check(struct arena *a, const struct import *i,
                  const struct limits *limits, struct status *st);
/* Copy the case to path, whole or not at all; NULL and "-" are standard
 * output. */
bool import_write(const struct import *i, const char *path, struct status *st);
/* Remove the folder, with all that is in it, if there is one. */
void import_close(struct import *i);

/* Standard output, from now on, passes through a function of assay/command.py,
 * which writes where it went before. */
struct import_filter {
    pid_t child;
    int out; /* where standard output went */
};
bool import_filter_open(struct arena *a, struct import_filter *f,
                        const char *function, struct status *st);
/* Standard output as it was; the function's exit status. */
int import_filter_close(struct import_filter *f);

#endif
