/* cover_html.c - see cover_html.h; tools/test/deviations.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A matrix of deviations against operations, whose cells lead to a table for
 * each operation with the first case of each deviation.
 */
#include "tools/cover_html.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/format.h"

/* Marks and classes by fate: the worst of a deviation's places is shown. */
static const struct {
    const char *mark, *class;
    int rank;
} looks[COVER_FATES] = {
    [COVER_REJECTED] = {"\xe2\x9c\x93", "r", 1},
    [COVER_SURVIVES] = {"\xe2\x9c\x97", "s", 4},
    [COVER_PERMITTED] = {"p", "p", 3},
    [COVER_EQUIVALENT] = {"=", "e", 2},
    [COVER_NO_DIFFERENCE] = {"\xc2\xb7", "n", 0},
};

static const char style[] =
    "body{font:14px/1.5 system-ui,sans-serif;margin:1rem 2rem;color:#222}"
    ".wide{overflow:auto;max-height:80vh;border:1px solid #ccc}"
    "table{border-collapse:collapse}"
    ".matrix th,.matrix td{padding:0 3px;text-align:center;font-size:12px}"
    ".matrix th:first-child{position:sticky;left:0;background:#fff;"
    "text-align:left;z-index:1}"
    ".matrix thead th{position:sticky;top:0;background:#fff;z-index:2;"
    "writing-mode:vertical-rl;transform:rotate(180deg);font-weight:normal}"
    ".matrix thead th:first-child{writing-mode:initial;transform:none;"
    "z-index:3}"
    ".matrix a{display:block;text-decoration:none;color:inherit}"
    ".r{background:#d9f0d9}.s{background:#f3b0b0}.p{background:#fbe7b2}"
    ".e{background:#dde6f3}.n{color:#aaa}"
    ".list td{padding:1px 8px;border-top:1px solid #ddd}\n";

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
    printf("<td class=\"%s\" title=\"%s ", looks[fate].class, op);
    print_text(r->name);
    printf(": %s", cover_row_word(fate));
    if (fate == COVER_REJECTED)
        printf(" by %" PRId64, r->rejected);
    printf("\"><a href=\"#%s\">%s</a></td>", op, looks[fate].mark);
}

static void print_matrix(const struct deviation_table *table,
                         struct cover_row *const *rows)
{
    fputs("<div class=\"wide\"><table class=\"matrix\"><thead><tr>"
          "<th>deviation</th>",
          stdout);
    for (int i = 0; i < spec_op_count(); i++)
        if (rows[i])
            printf("<th>%s</th>", spec_op_at(i)->name);
    fputs("</tr></thead>\n", stdout);
    for (int k = 0; k < table->count; k++) {
        const struct deviation *d = &table->rows[k];
        if (!occurs(rows, d))
            continue;
        fputs("<tr><th title=\"", stdout);
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
    printf("</td><td class=\"%s\">%s", looks[fate].class, cover_row_word(fate));
    if (fate == COVER_REJECTED)
        printf(" by %" PRId64, r->rejected);
    fputs("</td><td>", stdout);
    if (r->first || r->other)
        print_case(r->first ? r->first : r->other, folder);
    fputs("</td><td>", stdout);
    if (fate == COVER_PERMITTED)
        print_text(r->policy);
    if (fate == COVER_EQUIVALENT)
        print_text(r->why);
    fputs("</td></tr>\n", stdout);
}

static void print_operation(const char *op, const struct cover_row *r,
                            const char *folder)
{
    printf("<h2 id=\"%s\">%s</h2>\n<table class=\"list\">\n", op, op);
    for (; r; r = r->next)
        if (r->cases > 0)
            print_row(r, folder);
    fputs("</table>\n", stdout);
}

void cover_html(const struct deviation_table *table,
                struct cover_row *const *rows,
                const int64_t counts[COVER_FATES], const char *folder)
{
    format_html_head(stdout);
    fputs("Deviations", stdout);
    format_html_body(stdout, style);
    fputs("<h1>Which wrong backends would be caught?</h1>\n<p>", stdout);
    for (int f = 0; f < COVER_FATES; f++)
        printf("<span class=\"%s\">%s %s</span>: %" PRId64 "%s", looks[f].class,
               looks[f].mark, cover_row_word(f), counts[f],
               f + 1 < COVER_FATES ? "; " : "</p>\n");
    print_matrix(table, rows);
    for (int i = 0; i < spec_op_count(); i++)
        if (rows[i])
            print_operation(spec_op_at(i)->name, rows[i], folder);
    fputs("</body>\n</html>\n", stdout);
}
