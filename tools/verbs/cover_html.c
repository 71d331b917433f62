/* cover_html.c - see cover_html.h; tools/test/deviations.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A matrix of deviations against operations, whose cells lead to a table for
 * each operation with the first case of each deviation.
 */
#include "tools/verbs/cover_html.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/doc/page.h"
#include "report/format.h"

/* Marks and classes by fate: the worst of a deviation's places is shown. */
static const struct {
    const char *mark, *class;
    int rank;
} looks[COVER_FATES] = {
    [COVER_REJECTED] = {"\xe2\x9c\x93", "ok", 1},
    [COVER_SURVIVES] = {"\xe2\x9c\x97", "bad", 4},
    [COVER_PERMITTED] = {"p", "warn", 3},
    [COVER_EQUIVALENT] = {"=", "known", 2},
};

static void print_text(const char *text)
{
    format_xml(stdout, text, 0);
}

/* The row of that deviation whose fate counts most; NULL if there is none. */
static const struct cover_row *find_worst(const struct cover_row *r,
                                          const struct deviation *d)
{
    const struct cover_row *worst = NULL;
    for (; r; r = r->next)
        if (r->what == d && r->cases > 0
            && (!worst
                || looks[cover_row_fate(r)].rank
                       > looks[cover_row_fate(worst)].rank))
            worst = r;
    return worst;
}

static bool occurs(struct cover_row *const *rows, const struct deviation *d)
{
    for (int i = 0; i < spec_op_count(); i++)
        if (find_worst(rows[i], d))
            return true;
    return false;
}

static void print_cell(const char *op, const struct cover_row *r)
{
    if (!r) {
        fputs("<td></td>", stdout);
        return;
    }
    enum cover_fate fate = cover_row_fate(r);
    printf("<td title=\"%s ", op);
    print_text(r->name);
    printf(": %s", cover_row_word(fate));
    if (fate == COVER_REJECTED)
        printf(" by %" PRId64, r->rejected);
    printf("\"><a class=\"%s\" href=\"#%s\">%s</a></td>", looks[fate].class, op,
           looks[fate].mark);
}

static void print_matrix(const struct deviation_table *table,
                         struct cover_row *const *rows)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Deviations and operations\">"
          "<table class=\"matrix\"><thead><tr><th scope=\"col\">deviation</th>",
          stdout);
    for (int i = 0; i < spec_op_count(); i++)
        if (rows[i])
            printf("<th scope=\"col\"><span>%s</span></th>",
                   spec_op_at(i)->name);
    fputs("</tr></thead>\n", stdout);
    for (int k = 0; k < table->count; k++) {
        const struct deviation *d = &table->rows[k];
        if (!occurs(rows, d))
            continue;
        fputs("<tr><th scope=\"row\" title=\"", stdout);
        print_text(d->text);
        fputs("\">", stdout);
        print_text(d->id);
        fputs("</th>", stdout);
        for (int i = 0; i < spec_op_count(); i++)
            if (rows[i])
                print_cell(spec_op_at(i)->name, find_worst(rows[i], d));
        fputs("</tr>\n", stdout);
    }
    fputs("</table></div>\n", stdout);
}

/* A case's name; its file is what comes before the last slash that is not
 * behind an "@". */
static void print_case(const char *name, const char *folder)
{
    size_t n = strcspn(name, "@");
    while (n > 0 && name[n] != '/')
        n--;
    if (folder && n > 0) {
        fputs("<a href=\"file://", stdout);
        print_text(folder);
        putchar('/');
        for (size_t i = 0; i < n; i++)
            putchar(name[i]);
        fputs(".json\">", stdout);
    }
    print_text(name);
    if (folder && n > 0)
        fputs("</a>", stdout);
}

static void print_row(const struct cover_row *r, const char *folder)
{
    enum cover_fate fate = cover_row_fate(r);
    fputs("<tr><td>", stdout);
    print_text(r->name);
    printf("</td><td><span class=\"chip %s\">%s", looks[fate].class,
           cover_row_word(fate));
    if (fate == COVER_REJECTED)
        printf(" by %" PRId64, r->rejected);
    fputs("</span></td><td>", stdout);
    if (r->first || r->other)
        print_case(r->first ? r->first : r->other, folder);
    fputs("</td><td class=\"words\">", stdout);
    if (fate == COVER_PERMITTED)
        print_text(r->policy);
    if (fate == COVER_EQUIVALENT)
        print_text(r->why);
    fputs("</td></tr>\n", stdout);
}

static void print_operation(const char *op, const struct cover_row *r,
                            const char *folder)
{
    printf("<h2 id=\"%s\">%s</h2>\n<div class=\"scroll\" tabindex=\"0\" "
           "role=\"region\" aria-label=\"%s\"><table>\n",
           op, op, op);
    for (; r; r = r->next)
        if (r->cases > 0)
            print_row(r, folder);
    fputs("</table></div>\n", stdout);
}

void cover_html(const struct deviation_table *table,
                struct cover_row *const *rows,
                const int64_t counts[COVER_FATES], const char *folder)
{
    page_html_begin(stdout, "Deviations",
                    "Which wrong backends would be caught?", NULL);
    fputs("<p>", stdout);
    for (int f = 0; f < COVER_FATES; f++)
        printf("<span class=\"chip %s\">%s %s</span> %" PRId64 "%s",
               looks[f].class, looks[f].mark, cover_row_word(f), counts[f],
               f + 1 < COVER_FATES ? "; " : "</p>\n");
    print_matrix(table, rows);
    for (int i = 0; i < spec_op_count(); i++)
        if (rows[i])
            print_operation(spec_op_at(i)->name, rows[i], folder);
    page_html_end(stdout, "from the cases and the deviations.", NULL);
}
