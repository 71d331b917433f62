/* program.h - a program: computations of instructions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A case that names one operation is the program that applies it to its
 * parameters.  A program lives in the arena it was made in.
 */
#ifndef INTERP_PROGRAM_PROGRAM_H
#define INTERP_PROGRAM_PROGRAM_H

#include "interp/base/json.h"
#include "interp/base/limits.h"
#include "interp/base/literal.h"
#include "interp/specification/spec.h"

struct op;
struct computation;

struct attribute {
    enum attribute_name name;
    enum spec_form form;
    int count; /* of ints: SPEC_PAIRS has 2 for each pair */
    const int64_t *ints;
    int part_count; /* SPEC_GROUPS */
    const int64_t *parts;
    const char *string;
    enum dtype dtype;
    const struct shape *shape;
    const struct literal *literal;
    int computation_count;
    const struct computation **computations; /* entries: NULL until bound, if
                                                builtin */
    const char **builtins; /* names of built-in computations, else NULL */
};

struct instruction {
    const char *name;
    const struct op *op;
    int operand_count;
    const int *operands; /* numbers of earlier instructions */
    int attribute_count;
    struct attribute *attributes;
    const struct shape *shape; /* set by program_infer */
    const struct json *source; /* where it was read; may be NULL */
};

struct computation {
    const char *name;
    int count, room;
    struct instruction **instructions; /* operands come first */
    int root;
    int parameter_count;
    const int *parameters;      /* instruction of each */
    bool associative;           /* "algebra": "associative" */
    const char *builtin;        /* "add", ... or NULL */
    const struct shape *result; /* set by program_infer */
    unsigned feeds;             /* that it uses, likewise (sequence.h) */
    bool exact;                 /* no instruction of it rounds, likewise */
    bool visiting;              /* during program_infer: recursion is refused */
};

struct program {
    struct arena *arena;
    int computation_count, computation_room;
    struct computation **computations;
    struct computation *entry;
    /* By process, where programs differ; NULL: all run entry. */
    const struct computation **entries;
    int replicas, partitions; /* 1 unless a case says more */
    const struct limits *limits;
    int depth; /* of computations being inferred inside one another */
};

/* Build by hand (single operations, tests, backends).  program_add appends a
 * copy of the instruction, without its shape, and returns its number; the
 * arrays of operands and attributes are kept, not copied. */
struct program *program_new(struct arena *a, const struct limits *limits);
struct computation *program_computation(struct program *p, const char *name);
/* The computation that has the instruction; NULL: none of the program. */
const struct computation *program_home(const struct program *p,
                                       const struct instruction *in);
int program_add(struct program *p, struct computation *c,
                const struct instruction *like);
int program_parameter(struct program *p, struct computation *c, int number,
                      const struct shape *shape);

/* Infer every shape, check every constraint.  Fails with a class of the case
 * format, or UNSUPPORTED. */
bool program_infer(struct program *p, struct status *st);
/* The same for one computation of it; costs nothing when it is done. */
bool program_infer_computation(struct program *p, const struct computation *c,
                               struct status *st);

/* A scalar built-in ("add", "lt", ...) for that element type; NULL if there is
 * none of that name.  Made on first use, not yet inferred. */
struct computation *program_builtin(struct program *p, const char *name,
                                    enum dtype type);

bool program_is_builtin(const char *name);
/* For the end of a message about a name that is none (text_hint); to has
 * TEXT_HINT bytes. */
const char *program_builtin_hint(char *to, const char *name);

/* The one that program_builtin made of that name, or NULL. */
struct computation *program_builtin_made(const struct program *p,
                                         const char *name, enum dtype type);

/* The instruction that gives result k of n from parameters k and n + k alone,
 * two scalars of its type, where each result of a computation has one; else
 * NULL. */
const struct instruction *program_pair(const struct computation *c, int n,
                                       int k);
/* Is c the plain application of one commutative and associative operation to
 * its two scalar parameters (either order)?  Then that operation, else NULL. */
const struct op *program_monoid(const struct computation *c);

#endif
