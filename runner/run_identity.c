/* run_identity.c - see run_identity.h.  Tests: identity.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/run_identity.h"

#include <inttypes.h>
#include <string.h>

#include "runner/plugin/plugin.h"

bool run_identity_backend(struct arena *a, const char *path,
                          const char *options, const char **digests,
                          struct status *st)
{
    const struct plugin_subject s = plugin_subject(a, path, options);
    *digests = "";
    for (int i = 0; i < s.count; i++) {
        char hex[DIGEST_TEXT];
        TRY(digest_file(s.files[i], hex, st));
        *digests = arena_printf(a, "%s%s%s", *digests, i > 0 ? " " : "", hex);
    }
    return true;
}

/* A shipped profile has its name; a file might have the same one. */
static const char *profile_of(struct arena *a, const char *given)
{
    const char *const *shipped = profile_names(a);
    for (; *shipped; shipped++)
        if (strcmp(*shipped, given) == 0)
            return *shipped;
    const char *slash = strrchr(given, '/');
    return arena_printf(a, "file %s", slash ? slash + 1 : given);
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static const char *base_of(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : or_empty(path);
}

bool run_identity_make(struct arena *a, const struct run_info *from,
                       const struct run_identity *of, struct identity *to,
                       struct status *st)
{
    char profile[DIGEST_TEXT];
    const char *text = run_info_profile(a, from->profile), *files;
    digest_bytes(text, strlen(text), profile);
    TRY(run_identity_backend(a, from->path, from->options, &files, st));
    *to = (struct identity){{
        [IDENTITY_BACKEND] = from->backend.name,
        [IDENTITY_FILE] = files,
        [IDENTITY_VERSION] = from->backend.version,
        [IDENTITY_OPTIONS] = from->options,
        [IDENTITY_PROFILE] = profile_of(a, from->profile_name),
        [IDENTITY_PROFILE_FILE] = arena_text(a, profile),
        [IDENTITY_TIER] = or_empty(of->tier),
        [IDENTITY_FILTER] = or_empty(of->filter),
        [IDENTITY_FORMS] = or_empty(of->forms),
        [IDENTITY_SEED] = arena_printf(a, "%" PRIu64, of->seed),
        [IDENTITY_EXPECTED] = base_of(of->expect ? of->expect->path : NULL),
        [IDENTITY_EXPECTED_FILE] =
            of->expect ? arena_text(a, of->expect->digest) : "",
        [IDENTITY_SANDBOX] = sandbox_level(&from->sandbox),
    }};
    if (of->plan) {
        bool shipped = strcmp(of->plan->suite, digest_shipped()) == 0;
        to->value[IDENTITY_SUITE] = arena_text(a, of->plan->suite);
        to->value[IDENTITY_SHIPPED] = shipped ? "yes" : "no";
    }
    return true;
}

const char *run_identity_refusal(struct arena *a, int64_t run,
                                 const struct identity *its,
                                 const struct identity *mine)
{
    enum identity_member m =
        identity_differs(its, mine, (enum identity_member)0);
    if (m == IDENTITY_COUNT)
        return arena_printf(a,
                            "run %" PRId64 " is unfinished, but its limits, "
                            "time limits or size of batches differ",
                            run);
    const char *more = "";
    for (enum identity_member i =
             identity_differs(its, mine, (enum identity_member)(m + 1));
         i != IDENTITY_COUNT;
         i = identity_differs(its, mine, (enum identity_member)(i + 1)))
        more = arena_printf(a, "%s; also: %s", more, identity_label(i));
    return arena_printf(a,
                        "run %" PRId64 " is unfinished, but another one: its "
                        "%s is '%.150s', now it is '%.150s'%.150s",
                        run, identity_label(m), identity_value(its, m),
                        identity_value(mine, m), more);
}
