/* reasons.h - why cases failed, held against the cases that passed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cause is found in one case, but it speaks of the backend.  Cases of one
 * operation, type and form are a group: a deviation that would make a
 * passing case of the group wrong is no cause in it, and of those that are left
 * as few as possible explain its failures, each case by one first.
 */
#ifndef RUNNER_REASONS_H
#define RUNNER_REASONS_H

#include "interp/deviation/deviation.h"
#include "runner/record.h"

/* Settle the causes of all failed cases of the run so far, in the database and
 * in what is held to be tried again.  The evaluations are in processes of their
 * own, whose number is jobs: where one dies, or a group takes too long, causes
 * stay as they are, and their text says of how many cases they were held
 * against.  Fails where the database does. */
bool reasons_settle(struct record *r, const struct deviation_table *table,
                    int jobs, struct status *st);

#endif
