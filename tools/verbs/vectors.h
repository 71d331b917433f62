/* vectors.h - cases with their exact results and accepted intervals, for those
 * who cannot run Assay.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_VECTORS_H
#define TOOLS_VECTORS_H

#include <stdio.h>

#include "interp/case/case.h"
#include "interp/specification/profile.h"

/* Flags beside the interval of a unit (spec/vectors.md). */
enum vectors_flag {
    VECTORS_ANY = 1,       /* every pattern is accepted, or too many kinds */
    VECTORS_NAN = 2,       /* every NaN is accepted */
    VECTORS_PLUS = 4,      /* +0 is, too */
    VECTORS_MINUS = 8,     /* -0 is, too */
    VECTORS_TIE = 16,      /* the exact value is halfway between two numbers */
    VECTORS_OVERFLOW = 32, /* it is finite, and beyond the type */
    VECTORS_ZERO = 64,     /* the result is a zero, whose sign counts */
    VECTORS_SUBNORMAL = 128
};

/* Why a case is left out. */
#define VECTORS_LEFT(X) \
    X(REJECTED, "invalid programs") \
    X(PROGRAM, "programs and several processes, channels, feeds") \
    X(DYNAMIC, "dynamic sizes, tokens, tuples as operands") \
    X(WHOLE, "judged as a whole, by a predicate or a norm") \
    X(LARGE, "arrays above the limit of a case") \
    X(LIMIT, "beyond a limit of the reference")

enum vectors_left {
#define LEFT(name, text) VECTORS_##name,
    VECTORS_LEFT(LEFT)
#undef LEFT
    VECTORS_LEFT_COUNT
};
extern const char *const vectors_left_texts[VECTORS_LEFT_COUNT];

struct vectors {
    FILE *lines, *arrays;
    const struct limits *limits;
    const struct profile *profile;
    int64_t case_bytes; /* of the arrays of a case, at most */
    /* Counts of what was written: */
    int64_t at; /* bytes of arrays */
    int64_t cases, units, open, left[VECTORS_LEFT_COUNT];
};

/* Write a case, or count why it is left out.  Fails with INPUT for a case that
 * is none. */
bool vectors_add(struct vectors *v, struct arena *a,
                 const struct case_stub *stub, struct status *st);

#endif
