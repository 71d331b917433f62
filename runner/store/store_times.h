/* store_times.h - how long the cases of a run took.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_TIMES_H
#define RUNNER_STORE_STORE_TIMES_H

#include "runner/store/store.h"

/* Call each() for every case of the latest run in a database that has a
 * result: its file, its name after the file's, its variant, and the time in
 * the backend in nanoseconds.  Fails like store_open, and with INPUT if there
 * is no such run. */
bool store_times(const char *path,
                 void each(void *data, const char *file, const char *name,
                           int variant, int64_t time),
                 void *data, struct status *st);

#endif
