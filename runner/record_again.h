/* record_again.h - failures that are retried before they count.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RECORD_AGAIN_H
#define RUNNER_RECORD_AGAIN_H

#include "runner/record.h"

/* A supervise_result; self is a struct record. */
bool record_again(void *self, const struct job_result *result);

/* A supervise_expected of the same self: do the expectations foresee such a
 * result of the case? */
bool record_again_expected(void *self, const struct job_result *result);

#endif
