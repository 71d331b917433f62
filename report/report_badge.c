/* report_badge.c - a small picture: how many cases of the run passed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/text.h"
#include "report/format.h"
#include "report/report.h"

enum {
    CHARACTER = 7, /* pixels, about, at 11 pixels Verdana */
    MARGIN = 12,
};

static void write_label(FILE *out, const char *text, int x)
{
    fprintf(out,
            "<text x=\"%d\" y=\"14\" fill=\"#fff\" text-anchor=\"middle\" "
            "font-family=\"Verdana,DejaVu Sans,sans-serif\" "
            "font-size=\"11\">",
            x);
    format_xml(out, text, 0);
    fputs("</text>\n", out);
}

/* A claim that one run may not make, all of them may not make. */
static const char *text_of(struct arena *a, enum claim claim,
                           const struct report_run *least, int64_t failures,
                           int64_t known, int64_t judged)
{
    const struct claim_facts facts = report_claim(least);
    const char *cases = arena_printf(a, "%s %s", format_count(a, judged),
                                     text_plural(judged, "case", "cases"));
    switch (claim) {
    case CLAIM_FAILED:
        return arena_printf(a, "%s of %s %s", format_count(a, failures), cases,
                            text_plural(failures, "fails", "fail"));
    case CLAIM_NOTHING:
        return "nothing was judged";
    case CLAIM_UNFINISHED:
        return arena_printf(a, "unfinished, %s judged", cases);
    case CLAIM_KNOWN:
        return arena_printf(a, "%s known %s in %s", format_count(a, known),
                            text_plural(known, "failure", "failures"), cases);
    case CLAIM_PARTIAL:
        return arena_printf(a, "no failure in %s (%.60s)", cases,
                            claim_lacks(a, &facts));
    case CLAIM_CONFORMS:
        break;
    }
    return arena_printf(a, "conforms, %s", cases);
}

/* Text of the database in the title of the picture. */
static void write_title(FILE *out, const char *text)
{
    fputs("<title>", out);
    format_xml(out, text, 0);
    fputs("</title>\n", out);
}

bool report_badge(struct report *r, struct status *st)
{
    struct arena *a = &r->row;
    const char *label = "XLA semantics", *title = "";
    const struct report_run *least = &r->runs[0];
    enum claim claim = CLAIM_CONFORMS;
    int64_t failures = 0, known = 0, judged = 0;
    report_mask(r);
    for (int i = 0; i < r->run_count; i++) {
        const struct report_run *run = &r->runs[i];
        const struct claim_facts facts = report_claim(run);
        enum claim its = claim_of(&facts);
        failures += facts.failures;
        known += facts.known;
        judged += facts.judged;
        if (its < claim) {
            claim = its;
            least = run;
        }
        struct report_summary sum;
        TRY(report_summary(r, run, &sum, st));
        title = arena_printf(a, "%s%s%s: %s; %s; %s", title, i > 0 ? "\n" : "",
                             run->backend, report_summary_line(a, &sum),
                             claim_line(a, &facts),
                             identity_line(a, &run->identity));
    }
    const char *text = text_of(a, claim, least, failures, known, judged);
    const char *fill = claim_colour(claim);
    int left = (int)strlen(label) * CHARACTER + MARGIN;
    int right = (int)strlen(text) * CHARACTER + MARGIN;
    fprintf(r->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"20\" role=\"img\" aria-label=\"",
            left + right);
    format_xml(r->out, arena_printf(a, "%s: %s", label, text), 0);
    fputs("\">\n", r->out);
    write_title(r->out, title);
    fprintf(r->out,
            "<rect width=\"%d\" height=\"20\" rx=\"3\" fill=\"#3b424a\"/>\n"
            "<path d=\"M%d 0h%da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%dz\" "
            "fill=\"%s\"/>\n",
            left + right, left, right - 3, right - 3, fill);
    write_label(r->out, label, left / 2);
    write_label(r->out, text, left + right / 2);
    fputs("</svg>\n", r->out);
    return true;
}
