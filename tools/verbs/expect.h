/* expect.h - what the files of assay expect share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_EXPECT_H
#define TOOLS_EXPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "report/report.h"
#include "runner/plan/expect.h"

/* ---- expect_group.c: the failures of a run, by patterns of names --------- */

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

/* ---- expect_measure.c ---------------------------------------------------- */
/* How each case of some runs ended, as measured there. */

/* One case, of all runs that have it. */
struct expect_measure {
    const char *name, *op, *type;
    unsigned statuses; /* bits 1 << enum verdict_status, of failures */
    bool right;        /* in one run at least */
    bool varies;       /* wrong otherwise, or by another size, in each run */
    struct expect_found found; /* the worst */
    int64_t units, bad;
    const char *message; /* of a failure */
    const char *input;   /* of the largest error: "f32:3f800000", or NULL */
    const struct store_wrong *example[VERDICT_NATURES]; /* or NULL */
};

struct expect_measures {
    int count, room;
    struct expect_measure *list;
};

/* Add the cases of the latest run of a report that were run. */
bool expect_measure_read(struct arena *a, struct report *r,
                         struct expect_measures *to, struct status *st);
/* Put them in the order of their names, those of one name into one. */
void expect_measure_merge(struct expect_measures *m);
/* Is the error of a unit so large that it is not measured? */
bool expect_measure_beyond(const struct store_wrong *w);

/* ---- expect_reason.c ----------------------------------------------------- */
/* Describes in figures what cases that fail alike have in common. */

/* The kind of a failure, among those of the same operation and type: cases of
 * one kind share a reason.  Errors of one kind are of one decade. */
const char *expect_reason_kind(struct arena *a, const struct expect_measure *m);

/* The deviation that explains it in every run, or "".  Of a search that ended
 * early none counts: a complete one may find narrower ones. */
const char *expect_reason_cause(const struct expect_measure *m);

/* The class of its message (text_class), or "": of wrong units, and of what
 * is unsteady. */
const char *expect_reason_message(struct arena *a,
                                  const struct expect_measure *m);

/* The reason of some cases of one kind: the largest error and its input, or
 * an example, or the message; and how many units of how many cases. */
const char *expect_reason(struct arena *a,
                          const struct expect_measure *const *cases, int count);

#endif
