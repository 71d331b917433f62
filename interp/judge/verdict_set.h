/* verdict_set.h - what is right for one unit of a result.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * From a goal and a profile to the acceptance set, for the comparator
 * (verdict.c) and for what it lists; `assay eval` shows the same sets.
 */
#ifndef INTERP_JUDGE_VERDICT_SET_H
#define INTERP_JUDGE_VERDICT_SET_H

#include "interp/judge/verdict.h"

/* What a profile says of the units of one array. */
struct verdict_set_basis {
    const struct accept_budget *budget;
    struct accept_rules rules;
    bool norm;      /* complex numbers as a whole */
    bool unsayable; /* a NaN that the type lacks may be anything */
};

struct verdict_set_basis verdict_set_basis(const struct profile *p,
                                           const struct goal *g);

/* The set of unit i by itself, under these rules. */
void verdict_set_of(struct accept_set *set, const struct verdict_set_basis *b,
                    const struct goal *g, int64_t i,
                    const struct accept_rules *rules);
/* Is unit i right as a part of its whole complex number? */
bool verdict_set_norm(const struct verdict_set_basis *b, const struct goal *g,
                      const struct literal *got, int64_t i);
/* All that is right for unit i beside the other part of got: by itself, and as
 * a part of the whole number. */
void verdict_set_whole(struct accept_set *set,
                       const struct verdict_set_basis *b, const struct goal *g,
                       const struct literal *got, int64_t i);
/* In words: "correctly rounded (arithmetic)". */
const char *verdict_set_words(struct arena *a,
                              const struct verdict_set_basis *b,
                              const struct goal *g);

static inline enum dtype verdict_set_unit(const struct goal *g)
{
    return dtype_unit(g->value->shape->dtype);
}

static inline bool verdict_set_is_nan(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, bits);
}

#endif
