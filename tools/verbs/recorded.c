/* recorded.c - see recorded.h.  Tests: pack.t, shard.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/recorded.h"

#include <string.h>

#include "runner/run_identity.h"

bool recorded_profile(struct arena *a, const struct recorded *from,
                      const struct report_run *run,
                      const struct profile **profile, struct status *st)
{
    const char *name = from->profile ? from->profile : run->profile;
    const char *what = run->profile_json ? run->profile_json : "";
    TRY(profile_load(a, name, profile, st));
    return strcmp(run_info_profile(a, *profile), what) == 0
           || FAIL(st, INPUT, "profile '%.60s' is not the one of the run%s",
                   name, from->profile ? "" : ": name that with --profile");
}

bool recorded_plan(struct arena *a, const struct recorded *from,
                   const struct report_run *run, const struct profile *profile,
                   struct plan *plan, struct status *st)
{
    enum {
        FORMS = 4096
    };
    const char *tier = run->identity.value[IDENTITY_TIER];
    const char *suite = run->identity.value[IDENTITY_SUITE];
    const char *forms = run->identity.value[IDENTITY_FORMS];
    const char **globs = arena_new(a, const char *, FORMS);
    struct plan_options o = {.cases = from->cases,
                             .names = from->names,
                             .forms = globs,
                             .tier = tier && *tier ? tier : NULL,
                             .profile = profile_name(profile)};
    char *rest = arena_text(a, forms ? forms : "");
    for (char *end; *rest && o.form_count < FORMS; rest = end) {
        end = rest + strcspn(rest, " ");
        if (*end)
            *end++ = '\0';
        globs[o.form_count++] = rest;
    }
    TRY(plan_make(a, &o, &from->limits, plan, st));
    return (suite && strcmp(suite, plan->suite) == 0)
           || FAIL(st, INPUT,
                   "made with the suite %.12s; this one is %.12s (--cases "
                   "names another)",
                   suite ? suite : "unknown", plan->suite);
}
