/* expect_group.h - the failures of a run, by patterns of names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_EXPECT_GROUP_H
#define TOOLS_EXPECT_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "interp/judge/verdict.h"

struct expect_group_case {
    const char *name, *message;
    enum verdict_status status; /* of the backend, before expectations */
};

struct expect_group {
    const char *pattern;
    enum verdict_status status;
    int count; /* cases that it matches */
    const struct expect_group_case *example;
};

/* Few patterns that match every failure, and nothing that is right or fails
 * otherwise.  Cases are in the order of the bytes of their names.  Returns how
 * many; they are in the order of their patterns.  *work (which may be NULL)
 * counts the comparisons of a pattern with a name and the steps in the search
 * for the best pattern. */
int expect_group(struct arena *a, const struct expect_group_case *cases,
                 int count, struct expect_group **groups, int64_t *work);

#endif
