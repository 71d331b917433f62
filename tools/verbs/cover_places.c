/* cover_places.c - see cover.h; tools/test/deviations.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "tools/verbs/cover.h"

/* Is a place of a row to be reported? */
static bool counts_at(const struct cover_row *r, uint64_t possible, int place)
{
    return cover_row_fate(r) == COVER_REJECTED && possible >> place & 1;
}

void cover_places_json(const struct place_table *table, uint64_t possible,
                       const struct cover_row *r)
{
    const char *comma = "";
    fputs(", \"places\": [", stdout);
    for (int i = 0; i < table->count; i++) {
        const struct cover_place *p = &r->places[i];
        if (!counts_at(r, possible, i))
            continue;
        printf("%s{\"place\": \"%s\", \"outcome\": \"%s\", \"cases\": "
               "%" PRId64 ", \"differing\": %" PRId64,
               comma, table->rows[i].id,
               cover_row_word(cover_row_place_fate(p)), p->cases, p->differs);
        if (p->first)
            printf(", \"first\": \"%s\"", p->first);
        putchar('}');
        comma = ", ";
    }
    putchar(']');
}

void cover_places_count(const struct place_table *table,
                        const uint64_t *possible, struct cover_row *const *rows,
                        int64_t counts[COVER_FATES])
{
    for (int op = 0; op < spec_op_count(); op++)
        for (const struct cover_row *r = rows[op]; r; r = r->next)
            for (int i = 0; i < table->count; i++)
                if (counts_at(r, possible[op], i))
                    counts[cover_row_place_fate(&r->places[i])]++;
}

static void print_counts(const struct place_table *table, int place,
                         const uint64_t *possible,
                         struct cover_row *const *rows)
{
    int64_t counts[COVER_FATES] = {0};
    for (int op = 0; op < spec_op_count(); op++)
        for (const struct cover_row *r = rows[op]; r; r = r->next)
            if (counts_at(r, possible[op], place))
                counts[cover_row_place_fate(&r->places[place])]++;
    printf("%-26s %8" PRId64 " %8" PRId64 " %9" PRId64 " %10" PRId64 "\n",
           table->rows[place].id, counts[COVER_REJECTED],
           counts[COVER_SURVIVES], counts[COVER_PERMITTED],
           counts[COVER_EQUIVALENT]);
}

void cover_places_text(const struct place_table *table,
                       const uint64_t *possible, struct cover_row *const *rows)
{
    printf("\n%-26s %8s %8s %9s %10s\n", "at a place", "rejected", "survives",
           "permitted", "equivalent");
    for (int i = 0; i < table->count; i++)
        print_counts(table, i, possible, rows);
    for (int op = 0; op < spec_op_count(); op++)
        for (const struct cover_row *r = rows[op]; r; r = r->next)
            for (int i = 0; i < table->count; i++)
                if (counts_at(r, possible[op], i)
                    && cover_row_place_fate(&r->places[i]) == COVER_SURVIVES)
                    printf("  %s %s@%s: survives, %" PRId64 " of %" PRId64
                           " cases differ\n",
                           spec_op_at(op)->name, r->name, table->rows[i].id,
                           r->places[i].differs, r->places[i].cases);
}
