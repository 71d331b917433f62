/* expect_group.h - the failures of a run, by patterns of names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_EXPECT_GROUP_H
#define TOOLS_EXPECT_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/arena.h"

struct expect_group_case {
    const char *name;
    const char *kind; /* how it failed; NULL: right, or not judged */
};

struct expect_group {
    const char *pattern;
    int count; /* cases that it matches */
    const int *matched;
};

/* Few patterns that match every failure, each of them failures of one kind and
 * nothing else.  Cases are in the order of the bytes of their names.  Returns
 * how many; they are in the order of their patterns.  *work (which may be
 * NULL) counts the comparisons of a pattern with a name and the steps in the
 * search for the best pattern. */
int expect_group(struct arena *a, const struct expect_group_case *cases,
                 int count, struct expect_group **groups, int64_t *work);

#endif
