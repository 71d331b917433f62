/* deviation.h - named, executable ways of being wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/deviations.json lists them.  A deviation is one of three things: a
 * *rewrite* (the program becomes another program, which is evaluated exactly),
 * an *environment* (the evaluator treats operands or results differently),
 * or a *transform* (exact results become other results).  A deviation of a
 * target, such as attribute.reversed(window_strides), is a use of it, and may
 * be restricted to a place (interp/place): results.nan-dropped@scalar-operand.
 * Read deviation_run.h next.
 */
#ifndef INTERP_DEVIATION_DEVIATION_H
#define INTERP_DEVIATION_DEVIATION_H

#include "interp/place/place.h"
#include "interp/program/op.h"

enum deviation_kind {
    DEVIATION_ENVIRONMENT,
    DEVIATION_REWRITE,
    DEVIATION_TRANSFORM
};

struct deviation_step;
struct deviation_start;
struct deviation_change;
struct deviation_shuffle;

struct deviation {
    const char *id, *text;
    const char *source;       /* where a real system does so; or NULL */
    const char *permitted_by; /* a policy, or "flush"; or NULL */
    enum deviation_kind kind;
    uint64_t types;   /* bit 1 << DT_x of the operand; 0: any */
    uint64_t results; /* the same of the result; of a rewrite */

    /* Environment: */
    bool on_results;
    const struct json *where;    /* kinds of accuracy (spec_op); NULL: all */
    const struct json *policies; /* of concerned operations; NULL: all */
    const struct deviation_step *step;
    const struct deviation_start *start; /* of windows */
    bool running, ties_last;             /* as in struct machine_environment */
    enum dtype accumulator;

    /* Rewrite, one of: */
    const struct json *ops;  /* with formula: what it replaces; NULL: any */
    const struct json *of;   /* and what gives one of its operands */
    const struct json *with; /* its intermediate values, by name; or NULL */
    const struct json *formula;
    const struct json *operand;            /* what an operand becomes */
    bool swap;                             /* two operands are exchanged */
    const struct deviation_change *change; /* of an attribute */

    /* Transform: */
    const struct deviation_shuffle *shuffle;
    int64_t lanes;
};

struct deviation_table {
    int count;
    struct deviation *rows;
    const struct json *equivalent; /* what no case can reject; or NULL */
};

/* A deviation of a target, at a place. */
struct deviation_use {
    const struct deviation *what;
    const char *name; /* "operand.zero(init_value)" */
    int operand;      /* with operand or swap: the first one; -1: by name */
    const char *attribute; /* with change; of deviation_find: any target */
    const char *op; /* only its instructions are rewritten; NULL: all to which
                       it applies */
    const struct place *place; /* results are right elsewhere; NULL: nowhere */
    int64_t execution; /* of the program, from 1; 0: it does not count */
};

/* The embedded table, in the arena.  Fails with INPUT. */
bool deviation_read(struct arena *a, const struct deviation_table **table,
                    struct status *st);
/* The same of another text of that form. */
bool deviation_parse(struct arena *a, const struct json *root,
                     const struct deviation_table **table, struct status *st);

/* Why no case of an operation can reject a deviation (with its target), at a
 * place or (NULL) anywhere; NULL if the table has no reason. */
const char *deviation_equivalent(const struct deviation_table *table,
                                 const struct spec_op *op, const char *name,
                                 const struct place *place);

/* All uses that may apply to a program: rewrites of operands and attributes to
 * the instructions of one operation (NULL: of all), everything else wherever it
 * fits.  Their number. */
int deviation_uses(struct arena *a, const struct deviation_table *table,
                   const struct program *p, const char *op,
                   struct deviation_use **list);
/* The use of that name in any program: fails with INPUT if there is no such
 * deviation, no operation has its target, or there is no such place, with the
 * nearest known name. */
bool deviation_find(struct arena *a, const struct deviation_table *table,
                    const char *name, struct deviation_use *use,
                    struct status *st);

/* Is an operation one of a row's: a name, or a list of them? */
bool deviation_names(const struct json *names, const char *op);
/* Does a formula replace this instruction of a computation? */
bool deviation_replaces(const struct deviation *d, const struct computation *c,
                        const struct instruction *in);

#endif
