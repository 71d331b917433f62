/* sandbox_scratch.h - where a backend may write.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run has one folder, assay-scratch.XXXXXX in TMPDIR or /tmp, which is locked
 * (flock) while the run lives: one that is not locked belongs to a run that was
 * killed, and the next run of the same user removes it.
 */
#ifndef RUNNER_PROCESS_SANDBOX_SCRATCH_H
#define RUNNER_PROCESS_SANDBOX_SCRATCH_H

#include <stdint.h>

#include "interp/base/status.h"

enum {
    SANDBOX_SCRATCH_PATH = 256
};

/* Make one, and remove those of dead runs.  Returns the descriptor that holds
 * the lock, or -1: SYSTEM. */
int sandbox_scratch_open(char path[SANDBOX_SCRATCH_PATH], struct status *st);
/* Remove it and what is in it. */
void sandbox_scratch_close(const char *path, int lock);

/* Bytes on disk of what is in a folder; 0 if it is empty or not there. */
int64_t sandbox_scratch_bytes(const char *path);
/* Remove what is in it. */
void sandbox_scratch_clear(const char *path);

#endif
