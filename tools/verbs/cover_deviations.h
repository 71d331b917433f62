/* cover_deviations.h - assay cover --deviations: which wrong backends would
 * the cases reject?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_DEVIATIONS_H
#define TOOLS_COVER_DEVIATIONS_H

#include "interp/base/limits.h"
#include "interp/base/status.h"

struct cover_deviations {
    const char *name;    /* glob on deviations; NULL: all */
    const char *profile; /* NULL: spec */
    const char *tier;    /* NULL: default */
    int64_t count;       /* of rejecting cases to find and to name; 0: only
                            the first */
    int filter_count;    /* globs on cases of the plan; none: all */
    const char **filters;
    bool places; /* also at each place of spec/places.json */
    bool json, html, progress;
    int path_count; /* 0: the suite's own cases, of the tier */
    char **paths;
};

/* Evaluate every deviation against the cases and print what became of it, by
 * operation.  In *percent how much of what makes a difference is rejected,
 * rounded down. */
bool cover_deviations(const struct cover_deviations *o,
                      const struct limits *limits, int64_t *percent,
                      struct status *st);

#endif
