/* atlas.h - how accurate each function of each backend is, by sweeps and hunts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A row is one function of one backend: an operation, an element type, and what
 * else makes it a function (a conversion's result, a fixed right operand, pairs
 * of operands).  Several sweeps and hunts of it become one row, the same in any
 * order.  If one of them saw every input, the row is *certified*, and says what
 * is wrong in the worst of them: other array lengths may give other results.
 * Otherwise its counts are sums, and its largest error is a lower bound.
 */
#ifndef REPORT_ATLAS_H
#define REPORT_ATLAS_H

#include <stdio.h>

#include "interp/base/arena.h"
#include "interp/base/dtype.h"
#include "interp/base/status.h"

enum {
    ATLAS_COLUMNS = 128 /* of a plot */
};

struct atlas_point {
    int64_t key; /* of the input (real_key), of pairs of the left operand */
    int64_t error, bad;
};

struct atlas_row {
    const char *op, *backend, *version;
    enum dtype type;
    const char *of; /* "to=f16", "second=2.5", "pairs"; or "" */
    bool certified, hunted;
    int64_t inputs;           /* looked at */
    int64_t sampled, correct; /* by sweeps, of which correctly rounded */
    int64_t special, bad;     /* wrong about NaN or infinity; outside the set */
    int64_t most_special, most_bad; /* of any one of them */
    bool has_error;
    int64_t error;          /* signed, in millionths of an ulp */
    uint64_t worst, second; /* its input, and of pairs the right operand */
    /* Results out of order, of the sweep of consecutive inputs that has the
     * most (monotone.h). */
    bool ordered;
    int64_t breaks;
    uint64_t break_input; /* the first is between it and the pattern before */
    int64_t point_count, point_room;
    struct atlas_point *points;
};

struct atlas {
    struct arena *arena;
    int count, room;
    struct atlas_row *rows;
};

/* Add the sweeps and hunts of a database.  Fails with INPUT if it has none, or
 * is damaged, and as store_open does. */
bool atlas_read(struct atlas *atlas, const char *path, struct status *st);
/* In the order of operations, types and backends. */
void atlas_sort(struct atlas *atlas);

/* The input of the largest error, as decimals or bits. */
const char *atlas_input(struct arena *a, const struct atlas_row *row,
                        bool decimal);
/* The two inputs of the first break, as decimals or bits, "" if there is none.
 */
const char *atlas_break(struct arena *a, const struct atlas_row *row,
                        bool decimal);

/* A page; an object; a profile whose budgets are as wide as what was measured
 * of one backend.  The profile fails with INPUT if there are several backends,
 * or no function. */
void atlas_html(const struct atlas *atlas, FILE *out);
void atlas_json(const struct atlas *atlas, FILE *out);
bool atlas_profile(const struct atlas *atlas, FILE *out, struct status *st);

#endif
