/* claim.h - what a run may claim of its backend.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_CLAIM_H
#define RUNNER_STORE_CLAIM_H

#include "runner/store/identity.h"

/* The claims go from the least to the most.  Only the last is a claim of
 * conformance. */
enum claim {
    CLAIM_FAILED,     /* a case failed */
    CLAIM_NOTHING,    /* none was judged */
    CLAIM_UNFINISHED, /* some never ran */
    CLAIM_KNOWN,      /* all failures are known ones */
    CLAIM_PARTIAL,    /* no failure in a part of the suite, or under another
                         profile, or without a sandbox */
    CLAIM_CONFORMS    /* the whole default tier or more of the shipped suite,
                         under the profile spec, in the full sandbox */
};

struct claim_facts {
    const struct identity *identity;
    bool complete, shard; /* the run ended; it is a part of one */
    /* failures: cases that ran and failed; known: failed as expected */
    int64_t planned, judged, failures, known, missing;
};

enum claim claim_of(const struct claim_facts *f);
/* "conforms", "known failures", ...: the same in every report. */
const char *claim_word(enum claim c);
/* "#rrggbb" for a badge: green only for a claim of conformance. */
const char *claim_colour(enum claim c);
/* The conditions that a claim of conformance lacks: "tier quick, sandbox none";
 * "" where nothing is lacking; in the arena. */
const char *claim_lacks(struct arena *a, const struct claim_facts *f);
/* The word, how many cases were judged, and what is lacking, as one line. */
const char *claim_line(struct arena *a, const struct claim_facts *f);
/* The same, with numbers as a page writes them, such as format_count. */
typedef const char *claim_number(struct arena *a, int64_t n);
const char *claim_line_as(struct arena *a, const struct claim_facts *f,
                          claim_number *number);

#endif
