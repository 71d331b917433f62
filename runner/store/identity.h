/* identity.h - what was judged, by what, and how: whether two runs are parts of
 * one result, and whether one may be compared with another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_IDENTITY_H
#define RUNNER_STORE_IDENTITY_H

#include "runner/store/store.h"

enum identity_member {
#define IDENTITY(name, key, label) IDENTITY_##name,
#include "runner/store/identity.def"
#undef IDENTITY
    IDENTITY_COUNT
};

struct identity {
    /* "" where there is none (no filter, no expectations); NULL: not recorded,
     * as in a database of an older version. */
    const char *value[IDENTITY_COUNT];
};

const char *identity_key(enum identity_member m);
const char *identity_label(enum identity_member m);

/* The first member from m on that differs, or IDENTITY_COUNT.  One that is not
 * recorded differs from one that is. */
enum identity_member identity_differs(const struct identity *a,
                                      const struct identity *b,
                                      enum identity_member m);
/* A value for a message: "none" for "", "not recorded" for NULL. */
const char *identity_value(const struct identity *i, enum identity_member m);
/* The version under which a suite of that digest was released
 * (spec/suites.lock), in the arena; NULL: under none. */
const char *identity_suite_version(struct arena *a, const char *digest);
/* The whole in one line, digests cut to twelve digits; in the arena. */
const char *identity_line(struct arena *a, const struct identity *i);

/* Record the identity of a run. */
bool identity_write(struct store *s, int64_t run, const struct identity *i,
                    struct status *st);
/* Read it, into the arena. */
bool identity_read(struct store *s, struct arena *a, int64_t run,
                   struct identity *i, struct status *st);

#endif
