/* profile_domain.h - the operands that a budget is for: an entry's "if".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_SPECIFICATION_PROFILE_DOMAIN_H
#define INTERP_SPECIFICATION_PROFILE_DOMAIN_H

#include "interp/specification/profile.h"

/* The ends are decimals as the file has them, so that none is rounded. */
struct profile_domain {
    int operand;
    bool absolute;            /* of |x|, else of x */
    const char *from, *below; /* NULL: no such end */
};

/* The member "if" of a budget of that class. */
bool profile_domain_read(struct arena *a, const struct json *node,
                         const char *class, struct profile_domain *domain,
                         struct status *st);
/* "|lhs| < 2", "1 <= x < 2", where that is what the operand is called. */
const char *profile_domain_text(struct arena *a,
                                const struct profile_domain *domain,
                                const char *operand);
/* Is the element in it?  A NaN is in none; a complex number only by its
 * modulus, for it has no order. */
bool profile_domain_has(const struct profile_domain *domain,
                        const struct profile_element *element);

#endif
