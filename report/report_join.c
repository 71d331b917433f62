/* report_join.c - several runs, case by case; see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each is read in the order of its names and they are merged, so that neither
 * their number nor whether they are in one database matters.
 */
#include <sqlite3.h>
#include <string.h>

#include "report/report.h"

static void step(struct report_side *side, struct status *st)
{
    side->more = report_case_next(side->report, side->query, &side->now, st);
}

const struct report_case *report_join(struct report_side *sides, int count,
                                      struct status *st)
{
    const struct report_case *first = NULL;
    for (int i = 0; i < count && st->code == STATUS_OK; i++) {
        struct report_side *s = &sides[i];
        if (!s->query
            && !(s->query = report_query(s->report, "names", s->run->id, st)))
            return NULL;
        if (s->here || !s->begun)
            step(s, st);
        s->begun = true;
        if (s->more == 1 && (!first || strcmp(s->now.name, first->name) < 0))
            first = &s->now;
    }
    if (st->code != STATUS_OK)
        return NULL;
    for (int i = 0; i < count && first; i++)
        sides[i].here =
            sides[i].more == 1 && strcmp(sides[i].now.name, first->name) == 0;
    return first;
}

void report_join_end(struct report_side *sides, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_reset(sides[i].query);
}
