/* html_class.c - how the verdicts of a cell are coloured, and what can be
 * hidden; see html.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: page.t, since.t.
 */
#include <string.h>

#include "report/html.h"

const char *html_class_same(const struct report *r, const char *op)
{
    for (int i = 0; r->change && i < r->change->ops.count; i++)
        if (strcmp(r->change->ops.list[i], op) == 0)
            return "";
    return r->change ? " same" : "";
}

const char *html_class_of(const struct report_cell *c)
{
    int64_t skip = 0, warn = 0, known = 0, right = 0;
    for (int i = 0; i < REPORT_STATUSES; i++) {
        const char *class = html_class(i);
        skip += *class == 's' ? c->counts[i] : 0;
        warn += *class == 'w' ? c->counts[i] : 0;
        known += *class == 'k' ? c->counts[i] : 0;
        right += report_statuses[i].tap == TAP_OK ? c->counts[i] : 0;
    }
    return c->failures            ? "bad"
           : skip == c->total     ? "skip"
           : known                ? "known"
           : right == c->rejected ? "reject"
           : warn                 ? "warn"
                                  : "ok";
}
