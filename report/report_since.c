/* report_since.c - what changed since an earlier run; see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * `assay diff` lists all of it; a report has the sums and the first cases.
 * Tests: since.t.
 */
#include "interp/base/text.h"
#include "report/format.h"
#include "report/report.h"

int report_since_sums(const struct report_change *c,
                      struct report_sum sums[REPORT_SUMS])
{
    const struct {
        int64_t n;
        const char *class, *one, *many;
    } all[] = {
#define GATE_SUM(member, key, class, one, many) {c->member, class, one, many},
#include "report/gate.def"
#undef GATE_SUM
    };
    int n = 0;
    for (int i = 0; i < REPORT_SUMS; i++)
        if (all[i].n && all[i].class)
            sums[n++] = (struct report_sum){
                all[i].n,
                all[i].many ? text_plural(all[i].n, all[i].one, all[i].many)
                            : all[i].one,
                all[i].class};
    return n;
}

static const char *label(const struct report *r, struct arena *a)
{
    return report_mask_shown(r, a, report_label_whole(a, &r->before->runs[0]));
}

/* "2 new failures, 1 fixed" */
static const char *sums_text(const struct report *r, struct arena *a)
{
    struct report_sum sums[REPORT_SUMS];
    int n = report_since_sums(r->change, sums);
    const char *text = n ? "" : "no case differs";
    for (int i = 0; i < n; i++)
        text = arena_printf(a, "%s%s%s %s", text, i ? ", " : "",
                            format_count(a, sums[i].n), sums[i].text);
    return text;
}

/* The first cases of each fate. */
static void write_cases(struct report *r, const char *begin,
                        void write(FILE *out, const char *text))
{
    for (int f = 0; f < GATE_COUNT; f++) {
        int64_t n = r->change->fate[f];
        for (int i = 0; i < n && i < REPORT_LISTED; i++) {
            const struct report_changed *c = &r->change->first[f][i];
            fprintf(r->out, "%s%s: ", begin, gate_word((enum gate_fate)f));
            write(r->out, c->name);
            fprintf(r->out, ", %s -> %s\n", c->before, c->after);
        }
        if (n > REPORT_LISTED)
            fprintf(r->out, "%s%s: %s more (assay diff)\n", begin,
                    gate_word((enum gate_fate)f),
                    format_count(&r->row, n - REPORT_LISTED));
    }
}

void report_since_text(struct report *r)
{
    struct arena *a = &r->row;
    if (!r->change)
        return;
    fputs("since ", r->out);
    format_plain(r->out, label(r, a));
    fprintf(r->out, ": %s\n", sums_text(r, a));
    write_cases(r, "  ", format_plain);
    putc('\n', r->out);
}

void report_since_markdown(struct report *r)
{
    struct arena *a = &r->row;
    if (!r->change)
        return;
    fputs("### Since ", r->out);
    format_markdown(r->out, label(r, a));
    fprintf(r->out, "\n\n%s.\n\n", sums_text(r, a));
    write_cases(r, "- ", format_markdown);
    putc('\n', r->out);
}

void report_since_json(struct report *r)
{
    if (!r->change)
        return;
    const struct report_run *run = &r->before->runs[0];
    fprintf(r->out,
            ",\n    \"since\": {\"run\": %lld, \"uuid\": ", (long long)run->id);
    format_json(r->out, run->uuid);
    format_json_member(r->out, ", ", "started", run->started);
    fputs(", \"changes\": ", r->out);
    report_diff_json(r->change, r->out);
    fputs("}", r->out);
}
