/* expect.h - expectations: what a backend is known to get wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Either a text file, one expectation a line:
 *
 *     # comment
 *     fail         Add/special@T=bf16*     rounds twice, issue 12
 *     crash,fail   Sort/keys@*             no comparators yet
 *     fail?        Conv/rounding@*         depends on the machine
 *
 * that is, the statuses that are expected, a glob on full names, and a reason,
 * which must be there.  A case that ends so is xfail; one that is right after
 * all is xpass, unless a question mark lets it be right.  The last line that
 * matches a name counts.
 *
 * Or the same as JSON, as `assay expect` writes it; a file that begins with a
 * brace is taken for that, whatever its name:
 *
 *     {"format": "assay-expectations/1", "backend": "xla-cpu@0.11.2",
 *      "expect": [{"pattern": "Max/rules/nan*", "kind": "fail",
 *                  "reason": "...", "reference": "xla#49174"}]}
 */
#ifndef RUNNER_PLAN_EXPECT_H
#define RUNNER_PLAN_EXPECT_H

#include "interp/base/arena.h"
#include "interp/judge/verdict.h"

struct expect_line {
    unsigned statuses; /* bits 1 << enum verdict_status */
    bool may;          /* may also be right */
    const char *glob, *reason;
    const char *reference; /* where it is public, or NULL */
    unsigned line;
    int64_t used; /* cases that it matched */
};

struct expect {
    const char *path;
    int count;
    struct expect_line *lines;
};

/* Read a file.  Fails with INPUT, at a line, or SYSTEM. */
bool expect_read(struct arena *a, const char *path, struct expect *expect,
                 struct status *st);

/* The same of JSON. */
bool expect_json(struct arena *a, const char *path, const char *text,
                 size_t length, struct expect *expect, struct status *st);
/* "crash,fail?" into a line; the text is changed. */
bool expect_statuses(const char *path, char *text, struct expect_line *to,
                     struct status *st);

/* The status of a case in the light of the expectations; *line is the one
 * that matched, or NULL. */
enum verdict_status expect_apply(struct expect *expect, const char *name,
                                 enum verdict_status status,
                                 const struct expect_line **line);

#endif
