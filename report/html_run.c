/* html_run.c - the first screen: what was judged, and how much of it is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Who decides reads no further: identity, claim, numbers, the largest causes,
 * and what changed.  All that is known of the run besides is folded.  Tests:
 * page.t.
 */
#include <sqlite3.h>
#include <string.h>

#include "interp/base/text.h"
#include "report/format.h"
#include "report/html.h"

enum {
    CAUSES = 5,
    NAMES = 4 /* operations of a cause */
};

/* ---- How much is right --------------------------------------------------- */

struct score {
    const char *what;
    int64_t all, supported, right, wrong, known, unknown;
};

static struct score score_cases(const struct report_run *run)
{
    struct score s = {.what = "Cases",
                      .all = run->planned,
                      .supported = run->judged,
                      .known = run->known};
    for (int i = 0; i < REPORT_STATUSES; i++)
        s.wrong += report_status_wrong(i) ? run->counts[i] : 0;
    s.right = s.supported - s.wrong;
    s.unknown = s.all - s.supported;
    return s;
}

static struct score score_operations(const struct report_summary *sum)
{
    struct score s = {.what = "Operations",
                      .all = sum->operations,
                      .supported = sum->supported,
                      .right = sum->right,
                      .wrong = sum->wrong,
                      .unknown = sum->unknown};
    for (int i = 0; i < sum->operations; i++)
        s.known += sum->rows[i].wrong > 0 && sum->rows[i].failures == 0;
    return s;
}

/* Widths are thousandths; what there is at all is seen. */
static const char *draw_bar(struct arena *a, const struct score *s)
{
    const struct {
        const char *class, *word;
        int64_t n;
    } parts[] = {{"ok", "right", s->right},
                 {"bad", "wrong", s->wrong - s->known},
                 {"known", "known to be wrong", s->known},
                 {"skip", "unknown", s->unknown}};
    const char *text = "", *rects = "";
    double from = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].n <= 0)
            continue;
        double width = 1000.0 * (double)parts[i].n / (double)s->all;
        width = width < 4 ? 4 : width;
        rects = arena_printf(a,
                             "%s<rect class=\"%s\" x=\"%.1f\" y=\"0\""
                             " width=\"%.1f\" height=\"10\"/>",
                             rects, parts[i].class, from, width);
        text = arena_printf(a, "%s%s%s %s", text, *text ? ", " : "",
                            format_count(a, parts[i].n), parts[i].word);
        from += width;
    }
    return arena_printf(a,
                        "<svg class=\"bar\" viewBox=\"0 0 %.1f 10\""
                        " preserveAspectRatio=\"none\" role=\"img\""
                        " aria-label=\"%s: %s\">%s</svg>",
                        from > 0 ? from : 1000, s->what, text, rects);
}

static void add_number(struct page *p, int64_t n, const char *class)
{
    page_open_as(p, PAGE_CELL, n ? class : "num");
    page_say(p, PAGE_STRONG, "%s", format_count(p->arena, n));
}

static void add_score(struct page *p, const struct score *s)
{
    struct arena *a = p->arena;
    page_open(p, PAGE_ROW);
    page_open(p, PAGE_NAME);
    page_say(p, PAGE_PLAIN, "%s", s->what);
    add_number(p, s->supported, "num");
    page_say(p, PAGE_SOFT, " of %s", format_count(a, s->all));
    add_number(p, s->right, "num ok");
    add_number(p, s->wrong, s->wrong == s->known ? "num known" : "num bad");
    if (s->known)
        page_say(p, PAGE_SOFT, " %s known", format_count(a, s->known));
    add_number(p, s->unknown, "num skip");
    page_open_as(p, PAGE_CELL, "wide-bar");
    if (s->all > 0)
        page_say(p, PAGE_PICTURE, "%s", draw_bar(a, s));
}

static void add_scores(struct page *p, const struct report_run *run,
                       const struct report_summary *sum)
{
    static const char *const titles[] = {
        "", "Supported", "Right", "Wrong", "Unknown", "", NULL};
    struct score ops = score_operations(sum), cases = score_cases(run);
    struct page_node *table = page_table(p, titles);
    table->class = "score";
    table->hint = "Supported, right, wrong, unknown";
    add_score(p, &ops);
    add_score(p, &cases);
    page_open_as(p, PAGE_LIST, "chips");
    for (int i = 0; i < REPORT_STATUSES; i++) {
        if (!run->counts[i])
            continue;
        struct page_node *n = page_open_as(
            p, PAGE_ITEM, arena_printf(p->arena, "chip %s", html_class(i)));
        n->hint = report_statuses[i].meaning;
        page_say(p, PAGE_PLAIN, "%s\xc2\xa0%s",
                 format_count(p->arena, run->counts[i]),
                 report_statuses[i].name);
    }
}

/* ---- Why, and what changed ----------------------------------------------- */

static void add_cause(struct page *p, const struct report_group *g)
{
    struct arena *a = p->arena;
    const char *text = report_group_text(a, g);
    page_open(p, PAGE_ITEM);
    page_say(p, PAGE_STRONG, "%s", format_count(a, g->cases));
    page_say(p, PAGE_PLAIN, " %s: ", text_plural(g->cases, "case", "cases"));
    page_say(p, PAGE_LITERAL, "%s", g->cause);
    if (text)
        page_say(p, PAGE_PLAIN, ": %s", text);
    for (int i = 0; i < g->ops.count && i < NAMES; i++)
        page_say(p, PAGE_SOFT, "%s%s", i ? ", " : " (", g->ops.list[i]);
    if (g->ops.count > NAMES)
        page_say(p, PAGE_SOFT, " and %d more", g->ops.count - NAMES);
    page_say(p, PAGE_SOFT, g->ops.count ? ")" : "");
}

static void add_causes(struct page *p, const struct report_group *list,
                       int count)
{
    if (count == 0)
        return;
    page_heading(p, 3, NULL, "Largest causes");
    page_open_as(p, PAGE_LIST, "top");
    for (int i = 0; i < count && i < CAUSES; i++)
        add_cause(p, &list[i]);
    page_open(p, PAGE_PARAGRAPH);
    page_link(p, "#causes",
              count > CAUSES ? arena_printf(p->arena, "All %d causes", count)
                             : "With the smallest case of each");
}

static void add_changed(struct report *r, struct page *p, enum gate_fate fate,
                        const struct report_changed *c)
{
    page_open_as(p, PAGE_ROW, NULL)->op =
        arena_printf(p->arena, "%.*s", (int)strcspn(c->name, "/"), c->name);
    page_cell(p, PAGE_PLAIN, gate_word(fate));
    page_open(p, PAGE_CELL);
    page_say(p, PAGE_LITERAL, "%s", c->name);
    page_cell(p, PAGE_PLAIN, c->before);
    page_cell(p, PAGE_PLAIN, c->after);
    /* It was read before the report began to mask. */
    const char *why = report_mask_shown(r, p->arena, c->why);
    page_cell(p, PAGE_PLAIN, why ? why : "");
}

/* The first cases of each fate, as `assay diff` lists them. */
static void add_changes(struct report *r, struct page *p)
{
    static const char *const titles[] = {"What",  "Case",  "Before",
                                         "After", "Cause", NULL};
    const struct report_change *c = r->change;
    int64_t all = 0;
    for (int f = 0; f < GATE_COUNT; f++)
        all += c->fate[f];
    if (all == 0)
        return;
    struct page_node *fold = page_open_as(p, PAGE_FOLD, NULL);
    fold->id = "changed";
    page_say(p, PAGE_PLAIN, "%s changed %s", format_count(p->arena, all),
             text_plural(all, "case", "cases"));
    struct page_node *table = page_table(p, titles);
    table->class = "wide full";
    table->hint = "Changed cases";
    for (int f = 0; f < GATE_COUNT; f++)
        for (int i = 0; i < c->fate[f] && i < REPORT_CHANGES; i++)
            add_changed(r, p, (enum gate_fate)f, &c->first[f][i]);
    for (int f = 0; f < GATE_COUNT; f++)
        if (c->fate[f] > REPORT_CHANGES) {
            page_open(p, PAGE_PARAGRAPH);
            page_say(p, PAGE_SOFT, "%s: %s more (assay diff).",
                     gate_word((enum gate_fate)f),
                     format_count(p->arena, c->fate[f] - REPORT_CHANGES));
        }
    page_close(p);
}

static void add_since(struct report *r, struct page *p)
{
    struct report_sum sums[REPORT_SUMS];
    struct arena *a = p->arena;
    const struct report_change *c = r->change;
    int n = report_since_sums(c, sums);
    const char *before =
        report_mask_shown(r, a, report_label_whole(a, &r->before->runs[0]));
    page_heading(p, 3, "since", arena_printf(a, "Since %s", before));
    if (n == 0)
        page_paragraph(p, PAGE_PLAIN, "No case differs.");
    else
        page_open_as(p, PAGE_LIST, "chips");
    for (int i = 0; i < n; i++) {
        page_open_as(p, PAGE_ITEM, arena_printf(a, "chip %s", sums[i].class));
        page_say(p, PAGE_PLAIN, "%s %s", format_count(a, sums[i].n),
                 sums[i].text);
    }
    const char *other = "";
    for (int m = 0; m < IDENTITY_COUNT; m++)
        if (c->identity[m])
            other = arena_printf(a, "%s%s%s", other, *other ? ", " : "",
                                 identity_label((enum identity_member)m));
    if (*other) {
        page_open(p, PAGE_PARAGRAPH);
        page_say(p, PAGE_SOFT, "Not the same: %s.", other);
    }
}

/* ---- The rest, folded ---------------------------------------------------- */

static bool add_properties(struct report *r, struct page *p,
                           const struct report_run *run, struct status *st)
{
    struct arena *a = p->arena;
    sqlite3_stmt *q = report_query(r, "properties", run->id, st);
    int rc;
    if (!q)
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW)
        page_fact(p, report_column(a, q, 0),
                  report_mask_shown(r, a, report_column(a, q, 1)));
    return report_ended(r, q, rc, "reading properties", st);
}

static bool add_more(struct report *r, struct page *p,
                     const struct report_run *run, struct status *st)
{
    struct arena *a = p->arena;
    page_open(p, PAGE_FOLD);
    page_say(p, PAGE_PLAIN, "More about this run");
    page_open(p, PAGE_FACTS);
    page_fact(p, "Run", arena_printf(a, "%lld", (long long)run->id));
    page_fact(p, "Identifier", run->uuid);
    page_fact(p, "Started", run->started);
    page_fact(p, "Finished", run->finished);
    page_fact(p, "State", run->state);
    page_fact(p, "Assay", run->suite_version);
    page_fact(p, "Seed", run->seed);
    page_fact(p, "Jobs", arena_printf(a, "%lld", (long long)run->jobs));
    page_fact(p, "Plan", run->plan_hash);
    page_fact(p, "Backend file", run->backend_path);
    page_fact(p, "Backend options", run->backend_options);
    TRY(add_properties(r, p, run, st));
    page_fact(p, "Host", run->host);
    page_fact(p, "Run again", run->command);
    page_close(p);
    page_open(p, PAGE_FOLD);
    page_say(p, PAGE_PLAIN, "Identity");
    page_open(p, PAGE_FACTS);
    /* Every member, whole; those of an older database are not all recorded. */
    for (int m = 0; m < IDENTITY_COUNT; m++)
        page_fact(p, identity_label((enum identity_member)m),
                  identity_value(&run->identity, (enum identity_member)m));
    page_close(p);
    return true;
}

/* ---- The card ------------------------------------------------------------ */

static void add_note(struct report *r, struct page *p,
                     const struct report_run *run)
{
    bool stopped = run->state && strcmp(run->state, "complete") != 0;
    if (!stopped && !run->note)
        return;
    page_open_as(p, PAGE_PARAGRAPH, stopped ? "note" : NULL);
    if (stopped)
        page_say(p, PAGE_STRONG, "Not finished: this run is incomplete. ");
    page_say(p, PAGE_PLAIN, "%s", run->note ? run->note : "");
}

/* Adds what was judged, in two lines. */
static bool add_identity(struct report *r, struct page *p,
                         const struct report_run *run, struct status *st)
{
    const char *remarks;
    TRY(report_remarks_text(r, run->id, &remarks, st));
    page_open_as(p, PAGE_PARAGRAPH, "soft identity");
    page_say(p, PAGE_PLAIN, "%s; %.10s%s%s",
             identity_line(p->arena, &run->identity),
             run->started ? run->started : "", run->shard ? "; shard " : "",
             run->shard ? run->shard : "");
    if (remarks) {
        page_open_as(p, PAGE_PARAGRAPH, "soft");
        page_say(p, PAGE_PLAIN, "Right with a remark: %s.", remarks);
    }
    return true;
}

static bool add_run(struct report *r, struct page *p,
                    const struct html_cells *all, int i, struct status *st)
{
    struct arena *a = p->arena;
    const struct report_run *run = &r->runs[i];
    const struct claim_facts facts = report_claim(run);
    bool bad = run->failures || run->judged == 0;
    bool conforms = claim_of(&facts) == CLAIM_CONFORMS;
    struct report_summary sum;
    const char *text = report_sentence(a, run);
    TRY(report_summary(r, run, &sum, st));
    page_open_as(p, PAGE_SECTION,
                 bad        ? "card run is-bad"
                 : conforms ? "card run is-ok"
                            : "card run is-part");
    page_heading(p, 2, NULL, run->backend);
    page_say(p, PAGE_SOFT, " %s",
             run->backend_version ? run->backend_version : "");
    page_open_as(p, PAGE_PARAGRAPH, "verdict");
    page_say(p, PAGE_PLAIN, "%s %s",
             bad        ? "\xe2\x9c\x97"
             : conforms ? "\xe2\x9c\x93"
                        : "\xe2\x97\x8b",
             format_sentence(p->arena, text));
    page_paragraph(p, PAGE_PLAIN, claim_line_as(a, &facts, format_count));
    TRY(add_identity(r, p, run, st));
    add_note(r, p, run);
    page_open_as(p, PAGE_SECTION, "halves");
    page_open(p, PAGE_SECTION);
    page_open_as(p, PAGE_PARAGRAPH, "operations");
    page_say(p, PAGE_PLAIN, "%s", report_summary_line(a, &sum));
    add_scores(p, run, &sum);
    if (r->change)
        add_since(r, p);
    page_close(p);
    page_open(p, PAGE_SECTION);
    add_causes(p, all->groups[i], all->group_counts[i]);
    page_close(p);
    page_close(p);
    if (r->change)
        add_changes(r, p);
    TRY(add_more(r, p, run, st));
    page_close(p);
    return true;
}

bool html_run(struct report *r, const struct html_cells *all, int run,
              struct status *st)
{
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    bool good = add_run(r, p, all, run, st);
    page_html_part(r->out, p);
    arena_free(&a);
    return good;
}
