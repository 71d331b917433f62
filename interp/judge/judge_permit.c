/* judge_permit.c - see judge_ways.h.  Tests: permitted.t, undecided.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/judge/judge_ways.h"
#include "interp/program/program_policy.h"

/* Does no operation name it?  Then it is one for the results of all, such as
 * zero.sign. */
static bool is_general(const char *policy)
{
    for (int i = 0; i < spec_op_count(); i++)
        if (spec_op_names(spec_op_at(i), policy))
            return false;
    return true;
}

int judge_permit_list(struct arena *a, const struct program *p,
                      const struct profile *profile,
                      struct profile_permit **list)
{
    const struct profile_permit *all;
    int n = profile_permits(a, profile, &all), count = 0;
    *list = arena_new(a, struct profile_permit, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        if (program_policy_any(p, all[i].policy) || is_general(all[i].policy))
            (*list)[count++] = all[i];
    return count;
}

int judge_permit_values(struct arena *a, const struct program *p,
                        const struct profile *profile,
                        struct profile_permit **list)
{
    int count = judge_permit_list(a, p, profile, list), left = 0;
    for (int i = 0; i < count; i++)
        if (strcmp((*list)[i].choice, "reject") != 0)
            (*list)[left++] = (*list)[i];
    return left;
}

const char *judge_permit_refuses(struct arena *a, const struct test_case *c,
                                 const struct judge_mode *mode, enum code class)
{
    struct profile_permit *list;
    int count = judge_permit_list(a, c->program, mode->profile, &list);
    for (int i = 0; i < count; i++) {
        struct judge_mode other = *mode;
        struct judge_reference ref;
        struct status st = {0};
        other.profile = profile_taking(a, mode->profile, &list[i], 1);
        if (!judge_reference(a, c, &other, &ref, &st)
            && st.code != STATUS_SYSTEM && st.code != STATUS_UNSUPPORTED
            && (class == STATUS_OK || class == st.code))
            return list[i].policy;
    }
    return NULL;
}
