/* channel.h - data on their way from a Send to a Recv.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs run one after the other, each as far as possible: what waits for a
 * channel, and what needs its value, is skipped.  Programs that were left
 * incomplete run again from the start, with all that was sent so far, as long
 * as any of them gets further.  So every schedule of a backend is covered, and
 * an instruction that still waits at the end waits for ever.
 */
#ifndef INTERP_PROGRAM_CHANNEL_H
#define INTERP_PROGRAM_CHANNEL_H

#include "interp/program/op.h"

/* Before the first round; everything lives in the arena. */
void channel_open(struct arena *a, struct machine *machine);
/* Before each round, */
void channel_round(struct machine *machine);
/* and in it before a program runs on count processes.  The k-th process of a
 * program talks to the k-th of another. */
void channel_begin(struct machine *machine, int count, const int *processes);
/* Has anything happened since channel_round? */
bool channel_moved(const struct machine *machine);
/* Fail with STRUCTURE, and report who waits for what in this round. */
bool channel_deadlock(const struct machine *machine, struct status *st);

/* In eval.  A request is the number of a transfer through its channel.  These
 * return false (with st untouched) where the process has to wait: the outcome
 * is then left unset. */
bool channel_send(struct eval *ev, int64_t id, const struct outcome *value,
                  uint64_t *request);
uint64_t channel_receive(struct eval *ev, int64_t id);
bool channel_take(struct eval *ev, int64_t id, uint64_t request,
                  const struct outcome **value);
bool channel_sent(struct eval *ev, int64_t id, uint64_t request);

#endif
