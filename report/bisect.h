/* bisect.h - the versions of a backend in which cases changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A table of cases by versions, the oldest version first, is filled from any
 * number of runs.  A case changes where its verdict (compare.h: right, wrong or
 * none) differs between two versions.  Where these are not neighbours, the
 * middle one between them is wanted next: a single change is found in
 * logarithmically many runs, and if the middle reveals another one, both are
 * narrowed down.  A change that a later one reverts can hide between two equal
 * verdicts; only a full table excludes that.
 */
#ifndef REPORT_BISECT_H
#define REPORT_BISECT_H

#include "report/compare.h"

struct bisect_cell {
    const char *status; /* NULL: not known */
    enum compare_verdict verdict;
    bool has_error;
    int64_t error; /* magnitude, in millionths of an ulp */
};

struct bisect_case {
    const char *name;
    struct bisect_cell *cells; /* by version */
};

struct bisect_version {
    const char *name;
    const char
        *runs; /* it is known from: "results.db@3, results.db@5", or "" */
};

struct bisect {
    struct arena *arena;
    const char *const *globs; /* of cases to add; NULL-terminated, or NULL */
    int version_count;
    struct bisect_version *versions;
    int case_count, case_room;
    struct bisect_case *cases; /* by name, once sorted */
};

/* A change of one case: the cells on both sides of it. */
struct bisect_change {
    int last, first; /* versions */
};

struct bisect_case *bisect_add(struct bisect *b, const char *name);
void bisect_sort(struct bisect *b);
/* Take over the results of a run; cases that are not in the table are added if
 * `add`, else skipped.  The cases must be sorted before, and are after. */
bool bisect_read(struct bisect *b, struct report *r,
                 const struct report_run *run, int version, bool add,
                 struct status *st);
/* The version to run next, and wanted[] by case; -1: none.  With `every`, until
 * the table is full. */
int bisect_wanted(const struct bisect *b, bool every, bool *wanted);
/* The changes of a case, oldest first: how many; list has room for one per
 * version, or is NULL. */
int bisect_changes(const struct bisect *b, const struct bisect_case *c,
                   struct bisect_change *list);
/* Did a case that was right become wrong? */
bool bisect_broke(const struct bisect *b);

/* bisect_print.c.  At most limit cases are listed; with `all` also those that
 * never changed. */
void bisect_print_text(const struct bisect *b, int64_t limit, bool all,
                       FILE *out);
void bisect_print_json(const struct bisect *b, FILE *out);

#endif
