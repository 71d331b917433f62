/* report_badge.c - a small picture: how many cases of the run passed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

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

bool report_badge(struct report *r, struct status *st)
{
    (void)st;
    int64_t failures = 0, judged = 0;
    for (int i = 0; i < r->run_count; i++) {
        failures += r->runs[i].failures;
        judged += r->runs[i].judged;
    }
    struct arena *a = &r->row;
    const char *label = "XLA semantics", *text = "nothing was judged";
    const char *fill = "#57606a";
    if (judged || failures) {
        text = failures ? arena_printf(a, "%s of %s cases fail",
                                       format_count(a, failures),
                                       format_count(a, judged))
                        : arena_printf(a, "%s cases, no failure",
                                       format_count(a, judged));
        fill = failures ? "#b3261e" : "#1a7f37";
    }
    int left = (int)strlen(label) * CHARACTER + MARGIN;
    int right = (int)strlen(text) * CHARACTER + MARGIN;
    fprintf(r->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"20\" role=\"img\" aria-label=\"%s: %s\">\n"
            "<title>%s: %s</title>\n"
            "<rect width=\"%d\" height=\"20\" rx=\"3\" fill=\"#3b424a\"/>\n"
            "<path d=\"M%d 0h%da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%dz\" "
            "fill=\"%s\"/>\n",
            left + right, label, text, label, text, left + right, left,
            right - 3, right - 3, fill);
    write_label(r->out, label, left / 2);
    write_label(r->out, text, left + right / 2);
    fputs("</svg>\n", r->out);
    return true;
}
