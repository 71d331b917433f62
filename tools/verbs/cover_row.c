/* cover_row.c - see cover.h; tools/test/deviations.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/cover.h"

enum cover_fate cover_row_fate(const struct cover_row *r)
{
    return r->rejected > 0               ? COVER_REJECTED
           : r->policy && r->differs > 0 ? COVER_PERMITTED
           : r->why                      ? COVER_EQUIVALENT
                                         : COVER_SURVIVES;
}

enum cover_fate cover_row_place_fate(const struct cover_place *p)
{
    return p->first       ? COVER_REJECTED
           : p->permitted ? COVER_PERMITTED
           : p->why       ? COVER_EQUIVALENT
                          : COVER_SURVIVES;
}

const char *cover_row_word(enum cover_fate fate)
{
    static const char *const words[COVER_FATES] = {"rejected", "survives",
                                                   "permitted", "equivalent"};
    return words[fate];
}
