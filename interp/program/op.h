/* op.h - what one operation is to the interpreter.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * interp/ops/NAME.c defines op_NAME and no other external name.  The
 * table of all of them, op_table.h, is made from the files of spec/ops/.
 *
 * An operation says which shapes and types are legal and what the result's
 * shape is (infer), and the exact result with the shape of its error (eval,
 * into goals).  It never compares, prints, or knows a backend.
 */
#ifndef INTERP_PROGRAM_OP_H
#define INTERP_PROGRAM_OP_H

#include "interp/base/limits.h"
#include "interp/base/literal.h"
#include "interp/goal/goal.h"
#include "interp/program/program.h"
#include "interp/specification/profile.h"

struct channels;
struct custom_lookup;
struct elementwise;
struct enclosure;
struct evaluate_frame;
struct monoid;
struct outcome;
struct stablehlo_form;
struct uses;

/* One inference.  Before infer is called, the number of operands, the element
 * types that spec/ops allows and the presence and form of all attributes have
 * been checked. */
struct infer {
    struct arena *arena;
    struct program *program;
    const struct op *op;
    struct instruction *in; /* may bind built-in computations */
    int count;
    const struct shape *const *operands;
    const struct shape *result; /* to set */
};

/* Do operations that compare or compute treat a subnormal operand as zero, as
 * hardware does that reads denormals as zeros?  Data that only move keep their
 * bits. */
enum machine_flush {
    MACHINE_KEEP,
    MACHINE_FLUSH,         /* to a zero of its sign */
    MACHINE_FLUSH_POSITIVE /* to +0 */
};

struct eval;
struct instruction;
struct machine_follower;

/* A way of evaluating other than the exact one (interp/deviation): what an
 * instruction gets as an operand, what becomes of its outcome (which has exact
 * values), and where a window of an operand starts.  Each may be NULL. */
struct machine_environment {
    const void *context;
    const struct literal *(*take)(const void *context, struct arena *a,
                                  const struct instruction *in,
                                  const struct literal *operand);
    void (*give)(const void *context, struct eval *ev);
    bool patterns; /* give looks at patterns alone, not at exact values */
    /* type: of the index; starts from 0 to most fit.  Gives one that fits. */
    int64_t (*start)(const void *context, enum dtype type, int64_t index,
                     int64_t most, int64_t size);
    bool running; /* sums are rounded to this type after each term */
    enum dtype accumulator;
    bool ties_last; /* of equal elements the last comes first */
};

/* Where an item of the outfeed comes from, and what it may be: a goal for each
 * array or token of it. */
struct machine_fed {
    const struct instruction *from;
    struct goal **goals;
};

/* An instruction that is being run, and the one that called its computation
 * (NULL in the entry). */
struct machine_call {
    const struct instruction *in;
    const struct machine_call *caller;
};

/* The state and the limits of a run of the interpreter.  A replica's number is
 * replica * partitions + partition where the program has partitions, and
 * replicas counts them all. */
struct machine {
    const struct program *program;
    const struct profile *profile;
    const struct limits *limits;
    bool want_exact; /* goals of the entry's result shall hold exact values */
    enum machine_flush flush; /* of types whose operands a profile lets flush */
    enum machine_flush sources; /* the same for values of Infeed and Constant */
    struct uses *uses; /* in place of flush: each use alone (uses.h); or NULL */
    const struct machine_environment *environment; /* NULL: evaluate exactly */
    int replicas;
    int64_t steps; /* instructions run so far */
    struct literal **
        *infeed; /* [replica][i], infeed_count[replica]; NULL: none */
    int *infeed_count, *infeed_next;
    struct literal ***outfeed; /* what Outfeed wrote, per replica */
    struct machine_fed **fed;  /* of each item; goals only with want_exact */
    int *outfeed_count, *outfeed_room, *fed_room;
    struct arena *feeds;       /* of what Outfeed wrote */
    struct channels *channels; /* Send and Recv in flight (channel.h) */
    const struct custom_lookup *custom_calls; /* interp/ops/custom.h */
    struct memo *memo;                        /* of values (memo.h); or NULL */
    const struct machine_follower *follower;  /* only of one replica; or NULL */
    int64_t bytes;                            /* of live results, by shape */
    struct evaluate_frame *scratch;           /* private to evaluate.c */
    int depth;                                /* of computations being run */
    const struct machine_call *call;          /* what is being run, innermost */
    const struct instruction *failed;         /* after a failure: what failed */
};

/* The result of an instruction: the value, and a goal for each array or token
 * of it (tokens: NULL), depth first. */
struct outcome {
    struct literal *value;
    int count;
    struct goal **goals;
};

/* One evaluation of one instruction in one replica. */
struct eval {
    struct arena *arena;
    struct machine *machine;
    const struct instruction *in;
    int replica;
    int count;
    const struct literal *const *operands;
    /* The same with their goals, for operations that pass values on; goals is
     * NULL for a value that is exact (eval_goals makes them). */
    const struct outcome *const *outcomes;
    /* In op.ranges: operand k lies between low[k] and high[k], one array where
     * it is exact; else NULL. */
    struct literal *const *low, *const *high;
    bool want_exact;
    /* Not NULL: only walk over the terms of sums, and of other reductions to
     * one array; what is computed means nothing. */
    const struct eval_terms *terms;
    struct outcome out; /* to set: eval_return (eval.h) */
    bool spreads;       /* to set: its uses may be flushed (uses_spread) */
};

/* The terms of an element of the result, and then its end, for one element
 * after the other: element i of operand 0, times element j of operand 1 in a
 * contraction.  i is -1 where the initial value pads a window. */
struct eval_terms {
    void *context;
    void (*term)(void *context, int64_t i, int64_t j);
    void (*end)(void *context, int64_t element);
};

/* Who is told of each instruction that computes, in the order in which they are
 * run: those of loops again and again, those of called computations, too, but
 * not those that an operation applies to elements. */
struct machine_follower {
    void *context;
    const struct arena *arena; /* in which such evaluations are kept */
    /* local is what the instruction gives for the values of its operands,
     * ev->out what it may give for all that they may be, which the follower may
     * narrow. */
    void (*made)(void *context, const struct eval *ev,
                 const struct outcome *local);
    /* The instruction was refused as inadmissible: narrow what its operands may
     * be.  False if nothing has changed. */
    bool (*refused)(void *context, const struct eval *ev);
};

enum op_monotone {
    OP_FALLING = -1,
    OP_NEITHER = 0, /* needs to know the operand exactly */
    OP_RISING = 1,  /* moving an element without a change is rising too */
    OP_EITHER = 2,  /* rising or falling, as the other operands decide: Mul */
    OP_STEPS = 3,   /* rising by steps: a discrete decision */
    OP_VALLEY = 4,  /* falling below zero, rising above it */
    OP_NONZERO = 5, /* rising or falling on either side of zero, which must not
                       lie between the ends: a divisor */
};

/* Resources of which there is one for each process. */
enum op_feed {
    OP_INFEED = 1,
    OP_OUTFEED = 2
};

/* Operations that every program needs, or that other operations look for in a
 * computation. */
enum op_role {
    OP_ROLE_NONE,
    OP_ROLE_PARAMETER,
    OP_ROLE_CONSTANT,
    OP_ROLE_TUPLE,
    OP_ROLE_ELEMENT,
    OP_ROLE_SELECT,
};

/* A comparison is the set of what it holds for, and how it takes floats: by
 * IEEE 754's relations (of a NaN, only "less or greater" holds), or in the
 * total order of patterns.  0: it is not a comparison. */
enum op_compare {
    OP_COMPARE_LESS = 1,
    OP_COMPARE_EQUAL = 2,
    OP_COMPARE_GREATER = 4,
    OP_COMPARE_TOTAL = 8
};

struct op {
    const char *name;
    enum op_role role;
    bool (*infer)(struct infer *in, struct status *st);
    /* Either: one replica at a time, */
    bool (*eval)(struct eval *ev, struct status *st);
    /* or all replicas that arrived, in lock step (collectives, control). */
    bool (*eval_group)(struct eval *evs, int count, struct status *st);
    const struct elementwise *elementwise; /* interp/ops/elementwise.h */
    /* The slope of an element-wise function without a row (interp/ops/slope.c).
     */
    bool (*slope)(const struct enclosure *x, struct enclosure *d);
    /* How the result depends on each operand (enum op_monotone; the last
     * entry holds for later operands too), for programs of several inexact
     * instructions.  monotone_of, if there, decides instead. */
    signed char monotone[3];
    int (*monotone_of)(const struct instruction *in, int operand);
    /* Evaluate operands between ev->low and ev->high whose monotone is NEITHER
     * (eval itself, if the result rises with others).  Fails as UNSUPPORTED,
     * "inadmissible: ...", where a decision depends on their values. */
    bool (*ranges)(struct eval *ev, struct status *st);
    /* Does it read that element of operand k?  Others may be anything.  NULL:
     * it reads all. */
    bool (*reads)(const struct eval *ev, int k, int64_t element);
    /* It passes on values with their goals, or runs computations on them, and
     * so looks at ev->outcomes itself. */
    bool passes;
    /* All its uses are such as uses_spread flushes, or it has none of its own;
     * false: not known. */
    bool spreads;
    unsigned compare; /* enum op_compare */
    /* Applied to two scalars it is the same in every order, except for rounding
     * (interp/ops/monoid.h); NULL: it is not. */
    const struct monoid *monoid;
    /* It is that monoid's operation on the first scalar and the negative of the
     * second one (Sub); or NULL. */
    const struct monoid *monoid_of_negative;
    /* Name of the built-in computation that applies it to two scalars of one
     * type ("add"), or NULL. */
    const char *builtin;
    /* How its StableHLO text differs from the plain form
     * (interp/stablehlo/stablehlo_form.h); NULL: not at all. */
    const struct stablehlo_form *stablehlo;
    /* The operation that its context belongs to: of Send, SendDone. */
    const struct op *done;
    /* It reads or writes that feed: all that do in one computation are in a
     * total order (sequence.h). */
    enum op_feed feed;
    bool draws; /* other numbers in each execution */
};

#endif
