/* memo.h - values of real functions that were computed before.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is not right at once is evaluated again: with flushed operands, for each
 * choice that a profile permits, for each deviation that may be the cause. Most
 * operands are the same each time.  MPFR takes microseconds for a value, and a
 * value depends on nothing but the function, its operands and the precision, so
 * a machine may have a table of the latest ones.
 */
#ifndef INTERP_PROGRAM_MEMO_H
#define INTERP_PROGRAM_MEMO_H

#include "interp/base/dtype.h"
#include "interp/exact/real.h"

/* The key that decides a value: the precision follows from the type. */
struct memo_key {
    const void *function; /* any address that stands for it */
    uint64_t x[2];        /* the operands' patterns; of one operand 0 behind */
    enum dtype type;      /* theirs */
};

struct memo_value {
    struct real y;
    bool exact; /* nothing was cut off */
};

/* A table of fixed size, in which a value takes the place of an older one.
 * Zero-initialise.  Not for several threads at a time. */
struct memo {
    struct memo_table *table; /* NULL: none yet, or there is no memory */
    bool tried;
};

/* The value of the key, or NULL.  Valid until memo_put. */
const struct memo_value *memo_find(struct memo *m, const struct memo_key *key);
/* Remember a value.  Without memory it does nothing. */
void memo_put(struct memo *m, const struct memo_key *key,
              const struct memo_value *value);
void memo_free(struct memo *m);

#endif
