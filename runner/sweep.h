/* sweep.h - one function over very many inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A sweep is a run whose cases are generated: parts of the element
 * type's bit patterns, all of one length, so that the backend compiles one
 * program (and one more for a shorter rest) and executes it for each part.
 * They are processed like all cases: worker, judge, database.
 *
 * A hunt is a sweep whose parts are not all made at once: those of each round
 * look where the earlier ones found large errors (hunt.h).
 */
#ifndef RUNNER_SWEEP_H
#define RUNNER_SWEEP_H

#include <signal.h>

#include "interp/base/dtype.h"
#include "interp/base/limits.h"
#include "interp/base/status.h"
#include "interp/judge/monotone.h"
#include "interp/judge/verdict.h"
#include "runner/plan/shard.h"

/* The options of a hunt. */
struct sweep_hunt {
    uint64_t seed;
    const char *cases;  /* the suite's folder, for its hard inputs */
    int64_t rounds;     /* in all; 0: no limit */
    int64_t seconds_ms; /* after which no new round begins */
};

struct sweep_options {
    const char *op;
    enum dtype type;
    const char *backend, *backend_options, *profile, *database, *command;
    uint64_t stride;        /* one pattern of each so many, drawn */
    const char *low, *high; /* values, both included; NULL: all patterns */
    const char *second;     /* of a binary operation: the right operand */
    bool converts;          /* of a conversion: to is the result's type */
    enum dtype to;
    bool exhaustive; /* every pattern: each part is in one binade */
    bool pairs;      /* of a binary operation: all pairs of operands */
    const struct sweep_hunt *hunt; /* NULL: none */
    int64_t length;                /* of the arrays; 0: automatic */
    int jobs;
    int64_t timeout_ms; /* 0: supervise_timeout() */
    int64_t sleep_ms, memory_bytes;
    bool no_sandbox;
    bool resume, quiet;
    struct shard shard; /* only its parts; count 0: all */
    int join_count;     /* databases whose parts need not be swept again */
    const char **joins;
    struct limits limits;
    volatile sig_atomic_t interrupted;
};

struct sweep_part {
    uint64_t first; /* pattern; of a hunt: the number of the part */
    uint64_t last;  /* pattern that ends its range */
    int64_t count;
    bool done, has_error;
    int64_t correct, bad, special;
    int64_t error;         /* the worst, signed, in millionths of an ulp */
    uint64_t worst_input;  /* of pairs: the left operand's bits, then the
                              right one's */
    uint64_t worst_second; /* of a hunt of two operands: the right one */
    struct monotone_part order;
};

enum {
    SWEEP_OFFSETS = 64,
};

struct sweep_offsets {
    int64_t row[SWEEP_OFFSETS], column[SWEEP_OFFSETS];
};

/* The inputs of a part of a hunt, for each operand. */
struct sweep_line {
    uint64_t first[2]; /* patterns */
    int64_t stride[2];
    /* For one operand, instead of the stride: all sums of first and the offsets
     * of a row and a column.  NULL: none. */
    const struct sweep_offsets *offsets;
};

enum {
    SWEEP_WRONG_MAX = 8,
    SWEEP_TEXT = 320,
};

/* One wrong unit, and what was expected. */
struct sweep_wrong {
    int64_t part;                      /* that it is in */
    uint64_t input, second, got, want; /* input and second as of a part */
    enum dtype type;                   /* of the result's unit */
};

struct sweep {
    const struct sweep_options *options;
    const char *backend; /* as it calls itself */
    const char *variant; /* what else decides the sweep, in words */
    bool inapplicable;   /* it failed: the operation has no such type */
    enum dtype result;   /* unit of the result */
    int64_t length, points;
    /* The sums over the parts that are done; over those of a hunt, only what
     * was judged of its done_count * length inputs. */
    int64_t count, correct, bad, special;
    bool has_error;
    int64_t error;
    uint64_t worst_input, worst_second;
    int64_t bins[VERDICT_BINS];
    /* Results out of order, where the function is known to be monotone and all
     * patterns of a range are swept. */
    bool ordered;
    struct monotone_sum order;
    int64_t part_count, done_count;
    int64_t due_count; /* parts of the shard, and those that were joined */
    struct sweep_part *parts;
    int operands;   /* that vary */
    int64_t rounds; /* of a hunt: that are done */
    int wrong_count, special_count;
    /* The first ones in the order of parts. */
    struct sweep_wrong wrong[SWEEP_WRONG_MAX]; /* numbers */
    struct sweep_wrong odd[SWEEP_WRONG_MAX];   /* NaN or infinity */
    int64_t failed; /* parts without a result, and why the first has none */
    bool unsupported;
    char why[SWEEP_TEXT];
    int64_t time_ns; /* of the backend */
};

/* False if the sweep itself failed: INPUT for wrong usage (the operation is
 * not a function of one or two elements, has no such type, there are too many
 * parts), any other for the system. */
bool sweep_run(struct arena *a, struct sweep_options *options,
               struct sweep *sweep, struct status *st);

/* The largest error among inputs of one sign and exponent. */
struct sweep_binade {
    uint64_t first; /* its least pattern */
    int64_t error;
    uint64_t worst_input, worst_second;
};
/* Those that have one, of an exhaustive sweep, or a hunt (by the left operand),
 * in the order of patterns; their count. */
int64_t sweep_binades(struct arena *a, const struct sweep *sweep,
                      struct sweep_binade **list);

/* An input as text: decimal, or bits; of pairs both operands.  input and second
 * as those of a part. */
const char *sweep_input(struct arena *a, const struct sweep *sweep,
                        uint64_t input, uint64_t second, bool decimal);

/* Can op be swept without a second operand or a result's type, for some type?
 */
bool sweep_is_unary(const char *op);

#endif
