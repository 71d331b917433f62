/* store_sweep.h - sweeps in the results database.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A sweep belongs to a run that has no cases (store_run_begin and then
 * store_plan_end with nothing between).  A part and its bins are committed
 * together, so a killed sweep resumes with the missing parts.
 */
#ifndef RUNNER_STORE_STORE_SWEEP_H
#define RUNNER_STORE_STORE_SWEEP_H

#include "interp/judge/monotone.h"
#include "runner/store/store.h"

struct store_sweep {
    const char *op, *type;
    const char *variant; /* what else decides it: "stride=4096 length=1024" */
    const char *points;  /* decimal */
    bool hunt;
};

/* Its columns are those of record.def; the error is signed, in millionths of an
 * ulp. */
struct store_sweep_part {
    int64_t sweep;
    RECORD_sweep_part(RECORD_MEMBER, )
};

extern const struct store_record store_sweep_part_record;

/* The part's facts about the order of its results. */
static inline struct monotone_part
store_sweep_order(const struct store_sweep_part *p)
{
    return (struct monotone_part){p->has_breaks, p->breaks, p->break_input,
                                  p->first_result, p->last_result};
}

bool store_sweep_begin(struct store *store, int64_t run,
                       const struct store_sweep *info, int64_t *sweep,
                       struct status *st);
/* The sweep of a resumed run. */
bool store_sweep_find(struct store *store, int64_t run, int64_t *sweep,
                      struct status *st);

/* The sweeps of all runs with that plan hash, oldest first, in the arena. */
bool store_sweep_list(struct store *store, struct arena *a,
                      const char *plan_hash, int64_t **sweeps, int *count,
                      struct status *st);

/* bins[b + 127] is how many inputs have an error of bin b, -127 to 128. */
bool store_sweep_part_add(struct store *store,
                          const struct store_sweep_part *part,
                          const int64_t *bins, struct status *st);

/* Report each part that is present, in the order of its first input, and the
 * sum of all bins. */
typedef void store_sweep_each(void *self, const struct store_sweep_part *part);
bool store_sweep_read(struct store *store, int64_t sweep,
                      store_sweep_each *each, void *self, int64_t *bins,
                      struct status *st);

#endif
