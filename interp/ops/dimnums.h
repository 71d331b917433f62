/* dimnums.h - lists of dimension numbers: reading and checking.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_DIMNUMS_H
#define INTERP_OPS_DIMNUMS_H

#include "interp/program/infer.h"

/* Numbers of dimensions, or sizes, as an attribute has them; empty if it is
 * absent. */
struct dimnums {
    const char *name;
    int count;
    const int64_t *at;
};

struct dimnums dimnums_get(const struct instruction *in,
                           enum attribute_name name);

/* Is d one of them, and which? -1: no. */
int dimnums_find(const struct dimnums *n, int64_t d);

/* Fail with ATTRIBUTE unless all are from 0 to rank - 1 and distinct; and, if
 * rising, in increasing order. */
bool dimnums_check(const struct infer *in, const struct dimnums *n, int rank,
                   bool rising, struct status *st);
/* Fail with ATTRIBUTE unless there are that many. */
bool dimnums_count(const struct infer *in, const struct dimnums *n, int count,
                   struct status *st);
/* The batching dimensions of Gather and Scatter: of the array, and of its
 * indices; what else an array's dimensions may be; index_vector_dim. */
struct dimnums_batch {
    const struct dimnums *own, *index;
    const struct dimnums *dropped, *map;
    int64_t vector;
};
/* Fail with ATTRIBUTE unless each is one of both, rising in the array, and
 * nothing else; with SHAPE unless their sizes are equal. */
bool dimnums_check_batch(const struct infer *in, const struct dimnums_batch *b,
                         const struct shape *s, const struct shape *indices,
                         struct status *st);
/* Fail with UNSUPPORTED if an operand has a dynamic dimension, for an operation
 * of which neither the documents nor XLA say what that means. */
bool dimnums_static(const struct infer *in, struct status *st);

#endif
