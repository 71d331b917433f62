/* deviation_pair.h - a cause of one deviation, or of two.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two deviations are one cause if each gives some wrong units, leaves the
 * others as they should be, and all are given: "A + B".  So the result is A's
 * where A changes it, else B's.
 */
#ifndef INTERP_DEVIATION_DEVIATION_PAIR_H
#define INTERP_DEVIATION_DEVIATION_PAIR_H

#include "interp/deviation/deviation.h"

struct deviation_pair {
    int count; /* 1 or 2 */
    struct deviation_use uses[2];
};

/* The uses that a name of a cause lists; fails as deviation_find does. */
bool deviation_pair_find(struct arena *a, const struct deviation_table *table,
                         const char *name, struct deviation_pair *pair,
                         struct status *st);
/* Describes the two deviations in words. */
const char *deviation_pair_text(struct arena *a,
                                const struct deviation_pair *pair);

#endif
