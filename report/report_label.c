/* report_label.c - what to call each of several runs; see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two runs of one backend differ in what was built, and when.  Tests:
 * compare.t.
 */
#include <string.h>

#include "report/report.h"

static bool same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* ", build f1eb27fe, 2026-05-04 03:02" */
static const char *build(struct arena *a, const struct report_run *run)
{
    const char *digest = run->identity.value[IDENTITY_FILE];
    const char *text = "";
    if (digest && *digest)
        text = arena_printf(a, ", build %.8s", digest);
    if (run->started)
        text = arena_printf(a, "%s, %.10s%s%.5s", text, run->started,
                            strlen(run->started) > 16 ? " " : "",
                            strlen(run->started) > 16 ? run->started + 11 : "");
    return text;
}

static const char *name(struct arena *a, const struct report_run *run)
{
    const char *version = run->backend_version ? run->backend_version : "";
    return arena_printf(a, "%s%s%s", run->backend, *version ? " " : "",
                        version);
}

const char *report_label_whole(struct arena *a, const struct report_run *run)
{
    return arena_printf(a, "%s%s, run %lld", name(a, run), build(a, run),
                        (long long)run->id);
}

void report_label(struct arena *a, const struct report_run *const *runs,
                  int count, const char **labels)
{
    for (int i = 0; i < count; i++) {
        const char *its = build(a, runs[i]);
        bool several = false, equal = false;
        for (int k = 0; k < count; k++) {
            if (k == i || !same(runs[k]->backend, runs[i]->backend))
                continue;
            several = true;
            equal |= same(runs[k]->backend_version, runs[i]->backend_version)
                     && same(build(a, runs[k]), its);
        }
        labels[i] =
            arena_printf(a, "%s%s", name(a, runs[i]), several ? its : "");
        if (equal)
            labels[i] = arena_printf(a, "%s, run %lld", labels[i],
                                     (long long)runs[i]->id);
    }
}
