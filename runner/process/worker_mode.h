/* worker_mode.h - how this thread rounds, and what it does with subnormal
 * numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend must leave both as they were (spec/abi.md); its next cases must not
 * be affected if it does not.
 */
#ifndef RUNNER_PROCESS_WORKER_MODE_H
#define RUNNER_PROCESS_WORKER_MODE_H

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>

struct worker_mode {
    fenv_t all;
    uint64_t control; /* what counts of it */
};

void worker_mode_save(struct worker_mode *mode);
/* False if it had changed; then it is restored. */
bool worker_mode_restore(const struct worker_mode *mode);

/* False if string instructions went backwards (x86's direction flag, which
 * calls must leave clear); from then on they go forwards.  To be called before
 * memory is copied or compared. */
bool worker_mode_forward(void);

#endif
