/* cover_walk.h - the cases that deviations are evaluated on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_WALK_H
#define TOOLS_COVER_WALK_H

#include "interp/judge/judge_value.h"
#include "tools/verbs/cover_deviations.h"

/* Set all but the counts, which start at 0. */
struct cover_walk {
    const struct cover_deviations *options; /* which cases */
    struct limits limits;
    const struct profile *profile;
    struct arena *arena;   /* of the plan and the files */
    struct arena *scratch; /* of one case: reset after each */
    /* Is the case wanted?  Asked before it is made.  NULL: always. */
    bool (*wants)(void *context, const struct case_stub *stub);
    /* A case whose file is of that operation, by its number.  by->plain is what
     * the reference gives; NULL where the case expects an error. */
    void (*visit)(void *context, int op, const struct judge_value *by);
    void *context;
    bool forms;              /* also the cases of the plan in forms */
    int64_t cases, left_out; /* evaluated, and too large for that */
};

enum {
    COVER_WALK_STEPS = 1 << 22 /* a case that takes more is left out */
};

bool cover_walk(struct cover_walk *w, struct status *st);

/* The operation's number; -1 if there is none. */
int cover_walk_op(const char *name);

#endif
