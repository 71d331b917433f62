/* worker_input.h - inputs between guards.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Small inputs are copied to where guard bytes stand before and after them; a
 * backend that writes there is detected.  Large ones are not copied.
 */
#ifndef RUNNER_PROCESS_WORKER_INPUT_H
#define RUNNER_PROCESS_WORKER_INPUT_H

#include "runner/plugin/abi_case.h"

/* The copies are in the arena. */
void worker_input_guard(struct arena *a, const struct abi_case *c);
/* Are the guards of all inputs intact? */
bool worker_input_whole(const struct abi_case *c);
/* The data as the backend sees them: inputs_hash, if they are the case's. */
struct hash worker_input_hash(const struct abi_case *c);

#endif
