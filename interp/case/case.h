/* case.h - case files: reading, expansion, one case as a program.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file is parsed and checked whole (case_file_read), then expanded into
 * stubs, which cost a name and a binding each (a plan holds millions), and a
 * stub is made into a case, with its program and data, when it runs.
 */
#ifndef INTERP_CASE_CASE_H
#define INTERP_CASE_CASE_H

#include "interp/data/data.h"
#include "interp/program/program.h"

/* One parsed file.  name is its path below cases/ without suffix. */
struct case_file {
    struct arena *arena;
    const char *path, *name;
    const char *op; /* "op" of the file */
    const struct json *root;
    int stub_count;
    struct case_stub *stubs;
};

/* One expanded case: what `assay run --list` shows. */
struct case_stub {
    const struct case_file *file;
    const struct json *node; /* before substitution */
    const char *name;        /* "Add/shapes/outer@T=f32,N=17" */
    const char *op;          /* "op" of the case, or else of the file */
    int binding_count;
    const char *const *variables;     /* "T", "N" */
    const struct json *const *values; /* bound values */
};

/* One case, ready to run. */
struct test_case {
    const struct case_stub *stub;
    const struct json *node; /* after substitution */
    const char *name;
    const char *why;
    int cover_count;
    const char *const *covers;
    const char *op;
    const char *profile;         /* or NULL */
    const struct json *policies; /* or NULL */
    int replicas;    /* rows of inputs and expect: replicas * partitions */
    int partitions;  /* row r is replica r / partitions, partition r % ... */
    int input_count; /* of one replica */
    struct literal ***inputs; /* [replica][i] */
    int *infeed_count;        /* per replica; NULL: none */
    struct literal ***infeed;
    int *outfeed_count; /* expected; NULL: not given */
    struct expected **outfeed;
    struct program *program; /* NULL if the module itself is invalid */
    /* The case as a backend gets it: itself, or in its form another program
     * with the same results, and its inputs. */
    const struct test_case *written;
    int error_count; /* expected error classes; 0: none */
    enum code errors[8];
    /* Expected arrays and tokens of the result, depth first, whichever form
     * the file uses; an alternative of whole tuples (one_of) stays one, and
     * so does a list that does not fit the result. */
    int expect_count;         /* of one replica; 0: none */
    struct expected **expect; /* [replica][i] */
    bool rejected;            /* the program failed to load or infer: */
    struct status rejection;  /* with this */
};

/* Read and check a case file: JSON, members, kinds of value, names, and the
 * constraints that the JSON schema cannot say.  Fails with INPUT. */
bool case_file_read(struct arena *a, const char *path, const char *name,
                    const struct limits *limits, struct case_file **file,
                    struct status *st);
/* The same of a text; path is what errors call it. */
bool case_file_parse(struct arena *a, const char *path, const char *name,
                     const char *text, size_t length,
                     const struct limits *limits, struct case_file **file,
                     struct status *st);

/* Make a case of a stub, in the arena (a per-case one), in a form (interp/form)
 * or as it stands (NULL).  An invalid *program* is not a failure: rejected is
 * set.  An invalid *case* fails with INPUT, and so does a form that does not
 * apply. */
bool case_make(struct arena *a, const struct case_stub *stub, const char *form,
               const struct limits *limits, struct test_case **made,
               struct status *st);
/* Its name with that of its form, in the arena. */
const char *case_name(struct arena *a, const struct case_stub *stub,
                      const char *form);
/* The operation whose operands are the case's inputs, or NULL: a module. */
const struct op *case_op(const struct case_stub *stub);

#endif
